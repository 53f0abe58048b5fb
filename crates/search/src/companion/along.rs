//! What a companion makes of one run that is given, found the plain way: for runs that were made
//! shorter, and must still be what was looked for.
//!
//! The companion moves on each state of the run before the run does, as in the product. Whether it
//! accepts a run that repeats a part for ever is a fixpoint (Emerson and Lei 1986): of what can be
//! reached, only that stays from which every acceptance set can be met again.

use super::{Asked, Companion, Move};
use pverify_semantics::Engine;
use pverify_semantics::question::Question;
use pverify_temporal::automaton::Marks;
use std::collections::{HashMap, HashSet};

/// A state of the run, by its place, and one of the companion.
type Node = (usize, u32);

/// Whether a companion can come to its end on the run that goes through the states of `stem` and then
/// through those of `cycle`, again and again; without a cycle the run is cut.
pub fn comes_to_its_end<C: Companion>(
    engine: &mut Engine<'_>,
    companion: &mut C,
    stem: &[Vec<u64>],
    cycle: &[Vec<u64>],
) -> bool {
    let states = [stem, cycle].concat();
    let Some(mut follower) = Follower::new(engine, companion, &states) else { return false };
    let mut seen = HashSet::new();
    let mut work = vec![(0, follower.companion.initial())];
    while let Some(node) = work.pop() {
        let after = if node.0 < states.len() { node.0 } else { stem.len() };
        let node = (after, node.1);
        if after == states.len() || !seen.insert(node) {
            continue;
        }
        let Some(moves) = follower.moves(node) else { return false };
        if moves.iter().any(|found| found.ends) {
            return true;
        }
        work.extend(moves.iter().map(|found| (after + 1, found.target)));
    }
    false
}

/// Whether a companion can accept the run that goes through the states of `stem` and then through
/// those of `cycle`, again and again.
pub fn accepts<C: Companion>(
    engine: &mut Engine<'_>,
    companion: &mut C,
    stem: &[Vec<u64>],
    cycle: &[Vec<u64>],
) -> bool {
    let states = [stem, cycle].concat();
    let Some(mut follower) = Follower::new(engine, companion, &states) else { return false };
    let sets = follower.companion.sets();
    let mut edges: HashMap<Node, Vec<(Node, Marks)>> = HashMap::new();
    let mut work = vec![(0, follower.companion.initial())];
    while let Some(node) = work.pop() {
        if edges.contains_key(&node) {
            continue;
        }
        let Some(moves) = follower.moves(node) else { return false };
        let next = if node.0 + 1 < states.len() { node.0 + 1 } else { stem.len() };
        let found: Vec<_> = moves.iter().map(|one| ((next, one.target), one.marks)).collect();
        work.extend(found.iter().map(|(target, _)| *target));
        edges.insert(node, found);
    }
    let mut good: HashSet<Node> = edges.keys().copied().collect();
    loop {
        let before = good.len();
        for set in 0..sets.max(1) {
            let wanted = if sets == 0 { Marks::NONE } else { Marks::one(set) };
            good = leading_to(&edges, &good, wanted);
        }
        if good.len() == before {
            return !good.is_empty();
        }
    }
}

/// Those of `good` from which an edge with these marks can be met without leaving it.
fn leading_to(
    edges: &HashMap<Node, Vec<(Node, Marks)>>,
    good: &HashSet<Node>,
    wanted: Marks,
) -> HashSet<Node> {
    let mut before: HashMap<Node, Vec<Node>> = HashMap::new();
    let mut work = Vec::new();
    for (&node, found) in edges.iter().filter(|(node, _)| good.contains(node)) {
        let inside = found.iter().filter(|(target, _)| good.contains(target));
        for &(target, marks) in inside {
            before.entry(target).or_default().push(node);
            if wanted.within(marks) {
                work.push(node);
            }
        }
    }
    let mut leading = HashSet::new();
    while let Some(node) = work.pop() {
        if leading.insert(node) {
            work.extend(before.get(&node).into_iter().flatten());
        }
    }
    leading
}

/// Asks a companion about the states of a run.
struct Follower<'a, 'm, C> {
    engine: &'a mut Engine<'m>,
    companion: &'a mut C,
    questions: Vec<Question>,
    states: &'a [Vec<u64>],
    moves: Vec<Move>,
}

impl<'a, 'm, C: Companion> Follower<'a, 'm, C> {
    /// `None` if a question cannot be asked.
    fn new(
        engine: &'a mut Engine<'m>,
        companion: &'a mut C,
        states: &'a [Vec<u64>],
    ) -> Option<Self> {
        let mut questions = Vec::new();
        for expression in companion.questions() {
            questions.push(engine.question(expression).ok()?);
        }
        Some(Self { engine, companion, questions, states, moves: Vec::new() })
    }

    /// Its moves, those to its end included; `None` if a question goes wrong.
    fn moves(&mut self, (at, number): Node) -> Option<&[Move]> {
        self.moves.clear();
        let mut words = self.states[at].clone();
        let (engine, questions) = (&mut *self.engine, self.questions.as_slice());
        let mut asked = Asked { engine, questions, words: &mut words };
        self.companion.moves(number, &mut asked, &mut self.moves).ok()?;
        Some(&self.moves)
    }
}

//! One model as a labelled transition system: what it can do in a state, action by action.
//!
//! A step of the engine is a path, and a path through an atomic block may have several actions. Such
//! a path is taken apart: between two of its actions the system is *inside*, which is written as the
//! state that the path began in and one more word, the number of the path among those of that state
//! and how many of its actions are done. Paths that have begun with the same steps are inside of the
//! same state until they part, and the first of them gives the number: what is decided inside an
//! atomic block is decided there, not when it begins.
//!
//! A state is the words of the engine, hidden ones first, and perhaps that word.

use super::view::View;
use ahash::AHashMap;
use pverify_semantics::Engine;
use pverify_semantics::action::{Elementary, Way};
use pverify_semantics::fault::FaultKind;
use pverify_semantics::successors::{Path, Step, Visitor};
use pverify_verdict::distinguishing::Act;

/// An action by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Label(pub u32);

impl Label {
    /// What nobody sees.
    pub const TAU: Self = Self(0);
}

/// The actions that have a number, the same for two models.
#[derive(Clone, Debug, Default)]
pub struct Labels {
    numbers: AHashMap<String, Label>,
    names: Vec<String>,
}

impl Labels {
    fn number(&mut self, name: Option<String>) -> Label {
        let Some(name) = name else { return Label::TAU };
        if let Some(&label) = self.numbers.get(&name) {
            return label;
        }
        self.names.push(name.clone());
        let label = Label(self.names.len() as u32);
        self.numbers.insert(name, label);
        label
    }

    /// The name of an action.
    pub fn name(&self, label: Label) -> &str {
        (label.0 as usize)
            .checked_sub(1)
            .and_then(|at| self.names.get(at))
            .map_or("tau", |name| name)
    }
}

/// Moves of a system: actions, and the states that they lead to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Moves {
    list: Vec<(Label, u32, u32)>,
    words: Vec<u64>,
}

impl Moves {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The action of a move.
    pub fn label(&self, at: usize) -> Label {
        self.list[at].0
    }

    /// The state that a move leads to.
    pub fn target(&self, at: usize) -> &[u64] {
        let (_, start, end) = self.list[at];
        &self.words[start as usize..end as usize]
    }

    /// Adds a move.
    pub fn push(&mut self, label: Label, target: &[u64]) {
        let start = self.words.len() as u32;
        self.words.extend_from_slice(target);
        self.list.push((label, start, self.words.len() as u32));
    }

    /// Leaves out moves that are there twice; the others stay in their order.
    fn dedup(&mut self) {
        let mut order: Vec<usize> = (0..self.len()).collect();
        order.sort_by(|&a, &b| {
            let by_label = self.label(a).cmp(&self.label(b));
            by_label.then_with(|| self.target(a).cmp(self.target(b))).then(a.cmp(&b))
        });
        order.dedup_by(|b, a| {
            self.label(*a) == self.label(*b) && self.target(*a) == self.target(*b)
        });
        order.sort_unstable();
        self.list = order.into_iter().map(|at| self.list[at]).collect();
    }

    /// Orders the moves by their actions; those of one action stay in their order.
    pub fn sort(&mut self) {
        self.list.sort_by_key(|one| one.0);
    }

    /// Where the moves of an action are, if the moves are in order.
    pub fn of(&self, label: Label) -> std::ops::Range<usize> {
        let start = self.list.partition_point(|one| one.0 < label);
        start..start + self.list[start..].partition_point(|one| one.0 == label)
    }

    /// Words that it takes.
    pub fn size(&self) -> usize {
        self.list.len() * 2 + self.words.len() + 8
    }
}

/// See the module.
#[derive(Debug)]
pub struct Side<'m> {
    engine: Engine<'m>,
    view: View<'m>,
    known: AHashMap<Box<[u64]>, Label>,
    key: Vec<u64>,
    paths: Paths,
}

/// The paths that lead on from a state of the engine.
#[derive(Debug, Default)]
struct Paths {
    /// For each path where its actions and the words of its target end.
    ends: Vec<(u32, u32)>,
    actions: Vec<Done>,
    words: Vec<u64>,
    /// The steps of each path, if they are wanted.
    steps: Option<Vec<Vec<Step>>>,
    places: Vec<u32>,
    wrong: Option<FaultKind>,
}

/// An action of a path.
#[derive(Clone, Copy, Debug)]
struct Done {
    label: Label,
    /// The place of its last step in the trail: which way was taken so far.
    place: u32,
    /// Its steps among those of the path: the first, and the one behind the last.
    steps: (u32, u32),
    /// Actions of the same step before it.
    before: u32,
}

impl Paths {
    fn clear(&mut self) {
        self.ends.clear();
        self.actions.clear();
        self.words.clear();
        self.wrong = None;
        if let Some(steps) = &mut self.steps {
            steps.clear();
        }
    }

    fn actions(&self, path: usize) -> &[Done] {
        let start = path.checked_sub(1).map_or(0, |before| self.ends[before].0);
        &self.actions[start as usize..self.ends[path].0 as usize]
    }

    fn target(&self, path: usize) -> &[u64] {
        let start = path.checked_sub(1).map_or(0, |before| self.ends[before].1);
        &self.words[start as usize..self.ends[path].1 as usize]
    }
}

impl<'m> Side<'m> {
    /// A model, and what is seen of it.
    pub fn new(mut engine: Engine<'m>, view: View<'m>) -> Self {
        engine.listen();
        let (known, key, paths) = (AHashMap::new(), Vec::new(), Paths::default());
        Self { engine, view, known, key, paths }
    }

    /// The same for another worker.
    pub fn fork(&self) -> Self {
        Self::new(self.engine.fork(), self.view.clone())
    }

    /// What is seen of it.
    pub fn view(&self) -> &View<'m> {
        &self.view
    }

    /// The state it starts in.
    pub fn initial(&self) -> Vec<u64> {
        self.engine.initial().to_vec()
    }

    /// The engine.
    pub fn engine(&mut self) -> &mut Engine<'m> {
        &mut self.engine
    }

    /// How many words in front of a state are hidden ones.
    pub fn hidden(&self) -> usize {
        self.engine.hidden
    }

    /// How many bits a state has behind its hidden words, by the first word there.
    pub fn bits(&mut self, first: u64) -> u32 {
        self.engine.bits(first)
    }

    /// What it can do in a state, in a fixed order.
    ///
    /// # Errors
    /// When a step goes wrong, so that not everything is known.
    pub fn moves(&mut self, state: &[u64], labels: &mut Labels) -> Result<Moves, FaultKind> {
        let mut moves = Moves::default();
        self.each(state, labels, |label, target, _, _| moves.push(label, target))?;
        if moves.len() > 1 {
            moves.dedup();
        }
        Ok(moves)
    }

    /// As [`Side::moves`], with the steps of each move.
    ///
    /// # Errors
    /// When a step goes wrong, so that not everything is known.
    pub fn acts(
        &mut self,
        state: &[u64],
        labels: &mut Labels,
    ) -> Result<Vec<(Label, Vec<u64>, Act)>, FaultKind> {
        let mut found = Vec::new();
        self.paths.steps = Some(Vec::new());
        let done = self.each(state, labels, |label, target, done, steps| {
            let (first, last) = done.steps;
            let steps = steps.get(first as usize..last as usize).unwrap_or_default().to_vec();
            found.push((label, target.to_vec(), Act { steps, before: done.before }));
        });
        self.paths.steps = None;
        done.map(|()| found)
    }

    fn each(
        &mut self,
        state: &[u64],
        labels: &mut Labels,
        mut show: impl FnMut(Label, &[u64], Done, &[Step]),
    ) -> Result<(), FaultKind> {
        let (source, inside) = self.split(state);
        let Self { engine, view, known, key, paths } = self;
        paths.clear();
        let mut labeller = Labeller { view, known, key, labels };
        engine.successors(source, &mut Follower { paths, labeller: &mut labeller });
        if let Some(wrong) = paths.wrong.take() {
            return Err(wrong);
        }
        let done = inside.map_or(0, |(_, done)| done);
        // The place in the trail up to which the way is the same.
        let place = inside.and_then(|(path, done)| {
            let actions = (path < paths.ends.len()).then(|| paths.actions(path))?;
            actions.get(done.checked_sub(1)?).map(|one| one.place)
        });
        let mut open: Vec<(u32, Label)> = Vec::new();
        let mut between = Vec::new();
        for path in 0..paths.ends.len() {
            let actions = paths.actions(path);
            let before = done.checked_sub(1).and_then(|at| actions.get(at));
            if before.map(|one| one.place) != place {
                continue;
            }
            let Some(&next) = actions.get(done) else { continue };
            let steps = paths.steps.as_ref().map_or(&[][..], |steps| &steps[path]);
            if done + 1 == actions.len() {
                show(next.label, paths.target(path), next, steps);
            } else if !open.contains(&(next.place, next.label)) {
                open.push((next.place, next.label));
                between.clear();
                between.extend_from_slice(source);
                between.push((path as u64) << 32 | (done as u64 + 1));
                show(next.label, &between, next, steps);
            }
        }
        Ok(())
    }

    /// A state of the engine, and how far inside a path it is.
    fn split<'s>(&mut self, state: &'s [u64]) -> (&'s [u64], Option<(usize, usize)>) {
        let hidden = self.engine.hidden;
        let length = hidden + self.engine.bits(state[hidden]).div_ceil(64) as usize;
        let inside = state.get(length).map(|&word| ((word >> 32) as usize, word as u32 as usize));
        (&state[..length], inside)
    }
}

/// The numbers of so many actions are remembered; of more, they are found again by name.
const MOST_KNOWN: usize = 1 << 16;

struct Labeller<'a, 'm> {
    view: &'a View<'m>,
    known: &'a mut AHashMap<Box<[u64]>, Label>,
    key: &'a mut Vec<u64>,
    labels: &'a mut Labels,
}

impl Labeller<'_, '_> {
    /// The number of an action; names are made once.
    fn label(&mut self, action: &Elementary<'_>) -> Label {
        let step = |step: &Step| {
            let place = u64::from(step.kind) << 32 | u64::from(step.location);
            [
                place,
                u64::from(step.pid) | u64::from(step.edge) << 8 | u64::from(action.labelled) << 32,
            ]
        };
        self.key.clear();
        self.key.extend(step(&action.step));
        self.key.push(u64::from(action.partner.is_some()));
        self.key.extend(action.partner.as_ref().map(step).into_iter().flatten());
        if let Some((channel, way, message)) = action.message {
            let way = match way {
                Way::Send => 1,
                Way::Receive => 2,
                Way::Rendezvous => 3,
            };
            let owner = channel
                .owner
                .map_or(0, |(pid, kind)| 1 << 63 | u64::from(pid) << 32 | u64::from(kind));
            self.key.extend([way, owner, u64::from(channel.at)]);
            self.key.extend(message.iter().map(|&field| u64::from(field as u32)));
        }
        if let Some(&label) = self.known.get(self.key.as_slice()) {
            return label;
        }
        let label = self.labels.number(self.view.name(action));
        // Every transition of a system in a file is an action by itself.
        if self.known.len() >= MOST_KNOWN {
            self.known.clear();
        }
        self.known.insert(self.key.as_slice().into(), label);
        label
    }
}

struct Follower<'a, 'l, 'm> {
    paths: &'a mut Paths,
    labeller: &'a mut Labeller<'l, 'm>,
}

impl Visitor for Follower<'_, '_, '_> {
    fn next(&mut self, words: &[u64], _: u32, path: Path<'_>) {
        let Self { paths, labeller } = self;
        let first = paths.actions.len();
        let actions = &mut paths.actions;
        let (mut start, mut end, mut before) = (0, 0, 0);
        path.actions(&mut paths.places, |action| {
            // Only the first action of a step has the labels of its place.
            if action.labelled {
                (start, before) = (end, 0);
                end += 1 + u32::from(action.partner.is_some());
            } else {
                before += 1;
            }
            let (label, steps) = (labeller.label(&action), (start, end));
            actions.push(Done { label, place: 0, steps, before });
        });
        for done in &mut actions[first..] {
            let last = (done.steps.1 as usize).saturating_sub(1);
            done.place = paths.places.get(last).copied().unwrap_or(u32::MAX);
        }
        if actions.len() == first {
            let steps = (0, 0);
            actions.push(Done { label: Label::TAU, place: u32::MAX, steps, before: 0 });
        }
        paths.words.extend_from_slice(words);
        paths.ends.push((paths.actions.len() as u32, paths.words.len() as u32));
        if let Some(steps) = &mut paths.steps {
            steps.push(path.steps());
        }
    }

    fn fault(&mut self, fault: FaultKind, _: Path<'_>) {
        if fault != FaultKind::InvalidEndState && !fault.is_survivable() {
            self.paths.wrong.get_or_insert(fault);
        }
    }
}

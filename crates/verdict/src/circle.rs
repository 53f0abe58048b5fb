//! A circle inside an atomic block, closed: the run goes round it once and no further.
//!
//! A search reports that a block *can* run in a circle once a path through it has become long; what
//! it hands over is the way so far. Here the circle itself is looked for, one step of the semantics
//! after the other, so that nothing is shown that does not close.

use crate::follow::{Move, Position};
use crate::trace::{Trace, TraceStep};
use ahash::AHashMap;
use pverify_model::machine::Model;
use pverify_semantics::Engine;
use pverify_semantics::replay::Choice;

/// The states inside one block, at most, in which a circle is looked for.
const MOST_STATES: usize = 1_000_000;

/// Where a run stands inside a block: the state, and who has control.
type Place = (Vec<u64>, Option<usize>);

/// Makes a run that stands inside an atomic block end where a circle closes; false if there is none.
pub(crate) fn close(engine: &mut Engine<'_>, position: &Position, trace: &mut Trace) -> bool {
    let (places, repeated) = own_places(trace);
    if let Some((from, to)) = repeated {
        cut(trace, to + 1);
        trace.cycle_from = Some(from + 1);
        return true;
    }
    let Some((way, place)) = find(engine, position, &places) else { return false };
    trace.cycle_from = Some(match places.get(&place) {
        Some(step) => step + 1,
        // The circle begins on the way that was found.
        None => {
            let is_it = |step: &TraceStep| place_of(step) == place;
            let at = way.iter().position(is_it).map_or(0, |at| at + 1);
            trace.steps.len() + at
        }
    });
    add(engine.model, trace, way);
    true
}

/// After which step a run is in which place of its last block, and two steps that lead to the same.
fn own_places(trace: &Trace) -> (AHashMap<Place, usize>, Option<(usize, usize)>) {
    let mut places = AHashMap::new();
    for (at, step) in trace.steps.iter().enumerate().skip(start_of_block(&trace.steps)) {
        if let Some(before) = places.insert(place_of(step), at) {
            return (places, Some((before, at)));
        }
    }
    (places, None)
}

/// The step that the last block of a run begins with; who waits inside a block has left it.
fn start_of_block(steps: &[TraceStep]) -> usize {
    if steps.last().is_none_or(|step| !step.atomic) {
        return steps.len();
    }
    let goes_on = |pair: &[TraceStep]| {
        let next = pair[1].steps.first().map(|step| step.pid as usize);
        pair[0].atomic && place_of(&pair[0]).1 == next
    };
    steps.windows(2).rposition(|pair| !goes_on(pair)).map_or(0, |at| at + 1)
}

fn place_of(step: &TraceStep) -> Place {
    let moved = step.steps.last().map(|step| step.pid as usize);
    (step.state.clone(), moved.filter(|_| step.atomic))
}

/// A way inside the block from where the run stands to a place that it, or the way, has been in.
///
/// Depth first, each place once, without recursion.
fn find(
    engine: &mut Engine<'_>,
    position: &Position,
    known: &AHashMap<Place, usize>,
) -> Option<(Vec<TraceStep>, Place)> {
    // Whether a place is on the way (or was left).
    let mut seen: AHashMap<Place, bool> = AHashMap::new();
    seen.insert((position.state.clone(), position.exclusive()), true);
    let mut way: Vec<TraceStep> = Vec::new();
    let mut open: Vec<(Position, Vec<Choice>)> = vec![(position.clone(), inside(engine, position))];
    while let Some((from, choices)) = open.last_mut() {
        let Some(choice) = choices.pop() else {
            seen.insert((from.state.clone(), from.exclusive()), false);
            open.pop();
            way.pop();
            continue;
        };
        let mut next = from.clone();
        let (step, _) = next.advance(choice);
        let place = place_of(&step);
        match seen.get(&place) {
            Some(false) => continue,
            Some(true) => {}
            None if known.contains_key(&place) => {}
            None if seen.len() >= MOST_STATES => return None,
            None => {
                seen.insert(place, true);
                way.push(step);
                let choices = inside(engine, &next);
                open.push((next, choices));
                continue;
            }
        }
        way.push(step);
        return Some((way, place));
    }
    None
}

/// What can be done without leaving the block, the first choice last.
fn inside(engine: &mut Engine<'_>, position: &Position) -> Vec<Choice> {
    let own = position.exclusive();
    let mut choices = position.choices(engine);
    choices.retain(|choice| {
        let first = choice.steps.first().map(|step| step.pid as usize);
        choice.performed.words.is_some() && choice.performed.atomic && first == own
    });
    choices.reverse();
    choices
}

fn cut(trace: &mut Trace, length: usize) {
    let removed: usize = trace.steps.drain(length..).map(|step| step.steps.len()).sum();
    trace.moves.truncate(trace.moves.len() - removed);
}

fn add(model: &Model, trace: &mut Trace, way: Vec<TraceStep>) {
    let moves = way.iter().flat_map(|step| &step.steps).map(|step| Move::of(model, step));
    trace.moves.extend(moves);
    trace.steps.extend(way);
}

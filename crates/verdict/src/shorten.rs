//! Counterexamples made shorter before they are shown: steps are dropped as long as what is left
//! still shows the same.
//!
//! A search that goes deep finds ways that no person would take. Delta debugging (Zeller and
//! Hildebrandt 2002) drops chunks of such a way, larger ones first, and keeps what still fails. Here
//! a chunk is taken out of all steps or out of those of one process, and what is left is done again
//! by the semantics: a step that is not possible any more is dropped too, so a process whose round
//! was cut open goes on where it next fits. Where a shorter run meets the longer one again, the rest
//! is known (so a round that leads back to the same state disappears at once).
//!
//! A fault stays what it was: the same kind at the same step, for a deadlock with every process
//! where it waited. What a property says about a run is asked of a judge. The effort is counted in
//! steps, so the same way always becomes the same shorter one. Nothing here is believed: what is left
//! is confirmed as any counterexample is.

mod attempt;
mod sweep;
mod way;

use crate::cycle::confirm_cycle;
use crate::trace::{NotConfirmed, Trace, confirm};
use attempt::Goal;
use pverify_semantics::Engine;
use pverify_semantics::fault::FaultKind;
use pverify_semantics::successors::Step;
use way::Way;

/// So many steps are tried for one counterexample, or so many for each of its own if that is more.
const EFFORT: u64 = 300_000;
const EFFORT_A_STEP: u64 = 4;
/// To judge a run takes as long as to try so many times its steps, or so.
const JUDGING: u64 = 8;
/// Longer ways are left as they are: their states would take much memory.
pub const LONGEST: usize = 50_000;

/// Whether a run of the model is what the property forbids: its states before the cycle, and those
/// of the cycle; none for a run that was cut when the answer was plain.
pub type Judge<'j> = dyn FnMut(&mut Engine<'_>, &[Vec<u64>], &[Vec<u64>]) -> bool + 'j;

/// As [`confirm`], of a shorter way to the same fault. A fault of a property needs a `judge`.
///
/// # Errors
/// When the way that was given cannot be confirmed.
pub fn confirm_shortened(
    engine: &mut Engine<'_>,
    fault: &FaultKind,
    states: Vec<Vec<u64>>,
    last: &[Step],
    judge: Option<&mut Judge<'_>>,
) -> Result<Trace, NotConfirmed> {
    let mut goal = match (fault, judge) {
        _ if !last.is_empty() => Goal::Step { fault: fault.clone(), last: last.to_vec() },
        (fault, Some(judge)) if fault.is_of_property() => Goal::Judged(judge),
        (FaultKind::InvalidEndState, _) => Goal::stuck(engine, states.last()),
        _ => Goal::Same,
    };
    // A circle is closed while it is confirmed, and cut there.
    let may = states.len() <= LONGEST && *fault != FaultKind::AtomicCycle;
    let way = if may { Way::of(engine, &states, None) } else { None };
    let shorter = way.and_then(|way| sweep::shorten(engine, way, &mut goal));
    let Some(shorter) = shorter else { return confirm(engine, fault, states, last) };
    let before = shorter.length_before + last.len() as u64;
    match confirm(engine, fault, shorter.way.states, last) {
        Ok(trace) => Ok(trace.shortened_from(before)),
        Err(_) => confirm(engine, fault, states, last),
    }
}

/// As [`confirm_cycle`], of a shorter run that the judge finds as wrong.
///
/// # Errors
/// When the run that was given cannot be confirmed.
pub fn confirm_cycle_shortened(
    engine: &mut Engine<'_>,
    fault: &FaultKind,
    (stem, cycle): (&[Vec<u64>], &[Vec<u64>]),
    fair: bool,
    judge: &mut Judge<'_>,
) -> Result<Trace, NotConfirmed> {
    let mut wrong = |engine: &mut Engine<'_>, stem: &[Vec<u64>], cycle: &[Vec<u64>]| {
        judge(engine, stem, cycle) && confirm_cycle(engine, fault, stem, cycle, fair).is_ok()
    };
    let way = match cycle.first() {
        Some(entry) if stem.len() + cycle.len() <= LONGEST => {
            let states: Vec<_> = stem.iter().chain(cycle).chain([entry]).cloned().collect();
            Way::of(engine, &states, Some(stem.len()))
        }
        _ => None,
    };
    let shorter = way.and_then(|way| sweep::shorten(engine, way, &mut Goal::Judged(&mut wrong)));
    if let Some(shorter) = shorter {
        let (stem, cycle) = shorter.way.parts();
        if let Ok(trace) = confirm_cycle(engine, fault, stem, cycle, fair) {
            return Ok(trace.shortened_from(shorter.length_before));
        }
    }
    confirm_cycle(engine, fault, stem, cycle, fair)
}

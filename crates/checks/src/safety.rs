//! Safety: no assertion fails, nothing gets stuck where it may not, no step goes wrong.

use pverify_search::control::{Counts, Cut, Observer, Outcome, Settings, Violation, Wrong};
use pverify_search::{breadth_first, depth_first};
use pverify_semantics::Engine;
use pverify_semantics::fault::FaultKind;
use pverify_verdict::trace::confirm;
use pverify_verdict::{Scope, Verdict};

/// An answer and what it took.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The answer.
    pub verdict: Verdict,
    /// What was counted on the way.
    pub counts: Counts,
    /// Whether every state was seen.
    pub complete: bool,
    /// What ended the search early, in words, where it was to go on after what is wrong.
    pub ended_by: Option<String>,
}

/// Looks at every reachable state for the faults that are wanted.
pub fn safety(
    engine: &mut Engine<'_>,
    settings: &Settings,
    shortest: bool,
    observer: &mut dyn Observer,
) -> Answer {
    if let Some(fault) = engine.initial_faults.first() {
        let reason = format!("the model has no initial state: {fault}");
        let counts = Counts::default();
        let verdict = Verdict::Inconclusive { reason };
        return Answer { verdict, counts, complete: false, ended_by: None };
    }
    let Outcome { counts, violation, cut } = if shortest {
        breadth_first::search(engine, settings, observer)
    } else {
        depth_first::search(engine, settings, observer)
    };
    let complete = cut.is_none() && (violation.is_none() || settings.all_errors);
    // A limit may have been passed before somebody said stop; that it ended then is the reason.
    let stopped = observer.reason(&counts);
    let ended_by = stopped
        .clone()
        .or_else(|| cut.filter(|&cut| cut != Cut::Fault).map(|cut| reason(cut, settings)))
        .filter(|_| violation.is_some() && settings.all_errors);
    let verdict = match violation {
        Some(Violation { wrong: Wrong::Fault(fault @ FaultKind::Misfit(_)), .. }) => {
            let reason = format!("{fault}; this is a mistake of pverify, please report it");
            Verdict::Inconclusive { reason }
        }
        Some(Violation { wrong: Wrong::Reached | Wrong::Cycle(_), .. }) => Verdict::Inconclusive {
            reason: "something was found that nobody looked for; this is a mistake of pverify, \
                     please report it"
                .into(),
        },
        Some(Violation { wrong: Wrong::Fault(fault), way, steps }) => {
            match confirm(engine, &fault, way.states(), &steps) {
                Ok(trace) => Verdict::Violated { trace: Box::new(trace) },
                Err(why) => Verdict::Inconclusive {
                    reason: format!(
                        "a counterexample was found but could not be confirmed ({}); \
                     this is a mistake of pverify, please report it",
                        why.0
                    ),
                },
            }
        }
        None => match cut {
            None => Verdict::Holds { scope: Scope { states: counts.states } },
            Some(cut) => {
                Verdict::Inconclusive { reason: stopped.unwrap_or_else(|| reason(cut, settings)) }
            }
        },
    };
    Answer { verdict, counts, complete, ended_by }
}

pub(crate) fn reason(cut: Cut, settings: &Settings) -> String {
    match cut {
        Cut::Depth => {
            let depth = settings.depth.unwrap_or(0);
            format!("paths longer than {depth} steps were not followed; try a larger --depth")
        }
        Cut::Fault => {
            "a step goes wrong, or a proposition does, and what comes after it is not known; see \
             --check safety"
                .into()
        }
        Cut::Memory => {
            "the memory limit was reached first; try a larger --memory, or a smaller model".into()
        }
        Cut::Stopped => {
            "a part of the search failed; this is a mistake of pverify, please report it".into()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pverify_model::load::load_text;
    use pverify_model::ranges::Ranges;
    use pverify_search::control::{Progress, Wanted};

    struct Patient;

    impl Observer for Patient {
        fn go_on(&mut self, _: &Progress) -> bool {
            true
        }
    }

    /// Ranges of one model would be wrong for another: that must not pass for an answer.
    #[test]
    fn a_value_outside_its_range_is_no_verdict() {
        let model = |value: u8| load_text(format!("byte x; init {{ x = 1; x = {value} }}")).model;
        let (small, large) = (model(2), model(9));
        for (model, holds) in [(&small, true), (&large, false)] {
            let mut engine = Engine::with_ranges(model, Ranges::of(&small));
            let settings = Settings::new(Wanted { steps: true, deadlocks: true });
            let answer = safety(&mut engine, &settings, false, &mut Patient);
            match answer.verdict {
                Verdict::Holds { .. } => assert!(holds),
                Verdict::Inconclusive { reason } => {
                    assert!(!holds && reason.contains("mistake of pverify"), "{reason}");
                }
                Verdict::Violated { .. } => panic!("the model is blamed"),
            }
        }
    }
}

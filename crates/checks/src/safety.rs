//! Safety: no assertion fails, nothing gets stuck where it may not, no step goes wrong.

use pverify_native::Native;
use pverify_search::control::{Counts, Cut, Observer, Outcome, Settings, Violation, Wrong};
use pverify_search::hooks::Reachability;
use pverify_search::snapshot::Unusable;
use pverify_search::{breadth_first, depth_first};
use pverify_semantics::Engine;
use pverify_semantics::fault::FaultKind;
use pverify_verdict::shorten::LONGEST;
use pverify_verdict::{Omitted, Scope, Verdict, confirm, confirm_shortened};

/// An answer and what it took.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The answer.
    pub verdict: Verdict,
    /// What was counted on the way.
    pub counts: Counts,
    /// Whether every state was seen, for sure.
    pub complete: bool,
    /// How many states were probably omitted, where they were remembered by bits only.
    pub omitted: Option<Omitted>,
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
        return Answer { verdict, counts, complete: false, omitted: None, ended_by: None };
    }
    let mut fast = Native::new(engine.fork());
    let outcome = if shortest {
        breadth_first::search(&mut fast, settings, observer)
    } else {
        depth_first::search(&mut fast, settings, observer)
    };
    engine.absorb(fast.engine());
    answer(engine, settings, outcome, observer)
}

/// Goes on with a check where a snapshot of it was made, whose numbers `take` gives.
///
/// # Errors
/// When the snapshot cannot be used.
pub fn resume(
    engine: &mut Engine<'_>,
    settings: &Settings,
    take: &mut dyn FnMut() -> u64,
    observer: &mut dyn Observer,
) -> Result<Answer, Unusable> {
    let hooks = &mut Reachability;
    let mut fast = Native::new(engine.fork());
    let outcome = depth_first::resume_with(&mut fast, hooks, settings, take, observer)?;
    engine.absorb(fast.engine());
    Ok(answer(engine, settings, outcome, observer))
}

/// What a search says about the model; a counterexample is done again.
fn answer(
    engine: &mut Engine<'_>,
    settings: &Settings,
    outcome: Outcome,
    observer: &dyn Observer,
) -> Answer {
    let Outcome { counts, violation, cut, omission } = outcome;
    let omitted = omission.map(|omission| Omitted::expected(omission.expected));
    let complete =
        cut.is_none() && omission.is_none() && (violation.is_none() || settings.all_errors);
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
            let confirmed = if way.len() > LONGEST as u64 {
                confirm(engine, &fault, way.states(), &steps)
            } else {
                confirm_shortened(engine, &fault, way.states().collect(), &steps, None)
            };
            match confirmed {
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
            None if omitted.is_none_or(Omitted::is_improbable) => {
                Verdict::Holds { scope: Scope { states: counts.states, omitted } }
            }
            None => Verdict::Inconclusive { reason: TOO_MANY_OMITTED.into() },
            Some(cut) => {
                Verdict::Inconclusive { reason: stopped.unwrap_or_else(|| reason(cut, settings)) }
            }
        },
    };
    Answer { verdict, counts, complete, omitted, ended_by }
}

/// Why there is no answer where a filter has probably taken some states for others.
pub(crate) const TOO_MANY_OMITTED: &str = "too many states were probably taken for others and \
     omitted; try a larger --memory, or --store exact";

pub(crate) fn reason(cut: Cut, settings: &Settings) -> String {
    match cut {
        Cut::Depth => {
            let depth = settings.depth.unwrap_or(0);
            format!(
                "paths longer than {depth} steps were not followed; try a larger --depth, or leave it out"
            )
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

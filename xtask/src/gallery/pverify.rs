//! pverify's answer to a check of the gallery, by its own engine.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result, bail};
use pverify_checks::cycles::Way;
use pverify_checks::safety::safety;
use pverify_checks::{claim, labels, ltl};
use pverify_model::load::load_text;
use pverify_model::machine::{Model, ProcessId, ProcessKind};
use pverify_search::control::{Counts, Observer, Progress, Settings, Wanted};
use pverify_semantics::Engine;
use pverify_verdict::Verdict;
use pverify_verdict::expected::{self, Answer, Check, Expectation};

/// Asks pverify about `model`.
pub(crate) fn answer(model: &Path, question: &Expectation) -> Result<Answer> {
    let loaded = load_text(fs::read(model)?);
    if loaded.has_errors() {
        bail!("pverify refuses it");
    }
    if !matches!(question.check, Check::Safety | Check::Deadlock) {
        let violated = search_runs(&loaded.model, question)?;
        return Ok(Answer { violated, ..Answer::default() });
    }
    // One search for each half of safety: a search names the first fault only.
    let all = Wanted { deadlocks: true, steps: true };
    let mut found = Answer::default();
    if question.check == Check::Safety {
        let (kind, counts) = search(&loaded.model, all)?;
        found.size = Some((counts.states, counts.transitions));
        if kind.is_some() {
            let steps = search(&loaded.model, Wanted { deadlocks: false, ..all })?.0;
            let deadlocks = search(&loaded.model, Wanted { steps: false, ..all })?.0;
            found.kinds = [steps, deadlocks].into_iter().flatten().collect();
            found.kinds.sort();
            found.violated = true;
        }
    } else {
        found.violated = search(&loaded.model, Wanted { steps: false, ..all })?.0.is_some();
    }
    Ok(found)
}

/// Whether a property of infinite runs is violated.
fn search_runs(model: &Model, question: &Expectation) -> Result<bool> {
    let mut engine = Engine::new(model);
    let settings = Settings::new(Wanted::PROPERTY);
    let (threads, fair) = (settings.threads, question.fair);
    let mut way = Way { settings, threads, shortest: false, fair, observer: &mut Patient };
    let infinite = match &question.check {
        Check::Accept => labels::accept(&mut engine, &mut way),
        Check::Progress => labels::progress(&mut engine, &mut way),
        Check::Ltl(name) => {
            let formula = model.formulas.iter().find(|formula| *formula.name == **name);
            ltl::ltl(&mut engine, formula.context("no such formula")?, &mut way)
        }
        _ => {
            let kinds = model.processes.iter();
            let claim = kinds.into_iter().position(|one| one.kind == ProcessKind::Never);
            let id = ProcessId(claim.context("no claim")? as u32);
            claim::never(&mut engine, id, &mut way)
        }
    };
    match infinite.answer.verdict {
        Verdict::Holds { .. } => Ok(false),
        Verdict::Violated { .. } => Ok(true),
        Verdict::Inconclusive { reason } => bail!("pverify does not know: {reason}"),
    }
}

/// The kind of the first fault that is wanted, and the counts of the full search.
fn search(model: &Model, wanted: Wanted) -> Result<(Option<String>, Counts)> {
    let mut engine = Engine::new(model);
    let settings = Settings { all_errors: true, ..Settings::new(wanted) };
    let answer = safety(&mut engine, &settings, false, &mut Patient);
    match answer.verdict {
        Verdict::Holds { .. } => Ok((None, answer.counts)),
        Verdict::Violated { trace } => {
            Ok((Some(expected::kind(trace.fault.name())), answer.counts))
        }
        Verdict::Inconclusive { reason } => bail!("pverify does not know: {reason}"),
    }
}

struct Patient;

impl Observer for Patient {
    fn go_on(&mut self, _: &Progress) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::super::gallery;
    use super::*;

    /// Models with more states than this are left to `cargo xtask gallery --pverify`.
    const SMALL: u64 = 200_000;

    /// Cycles are looked for in smaller ones.
    const SMALLER: u64 = 10_000;

    /// Every promise in the header of every model that is not big.
    #[test]
    fn the_gallery_keeps_its_promises() {
        let mut wrong = Vec::new();
        for model in gallery().expect("the gallery") {
            let text = fs::read_to_string(&model).expect("a model");
            let promises = expected::read(&text).expect("a header");
            let states = promises.iter().find_map(|promise| promise.answer.size);
            for promise in &promises {
                let plain = matches!(promise.check, Check::Safety | Check::Deadlock);
                let most = if plain { SMALL } else { SMALLER };
                if states.is_none_or(|(states, _)| states > most) {
                    continue;
                }
                let answer = answer(&model, promise).expect("an answer");
                if answer != promise.answer {
                    let found = Expectation { answer, ..promise.clone() };
                    wrong.push(format!("{}: {promise}, not {found}", model.display()));
                }
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}

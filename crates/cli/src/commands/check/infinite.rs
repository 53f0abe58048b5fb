//! Checks of infinite runs: formulas, `never` claims, `accept` and `progress` labels.

use super::{Asking, Checked, open};
use crate::commands::verify::{Arguments, Kind};
use crate::front_end::Model;
use crate::interrupt::Interrupt;
use crate::options::search::Fairness;
use pverify_checks::cycles::{Infinite, Way};
use pverify_checks::vacuity::idle;
use pverify_checks::{claim, labels, ltl};
use pverify_model::machine::{ProcessId, ProcessKind};
use pverify_report::answers::Size;
use pverify_search::control::Wanted;
use pverify_semantics::Engine;
use pverify_verdict::Verdict;
use std::num::NonZeroUsize;

/// Whether a formula that holds is vacuous is asked of models with at most so many states: it takes a
/// search or some of its own.
const SMALL: u64 = 100_000;

/// A question about infinite runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Question {
    /// A formula of the file, by its number.
    Formula(usize),
    /// The formula that was given beside it.
    Given,
    /// A claim.
    Claim(ProcessId),
    /// Cycles through `accept` labels.
    Accept,
    /// Cycles without `progress` labels.
    Progress,
}

/// The questions of a kind that there are in a model.
pub(crate) fn questions(model: &Model, kind: Kind, ltl: Option<&str>) -> Vec<Question> {
    let processes = &model.machines.processes;
    match kind {
        Kind::Ltl if model.formula.is_some() => vec![Question::Given],
        Kind::Ltl => {
            let formulas = &model.machines.formulas;
            let chosen = |at: &usize| ltl.is_none_or(|name| *formulas[*at].name == *name.trim());
            (0..formulas.len()).filter(chosen).map(Question::Formula).collect()
        }
        Kind::Never => {
            let claims = processes.iter().enumerate();
            let claims = claims.filter(|(_, process)| process.kind == ProcessKind::Never);
            claims.map(|(at, _)| Question::Claim(ProcessId(at as u32))).collect()
        }
        Kind::Accept => vec![Question::Accept],
        Kind::Progress => vec![Question::Progress],
        _ => Vec::new(),
    }
}

/// The questions about infinite runs that the file itself declares.
pub(crate) fn declared(model: &Model, ltl: Option<&str>) -> Vec<Question> {
    let any = |kind: fn(&pverify_model::machine::Location) -> bool| {
        let processes = model.machines.processes.iter();
        let mut processes = processes.filter(|process| process.kind != ProcessKind::Never);
        processes.any(|process| process.graph.locations.iter().any(kind))
    };
    let mut found = questions(model, Kind::Ltl, ltl);
    found.extend(questions(model, Kind::Never, ltl));
    if any(|location| location.accept) {
        found.push(Question::Accept);
    }
    if any(|location| location.progress) {
        found.push(Question::Progress);
    }
    found
}

/// Answers a question about infinite runs.
pub(crate) fn infinite(
    arguments: &Arguments,
    model: &Model,
    question: Question,
    interrupt: &Interrupt,
) -> Checked {
    let machines = &model.machines;
    let (check, property) = match question {
        Question::Formula(at) => ("ltl", Some(machines.formulas[at].name.to_string())),
        Question::Given => ("ltl", model.formula.clone()),
        Question::Claim(id) => ("never", Some(machines.processes[id.index()].name.to_string())),
        Question::Accept => ("accept", None),
        Question::Progress => ("progress", None),
    };
    let mut engine = Engine::new(machines);
    let mut asking = Asking::new(arguments, interrupt, &engine, Wanted::PROPERTY);
    if asking.is_too_late() {
        let answer = open(check, property.as_deref(), "interrupted before it began");
        return Checked { answer, saved: None };
    }
    let mut way = Way {
        settings: asking.settings,
        threads: arguments.limits.threads.unwrap_or(NonZeroUsize::MIN),
        shortest: arguments.search.shortest,
        fair: arguments.search.fairness == Fairness::Weak,
        observer: &mut asking.watch,
    };
    let found = match question {
        Question::Formula(at) => ltl::ltl(&mut engine, &machines.formulas[at], &mut way),
        Question::Given => match model.given.first() {
            Some(formula) => ltl::ltl(&mut engine, formula, &mut way),
            None => {
                let answer = open(check, property.as_deref(), "there is no such formula");
                return Checked { answer, saved: None };
            }
        },
        Question::Claim(id) => claim::never(&mut engine, id, &mut way),
        Question::Accept => labels::accept(&mut engine, &mut way),
        Question::Progress => labels::progress(&mut engine, &mut way),
    };
    let (fair, threads) = (way.fair, way.settings.threads);
    let formula = match question {
        Question::Formula(at) => machines.formulas.get(at),
        Question::Given => model.given.first(),
        Question::Claim(_) | Question::Accept | Question::Progress => None,
    };
    let Infinite { answer, route, automaton } = found;
    let holds = matches!(answer.verdict, Verdict::Holds { .. });
    let is_small = answer.counts.states <= SMALL;
    let vacuous = formula
        .filter(|_| holds && is_small)
        .and_then(|formula| idle(&mut engine, formula, (asking.settings, fair), 4 * SMALL));
    asking.settings.threads = threads;
    let mut checked = asking.answered(model, &mut engine, check, property.as_deref(), answer);
    checked.answer.route = Some(route);
    checked.answer.vacuous = vacuous;
    checked.answer.automaton = automaton.map(|size| Size {
        states: size.states,
        edges: Some(size.edges),
        sets: Some(size.sets),
        letters: None,
    });
    // The searches of products do not know which statements of the model were executed.
    checked.answer.unreached = None;
    checked
}

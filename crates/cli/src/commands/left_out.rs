//! What a file declares and a person's flags leave out, and formulas that the file does not have.

use super::check::infinite::{self, Question};
use super::verify::{Arguments, Kind};
use crate::front_end::Model;
use crate::nearest::nearest;

/// So many are named.
const NAMED: usize = 8;

/// A line for what was declared and not checked, and why; nothing where everything was.
pub(super) fn told(arguments: &Arguments, model: &Model) -> String {
    let names = names(arguments, model);
    let Some(first) = names.get(..names.len().min(NAMED)).filter(|names| !names.is_empty()) else {
        return String::new();
    };
    let more = match names.len() - first.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let why = if arguments.check.is_empty() {
        "--ltl asks for another formula instead"
    } else {
        "--check names other checks; without it everything is checked"
    };
    format!("not checked: {}{more} ({why})\n", first.join(", "))
}

fn names(arguments: &Arguments, model: &Model) -> Vec<String> {
    // Who asks something of another kind does not take it for an answer to these.
    let is_usual = |kind: &Kind| {
        use Kind::{Accept, Assert, Deadlock, Ltl, Never, Progress, Safety};
        matches!(kind, Safety | Assert | Deadlock | Ltl | Never | Accept | Progress)
    };
    if !arguments.check.iter().all(is_usual) {
        return Vec::new();
    }
    let ltl = arguments.ltl.as_deref();
    let was_asked = |question: &Question| {
        let kind = match question {
            Question::Formula(at) => {
                let name = &*model.machines.formulas[*at].name;
                if ltl.is_some_and(|asked| asked.trim() != name) {
                    return false;
                }
                Kind::Ltl
            }
            Question::Given => Kind::Ltl,
            Question::Claim(_) => Kind::Never,
            Question::Accept => Kind::Accept,
            Question::Progress => Kind::Progress,
        };
        arguments.check.is_empty() || arguments.check.contains(&kind)
    };
    let formulas = (0..model.machines.formulas.len()).map(Question::Formula);
    let others = infinite::declared(model, None);
    let others =
        others.into_iter().filter(|one| !matches!(one, Question::Formula(_) | Question::Given));
    let left = formulas.chain(others).filter(|question| !was_asked(question));
    let name = |question: Question| match question {
        Question::Formula(at) => format!("ltl {}", model.machines.formulas[at].name),
        Question::Given => "ltl".to_owned(),
        Question::Claim(id) => match &*model.machines.processes[id.index()].name {
            "never" => "never".to_owned(),
            name => format!("never {name}"),
        },
        Question::Accept => "accept".to_owned(),
        Question::Progress => "progress".to_owned(),
    };
    left.map(name).collect()
}

/// A help for a name that no formula of the file has.
pub(super) fn unknown_formula(arguments: &Arguments, model: &Model) -> String {
    let Some(name) = arguments.ltl.as_deref().map(str::trim) else { return String::new() };
    let is_name = !name.is_empty() && name.chars().all(|one| one.is_alphanumeric() || one == '_');
    // Where the file itself has errors, its formulas may be unknown too.
    let mut errors = model.diagnostics.iter().filter(|one| one.is_error());
    let of_formula = errors.all(|one| {
        let span = model.sources.outermost(one.span);
        model.sources.file(span.file).name == "--ltl"
    });
    if !is_name || !of_formula || model.formula.is_none() {
        return String::new();
    }
    // The formula that was given is read as the last one of the file.
    let formulas = &model.declarations.formulas;
    let known = &formulas[..formulas.len().saturating_sub(1)];
    let known: Vec<&str> = known.iter().map(String::as_str).collect();
    if known.is_empty() {
        return format!("help: the file has no `ltl` block, so `{name}` was read as a formula\n");
    }
    let near = nearest(name, known.iter().copied()).filter(|_| known.len() > 1);
    let near = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
    let all: Vec<String> = known.iter().take(NAMED).map(|one| format!("`{one}`")).collect();
    format!("help: no `ltl` block is called `{name}`; the file has {}{near}\n", all.join(", "))
}

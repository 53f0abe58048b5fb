//! The smallest deterministic automaton of a formula over finite sequences of actions.

use super::{Arguments, Form, Made, Refusal, malformed};
use pverify_report::automaton::{Described, Shape};
use pverify_temporal::finite::derivative::minimal;
use pverify_temporal::formula::parse::parse;
use pverify_temporal::formula::print::print;
use pverify_temporal::formula::{Formulas, Vocabulary};
use pverify_temporal::write;

/// Stands for all actions that a formula does not name.
const OTHERS: &str = "tau";

/// Derives the formula.
pub(super) fn make(arguments: &Arguments) -> Result<Made, Refusal> {
    if arguments.to == Some(Form::Never) {
        let why = "a never claim is about infinite runs, --finite about finite computations";
        let help = "choose --to text, hoa or dot, or leave --finite out";
        return Err(Refusal::impossible(why, help));
    }
    let (mut formulas, mut actions) = (Formulas::default(), Vocabulary::default());
    let formula = match parse(&arguments.formula, &mut formulas, &mut actions) {
        Ok(formula) => formula,
        Err(error) => return Ok(malformed(arguments, &error)),
    };
    actions.atom(OTHERS);
    let dfa = minimal(&mut formulas, formula, actions.len())?;
    let text = arguments.form().map(|form| {
        let text = match form {
            Form::Hoa => write::dfa_hoa(&dfa, &actions),
            Form::Dot => write::dfa_dot(&dfa, &actions),
            Form::Text | Form::Never => write::dfa_listing(&dfa, &actions),
        };
        (form.name(), text)
    });
    let described = Described {
        formula: Some(print(&formulas, &actions, formula)),
        shape: Some(Shape::of_finite(&dfa, &actions)),
        text,
        ..Described::default()
    };
    Ok(Made { automata: vec![described], ..Made::default() })
}

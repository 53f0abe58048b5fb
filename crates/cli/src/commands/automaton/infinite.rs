//! The automaton of a formula over infinite runs, and the formula's class.

use super::{Arguments, Form, Made, Refusal, malformed};
use pverify_report::automaton::{Described, Shape, meaning};
use pverify_temporal::automaton::Automaton;
use pverify_temporal::automaton::degeneralize::degeneralize;
use pverify_temporal::classify::Classifier;
use pverify_temporal::formula::parse::parse;
use pverify_temporal::formula::print::print;
use pverify_temporal::formula::{FormulaId, Formulas, Vocabulary};
use pverify_temporal::hoa::{self, Hoa};
use pverify_temporal::tableau::TooLarge;
use pverify_temporal::translate::{Translation, translate, translate_both};
use pverify_temporal::write;

/// Translates the formula as the arguments want it.
pub(super) fn make(arguments: &Arguments) -> Result<Made, Refusal> {
    let (mut formulas, mut vocabulary) = (Formulas::default(), Vocabulary::default());
    let formula = match parse(&arguments.formula, &mut formulas, &mut vocabulary) {
        Ok(formula) => formula,
        Err(error) => return Ok(malformed(arguments, &error)),
    };
    let mut described =
        Described { formula: Some(print(&formulas, &vocabulary, formula)), ..Described::default() };
    let automaton = match translate_both(&mut formulas, formula, &vocabulary) {
        Ok(both) => with_class(arguments, &both, &mut formulas, formula, &mut described)?,
        Err(why) if arguments.classify || arguments.deterministic => return Err(why.into()),
        // Without its negation the formula has an automaton all the same, but no class.
        Err(_) => {
            described.class_undecided = true;
            translate(&mut formulas, formula, &vocabulary)?
        }
    };
    if !arguments.classify {
        let name = arguments.formula.as_str();
        let tool = ("pverify".to_owned(), Some(env!("CARGO_PKG_VERSION").to_owned()));
        let hoa = Hoa { name: Some(name.to_owned()), tool: Some(tool), ..Hoa::new(automaton) };
        describe(arguments.form(), &hoa, &mut described)?;
    }
    Ok(Made { automata: vec![described], ..Made::default() })
}

/// Decides the class, if somebody wants to know it, and takes the automaton that was asked for.
fn with_class(
    arguments: &Arguments,
    both: &Translation,
    formulas: &mut Formulas,
    formula: FormulaId,
    described: &mut Described,
) -> Result<Automaton, Refusal> {
    let wanted = arguments.classify || arguments.deterministic;
    if !wanted && !arguments.wants_class() {
        return Ok(both.positive.clone());
    }
    let classifier = Classifier::new(both);
    described.class = classifier.as_ref().and_then(Classifier::class);
    described.class_undecided = described.class.is_none();
    let (Some(classifier), Some(class)) = (classifier, described.class) else {
        return if wanted {
            Err(Refusal::too_large("deciding the class of this formula takes too long"))
        } else {
            Ok(both.positive.clone())
        };
    };
    described.stutter_invariant = classifier.is_stutter_invariant(formulas, formula);
    if !arguments.deterministic {
        return Ok(both.positive.clone());
    }
    if !class.is_recurrence() {
        let why = format!(
            "there is no deterministic Büchi automaton of this formula: its class is {class} ({})",
            meaning(class)
        );
        let help = "leave --deterministic out; --check ltl needs no deterministic automaton";
        return Err(Refusal::impossible(why, help));
    }
    let too_long = || Refusal::too_large("making a deterministic automaton takes too long");
    classifier.deterministic_buchi().ok_or_else(too_long)
}

/// Writes an automaton over infinite runs in a form, and says what is known about it.
pub(super) fn describe(
    form: Option<Form>,
    hoa: &Hoa,
    described: &mut Described,
) -> Result<(), TooLarge> {
    let automaton = &hoa.automaton;
    described.shape = Some(Shape::of(automaton));
    let text = match form {
        None => return Ok(()),
        Some(Form::Text) => write::listing(automaton),
        Some(Form::Hoa) => hoa::write(hoa),
        Some(Form::Dot) => write::dot(automaton),
        Some(Form::Never) => {
            let ready = automaton.sets == 1 && automaton.state_marks().is_some();
            let one = if ready { automaton.clone() } else { degeneralize(automaton) };
            let one = one.with_one_start();
            described.shape = Some(Shape::of(&one));
            write::never(&one, hoa.name.as_deref().unwrap_or_default())?
        }
    };
    described.text = form.map(|form| (form.name(), text));
    Ok(())
}

//! `--check buchi`: acceptance of infinite runs by a deterministic automaton.

use super::{Asking, Checked, open};
use crate::commands::verify::Arguments;
use crate::files;
use crate::front_end::{Given, Model};
use crate::interrupt::Interrupt;
use crate::output;
use anyhow::{Result, bail};
use pverify_checks::buchi::{BuchiAnswer, Property, Unusable, buchi};
use pverify_report::answers::Size;
use pverify_report::automaton::meaning;
use pverify_report::diagnostics;
use pverify_search::control::Wanted;
use pverify_semantics::Engine;
use pverify_syntax::source::Sources;
use pverify_temporal::automaton::Automaton;
use pverify_temporal::formula::Formulas;
use pverify_temporal::property::Asking as Asked;
use pverify_temporal::{diagnose, hoa};

const CHECK: &str = "buchi";

/// Said where it holds.
const SCOPE: &str = "a run that ends repeats its last state for ever";

/// What runs must be accepted by.
pub(crate) enum Wish {
    /// The `ltl` block of this name.
    Block(String),
    /// This formula.
    Formula(String),
    /// The automaton of this file.
    Automaton(String, Box<Automaton>),
}

impl Wish {
    /// What must be read together with the model.
    pub(crate) fn given(&self) -> Given {
        match self {
            Self::Block(_) => Given::default(),
            Self::Formula(text) => Given { formula: Some(text.clone()), ..Given::default() },
            Self::Automaton(_, automaton) => {
                let propositions = automaton.vocabulary.names().to_vec();
                Given { propositions, ..Given::default() }
            }
        }
    }

    fn name(&self) -> &str {
        match self {
            Self::Block(name) | Self::Formula(name) | Self::Automaton(name, _) => name,
        }
    }
}

/// Reads what is asked for; what is wrong with it is shown, and there is nothing then.
pub(crate) fn read(arguments: &Arguments) -> Result<Option<Wish>> {
    match (&arguments.ltl, &arguments.automaton) {
        (Some(text), None) => Ok(Some(if is_name(text) {
            Wish::Block(text.clone())
        } else {
            Wish::Formula(text.clone())
        })),
        (None, Some(path)) => read_automaton(arguments, &path.to_string_lossy()),
        (Some(_), Some(_)) => bail!(
            "--check buchi follows one automaton: that of --ltl or that of --automaton\n\
             help: leave one of them out"
        ),
        (None, None) => bail!(
            "--check buchi needs an automaton\n\
             help: give it with --automaton FILE.hoa, or a formula with --ltl, as in --ltl '[]<> (x == 1)'"
        ),
    }
}

/// Whether a text can be the name of an `ltl` block.
fn is_name(text: &str) -> bool {
    let mut letters = text.chars();
    letters.next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_')
        && letters.all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
}

fn read_automaton(arguments: &Arguments, path: &str) -> Result<Option<Wish>> {
    let text =
        files::read_automata(path).map_err(|(why, help)| anyhow::anyhow!("{why}\nhelp: {help}"))?;
    match hoa::read_one(&text) {
        Ok(hoa) if hoa.properties.iter().any(|one| one == "finite-words") => bail!(
            "`{path}` is about finite computations (finite-words), --check buchi about infinite runs\n\
             help: --check finite takes the formula itself"
        ),
        Ok(hoa) => Ok(Some(Wish::Automaton(path.to_owned(), Box::new(hoa.automaton)))),
        Err(error) => {
            let mut sources = Sources::default();
            let file = sources.add_file(path.to_owned(), text, None);
            let wrong = [diagnose::automaton(&error, file)];
            let style = output::style(arguments.output.colors);
            output::note(&diagnostics::draw(&wrong, &sources, style));
            Ok(None)
        }
    }
}

/// Checks that every infinite run is accepted.
pub(crate) fn run(
    arguments: &Arguments,
    model: &Model,
    wish: Wish,
    interrupt: &Interrupt,
) -> Result<Checked> {
    let name = wish.name().to_owned();
    let unchecked = |why: &str| Checked { answer: open(CHECK, Some(&name), why), saved: None };
    let property = match property(model, wish)? {
        Ok(property) => property,
        Err(Unusable::TooLong) => {
            let why =
                "making a deterministic automaton of the formula takes too long; try --check ltl";
            return Ok(unchecked(why));
        }
        Err(Unusable::TooLarge(why)) => return Ok(unchecked(&why.to_string())),
        Err(Unusable::NotDeterministic) => bail!(
            "the automaton of `{name}` is not deterministic: with the same letter it can go on in \
             several ways\nhelp: `pverify automaton FORMULA --deterministic --to hoa` writes one that \
             is; --check ltl needs none"
        ),
        Err(Unusable::Class(class)) => bail!(
            "there is no deterministic Büchi automaton of this formula: its class is {class} ({})\n\
             help: check it with --check ltl, which needs no deterministic automaton",
            meaning(class)
        ),
    };
    let mut engine = Engine::new(&model.machines);
    let mut asking = Asking::new(arguments, interrupt, &engine, Wanted::PROPERTY);
    if asking.is_too_late() {
        return Ok(unchecked("interrupted before it began"));
    }
    let shortest = arguments.search.shortest;
    let found = buchi(&mut engine, &property, &asking.settings, shortest, &mut asking.watch);
    let BuchiAnswer { answer, state_bytes } = found;
    let mut checked = asking.answered(model, &mut engine, CHECK, Some(&name), answer);
    let size = property.size();
    checked.answer.automaton =
        Some(Size { states: size.states, edges: Some(size.edges), ..Size::default() });
    checked.answer.scope = Some(SCOPE);
    checked.answer.state_bytes = state_bytes;
    Ok(checked)
}

/// The property in the scope of the model.
fn property(model: &Model, wish: Wish) -> Result<Result<Property, Unusable>> {
    let mut formulas = Formulas::default();
    let declared = &model.machines.formulas;
    let property = match wish {
        Wish::Formula(_) => model.given.first(),
        Wish::Block(name) => {
            let block = declared.iter().find(|property| *property.name == *name);
            if block.is_none() {
                let names: Vec<&str> = declared.iter().map(|property| &*property.name).collect();
                let known = if names.is_empty() {
                    "the file has no ltl blocks".to_owned()
                } else {
                    format!("the file has {}", names.join(", "))
                };
                bail!(
                    "there is no ltl block `{name}`\n\
                     help: {known}; a formula that is one name stands in brackets: --ltl '({name})'"
                );
            }
            block
        }
        Wish::Automaton(_, automaton) => {
            let mut asked = Vec::new();
            for (property, name) in model.given.iter().zip(automaton.vocabulary.names()) {
                let asking = Asked::of(property, &mut formulas);
                match asking.as_proposition(&formulas) {
                    Some(proposition) => asked.push(proposition),
                    None => bail!(
                        "the proposition `{name}` of the automaton speaks of more than one state\n\
                         help: a proposition is an expression of the model, such as \"x == 1\""
                    ),
                }
            }
            return Ok(Property::of_automaton(*automaton, asked));
        }
    };
    let Some(property) = property else { bail!("the formula could not be read") };
    let asking = Asked::of(property, &mut formulas);
    Ok(Property::of_formula(formulas, asking))
}

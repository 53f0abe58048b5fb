//! `--check buchi`: acceptance of infinite runs by a deterministic automaton.

use super::{Checked, answered, open, settings, watch};
use crate::commands::verify::Arguments;
use crate::files;
use crate::front_end::Model;
use crate::interrupt::Interrupt;
use crate::output;
use anyhow::{Result, bail};
use pverify_checks::buchi::{BuchiAnswer, Property, Unusable, buchi};
use pverify_report::automaton::meaning;
use pverify_report::diagnostics;
use pverify_search::control::Wanted;
use pverify_semantics::Engine;
use pverify_syntax::source::Sources;
use pverify_temporal::automaton::Automaton;
use pverify_temporal::formula::Formulas;
use pverify_temporal::property::Asking as Asked;
use pverify_temporal::{diagnose, hoa};
use std::time::Instant;

const CHECK: &str = "buchi";

/// How it is looked for.
const ROUTE: &str = "by partial searches with a deterministic Büchi automaton; a run that ends repeats \
    its last state for ever";

/// What runs must be accepted by.
pub(crate) enum Wish {
    /// A formula, or the `ltl` block of this name.
    Formula(String),
    /// The automaton of this file.
    Automaton(String, Box<Automaton>),
}

impl Wish {
    /// The propositions that must be read in the scope of the model.
    pub(crate) fn propositions(&self) -> &[String] {
        match self {
            Self::Formula(_) => &[],
            Self::Automaton(_, automaton) => automaton.vocabulary.names(),
        }
    }

    fn name(&self) -> &str {
        match self {
            Self::Formula(name) | Self::Automaton(name, _) => name,
        }
    }
}

/// Reads what is asked for; what is wrong with it is shown, and there is nothing then.
pub(crate) fn read(arguments: &Arguments) -> Result<Option<Wish>> {
    match (&arguments.ltl, &arguments.automaton) {
        (Some(text), None) => Ok(Some(Wish::Formula(text.trim().to_owned()))),
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
    let unchecked = |why: &str| Checked { answer: open(CHECK, Some(&name), why), found: None };
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
    if interrupt.is_asked() {
        return Ok(unchecked("interrupted before it began"));
    }
    let started = Instant::now();
    let mut engine = Engine::new(&model.machines);
    let settings = settings(arguments, &engine, Wanted::PROPERTY);
    let mut watch = watch(arguments, started, interrupt, &settings);
    let shortest = arguments.search.shortest;
    let BuchiAnswer { answer, state_bytes } =
        buchi(&mut engine, &property, &settings, shortest, &mut watch);
    drop(watch);
    let mut checked = answered(model, CHECK, &engine, answer, (started, settings.threads));
    let size = property.size();
    checked.answer.property = Some(name);
    checked.answer.automaton = Some((size.states, size.edges, size.sets));
    checked.answer.route = Some(ROUTE.to_owned());
    checked.answer.state_bytes = state_bytes;
    Ok(checked)
}

/// The property in the scope of the model.
fn property(model: &Model, wish: Wish) -> Result<Result<Property, Unusable>> {
    let mut formulas = Formulas::default();
    let declared = &model.machines.formulas;
    let property = match wish {
        Wish::Formula(_) if model.formula.is_some() => declared.last(),
        Wish::Formula(name) => declared.iter().find(|property| *property.name == *name),
        Wish::Automaton(_, automaton) => {
            let mut asked = Vec::new();
            for (property, name) in model.propositions.iter().zip(automaton.vocabulary.names()) {
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

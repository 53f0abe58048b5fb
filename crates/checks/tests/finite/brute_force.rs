//! All computations up to a length, one elementary step at a time, and what a formula says of them.
//!
//! What the actions of a step are is read off its statement and the state before it, not from what
//! the engine notes while it takes the step.

use pverify_model::machine::{Action, Expression, LocationId, Model, Pattern, Place};
use pverify_semantics::Engine;
use pverify_semantics::successors::Step;
use pverify_temporal::finite::semantics::holds;
use pverify_temporal::formula::{FormulaId, Formulas};
use pverify_verdict::Position;
use std::collections::HashSet;

/// The atoms of [`super::random::ATOMS`] that an action is one of.
type Word = Vec<Vec<&'static str>>;

/// The length of a shortest computation that violates the formula, if there is one so short.
pub(crate) fn first_violation(
    model: &Model,
    formulas: &Formulas,
    formula: FormulaId,
    longest: usize,
) -> Option<usize> {
    let mut engine = Engine::new(model);
    let mut shortest: Option<usize> = None;
    let mut seen = HashSet::new();
    let mut work = vec![(Position::initial(&engine), Word::new())];
    let violates = |word: &Word| {
        !holds(formulas, formula, word.len(), |at, atom| {
            word[at].contains(&super::random::ATOMS[atom.index()])
        })
    };
    if violates(&Vec::new()) {
        return Some(0);
    }
    while let Some((position, word)) = work.pop() {
        for choice in position.choices(&mut engine) {
            if choice.performed.words.is_none() {
                continue;
            }
            let mut longer = word.clone();
            for action in actions(model, &engine, &position.state, &choice.steps) {
                longer.push(action);
                if longer.len() <= longest && violates(&longer) {
                    shortest = Some(shortest.map_or(longer.len(), |best| best.min(longer.len())));
                }
            }
            let mut next = position.clone();
            next.advance(choice);
            if longer.len() < longest && seen.insert((format!("{next:?}"), longer.clone())) {
                work.push((next, longer));
            }
        }
    }
    shortest
}

/// The actions of one step or rendezvous.
fn actions(model: &Model, engine: &Engine<'_>, state: &[u64], steps: &[Step]) -> Word {
    let here = steps.iter().any(|step| {
        let process = &model.processes[step.kind as usize];
        let place = Some(LocationId(step.location));
        let at = |label: &pverify_model::machine::Label| {
            &*label.name == "here" && label.location == place
        };
        &*process.name == "P" && process.graph.labels.iter().any(at)
    });
    let mut messages: Vec<(char, char, i32, bool)> = Vec::new(); // channel, sign, value, both
    let edge = |step: &Step| {
        let graph = &model.processes[step.kind as usize].graph;
        &graph.locations[step.location as usize].edges[step.edge as usize].action
    };
    match edge(&steps[0]) {
        Action::Send { channel, message, .. } => {
            messages.push((name(model, channel), '!', constant(&message[0]), steps.len() == 2));
        }
        Action::Receive { channel, pattern, .. } => {
            let value = match &pattern[0] {
                Pattern::Match(value) => constant(value),
                _ => first_message(engine, state, name(model, channel)),
            };
            messages.push((name(model, channel), '?', value, false));
        }
        Action::DStep(block) => {
            // Blocks of random models are straight: each point has one step.
            for step in block.points.iter().flatten() {
                if let Action::Send { channel, message, .. } = &step.action {
                    messages.push((name(model, channel), '!', constant(&message[0]), false));
                }
            }
        }
        _ => {}
    }
    let mut word = Word::new();
    for (at, (channel, sign, value, both)) in messages.iter().enumerate() {
        let mut atoms = Vec::new();
        let signs = if *both { vec!['!', '?'] } else { vec![*sign] };
        for sign in signs {
            for atom in ["a!1", "a?1", "b!2", "b?2"] {
                if atom == format!("{channel}{sign}{value}") {
                    atoms.push(atom);
                }
            }
            if (*channel, sign) == ('b', '!') {
                atoms.push("b!_");
            }
        }
        if here && at == 0 {
            atoms.push("P:here");
        }
        word.push(atoms);
    }
    if word.is_empty() {
        word.push(if here { vec!["P:here"] } else { Vec::new() });
    }
    for atoms in word.iter_mut().filter(|atoms| atoms.is_empty()) {
        atoms.push("tau");
    }
    word
}

fn name(model: &Model, place: &Place) -> char {
    model.globals[place.variable.index()].name.chars().next().expect("a name")
}

fn constant(expression: &Expression) -> i32 {
    match expression {
        Expression::Constant(value, _) => *value,
        other => panic!("not a constant: {other:?}"),
    }
}

/// The first message of a channel, from what a state holds in words: `[1 2]`.
fn first_message(engine: &Engine<'_>, state: &[u64], channel: char) -> i32 {
    let values = engine.values(state);
    let contents = values.iter().find(|value| value.name == channel.to_string());
    let contents = &contents.expect("the channel").value;
    let first = contents.trim_matches(['[', ']']).split(' ').next().expect("a message");
    first.parse().expect("a number")
}

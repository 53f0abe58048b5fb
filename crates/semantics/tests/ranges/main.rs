//! Every value of every reachable state lies in the range computed for it, and states that take
//! fewer bits are the same states.

mod random;

use pverify_model::layout::{Bits, Element, Field, Storage};
use pverify_model::load::{Loaded, load_text};
use pverify_model::machine::{Model, ProcessId, VariableId};
use pverify_model::ranges::{Interval, Ranges};
use pverify_model::types::Type;
use pverify_semantics::Engine;
use pverify_semantics::fault::FaultKind;
use pverify_semantics::shape::{ChannelFrame, Slot};
use pverify_semantics::successors::{Path, Visitor};
use pverify_syntax::diagnostic::Diagnostic;
use std::collections::HashSet;
use std::path::{Path as File, PathBuf};

/// Explores a model with and without its ranges, up to so many states; whether it is one.
fn check(name: &str, text: &str, most: usize) -> bool {
    let Loaded { model, diagnostics, .. } = load_text(text);
    if diagnostics.iter().any(Diagnostic::is_error) {
        return false;
    }
    let ranges = Ranges::of(&model);
    let mut wide = Engine::with_ranges(&model, Ranges::unknown());
    let expected =
        explore(&mut wide, most, |engine, state| look(name, &model, engine, &ranges, state));
    let mut narrow = Engine::new(&model);
    let found = explore(&mut narrow, most, |_, _| ());
    assert_eq!(found, expected, "states, transitions and faults of {name}");
    assert!(narrow.state_bytes() <= wide.state_bytes(), "{name}");
    true
}

fn explore(
    engine: &mut Engine<'_>,
    most: usize,
    mut look: impl FnMut(&Engine<'_>, &[u64]),
) -> Counts {
    let initial = engine.initial().to_vec();
    if !engine.initial_faults.is_empty() {
        return Counts::default();
    }
    let mut known = HashSet::from([engine.visible(&initial).to_vec()]);
    let mut next = Next::default();
    let mut waiting = vec![initial];
    while let Some(state) = waiting.pop() {
        look(engine, &state);
        engine.successors(&state, &mut next);
        for state in next.states.drain(..) {
            next.counts.transitions += 1;
            if known.len() < most && known.insert(engine.visible(&state).to_vec()) {
                waiting.push(state);
            }
        }
    }
    next.counts.states = known.len();
    next.counts
}

#[derive(Debug, Default, PartialEq, Eq)]
struct Counts {
    states: usize,
    transitions: usize,
    faults: Vec<FaultKind>,
}

#[derive(Default)]
struct Next {
    states: Vec<Vec<u64>>,
    counts: Counts,
    /// Whether values outside their ranges are expected.
    noticing: bool,
}

impl Visitor for Next {
    fn next(&mut self, words: &[u64], _: Path<'_>) {
        self.states.push(words.to_vec());
    }

    fn fault(&mut self, fault: FaultKind, _: Path<'_>) {
        assert!(self.noticing || !matches!(fault, FaultKind::Misfit(_)), "{fault}");
        self.counts.faults.push(fault);
    }
}

/// Compares everything in a state with its range.
fn look(name: &str, model: &Model, engine: &Engine<'_>, ranges: &Ranges, state: &[u64]) {
    let inside = |what: &str, values: Vec<Vec<i32>>, ranges: &[Interval]| {
        assert_eq!(values.len(), ranges.len(), "{name}: {what}");
        for (values, range) in values.into_iter().zip(ranges) {
            for value in values {
                assert!(range.contains(value), "{name}: {what} is {value}, not in {range:?}");
            }
        }
    };
    let shape = engine.shape(engine.shape_of(state));
    let global_channels = shape.channels.len()
        - (0..shape.processes.len())
            .filter_map(|pid| engine.process(state, pid))
            .map(|process| process.channels.len())
            .sum::<usize>();
    for (at, frame) in shape.channels[..global_channels].iter().enumerate() {
        inside("a global channel", messages(frame, state), ranges.global_channel(at));
    }
    for (at, variable) in model.globals.iter().enumerate() {
        let id = VariableId(at as u32);
        inside(&variable.name, slot(engine.global(id), state), ranges.global(id));
    }
    for process in (0..shape.processes.len()).filter_map(|pid| engine.process(state, pid)) {
        let kind = ProcessId(process.kind);
        let locals = &model.processes[kind.index()].locals;
        for (at, (variable, stored)) in locals.iter().zip(&process.locals).enumerate() {
            let range = ranges.local(kind, VariableId(at as u32));
            inside(&variable.name, slot(stored, state), range);
        }
        for (at, frame) in process.channels.iter().enumerate() {
            inside("a local channel", messages(frame, state), ranges.local_channel(kind, at));
        }
    }
}

/// The numbers in a variable, for each of its intervals.
fn slot(slot: &Slot, state: &[u64]) -> Vec<Vec<i32>> {
    let mut values = Vec::new();
    match slot {
        Slot::Stored(storage) => numbers(storage, 0, state, &mut 0, &mut values),
        Slot::Channels { first, length } => {
            values.push((0..*length as i32).map(|at| i32::from(*first) + at).collect());
        }
    }
    values
}

/// Adds the numbers in a variable to those of its intervals, from the one at `next` on.
fn numbers(
    storage: &Storage,
    offset: u32,
    state: &[u64],
    next: &mut usize,
    values: &mut Vec<Vec<i32>>,
) {
    let first = *next;
    for element in 0..storage.length {
        let at = offset + storage.base + element * storage.stride;
        *next = first;
        let value = match &storage.element {
            Element::Structure(parts) => {
                for part in parts {
                    numbers(part, at, state, next, values);
                }
                continue;
            }
            Element::Scalar(bits) => Field::at(at, *bits).get(state),
            Element::Constant(value) => *value,
        };
        *next += 1;
        values.resize((*next).max(values.len()), Vec::new());
        values[first].push(value);
    }
}

/// The numbers in a channel, for each of its fields.
fn messages(frame: &ChannelFrame, state: &[u64]) -> Vec<Vec<i32>> {
    let length = if frame.capacity == 0 { 0 } else { frame.length.get(state) as u32 };
    let field = |&(offset, bits, _): &(u32, Bits, Type)| -> Vec<i32> {
        let at = |slot: u32| frame.base + slot * frame.stride + offset;
        (0..length).map(|slot| Field::at(at(slot), bits).get(state)).collect()
    };
    frame.fields.iter().map(field).collect()
}

fn models(folder: &str) -> Vec<(PathBuf, String)> {
    let folder = File::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(folder);
    let entries = std::fs::read_dir(folder).expect("the folder is part of the project");
    let files = entries.map(|entry| entry.expect("a readable folder").path());
    let mut models: Vec<_> = files
        .filter(|file| file.extension().is_some_and(|extension| extension == "pml"))
        .map(|file| (file.clone(), std::fs::read_to_string(file).expect("a readable model")))
        .collect();
    models.sort();
    models
}

#[test]
fn the_gallery_stays_in_its_ranges() {
    for (file, text) in models("protocols") {
        assert!(check(&file.display().to_string(), &text, 20_000), "{}", file.display());
    }
}

#[test]
fn random_models_stay_in_their_ranges() {
    let models = models("tests/recorded");
    assert!(models.len() >= 50);
    for (file, text) in models {
        assert!(check(&file.display().to_string(), &text, 20_000), "{}", file.display());
    }
}

#[test]
fn models_that_calculate_stay_in_their_ranges() {
    let accepted = (0..600).filter(|&seed| {
        let text = random::model(seed);
        check(&format!("seed {seed}\n{text}"), &text, 300)
    });
    assert!(accepted.count() >= 500);
}

/// Models in which somebody else moves between a condition and what relies on it.
#[test]
fn what_others_do_in_between_is_seen() {
    let models = [
        "byte x; bit go; active [2] proctype P() { do :: atomic { x < 2; go -> x++ } :: x = 0 od }
           active proctype Q() { do :: go = 1 - go od }",
        "byte x; chan c = [0] of { bit };
           active proctype P() { do :: atomic { x < 2; if :: c!1 :: skip fi; x++ } od }
           active proctype Q() { do :: c?_ -> x = 2 :: x = 0 od }",
        "byte x; chan c = [0] of { bit };
           active proctype P() { do :: atomic { x < 2; if :: c!1 :: skip fi; x++ } od }
           active proctype Q() { do :: atomic { c?_ -> x = 2 } :: x = 0 od }",
        "byte x; bit y; active proctype P() provided (y == 0) {
           do :: atomic { x < 2; y = 1 - y; x++ } od }
           active proctype Q() { do :: y = 0 :: x = 2 :: x = 0 od }",
        "byte x; bit y; active proctype P() priority 1 { do :: atomic { x < 2; y = 1; x++ } od }
           active proctype Q() priority 2 { do :: y == 1 -> x = 2; y = 0; y == 1; x = 0; y = 0 od }",
        "byte x; active [2] proctype P() { do :: x < 2 -> x++ :: else -> x = 0 od }",
        "byte x; proctype P() { x < 2 -> x++ } init { run P(); run P(); run P() }",
        "byte x; active proctype P() { atomic { x < 2; goto in }; x < 9; atomic { skip; in: x++ } }
           active proctype Q() { x = 7 }",
        "byte x; active [2] proctype P() { { x < 2; x++ } unless { x == 3 -> x = 9 } }",
    ];
    for model in models {
        assert!(check(model, model, 20_000), "{model}");
    }
}

/// With ranges that are too small, every way to store a value notices.
#[test]
fn a_value_outside_its_range_is_noticed() {
    let ways = [
        "byte x; init { x = 1; x = VALUE }",
        "byte x; init { x = 1; x = x + (VALUE - 1) }",
        "byte x; init { do :: x < VALUE -> x++ :: else -> break od }",
        "byte x; byte y = VALUE; init { x = 1; x = y }",
        "byte x[3]; byte i = 1; init { i = 2; x[i] = VALUE }",
        "short x; init { x = 1; x = -VALUE }",
        "chan c = [1] of { byte }; init { c!VALUE }",
        "proctype P(byte x) { skip } init { run P(0); run P(VALUE) }",
        "proctype P(byte x) { skip } init { run P(VALUE) }",
        "byte x = 3; byte y = VALUE; init { x = 3; x = (y == 1 -> 3 : y) }",
    ];
    for way in ways {
        let load = |value: &str| load_text(way.replace("VALUE", value)).model;
        let (small, large) = (load("1"), load("6"));
        let ranges = Ranges::of(&small);
        let mut engine = Engine::with_ranges(&large, ranges);
        let mut faults = engine.initial_faults.clone();
        if faults.is_empty() {
            let mut next = Next { noticing: true, ..Next::default() };
            let mut waiting = vec![engine.initial().to_vec()];
            while let Some(state) = waiting.pop() {
                engine.successors(&state, &mut next);
                waiting.append(&mut next.states);
            }
            faults = next.counts.faults;
        }
        assert!(faults.iter().any(|fault| matches!(fault, FaultKind::Misfit(_))), "{way}");
    }
}

//! Machine code and engine side by side: the same next states by the same steps, the same faults, in
//! the same order, and the same statements executed.

use crate::Native;
use ahash::AHashSet;
use pverify_model::machine::Model;
use pverify_semantics::Engine;
use pverify_semantics::fault::FaultKind;
use pverify_semantics::successors::{Path, Step, Visitor};
use std::collections::VecDeque;

/// States that were compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Compared {
    /// All of them.
    pub states: u64,
    /// Those that machine code has answered.
    pub by_code: u64,
}

/// Compares the next states of the first states of a model, breadth first; the words are the first
/// difference.
pub fn compare(model: &Model, most: usize) -> Result<Compared, String> {
    let mut engine = Engine::new(model);
    let mut native = Native::after(engine.fork(), 0);
    let mut compared = Compared::default();
    if !engine.initial_faults.is_empty() {
        return Ok(compared);
    }
    let initial = engine.initial().to_vec();
    let mut seen = AHashSet::from([initial.clone()]);
    let mut waiting = VecDeque::from([initial]);
    for _ in 0..most {
        let Some(state) = waiting.pop_front() else { break };
        let (mut expected, mut given) = (Listener::default(), Listener::default());
        engine.successors(&state, &mut expected);
        native.successors(&state, &mut given);
        compared.states += 1;
        if given != expected {
            return Err(format!("after {state:x?}\n  engine {expected:?}\n  code   {given:?}"));
        }
        for told in expected.0 {
            if let Told::Next(words, ..) = told
                && !seen.contains(&words)
            {
                seen.insert(words.clone());
                waiting.push_back(words);
            }
        }
    }
    native.engine_mut().catch_up_with_all();
    engine.catch_up_with_all();
    if native.engine().executed() != engine.executed() {
        return Err("other statements were executed".to_owned());
    }
    compared.by_code = native.answered();
    Ok(compared)
}

/// What a visitor is told.
#[derive(Debug, PartialEq)]
enum Told {
    Next(Vec<u64>, u32, Vec<Step>),
    Fault(FaultKind, Vec<Step>),
}

#[derive(Debug, Default, PartialEq)]
struct Listener(Vec<Told>);

impl Visitor for Listener {
    fn next(&mut self, words: &[u64], bits: u32, path: Path<'_>) {
        self.0.push(Told::Next(words.to_vec(), bits, path.steps()));
    }

    fn fault(&mut self, fault: FaultKind, path: Path<'_>) {
        self.0.push(Told::Fault(fault, path.steps()));
    }
}

//! A labelled transition system (`.aut`) as a model: one process, whose locations are the states.
//!
//! A transition is an edge that does nothing and is called by its label ([`Action::Named`]), or does
//! nothing at all where the label is `tau`. So every check that is about steps, actions and rest can
//! be asked of it. A state without transitions is one in which the system is stuck.

use crate::codes;
use crate::load::Loaded;
use crate::machine::{
    Action, ControlGraph, Edge, Location, LocationId, Model, Process, ProcessKind,
};
use pverify_syntax::ast::Program;
use pverify_syntax::diagnostic::Diagnostic;
use pverify_syntax::options::{Loader, MemoryLoader};
use pverify_syntax::transitions::{Lts, read};

/// The name of the process that such a system is.
pub const SYSTEM: &str = "system";

/// A state has at most so many transitions.
const MOST_EDGES: usize = u16::MAX as usize;
/// And there are at most so many states: a location is a number of 31 bits, and each takes memory
/// before anything is searched.
const MOST_STATES: u32 = 1 << 28;

/// Reads a labelled transition system and makes its model.
pub fn load_transitions(path: &str, loader: &mut dyn Loader) -> Loaded {
    let parsed = read(path, loader);
    let mut diagnostics = parsed.diagnostics;
    let mut model = Model { foreign: true, ..Model::default() };
    if !diagnostics.iter().any(Diagnostic::is_error) {
        match process(&parsed.system) {
            Ok(process) => model.processes.push(process),
            Err(wrong) => diagnostics.push(wrong),
        }
    }
    let (program, unchecked) = (Program::default(), Vec::new());
    Loaded { sources: parsed.sources, program, model, unchecked, diagnostics }
}

/// As [`load_transitions`], of a text: for tests and tools.
pub fn load_transitions_text(text: impl Into<Vec<u8>>) -> Loaded {
    const NAME: &str = "system.aut";
    load_transitions(NAME, &mut MemoryLoader::default().with(NAME, text))
}

fn process(system: &Lts) -> Result<Process, Diagnostic> {
    let too_large = |span, message: String| {
        let wrong = Diagnostic::new(&codes::TRANSITIONS_TOO_MANY, span, message);
        wrong.here("here").help("minimise the system first, or look at a part of it")
    };
    if system.states > MOST_STATES {
        let message = format!("{} states are more than {MOST_STATES}", system.states);
        return Err(too_large(system.span, message));
    }
    // A state that no transition names cannot be reached. Location 0 is where a process starts: the
    // initial state changes places with the first.
    let ends = system.transitions.iter().flat_map(|one| [one.from, one.to]);
    let mut states: Vec<u32> = ends.chain([system.initial]).collect();
    states.sort_unstable();
    states.dedup();
    let first = states.partition_point(|&state| state < system.initial);
    let place = |state: u32| match states.partition_point(|&other| other < state) {
        0 => first as u32,
        at if at == first => 0,
        at => at as u32,
    };
    let location = |number: u32| Location {
        number,
        edges: Vec::new(),
        end: false,
        accept: false,
        progress: false,
        span: system.span,
    };
    let mut locations: Vec<Location> = states.iter().copied().map(location).collect();
    locations.swap(0, first);
    for (number, transition) in system.transitions.iter().enumerate() {
        let action = match transition.label.and_then(|label| system.labels.get(label as usize)) {
            Some(label) => Action::Named(label.clone()),
            None => Action::Skip,
        };
        let edges = &mut locations[place(transition.from) as usize].edges;
        if edges.len() >= MOST_EDGES {
            let message =
                format!("the state {} has more than {MOST_EDGES} transitions", transition.from);
            return Err(too_large(transition.span, message));
        }
        edges.push(Edge {
            id: number as u32 + 1,
            target: Some(LocationId(place(transition.to))),
            action,
            atomic: false,
            escape: None,
            span: transition.span,
        });
    }
    Ok(Process {
        name: SYSTEM.into(),
        kind: ProcessKind::Proctype,
        active: 1,
        priority: 1,
        deterministic: false,
        provided: None,
        parameters: 0,
        locals: Vec::new(),
        graph: ControlGraph { locations, labels: Vec::new() },
        span: system.span,
    })
}

//! Systems of communicating machines as models: one process a machine, channels without capacity.
//!
//! Every format gives the same: a machine is a process type that runs once, a state a location, a
//! transition an edge; a message is an `mtype` constant. A machine may stop where it is said to be
//! final and wherever it has no transition. Bad states are watched by one more process, whose only
//! step, possible in such a state alone, fails.

use crate::codes;
use crate::lift::make_lossy;
use crate::load::{Loaded, Unchecked};
use crate::machine::{
    Action, ChannelShape, ControlGraph, Edge, Expression, Initial, Label, Location, LocationId,
    Model, Owner, Pattern, Place, Process, ProcessId, ProcessKind, Variable, VariableId,
};
use crate::types::Type;
use ahash::AHashMap;
use pverify_syntax::ast::{BinaryOperator, Program};
use pverify_syntax::diagnostic::Diagnostic;
use pverify_syntax::machines::{Bad, Channels, Communication, Format, Machine, System, Word, read};
use pverify_syntax::options::Loader;
use pverify_syntax::source::Span;
use pverify_syntax::token::Name;

/// The process that watches for bad states.
pub const MONITOR: &str = ":bad_states:";

const MOST: usize = 255;

/// Reads a system of machines and makes its model.
pub fn load_machines(path: &str, loader: &mut dyn Loader, format: Format) -> Loaded {
    let parsed = read(path, loader, format);
    let mut diagnostics = parsed.diagnostics;
    let mut model = Model::default();
    let mut unchecked = Vec::new();
    if !diagnostics.iter().any(Diagnostic::is_error) {
        let mut lowering =
            Lowering { system: &parsed.system, problems: Vec::new(), ..Lowering::default() };
        model = lowering.model();
        unchecked = lowering.unchecked;
        diagnostics.extend(lowering.problems);
    }
    let program = Program::default();
    Loaded { sources: parsed.sources, program, model, unchecked, diagnostics }
}

static EMPTY: System =
    System { channels: Channels::Partners, messages: None, machines: Vec::new(), bad: Vec::new() };

struct Lowering<'s> {
    system: &'s System,
    problems: Vec<Diagnostic>,
    unchecked: Vec<Unchecked>,
    /// Channels by name, in the order in which they are met.
    channels: Vec<(Name, Span)>,
    messages: AHashMap<Name, i32>,
    next: u32,
}

impl Default for Lowering<'_> {
    fn default() -> Self {
        Self {
            system: &EMPTY,
            problems: Vec::new(),
            unchecked: Vec::new(),
            channels: Vec::new(),
            messages: AHashMap::new(),
            next: 1,
        }
    }
}

impl<'s> Lowering<'s> {
    fn model(&mut self) -> Model {
        let mut model = Model { foreign: true, ..Model::default() };
        self.declare_messages(&mut model);
        self.declare_channels();
        for machine in &self.system.machines {
            let process = self.machine(machine);
            model.processes.push(process);
        }
        self.too_many(self.system.machines.len(), "machines");
        self.too_many(self.channels.len(), "channels");
        let fields = vec![Type::Mtype(0)];
        let shape = ChannelShape { capacity: ChannelShape::UNBOUNDED, fields, structure: None };
        model.globals = self
            .channels
            .iter()
            .map(|(name, span)| Variable {
                name: name.clone(),
                kind: Type::Chan,
                length: None,
                visibility: None,
                initial: Initial::Channel(shape.clone()),
                span: *span,
            })
            .collect();
        self.watch(&mut model);
        if let Channels::Numbered { lossy, .. } = &self.system.channels {
            for channel in lossy {
                if make_lossy(&mut model, &channel.text).is_err() {
                    self.unknown("channel", channel, "channels are numbered from 0");
                }
            }
        }
        if self.problems.iter().any(Diagnostic::is_error) { Model::default() } else { model }
    }

    fn too_many(&mut self, count: usize, what: &str) {
        if count > MOST {
            let span = self.system.machines.last().map(|machine| machine.name.span);
            let message = format!("{count} {what} are more than {MOST}");
            let wrong =
                Diagnostic::new(&codes::SYSTEM_TOO_LARGE, span.unwrap_or_default(), message);
            self.problems.push(wrong.help("leave out what does not matter"));
        }
    }

    fn unknown(&mut self, what: &str, word: &Word, help: &str) {
        let message = format!("there is no {what} `{}`", word.text);
        let wrong = Diagnostic::new(&codes::UNKNOWN_IN_SYSTEM, word.span, message);
        self.problems.push(wrong.here("unknown").help(help));
    }

    fn declare_messages(&mut self, model: &mut Model) {
        let mut names: Vec<(Name, Span)> = Vec::new();
        let mut known: ahash::AHashSet<Name> = ahash::AHashSet::new();
        let communications = self.system.machines.iter().flat_map(|machine| &machine.transitions);
        let used = communications.filter_map(|one| one.action.as_ref()).map(|one| &one.message);
        let declared = self.system.messages.iter().flatten();
        let all: Vec<&Word> =
            if self.system.messages.is_some() { declared.collect() } else { used.collect() };
        for word in all {
            if known.insert(word.text.clone()) {
                names.push((word.text.clone(), word.span));
            }
        }
        self.too_many(names.len(), "messages");
        let subtype = model.mtypes.subtype(None);
        model.mtypes.declare(subtype, &names);
        for (at, (name, _)) in names.iter().enumerate() {
            self.messages.insert(name.clone(), (names.len() - at) as i32);
        }
    }

    fn declare_channels(&mut self) {
        let Channels::Numbered { count, .. } = &self.system.channels else { return };
        match count.text.parse::<usize>() {
            Ok(number) if number <= MOST => {
                let named = |at: usize| (Name::from(at.to_string()), count.span);
                self.channels = (0..number).map(named).collect();
            }
            Ok(number) => self.too_many(number, "channels"),
            Err(_) => self.unknown("number", count, "say how many channels there are"),
        }
    }

    fn machine(&mut self, machine: &'s Machine) -> Process {
        let mut states: Vec<&Word> = Vec::new();
        let mut known: AHashMap<&str, u32> = AHashMap::new();
        let mut add = |word: &'s Word, states: &mut Vec<&'s Word>| {
            known.entry(&word.text).or_insert_with(|| {
                states.push(word);
                states.len() as u32 - 1
            });
        };
        match &machine.states {
            Some(declared) => declared.iter().for_each(|word| add(word, &mut states)),
            None => {
                let ends = machine.transitions.iter().flat_map(|one| [&one.from, &one.to]);
                machine.initial.iter().chain(ends).for_each(|word| add(word, &mut states));
            }
        }
        // Location 0 is where a process starts: with one initial state, that state.
        let help = format!("the machine `{}` has no such state", machine.name.text);
        let find = |lowering: &mut Self, word: &Word| match known.get(&*word.text) {
            Some(&at) => at,
            None => {
                lowering.unknown("state", word, &help);
                0
            }
        };
        let initial: Vec<u32> = machine.initial.iter().map(|word| find(self, word)).collect();
        let finals: Vec<u32> =
            machine.finals.iter().flatten().map(|word| find(self, word)).collect();
        let alone = if let [only] = initial.as_slice() { Some(*only) } else { None };
        // With one initial state, it changes places with the first; else one stands before all.
        let place = |state: u32| match alone {
            Some(first) if state == first => 0,
            Some(first) if state == 0 => first,
            Some(_) => state,
            None => state + 1,
        };
        let count = (states.len() + usize::from(alone.is_none())).max(1);
        let span = machine.name.span;
        let mut locations: Vec<Location> = (0..count)
            .map(|at| Location {
                number: at as u32 + 1,
                edges: Vec::new(),
                end: false,
                accept: false,
                progress: false,
                span,
            })
            .collect();
        let mut labels = Vec::new();
        for (at, word) in states.iter().enumerate() {
            let location = place(at as u32);
            locations[location as usize].span = word.span;
            labels.push(Label {
                name: word.text.clone(),
                number: location + 1,
                location: Some(LocationId(location)),
                span: word.span,
            });
        }
        for transition in &machine.transitions {
            let (from, to) = (find(self, &transition.from), find(self, &transition.to));
            let action = match &transition.action {
                Some(communication) => self.communication(machine, communication),
                None => Action::Skip,
            };
            let edge = self.edge(place(to), action, transition.span);
            locations[place(from) as usize].edges.push(edge);
        }
        if alone.is_none() {
            for &state in &initial {
                let edge = self.edge(place(state), Action::Skip, span);
                locations[0].edges.push(edge);
            }
        }
        for location in &mut locations {
            location.end = location.edges.is_empty();
        }
        for state in finals {
            locations[place(state) as usize].end = true;
        }
        process(machine.name.text.clone(), locations, labels, span)
    }

    fn edge(&mut self, target: u32, action: Action, span: Span) -> Edge {
        let id = self.next;
        self.next += 1;
        Edge { id, target: Some(LocationId(target)), action, atomic: false, escape: None, span }
    }

    fn communication(&mut self, machine: &Machine, communication: &Communication) -> Action {
        let Communication { sends, channel, message } = communication;
        let number = match &self.system.channels {
            Channels::Numbered { count, .. } => {
                let known = self.channels.iter().position(|(name, _)| *name == channel.text);
                known.unwrap_or_else(|| {
                    self.unknown("channel", channel, &format!("there are {}, from 0", count.text));
                    0
                })
            }
            Channels::Partners => {
                let partner = self.partner(channel);
                let (from, to) = if *sends {
                    (&machine.name.text, &partner)
                } else {
                    (&partner, &machine.name.text)
                };
                let name: Name = format!("{from}->{to}").into();
                let known = self.channels.iter().position(|(known, _)| *known == name);
                known.unwrap_or_else(|| {
                    self.channels.push((name, channel.span));
                    self.channels.len() - 1
                })
            }
        };
        let value = self.messages.get(&message.text).copied().unwrap_or_else(|| {
            self.unknown("message", message, "declare it among the parameters");
            0
        });
        let constant = Expression::Constant(value, Some(message.text.clone()));
        let place = Place {
            owner: Owner::Global,
            variable: VariableId(number as u32),
            index: None,
            fields: Vec::new(),
            kind: Type::Chan,
            span: channel.span,
        };
        if *sends {
            Action::Send { channel: place, sorted: false, message: vec![constant] }
        } else {
            let pattern = vec![Pattern::Match(constant)];
            Action::Receive { channel: place, random: false, keep: false, pattern }
        }
    }

    /// The name of a machine that is named by its name or number. One that is not there is somebody
    /// outside, who neither sends nor receives.
    fn partner(&self, word: &Word) -> Name {
        let machines = &self.system.machines;
        if machines.iter().any(|machine| machine.name.text == word.text) {
            return word.text.clone();
        }
        let numbered = word.text.parse::<usize>().ok().and_then(|number| machines.get(number));
        numbered.map_or_else(|| word.text.clone(), |machine| machine.name.text.clone())
    }

    /// A process that fails in bad states.
    fn watch(&mut self, model: &mut Model) {
        let mut edges = Vec::new();
        for (number, bad) in self.system.bad.iter().enumerate() {
            if let Some(contents) = bad.contents {
                let message = "bad states that depend on what channels hold are not checked";
                let warning = Diagnostic::new(&codes::BAD_STATES_UNCHECKED, contents, message);
                self.problems.push(
                    warning
                        .here("not checked")
                        .help("leave it out if being in these states is bad enough by itself"),
                );
                self.unchecked.push(Unchecked {
                    check: "bad_states".to_owned(),
                    property: format!("group {}", number + 1),
                    reason: "it asks for contents of channels, which pverify does not check"
                        .to_owned(),
                });
            } else if let Some(condition) = self.condition(model, bad) {
                let mut edge = self.edge(1, Action::Condition(condition), bad.span);
                edge.atomic = true;
                edges.push(edge);
            }
        }
        let Some(span) = edges.first().map(|edge| edge.span) else { return };
        let fails = Action::Assert(Expression::Constant(0, None));
        let failing = self.edge(2, fails, span);
        let location = |number, edges, end| Location {
            number,
            edges,
            end,
            accept: false,
            progress: false,
            span,
        };
        let locations = vec![
            location(1, edges, true),
            location(2, vec![failing], true),
            location(3, Vec::new(), true),
        ];
        model.processes.push(process(MONITOR.into(), locations, Vec::new(), span));
    }

    /// That each machine of a group is in one of its states.
    fn condition(&mut self, model: &Model, bad: &Bad) -> Option<Expression> {
        let mut together: Option<Expression> = None;
        for (name, states) in &bad.states {
            let machine = model.processes.iter().position(|process| process.name == name.text);
            let Some(machine) = machine else {
                self.unknown("machine", name, "name a machine of the system");
                return None;
            };
            let mut any: Option<Expression> = None;
            for state in states {
                let labels = &model.processes[machine].graph.labels;
                let Some(label) = labels.iter().position(|label| label.name == state.text) else {
                    self.unknown("state", state, "name a state of the machine");
                    return None;
                };
                let process = ProcessId(machine as u32);
                let here = Expression::RemoteLabel { process, pid: None, label: label as u32 };
                any = Some(joined(BinaryOperator::Or, any, here));
            }
            together =
                any.map(|any| joined(BinaryOperator::And, together.take(), any)).or(together);
        }
        together
    }
}

fn joined(operator: BinaryOperator, left: Option<Expression>, right: Expression) -> Expression {
    match left {
        Some(left) => Expression::Binary(operator, Box::new(left), Box::new(right)),
        None => right,
    }
}

fn process(name: Name, locations: Vec<Location>, labels: Vec<Label>, span: Span) -> Process {
    Process {
        name,
        kind: ProcessKind::Proctype,
        active: 1,
        priority: 1,
        deterministic: false,
        provided: None,
        parameters: 0,
        locals: Vec::new(),
        graph: ControlGraph { locations, labels },
        span,
    }
}

//! Event traces: a machine beside the model that every send and receive on its channels must
//! follow (`trace`), or must not follow to its end (`notrace`).

use crate::engine::Engine;
use crate::fault::FaultKind;
use crate::shape::Slot;
use pverify_model::layout::{Allocator, Bits, Field};
use pverify_model::machine::{Action, Expression, LocationId, Model, Pattern, Place, ProcessKind};

/// The machine of a trace.
#[derive(Debug)]
pub(crate) struct Events {
    /// Where it stands; one more value for «over».
    field: Field,
    locations: Vec<EventLocation>,
    negated: bool,
    /// The channels whose sends it speaks of, and those whose receives.
    sends: Vec<u8>,
    receives: Vec<u8>,
}

#[derive(Debug, Default)]
struct EventLocation {
    edges: Vec<EventEdge>,
    /// The model may end while the trace is here.
    rest: bool,
    /// The end of the trace.
    over: bool,
}

#[derive(Debug)]
struct EventEdge {
    send: bool,
    channel: u8,
    /// What each field must be; `None` for anything.
    fields: Vec<Option<i32>>,
    target: usize,
}

impl Events {
    /// The trace of a model, with room for its place in the state.
    pub(crate) fn new(model: &Model, globals: &[Slot], field: Field) -> Option<Self> {
        let process = model.processes.iter().find(|process| is_trace(process.kind))?;
        let mut events = Self {
            field,
            locations: Vec::new(),
            negated: process.kind == ProcessKind::Notrace,
            sends: Vec::new(),
            receives: Vec::new(),
        };
        for location in &process.graph.locations {
            let mut found = EventLocation { rest: location.end, ..EventLocation::default() };
            for edge in &location.edges {
                found.over |= edge.action == Action::End;
                let (send, place, fields) = match &edge.action {
                    Action::Send { channel, message, .. } => {
                        (true, channel, message.iter().map(value).collect())
                    }
                    Action::Receive { channel, pattern, .. } => {
                        let fields = pattern.iter().map(|part| match part {
                            Pattern::Match(expression) => value(expression),
                            Pattern::Store(_) | Pattern::Ignore => None,
                        });
                        (false, channel, fields.collect())
                    }
                    _ => continue,
                };
                let Some(channel) = channel_number(globals, place) else { continue };
                let scope = if send { &mut events.sends } else { &mut events.receives };
                scope.push(channel);
                let target = edge.target.map_or(0, LocationId::index);
                found.edges.push(EventEdge { send, channel, fields, target });
            }
            events.locations.push(found);
        }
        Some(events)
    }

    /// Room for the place of the trace, in models that have one.
    pub(crate) fn room(model: &Model, allocator: &mut Allocator<'_>) -> Option<Field> {
        let process = model.processes.iter().find(|process| is_trace(process.kind))?;
        let places = process.graph.locations.len() as u32;
        Some(allocator.field(Bits::for_values_up_to(places)))
    }
}

fn is_trace(kind: ProcessKind) -> bool {
    matches!(kind, ProcessKind::Trace | ProcessKind::Notrace)
}

fn value(expression: &Expression) -> Option<i32> {
    match expression {
        Expression::Constant(value, _) => Some(*value),
        _ => None,
    }
}

fn channel_number(globals: &[Slot], place: &Place) -> Option<u8> {
    let index = match place.index.as_deref() {
        None => 0,
        Some(&Expression::Constant(index, _)) => index,
        Some(_) => return None,
    };
    match globals.get(place.variable.index())? {
        Slot::Channels { first, .. } => u8::try_from(i32::from(*first) + index).ok(),
        Slot::Stored(_) => None,
    }
}

impl Engine<'_> {
    /// Whether anybody wants to know of messages.
    #[inline]
    pub(crate) fn has_listeners(&self) -> bool {
        self.events.is_some() || self.listens()
    }

    /// A message was sent or taken: the trace moves along, or complains.
    pub(crate) fn event(&mut self, send: bool, channel: u8, message: &[i32], words: &mut [u64]) {
        self.note(send, channel, message);
        let Some(events) = &self.events else { return };
        let scope = if send { &events.sends } else { &events.receives };
        if !scope.contains(&channel) {
            return;
        }
        let over = events.locations.len();
        let at = events.field.get(words) as usize;
        let fits = |edge: &&EventEdge| {
            edge.send == send
                && edge.channel == channel
                && edge.fields.iter().enumerate().all(|(at, wanted)| {
                    wanted.is_none_or(|wanted| message.get(at) == Some(&wanted))
                })
        };
        let next = events.locations.get(at).and_then(|here| here.edges.iter().find(fits));
        let fault = match next {
            Some(edge) => {
                let done = events.locations[edge.target].over;
                let target = if events.negated && done { over } else { edge.target };
                events.field.set(words, target as i32);
                (events.negated && done).then_some(FaultKind::TraceMatched)
            }
            None if events.negated => {
                events.field.set(words, over as i32);
                None
            }
            None => Some(FaultKind::NoMatchingEvent),
        };
        self.run.faults.extend(fault);
    }

    /// Whether the model may end where the trace is.
    pub(crate) fn trace_may_rest(&self, words: &[u64]) -> bool {
        self.events.as_ref().is_none_or(|events| {
            let at = events.field.get(words) as usize;
            events.locations.get(at).is_none_or(|here| here.rest)
        })
    }
}

//! What steps do that leaves no trace in any channel: receives that only look (`c?<x>`), and sends
//! whose message is lost.

use super::queues::Queues;
use pverify_model::layout::{Element, Field};
use pverify_model::machine::{Action, Edge, Expression, Model, Owner, Pattern, Place};
use pverify_semantics::Engine;
use pverify_semantics::action::ChannelName;
use pverify_semantics::shape::Slot;
use pverify_semantics::successors::Step;

/// The edge that a step takes.
pub(super) fn edge<'m>(model: &'m Model, step: &Step) -> Option<&'m Edge> {
    let location =
        model.processes[step.kind as usize].graph.locations.get(step.location as usize)?;
    location.edges.get(step.edge as usize)
}

/// The send whose message is lost by this step: of two edges of a location with one statement, the
/// one that does nothing.
pub(super) fn lost<'m>(model: &'m Model, step: &Step) -> Option<&'m Action> {
    let location =
        model.processes[step.kind as usize].graph.locations.get(step.location as usize)?;
    let edge = location.edges.get(step.edge as usize)?;
    let other = location.edges.get((step.edge as usize).checked_sub(1)?)?;
    let same = edge.span == other.span && edge.target == other.target;
    let loses = matches!((&edge.action, &other.action), (Action::Skip, Action::Send { .. }));
    (same && loses).then_some(&other.action)
}

/// The channel that a step looks into and the place of the message there, as far as they can be known.
pub(super) fn peeked(
    engine: &Engine<'_>,
    queues: &mut Queues,
    step: &Step,
    state: &[u64],
) -> Option<(ChannelName, Looking)> {
    let Action::Receive { channel, random, keep: true, pattern } =
        &edge(engine.model, step)?.action
    else {
        return None;
    };
    let number = number(engine, channel, step.pid as usize, state)?;
    let name = *queues.names(engine, state).get(usize::from(number).checked_sub(1)?)?;
    if !random {
        return Some((name, Looking::Head));
    }
    let wanted = pattern.iter().map(|part| match part {
        Pattern::Store(_) | Pattern::Ignore => Some(None),
        Pattern::Match(Expression::Constant(value, _)) => Some(Some(*value)),
        Pattern::Match(_) => None,
    });
    Some((name, Looking::First(wanted.collect::<Option<_>>()?)))
}

/// Which message is looked at.
#[derive(Debug)]
pub(super) enum Looking {
    /// The oldest.
    Head,
    /// The first with these fields.
    First(Vec<Option<i32>>),
}

impl Looking {
    /// Its place among the messages of a channel.
    pub(super) fn place(&self, queues: &Queues, channel: usize) -> Option<usize> {
        match self {
            Self::Head => (queues.length(channel) > 0).then_some(0),
            Self::First(wanted) => (0..queues.length(channel)).find(|&place| {
                let fields = queues.fields(channel, place);
                let mut pairs = wanted.iter().zip(fields);
                pairs.all(|(wanted, field)| wanted.is_none_or(|wanted| wanted == *field))
            }),
        }
    }
}

/// The number of the channel that a plain variable or an element with a fixed index holds.
fn number(engine: &Engine<'_>, place: &Place, pid: usize, state: &[u64]) -> Option<u8> {
    let index = match place.index.as_deref() {
        None => 0,
        Some(&Expression::Constant(index, _)) => u32::try_from(index).ok()?,
        Some(Expression::Pid) => pid as u32,
        Some(_) => return None,
    };
    if !place.fields.is_empty() {
        return None;
    }
    let slot = match place.owner {
        Owner::Global => engine.global(place.variable),
        Owner::Local => engine.process(state, pid)?.locals.get(place.variable.index())?,
    };
    match slot {
        Slot::Channels { first, length } if index < *length => {
            u8::try_from(u32::from(*first) + index).ok()
        }
        Slot::Stored(storage) if index < storage.length => match &storage.element {
            Element::Scalar(bits) => {
                let field = Field::at(storage.base + index * storage.stride, *bits);
                u8::try_from(field.get(state)).ok()
            }
            Element::Constant(value) => u8::try_from(*value).ok(),
            Element::Structure(_) => None,
        },
        _ => None,
    }
}

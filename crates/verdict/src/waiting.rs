//! Who waits where in a state in which nothing can move, and what keeps each step from being taken.
//!
//! Only what can be read off the state is said: nothing of a channel that an expression chooses, and
//! in models with `provided` clauses or priorities, which keep processes back as well, nothing that
//! would have to be the reason.

use pverify_model::layout::{Element, Field};
use pverify_model::machine::{Action, Expression, Location, Owner, Place};
use pverify_semantics::Engine;
use pverify_semantics::shape::{Instance, Slot};

/// A process that waits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// Its number.
    pub pid: usize,
    /// Its type, by number.
    pub kind: u32,
    /// The location at which it stands, by number.
    pub location: usize,
    /// Whether it may stay there for ever.
    pub may_end: bool,
    /// What keeps it from each step that it has there, in their order; where that is plain.
    pub obstacles: Vec<Option<Obstacle>>,
}

/// What keeps a process from a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// The channel to send to holds as many messages as it can.
    Full {
        /// How many.
        capacity: u32,
    },
    /// The channel to receive from holds no message.
    Empty,
    /// The first message of the channel does not fit; for `??`, none does.
    Unfit {
        /// The first message, as a person writes it; `None` for `??`.
        first: Option<String>,
    },
    /// A rendezvous that nobody is ready to receive.
    NoReceiver,
    /// A rendezvous that nobody is ready to send.
    NoSender,
    /// It has come to its end, and a process that was started later has not.
    Younger,
}

/// The processes of a state, and what they wait for.
pub fn waiting(engine: &Engine<'_>, state: &[u64]) -> Vec<Waiting> {
    let count = engine.shape(engine.shape_of(state)).processes.len();
    let living = (0..count).filter_map(|pid| Some((pid, engine.process(state, pid)?)));
    let waits = living.map(|(pid, instance)| {
        let at = instance.location.get(state) as usize;
        let location = &engine.model.processes[instance.kind as usize].graph.locations[at];
        let obstacles = obstacles(engine, state, instance, location);
        Waiting { pid, kind: instance.kind, location: at, may_end: location.end, obstacles }
    });
    waits.collect()
}

fn obstacles(
    engine: &Engine<'_>,
    state: &[u64],
    instance: &Instance,
    location: &Location,
) -> Vec<Option<Obstacle>> {
    let channel = |place| {
        let number = channel(engine, state, instance, place)?;
        let frame = engine.shape(engine.shape_of(state)).channels.get(usize::from(number) - 1)?;
        let held = match frame.capacity {
            0 => 0,
            _ => frame.length.get(state) as u32,
        };
        Some((number, frame.capacity, held))
    };
    let uses = engine.model.uses;
    let is_reason = !uses.provided && !uses.priorities;
    let edges = location.edges.iter().map(|edge| match &edge.action {
        Action::Send { channel: place, .. } => match channel(place)? {
            (_, 0, _) => is_reason.then_some(Obstacle::NoReceiver),
            (_, capacity, held) if held == capacity => Some(Obstacle::Full { capacity }),
            _ => None,
        },
        Action::Receive { channel: place, random, .. } => match channel(place)? {
            (_, 0, _) => is_reason.then_some(Obstacle::NoSender),
            (_, _, 0) => Some(Obstacle::Empty),
            _ if !is_reason => None,
            _ if *random => Some(Obstacle::Unfit { first: None }),
            (number, ..) => {
                let first = engine.messages(number, state).into_iter().next()?;
                let first = engine.show_message(number, &first, state);
                Some(Obstacle::Unfit { first: Some(first) })
            }
        },
        Action::End => is_reason.then_some(Obstacle::Younger),
        _ => None,
    });
    edges.collect()
}

/// The number of the channel that a place of a process means, where its index is plain.
fn channel(engine: &Engine<'_>, state: &[u64], instance: &Instance, place: &Place) -> Option<u8> {
    let slot = match place.owner {
        Owner::Global => engine.global(place.variable),
        Owner::Local => instance.locals.get(place.variable.index())?,
    };
    let index = match place.index.as_deref() {
        None => 0,
        Some(Expression::Constant(index, _)) => u32::try_from(*index).ok()?,
        Some(Expression::Pid) => u32::from(instance.pid),
        Some(_) => return None,
    };
    if !place.fields.is_empty() {
        return None;
    }
    let number = match slot {
        Slot::Channels { first, length } if index < *length => u32::from(*first) + index,
        Slot::Stored(storage) if index < storage.length => {
            let value = match &storage.element {
                Element::Scalar(bits) => {
                    Field::at(storage.base + index * storage.stride, *bits).get(state)
                }
                Element::Constant(value) => *value,
                Element::Structure(_) => return None,
            };
            u32::try_from(value).ok()?
        }
        _ => return None,
    };
    u8::try_from(number).ok().filter(|number| *number > 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use pverify_model::load::load_text;

    /// What each process of the initial state is kept from by.
    fn check(model: &str, expected: &[&[Option<Obstacle>]]) {
        let loaded = load_text(model);
        let engine = Engine::new(&loaded.model);
        let found = waiting(&engine, engine.initial());
        let found: Vec<_> = found.iter().map(|one| one.obstacles.as_slice()).collect();
        assert_eq!(found, expected, "{model}");
    }

    #[test]
    fn channels_say_why_nothing_goes() {
        let empty = Some(Obstacle::Empty);
        let model = "chan c[2] = [1] of { byte }; chan r = [0] of { byte };\n\
                     active [2] proctype P() { if :: c[1]?_ :: c[_pid]?_ :: r!1 :: r?_ :: c[_pid + 1]?_ fi }";
        let (receiver, sender) = (Some(Obstacle::NoReceiver), Some(Obstacle::NoSender));
        let options = [empty.clone(), empty, receiver, sender, None];
        check(model, &[&options, &options]);
    }

    #[test]
    fn a_channel_variable_is_looked_at() {
        let model = "chan c = [1] of { byte }; chan d;\n\
                     active proctype P() { if :: d?_ :: c?_ fi; d = c }";
        check(model, &[&[None, Some(Obstacle::Empty)]]);
    }

    #[test]
    fn where_processes_are_kept_back_otherwise_no_reason_is_guessed() {
        let model = "bit go; chan r = [0] of { byte }; chan c = [1] of { byte };\n\
                     active proctype P() provided (go) { if :: r!1 :: c?_ fi }";
        check(model, &[&[None, Some(Obstacle::Empty)]]);
    }
}

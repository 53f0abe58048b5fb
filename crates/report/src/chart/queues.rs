//! What every channel of a run holds, message by message: which receive takes which message.
//!
//! The states say what a channel holds, not which of two equal messages came first. Sends go to the
//! end, or to their place by order (`!!`); a receive, of whatever kind, takes the first message with
//! what it has received: had there been an equal one before, it would have taken that. After every
//! row the contents are compared with the state's; where they differ, the state counts.

use super::{Chart, End, Event, Message, Queue};
use pverify_model::channels;
use pverify_model::machine::Model;
use pverify_semantics::Engine;
use pverify_semantics::action::ChannelName;
use std::collections::{HashMap, VecDeque};

/// So many messages of a channel are told.
const MOST_TOLD: usize = 24;
/// Contents of so many messages are compared with the state; of more, their number.
const MOST_COMPARED: usize = 64;

/// What every channel holds.
#[derive(Debug, Default)]
pub(super) struct Queues {
    /// The places of the channels in the chart.
    known: HashMap<ChannelName, usize>,
    /// For each channel of the chart: the messages in it, with their fields.
    contents: Vec<VecDeque<(usize, Vec<i32>)>>,
    /// For each shape the names of its channels.
    names: HashMap<u32, Vec<ChannelName>>,
}

impl Queues {
    /// The names of the channels that live in a state, by their numbers.
    pub(super) fn names(&mut self, engine: &Engine<'_>, state: &[u64]) -> &[ChannelName] {
        let shape = engine.shape_of(state).0;
        self.names.entry(shape).or_insert_with(|| {
            let numbers = 1..=engine.channel_count(state).min(255) as u8;
            let name = |number| {
                let (pid, at) = engine.owner_of(number, state);
                let kind = |pid| engine.process(state, pid).map_or(0, |process| process.kind);
                ChannelName { owner: pid.map(|pid| (pid as u8, kind(pid))), at: at as u32 }
            };
            numbers.map(name).collect()
        })
    }

    fn number(&mut self, engine: &Engine<'_>, name: ChannelName, state: &[u64]) -> Option<u8> {
        let at = self.names(engine, state).iter().position(|one| *one == name)?;
        u8::try_from(at + 1).ok()
    }

    /// The place of a channel in the chart.
    pub(super) fn channel(&mut self, model: &Model, name: ChannelName, chart: &mut Chart) -> usize {
        *self.known.entry(name).or_insert_with(|| {
            chart.channels.push(called(model, name));
            self.contents.push(VecDeque::new());
            chart.channels.len() - 1
        })
    }

    /// What lies in channels before the first row.
    pub(super) fn begin(&mut self, engine: &Engine<'_>, state: &[u64], chart: &mut Chart) {
        for (at, name) in self.names(engine, state).to_vec().into_iter().enumerate() {
            let number = (at + 1) as u8;
            if engine.length(number, state) > 0 {
                let channel = self.channel(engine.model, name, chart);
                self.settle(engine, number, channel, state, chart);
            }
        }
    }

    /// A message goes into a channel.
    pub(super) fn send(
        &mut self,
        message: usize,
        channel: usize,
        fields: &[i32],
        sorted: bool,
    ) -> usize {
        let queue = &mut self.contents[channel];
        let goes_before = |there: &(usize, Vec<i32>)| fields < there.1.as_slice();
        let at = if sorted { queue.iter().position(goes_before) } else { None };
        let at = at.unwrap_or(queue.len());
        queue.insert(at, (message, fields.to_vec()));
        at
    }

    /// A message is taken: which, and from where.
    pub(super) fn take(&mut self, channel: usize, fields: &[i32]) -> Option<(usize, usize)> {
        let queue = &mut self.contents[channel];
        let at = queue.iter().position(|(_, there)| there == fields)?;
        queue.remove(at).map(|(message, _)| (message, at))
    }

    /// The message at a place of a channel.
    pub(super) fn at(&self, channel: usize, place: usize) -> Option<usize> {
        self.contents[channel].get(place).map(|(message, _)| *message)
    }

    /// The places in which the messages of a channel lie.
    pub(super) fn length(&self, channel: usize) -> usize {
        self.contents[channel].len()
    }

    /// The fields of the message at a place of a channel.
    pub(super) fn fields(&self, channel: usize, place: usize) -> &[i32] {
        self.contents[channel].get(place).map_or(&[], |(_, fields)| fields)
    }

    /// The channels of a process that is gone are empty.
    pub(super) fn forget(&mut self, pid: usize) {
        for (name, &channel) in &self.known {
            if name.owner.is_some_and(|(owner, _)| usize::from(owner) == pid) {
                self.contents[channel].clear();
            }
        }
    }

    /// A channel after a row, as the state has it.
    pub(super) fn after(
        &mut self,
        engine: &Engine<'_>,
        name: ChannelName,
        state: &[u64],
        chart: &mut Chart,
    ) -> Queue {
        let channel = self.channel(engine.model, name, chart);
        if let Some(number) = self.number(engine, name, state) {
            self.settle(engine, number, channel, state, chart);
        }
        let queue = &self.contents[channel];
        let first = queue.iter().take(MOST_TOLD).map(|(message, _)| *message).collect();
        Queue { channel, first, length: queue.len() }
    }

    /// Makes the contents those of the state, if they are not.
    fn settle(
        &mut self,
        engine: &Engine<'_>,
        number: u8,
        channel: usize,
        state: &[u64],
        chart: &mut Chart,
    ) {
        let queue = &mut self.contents[channel];
        let length = engine.length(number, state) as usize;
        if length == queue.len() && length > MOST_COMPARED {
            return;
        }
        let actual = engine.messages(number, state);
        if queue.iter().map(|(_, fields)| fields).eq(actual.iter()) {
            return;
        }
        let mut before = std::mem::take(queue);
        for fields in actual {
            let known = before.iter().position(|(_, there)| *there == fields);
            let known = known.and_then(|at| before.remove(at)).unwrap_or_else(|| {
                let text = fields_told(engine, number, &fields, state);
                let (sent, taken, rendezvous) = (None, None, false);
                chart.messages.push(Message { channel, text, sent, taken, rendezvous });
                (chart.messages.len() - 1, fields)
            });
            queue.push_back(known);
        }
    }

    /// What happens to a message, as an event of a row.
    pub(super) fn receive(
        &mut self,
        channel: usize,
        (fields, text): (&[i32], String),
        end: End,
        chart: &mut Chart,
    ) -> Event {
        let (message, at) = self.take(channel, fields).unwrap_or_else(|| {
            let (sent, taken, rendezvous) = (None, None, false);
            chart.messages.push(Message { channel, text, sent, taken, rendezvous });
            (chart.messages.len() - 1, 0)
        });
        chart.messages[message].taken = Some(end);
        Event::Receive { message, at }
    }
}

/// The fields of a message with commas between them.
pub(super) fn fields_told(
    engine: &Engine<'_>,
    number: u8,
    fields: &[i32],
    state: &[u64],
) -> String {
    let text = engine.show_message(number, fields, state);
    let inner = text.strip_prefix('(').and_then(|text| text.strip_suffix(')'));
    inner.map_or_else(|| text.clone(), str::to_owned)
}

fn called(model: &Model, name: ChannelName) -> String {
    let at = name.at as usize;
    let of = |variables| channels::names(model, variables).into_iter().nth(at);
    match name.owner {
        None => of(&model.globals).unwrap_or_else(|| format!("channel {}", at + 1)),
        Some((pid, kind)) => {
            let process = &model.processes[kind as usize];
            let own = of(&process.locals).unwrap_or_else(|| format!("channel {}", at + 1));
            format!("{}({pid}):{own}", process.name)
        }
    }
}

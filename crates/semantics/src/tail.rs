//! Channels without capacity: their messages lie behind everything else, in a tail that grows.
//!
//! The fixed part of a state has the length of such a channel; its messages stand in the tail, a
//! whole number of words for each channel, in the order of the channels. Nothing but lengths and
//! messages decides where they stand and unused bits are zero, so equal situations are equal words.
//!
//! How many bits a state has must follow from the number of its shape. So the words of the tail are
//! part of the shape: a shape with one word more is a child of the one without it, like a shape with
//! one process more, and has a number of its own. Models whose channels all have capacities never
//! have a tail, and pay for it with one comparison a send.

use crate::engine::Engine;
use crate::fault::FaultKind;
use crate::run::Outcome;
use crate::shape::{EdgeKind, Shape, ShapeId};
use crate::successors::Step;
use pverify_model::layout::Field;
use pverify_model::machine::{ChannelShape, Initial, Model};

/// Longer tails are not followed.
const LONGEST: usize = 0x4000;

/// A message that was sent, and where to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sent {
    /// The channel's number.
    pub channel: u8,
    /// The message.
    pub message: Vec<i32>,
    /// How many the channel held then, this one among them.
    pub length: u32,
}

/// Where in the states of a shape channels without capacity have a part.
#[derive(Clone, Debug)]
pub struct Outline {
    /// For each word in front of the tail the bits that they have no part in, but for the number of
    /// the shape.
    pub control: Vec<u64>,
    /// The number of the shape without a tail.
    pub shape: u32,
    /// For each channel by its number, from 1, where its length is; none for rendezvous.
    pub lengths: Vec<Option<Field>>,
}

/// Whether a model has channels without capacity.
pub fn has_tail(model: &Model) -> bool {
    let locals = model.processes.iter().flat_map(|process| &process.locals);
    let fields = model.structs.iter().flat_map(|structure| &structure.fields);
    model.globals.iter().chain(locals).chain(fields).any(|variable| {
        matches!(&variable.initial, Initial::Channel(shape) if shape.capacity == ChannelShape::UNBOUNDED)
    })
}

impl Engine<'_> {
    /// The number of the channels that live in a state.
    pub fn channel_count(&self, words: &[u64]) -> usize {
        self.shape(self.shape_of(words)).channels.len()
    }

    /// How many messages a channel holds, by its number; 0 for rendezvous.
    #[inline]
    pub fn length(&self, number: u8, words: &[u64]) -> u32 {
        let channels = &self.shapes[self.shape_of(words).0 as usize].channels;
        match channels.get(usize::from(number).wrapping_sub(1)) {
            Some(frame) if frame.capacity > 0 => frame.length.get(words) as u32,
            _ => 0,
        }
    }

    /// Whether a living channel has no capacity.
    pub fn is_unbounded(&self, number: u8, words: &[u64]) -> bool {
        let channels = &self.shapes[self.shape_of(words).0 as usize].channels;
        channels
            .get(usize::from(number).wrapping_sub(1))
            .is_some_and(|frame| frame.capacity == ChannelShape::UNBOUNDED)
    }

    /// What of a state channels without capacity have no part in: who lives, where everybody
    /// stands, all variables and the other channels. Appended to `key`.
    #[inline]
    pub fn control_key(&self, words: &[u64], key: &mut Vec<u64>) {
        let mut id = self.shape_of(words);
        let shape = &self.shapes[id.0 as usize];
        let start = key.len();
        key.extend_from_slice(&words[..shape.words - shape.tail]);
        for frame in &shape.channels {
            if frame.capacity == ChannelShape::UNBOUNDED {
                frame.length.set(&mut key[start..], 0);
            }
        }
        while self.shapes[id.0 as usize].tail > 0 {
            id = self.parent(id);
        }
        self.shape_field.set(&mut key[start..], id.0 as i32);
    }

    /// The same for all states of a shape, and how long channels are in them.
    pub fn outline(&self, words: &[u64]) -> Outline {
        let mut id = self.shape_of(words);
        let shape = &self.shapes[id.0 as usize];
        let mut control = vec![u64::MAX; shape.words - shape.tail];
        for frame in &shape.channels {
            if frame.capacity == ChannelShape::UNBOUNDED {
                frame.length.set(&mut control, 0);
            }
        }
        self.shape_field.set(&mut control, 0);
        let frames = shape.channels.iter();
        let lengths = frames.map(|frame| (frame.capacity > 0).then_some(frame.length)).collect();
        while self.shapes[id.0 as usize].tail > 0 {
            id = self.parent(id);
        }
        Outline { control, shape: id.0, lengths }
    }

    /// What steps send to channels without capacity, one after the other from a state on, and the
    /// state they lead to; `None` if they cannot be done.
    pub fn sent_along(&mut self, words: &[u64], steps: &[Step]) -> Option<(Vec<Sent>, Vec<u64>)> {
        let before = self.sent.replace(Vec::new());
        let mut after = words.to_vec();
        self.run.offer = 0;
        let done = steps.iter().all(|step| self.redo(step, &mut after));
        self.run.offer = 0;
        self.run.faults.clear();
        self.run.fatal = false;
        let sent = std::mem::replace(&mut self.sent, before).unwrap_or_default();
        done.then_some((sent, after))
    }

    /// Does a step again, or a half of a rendezvous; whether it is possible.
    fn redo(&mut self, step: &Step, words: &mut Vec<u64>) -> bool {
        let shape = self.shape_of(words);
        let seats = &self.shapes[shape.0 as usize].seats;
        let Some(&seat) = seats.get(usize::from(step.pid)) else { return false };
        let youngest = usize::from(step.pid) + 1 == seats.len();
        let range = self.ranges[(seat.ranges + step.location) as usize];
        let edges = &self.edges[range.first as usize..range.last as usize];
        let Some(&edge) = edges.iter().find(|edge| edge.position == step.edge) else {
            return false;
        };
        if edge.kind == EdgeKind::End && !youngest {
            return false;
        }
        let (offer, copy) = (self.run.offer, words.clone());
        let mut outcome = Outcome::Blocked;
        // A step that only a `timeout` makes possible.
        for timeout in [false, true] {
            self.begin(shape);
            self.run.other_possible = false;
            self.run.timeout = timeout;
            outcome = self.execute(edge.code, words);
            if outcome != Outcome::Blocked {
                break;
            }
            words.clone_from(&copy);
            self.run.offer = offer;
        }
        self.run.timeout = false;
        let possible = match outcome {
            Outcome::Blocked => false,
            Outcome::Offered => step.offers,
            Outcome::Done => !step.offers,
        };
        if !possible {
            return false;
        }
        if edge.kind == EdgeKind::End {
            if self.remove_youngest(words).is_err() {
                return false;
            }
        } else {
            seat.location.set(words, edge.target as i32);
        }
        if let Some(last) = self.last.filter(|_| !step.offers) {
            last.set(words, i32::from(step.pid));
        }
        true
    }

    /// The messages of a channel without capacity as numbers that are equal for equal messages;
    /// those of more than 64 bits are all alike. Appended to `found`.
    #[inline]
    pub fn raw_messages(&self, number: u8, words: &[u64], found: &mut Vec<u64>) {
        let id = self.shape_of(words);
        let frame = &self.shapes[id.0 as usize].channels[usize::from(number) - 1];
        let base = self.tail_base(id.0, number, words) as usize / 64;
        let (length, stride) = (frame.length.get(words) as usize, frame.stride as usize);
        let mask = if stride < 64 { (1 << stride) - 1 } else { u64::MAX };
        found.extend((0..length).map(|slot| {
            let at = slot * stride;
            if stride > 64 { 0 } else { words[base + at / 64] >> (at % 64) & mask }
        }));
    }

    /// A message as one of these numbers.
    pub fn raw_message(&self, number: u8, message: &[i32], words: &[u64]) -> u64 {
        let frame = &self.shape(self.shape_of(words)).channels[usize::from(number) - 1];
        if frame.stride > 64 {
            return 0;
        }
        let mut raw = [0];
        for (&(offset, bits, _), &value) in frame.fields.iter().zip(message) {
            Field::at(offset, bits).set(&mut raw, value);
        }
        raw[0]
    }

    /// Whose a living channel is: `None` for a global one, else the process; and which of their
    /// channels it is, from 0.
    pub fn owner_of(&self, number: u8, words: &[u64]) -> (Option<usize>, usize) {
        let mut before = self.shapes[0].channels.len();
        let at = usize::from(number) - 1;
        if at < before {
            return (None, at);
        }
        let processes = &self.shape(self.shape_of(words)).processes;
        for (pid, id) in processes.iter().enumerate() {
            let count = self.instances[id.0 as usize].channels.len();
            if at < before + count {
                return (Some(pid), at - before);
            }
            before += count;
        }
        (None, at)
    }

    /// Remembers what was sent.
    #[cold]
    pub(crate) fn note_sent(&mut self, number: u8, slot: u32, words: &[u64]) {
        let frame = &self.shapes[self.run.shape as usize].channels[usize::from(number) - 1];
        if frame.capacity == ChannelShape::UNBOUNDED {
            let message = self.message_at(number, slot, words);
            let length = frame.length.get(words) as u32;
            if let Some(sent) = &mut self.sent {
                sent.push(Sent { channel: number, message, length });
            }
        }
    }

    /// Bit address of the first message of a channel without capacity.
    pub(crate) fn tail_base(&self, shape: u32, number: u8, words: &[u64]) -> u32 {
        let shape = &self.shapes[shape as usize];
        let before = shape.channels[..usize::from(number) - 1].iter();
        let before: usize = before
            .filter(|frame| frame.capacity == ChannelShape::UNBOUNDED)
            .map(|frame| words_of(frame.length.get(words) as u32, frame.stride))
            .sum();
        (shape.words - shape.tail + before) as u32 * 64
    }

    /// Makes room for one more message at the end of a channel; gives the address of its first.
    pub(crate) fn make_room(&mut self, number: u8, words: &mut Vec<u64>) -> Result<u32, FaultKind> {
        let base = self.tail_base(self.run.shape, number, words);
        let frame = &self.shapes[self.run.shape as usize].channels[usize::from(number) - 1];
        let length = frame.length.get(words) as u32;
        if length >= ChannelShape::MOST {
            return Err(FaultKind::Limit("messages in a channel"));
        }
        let (now, then) = (words_of(length, frame.stride), words_of(length + 1, frame.stride));
        for _ in now..then {
            let longer = self.child(ShapeId(self.run.shape), self.longer())?;
            let at = base as usize / 64 + now;
            words.insert(at, 0);
            self.shape_field.set(words, longer.0 as i32);
            self.run.shape = longer.0;
        }
        Ok(base)
    }

    /// A message was taken from a channel: words that are not needed go.
    pub(crate) fn give_back_room(&mut self, number: u8, words: &mut Vec<u64>) {
        let frame = &self.shapes[self.run.shape as usize].channels[usize::from(number) - 1];
        let (length, stride) = (frame.length.get(words) as u32, frame.stride);
        let (now, then) = (words_of(length + 1, stride), words_of(length, stride));
        let base = self.tail_base(self.run.shape, number, words) as usize / 64;
        for _ in then..now {
            words.remove(base + then);
            let shorter = self.parent(ShapeId(self.run.shape));
            self.shape_field.set(words, shorter.0 as i32);
            self.run.shape = shorter.0;
        }
    }

    /// Takes the tail off the state that code is executed in.
    pub(crate) fn detach(&mut self, words: &mut Vec<u64>) -> Vec<u64> {
        let mut id = ShapeId(self.run.shape);
        let shape = &self.shapes[id.0 as usize];
        if shape.tail == 0 {
            return Vec::new();
        }
        let tail = words.split_off(shape.words - shape.tail);
        while self.shapes[id.0 as usize].tail > 0 {
            id = self.parent(id);
        }
        self.shape_field.set(words, id.0 as i32);
        self.run.shape = id.0;
        tail
    }

    /// Puts a tail behind the state that code is executed in.
    pub(crate) fn attach(&mut self, tail: &[u64], words: &mut Vec<u64>) -> Result<(), FaultKind> {
        let mut id = ShapeId(self.run.shape);
        for _ in tail {
            id = self.child(id, self.longer())?;
        }
        words.extend_from_slice(tail);
        self.shape_field.set(words, id.0 as i32);
        self.run.shape = id.0;
        Ok(())
    }

    /// The youngest process goes, and what is in the channels it brought along.
    pub(crate) fn remove_youngest_with_tail(
        &mut self,
        words: &mut Vec<u64>,
    ) -> Result<(), FaultKind> {
        let before = self.run.shape;
        self.run.shape = self.shape_of(words).0;
        let youngest = self.shapes[self.run.shape as usize].processes.last();
        let gone = youngest.map_or(0, |id| self.instances[id.0 as usize].channels.len());
        let channels = &self.shapes[self.run.shape as usize].channels;
        let kept = channels[..channels.len() - gone].iter();
        let kept: usize = kept
            .filter(|frame| frame.capacity == ChannelShape::UNBOUNDED)
            .map(|frame| words_of(frame.length.get(words) as u32, frame.stride))
            .sum();
        let mut tail = self.detach(words);
        tail.truncate(kept);
        self.remove_youngest_alone(words);
        self.run.shape = self.shape_of(words).0;
        let attached = self.attach(&tail, words);
        self.run.shape = before;
        attached
    }

    /// A shape with one more process, or with a longer tail.
    pub(crate) fn grown(&mut self, shape: ShapeId, kind: u32) -> Result<Shape, FaultKind> {
        if kind != self.longer() {
            return self.extended(shape, kind);
        }
        let parent = &self.shapes[shape.0 as usize];
        if parent.tail >= LONGEST || parent.words + 1 > usize::from(u16::MAX) {
            return Err(FaultKind::Limit("messages in all channels"));
        }
        Ok(Shape {
            processes: parent.processes.clone(),
            seats: parent.seats.clone(),
            channels: parent.channels.clone(),
            words: parent.words + 1,
            tail: parent.tail + 1,
            end: (parent.words as u32 + 1) * 64,
            parent: Some(shape),
            children: vec![None; parent.children.len()],
        })
    }

    /// Stands for a longer tail where types of processes do.
    fn longer(&self) -> u32 {
        self.model.processes.len() as u32
    }
}

/// How many words so many messages take.
#[inline]
fn words_of(length: u32, stride: u32) -> usize {
    (length as usize * stride as usize).div_ceil(64)
}

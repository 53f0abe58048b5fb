//! Sending, receiving and asking channels.

use super::Outcome;
use crate::code::{ChannelOperand, Register};
use crate::engine::Engine;
use crate::fault::FaultKind;
use crate::shape::ChannelFrame;
use pverify_model::layout::Field;
use pverify_model::machine::ChannelShape;
use pverify_syntax::ast::Probe;

impl Engine<'_> {
    fn number(&self, channel: ChannelOperand) -> Result<u8, FaultKind> {
        let number = match channel {
            ChannelOperand::Fixed(number) => i32::from(number),
            ChannelOperand::Register(register) => self.get(register),
        };
        let count = self.shapes[self.run.shape as usize].channels.len();
        if number < 1 || number as usize > count {
            return Err(FaultKind::NoChannel);
        }
        Ok(number as u8)
    }

    fn frame(&self, number: u8) -> &ChannelFrame {
        &self.shapes[self.run.shape as usize].channels[number as usize - 1]
    }

    pub(super) fn send(
        &mut self,
        channel: ChannelOperand,
        first: Register,
        count: u8,
        sorted: bool,
        words: &mut Vec<u64>,
    ) -> Result<Outcome, FaultKind> {
        let number = self.number(channel)?;
        let frame = &self.shapes[self.run.shape as usize].channels[number as usize - 1];
        let wanted = frame.fields.len();
        let length = if frame.capacity == 0 { 0 } else { frame.length.get(words) as u32 };
        if frame.capacity > 0 && length == frame.capacity {
            return Ok(if self.run.roomy { Outcome::Done } else { Outcome::Blocked });
        }
        let base = match frame.capacity {
            ChannelShape::UNBOUNDED => self.make_room(number, words)?,
            _ => frame.base,
        };
        let frame = &self.shapes[self.run.shape as usize].channels[number as usize - 1];
        let first = first as usize;
        let values = &self.registers[first..first + count as usize];
        let value = |field: usize| values.get(field).copied().unwrap_or(0);
        let shape_fault = (usize::from(count) != wanted)
            .then(|| FaultKind::MessageShape { given: u32::from(count), wanted: wanted as u32 });
        if frame.capacity == 0 {
            self.run.message.clear();
            let truncated =
                frame.fields.iter().enumerate().map(|(at, (_, _, kind))| kind.truncate(value(at)));
            self.run.message.extend(truncated);
            self.run.offer = number;
            self.run.faults.extend(shape_fault);
            if self.has_listeners() {
                let message = self.run.message.clone();
                self.event(true, number, &message, words);
            }
            return Ok(Outcome::Offered);
        }
        let mut slot = length;
        if sorted {
            // Before the first message that is greater; the new one is compared before it is cut.
            let goes_before = |slot: &u32| {
                for (at, &(offset, bits, _)) in frame.fields.iter().enumerate() {
                    let there = Field::at(base + slot * frame.stride + offset, bits).get(words);
                    if value(at) != there {
                        return value(at) < there;
                    }
                }
                false
            };
            slot = (0..length).find(goes_before).unwrap_or(length);
            for at in (slot..length).rev() {
                copy_slot(frame, base, at, at + 1, words);
            }
        }
        for (at, &(offset, bits, _)) in frame.fields.iter().enumerate() {
            if bits.is_narrowed() && !bits.hold(value(at)) {
                return Err(FaultKind::Misfit(value(at)));
            }
            Field::at(base + slot * frame.stride + offset, bits).set(words, value(at));
        }
        frame.length.set(words, length as i32 + 1);
        self.run.faults.extend(shape_fault);
        if self.sent.is_some() {
            self.note_sent(number, slot, words);
        }
        if self.has_listeners() {
            let message = self.message_at(number, slot, words);
            self.event(true, number, &message, words);
        }
        Ok(Outcome::Done)
    }

    pub(super) fn select(
        &mut self,
        channel: ChannelOperand,
        random: bool,
        matches: (u32, u8),
        count: u8,
        words: &[u64],
    ) -> Result<bool, FaultKind> {
        let number = self.number(channel)?;
        let frame = self.frame(number);
        let found = if frame.capacity == 0 {
            if self.run.offer != number || !self.offer_fits(matches) {
                return Ok(false);
            }
            0
        } else {
            if self.run.offer != 0 {
                return Ok(false);
            }
            match self.find(number, random, matches, words) {
                Some(slot) => slot,
                None => return Ok(false),
            }
        };
        let wanted = frame.fields.len() as u32;
        if u32::from(count) > wanted {
            return Err(FaultKind::MessageShape { given: u32::from(count), wanted });
        }
        if u32::from(count) < wanted {
            self.run.faults.push(FaultKind::MessageShape { given: u32::from(count), wanted });
        }
        self.run.found = (number, found);
        Ok(true)
    }

    fn offer_fits(&self, (first, count): (u32, u8)) -> bool {
        let matches = &self.matches[first as usize..first as usize + count as usize];
        matches.iter().all(|m| self.run.message.get(m.field as usize) == Some(&self.get(m.value)))
    }

    fn find(
        &self,
        number: u8,
        random: bool,
        (first, count): (u32, u8),
        words: &[u64],
    ) -> Option<u32> {
        let frame = self.frame(number);
        let base = self.base(number, words);
        let length = frame.length.get(words) as u32;
        let slots = if random { length } else { length.min(1) };
        let matches = &self.matches[first as usize..first as usize + count as usize];
        (0..slots).find(|slot| {
            matches.iter().all(|m| {
                frame.fields.get(m.field as usize).is_none_or(|&(offset, bits, _)| {
                    let at = base + slot * frame.stride + offset;
                    Field::at(at, bits).get(words) == self.get(m.value)
                })
            })
        })
    }

    pub(super) fn message_field(&self, field: u8, words: &[u64]) -> i32 {
        let (number, slot) = self.run.found;
        let frame = self.frame(number);
        if frame.capacity == 0 {
            return self.run.message.get(field as usize).copied().unwrap_or(0);
        }
        match frame.fields.get(field as usize) {
            Some(&(offset, bits, _)) => {
                let base = self.base(number, words);
                Field::at(base + slot * frame.stride + offset, bits).get(words)
            }
            None => 0,
        }
    }

    /// Bit address of the first message of a channel.
    #[inline]
    fn base(&self, number: u8, words: &[u64]) -> u32 {
        let frame = self.frame(number);
        match frame.capacity {
            ChannelShape::UNBOUNDED => self.tail_base(self.run.shape, number, words),
            _ => frame.base,
        }
    }

    /// All fields of a message.
    pub(crate) fn message_at(&self, number: u8, slot: u32, words: &[u64]) -> Vec<i32> {
        let frame = self.frame(number);
        if frame.capacity == 0 {
            return self.run.message.clone();
        }
        let base = self.base(number, words);
        let at = |offset| base + slot * frame.stride + offset;
        let fields = frame.fields.iter();
        fields.map(|&(offset, bits, _)| Field::at(at(offset), bits).get(words)).collect()
    }

    pub(super) fn take(&mut self, words: &mut Vec<u64>) {
        let (number, slot) = self.run.found;
        if self.has_listeners() {
            let message = self.message_at(number, slot, words);
            self.event(false, number, &message, words);
        }
        let frame = self.frame(number);
        if frame.capacity == 0 {
            self.run.offer = 0;
            return;
        }
        let length = frame.length.get(words) as u32;
        let base = self.base(number, words);
        for at in slot + 1..length {
            copy_slot(frame, base, at, at - 1, words);
        }
        // What lies behind the last message must not tell states apart.
        for &(offset, bits, _) in &frame.fields {
            Field::at(base + (length - 1) * frame.stride + offset, bits).set(words, 0);
        }
        frame.length.set(words, length as i32 - 1);
        if frame.capacity == ChannelShape::UNBOUNDED {
            self.give_back_room(number, words);
        }
    }

    pub(super) fn poll(
        &mut self,
        channel: ChannelOperand,
        random: bool,
        matches: (u32, u8),
        words: &[u64],
    ) -> Result<bool, FaultKind> {
        let number = self.number(channel)?;
        let frame = self.frame(number);
        if frame.capacity == 0 {
            self.run.faults.push(FaultKind::PolledRendezvous);
            return Ok(false);
        }
        Ok(self.find(number, random, matches, words).is_some())
    }

    pub(super) fn probe(
        &mut self,
        probe: Probe,
        channel: ChannelOperand,
        words: &[u64],
    ) -> Result<i32, FaultKind> {
        let frame = self.frame(self.number(channel)?);
        let length = if frame.capacity == 0 { 0 } else { frame.length.get(words) as u32 };
        // A rendezvous channel is neither full nor anything but empty between steps.
        let full = frame.capacity > 0 && length == frame.capacity && !self.run.roomy;
        Ok(match probe {
            Probe::Len => length as i32,
            Probe::Empty => i32::from(length == 0),
            Probe::Nempty => i32::from(length != 0),
            Probe::Full => i32::from(full),
            Probe::Nfull => i32::from(!full),
        })
    }
}

fn copy_slot(frame: &ChannelFrame, base: u32, from: u32, to: u32, words: &mut [u64]) {
    for &(offset, bits, _) in &frame.fields {
        let value = Field::at(base + from * frame.stride + offset, bits).get(words);
        Field::at(base + to * frame.stride + offset, bits).set(words, value);
    }
}

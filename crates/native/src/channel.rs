//! Sending and receiving by machine code, on channels that are known beforehand.

use crate::machine::offset;
use crate::translate::{Purpose, Translator, Unsupported};
use crate::value::{holds, raw};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{AbiParam, InstBuilder, MemFlags, Value, types};
use pverify_model::layout::Field;
use pverify_model::types::Type;
use pverify_semantics::code::{ChannelOperand, Match, Register};
use pverify_semantics::shape::ChannelFrame;
use pverify_syntax::ast::Probe;

/// Messages of a channel are moved by unrolled code up to so many words.
const MOST_MOVED: u32 = 32;

impl<'a> Translator<'a, '_> {
    /// A channel that is the same in every shape that has the process: a global one, or its own.
    pub(crate) fn frame(
        &self,
        channel: ChannelOperand,
    ) -> Result<(u8, &'a ChannelFrame), Unsupported> {
        let ChannelOperand::Fixed(number) = channel else { return Err(Unsupported) };
        let at = usize::from(number).checked_sub(1).ok_or(Unsupported)?;
        if !self.channels.iter().any(|known| known.contains(&at)) {
            return Err(Unsupported);
        }
        Ok((number, self.frames.get(at).ok_or(Unsupported)?))
    }

    /// Puts a message behind the others.
    pub(crate) fn send(
        &mut self,
        frame: &ChannelFrame,
        first: Register,
        blocked: cranelift_codegen::ir::Block,
    ) -> Result<(), Unsupported> {
        let words = self.words();
        let length = words.get(self.b(), frame.length);
        let full = self.b().ins().icmp_imm(IntCC::Equal, length, i64::from(frame.capacity));
        self.go_if(full, blocked);
        for (at, &(_, bits, _)) in frame.fields.iter().enumerate() {
            if bits.is_narrowed() {
                let value = self.register(first + at as u8);
                let fits = holds(self.b(), value, bits);
                let bail = self.bail();
                self.go_unless(fits, bail);
            }
        }
        let distance = self.b().ins().imul_imm(length, i64::from(frame.stride));
        if frame.stride <= 64 {
            // What lies behind the last message is zero.
            let mut message = self.b().ins().iconst(types::I64, 0);
            for (at, &(place, bits, _)) in frame.fields.iter().enumerate() {
                let value = self.register(first + at as u8);
                if bits.count() > 0 {
                    let value = raw(self.b(), value, bits);
                    let value = self.b().ins().ishl_imm(value, i64::from(place));
                    message = self.b().ins().bor(message, value);
                }
            }
            let address = self.b().ins().iadd_imm(distance, i64::from(frame.base));
            let (pointer, shift) = words.at(self.b(), address);
            let message = self.b().ins().ishl(message, shift);
            let old = self.b().ins().load(types::I64, MemFlags::trusted(), pointer, 0);
            let new = self.b().ins().bor(old, message);
            self.b().ins().store(MemFlags::trusted(), new, pointer, 0);
        } else {
            for (at, &(place, bits, _)) in frame.fields.iter().enumerate() {
                let value = self.register(first + at as u8);
                let field = i64::from(frame.base + place);
                let address = self.b().ins().iadd_imm(distance, field);
                words.set_at(self.b(), address, bits, value);
            }
        }
        let longer = self.b().ins().iadd_imm(length, 1);
        words.set(self.b(), frame.length, longer);
        Ok(())
    }

    /// Offers a message on a rendezvous channel, and lets others take it. The edge ends here.
    pub(crate) fn offer(
        &mut self,
        number: u8,
        frame: &ChannelFrame,
        first: Register,
        next: cranelift_codegen::ir::Block,
    ) {
        for (at, &(_, _, kind)) in frame.fields.iter().enumerate() {
            let value = self.register(first + at as u8);
            let value = truncate(self, kind, value);
            let place = offset::MESSAGE + at as i32 * 4;
            let context = self.context;
            self.b().ins().store(MemFlags::trusted(), value, context, place);
        }
        self.arrive();
        let context = self.context;
        for (place, value) in [
            (offset::OFFER, u64::from(number)),
            (offset::SENDER, self.source.pid as u64),
            (offset::EDGE, self.first_word()),
        ] {
            let value = self.b().ins().iconst(types::I64, value as i64);
            self.b().ins().store(MemFlags::trusted(), value, context, place);
        }
        let mut signature = self.module_signature();
        signature.params = vec![AbiParam::new(types::I64); 2];
        let signature = self.b().import_signature(signature);
        let flags = MemFlags::trusted();
        let function = self.b().ins().load(types::I64, flags, context, offset::HANDSHAKE);
        let out = self.out();
        let call = self.b().ins().call_indirect(signature, function, &[out, context]);
        let behind = self.b().inst_results(call)[0];
        let failed = self.b().ins().icmp_imm(IntCC::Equal, behind, 0);
        let bail = self.bail();
        self.go_if(failed, bail);
        let taken = self.b().ins().icmp(IntCC::NotEqual, behind, out);
        self.other_if(taken);
        self.set_out(behind);
        self.b().ins().jump(next, &[]);
    }

    /// Asks whether the message to receive is there.
    pub(crate) fn select(
        &mut self,
        number: u8,
        frame: &'a ChannelFrame,
        matches: &[Match],
        blocked: cranelift_codegen::ir::Block,
    ) {
        let taking = self.source.purpose == Purpose::Take;
        if (frame.capacity == 0) != taking {
            // An offer is taken from rendezvous channels only, and otherwise there is none.
            self.b().ins().jump(blocked, &[]);
            self.unreachable();
            return;
        }
        if taking {
            let context = self.context;
            let offer =
                self.b().ins().load(types::I64, MemFlags::trusted(), context, offset::OFFER);
            let same = self.b().ins().icmp_imm(IntCC::Equal, offer, i64::from(number));
            self.go_unless(same, blocked);
        } else {
            let words = self.words();
            let length = words.get(self.b(), frame.length);
            self.go_unless(length, blocked);
        }
        for condition in matches {
            let wanted = self.register(condition.value);
            match self.field(frame, condition.field) {
                Some(there) => {
                    let same = self.b().ins().icmp(IntCC::Equal, there, wanted);
                    self.go_unless(same, blocked);
                }
                // Of a message that is offered, a field that is missing fits nothing.
                None if taking => {
                    self.b().ins().jump(blocked, &[]);
                    self.unreachable();
                    return;
                }
                None => {}
            }
        }
        self.found = Some(frame);
    }

    /// A field of the message found.
    pub(crate) fn message(&mut self, field: u8) -> Result<Value, Unsupported> {
        let frame = self.found.ok_or(Unsupported)?;
        match self.field(frame, field) {
            Some(value) => Ok(value),
            None => Ok(self.b().ins().iconst(types::I32, 0)),
        }
    }

    fn field(&mut self, frame: &ChannelFrame, field: u8) -> Option<Value> {
        let &(place, bits, _) = frame.fields.get(usize::from(field))?;
        if frame.capacity == 0 {
            let context = self.context;
            let place = offset::MESSAGE + i32::from(field) * 4;
            return Some(self.b().ins().load(types::I32, MemFlags::trusted(), context, place));
        }
        let words = self.words();
        Some(words.get(self.b(), Field::at(frame.base + place, bits)))
    }

    /// Removes the first message: the others move up, and zeros follow.
    pub(crate) fn take(&mut self) -> Result<(), Unsupported> {
        let frame = self.found.ok_or(Unsupported)?;
        if frame.capacity == 0 {
            return Ok(());
        }
        let words = self.words();
        let (base, stride) = (frame.base, frame.stride);
        let end = base + stride * frame.capacity;
        let (first, last) = (base / 64, (end - 1) / 64);
        if last - first >= MOST_MOVED {
            return Err(Unsupported);
        }
        if stride > 64 {
            let step = stride / 64;
            for word in first..=last {
                let moved = if word + step <= last {
                    words.word(self.b(), word + step)
                } else {
                    self.b().ins().iconst(types::I64, 0)
                };
                words.set_word(self.b(), word, moved);
            }
        } else {
            // All lie in one word, or a word holds a whole number of them.
            for word in first..=last {
                let low = if word == first { base % 64 } else { 0 };
                let high = if word == last { (end - 1) % 64 + 1 } else { 64 };
                let mask = (u64::MAX >> (64 - high)) >> low << low;
                let old = words.word(self.b(), word);
                let inside = self.b().ins().band_imm(old, mask as i64);
                let mut moved = if stride == 64 {
                    self.b().ins().iconst(types::I64, 0)
                } else {
                    let shifted = self.b().ins().ushr_imm(inside, i64::from(stride));
                    self.b().ins().band_imm(shifted, mask as i64)
                };
                if word < last {
                    let next = words.word(self.b(), word + 1);
                    let over = i64::from(64 - stride);
                    let next = if over == 0 { next } else { self.b().ins().ishl_imm(next, over) };
                    moved = self.b().ins().bor(moved, next);
                }
                let outside = self.b().ins().band_imm(old, !mask as i64);
                let new = self.b().ins().bor(outside, moved);
                words.set_word(self.b(), word, new);
            }
        }
        let length = words.get(self.b(), frame.length);
        let shorter = self.b().ins().iadd_imm(length, -1);
        words.set(self.b(), frame.length, shorter);
        Ok(())
    }

    /// `len(c)` and its like.
    pub(crate) fn probe(&mut self, probe: Probe, frame: &ChannelFrame) -> Value {
        let words = self.words();
        let length = if frame.capacity == 0 {
            self.b().ins().iconst(types::I32, 0)
        } else {
            words.get(self.b(), frame.length)
        };
        // A rendezvous channel is never full.
        let most = if frame.capacity == 0 { -1 } else { i64::from(frame.capacity) };
        let (condition, value) = match probe {
            Probe::Len => return length,
            Probe::Empty => (IntCC::Equal, 0),
            Probe::Nempty => (IntCC::NotEqual, 0),
            Probe::Full => (IntCC::Equal, most),
            Probe::Nfull => (IntCC::NotEqual, most),
        };
        let truth = self.b().ins().icmp_imm(condition, length, value);
        self.b().ins().uextend(types::I32, truth)
    }
}

/// What is left of a value in a field of a type.
fn truncate(translator: &mut Translator<'_, '_>, kind: Type, value: Value) -> Value {
    let builder = translator.b();
    match kind {
        Type::Bit => builder.ins().band_imm(value, 1),
        Type::Byte | Type::Mtype(_) | Type::Chan => builder.ins().band_imm(value, 0xff),
        Type::Short => {
            let cut = builder.ins().ireduce(types::I16, value);
            builder.ins().sextend(types::I32, cut)
        }
        Type::Int | Type::Struct(_) => value,
        Type::Unsigned(bits) => builder.ins().band_imm(value, (1i64 << bits) - 1),
    }
}

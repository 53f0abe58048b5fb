//! Fields of a state, read and written by machine code.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, MemFlags, Value, types};
use cranelift_frontend::FunctionBuilder;
use pverify_model::layout::{Bits, Field};
use pverify_syntax::ast::BinaryOperator;

/// A run of words that code reads or writes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Words {
    /// Where it begins.
    pub(crate) base: Value,
    /// Whether nothing writes there while the code runs.
    pub(crate) constant: bool,
}

impl Words {
    fn flags(self) -> MemFlags {
        let flags = MemFlags::trusted();
        if self.constant { flags.with_readonly().with_can_move() } else { flags }
    }

    /// A whole word.
    pub(crate) fn word(self, builder: &mut FunctionBuilder<'_>, word: u32) -> Value {
        builder.ins().load(types::I64, self.flags(), self.base, word as i32 * 8)
    }

    /// Writes a whole word.
    pub(crate) fn set_word(self, builder: &mut FunctionBuilder<'_>, word: u32, value: Value) {
        builder.ins().store(MemFlags::trusted(), value, self.base, word as i32 * 8);
    }

    /// The value of a field, 32 bits.
    pub(crate) fn get(self, builder: &mut FunctionBuilder<'_>, field: Field) -> Value {
        if field.bits.count() == 0 {
            return builder.ins().iconst(types::I32, 0);
        }
        let word = self.word(builder, u32::from(field.word));
        let shift = i64::from(field.shift);
        let shifted = if shift == 0 { word } else { builder.ins().ushr_imm(word, shift) };
        let value = builder.ins().ireduce(types::I32, shifted);
        number(builder, value, field.bits)
    }

    /// Writes a field; the value is cut to its bits.
    pub(crate) fn set(self, builder: &mut FunctionBuilder<'_>, field: Field, value: Value) {
        if field.bits.count() == 0 {
            return;
        }
        let shift = u32::from(field.shift);
        let new = raw(builder, value, field.bits);
        let new = if shift == 0 { new } else { builder.ins().ishl_imm(new, i64::from(shift)) };
        let keep = !(field.bits.mask() << shift);
        let old = self.word(builder, u32::from(field.word));
        let old = builder.ins().band_imm(old, keep as i64);
        let joined = builder.ins().bor(old, new);
        self.set_word(builder, u32::from(field.word), joined);
    }

    /// Writes constants: which bits of a word stay, and which become one.
    pub(crate) fn patch(self, builder: &mut FunctionBuilder<'_>, word: u32, keep: u64, set: u64) {
        let old = self.word(builder, word);
        let kept = builder.ins().band_imm(old, keep as i64);
        let new = if set == 0 { kept } else { builder.ins().bor_imm(kept, set as i64) };
        self.set_word(builder, word, new);
    }

    /// The value at a bit address of 32 bits.
    pub(crate) fn get_at(
        self,
        builder: &mut FunctionBuilder<'_>,
        address: Value,
        bits: Bits,
    ) -> Value {
        if bits.count() == 0 {
            return builder.ins().iconst(types::I32, 0);
        }
        let (pointer, shift) = self.at(builder, address);
        let word = builder.ins().load(types::I64, self.flags(), pointer, 0);
        let shifted = builder.ins().ushr(word, shift);
        let value = builder.ins().ireduce(types::I32, shifted);
        number(builder, value, bits)
    }

    /// Writes at a bit address of 32 bits; the value is cut to its bits.
    pub(crate) fn set_at(
        self,
        builder: &mut FunctionBuilder<'_>,
        address: Value,
        bits: Bits,
        value: Value,
    ) {
        if bits.count() == 0 {
            return;
        }
        let (pointer, shift) = self.at(builder, address);
        let new = raw(builder, value, bits);
        let new = builder.ins().ishl(new, shift);
        let mask = builder.ins().iconst(types::I64, bits.mask() as i64);
        let mask = builder.ins().ishl(mask, shift);
        let old = builder.ins().load(types::I64, self.flags(), pointer, 0);
        let old = builder.ins().band_not(old, mask);
        let joined = builder.ins().bor(old, new);
        builder.ins().store(MemFlags::trusted(), joined, pointer, 0);
    }

    /// The word at a bit address, and the place in it.
    pub(crate) fn at(self, builder: &mut FunctionBuilder<'_>, address: Value) -> (Value, Value) {
        let address = builder.ins().uextend(types::I64, address);
        let word = builder.ins().ushr_imm(address, 6);
        let bytes = builder.ins().ishl_imm(word, 3);
        let pointer = builder.ins().iadd(self.base, bytes);
        let shift = builder.ins().band_imm(address, 63);
        (pointer, shift)
    }
}

/// The bits of a value as they are stored, 64 bits with zeros above.
pub(crate) fn raw(builder: &mut FunctionBuilder<'_>, value: Value, bits: Bits) -> Value {
    let cut =
        if bits.count() < 32 { builder.ins().band_imm(value, bits.mask() as i64) } else { value };
    builder.ins().uextend(types::I64, cut)
}

/// The number that stored bits mean; what lies above them is cut off.
fn number(builder: &mut FunctionBuilder<'_>, value: Value, bits: Bits) -> Value {
    let count = bits.count();
    if count == 32 {
        return value;
    }
    if bits.is_signed() {
        let above = i64::from(32 - count);
        let high = builder.ins().ishl_imm(value, above);
        builder.ins().sshr_imm(high, above)
    } else {
        builder.ins().band_imm(value, bits.mask() as i64)
    }
}

/// Whether a value has room in bits: 0 if not.
pub(crate) fn holds(builder: &mut FunctionBuilder<'_>, value: Value, bits: Bits) -> Value {
    if bits.count() == 0 {
        return builder.ins().icmp_imm(IntCC::Equal, value, 0);
    }
    let stored = number(builder, value, bits);
    builder.ins().icmp(IntCC::Equal, stored, value)
}

/// The comparison that an operator is.
pub(crate) fn condition(operator: BinaryOperator) -> Option<IntCC> {
    Some(match operator {
        BinaryOperator::Equal => IntCC::Equal,
        BinaryOperator::NotEqual => IntCC::NotEqual,
        BinaryOperator::Less => IntCC::SignedLessThan,
        BinaryOperator::LessEqual => IntCC::SignedLessThanOrEqual,
        BinaryOperator::Greater => IntCC::SignedGreaterThan,
        BinaryOperator::GreaterEqual => IntCC::SignedGreaterThanOrEqual,
        _ => return None,
    })
}

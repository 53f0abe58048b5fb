//! Bits and words: where the parts of a state lie.
//!
//! A state is a run of 64-bit words. A [`Field`] is a few bits of one word, never of two. Arrays
//! and structures lie so that an element is found by multiplying: their stride is a power of two
//! up to 64 bits, or a whole number of words, unless all of it fits into one word.
//!
//! A number takes the bits that its range needs ([`crate::ranges`]); what is always the same takes
//! none.

use crate::machine::StructId;
use crate::ranges::Interval;
use crate::types::{Struct, Type};

/// A few bits of one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Field {
    /// Which word.
    pub word: u16,
    /// The lowest bit.
    pub shift: u8,
    /// How many bits.
    pub bits: Bits,
    /// A one for each of them.
    mask: u32,
    /// The highest of them, if it is a sign.
    sign: u32,
}

/// How many bits a value has, whether the highest is a sign, and whether they are fewer than its
/// type asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Bits(u8);

const SIGNED: u8 = 0x80;
const NARROWED: u8 = 0x40;

impl Bits {
    /// An unsigned value of 1 to 32 bits.
    pub const fn unsigned(count: u8) -> Self {
        Self(count)
    }

    /// The bits a variable of a scalar type needs.
    pub const fn of(kind: Type) -> Self {
        match kind {
            Type::Bit => Self(1),
            Type::Byte | Type::Mtype(_) | Type::Chan | Type::Struct(_) => Self(8),
            Type::Short => Self(16 | SIGNED),
            Type::Int => Self(32 | SIGNED),
            Type::Unsigned(bits) => Self(bits),
        }
    }

    /// How many values from 0 to `greatest` need.
    pub const fn for_values_up_to(greatest: u32) -> Self {
        Self((32 - greatest.leading_zeros()) as u8)
    }

    /// The bits that a number of a type needs if it always lies in an interval.
    pub const fn for_range(kind: Type, range: Interval) -> Self {
        let needed = if range.low >= 0 {
            Self::for_values_up_to(range.high as u32)
        } else {
            // For -5 as many as for 4, and one for the sign.
            let low = 32 - (!range.low as u32).leading_zeros();
            let high = if range.high < 0 { 0 } else { 32 - (range.high as u32).leading_zeros() };
            Self((if low > high { low } else { high } as u8 + 1) | SIGNED)
        };
        let whole = Self::of(kind);
        if needed.count() < whole.count() { Self(needed.0 | NARROWED) } else { whole }
    }

    /// Their number.
    pub const fn count(self) -> u32 {
        (self.0 & !(SIGNED | NARROWED)) as u32
    }

    /// Whether they are fewer than the type asks for: what is stored must fit, and is not cut.
    pub const fn is_narrowed(self) -> bool {
        self.0 & NARROWED != 0
    }

    /// Whether a value has room.
    #[inline]
    pub const fn hold(self, value: i32) -> bool {
        let mask = self.mask() as u32;
        let sign = if self.is_signed() { 1 << (self.count() - 1) } else { 0 };
        ((value as u32 & mask) ^ sign).wrapping_sub(sign) as i32 == value
    }

    /// Whether the highest is a sign.
    pub const fn is_signed(self) -> bool {
        self.0 & SIGNED != 0
    }

    /// A one for each.
    pub const fn mask(self) -> u64 {
        (1u64 << self.count()) - 1
    }
}

impl Field {
    /// The field at a bit address.
    #[inline]
    pub const fn at(address: u32, bits: Bits) -> Self {
        let sign = if bits.is_signed() { 1 << (bits.count() - 1) } else { 0 };
        Self {
            word: (address / 64) as u16,
            shift: (address % 64) as u8,
            bits,
            mask: bits.mask() as u32,
            sign,
        }
    }

    /// Reads it.
    #[inline]
    pub fn get(self, words: &[u64]) -> i32 {
        let raw = (words[self.word as usize] >> self.shift) as u32 & self.mask;
        (raw ^ self.sign).wrapping_sub(self.sign) as i32
    }

    /// Writes it; the value is cut to fit the type.
    #[inline]
    pub fn set(self, words: &mut [u64], value: i32) {
        debug_assert!(!self.bits.is_narrowed() || self.bits.hold(value), "{value} in {self:?}");
        let word = &mut words[self.word as usize];
        let value = u64::from(value as u32 & self.mask) << self.shift;
        *word = *word & !(u64::from(self.mask) << self.shift) | value;
    }

    /// What writing a value does to its word: the bits that stay, and those that become one.
    pub fn patch(self, value: i32) -> (u64, u64) {
        let value = u64::from(value as u32 & self.mask) << self.shift;
        (!(u64::from(self.mask) << self.shift), value)
    }
}

/// Where a variable lies: its elements, one `stride` apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Storage {
    /// Bit address of the first element (inside a structure: from its start).
    pub base: u32,
    /// Bits from one element to the next.
    pub stride: u32,
    /// How many elements; 1 for a scalar.
    pub length: u32,
    /// What an element is.
    pub element: Element,
}

/// One element of a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Element {
    /// A number.
    Scalar(Bits),
    /// A number that is always the same, and takes no room.
    Constant(i32),
    /// The fields of a structure.
    Structure(Vec<Storage>),
}

/// Gives out bit addresses one after the other.
#[derive(Clone, Debug)]
pub struct Allocator<'a> {
    structs: &'a [Struct],
    /// The first free bit.
    pub next: u32,
}

impl<'a> Allocator<'a> {
    /// Starts at a bit address.
    pub fn new(structs: &'a [Struct], next: u32) -> Self {
        Self { structs, next }
    }

    /// Room for a number.
    pub fn field(&mut self, bits: Bits) -> Field {
        Field::at(self.take(bits.count()), bits)
    }

    /// Room that must not cross the border of a word unless it is longer than one.
    pub fn take(&mut self, bits: u32) -> u32 {
        if bits > 64 || self.next % 64 + bits > 64 {
            self.align(64);
        }
        let at = self.next;
        self.next += bits;
        at
    }

    fn align(&mut self, to: u32) {
        self.next = self.next.next_multiple_of(to);
    }

    /// Room for a variable of a type; `length` is `None` for a scalar. The ranges are those of the
    /// numbers in it, in their order; where one is missing, the type decides.
    pub fn variable(
        &mut self,
        kind: Type,
        length: Option<u32>,
        ranges: &mut dyn Iterator<Item = Interval>,
    ) -> Storage {
        let kind = kind.in_array(length.is_some());
        let length = length.unwrap_or(1);
        let (size, element) = self.element(kind, ranges);
        let (base, stride) = self.block(size, length);
        Storage { base, stride, length, element }
    }

    /// Room for `length` parts of `size` bits; gives the address of the first and the stride.
    pub fn block(&mut self, size: u32, length: u32) -> (u32, u32) {
        if size.saturating_mul(length) <= 64 {
            return (self.take(size * length), size);
        }
        let stride = stride(size);
        self.align(stride.min(64));
        let base = self.next;
        self.next = base.saturating_add(stride.saturating_mul(length));
        (base, stride)
    }

    /// The size of a value of a type and its parts.
    fn element(&self, kind: Type, ranges: &mut dyn Iterator<Item = Interval>) -> (u32, Element) {
        match kind {
            Type::Struct(id) => {
                let mut inner = Allocator::new(self.structs, 0);
                let fields = inner.structure(id, ranges);
                let size = if inner.next <= 64 { inner.next } else { stride(inner.next) };
                (size, Element::Structure(fields))
            }
            scalar => {
                let range = ranges.next().unwrap_or(Interval::of(scalar));
                if let Some(value) = range.only() {
                    return (0, Element::Constant(value));
                }
                let bits = Bits::for_range(scalar, range);
                (bits.count(), Element::Scalar(bits))
            }
        }
    }

    fn structure(
        &mut self,
        id: StructId,
        ranges: &mut dyn Iterator<Item = Interval>,
    ) -> Vec<Storage> {
        let structs = self.structs;
        let fields = structs[id.index()].fields.iter();
        fields.map(|field| self.variable(field.kind, field.length, ranges)).collect()
    }
}

/// The distance between parts that no border of a word may cut.
pub fn stride(size: u32) -> u32 {
    if size <= 64 { size.next_power_of_two() } else { size.next_multiple_of(64) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_keeps_its_value_and_its_neighbours() {
        let mut words = [u64::MAX; 2];
        for (kind, value, stored) in [
            (Type::Bit, 3, 1),
            (Type::Byte, -1, 255),
            (Type::Short, -2, -2),
            (Type::Int, i32::MIN, i32::MIN),
            (Type::Unsigned(5), 33, 1),
        ] {
            let field = Field::at(70, Bits::of(kind));
            field.set(&mut words, value);
            assert_eq!(field.get(&words), stored);
            field.set(&mut words, -1);
            assert_eq!(words, [u64::MAX; 2]);
        }
    }

    #[test]
    fn no_field_crosses_a_word() {
        let mut allocator = Allocator::new(&[], 60);
        assert_eq!(allocator.field(Bits::unsigned(5)), Field::at(64, Bits::unsigned(5)));
        let array = allocator.variable(Type::Unsigned(5), Some(20), &mut std::iter::empty());
        assert_eq!((array.base % array.stride, array.stride), (0, 8));
        let small = allocator.variable(Type::Unsigned(5), Some(3), &mut std::iter::empty());
        assert_eq!((small.base / 64, small.stride), ((small.base + 14) / 64, 5));
    }

    #[test]
    fn a_range_takes_the_bits_it_needs() {
        for (low, high, count, signed) in [
            (0, 1, 1, false),
            (0, 4, 3, false),
            (7, 8, 4, false),
            (-1, 0, 1, true),
            (-1, 1, 2, true),
            (-4, 3, 3, true),
            (-5, 3, 4, true),
            (-5, -4, 4, true),
            (0, 65535, 16, false),
        ] {
            let bits = Bits::for_range(Type::Int, Interval::new(low, high));
            assert_eq!((bits.count(), bits.is_signed()), (count, signed), "{low} to {high}");
            assert!(bits.is_narrowed() && bits.hold(low) && bits.hold(high) && bits.hold(0));
            assert!(!bits.hold(1 << count) && !bits.hold(-(1 << count)));
        }
        let bits = |kind, low, high| Bits::for_range(kind, Interval::new(low, high));
        assert_eq!(bits(Type::Byte, 0, 200), Bits::of(Type::Byte));
        assert_eq!(bits(Type::Short, -1, 32767), Bits::of(Type::Short));
        assert_eq!(bits(Type::Int, i32::MIN, 0), Bits::of(Type::Int));
        assert!(bits(Type::Byte, 0, 0).hold(0) && !bits(Type::Byte, 0, 0).hold(1));
    }

    #[test]
    fn what_never_changes_takes_no_room() {
        let mut allocator = Allocator::new(&[], 64);
        let mut always = [Interval::constant(5)].into_iter();
        let storage = allocator.variable(Type::Byte, Some(9), &mut always);
        assert_eq!((storage.element, allocator.next), (Element::Constant(5), 64));
    }
}

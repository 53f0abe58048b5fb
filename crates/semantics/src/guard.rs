//! A comparison of a field with a constant, as one test without branches.
//!
//! Each of the six comparisons with a constant says that the value lies in a range, if ranges may
//! run over the end of the numbers and begin again: `x != 5` is the range from 6 round to 4. So one
//! subtraction and one unsigned comparison ask any of them. Searches ask most guards in vain; this
//! is what they do most often.

use pverify_model::layout::Field;
use pverify_syntax::ast::BinaryOperator;

/// A field lies in a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Guard {
    word: u16,
    shift: u8,
    mask: u32,
    /// The highest bit of a signed field: what turns its bits into a number.
    sign: u32,
    low: u32,
    /// The last value of the range, counted from `low`.
    span: u32,
}

impl Guard {
    /// Holds in every state.
    pub const ALWAYS: Self = Self { word: 0, shift: 0, mask: 0, sign: 0, low: 0, span: u32::MAX };

    /// Holds in none.
    pub const NEVER: Self = Self { word: 0, shift: 0, mask: 0, sign: 0, low: 1, span: 0 };

    /// The guard for a comparison; `None` if it is none, or one that no number fulfils.
    pub fn new(operator: BinaryOperator, field: Field, value: i32) -> Option<Self> {
        let (low, high) = match operator {
            BinaryOperator::Equal => (value, value),
            BinaryOperator::NotEqual => (value.wrapping_add(1), value.wrapping_sub(1)),
            BinaryOperator::Less => (i32::MIN, value.checked_sub(1)?),
            BinaryOperator::LessEqual => (i32::MIN, value),
            BinaryOperator::Greater => (value.checked_add(1)?, i32::MAX),
            BinaryOperator::GreaterEqual => (value, i32::MAX),
            _ => return None,
        };
        let sign = if field.bits.is_signed() { 1 << (field.bits.count() - 1) } else { 0 };
        Some(Self {
            word: field.word,
            shift: field.shift,
            mask: field.bits.mask() as u32,
            sign,
            low: low as u32,
            span: high.wrapping_sub(low) as u32,
        })
    }

    /// Whether it holds in a state.
    #[inline]
    pub fn holds(&self, words: &[u64]) -> bool {
        let raw = (words[self.word as usize] >> self.shift) as u32 & self.mask;
        let value = (raw ^ self.sign).wrapping_sub(self.sign);
        value.wrapping_sub(self.low) <= self.span
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::compare;
    use pverify_model::layout::Bits;
    use pverify_model::types::Type;

    #[test]
    fn a_guard_is_its_comparison() {
        use BinaryOperator::{Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual};
        let values = [i32::MIN, i32::MIN + 1, -32768, -2, -1, 0, 1, 2, 5, 255, 32767, i32::MAX];
        for kind in [Type::Bit, Type::Byte, Type::Short, Type::Int, Type::Unsigned(5)] {
            let field = Field::at(64 + 17, Bits::of(kind));
            let mut words = [0xdead_beef_dead_beef; 3];
            for stored in values {
                field.set(&mut words, stored);
                for value in values {
                    for operator in [Equal, NotEqual, Less, LessEqual, Greater, GreaterEqual] {
                        let expected = compare(operator, field.get(&words), value);
                        let holds = Guard::new(operator, field, value).map(|g| g.holds(&words));
                        assert_eq!(
                            holds.unwrap_or(false),
                            expected,
                            "{stored} {operator:?} {value}"
                        );
                    }
                }
            }
            assert!(Guard::ALWAYS.holds(&words) && !Guard::NEVER.holds(&words));
        }
    }
}

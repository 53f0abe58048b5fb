//! Intervals of numbers, and C's arithmetic on them.

use crate::types::Type;
use pverify_syntax::ast::{BinaryOperator, UnaryOperator};

/// All numbers from `low` to `high`, both included; never empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Interval {
    /// The smallest.
    pub low: i32,
    /// The greatest.
    pub high: i32,
}

impl Interval {
    /// Every number.
    pub const ALL: Self = Self::new(i32::MIN, i32::MAX);
    /// False and true.
    pub const TRUTH: Self = Self::new(0, 1);
    /// Nothing but 0.
    pub const ZERO: Self = Self::constant(0);

    /// From `low` to `high`, which must not be smaller.
    pub const fn new(low: i32, high: i32) -> Self {
        Self { low, high }
    }

    /// One number.
    pub const fn constant(value: i32) -> Self {
        Self::new(value, value)
    }

    /// Everything that a variable of a type can hold.
    pub const fn of(kind: Type) -> Self {
        match kind {
            Type::Bit => Self::TRUTH,
            Type::Byte | Type::Mtype(_) | Type::Chan => Self::new(0, 255),
            Type::Short => Self::new(i16::MIN as i32, i16::MAX as i32),
            Type::Unsigned(bits) if bits < 31 => Self::new(0, (1 << bits) - 1),
            Type::Unsigned(31) => Self::new(0, i32::MAX),
            Type::Int | Type::Struct(_) | Type::Unsigned(_) => Self::ALL,
        }
    }

    /// Whether a number lies in it.
    pub const fn contains(self, value: i32) -> bool {
        self.low <= value && value <= self.high
    }

    /// Whether all of it lies in the other.
    pub const fn is_within(self, other: Self) -> bool {
        other.low <= self.low && self.high <= other.high
    }

    /// The only number in it.
    pub const fn only(self) -> Option<i32> {
        if self.low == self.high { Some(self.low) } else { None }
    }

    /// The smallest that has all of both.
    pub fn join(self, other: Self) -> Self {
        Self::new(self.low.min(other.low), self.high.max(other.high))
    }

    /// What they have in common.
    pub fn meet(self, other: Self) -> Option<Self> {
        let (low, high) = (self.low.max(other.low), self.high.min(other.high));
        (low <= high).then_some(Self::new(low, high))
    }

    /// What a variable of a type holds after it is given one of these numbers. Where one of them
    /// does not fit, storing wraps around, and anything may come of it.
    pub fn stored_as(self, kind: Type) -> Self {
        let room = Self::of(kind);
        if self.is_within(room) { self } else { room }
    }

    /// `-a`, `~a`, `!a`
    pub(super) fn unary(self, operator: UnaryOperator) -> Self {
        match operator {
            UnaryOperator::Minus => wrapped(-i64::from(self.high), -i64::from(self.low)),
            UnaryOperator::Complement => Self::new(!self.high, !self.low),
            UnaryOperator::Not if self == Self::ZERO => Self::constant(1),
            UnaryOperator::Not if !self.contains(0) => Self::ZERO,
            UnaryOperator::Not => Self::TRUTH,
        }
    }

    /// `a + b` and its like; `None` where every pair divides by zero.
    pub(super) fn binary(self, operator: BinaryOperator, other: Self) -> Option<Self> {
        let (a, b): (i64, i64) = (self.low.into(), self.high.into());
        let (c, d): (i64, i64) = (other.low.into(), other.high.into());
        Some(match operator {
            BinaryOperator::Add => wrapped(a + c, b + d),
            BinaryOperator::Subtract => wrapped(a - d, b - c),
            BinaryOperator::Multiply => corners([a * c, a * d, b * c, b * d]),
            BinaryOperator::Divide => self.divided(other)?,
            BinaryOperator::Remainder => self.remainder(other)?,
            BinaryOperator::BitAnd => match (self.low >= 0, other.low >= 0) {
                (true, true) => Self::new(0, self.high.min(other.high)),
                (true, false) => Self::new(0, self.high),
                (false, true) => Self::new(0, other.high),
                (false, false) => Self::ALL,
            },
            BinaryOperator::BitOr | BinaryOperator::BitXor if self.low >= 0 && other.low >= 0 => {
                // No bit above the highest of both.
                let bits = (self.high | other.high).leading_zeros();
                Self::new(0, u32::MAX.checked_shr(bits).unwrap_or(0) as i32)
            }
            BinaryOperator::ShiftLeft if self.low >= 0 && c >= 0 && d < 32 => {
                wrapped(a << c, b << d)
            }
            BinaryOperator::ShiftRight if self.low >= 0 && c >= 0 && d < 32 => {
                Self::new(self.low >> d, self.high >> c)
            }
            BinaryOperator::BitOr
            | BinaryOperator::BitXor
            | BinaryOperator::ShiftLeft
            | BinaryOperator::ShiftRight => Self::ALL,
            BinaryOperator::And => truth(
                self == Self::ZERO || other == Self::ZERO,
                !self.contains(0) && !other.contains(0),
            ),
            BinaryOperator::Or => truth(
                self == Self::ZERO && other == Self::ZERO,
                !self.contains(0) || !other.contains(0),
            ),
            comparison => truth(
                self.compared(comparison, other).is_none(),
                self.compared(comparison.opposite(), other).is_none(),
            ),
        })
    }

    fn divided(self, other: Self) -> Option<Self> {
        let (a, b) = (i64::from(self.low), i64::from(self.high));
        let part = |divisors: Option<Self>| {
            let Self { low, high } = divisors?;
            let (c, d) = (i64::from(low), i64::from(high));
            Some(corners([a / c, a / d, b / c, b / d]))
        };
        let below = part(other.meet(Self::new(i32::MIN, -1)));
        let above = part(other.meet(Self::new(1, i32::MAX)));
        either(below, above, Self::join)
    }

    /// The sign is the dividend's; the size is below the divisor's and not above the dividend's.
    fn remainder(self, other: Self) -> Option<Self> {
        let greatest = i64::from(other.low).abs().max(i64::from(other.high).abs()) - 1;
        if greatest < 0 {
            return None;
        }
        let smallest = if other.low > 0 { i64::from(other.low) } else { 0 };
        if self.low >= 0 && i64::from(self.high) < smallest {
            return Some(self);
        }
        let low = i64::from(self.low).min(0).max(-greatest);
        let high = i64::from(self.high).max(0).min(greatest);
        Some(wrapped(low, high))
    }

    /// What of both is left where they compare so; `None` if they cannot.
    pub(super) fn compared(self, operator: BinaryOperator, other: Self) -> Option<(Self, Self)> {
        match operator {
            BinaryOperator::Less => {
                let left = self.meet(Self::new(i32::MIN, other.high.checked_sub(1)?))?;
                Some((left, other.meet(Self::new(self.low.checked_add(1)?, i32::MAX))?))
            }
            BinaryOperator::LessEqual => {
                let left = self.meet(Self::new(i32::MIN, other.high))?;
                Some((left, other.meet(Self::new(self.low, i32::MAX))?))
            }
            BinaryOperator::Greater => {
                other.compared(BinaryOperator::Less, self).map(|(right, left)| (left, right))
            }
            BinaryOperator::GreaterEqual => {
                other.compared(BinaryOperator::LessEqual, self).map(|(right, left)| (left, right))
            }
            BinaryOperator::Equal => self.meet(other).map(|both| (both, both)),
            BinaryOperator::NotEqual => {
                let left = other.only().map_or(Some(self), |value| self.without(value))?;
                let right = self.only().map_or(Some(other), |value| other.without(value))?;
                Some((left, right))
            }
            _ => Some((self, other)),
        }
    }

    /// The rest, if the number is one of the ends.
    fn without(self, value: i32) -> Option<Self> {
        match (self.low == value, self.high == value) {
            (true, true) => None,
            (true, false) => Some(Self::new(self.low + 1, self.high)),
            (false, true) => Some(Self::new(self.low, self.high - 1)),
            (false, false) => Some(self),
        }
    }
}

/// One of two, or both put together.
pub(super) fn either<T>(a: Option<T>, b: Option<T>, join: impl FnOnce(T, T) -> T) -> Option<T> {
    match (a, b) {
        (Some(a), Some(b)) => Some(join(a, b)),
        (a, b) => a.or(b),
    }
}

/// C's numbers wrap around: what does not fit may become anything.
fn wrapped(low: i64, high: i64) -> Interval {
    match (i32::try_from(low), i32::try_from(high)) {
        (Ok(low), Ok(high)) => Interval::new(low, high),
        _ => Interval::ALL,
    }
}

fn corners(values: [i64; 4]) -> Interval {
    let low = values.iter().copied().fold(i64::MAX, i64::min);
    wrapped(low, values.iter().copied().fold(i64::MIN, i64::max))
}

fn truth(never: bool, always: bool) -> Interval {
    match (never, always) {
        (true, _) => Interval::ZERO,
        (_, true) => Interval::constant(1),
        _ => Interval::TRUTH,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OPERATORS: [BinaryOperator; 16] = [
        BinaryOperator::Add,
        BinaryOperator::Subtract,
        BinaryOperator::Multiply,
        BinaryOperator::Divide,
        BinaryOperator::Remainder,
        BinaryOperator::BitAnd,
        BinaryOperator::BitXor,
        BinaryOperator::BitOr,
        BinaryOperator::ShiftLeft,
        BinaryOperator::ShiftRight,
        BinaryOperator::Less,
        BinaryOperator::LessEqual,
        BinaryOperator::Greater,
        BinaryOperator::GreaterEqual,
        BinaryOperator::Equal,
        BinaryOperator::NotEqual,
    ];

    fn compare(operator: BinaryOperator, a: i32, b: i32) -> Option<bool> {
        Some(match operator {
            BinaryOperator::Less => a < b,
            BinaryOperator::LessEqual => a <= b,
            BinaryOperator::Greater => a > b,
            BinaryOperator::GreaterEqual => a >= b,
            BinaryOperator::Equal => a == b,
            BinaryOperator::NotEqual => a != b,
            _ => return None,
        })
    }

    fn concrete(operator: BinaryOperator, a: i32, b: i32) -> Option<i32> {
        Some(match operator {
            BinaryOperator::Add => a.wrapping_add(b),
            BinaryOperator::Subtract => a.wrapping_sub(b),
            BinaryOperator::Multiply => a.wrapping_mul(b),
            BinaryOperator::Divide if b != 0 => a.wrapping_div(b),
            BinaryOperator::Remainder if b != 0 => a.wrapping_rem(b),
            BinaryOperator::BitAnd => a & b,
            BinaryOperator::BitXor => a ^ b,
            BinaryOperator::BitOr => a | b,
            BinaryOperator::ShiftLeft => a.wrapping_shl(b as u32),
            BinaryOperator::ShiftRight => a.wrapping_shr(b as u32),
            _ => i32::from(compare(operator, a, b)?),
        })
    }

    /// Every result of numbers lies in the result of their intervals, and a comparison leaves every
    /// pair that fulfils it.
    #[test]
    fn arithmetic_on_intervals_covers_arithmetic_on_numbers() {
        let ends = [i32::MIN, i32::MIN + 1, -300, -9, -8, -3, -1, 0, 1, 2, 5, 7, 8, 31, 32, 255];
        let mut ends = ends.to_vec();
        ends.extend([256, 65535, i32::MAX - 1, i32::MAX]);
        let intervals = || {
            let pairs = ends.iter().flat_map(|&low| ends.iter().map(move |&high| (low, high)));
            pairs.filter(|(low, high)| low <= high).map(|(low, high)| Interval::new(low, high))
        };
        let inside = |interval: Interval| {
            let near = [interval.low, interval.low.saturating_add(1), interval.high];
            let all = near.into_iter().chain([interval.high.saturating_sub(1), -2, 0, 3, 4, 6]);
            all.filter(move |&value| interval.contains(value))
        };
        for (left, right) in intervals().flat_map(|a| intervals().map(move |b| (a, b))) {
            for (a, b) in inside(left).flat_map(|a| inside(right).map(move |b| (a, b))) {
                for operator in OPERATORS {
                    let Some(value) = concrete(operator, a, b) else { continue };
                    let result = left.binary(operator, right);
                    let covered = result.is_some_and(|result| result.contains(value));
                    assert!(
                        covered,
                        "{a} {operator:?} {b} = {value}: {left:?} {right:?} {result:?}"
                    );
                    if compare(operator, a, b) == Some(true) {
                        let kept = left.compared(operator, right);
                        let kept = kept.is_some_and(|(l, r)| l.contains(a) && r.contains(b));
                        assert!(kept, "{a} {operator:?} {b}: {left:?} {right:?}");
                    }
                }
            }
        }
        for (interval, operator) in intervals().flat_map(|i| {
            let all = [UnaryOperator::Minus, UnaryOperator::Complement, UnaryOperator::Not];
            all.map(|operator| (i, operator))
        }) {
            for value in inside(interval) {
                let result = match operator {
                    UnaryOperator::Minus => value.wrapping_neg(),
                    UnaryOperator::Complement => !value,
                    UnaryOperator::Not => i32::from(value == 0),
                };
                assert!(interval.unary(operator).contains(result), "{operator:?} {value}");
            }
        }
    }

    #[test]
    fn results_are_no_wider_than_need_be() {
        let digit = Interval::new(0, 9);
        let binary = |operator, value| digit.binary(operator, Interval::constant(value));
        assert_eq!(binary(BinaryOperator::Remainder, 4), Some(Interval::new(0, 3)));
        assert_eq!(binary(BinaryOperator::Remainder, 10), Some(digit));
        assert_eq!(binary(BinaryOperator::Divide, 3), Some(Interval::new(0, 3)));
        assert_eq!(binary(BinaryOperator::Remainder, 0), None);
        assert_eq!(binary(BinaryOperator::BitOr, 4), Some(Interval::new(0, 15)));
        assert_eq!(binary(BinaryOperator::Less, 10), Some(Interval::constant(1)));
        assert_eq!(Interval::new(-1, 3).stored_as(Type::Byte), Interval::new(0, 255));
        assert_eq!(Interval::new(1, 3).stored_as(Type::Byte), Interval::new(1, 3));
    }
}

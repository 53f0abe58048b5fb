//! Widening: an interval that keeps growing jumps to the next number that the model mentions, so
//! that a loop is not followed round by round.
//!
//! Thresholds are the idea of Blanchet and others (*A static analyzer for large safety-critical
//! software*, 2003): `x < 5 -> x++` stops at 5 because 5 is one of them. The greatest numbers of
//! each count of bits are thresholds too, since only the count of bits matters in the end.

use super::interval::Interval;
use crate::machine::{Expression, Initial, Model, Variable};
use crate::types::Type;
use crate::walk;

/// The numbers at which a growing interval rests, in order.
#[derive(Debug)]
pub(super) struct Thresholds(Vec<i32>);

impl Thresholds {
    pub(super) fn new(model: &Model) -> Self {
        let mut numbers = vec![0, -1];
        numbers.extend((1..31).flat_map(|bits| [(1 << bits) - 1, -(1 << bits)]));
        // -3 is a minus and a 3.
        let mut mention = |value: i32| {
            for value in [value, value.saturating_neg()] {
                numbers.extend([value.saturating_sub(1), value, value.saturating_add(1)]);
            }
        };
        let locals = model.processes.iter().flat_map(|process| &process.locals);
        for variable in locals.chain(&model.globals) {
            initial(variable, &mut mention);
        }
        for process in &model.processes {
            for edge in process.graph.locations.iter().flat_map(|location| &location.edges) {
                walk::action_expressions(&edge.action, &mut |expression| {
                    constants(expression, &mut mention);
                });
            }
        }
        numbers.sort_unstable();
        numbers.dedup();
        Self(numbers)
    }

    /// The next resting place of an interval that grew from `old` to `new`.
    pub(super) fn widen(&self, old: Interval, new: Interval, kind: Type) -> Interval {
        let most = Interval::of(kind);
        let mut wide = new;
        if new.high > old.high {
            let at = self.0.partition_point(|&number| number < new.high);
            wide.high = self.0.get(at).copied().unwrap_or(most.high).min(most.high).max(new.high);
        }
        if new.low < old.low {
            let at = self.0.partition_point(|&number| number <= new.low);
            let below = at.checked_sub(1).map_or(most.low, |at| self.0[at]);
            wide.low = below.max(most.low).min(new.low);
        }
        wide
    }
}

fn initial(variable: &Variable, mention: &mut impl FnMut(i32)) {
    if let Some(length) = variable.length {
        mention(i32::try_from(length).unwrap_or(i32::MAX));
    }
    match &variable.initial {
        Initial::Value(value) => walk::expressions(value, &mut |inner| constants(inner, mention)),
        Initial::List(values) => values.iter().for_each(|&value| mention(value)),
        Initial::Zero | Initial::Channel(_) | Initial::Parameter => {}
    }
}

fn constants(expression: &Expression, mention: &mut impl FnMut(i32)) {
    if let Expression::Constant(value, _) = expression {
        mention(*value);
    }
}

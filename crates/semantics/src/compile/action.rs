//! Actions to instructions: first what must hold, then what changes.

use super::Compiler;
use crate::code::{Op, Register};
use crate::fault::FaultKind;
use crate::shape::Slot;
use pverify_model::machine::{Action, Block, BlockStep, Expression, Pattern, Place};
use pverify_syntax::ast::{BinaryOperator, Probe};

impl Compiler<'_, '_> {
    pub(super) fn action(&mut self, action: &Action) -> Result<(), FaultKind> {
        self.used = 0;
        match action {
            Action::Skip
            | Action::Jump
            | Action::Named(_)
            | Action::Else
            | Action::Declare(_)
            | Action::End
            | Action::Print(..) => {}
            Action::PrintMtype(_) => {}
            Action::Condition(condition) => self.guard(condition)?,
            Action::Assign(place, value) => self.assign(place, value)?,
            Action::Discard(value) => {
                self.expression(value)?;
            }
            Action::AssignList(place, values) => {
                let value = values.first().copied().unwrap_or(0);
                self.assign(place, &Expression::Constant(value, None))?;
            }
            Action::Assert(condition) => {
                let register = self.expression(condition)?;
                self.emit(Op::Assert { register });
            }
            Action::Send { channel, sorted, message } => {
                let channel = self.channel(channel)?;
                let first = self.used as Register;
                for field in message {
                    self.expression(field)?;
                }
                let (count, sorted) = (message.len() as u8, *sorted);
                self.emit(Op::Send { channel, first, count, sorted });
            }
            Action::Receive { channel, random, keep, pattern } => {
                let channel = self.channel(channel)?;
                let matches = self.matches(pattern)?;
                let (random, count) = (*random, pattern.len() as u8);
                self.emit(Op::Select { channel, random, matches, count });
                for (field, part) in pattern.iter().enumerate() {
                    if let Pattern::Store(place) = part {
                        let keep = self.used;
                        let to = self.register()?;
                        self.emit(Op::Message { to, field: field as u8 });
                        self.store(place, to)?;
                        self.used = keep;
                    }
                }
                if !keep {
                    self.emit(Op::Take);
                }
            }
            Action::SetPriority(process, priority) => {
                let process = self.expression(process)?;
                let priority = self.expression(priority)?;
                self.emit(Op::SetPriority { process, priority });
            }
            Action::DStep(block) => self.block(block)?,
        }
        Ok(())
    }

    fn assign(&mut self, place: &Place, value: &Expression) -> Result<(), FaultKind> {
        if let Expression::Constant(value, _) = value
            && let Some(field) = self.fixed(place)?
        {
            return self.store_constant(field, *value);
        }
        if let Expression::Binary(operator, left, right) = value
            && let (Expression::Read(from), Expression::Constant(by, _)) = (&**left, &**right)
            && same(from, place)
            && let Some(field) = self.fixed(place)?
        {
            let value = match operator {
                BinaryOperator::Add => Some(*by),
                BinaryOperator::Subtract => Some(by.wrapping_neg()),
                _ => None,
            };
            if let Some(value) = value {
                self.emit(if field.bits.is_narrowed() {
                    Op::AddNarrow { field, value }
                } else {
                    Op::Add { field, value }
                });
                return Ok(());
            }
        }
        self.used = 0;
        let from = self.expression(value)?;
        self.store(place, from)
    }

    /// What SPIN asks before it enters a `d_step` whose first choice has options that are always
    /// possible beside others that may not be: that one of the *others* is possible. Once inside,
    /// the first option that is possible is taken, be it an assignment.
    fn entry(&self, steps: &[BlockStep]) -> Option<Expression> {
        if steps.iter().all(|step| can_block(&step.action)) {
            return None;
        }
        let or = |one, other| Expression::Binary(BinaryOperator::Or, one, other);
        let and = |one, other| Expression::Binary(BinaryOperator::And, one, other);
        let mut asked: Option<Expression> = None;
        for step in steps {
            let condition = match &step.action {
                Action::Condition(condition) => condition.clone(),
                Action::Send { channel, .. } => Expression::Probe(Probe::Nfull, channel.clone()),
                Action::Receive { channel, random, pattern, .. } if self.is_buffered(channel) => {
                    let (channel, pattern) = (channel.clone(), pattern.clone());
                    let some = Expression::Probe(Probe::Nempty, channel.clone());
                    let fits = Expression::Poll { channel, random: *random, pattern };
                    and(Box::new(some), Box::new(fits))
                }
                // Always possible where SPIN asks; or part of a rendezvous, which a `d_step` with
                // such a choice cannot wait for. A `skip` is asked, unlike what else never waits.
                Action::Skip | Action::Else | Action::Receive { .. } => return None,
                _ => continue,
            };
            asked = Some(match asked {
                Some(before) => or(Box::new(before), Box::new(condition)),
                None => condition,
            });
        }
        asked
    }

    /// Whether a place is always the same channel, a global one, that holds messages.
    fn is_buffered(&self, place: &Place) -> bool {
        let Slot::Channels { first, length: 1 } = self.place_slot(place) else { return false };
        let globals = &self.engine.shapes[0].channels;
        let frame = usize::from(first).checked_sub(1).and_then(|at| globals.get(at));
        frame.is_some_and(|frame| frame.capacity > 0)
    }

    /// A `d_step`: at each point the options are tried in order; at the first point none possible
    /// means that the step is not, later it is an error.
    fn block(&mut self, block: &Block) -> Result<(), FaultKind> {
        if let Some(entry) = block.points.first().and_then(|steps| self.entry(steps)) {
            self.guard(&entry)?;
            self.mark();
        }
        let mut starts = vec![0; block.points.len()];
        let mut jumps: Vec<(u32, u32)> = Vec::new(); // (address of the jump, point)
        let mut exits: Vec<u32> = Vec::new();
        let jumped_to = jumped_to(block);
        for (point, steps) in block.points.iter().enumerate() {
            starts[point] = self.here();
            if jumped_to[point] {
                self.mark();
            }
            let lone_else = point == 0 && steps.len() == 1 && steps[0].action == Action::Else;
            if lone_else {
                self.emit(Op::GuardElse);
            }
            if let [only] = steps.as_slice()
                && falls_through(point, &only.action)
            {
                self.action(&only.action)?;
                match only.next {
                    Some(next) if next as usize == point + 1 => {}
                    next => {
                        let jump = self.here();
                        self.emit(Op::Jump { to: 0 });
                        match next {
                            Some(next) => jumps.push((jump, next)),
                            None => exits.push(jump),
                        }
                    }
                }
                continue;
            }
            for (at, step) in steps.iter().enumerate() {
                let last = at + 1 == steps.len();
                let attempt = self.here();
                let otherwise = if last && point == 0 { None } else { Some(0) };
                self.emit(Op::Attempt { otherwise });
                self.action(&step.action)?;
                let jump = self.here();
                self.emit(Op::Jump { to: 0 });
                match step.next {
                    Some(next) => jumps.push((jump, next)),
                    None => exits.push(jump),
                }
                self.patch(attempt);
            }
            self.emit(Op::Blocked);
        }
        for (jump, point) in jumps {
            if let Some(Op::Jump { to }) = self.engine.code.get_mut(jump as usize) {
                *to = starts[point as usize];
            }
        }
        for exit in exits {
            self.patch(exit);
        }
        Ok(())
    }
}

/// Whether the code of a point with one action only needs no attempt: there is nothing to choose
/// and, but for the first point, nothing to wait for.
fn falls_through(point: usize, action: &Action) -> bool {
    point == 0 || !can_block(action)
}

/// The points of a block that are reached by a jump, and not from the code before them.
fn jumped_to(block: &Block) -> Vec<bool> {
    let mut reached = vec![false; block.points.len()];
    for (point, steps) in block.points.iter().enumerate() {
        let alone = matches!(&steps[..], [only] if falls_through(point, &only.action));
        for next in steps.iter().filter_map(|step| step.next) {
            if !alone || next as usize != point + 1 {
                reached[next as usize] = true;
            }
        }
    }
    reached
}

/// Whether an action may have to wait.
fn can_block(action: &Action) -> bool {
    !matches!(
        action,
        Action::Skip
            | Action::Jump
            | Action::Discard(_)
            | Action::Named(_)
            | Action::Assign(..)
            | Action::AssignList(..)
            | Action::Declare(_)
            | Action::Assert(_)
            | Action::Print(..)
            | Action::PrintMtype(_)
            | Action::SetPriority(..)
    )
}

/// Whether two places are the same scalar, so that `x = x + 1` adds in place.
fn same(a: &Place, b: &Place) -> bool {
    a.owner == b.owner
        && a.variable == b.variable
        && a.index.is_none()
        && b.index.is_none()
        && a.fields.is_empty()
        && b.fields.is_empty()
}

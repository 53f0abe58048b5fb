//! Statements: what they store, and what is known behind them.

use super::cells::Cell;
use super::evaluate::never_fails;
use super::facts::Facts;
use super::fixpoint::Fixpoint;
use super::interval::Interval;
use crate::machine::{Action, Expression, Initial, Pattern, Place, Variable};
use crate::types::Type;

impl Fixpoint<'_> {
    /// Does an action; `None` if it cannot be done. `before` are the actions that are tried first.
    pub(super) fn act<'a>(
        &mut self,
        action: &Action,
        before: impl Iterator<Item = &'a Action>,
        mut facts: Facts,
    ) -> Option<Facts> {
        match action {
            Action::Skip | Action::Jump | Action::Named(_) | Action::Declare(_) | Action::End => {}
            // Nobody calculates what would be printed; a `d_step` is not one action.
            Action::Print(..) | Action::PrintMtype(_) | Action::DStep(_) => {}
            Action::Else => {
                for action in before {
                    // A condition that fails is neither true nor false.
                    if let Action::Condition(condition) = action
                        && never_fails(self.model, self.process, condition)
                    {
                        facts = self.assume(condition, false, facts)?;
                    }
                }
            }
            Action::Condition(condition) => facts = self.assume(condition, true, facts)?,
            // A search may go on behind an assertion that does not hold.
            Action::Assert(value) | Action::Discard(value) => {
                self.value(value, &facts)?;
            }
            Action::Assign(place, value) => {
                let value = self.value(value, &facts)?;
                self.store(place, value, &mut facts)?;
            }
            Action::AssignList(place, values) => {
                let value = Interval::constant(values.first().copied().unwrap_or(0));
                self.store(place, value, &mut facts)?;
            }
            Action::Send { channel, message, .. } => self.send(channel, message, &facts)?,
            Action::Receive { channel, pattern, .. } => {
                self.receive(channel, pattern, &mut facts)?;
            }
            Action::SetPriority(process, priority) => {
                self.value(process, &facts)?;
                self.value(priority, &facts)?;
            }
        }
        Some(facts)
    }

    fn store(&mut self, place: &Place, value: Interval, facts: &mut Facts) -> Option<()> {
        self.indices(place, facts)?;
        let cell = self.cells.at(self.process, place);
        let value = self.learn(cell, value);
        if self.cells.single[cell as usize] {
            facts.set(cell, value);
        }
        Some(())
    }

    /// Every channel that may be meant takes every value that may be sent; fields that are not
    /// given are zero.
    fn send(&mut self, channel: &Place, message: &[Expression], facts: &Facts) -> Option<()> {
        let channels = self.channels(channel, facts)?;
        let mut values = Vec::new();
        for field in message {
            values.push(self.value(field, facts)?);
        }
        for at in channels.into_iter().flatten() {
            let channel = &self.cells.channels[at];
            let (first, count) = (channel.first, channel.shape.fields.len());
            for field in 0..count {
                let value = values.get(field).copied().unwrap_or(Interval::ZERO);
                self.learn(first + field as Cell, value);
            }
        }
        Some(())
    }

    /// The fields of a message go to their places one after the other.
    fn receive(&mut self, channel: &Place, pattern: &[Pattern], facts: &mut Facts) -> Option<()> {
        let channels = self.channels(channel, facts)?;
        self.patterns(pattern, facts)?;
        for (field, part) in pattern.iter().enumerate() {
            let mut sent: Option<Interval> = None;
            for at in channels.clone().into_iter().flatten() {
                let channel = &self.cells.channels[at];
                if field < channel.shape.fields.len() {
                    let value = self.summary(channel.first + field as Cell);
                    sent = super::interval::either(sent, value, Interval::join);
                }
            }
            // What was never sent is not received.
            let sent = sent?;
            if let Pattern::Store(place) = part {
                self.store(place, sent, facts)?;
            }
        }
        Some(())
    }

    /// The variables of the model, or of the process type that is looked at, come into being: first
    /// the parameters, then the others in the order of the text, all of them zero before.
    pub(super) fn first_values(&mut self) -> Option<Facts> {
        let model = self.model;
        let (variables, parameters) = match self.process {
            Some(process) => {
                let process = &model.processes[process];
                (&process.locals, process.parameters as usize)
            }
            None => (&model.globals, 0),
        };
        let mut facts = Facts::default();
        for cell in self.cells.all_of(self.process) {
            if self.cells.single[cell as usize] {
                facts.set(cell, Interval::ZERO);
            }
        }
        if let Some(process) = self.process {
            for cell in self.cells.all_parameters(process) {
                let given = self.summary(self.cells.argument(process, cell))?;
                self.first_value(cell, given, &mut facts);
            }
        }
        self.starting = true;
        for (at, variable) in variables.iter().enumerate().skip(parameters) {
            let mut cell = self.cells.of(self.process, at).start;
            self.initial(variable, at, &mut cell, &mut facts);
        }
        self.starting = false;
        for cell in self.cells.all_of(self.process) {
            if let Some(value) = facts.get(cell) {
                self.learn(cell, value);
            }
        }
        Some(facts)
    }

    /// The first values of a variable or of a field of one, whose cells begin at `cell`.
    fn initial(&mut self, variable: &Variable, at: usize, cell: &mut Cell, facts: &mut Facts) {
        if let Type::Struct(id) = variable.kind {
            let model = self.model;
            for field in &model.structs[id.index()].fields {
                self.initial(field, at, cell, facts);
            }
            return;
        }
        let value = match &variable.initial {
            // What has no value now may have one when more is known.
            Initial::Value(expression) => self.value(expression, facts),
            Initial::List(values) => {
                let values = values.iter().map(|&value| Interval::constant(value));
                let kind = self.cells.kinds[*cell as usize];
                Some(
                    values
                        .map(|v| v.stored_as(kind))
                        .reduce(Interval::join)
                        .unwrap_or(Interval::ZERO),
                )
            }
            Initial::Channel(_) => Some(self.first_channels(at)),
            Initial::Zero | Initial::Parameter => Some(Interval::ZERO),
        };
        if let Some(value) = value {
            self.first_value(*cell, value, facts);
        }
        *cell += 1;
    }

    fn first_value(&mut self, cell: Cell, value: Interval, facts: &mut Facts) {
        let value = value.stored_as(self.cells.kinds[cell as usize]);
        if self.cells.single[cell as usize] {
            facts.set(cell, value);
        } else {
            self.learn(cell, value);
        }
    }

    /// The numbers of the channels that a variable starts with: those of a process depend on who
    /// lives when it comes into being.
    fn first_channels(&self, variable: usize) -> Interval {
        let number = |at: usize| at.min(255) as i32;
        match self.process {
            Some(_) => Interval::new(number(self.cells.global_channels() + 1), 255),
            None => {
                let own = self.cells.own_channels(None, variable);
                Interval::new(number(own.start + 1), number(own.end.max(own.start + 1)))
            }
        }
    }
}

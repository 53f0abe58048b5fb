//! Tests of channels that more messages could decide otherwise.
//!
//! A loop that adds messages in each round can be repeated only if every step of it stays possible
//! and does the same when channels hold more. Sends, receives, `nempty`, a true `c?[m]`, `c?<m>` and
//! `len(c) > k` are harmless: the word test says that each round finds the same messages. Everything
//! else that asks a channel is a *test*, and so are the hidden questions behind `else`, `timeout`,
//! `unless`, priorities, `enabled`, and an atomic block that cannot go on.
//!
//! * [`Sort::Head`]: the answer depends on the first message, or on whether there is any. If there is
//!   one, more messages change nothing: by the word test it is the same one in each round. The test
//!   is unstable only where the channel is empty and grows.
//! * [`Sort::Whole`]: the answer depends on the length or on messages further back (`len`, `full`,
//!   `??`, `!!`). It is unstable where the channel grows.

use pverify_model::machine::{Action, Block, Edge, Expression, Owner, Pattern, Place, Process};
use pverify_model::walk;
use pverify_semantics::Engine;
use pverify_semantics::shape::Slot;
use pverify_semantics::successors::Step;
use pverify_syntax::ast::{BinaryOperator, Probe};

/// What a test looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    /// The first message, or that there is none.
    Head,
    /// More than that.
    Whole,
}

/// A test; of any channel where it is not known which.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Test {
    pub(super) channel: Option<u8>,
    pub(super) sort: Sort,
}

/// The tests that a step makes in a state: one elementary step, or both halves of a rendezvous.
pub(super) fn of_steps(engine: &Engine<'_>, state: &[u64], steps: &[Step]) -> Vec<Test> {
    let mut found = Found { engine, state, tests: Vec::new(), pid: 0, asked: false };
    for step in steps {
        found.step(step);
    }
    found.tests
}

/// The tests behind the fact that a process cannot move.
pub(super) fn of_blocked(engine: &Engine<'_>, state: &[u64], pid: usize) -> Vec<Test> {
    let mut found = Found { engine, state, tests: Vec::new(), pid, asked: false };
    found.possibilities(pid);
    found.tests
}

struct Found<'e, 'm> {
    engine: &'e Engine<'m>,
    state: &'e [u64],
    tests: Vec<Test>,
    /// Whose locals are meant.
    pid: usize,
    /// Everybody has been asked: questions behind these questions add nothing.
    asked: bool,
}

impl<'m> Found<'_, 'm> {
    fn process(&self, pid: usize) -> Option<(&'m Process, &'m [Edge])> {
        let instance = self.engine.process(self.state, pid)?;
        let model = self.engine.model;
        let process = &model.processes[instance.kind as usize];
        let location = instance.location.get(self.state) as usize;
        Some((process, &process.graph.locations.get(location)?.edges))
    }

    fn step(&mut self, step: &Step) {
        self.pid = usize::from(step.pid);
        let model = self.engine.model;
        let process = &model.processes[step.kind as usize];
        let edges = &process.graph.locations[step.location as usize].edges;
        let Some(edge) = edges.get(usize::from(step.edge)) else { return };
        self.executed(&edge.action);
        let escapes = edges.iter().any(|edge| edge.escape.is_some());
        let otherwise = match &edge.action {
            Action::Else => true,
            Action::DStep(block) => starts_with_else(block),
            _ => false,
        };
        if escapes || otherwise {
            edges.iter().for_each(|edge| self.possible(&edge.action));
        }
        if let Some(provided) = &process.provided {
            self.holds(provided);
        }
        if model.uses.priorities {
            self.everybody();
        }
    }

    /// Everything that decides whether anybody can move.
    fn everybody(&mut self) {
        if std::mem::replace(&mut self.asked, true) {
            return;
        }
        let mine = self.pid;
        for pid in 0.. {
            if self.process(pid).is_none() {
                break;
            }
            self.possibilities(pid);
        }
        self.pid = mine;
    }

    /// Everything that decides whether a process can move.
    fn possibilities(&mut self, pid: usize) {
        self.pid = pid;
        let Some((process, edges)) = self.process(pid) else { return };
        edges.iter().for_each(|edge| self.possible(&edge.action));
        if let Some(provided) = &process.provided {
            self.value(provided);
        }
    }

    /// What an action asks when it is done.
    fn executed(&mut self, action: &Action) {
        match action {
            Action::Condition(condition) => self.holds(condition),
            // What they say changes nothing.
            Action::Assert(_) | Action::Print(..) | Action::PrintMtype(_) => {}
            Action::DStep(block) => self.block(block),
            action => {
                walk::action_expressions(action, &mut |e| self.part(e));
                match action {
                    Action::Send { channel, sorted: true, .. }
                    | Action::Receive { channel, random: true, .. } => {
                        self.add(channel, Sort::Whole);
                    }
                    _ => {}
                }
            }
        }
    }

    /// What decides whether an action can be done.
    fn possible(&mut self, action: &Action) {
        match action {
            Action::Condition(condition) => self.value(condition),
            Action::Receive { channel, random, pattern, .. } => {
                self.index(channel);
                self.add(channel, if *random { Sort::Whole } else { Sort::Head });
                for part in pattern {
                    if let Pattern::Match(expression) = part {
                        self.value(expression);
                    }
                }
            }
            // Somebody must take what is offered on a rendezvous channel; who can, depends on where
            // others stand and on what they ask for.
            Action::Send { channel, message, .. } => {
                if !self.is_unbounded(channel) {
                    self.offers();
                }
                message.iter().for_each(|field| self.value(field));
            }
            Action::DStep(block) => {
                let first = block.points.first().into_iter().flatten();
                first.for_each(|step| self.possible(&step.action));
            }
            _ => {}
        }
    }

    /// What others ask for when they receive.
    fn offers(&mut self) {
        let mine = self.pid;
        for pid in 0.. {
            let Some((process, edges)) = self.process(pid) else { break };
            self.pid = pid;
            for edge in edges {
                walk::action_expressions(&edge.action, &mut |e| self.plain_part(e));
            }
            if let Some(provided) = &process.provided {
                walk::expressions(provided, &mut |e| self.plain_part(e));
            }
        }
        self.pid = mine;
    }

    /// Inside a `d_step` the state is another one at each point, so every test counts as one of the
    /// whole channel; and where there is a choice, the first possible option is taken.
    fn block(&mut self, block: &Block) {
        let before = self.tests.len();
        for steps in &block.points {
            for step in steps {
                walk::action_expressions(&step.action, &mut |e| {
                    if *e == Expression::Timeout {
                        self.tests.push(Test { channel: None, sort: Sort::Whole });
                    }
                });
                self.executed(&step.action);
                if steps.len() > 1 {
                    self.possible(&step.action);
                }
            }
        }
        self.tests[before..].iter_mut().for_each(|test| test.sort = Sort::Whole);
    }

    /// A condition that holds, and must hold with more messages too.
    fn holds(&mut self, condition: &Expression) {
        use BinaryOperator::{And, Greater, GreaterEqual, Less, LessEqual, Or};
        match condition {
            Expression::Binary(And | Or, left, right) => {
                self.holds(left);
                self.holds(right);
            }
            Expression::Probe(Probe::Nempty, place) => self.index(place),
            Expression::Poll { channel, random: false, pattern } => {
                self.index(channel);
                for part in pattern {
                    if let Pattern::Match(expression) = part {
                        self.value(expression);
                    }
                }
            }
            Expression::Binary(Greater | GreaterEqual, left, right) if is_length(left) => {
                self.value(right);
            }
            Expression::Binary(Less | LessEqual, left, right) if is_length(right) => {
                self.value(left);
            }
            other => self.value(other),
        }
    }

    /// A value that must be the same with more messages.
    fn value(&mut self, expression: &Expression) {
        walk::expressions(expression, &mut |e| self.part(e));
    }

    fn index(&mut self, place: &Place) {
        let fields = place.fields.iter().map(|field| &field.index);
        for index in fields.chain([&place.index]).flatten() {
            self.value(index);
        }
    }

    /// A part of an expression, without what is inside it.
    fn part(&mut self, expression: &Expression) {
        match expression {
            Expression::Timeout | Expression::Enabled(_) => self.everybody(),
            other => self.plain_part(other),
        }
    }

    fn plain_part(&mut self, expression: &Expression) {
        match expression {
            Expression::Probe(probe, place) => {
                let head = matches!(probe, Probe::Empty | Probe::Nempty);
                self.add(place, if head { Sort::Head } else { Sort::Whole });
            }
            Expression::Poll { channel, random, .. } => {
                self.add(channel, if *random { Sort::Whole } else { Sort::Head });
            }
            _ => {}
        }
    }

    fn add(&mut self, place: &Place, sort: Sort) {
        let channel = self.number(place);
        if channel.is_none_or(|number| self.engine.is_unbounded(number, self.state)) {
            let test = Test { channel, sort };
            if !self.tests.contains(&test) {
                self.tests.push(test);
            }
        }
    }

    fn is_unbounded(&self, place: &Place) -> bool {
        self.number(place).is_some_and(|number| self.engine.is_unbounded(number, self.state))
    }

    /// The channel that a place always is, if that is plain.
    fn number(&self, place: &Place) -> Option<u8> {
        let slot = match place.owner {
            Owner::Global => self.engine.global(place.variable),
            Owner::Local => {
                let instance = self.engine.process(self.state, self.pid)?;
                instance.locals.get(place.variable.index())?
            }
        };
        let Slot::Channels { first, length } = slot else { return None };
        let index = match place.index.as_deref() {
            None => 0,
            Some(&Expression::Constant(index, _)) => index,
            Some(_) => return None,
        };
        (0..*length as i32).contains(&index).then(|| *first + index as u8)
    }
}

fn is_length(expression: &Expression) -> bool {
    matches!(expression, Expression::Probe(Probe::Len, place)
        if place.index.is_none() && place.fields.iter().all(|field| field.index.is_none()))
}

fn starts_with_else(block: &Block) -> bool {
    let first = block.points.first().into_iter().flatten();
    first.into_iter().any(|step| step.action == Action::Else)
}

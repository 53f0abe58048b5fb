//! Elements and sequences: the body of a process as SPIN links it while parsing.
//!
//! The order of creation matters: an element gets its number when its statement is complete, so
//! the statements inside a choice are numbered before the choice itself.

use crate::machine::Action;
use ahash::AHashSet;
use pverify_syntax::source::Span;
use pverify_syntax::token::Name;

/// An element of the model, by its number across all processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct ElementId(pub(crate) u32);

/// A sequence of elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SequenceId(pub(crate) u32);

/// The way out of a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BreakId(pub(crate) u32);

/// Where a jump leads.
#[derive(Clone, Debug)]
pub(crate) enum Jump {
    /// `goto`, with the block the label's name was first met in.
    Label { name: Name, scope: ScopePath },
    /// `break`
    Break(BreakId),
}

/// The blocks around a place, outermost first, by their numbers on each level.
pub(crate) type ScopePath = Vec<u32>;

/// What an element is.
#[derive(Clone, Debug)]
pub(crate) enum Node {
    /// A statement that is a step.
    Step(Action),
    /// `goto` or `break`.
    Goto(Jump),
    /// The joint behind a choice or in front of a loop.
    Joint,
    /// The joint behind a loop.
    LoopExit,
    /// `if` and `do`.
    Choice,
    /// `unless`.
    Unless,
    /// `atomic { … }`
    Atomic(SequenceId),
    /// `d_step { … }`
    DStep(SequenceId),
    /// `{ … }`
    Block(SequenceId),
    /// The end of the body.
    Stop,
}

/// A statement that is parsed but has no element yet.
#[derive(Clone, Debug)]
pub(crate) struct Statement {
    pub(crate) kind: StatementKind,
    pub(crate) span: Span,
    /// The `d_step` it stands in, as [`Flow::d_step_start`] was then.
    pub(crate) d_step: Option<u32>,
}

/// The kinds of parsed statements.
#[derive(Clone, Debug)]
pub(crate) enum StatementKind {
    Plain(Node),
    If(Vec<SequenceId>),
    Do(Vec<SequenceId>),
    Unless(SequenceId, SequenceId),
    Labelled { name: Name, scope: ScopePath, span: Span, statement: Box<Statement> },
}

/// One element.
#[derive(Debug)]
pub(crate) struct Element {
    pub(crate) node: Node,
    pub(crate) process: u32,
    /// Its number within the process, from 1.
    pub(crate) number: u32,
    pub(crate) next: Option<ElementId>,
    /// The options of a choice; main sequence and escape of an `unless`.
    pub(crate) options: Vec<SequenceId>,
    /// Escapes that can take over here, innermost last attached first.
    pub(crate) escapes: Vec<SequenceId>,
    /// The step ends inside an atomic block.
    pub(crate) atomic: bool,
    /// It is the last step of an atomic block.
    pub(crate) atomic_last: bool,
    /// It is inside a `d_step`.
    pub(crate) in_d_step: bool,
    pub(crate) d_step: Option<u32>,
    pub(crate) span: Span,
}

/// Elements one after the other.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sequence {
    pub(crate) first: Option<ElementId>,
    pub(crate) last: Option<ElementId>,
    /// The last element before joints were appended.
    pub(crate) extent: Option<ElementId>,
}

/// A label that has been set.
#[derive(Clone, Debug)]
pub(crate) struct LabelEntry {
    pub(crate) name: Name,
    pub(crate) scope: ScopePath,
    pub(crate) process: u32,
    pub(crate) element: ElementId,
    pub(crate) span: Span,
}

/// What is wrong with the structure of a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum FlowError {
    /// A label where SPIN allows none; what the person should write instead.
    LabelPlacement {
        label: Name,
        span: Span,
        advice: &'static str,
    },
    DuplicateElse(Span),
    MisplacedBreak(Span),
    JumpOutOfDStep(Span),
    LabelRedeclared {
        label: Name,
        span: Span,
        before: Span,
    },
    ElseBesideChannel(Span),
    EmptySequence(Span),
    /// SPIN ignores some of them, refuses others, and takes the escape for an option in the rest.
    UnlessInDStep(Span),
}

/// The elements of all processes of a model.
#[derive(Debug, Default)]
pub(crate) struct Flow {
    pub(crate) elements: Vec<Element>,
    pub(crate) sequences: Vec<Sequence>,
    pub(crate) labels: Vec<LabelEntry>,
    pub(crate) errors: Vec<FlowError>,
    /// The element each loop exit leads to.
    pub(crate) exits: Vec<Option<ElementId>>,
    open: Vec<SequenceId>,
    breaks: Vec<BreakId>,
    /// The next number within the process.
    pub(crate) count: u32,
    /// The process being built.
    pub(crate) process: u32,
    /// The first element of the `d_step` being built.
    pub(crate) d_step_start: Option<u32>,
    /// Whether declarations are still initialised when the process starts.
    pub(crate) at_start: bool,
    /// The skips that [`Flow::prune`] dropped.
    pub(crate) pruned: AHashSet<ElementId>,
    /// Whether the body is a never claim, whose options are not pruned.
    pub(crate) in_claim: bool,
}

impl Flow {
    /// Starts the body of a process.
    pub(crate) fn open_body(&mut self, process: u32, in_claim: bool) {
        self.process = process;
        self.in_claim = in_claim;
        self.open_sequence();
        self.count = 1;
        self.at_start = true;
    }

    pub(crate) fn open_sequence(&mut self) {
        let id = SequenceId(self.sequences.len() as u32);
        self.sequences.push(Sequence::default());
        self.open.push(id);
        self.at_start = false;
    }

    /// Closes a sequence; `advice` says where its first label should have stood, if it has one.
    pub(crate) fn close_sequence(
        &mut self,
        advice: Option<&'static str>,
        span: Span,
    ) -> SequenceId {
        let id = self.current();
        let sequence = self.sequences[id.0 as usize];
        if let (Some(advice), Some(first)) = (advice, sequence.first)
            && let Some(label) = self.labels.iter().find(|label| label.element == first)
        {
            let (label, span) = (label.name.clone(), label.span);
            self.errors.push(FlowError::LabelPlacement { label, span, advice });
        }
        if sequence.first.is_none() {
            self.errors.push(FlowError::EmptySequence(span));
            let skip = self.statement(Node::Step(Action::Skip), span);
            self.add(skip);
        }
        self.open.pop();
        let sequence = &mut self.sequences[id.0 as usize];
        sequence.extent = sequence.last;
        id
    }

    /// Ends the body of a process.
    pub(crate) fn close_body(&mut self, span: Span) -> SequenceId {
        let stop = self.statement(Node::Stop, span);
        self.add(stop);
        self.at_start = true;
        self.close_sequence(None, span)
    }

    /// A statement made here and now.
    pub(crate) fn statement(&self, node: Node, span: Span) -> Statement {
        self.wrap(StatementKind::Plain(node), span)
    }

    pub(crate) fn wrap(&self, kind: StatementKind, span: Span) -> Statement {
        Statement { kind, span, d_step: self.d_step_start }
    }

    /// A new loop: `break` leads behind it until it gets its elements.
    pub(crate) fn push_break(&mut self) {
        self.breaks.push(BreakId(self.exits.len() as u32));
        self.exits.push(None);
    }

    pub(crate) fn break_target(&mut self, span: Span) -> Option<BreakId> {
        let target = self.breaks.last().copied();
        if target.is_none() {
            self.errors.push(FlowError::MisplacedBreak(span));
        }
        target
    }

    /// Hides the innermost loop while the escape of its own `unless` is read.
    pub(crate) fn suspend_break(&mut self) -> Option<BreakId> {
        self.breaks.pop()
    }

    pub(crate) fn resume_break(&mut self, id: Option<BreakId>) {
        self.breaks.extend(id);
    }

    /// Marks the start of a `d_step`.
    pub(crate) fn enter_d_step(&mut self) {
        self.d_step_start = Some(self.elements.len() as u32);
    }

    /// Drops a skip behind another skip or print in an option, as SPIN does.
    pub(crate) fn prune(&mut self, option: SequenceId) {
        let ends = self.sequence(option);
        let mut run = 0;
        let mut before: Option<ElementId> = None;
        let mut at = ends.first;
        while let Some(id) = at {
            let element = self.get(id);
            let next = element.next;
            let (idle, skip) = match &element.node {
                Node::Step(Action::Skip) => (true, true),
                Node::Step(Action::Print(..) | Action::PrintMtype(_)) => (true, false),
                _ => (false, false),
            };
            let labelled = || self.labels.iter().any(|label| label.element == id);
            run = if idle && !labelled() { run + 1 } else { 0 };
            let inner = Some(id) != ends.first && Some(id) != ends.last;
            if let (true, true, true, Some(before)) = (run > 1, skip, inner, before) {
                self.get_mut(before).next = next;
                self.pruned.insert(id);
            } else {
                before = Some(id);
            }
            at = next;
        }
    }

    /// `main unless escape`.
    pub(crate) fn unless(&mut self, main: Statement, escape: Statement, span: Span) -> Statement {
        let escape = match escape.kind {
            StatementKind::Plain(Node::Block(sequence)) => sequence,
            _ => {
                let at = escape.span;
                self.open_sequence();
                self.add(escape);
                self.close_sequence(
                    Some("the guard of an escape is not one place, so no jump can lead there: remove the label"),
                    at,
                )
            }
        };
        if let StatementKind::Plain(Node::Block(main)) = main.kind {
            return self.wrap(StatementKind::Unless(main, escape), span);
        }
        if let StatementKind::Labelled { name, scope, span: at, statement } = &main.kind
            && let StatementKind::Plain(
                node @ (Node::Block(inner) | Node::Atomic(inner) | Node::DStep(inner)),
            ) = &statement.kind
        {
            // The label is lifted to a block around the whole `unless`.
            if matches!(node, Node::DStep(_)) {
                self.errors.push(FlowError::UnlessInDStep(span));
            }
            let unless = self.wrap(StatementKind::Unless(*inner, escape), span);
            self.open_sequence();
            self.add(unless);
            let around = self.close_sequence(None, span);
            let node = match node {
                Node::Atomic(_) => Node::Atomic(around),
                Node::DStep(_) => Node::DStep(around),
                _ => Node::Block(around),
            };
            let statement = Box::new(self.statement(node, span));
            let (name, scope, at) = (name.clone(), scope.clone(), *at);
            return self.wrap(StatementKind::Labelled { name, scope, span: at, statement }, span);
        }
        let at = main.span;
        self.open_sequence();
        self.add(main);
        let main = self.close_sequence(Some("write `Label: { statement unless statement }`"), at);
        self.wrap(StatementKind::Unless(main, escape), span)
    }

    /// Makes the elements of a statement and appends them to the open sequence.
    pub(crate) fn add(&mut self, statement: Statement) {
        let mut labels = Vec::new();
        let mut inner = statement;
        while let StatementKind::Labelled { name, scope, span, statement } = inner.kind {
            labels.push((name, scope, span));
            inner = *statement;
        }
        let Statement { kind, span, d_step } = inner;
        let (element, linked) = match kind {
            StatementKind::Plain(node) => (self.element(node, span, d_step), false),
            StatementKind::If(options) => (self.choice(options, false, span), true),
            StatementKind::Do(options) => (self.choice(options, true, span), true),
            StatementKind::Unless(main, escape) => (self.unless_elements(main, escape, span), true),
            StatementKind::Labelled { .. } => unreachable!("labels were taken off above"),
        };
        for (name, scope, span) in labels.into_iter().rev() {
            self.set_label(name, scope, element, span);
        }
        if !linked {
            let current = self.current();
            self.append(element, current);
        }
    }

    fn current(&mut self) -> SequenceId {
        if self.open.is_empty() {
            self.open_sequence();
        }
        self.open[self.open.len() - 1]
    }

    fn element(&mut self, node: Node, span: Span, d_step: Option<u32>) -> ElementId {
        let id = ElementId(self.elements.len() as u32);
        self.elements.push(Element {
            node,
            process: self.process,
            number: self.count,
            next: None,
            options: Vec::new(),
            escapes: Vec::new(),
            atomic: false,
            atomic_last: false,
            in_d_step: false,
            d_step,
            span,
        });
        self.count += 1;
        id
    }

    pub(crate) fn get(&self, id: ElementId) -> &Element {
        &self.elements[id.0 as usize]
    }

    pub(crate) fn get_mut(&mut self, id: ElementId) -> &mut Element {
        &mut self.elements[id.0 as usize]
    }

    pub(crate) fn sequence(&self, id: SequenceId) -> Sequence {
        self.sequences[id.0 as usize]
    }

    fn append(&mut self, element: ElementId, sequence: SequenceId) {
        if matches!(self.get(element).node, Node::Goto(_)) {
            // A jump is no place to rest at: a label that means something gets a skip of its own.
            let special =
                |name: &str| ["accept", "end", "progress"].iter().any(|p| name.starts_with(p));
            let marked = self.labels.iter().rev().any(|l| l.element == element && special(&l.name));
            if marked {
                let (span, d_step) = (self.get(element).span, self.get(element).d_step);
                let skip = self.element(Node::Step(Action::Skip), span, d_step);
                if let Some(label) = self.labels.iter_mut().rev().find(|l| l.element == element) {
                    label.element = skip;
                }
                self.append(skip, sequence);
            }
        }
        let at = &mut self.sequences[sequence.0 as usize];
        let last = at.last.replace(element);
        if at.first.is_none() {
            at.first = Some(element);
        }
        if let Some(last) = last {
            self.get_mut(last).next = Some(element);
        }
    }

    fn set_label(&mut self, name: Name, scope: ScopePath, element: ElementId, span: Span) {
        let process = self.process;
        let before = self
            .labels
            .iter()
            .find(|label| label.name == name && label.process == process && label.scope == scope);
        if let Some(before) = before {
            let before = before.span;
            self.errors.push(FlowError::LabelRedeclared { label: name.clone(), span, before });
        }
        self.labels.push(LabelEntry { name, scope, process, element, span });
    }

    /// The elements of a choice or loop, linked into the open sequence; gives the choice itself.
    fn choice(&mut self, mut options: Vec<SequenceId>, repeats: bool, span: Span) -> ElementId {
        let d_step = self.d_step_start;
        let choice = self.element(Node::Choice, span, d_step);
        let joint = self.element(Node::Joint, span, d_step);
        self.move_else_last(&mut options);
        for &option in &options {
            self.append(joint, option);
        }
        self.get_mut(choice).options = options;
        let current = self.current();
        let mut behind = joint;
        if repeats {
            self.append(joint, current);
            behind = self.element(Node::LoopExit, span, d_step);
            if let Some(id) = self.breaks.pop() {
                self.exits[id.0 as usize] = Some(behind);
            }
        }
        self.append(choice, current);
        self.append(behind, current);
        choice
    }

    fn move_else_last(&mut self, options: &mut Vec<SequenceId>) {
        let mut elses = Vec::new();
        let mut channels = false;
        for (at, &option) in options.iter().enumerate() {
            let Some(first) = self.sequence(option).first else { continue };
            match &self.get(first).node {
                Node::Step(Action::Else) => elses.push((at, self.get(first).span)),
                Node::Step(action) => channels |= crate::walk::tests_channel(action),
                _ => {}
            }
        }
        if let Some(&(_, span)) = elses.get(1) {
            self.errors.push(FlowError::DuplicateElse(span));
        }
        if let Some(&(at, span)) = elses.first() {
            let option = options.remove(at);
            options.push(option);
            if channels {
                self.errors.push(FlowError::ElseBesideChannel(span));
            }
        }
    }

    fn unless_elements(&mut self, main: SequenceId, escape: SequenceId, span: Span) -> ElementId {
        let d_step = self.d_step_start;
        let unless = self.element(Node::Unless, span, d_step);
        let joint = self.element(Node::Joint, span, d_step);
        self.append(joint, main);
        self.append(joint, escape);
        self.get_mut(unless).options = vec![main, escape];
        self.attach_escape(main, escape);
        let current = self.current();
        self.append(unless, current);
        self.append(joint, current);
        unless
    }
}

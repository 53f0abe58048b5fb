//! From elements to control graphs, once the whole text has been read.

use super::{Lowering, RunArgument};
use crate::codes;
use crate::control::block::{self, BlockError};
use crate::control::flow::{ElementId, Node};
use crate::control::fold::{FoldError, Marks, fold};
use crate::control::table::{Entry, Table, table};
use crate::machine::{
    Action, ControlGraph, Edge, Label, Location, LocationId, ProcessId, ProcessKind,
};
use crate::types::Type;
use ahash::AHashMap;
use pverify_syntax::diagnostic::Diagnostic;
use pverify_syntax::source::Span;

impl Lowering {
    pub(super) fn finish(&mut self) {
        if self.giving_up() {
            return;
        }
        self.check_pending_runs();
        self.report_flow_errors();
        self.flow.tie_loose_ends();
        let mut reached = vec![false; self.flow.elements.len()];
        for at in 0..self.bodies.len() {
            self.graph(ProcessId(at as u32), &mut reached);
        }
        self.check_messages();
        self.check_handshakes();
        self.check_d_step_guards();
        if !self.diagnostics.iter().any(Diagnostic::is_error) {
            crate::lint::lint(
                &self.model,
                &self.flow,
                &reached,
                &self.remote_labels,
                &mut self.diagnostics,
            );
        }
    }

    fn graph(&mut self, id: ProcessId, reached: &mut [bool]) {
        let Some(body) = &self.bodies[id.index()] else { return };
        let (sequence, size) = (body.sequence, body.size);
        let claim = self.model.processes[id.index()].kind == ProcessKind::Never;
        let mut jump_errors = Vec::new();
        let mut rows = table(&mut self.flow, id.0, sequence, size, &mut jump_errors);
        let mut marks = self.marks(id, sequence, size);
        let fold_errors = fold(&mut rows, &mut marks, &self.flow, claim);
        let first = self.flow.sequence(sequence).first;
        let start = first.map(|first| {
            let atomic = self.flow.get(first).atomic;
            self.flow.rest(first, atomic, id.0)
        });
        match start {
            Some(Ok(start)) => {
                let start = self.flow.get(start).number;
                self.locations(id, &rows, &marks, start, reached);
            }
            Some(Err(error)) => jump_errors.push(error),
            None => {}
        }
        self.report_jump_errors(jump_errors);
        self.report_fold_errors(&fold_errors);
    }

    fn marks(
        &self,
        id: ProcessId,
        body: crate::control::flow::SequenceId,
        size: u32,
    ) -> Vec<Marks> {
        let mut marks = vec![Marks::default(); size as usize];
        for label in self.flow.labels.iter().filter(|label| label.process == id.0) {
            if let Some(mark) = marks.get_mut(self.flow.get(label.element).number as usize) {
                mark.end |= label.name.starts_with("end");
                mark.accept |= label.name.starts_with("accept");
                mark.progress |= label.name.starts_with("progress");
            }
        }
        let last = self.flow.sequence(body).last.map(|last| self.flow.get(last).number);
        if let Some(mark) = last.and_then(|last| marks.get_mut(last as usize)) {
            mark.end = true;
        }
        marks
    }

    /// The locations control can reach, in the order a depth-first walk meets them.
    fn locations(
        &mut self,
        id: ProcessId,
        rows: &Table,
        marks: &[Marks],
        start: u32,
        reached: &mut [bool],
    ) {
        let spans: AHashMap<u32, Span> = self
            .flow
            .elements
            .iter()
            .filter(|element| element.process == id.0)
            .map(|element| (element.number, element.span))
            .collect();
        let mut order: Vec<u32> = Vec::new();
        let mut index: AHashMap<u32, LocationId> = AHashMap::new();
        let mut work = vec![start];
        while let Some(number) = work.pop() {
            if number == 0 || index.contains_key(&number) {
                continue;
            }
            index.insert(number, LocationId(order.len() as u32));
            order.push(number);
            let targets = rows[number as usize].iter().rev();
            work.extend(targets.filter(|t| t.entry != Entry::Structure).map(|t| t.target));
        }
        let mut blocks: AHashMap<ElementId, Action> = AHashMap::new();
        let mut locations = Vec::new();
        for &number in &order {
            let mut edges = Vec::new();
            for transition in &rows[number as usize] {
                let Entry::Step(element) = transition.entry else { continue };
                reached[element.0 as usize] = true;
                edges.push(Edge {
                    id: transition.id,
                    target: index.get(&transition.target).copied(),
                    action: self.edge_action(id, element, &mut blocks, reached),
                    atomic: transition.atomic,
                    escape: transition.escape,
                    span: self.flow.get(element).span,
                });
            }
            let Marks { end, accept, progress } = marks[number as usize];
            let span = spans.get(&number).copied().unwrap_or_default();
            locations.push(Location { number, edges, end, accept, progress, span });
        }
        let labels = self.flow.labels.iter().filter(|label| label.process == id.0);
        let labels = labels.map(|label| {
            let number = self.flow.get(label.element).number;
            let location = index.get(&number).copied();
            Label { name: label.name.clone(), number, location, span: label.span }
        });
        let labels = labels.collect();
        self.model.processes[id.index()].graph = ControlGraph { locations, labels };
    }

    fn edge_action(
        &mut self,
        id: ProcessId,
        element: ElementId,
        blocks: &mut AHashMap<ElementId, Action>,
        reached: &mut [bool],
    ) -> Action {
        let inner = match &self.flow.get(element).node {
            Node::Step(action) => return action.clone(),
            Node::Stop => return Action::End,
            Node::DStep(inner) => *inner,
            _ => return Action::Jump,
        };
        if let Some(action) = blocks.get(&element) {
            return action.clone();
        }
        let mut errors = Vec::new();
        let block = block::block(&self.flow, id.0, element, inner, &mut errors, reached);
        for error in errors {
            match error {
                BlockError::Forbidden { what, span } => self.error_help(
                    &codes::FORBIDDEN_IN_D_STEP,
                    span,
                    format!("a `d_step` cannot contain {what}"),
                    "use `atomic` instead",
                ),
                BlockError::Leaves { span } => self.error_help(
                    &codes::JUMP_ACROSS_D_STEP,
                    span,
                    "this jump leaves its `d_step`",
                    "use `atomic`, or jump behind the block",
                ),
                BlockError::Circle { span } => self.error_help(
                    &codes::JUMP_CIRCLE,
                    span,
                    "these jumps lead in a circle without a statement between them",
                    "put a statement into the circle",
                ),
            }
        }
        let action = Action::DStep(Box::new(block));
        blocks.insert(element, action.clone());
        action
    }

    fn report_fold_errors(&mut self, errors: &[FoldError]) {
        let several_else = !errors.is_empty()
            && self.diagnostics.iter().any(|one| one.code == &codes::DUPLICATE_ELSE);
        for error in errors {
            match *error {
                FoldError::SelfLoop(element) => {
                    let span = self.flow.get(element).span;
                    self.error_help(
                        &codes::SELF_LOOP,
                        span,
                        "this step does nothing and leads back to itself",
                        "an idle loop; remove it, or let it do something",
                    );
                }
                // Two in one choice were met when it was read.
                FoldError::SeveralElse(_) if several_else => {}
                FoldError::SeveralElse(element) => {
                    let span = self.flow.get(element).span;
                    self.error_help(
                        &codes::DUPLICATE_ELSE,
                        span,
                        "nested choices bring two `else` to one place",
                        "put a statement in front of the inner choice",
                    );
                }
            }
        }
    }

    /// No message can have more fields than the widest channel of the model.
    fn check_messages(&mut self) {
        let widest = self.widest_message;
        let mut wrong = Vec::new();
        for process in &self.model.processes {
            for edge in process.graph.locations.iter().flat_map(|location| &location.edges) {
                crate::walk::actions(&edge.action, edge.span, &mut |action, span| {
                    if let Action::Send { message, .. } = action
                        && message.len() > widest
                    {
                        wrong.push((span, message.len()));
                    }
                });
            }
        }
        for (span, given) in wrong {
            self.error_help(
                &codes::WRONG_ARGUMENTS,
                span,
                format!("a message of {given} fields, but no channel has more than {widest}"),
                "declare the channel with `= [n] of { … }`, or send fewer values",
            );
        }
    }

    /// Actual against formal parameters, now that every proctype is known.
    fn check_pending_runs(&mut self) {
        for run in std::mem::take(&mut self.pending_runs) {
            let Some(&id) = self.process_names.get(&run.process.node) else { continue };
            let Some(process) = self.model.processes.get(id.index()) else { continue };
            let mut formal = Vec::new();
            for parameter in &process.locals[..process.parameters as usize] {
                match parameter.kind {
                    Type::Struct(id) => {
                        formal.extend(self.struct_fields(id).into_iter().map(|kind| (kind, false)));
                    }
                    kind => formal.push((kind, true)),
                }
            }
            let declared = process.span;
            if formal.len() != run.arguments.len() {
                let (wanted, given) = (formal.len(), run.arguments.len());
                self.report(
                    Diagnostic::new(
                        &codes::WRONG_ARGUMENTS,
                        run.span,
                        format!(
                            "`{}` takes {wanted} value{}, not {given}",
                            run.process.node,
                            if wanted == 1 { "" } else { "s" }
                        ),
                    )
                    .label(declared, "declared here")
                    .help("give one value for each parameter (a structure counts by its fields)"),
                );
                continue;
            }
            for (&(kind, whole), argument) in formal.iter().zip(&run.arguments) {
                let Type::Mtype(subtype) = kind else { continue };
                match argument {
                    RunArgument::MtypeConstant(given) if *given != subtype => {
                        let message = "this `mtype` constant is of another set than the parameter";
                        let help = "give a constant of the parameter's own set";
                        self.error_help(&codes::WRONG_MTYPE, run.span, message, help);
                    }
                    RunArgument::Variable if whole => self.error_help(
                        &codes::WRONG_MTYPE,
                        run.span,
                        "SPIN passes only constants, no variables, to a parameter of type `mtype`",
                        "declare the parameter as `byte`, which holds every `mtype` constant",
                    ),
                    _ => {}
                }
            }
        }
    }
}

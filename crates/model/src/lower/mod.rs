//! The tree is read once, in the order of the text, as SPIN reads it: a name must be declared
//! before it is used, a process body becomes elements as it goes, formulas come last.

mod checks;
mod constant;
mod declaration;
mod event;
mod exclusive;
mod expression;
mod finish;
mod flow_errors;
mod handshake;
mod item;
mod looping;
mod place;
mod precedence;
mod reference;
mod scope;
mod self_index;
mod statement;

use crate::codes;
use crate::control::flow::{Flow, SequenceId};
use crate::machine::{Model, ProcessId, ProcessKind};
use ahash::{AHashMap, AHashSet};
use exclusive::Promises;
use handshake::FirstUses;
use pverify_syntax::ast::{Ident, Program};
use pverify_syntax::diagnostic::{Code, Diagnostic};
use pverify_syntax::source::Span;
use pverify_syntax::token::Name;
use scope::Scopes;

/// Builds the machines of a model. With errors among the diagnostics, the model is incomplete.
pub fn lower(program: &Program) -> (Model, Vec<Diagnostic>) {
    let mut lowering = Lowering::default();
    lowering.collect(program);
    lowering.items(program);
    lowering.finish();
    (lowering.model, lowering.diagnostics)
}

/// Nobody reads more errors than this at once, and some take long to find.
const MOST_ERRORS: usize = 1000;

/// A process body between reading it and making its graph.
#[derive(Debug)]
struct Body {
    sequence: SequenceId,
    /// One more than the greatest element number.
    size: u32,
}

/// A `run` whose process may be declared further on.
#[derive(Debug)]
struct PendingRun {
    process: Ident,
    /// For each actual parameter what is known of it.
    arguments: Vec<RunArgument>,
    span: Span,
}

/// What the check of a `run` needs to know of an actual parameter.
#[derive(Clone, Copy, Debug)]
enum RunArgument {
    /// An `mtype` constant, by its subtype.
    MtypeConstant(u32),
    /// A variable.
    Variable,
    /// Anything else.
    Value,
}

#[derive(Debug, Default)]
struct Lowering {
    model: Model,
    diagnostics: Vec<Diagnostic>,
    /// How many of them are errors.
    errors: usize,
    scopes: Scopes,
    flow: Flow,
    bodies: Vec<Option<Body>>,
    /// Where each process name stands in the text, known from the start for `run`.
    process_names: AHashMap<Name, ProcessId>,
    /// The proctypes whose heading has been read.
    declared: AHashSet<ProcessId>,
    pending_runs: Vec<PendingRun>,
    /// The process being read; `None` outside.
    process: Option<ProcessId>,
    /// Labels that some remote reference names, as indices of the flow's labels.
    remote_labels: AHashSet<usize>,
    /// Variables whose declaration has an error: that they are unknown is no news.
    broken: AHashSet<Name>,
    /// The most fields that a channel of the model has.
    widest_message: usize,
    /// Whether an `xr` or `xs` was met.
    exclusive: bool,
    /// What processes promised with them.
    promises: Promises,
    /// Where rendezvous channels, priorities and `enabled()` are met first.
    first_uses: FirstUses,
    formulas: u32,
    claims: u32,
}

impl Lowering {
    fn report(&mut self, diagnostic: Diagnostic) {
        self.errors += usize::from(diagnostic.is_error());
        self.diagnostics.push(diagnostic);
    }

    /// Whether to leave the rest of the model unread.
    fn giving_up(&self) -> bool {
        self.errors >= MOST_ERRORS
    }

    fn error_help(
        &mut self,
        code: &'static Code,
        span: Span,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.report(Diagnostic::new(code, span, message).help(help));
    }

    /// The kind of the process being read.
    fn kind(&self) -> Option<ProcessKind> {
        self.process.map(|id| self.model.processes[id.index()].kind)
    }

    fn in_claim(&self) -> bool {
        self.kind() == Some(ProcessKind::Never)
    }

    fn in_trace(&self) -> bool {
        matches!(self.kind(), Some(ProcessKind::Trace | ProcessKind::Notrace))
    }

    /// Refuses names that SPIN reads as other words once they are declared.
    fn check_fresh(&mut self, name: &Ident, what: &str) -> bool {
        let taken = if let Some(constant) = self.model.mtypes.get(&name.node) {
            Some(("an `mtype` constant", constant.span))
        } else if let Some(at) = self.model.structs.iter().find(|s| s.name == name.node) {
            Some(("a `typedef`", at.span))
        } else {
            let process = self.process_names.get(&name.node);
            let process = process.filter(|id| self.declared.contains(id));
            process.map(|id| ("a proctype", self.model.processes[id.index()].span))
        };
        let Some((other, span)) = taken else { return true };
        self.report(
            Diagnostic::new(
                &codes::NAME_TAKEN,
                name.span,
                format!("`{}` cannot be {what}: it already is {other}", name.node),
            )
            .label(span, "declared here")
            .help("choose another name"),
        );
        false
    }
}

//! The units of a model, in the order of the text; formulas last.

use super::{Body, Lowering, scope::Meaning};
use crate::codes;
use crate::machine::{
    ControlGraph, Expression, Initial, Owner, Process, ProcessId, ProcessKind, Property,
    Proposition, Variable, VariableId,
};
use crate::types::{Struct, Type};
use crate::walk;
use pverify_syntax::ast::{
    Declaration, Formula, FormulaKind, Ident, Item, ItemKind, Proctype, Program, Sequence, Spanned,
};
use pverify_syntax::diagnostic::Diagnostic;
use pverify_syntax::source::Span;
use pverify_syntax::token::Name;

/// SPIN counts processes in a byte.
const MOST_PROCESSES: i32 = 255;

impl Lowering {
    /// Numbers the process types beforehand: `run` may name one that stands further on.
    pub(super) fn collect(&mut self, program: &Program) {
        let mut next = 0;
        for item in &program.items {
            let name = match &item.node {
                ItemKind::Proctype(proctype) => Some(proctype.name.node.clone()),
                ItemKind::Init { .. } | ItemKind::Never { .. } | ItemKind::Trace { .. } => None,
                _ => continue,
            };
            if let Some(name) = name {
                self.process_names.entry(name).or_insert(ProcessId(next));
            }
            next += 1;
        }
    }

    pub(super) fn items(&mut self, program: &Program) {
        for item in &program.items {
            if self.giving_up() {
                return;
            }
            self.item(item);
        }
        for item in &program.items {
            if let ItemKind::Ltl { name, formula } = &item.node {
                self.formula(name.as_ref(), formula, item.span);
            }
        }
        let runs = |p: &Process| p.active > 0;
        if !self.model.processes.iter().any(runs) {
            let span = program.items.first().map_or(Span::default(), |item| item.span);
            self.error_help(
                &codes::NOTHING_RUNS,
                span,
                "no process runs from the start",
                "add `init { … }`, or `active` in front of a proctype",
            );
        }
    }

    fn item(&mut self, item: &Item) {
        match &item.node {
            ItemKind::Proctype(proctype) => self.proctype(proctype, item.span),
            ItemKind::Init { priority, body } => {
                self.single(ProcessKind::Init, item.span);
                let priority = priority.as_ref();
                self.machine(":init:".into(), ProcessKind::Init, 1, priority, body, item.span);
            }
            ItemKind::Never { name, body } => {
                let name = match name {
                    Some(name) => name.node.clone(),
                    None => format!("never_{}", self.claims).into(),
                };
                self.claims += 1;
                self.only_claim(&name, item.span);
                self.machine(name, ProcessKind::Never, 0, None, body, item.span);
            }
            ItemKind::Trace { negated, body } => {
                let kind = if *negated { ProcessKind::Notrace } else { ProcessKind::Trace };
                self.single(kind, item.span);
                let name = if *negated { ":notrace:" } else { ":trace:" };
                self.machine(name.into(), kind, 0, None, body, item.span);
            }
            ItemKind::Ltl { .. } => {}
            ItemKind::Declaration(declaration) => self.global_declaration(declaration),
            ItemKind::Mtype { name, constants, visibility } => {
                if let Some(visibility) = visibility {
                    let message = "an `mtype` declaration cannot be hidden, shown or local";
                    self.error_help(&codes::HIDDEN, visibility.span, message, "remove the word");
                }
                self.mtype(name.as_ref(), constants);
            }
            ItemKind::Typedef { name, fields } => self.typedef(name, fields),
        }
    }

    /// There is at most one `init` and one trace.
    fn single(&mut self, kind: ProcessKind, span: Span) {
        let traces = [ProcessKind::Trace, ProcessKind::Notrace];
        let alike = |other| other == kind || traces.contains(&kind) && traces.contains(&other);
        let before = self.model.processes.iter().find(|p| alike(p.kind)).map(|p| p.span);
        if let Some(before) = before {
            let what = if kind == ProcessKind::Init { "`init`" } else { "trace" };
            self.report(
                Diagnostic::new(&codes::REDECLARED, span, format!("a second {what}"))
                    .label(before, "the first stands here")
                    .help("a model has one: join them"),
            );
        }
    }

    /// Claims are told apart by their names.
    fn only_claim(&mut self, name: &Name, span: Span) {
        let claims = self.model.processes.iter().filter(|p| p.kind == ProcessKind::Never);
        let before = claims.into_iter().find(|claim| claim.name == *name).map(|claim| claim.span);
        if let Some(before) = before {
            self.report(
                Diagnostic::new(&codes::REDECLARED, span, format!("a second claim `{name}`"))
                    .label(before, "the first stands here")
                    .help("give it another name"),
            );
        }
    }

    fn mtype(&mut self, name: Option<&Ident>, constants: &[Ident]) {
        let subtype = self.model.mtypes.subtype(name.map(|name| &name.node));
        for constant in constants {
            let meaning = self.scopes.find(&constant.node, None).map(|s| (s.meaning, s.span));
            if let Some((Meaning::Variable(..), before)) = meaning {
                self.report(
                    Diagnostic::new(
                        &codes::NAME_TAKEN,
                        constant.span,
                        format!("`{}` is a variable already", constant.node),
                    )
                    .label(before, "declared here")
                    .help("rename the variable or the constant"),
                );
            }
        }
        let names: Vec<(Name, Span)> = constants.iter().map(|c| (c.node.clone(), c.span)).collect();
        for (at, before) in self.model.mtypes.declare(subtype, &names) {
            self.report(
                Diagnostic::new(
                    &codes::REDECLARED,
                    constants[at].span,
                    format!("the constant `{}` is declared twice", constants[at].node),
                )
                .label(before.span, "first declared here")
                .help("remove one of them"),
            );
        }
        if self.model.mtypes.count(subtype) > 255
            && let Some(last) = constants.last()
        {
            let message = "more than 255 constants in one `mtype`";
            self.error_help(
                &codes::TOO_MANY,
                last.span,
                message,
                "use a second set: `mtype:name = { … }`",
            );
        }
    }

    fn typedef(&mut self, name: &Ident, fields: &[Declaration]) {
        if !self.check_fresh(name, "a type") {
            return;
        }
        let mut members: Vec<Variable> = Vec::new();
        for declaration in fields {
            for declared in &declaration.variables {
                self.check_fresh(&declared.name, "a field");
                let Some(variable) = self.declared(declaration, declared) else { continue };
                if members.iter().any(|m| m.name == variable.name) {
                    let message = format!("`{}` has two fields `{}`", name.node, variable.name);
                    let help = "rename one of them";
                    self.error_help(&codes::REDECLARED, variable.span, message, help);
                    continue;
                }
                members.push(variable);
            }
        }
        let (name, span) = (name.node.clone(), name.span);
        self.model.structs.push(Struct { name, fields: members, span });
    }

    fn proctype(&mut self, proctype: &Proctype, span: Span) {
        let name = &proctype.name;
        if self.check_fresh(name, "a proctype")
            && let Some(symbol) = self.scopes.find(&name.node, None)
            && matches!(symbol.meaning, Meaning::Variable(..))
        {
            let before = symbol.span;
            self.report(
                Diagnostic::new(
                    &codes::REDECLARED,
                    name.span,
                    format!("`{}` is declared twice", name.node),
                )
                .label(before, "first declared here")
                .help("a proctype cannot have the name of a variable; choose another"),
            );
        }
        let active = match &proctype.active {
            None => 0,
            Some(None) => 1,
            Some(Some(count)) => self.active_count(count),
        };
        let id = self.open(name.node.clone(), ProcessKind::Proctype, active, name.span);
        self.model.processes[id.index()].deterministic = proctype.deterministic;
        self.declared.insert(id);
        self.parameters(&proctype.parameters);
        if let Some(priority) = &proctype.priority {
            self.set_priority(id, priority);
        }
        if let Some(provided) = &proctype.provided {
            self.provided(id, provided);
        }
        self.body(id, &proctype.body, span);
    }

    fn active_count(&mut self, count: &pverify_syntax::ast::Expr) -> u32 {
        let Some((value, _)) = self.constant_or_initial(count) else { return 1 };
        if !(0..=MOST_PROCESSES).contains(&value) {
            let message = format!("{value} processes cannot run at once");
            let help = format!("at most {MOST_PROCESSES} processes run at any time");
            self.error_help(&codes::TOO_MANY, count.span, message, help);
            return 1;
        }
        value as u32
    }

    fn parameters(&mut self, parameters: &[Declaration]) {
        for declaration in parameters {
            for declared in &declaration.variables {
                let Some(mut variable) = self.declared(declaration, declared) else { continue };
                let span = declared.name.span;
                if declared.initial.is_some() {
                    let message = "a parameter cannot have an initial value";
                    self.error_help(
                        &codes::BAD_PARAMETER,
                        span,
                        message,
                        "give the value in `run`",
                    );
                }
                let holds_array = match variable.kind {
                    Type::Struct(id) => {
                        self.model.structs[id.index()].fields.iter().any(|f| f.length.is_some())
                    }
                    _ => false,
                };
                if variable.length.is_some() || holds_array {
                    let message = format!("the parameter `{}` is or holds an array", variable.name);
                    self.error_help(
                        &codes::BAD_PARAMETER,
                        span,
                        message,
                        "pass its elements, or make it global",
                    );
                }
                variable.initial = Initial::Parameter;
                let process =
                    self.process.map_or(0, |p| self.model.processes[p.index()].locals.len());
                let id = VariableId(process as u32);
                if self.bind(&declared.name, Meaning::Variable(Owner::Local, id)) {
                    self.push_local(variable);
                }
            }
        }
        if let Some(process) = self.process {
            let process = &mut self.model.processes[process.index()];
            process.parameters = process.locals.len() as u32;
        }
    }

    fn set_priority(&mut self, id: ProcessId, priority: &Spanned<i32>) {
        self.model.uses.priorities |= priority.node != 1;
        self.met_priority(priority.span);
        if let Some(priority) = self.priority(priority) {
            self.model.processes[id.index()].priority = priority.max(1);
        }
    }

    fn provided(&mut self, id: ProcessId, provided: &pverify_syntax::ast::Expr) {
        let condition = self.expression(provided);
        let mut local = false;
        let mut odd = false;
        walk::expressions(&condition, &mut |e| match e {
            Expression::Read(place) | Expression::Probe(_, place) => {
                local |= place.owner == Owner::Local;
            }
            Expression::Run { .. }
            | Expression::RemoteLabel { .. }
            | Expression::RemoteVariable { .. } => {
                odd = true;
            }
            _ => {}
        });
        if local || odd {
            self.error_help(
                &codes::BAD_PROVIDED,
                provided.span,
                "`provided` can only look at global variables and channels, `_pid` and `_priority`",
                "copy what it needs into a global variable",
            );
        }
        self.model.uses.provided = true;
        self.model.processes[id.index()].provided = Some(condition);
    }

    fn machine(
        &mut self,
        name: Name,
        kind: ProcessKind,
        active: u32,
        priority: Option<&Spanned<i32>>,
        body: &Sequence,
        span: Span,
    ) {
        let id = self.open(name, kind, active, span);
        if let Some(priority) = priority {
            self.set_priority(id, priority);
        }
        self.body(id, body, span);
    }

    fn open(&mut self, name: Name, kind: ProcessKind, active: u32, span: Span) -> ProcessId {
        let id = ProcessId(self.model.processes.len() as u32);
        self.model.processes.push(Process {
            name,
            kind,
            active,
            priority: 1,
            deterministic: false,
            provided: None,
            parameters: 0,
            locals: Vec::new(),
            graph: ControlGraph::default(),
            span,
        });
        self.bodies.push(None);
        self.process = Some(id);
        id
    }

    fn body(&mut self, id: ProcessId, body: &Sequence, span: Span) {
        self.scopes.enter();
        self.flow.open_body(id.0, self.in_claim());
        self.steps(body);
        let end = Span { start: body.span.0.end.saturating_sub(1), ..body.span.0 };
        let end = if body.span.0 == Span::default() { span } else { end };
        let sequence = self.flow.close_body(end);
        self.scopes.leave();
        self.bodies[id.index()] = Some(Body { sequence, size: self.flow.count });
        self.process = None;
    }

    fn formula(&mut self, name: Option<&Ident>, formula: &Formula, span: Span) {
        let name = match name {
            Some(name) => name.node.clone(),
            None => format!("ltl_{}", self.formulas).into(),
        };
        self.formulas += u32::from(name.starts_with("ltl_"));
        if let Some(before) = self.model.formulas.iter().find(|p| p.name == name) {
            let before = before.span;
            self.report(
                Diagnostic::new(&codes::REDECLARED, span, format!("a second formula `{name}`"))
                    .label(before, "the first stands here")
                    .help("give one of them another name"),
            );
        }
        self.precedence(formula);
        let propositions = self.propositions(formula);
        self.model.formulas.push(Property { name, formula: formula.clone(), propositions, span });
    }

    /// The propositions of a formula, read in the scope of the whole model.
    fn propositions(&mut self, formula: &Formula) -> Vec<Proposition> {
        let mut found: Vec<Proposition> = Vec::new();
        let mut work = vec![formula];
        while let Some(formula) = work.pop() {
            match &formula.node {
                FormulaKind::Proposition(expr) => {
                    let value = self.expression(expr);
                    if !found.iter().any(|known| known.written == *expr) {
                        found.push(Proposition { written: expr.clone(), value });
                    }
                }
                FormulaKind::Not(inner) | FormulaKind::Unary(_, inner) => work.push(inner),
                FormulaKind::Binary(_, left, right) => work.extend([&**right, &**left]),
            }
        }
        found
    }
}

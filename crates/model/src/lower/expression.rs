//! Expressions: names resolved, structures written out where a list of values is wanted.

use super::{Lowering, PendingRun, RunArgument};
use crate::codes;
use crate::machine::{Expression, FieldStep, Pattern, Place, ProcessId};
use crate::types::Type;
use pverify_syntax::ast::{Expr, ExprKind, Ident, ReceiveArgument, Spanned, VarRef};
use pverify_syntax::source::Span;

/// What stands in for an expression that could not be understood.
const NOTHING: Expression = Expression::Constant(0, None);

impl Lowering {
    /// An expression; what is wrong with it is reported and replaced by 0.
    pub(super) fn expression(&mut self, expr: &Expr) -> Expression {
        match &expr.node {
            ExprKind::Number(value) => Expression::Constant(*value, None),
            ExprKind::True | ExprKind::Skip => Expression::Constant(1, None),
            ExprKind::False => Expression::Constant(0, None),
            ExprKind::Variable(var) => self.read(var),
            ExprKind::Unary(operator, inner) => {
                Expression::Unary(*operator, Box::new(self.expression(inner)))
            }
            ExprKind::Binary(operator, left, right) => {
                let left = self.expression(left);
                let right = self.expression(right);
                Expression::Binary(*operator, Box::new(left), Box::new(right))
            }
            ExprKind::Conditional(parts) => {
                let [condition, yes, no] = &**parts;
                let parts = [self.expression(condition), self.expression(yes), self.expression(no)];
                Expression::Conditional(Box::new(parts))
            }
            ExprKind::Run { process, arguments, priority } => {
                self.run(process, arguments, priority.as_ref(), expr.span)
            }
            ExprKind::Probe(probe, channel) => match self.channel(channel) {
                Some(place) => Expression::Probe(*probe, place),
                None => NOTHING,
            },
            ExprKind::Enabled(inner) => {
                self.met_enabled(expr.span);
                Expression::Enabled(Box::new(self.expression(inner)))
            }
            ExprKind::PcValue(inner) => Expression::PcValue(Box::new(self.expression(inner))),
            ExprKind::GetPriority(inner) => {
                self.model.uses.priorities = true;
                self.met_priority(expr.span);
                Expression::Priority(Box::new(self.expression(inner)))
            }
            ExprKind::Poll { channel, random, arguments } => {
                let place = self.channel(channel);
                let pattern = self.pattern(arguments);
                match place {
                    Some(channel) => Expression::Poll { channel, random: *random, pattern },
                    None => NOTHING,
                }
            }
            ExprKind::Timeout => Expression::Timeout,
            ExprKind::NonProgress => self.non_progress(expr.span),
            ExprKind::RemoteLabel { process, pid, label } => {
                self.remote_label(process, pid.as_deref(), label).unwrap_or(NOTHING)
            }
            ExprKind::RemoteVariable { process, pid, variable } => {
                self.remote_variable(process, pid.as_deref(), variable).unwrap_or(NOTHING)
            }
        }
    }

    fn non_progress(&mut self, span: Span) -> Expression {
        self.model.uses.non_progress = true;
        if self.process.is_some() && !self.in_claim() {
            self.error_help(
                &codes::NON_PROGRESS_OUTSIDE,
                span,
                "`np_` can only be asked in a `never` claim or a formula",
                "use `--check progress` to look for cycles without progress",
            );
        }
        Expression::NonProgress
    }

    fn read(&mut self, var: &VarRef) -> Expression {
        if let Some(expression) = self.predefined(var) {
            return expression;
        }
        match self.scalar(var) {
            Some(place) => Expression::Read(place),
            None => NOTHING,
        }
    }

    /// Constants and names that need no declaration.
    fn predefined(&mut self, var: &VarRef) -> Option<Expression> {
        let [part] = var.parts.as_slice() else { return None };
        if part.index.is_some() {
            return None;
        }
        let name = &part.name.node;
        if let Some(constant) = self.model.mtypes.get(name) {
            return Some(Expression::Constant(constant.value, Some(name.clone())));
        }
        match &**name {
            "_pid" => Some(Expression::Pid),
            "_nr_pr" => Some(Expression::ProcessCount),
            "_last" => {
                self.model.uses.last = true;
                Some(Expression::Last)
            }
            "_priority" => {
                self.model.uses.priorities = true;
                self.met_priority(part.name.span);
                Some(Expression::Priority(Box::new(Expression::Pid)))
            }
            "_p" => Some(Expression::PcValue(Box::new(Expression::Pid))),
            "_" if self.in_trace() => Some(Expression::Anything),
            "_" => {
                self.error_help(
                    &codes::READ_OF_UNDERSCORE,
                    part.name.span,
                    "`_` takes values and gives none back",
                    "use a variable of your own",
                );
                Some(NOTHING)
            }
            _ => None,
        }
    }

    /// A list of values: whole structures become their fields.
    pub(super) fn expand(&mut self, arguments: &[Expr]) -> Vec<Expression> {
        let mut values = Vec::new();
        for argument in arguments {
            if let ExprKind::Variable(var) = &argument.node
                && self.is_place(var)
            {
                if let Some(place) = self.place(var) {
                    self.expand_place(place, &mut |place| values.push(Expression::Read(place)));
                }
                continue;
            }
            values.push(self.expression(argument));
        }
        values
    }

    /// Whether a reference is to a declared variable rather than to a constant.
    fn is_place(&self, var: &VarRef) -> bool {
        let name = &var.parts[0].name.node;
        let lone = var.parts.len() == 1 && var.parts[0].index.is_none();
        !(lone
            && (self.model.mtypes.get(name).is_some()
                || super::place::PREDEFINED.contains(&&**name)))
    }

    /// The fields of a place in order, arrays element by element.
    pub(super) fn expand_place(&mut self, place: Place, give: &mut dyn FnMut(Place)) {
        let Type::Struct(id) = place.kind else {
            give(place);
            return;
        };
        for at in 0..self.model.structs[id.index()].fields.len() {
            let field = &self.model.structs[id.index()].fields[at];
            let (kind, length, name) = (field.kind, field.length, field.name.clone());
            if length.is_some() && matches!(kind, Type::Struct(_)) {
                self.error_help(
                    &codes::ARRAY_OF_STRUCTURES,
                    place.span,
                    format!(
                        "field `{name}` is an array of structures, which cannot be passed whole"
                    ),
                    "pass its fields one by one",
                );
                return;
            }
            for element in 0..length.unwrap_or(1) {
                let index = length.map(|_| Box::new(Expression::Constant(element as i32, None)));
                let mut part = place.clone();
                part.fields.push(FieldStep { field: at as u32, index });
                part.kind = kind;
                self.expand_place(part, give);
            }
        }
    }

    /// The fields of a receive.
    pub(super) fn pattern(&mut self, arguments: &[ReceiveArgument]) -> Vec<Pattern> {
        let mut pattern = Vec::new();
        for argument in arguments {
            match argument {
                ReceiveArgument::Variable(var) => match &*var.parts[0].name.node {
                    "_" if var.parts.len() == 1 => pattern.push(Pattern::Ignore),
                    _ if !self.is_place(var) => {
                        let value = self.read(var);
                        pattern.push(Pattern::Match(value));
                    }
                    _ => {
                        if let Some(place) = self.place(var) {
                            self.expand_place(place, &mut |p| pattern.push(Pattern::Store(p)));
                        }
                    }
                },
                ReceiveArgument::Eval(expr) | ReceiveArgument::Constant(expr) => {
                    let value = self.expression(expr);
                    pattern.push(Pattern::Match(value));
                }
            }
        }
        pattern
    }

    fn run(
        &mut self,
        process: &Ident,
        arguments: &[Expr],
        priority: Option<&Spanned<i32>>,
        span: Span,
    ) -> Expression {
        let known = arguments.iter().map(|argument| self.run_argument(argument)).collect();
        let values = self.expand(arguments);
        if self.process.is_none() || self.in_claim() || self.in_trace() {
            let message = "processes can only be started by processes";
            let help = "put the `run` into `init` or a proctype";
            self.error_help(&codes::MISPLACED_RUN, span, message, help);
        }
        let priority = priority.and_then(|given| {
            self.model.uses.priorities |= given.node != 1;
            self.met_priority(given.span);
            self.priority(given)
        });
        let Some(&id) = self.process_names.get(&process.node) else {
            self.unknown_process(process);
            return NOTHING;
        };
        let known: Vec<RunArgument> = known;
        let known = if known.len() == values.len() {
            known
        } else {
            vec![RunArgument::Value; values.len()]
        };
        self.pending_runs.push(PendingRun { process: process.clone(), arguments: known, span });
        Expression::Run { process: id, arguments: values, priority }
    }

    fn run_argument(&self, argument: &Expr) -> RunArgument {
        let ExprKind::Variable(var) = &argument.node else { return RunArgument::Value };
        let constant = self.model.mtypes.get(&var.parts[0].name.node);
        match constant {
            Some(constant) => RunArgument::MtypeConstant(constant.subtype),
            None => RunArgument::Variable,
        }
    }

    /// A priority from 1 to 255.
    pub(super) fn priority(&mut self, given: &Spanned<i32>) -> Option<u8> {
        let value = u8::try_from(given.node).ok();
        if value.is_none() {
            self.error_help(
                &codes::BAD_PRIORITY,
                given.span,
                format!("{} is no priority", given.node),
                "priorities run from 1 (the lowest) to 255",
            );
        }
        value
    }

    pub(super) fn unknown_process(&mut self, process: &Ident) {
        self.error_help(
            &codes::UNKNOWN_PROCESS,
            process.span,
            format!("there is no proctype `{}`", process.node),
            "declare it, or check the spelling",
        );
    }

    /// The process type of a remote reference, which must stand before it in the text.
    pub(super) fn remote_process(&mut self, process: &Ident) -> Option<ProcessId> {
        let id = self.process_names.get(&process.node).copied();
        match id {
            Some(id) if self.declared.contains(&id) => Some(id),
            Some(_) => {
                self.error_help(
                    &codes::UNKNOWN_PROCESS,
                    process.span,
                    format!("`{}` is declared further on", process.node),
                    "a remote reference needs its proctype to stand before it in the text",
                );
                None
            }
            None => {
                self.unknown_process(process);
                None
            }
        }
    }
}

//! Rules about values: which may be assigned where, and where `run` may stand.

use super::Lowering;
use crate::codes;
use crate::machine::{Expression, Place};
use crate::types::Type;
use crate::walk;
use pverify_syntax::ast::Ident;
use pverify_syntax::source::Span;

impl Lowering {
    /// Channels take channels, `mtype` variables constants of their own set.
    pub(super) fn check_assignment(&mut self, place: &Place, value: &Expression, span: Span) {
        if place.fields.is_empty() {
            self.check_value(place.kind, value, span);
        }
    }

    fn check_value(&mut self, kind: Type, value: &Expression, span: Span) {
        if kind == Type::Chan && matches!(value, Expression::Constant(..)) {
            self.error_help(
                &codes::CHANNEL_VALUE,
                span,
                "a channel variable cannot be given a number",
                "assign another channel, or declare it with `= [n] of { … }`",
            );
        } else if !matches!(value, Expression::Read(_)) && reads_channel(value) {
            self.channel_arithmetic(span);
        }
        if let Expression::Constant(_, Some(name)) = value
            && let Type::Mtype(subtype) = kind
            && let Some(constant) = self.model.mtypes.get(name)
            && constant.subtype != subtype
        {
            let set = |at: u32| match &self.model.mtypes.subtypes[at as usize] {
                Some(name) => format!("`mtype:{name}`"),
                None => "plain `mtype`".to_owned(),
            };
            let message =
                format!("`{name}` belongs to {}, not to {}", set(constant.subtype), set(subtype));
            self.error_help(
                &codes::WRONG_MTYPE,
                span,
                message,
                "use a constant of the variable's own set",
            );
        }
    }

    pub(super) fn channel_arithmetic(&mut self, span: Span) {
        self.error_help(
            &codes::CHANNEL_VALUE,
            span,
            "a channel is not a number to calculate with",
            "use `len(c)` for the number of its messages",
        );
    }

    /// An initial value may not start a process.
    pub(super) fn check_initial(
        &mut self,
        value: &Expression,
        kind: Type,
        name: &Ident,
        span: Span,
    ) {
        if runs(value) > 0 {
            self.error_help(
                &codes::MISPLACED_RUN,
                span,
                format!("the initial value of `{}` cannot start a process", name.node),
                "assign it in a statement of its own",
            );
        }
        self.check_value(kind, value, span);
    }

    /// A condition is one `run` and nothing else, or has none.
    pub(super) fn check_runs(&mut self, condition: &Expression, span: Span) {
        if runs(condition) > 0 && !matches!(condition, Expression::Run { .. }) {
            self.error_help(
                &codes::MISPLACED_RUN,
                span,
                "`run` cannot be combined with other operators",
                "store its result first: `p = run P(…)`",
            );
        }
        if let Expression::Run { arguments, .. } = condition {
            let inner: usize = arguments.iter().map(runs).sum();
            if inner > 0 {
                self.no_run(arguments, span, "an argument");
            }
        }
    }

    /// The right side of an assignment may be a `run`, or contain none that hides.
    pub(super) fn check_assigned_runs(&mut self, value: &Expression, span: Span) {
        if runs(value) > 1 {
            let message = "more than one `run` in an expression";
            self.error_help(&codes::MISPLACED_RUN, span, message, "start them one after the other");
        }
    }

    pub(super) fn no_run(&mut self, values: &[Expression], span: Span, what: &str) {
        if values.iter().any(|value| runs(value) > 0) {
            self.error_help(
                &codes::MISPLACED_RUN,
                span,
                format!("{what} cannot start a process"),
                "store the result of `run` in a variable first",
            );
        }
    }
}

fn runs(expression: &Expression) -> usize {
    let mut count = 0;
    walk::expressions(expression, &mut |e| {
        count += usize::from(matches!(e, Expression::Run { .. }));
    });
    count
}

/// Whether a channel's own value takes part in a calculation.
fn reads_channel(expression: &Expression) -> bool {
    match expression {
        Expression::Read(place) => place.kind == Type::Chan && place.fields.is_empty(),
        Expression::Unary(_, inner) => reads_channel(inner),
        Expression::Binary(_, left, right) => reads_channel(left) || reads_channel(right),
        Expression::Conditional(parts) => parts.iter().any(reads_channel),
        _ => false,
    }
}

//! What is wrong with the structure of a body, said to the person.

use super::Lowering;
use crate::codes;
use crate::control::flow::FlowError;
use crate::control::jumps::JumpError;
use ahash::AHashSet;
use pverify_syntax::diagnostic::Diagnostic;

/// How far back is looked for what was said already; all of it would take too long in a model
/// that is nothing but errors.
const RECENT: usize = 1000;

impl Lowering {
    pub(super) fn report_flow_errors(&mut self) {
        for error in std::mem::take(&mut self.flow.errors) {
            let diagnostic = self.flow_error(error);
            self.report(diagnostic);
        }
    }

    fn flow_error(&mut self, error: FlowError) -> Diagnostic {
        match error {
            FlowError::LabelPlacement { label, span, advice } => Diagnostic::new(
                &codes::LABEL_PLACEMENT,
                span,
                format!("the label `{label}` marks no place of its own here"),
            )
            .help(advice),
            FlowError::DuplicateElse(span) => {
                Diagnostic::new(&codes::DUPLICATE_ELSE, span, "a second `else` in one choice")
                    .help("a choice has at most one: join them")
            }
            FlowError::MisplacedBreak(span) => {
                Diagnostic::new(&codes::MISPLACED_BREAK, span, "`break` stands outside any loop")
                    .help("it leaves the innermost `do` or `for`; remove it, or use `goto`")
            }
            FlowError::JumpOutOfDStep(span) => Diagnostic::new(
                &codes::JUMP_ACROSS_D_STEP,
                span,
                "this jump leaves its `d_step` from the middle",
            )
            .help("use `atomic`, or let the jump be the last statement of the block"),
            FlowError::LabelRedeclared { label, span, before } => Diagnostic::new(
                &codes::LABEL_REDECLARED,
                span,
                format!("the label `{label}` is set twice"),
            )
            .label(before, "first set here")
            .help("give one of them another name"),
            FlowError::ElseBesideChannel(span) => {
                self.model.uses.else_beside_channel = true;
                let (code, help) = if self.exclusive {
                    (&codes::ELSE_WITH_EXCLUSIVE, "remove the `xr` or `xs`, or the `else`")
                } else {
                    (
                        &codes::ELSE_BESIDE_CHANNEL,
                        "it is taken whenever the send or receive beside it cannot happen yet; \
                         if that is not meant, remove it",
                    )
                };
                Diagnostic::new(
                    code,
                    span,
                    "this `else` depends on whether a channel is full or empty",
                )
                .help(help)
            }
            FlowError::EmptySequence(span) => {
                Diagnostic::new(&codes::EMPTY_SEQUENCE, span, "no statement stands here")
                    .help("write `skip` to do nothing")
            }
            FlowError::UnlessInDStep(span) => Diagnostic::new(
                &codes::FORBIDDEN_IN_D_STEP,
                span,
                "a `d_step` cannot contain `unless`",
            )
            .help("nothing can interrupt a `d_step`; use `atomic`, or put the `unless` around it"),
        }
    }

    /// Says each thing once: a jump out of a `d_step` was met when it was read.
    pub(super) fn report_jump_errors(&mut self, errors: Vec<JumpError>) {
        let place = |one: &Diagnostic| (one.code.id, one.span);
        if errors.is_empty() {
            return;
        }
        let recent = self.diagnostics.iter().rev().take(RECENT);
        let mut said: AHashSet<_> = recent.map(place).collect();
        for error in errors {
            let diagnostic = match &error {
                JumpError::Undefined { name, span } => Diagnostic::new(
                    &codes::UNKNOWN_LABEL,
                    *span,
                    format!("there is no label `{name}` in this process"),
                )
                .help("set it with `label:` in front of a statement, or check the spelling"),
                JumpError::IntoDStep { span } => Diagnostic::new(
                    &codes::JUMP_ACROSS_D_STEP,
                    *span,
                    "this jump crosses the border of a `d_step`",
                )
                .help("put a `skip` with the label in front of the `d_step` and jump there"),
                JumpError::Circle { span } => Diagnostic::new(
                    &codes::JUMP_CIRCLE,
                    *span,
                    "these jumps lead in a circle without a statement between them",
                )
                .help("put a statement into the circle"),
                JumpError::LeavesDStep { span } => Diagnostic::new(
                    &codes::JUMP_ACROSS_D_STEP,
                    *span,
                    "this jump leaves its `d_step`",
                )
                .help("use `atomic`, or jump to the end of the block"),
                JumpError::Unwritable { span } => Diagnostic::new(
                    &codes::JUMP_NOT_WRITTEN,
                    *span,
                    "SPIN cannot write the C for this way out of a `d_step`",
                )
                .help("pverify can; for SPIN, put a `skip` at the end of the `d_step`"),
            };
            if said.insert(place(&diagnostic)) {
                self.report(diagnostic);
            }
        }
    }
}

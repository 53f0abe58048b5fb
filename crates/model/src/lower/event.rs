//! What `trace` and `notrace` may consist of: plain sends and receives, choices, loops and jumps.

use super::Lowering;
use crate::codes;
use crate::machine::{Action, Expression, Place};
use pverify_syntax::ast::StatementKind;
use pverify_syntax::source::Span;

impl Lowering {
    /// An event is a send to, or a receive from, the end of a channel where they belong.
    pub(super) fn check_event(&mut self, action: &Action, span: Span) {
        if !self.in_trace() {
            return;
        }
        let (message, help) = match action {
            Action::Send { channel, sorted: false, .. }
            | Action::Receive { channel, random: false, keep: false, .. } => {
                if has_plain_index(channel) {
                    return;
                }
                ("the channel of an event is known beforehand", "give its index as a number")
            }
            Action::Send { .. } | Action::Receive { .. } => (
                "an event is `c!…` or `c?…`, not one of the other forms",
                "a trace matches every send and every receive of the channel; write `!` or `?`",
            ),
            _ => (
                "a trace consists of sends and receives only",
                "remove the statement, or check the property with a `never` claim or a formula",
            ),
        };
        self.error_help(&codes::NOT_AN_EVENT, span, message, help);
    }

    /// Events are never indivisible, and nothing is chosen by counting.
    pub(super) fn check_event_order(&mut self, kind: &StatementKind, span: Span) {
        let block = matches!(
            kind,
            StatementKind::Atomic(_)
                | StatementKind::DStep(_)
                | StatementKind::Block(_)
                | StatementKind::Select { .. }
        );
        if block && self.in_trace() {
            let message = "a trace consists of events, choices and loops, without blocks";
            self.error_help(&codes::NOT_AN_EVENT, span, message, "remove the block around them");
        }
    }
}

fn has_plain_index(channel: &Place) -> bool {
    let plain = |index: &Option<Box<Expression>>| match index {
        Some(index) => matches!(**index, Expression::Constant(..)),
        None => true,
    };
    plain(&channel.index) && channel.fields.iter().all(|field| plain(&field.index))
}

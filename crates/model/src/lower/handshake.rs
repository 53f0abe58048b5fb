//! What SPIN cannot run beside a rendezvous channel: priorities, `enabled()`, and some `d_step`s.
//!
//! The first two ask whether a single process can move, and in a handshake that depends on a second one.
//! SPIN gives neither a meaning there: `spin -a` refuses `enabled()`, and the verifier that it
//! writes for priorities says `#error use of priorities cannot be combined with rendezvous`. It
//! counts words of the text, reached or not, and `priority 1` is as good as any other. The third is a mistake in the code that it writes, where the
//! meaning is plain: the receive `c?<x>` at the beginning of a `d_step` lacks a parenthesis.

use super::Lowering;
use crate::codes;
use crate::control::flow::Node;
use crate::control::guards::guards;
use crate::machine::Action;
use pverify_syntax::diagnostic::Diagnostic;
use pverify_syntax::source::Span;

/// Where each of them is met first.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct FirstUses {
    rendezvous: Option<Span>,
    priority: Option<Span>,
    enabled: Option<Span>,
}

impl Lowering {
    pub(super) fn met_rendezvous(&mut self, span: Span) {
        self.first_uses.rendezvous.get_or_insert(span);
    }

    pub(super) fn met_priority(&mut self, span: Span) {
        self.first_uses.priority.get_or_insert(span);
    }

    pub(super) fn met_enabled(&mut self, span: Span) {
        self.model.uses.enabled = true;
        self.first_uses.enabled.get_or_insert(span);
    }

    pub(super) fn check_handshakes(&mut self) {
        let FirstUses { rendezvous, priority, enabled } = self.first_uses;
        let Some(rendezvous) = rendezvous else { return };
        let mut refuse = |at: Option<Span>, message: &str, help: &str| {
            let Some(at) = at else { return };
            self.report(
                Diagnostic::new(&codes::NO_HANDSHAKE, at, message)
                    .label(rendezvous, "this channel holds no messages")
                    .help(help),
            );
        };
        refuse(
            priority,
            "priorities cannot be combined with rendezvous channels",
            "give the channel a capacity of 1, or remove all priorities",
        );
        refuse(
            enabled,
            "`enabled()` cannot be combined with rendezvous channels",
            "give the channel a capacity of 1, or ask for a label: `P[i]@label`",
        );
    }

    pub(super) fn check_d_step_guards(&mut self) {
        if self.first_uses.rendezvous.is_none() {
            return;
        }
        let mut places = Vec::new();
        for element in &self.flow.elements {
            let Node::DStep(inner) = element.node else { continue };
            for guard in guards(&self.flow, inner) {
                let guard = self.flow.get(guard);
                if matches!(guard.node, Node::Step(Action::Receive { keep: true, .. })) {
                    places.push(guard.span);
                }
            }
        }
        for place in places {
            self.error_help(
                &codes::COPY_BEFORE_D_STEP,
                place,
                "SPIN cannot compile a `d_step` that begins with a copying receive",
                "pverify can; for SPIN, put a test of the channel in front: `nempty(c) -> c?<…>`",
            );
        }
    }
}

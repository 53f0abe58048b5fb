//! Walks over actions and expressions: questions about what they contain.

use crate::machine::{Action, Expression, Pattern, Place};
use pverify_syntax::ast::Probe;
use pverify_syntax::source::Span;

/// Calls `visit` for an expression and everything inside it, outermost first.
pub fn expressions<'a>(expression: &'a Expression, visit: &mut dyn FnMut(&'a Expression)) {
    visit(expression);
    match expression {
        Expression::Constant(..)
        | Expression::Anything
        | Expression::Timeout
        | Expression::NonProgress
        | Expression::Pid
        | Expression::ProcessCount
        | Expression::Last => {}
        Expression::Read(place) | Expression::Probe(_, place) => place_expressions(place, visit),
        Expression::Unary(_, inner)
        | Expression::Enabled(inner)
        | Expression::PcValue(inner)
        | Expression::Priority(inner) => expressions(inner, visit),
        Expression::Binary(_, left, right) => {
            expressions(left, visit);
            expressions(right, visit);
        }
        Expression::Conditional(parts) => parts.iter().for_each(|part| expressions(part, visit)),
        Expression::Run { arguments, .. } => {
            arguments.iter().for_each(|argument| expressions(argument, visit));
        }
        Expression::Poll { channel, pattern, .. } => {
            place_expressions(channel, visit);
            pattern.iter().for_each(|part| pattern_expressions(part, visit));
        }
        Expression::RemoteLabel { pid, .. } => {
            pid.iter().for_each(|pid| expressions(pid, visit));
        }
        Expression::RemoteVariable { pid, index, .. } => {
            pid.iter().chain(index).for_each(|inner| expressions(inner, visit));
        }
    }
}

fn place_expressions<'a>(place: &'a Place, visit: &mut dyn FnMut(&'a Expression)) {
    place.index.iter().for_each(|index| expressions(index, visit));
    for field in &place.fields {
        field.index.iter().for_each(|index| expressions(index, visit));
    }
}

fn pattern_expressions<'a>(pattern: &'a Pattern, visit: &mut dyn FnMut(&'a Expression)) {
    match pattern {
        Pattern::Store(place) => place_expressions(place, visit),
        Pattern::Ignore => {}
        Pattern::Match(expression) => expressions(expression, visit),
    }
}

/// Calls `visit` for every expression of an action, those inside others included.
pub fn action_expressions<'a>(action: &'a Action, visit: &mut dyn FnMut(&'a Expression)) {
    match action {
        Action::Skip
        | Action::Jump
        | Action::Named(_)
        | Action::Else
        | Action::Declare(_)
        | Action::End => {}
        Action::Condition(expression)
        | Action::Assert(expression)
        | Action::Discard(expression)
        | Action::PrintMtype(expression) => expressions(expression, visit),
        Action::Assign(place, value) => {
            place_expressions(place, visit);
            expressions(value, visit);
        }
        Action::AssignList(place, _) => place_expressions(place, visit),
        Action::Print(_, arguments) => {
            arguments.iter().for_each(|argument| expressions(argument, visit));
        }
        Action::Send { channel, message, .. } => {
            place_expressions(channel, visit);
            message.iter().for_each(|field| expressions(field, visit));
        }
        Action::Receive { channel, pattern, .. } => {
            place_expressions(channel, visit);
            pattern.iter().for_each(|part| pattern_expressions(part, visit));
        }
        Action::SetPriority(process, priority) => {
            expressions(process, visit);
            expressions(priority, visit);
        }
        Action::DStep(block) => {
            for step in block.points.iter().flatten() {
                action_expressions(&step.action, visit);
            }
        }
    }
}

/// Calls `visit` for an action, or for each of those inside a `d_step`.
pub fn actions<'a>(action: &'a Action, span: Span, visit: &mut dyn FnMut(&'a Action, Span)) {
    match action {
        Action::DStep(block) => {
            block.points.iter().flatten().for_each(|step| visit(&step.action, step.span));
        }
        action => visit(action, span),
    }
}

/// Calls `visit` for each place that an action writes.
pub fn written_places(action: &Action, visit: &mut dyn FnMut(&Place)) {
    match action {
        Action::Assign(place, _) | Action::AssignList(place, _) => visit(place),
        Action::Receive { pattern, .. } => {
            for part in pattern {
                if let Pattern::Store(place) = part {
                    visit(place);
                }
            }
        }
        Action::DStep(block) => {
            block.points.iter().flatten().for_each(|step| written_places(&step.action, visit));
        }
        _ => {}
    }
}

/// Whether the guard asks a channel for room or messages, which makes an `else` beside it dubious.
pub(crate) fn tests_channel(action: &Action) -> bool {
    if matches!(action, Action::Send { .. } | Action::Receive { .. }) {
        return true;
    }
    let mut found = false;
    action_expressions(action, &mut |expression| {
        found |= matches!(expression, Expression::Probe(probe, _) if *probe != Probe::Len);
    });
    found
}

/// What of an action SPIN does not allow inside a `d_step`.
pub(crate) fn forbidden_in_d_step(action: &Action) -> Option<&'static str> {
    let mut found = None;
    action_expressions(action, &mut |expression| match expression {
        Expression::Run { .. } => found = Some("`run`"),
        Expression::RemoteLabel { .. } | Expression::RemoteVariable { .. }
            if matches!(action, Action::Condition(_) | Action::Assert(_) | Action::Print(..)) =>
        {
            found = Some("a remote reference");
        }
        _ => {}
    });
    found
}

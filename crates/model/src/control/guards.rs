//! The statements that SPIN's verifier asks before it enters a `d_step`.
//!
//! They follow its functions `putcode` and `CollectGuards`: a choice at the beginning is asked by
//! its options; a block that begins an option only by a choice at its own beginning, and a loop
//! that begins an option not at all.

use super::flow::{Element, ElementId, Flow, Node, SequenceId};

/// The elements whose code becomes part of the test in front of the block.
pub(crate) fn guards(flow: &Flow, inner: SequenceId) -> Vec<ElementId> {
    let mut found = Vec::new();
    let mut at = flow.sequence(inner).first;
    while let Some(id) = at {
        let element = flow.get(id);
        at = None;
        match element.node {
            Node::Atomic(inner) | Node::DStep(inner) | Node::Block(inner) => {
                at = flow.sequence(inner).first;
            }
            Node::Choice => options(flow, element, &mut found),
            // The joint in front of a loop.
            Node::Joint => {
                let choice = element.next.map(|next| flow.get(next));
                if let Some(choice) = choice.filter(|next| matches!(next.node, Node::Choice)) {
                    options(flow, choice, &mut found);
                }
            }
            _ => found.push(id),
        }
    }
    found
}

/// Nesting is bounded by the grammar; the loop spares the stack all the same.
fn options(flow: &Flow, choice: &Element, found: &mut Vec<ElementId>) {
    let mut work = vec![choice];
    while let Some(choice) = work.pop() {
        for &option in &choice.options {
            let Some(first) = flow.sequence(option).first else { continue };
            let element = flow.get(first);
            match element.node {
                Node::Choice => work.push(element),
                Node::Atomic(inner) | Node::DStep(inner) | Node::Block(inner) => {
                    let first = flow.sequence(inner).first.map(|first| flow.get(first));
                    work.extend(first.filter(|first| matches!(first.node, Node::Choice)));
                }
                Node::Step(_) => found.push(first),
                _ => {}
            }
        }
    }
}

//! Assignments to an element of an array whose index is read from the same array.
//!
//! SPIN undoes an assignment when it backtracks, and finds the element by its index, which the
//! assignment itself may have changed: `a[a[0]] = 1`. It refuses them (its function `scan_tree`) by
//! comparing names without their indices, and sees only indices that are plain references.

use super::Lowering;
use crate::codes;
use pverify_syntax::ast::{ExprKind, VarRef};

impl Lowering {
    pub(super) fn check_self_index(&mut self, target: &VarRef) {
        if indexes_itself(target, &mut Vec::new()) {
            self.error_help(
                &codes::SELF_INDEX,
                target.span.0,
                "the element to be assigned is found through the same array",
                "store the index in a variable first: `i = a[0]; a[i] = …`",
            );
        }
    }
}

/// `around` holds the names of the arrays in whose index the reference stands. Recursion is as deep
/// as indices are nested, which the grammar bounds.
fn indexes_itself(reference: &VarRef, around: &mut Vec<String>) -> bool {
    let mut name = String::new();
    for part in &reference.parts {
        name.push('.');
        name.push_str(&part.name.node);
        let Some(index) = &part.index else { continue };
        name.push_str("[]");
        let ExprKind::Variable(index) = &index.node else { continue };
        around.push(name.clone());
        let found = around.contains(&bare_name(index)) || indexes_itself(index, around);
        around.pop();
        if found {
            return true;
        }
    }
    false
}

/// The reference without its indices: `.t[].a[]`.
fn bare_name(reference: &VarRef) -> String {
    let part = |part: &pverify_syntax::ast::VarPart| {
        format!(".{}{}", part.name.node, if part.index.is_some() { "[]" } else { "" })
    };
    reference.parts.iter().map(part).collect()
}

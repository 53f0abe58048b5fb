//! Remote references: where another process stands, and what its variables hold.

use super::Lowering;
use crate::codes;
use crate::machine::Expression;
use pverify_syntax::ast::{Expr, Ident, VarPart};

impl Lowering {
    /// `P[e]@label`
    pub(super) fn remote_label(
        &mut self,
        process: &Ident,
        pid: Option<&Expr>,
        label: &Ident,
    ) -> Option<Expression> {
        let pid = pid.map(|pid| Box::new(self.expression(pid)));
        let id = self.remote_process(process)?;
        // SPIN takes the youngest label of that name to make it a place of its own …
        let named =
            |l: &crate::control::flow::LabelEntry| l.process == id.0 && l.name == label.node;
        let Some(youngest) = self.flow.labels.iter().rposition(named) else {
            let known: Vec<String> = self
                .flow
                .labels
                .iter()
                .filter(|l| l.process == id.0)
                .map(|l| format!("`{}`", l.name))
                .collect();
            let help = if self.process == Some(id) {
                "a process can refer to its own labels only behind them".to_owned()
            } else if known.is_empty() {
                format!("`{}` has no labels", process.node)
            } else {
                format!("its labels are {}", known.join(", "))
            };
            let message = format!("`{}` has no label `{}`", process.node, label.node);
            self.error_help(&codes::UNKNOWN_LABEL, label.span, message, help);
            return None;
        };
        let number = self.next_number(id);
        if self.flow.settle_label(youngest, number) {
            self.grow(id);
        }
        // … and the one nearest in scope, or else the oldest, to compare with.
        let path = self.scopes.path().clone();
        let mut chosen = None;
        let mut remote = None;
        for at in (0..self.flow.labels.len()).rev() {
            let entry = &self.flow.labels[at];
            if !named(entry) {
                continue;
            }
            if entry.scope == path {
                chosen = Some(at);
                break;
            }
            if path.starts_with(&entry.scope) {
                chosen = Some(at);
            } else {
                remote = Some(at);
            }
        }
        let label = chosen.or(remote).unwrap_or(youngest);
        self.remote_labels.insert(label);
        let before = self.flow.labels[..label].iter().filter(|l| l.process == id.0).count();
        Some(Expression::RemoteLabel { process: id, pid, label: before as u32 })
    }

    /// `P[e]:x`
    pub(super) fn remote_variable(
        &mut self,
        process: &Ident,
        pid: Option<&Expr>,
        variable: &VarPart,
    ) -> Option<Expression> {
        let pid = pid.map(|pid| Box::new(self.expression(pid)));
        let index = variable.index.as_deref().map(|index| Box::new(self.expression(index)));
        let id = self.remote_process(process)?;
        let Some(found) = self.scopes.of_process(&variable.name.node, id) else {
            let known: Vec<String> = self.model.processes[id.index()]
                .locals
                .iter()
                .map(|local| format!("`{}`", local.name))
                .collect();
            let help = if known.is_empty() {
                format!("`{}` has no variables of its own", process.node)
            } else {
                format!("its variables are {}", known.join(", "))
            };
            let message = format!("`{}` has no variable `{}`", process.node, variable.name.node);
            self.error_help(&codes::UNDECLARED, variable.name.span, message, help);
            return None;
        };
        Some(Expression::RemoteVariable { process: id, pid, variable: found, index })
    }

    /// The next free element number of a process.
    fn next_number(&self, id: crate::machine::ProcessId) -> u32 {
        match &self.bodies[id.index()] {
            Some(body) => body.size,
            None => self.flow.count,
        }
    }

    fn grow(&mut self, id: crate::machine::ProcessId) {
        match &mut self.bodies[id.index()] {
            Some(body) => body.size += 1,
            None => self.flow.count += 1,
        }
    }
}

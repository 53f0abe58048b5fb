//! Top-level units and declarations as text.

use super::Printer;
use crate::ast::{
    Declaration, Initializer, ItemKind, Proctype, Spanned, TypeName, Variable, Visibility,
};
use std::fmt::Write;

impl Printer {
    pub(super) fn item(&mut self, item: &ItemKind) {
        match item {
            ItemKind::Proctype(proctype) => self.proctype(proctype),
            ItemKind::Init { priority, body } => {
                self.push("init");
                self.priority(priority.as_ref());
                self.push(" ");
                self.block(body);
            }
            ItemKind::Never { name, body } => {
                self.push("never ");
                if let Some(name) = name {
                    self.push(&name.node);
                    self.push(" ");
                }
                self.block(body);
            }
            ItemKind::Trace { negated, body } => {
                self.push(if *negated { "notrace " } else { "trace " });
                self.block(body);
            }
            ItemKind::Ltl { name, formula } => {
                self.push("ltl ");
                if let Some(name) = name {
                    self.push(&name.node);
                    self.push(" ");
                }
                self.push("{ ");
                self.formula(formula);
                self.push(" }");
            }
            ItemKind::Declaration(declaration) => {
                self.declaration(declaration);
                self.push(";");
            }
            ItemKind::Mtype { name, visibility, constants } => {
                self.visibility(visibility.as_ref());
                self.push("mtype");
                if let Some(name) = name {
                    self.push(":");
                    self.push(&name.node);
                }
                self.push(" = { ");
                self.list(constants, |printer, constant| printer.push(&constant.node));
                self.push(" };");
            }
            ItemKind::Typedef { name, fields } => {
                self.push("typedef ");
                self.push(&name.node);
                self.push(" { ");
                self.declarations(fields);
                self.push(" };");
            }
        }
        self.push("\n");
    }

    pub(super) fn declaration(&mut self, declaration: &Declaration) {
        self.visibility(declaration.visibility.as_ref());
        self.type_name(&declaration.kind);
        self.push(" ");
        self.list(&declaration.variables, Self::declared);
    }

    pub(super) fn priority(&mut self, priority: Option<&Spanned<i32>>) {
        if let Some(priority) = priority {
            let _ = write!(self.text, " priority {}", priority.node);
        }
    }

    fn proctype(&mut self, proctype: &Proctype) {
        if let Some(count) = &proctype.active {
            self.push("active ");
            if let Some(count) = count {
                self.push("[");
                self.expression(count);
                self.push("] ");
            }
        }
        self.push(if proctype.deterministic { "D_proctype " } else { "proctype " });
        self.push(&proctype.name.node);
        self.push("(");
        self.declarations(&proctype.parameters);
        self.push(")");
        self.priority(proctype.priority.as_ref());
        if let Some(provided) = &proctype.provided {
            self.push(" provided (");
            self.expression(provided);
            self.push(")");
        }
        self.push(" ");
        self.block(&proctype.body);
    }

    fn declarations(&mut self, declarations: &[Declaration]) {
        for (at, declaration) in declarations.iter().enumerate() {
            if at > 0 {
                self.push("; ");
            }
            self.declaration(declaration);
        }
    }

    fn visibility(&mut self, visibility: Option<&Spanned<Visibility>>) {
        self.push(match visibility.map(|visibility| visibility.node) {
            None => "",
            Some(Visibility::Hidden) => "hidden ",
            Some(Visibility::Show) => "show ",
            Some(Visibility::Local) => "local ",
        });
    }

    fn type_name(&mut self, kind: &Spanned<TypeName>) {
        let name = match &kind.node {
            TypeName::Bit => "bit",
            TypeName::Bool => "bool",
            TypeName::Byte => "byte",
            TypeName::Pid => "pid",
            TypeName::Short => "short",
            TypeName::Int => "int",
            TypeName::Unsigned => "unsigned",
            TypeName::Chan => "chan",
            TypeName::Mtype(None) => "mtype",
            TypeName::Mtype(Some(name)) => {
                self.push("mtype:");
                &name.node
            }
            TypeName::User(name) => &name.node,
        };
        self.push(name);
    }

    fn declared(&mut self, variable: &Variable) {
        self.push(&variable.name.node);
        if let Some(width) = &variable.width {
            let _ = write!(self.text, " : {}", width.node);
        }
        if let Some(size) = &variable.size {
            self.push("[");
            self.expression(size);
            self.push("]");
        }
        match &variable.initial {
            None => {}
            Some(Initializer::Expression(expr)) => {
                self.push(" = ");
                self.expression(expr);
            }
            Some(Initializer::List(values)) => {
                self.push(" = { ");
                self.list(values, Self::expression);
                self.push(" }");
            }
            Some(Initializer::Channel { capacity, fields, .. }) => {
                self.push(" = [");
                self.expression(capacity);
                self.push("] of { ");
                self.list(fields, Self::type_name);
                self.push(" }");
            }
        }
    }
}

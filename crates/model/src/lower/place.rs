//! Variables, elements and fields: what a reference reaches.

use super::{Lowering, scope::Meaning};
use crate::codes;
use crate::machine::{Expression, FieldStep, Owner, Place, Variable, VariableId};
use crate::types::Type;
use pverify_syntax::ast::{VarPart, VarRef};
use pverify_syntax::diagnostic::Diagnostic;
use pverify_syntax::source::Span;
use pverify_syntax::token::Name;

/// Names that stand for something without being declared.
pub(super) const PREDEFINED: &[&str] =
    &["_", "_pid", "_nr_pr", "_last", "_priority", "_p", "STDIN"];

impl Lowering {
    /// A reference that must end at a scalar or channel.
    pub(super) fn scalar(&mut self, var: &VarRef) -> Option<Place> {
        let place = self.place(var)?;
        if let Type::Struct(id) = place.kind {
            let name = self.model.structs[id.index()].name.clone();
            let fields: Vec<String> = self.model.structs[id.index()]
                .fields
                .iter()
                .map(|field| format!("`.{}`", field.name))
                .collect();
            self.error_help(
                &codes::WHOLE_STRUCTURE,
                var.span.0,
                format!("this is a whole `{name}`, but a single value is needed"),
                format!("name one of its fields: {}", fields.join(", ")),
            );
            return None;
        }
        Some(place)
    }

    /// A reference that must be a channel.
    pub(super) fn channel(&mut self, var: &VarRef) -> Option<Place> {
        if var.parts.len() == 1 && &*var.parts[0].name.node == "STDIN" {
            return None; // said by the token stage
        }
        let place = self.scalar(var)?;
        if place.kind != Type::Chan {
            let name = &var.parts[var.parts.len() - 1].name.node;
            self.error_help(
                &codes::NOT_A_CHANNEL,
                var.span.0,
                format!("`{name}` is of type {}, not a channel", place.kind.name()),
                "only channels (`chan`) can be sent to, received from and asked for their length",
            );
            return None;
        }
        Some(place)
    }

    /// A reference to a variable, element or field.
    pub(super) fn place(&mut self, var: &VarRef) -> Option<Place> {
        let first = &var.parts[0];
        let (owner, id) = self.variable(first)?;
        let (name, kind, length) = {
            let variable = self.declared_variable(owner, id);
            (variable.name.clone(), variable.kind, variable.length)
        };
        let index = self.index(first, &name, length)?;
        let mut place =
            Place { owner, variable: id, index, fields: Vec::new(), kind, span: var.span.0 };
        for part in &var.parts[1..] {
            let Type::Struct(structure) = place.kind else {
                self.error_help(
                    &codes::NO_SUCH_FIELD,
                    part.name.span,
                    format!("`{}` has no fields: it is of type {}", name, place.kind.name()),
                    "only variables of a `typedef` have fields",
                );
                return None;
            };
            // The name may have become another word since the structure was declared.
            if !self.check_fresh(&part.name, "a field") {
                return None;
            }
            let fields = &self.model.structs[structure.index()].fields;
            let Some(at) = fields.iter().position(|field| field.name == part.name.node) else {
                let known: Vec<String> = fields.iter().map(|f| format!("`{}`", f.name)).collect();
                let typedef = self.model.structs[structure.index()].name.clone();
                self.error_help(
                    &codes::NO_SUCH_FIELD,
                    part.name.span,
                    format!("`{typedef}` has no field `{}`", part.name.node),
                    format!("its fields are {}", known.join(", ")),
                );
                return None;
            };
            let (kind, length, field) =
                (fields[at].kind, fields[at].length, fields[at].name.clone());
            let index = self.index(part, &field, length)?;
            place.fields.push(FieldStep { field: at as u32, index });
            place.kind = kind;
        }
        Some(place)
    }

    /// A variable by its declaration.
    pub(super) fn declared_variable(&self, owner: Owner, id: VariableId) -> &Variable {
        match (owner, self.process) {
            (Owner::Local, Some(process)) => {
                &self.model.processes[process.index()].locals[id.index()]
            }
            _ => &self.model.globals[id.index()],
        }
    }

    fn variable(&mut self, part: &VarPart) -> Option<(Owner, VariableId)> {
        let (name, span) = (&part.name.node, part.name.span);
        let taken = self.process_names.get(name).is_some_and(|id| self.declared.contains(id))
            || self.model.structs.iter().any(|s| s.name == *name)
            || self.model.mtypes.get(name).is_some();
        if taken {
            self.check_fresh(&part.name.clone(), "a variable here");
            return None;
        }
        let meaning = self.scopes.lookup(name, self.process, span).meaning;
        if let Meaning::Variable(owner, id) = meaning {
            return Some((owner, id));
        }
        if self.broken.contains(name) {
            return None;
        }
        let message = match meaning {
            Meaning::Label => format!("`{name}` is a label, not a variable"),
            _ => format!("`{name}` is not declared"),
        };
        let mut diagnostic = Diagnostic::new(&codes::UNDECLARED, span, message);
        diagnostic = match self.similar(name) {
            Some(other) => diagnostic.help(format!("did you mean `{other}`?")),
            None if self.process.is_none() => diagnostic.help(self.names_for_formulas()),
            None => diagnostic
                .help("declare it before this place, at the top of the file or of this process"),
        };
        self.report(diagnostic);
        None
    }

    /// What is known outside processes, where formulas stand.
    fn names_for_formulas(&self) -> String {
        const SHOWN: usize = 6;
        let globals = &self.model.globals;
        let names: Vec<String> =
            globals.iter().take(SHOWN).map(|one| format!("`{}`", one.name)).collect();
        let more = if globals.len() > SHOWN { ", …" } else { "" };
        let known = match names.is_empty() {
            true => "there are no global variables".to_owned(),
            false => format!("global variables are {}{more}", names.join(", ")),
        };
        format!(
            "{known}; `#define` gives a condition a name, and `P@label`, `P:x` look into processes"
        )
    }

    /// A declared name that differs by little.
    fn similar(&self, name: &Name) -> Option<Name> {
        let close = |other: &Name| distance(name, other) <= 1 + name.len() / 5;
        let mut found: Vec<&Name> =
            self.scopes.variables(self.process).filter(|n| close(n)).collect();
        found.sort();
        found.first().map(|&name| name.clone())
    }

    fn index(
        &mut self,
        part: &VarPart,
        name: &Name,
        length: Option<u32>,
    ) -> Option<Option<Box<Expression>>> {
        match (&part.index, length) {
            (None, None) => Some(None),
            (Some(index), Some(length)) => {
                let span = index.span;
                let index = self.expression(index);
                self.check_index(&index, length, name, span);
                Some(Some(Box::new(index)))
            }
            (None, Some(length)) => {
                self.error_help(
                    &codes::MISSING_INDEX,
                    part.name.span,
                    format!("`{name}` is an array of {length}: which element?"),
                    format!("write `{name}[…]` with an index from 0 to {}", length.max(1) - 1),
                );
                None
            }
            (Some(index), None) => {
                let span = index.span;
                if self.expression(index) != Expression::Constant(0, None) {
                    self.error_help(
                        &codes::INDEX_OF_SCALAR,
                        span,
                        format!("`{name}` is not an array, so it has no elements"),
                        "remove the index, or declare it with a length",
                    );
                    return None;
                }
                Some(None)
            }
        }
    }

    fn check_index(&mut self, index: &Expression, length: u32, name: &Name, span: Span) {
        if let Expression::Constant(value, _) = *index
            && (value < 0 || value as u32 >= length)
        {
            self.error_help(
                &codes::INDEX_OUTSIDE,
                span,
                format!("`{name}[{value}]` is outside the array, which has {length} elements"),
                format!("indices run from 0 to {}", length.max(1) - 1),
            );
        }
    }
}

/// The number of letters to change, add or remove between two names (Levenshtein).
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = i;
        row[0] = i + 1;
        for (j, &y) in b.iter().enumerate() {
            let substitute = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = substitute.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

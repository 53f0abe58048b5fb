//! Variables, channels, structures and `mtype` constants are declared.

use super::{Lowering, constant::Lent, scope::Meaning};
use crate::codes;
use crate::control::flow::Node;
use crate::machine::{
    Action, ChannelShape, Expression, Initial, Owner, Place, ProcessKind, StructId, Variable,
    VariableId,
};
use crate::types::Type;
use pverify_syntax::ast::{
    Declaration, Expr, Ident, Initializer, Spanned, TypeName, Variable as Declared, Visibility,
};
use pverify_syntax::diagnostic::Diagnostic;
use pverify_syntax::source::Span;

/// More elements than this in one array are surely a mistake: a state must hold them all.
const LARGEST_ARRAY: i32 = 1 << 20;
/// What SPIN makes of a length that is given by a variable without a positive initial value.
const LENGTH_BY_DEFAULT: i32 = 8;
/// SPIN counts the messages of a channel in a byte, in two where a byte is too small, and those
/// that a `for` has seen in a `short`.
const LARGEST_CAPACITY: i32 = i16::MAX as i32;

impl Lowering {
    /// Variables outside all processes.
    pub(super) fn global_declaration(&mut self, declaration: &Declaration) {
        for declared in &declaration.variables {
            let Some(variable) = self.declared(declaration, declared) else {
                self.broken.insert(declared.name.node.clone());
                continue;
            };
            let id = VariableId(self.model.globals.len() as u32);
            if self.bind(&declared.name, Meaning::Variable(Owner::Global, id)) {
                self.model.globals.push(variable);
            }
        }
    }

    /// Variables of a process; behind the first statement a declaration is a step.
    pub(super) fn local_declaration(&mut self, declaration: &Declaration) {
        let at_start = self.flow.at_start;
        for declared in &declaration.variables {
            let Some(mut variable) = self.declared(declaration, declared) else {
                self.broken.insert(declared.name.node.clone());
                continue;
            };
            let (kind, span) = (variable.kind, declared.name.span);
            if variable.visibility == Some(Visibility::Hidden) {
                let message = format!("`{}` is local and cannot be hidden", variable.name);
                self.error_help(
                    &codes::HIDDEN,
                    span,
                    message,
                    "only global variables can be `hidden`",
                );
            }
            let step = if at_start {
                None
            } else {
                match std::mem::replace(&mut variable.initial, Initial::Zero) {
                    Initial::Zero => Some(Ok(Expression::Constant(0, None))),
                    Initial::Value(value) => Some(Ok(value)),
                    Initial::List(list) => Some(Err(list)),
                    Initial::Channel(_) => {
                        self.error_help(
                            &codes::LATE_CHANNEL,
                            span,
                            format!(
                                "the channel `{}` comes into being behind the first statement",
                                variable.name
                            ),
                            "move the declaration to the start of the process",
                        );
                        None
                    }
                    Initial::Parameter => None,
                }
            };
            let array = variable.length.is_some();
            let next = self.process.map_or(0, |p| self.model.processes[p.index()].locals.len());
            let id = VariableId(next as u32);
            if !self.bind(&declared.name, Meaning::Variable(Owner::Local, id)) {
                continue;
            }
            self.push_local(variable);
            let Some(value) = step else { continue };
            let index = array.then(|| Box::new(Expression::Constant(0, None)));
            let owner = Owner::Local;
            let place = Place { owner, variable: id, index, fields: Vec::new(), kind, span };
            let action = match (kind, value) {
                (Type::Struct(_), _) => Action::Declare(id),
                (_, Ok(value)) => Action::Assign(place, value),
                (_, Err(list)) => {
                    self.error_help(
                        &codes::LATE_LIST,
                        span,
                        "a list of initial values can only be given before the first statement",
                        "move the declaration to the start of the process",
                    );
                    Action::AssignList(place, list)
                }
            };
            let statement = self.flow.statement(Node::Step(action), span);
            self.flow.add(statement);
        }
    }

    pub(super) fn push_local(&mut self, variable: Variable) -> VariableId {
        let Some(process) = self.process else { return VariableId(0) };
        if self.model.processes[process.index()].kind == ProcessKind::Never {
            self.error_help(
                &codes::CLAIM_WITH_VARIABLES,
                variable.span,
                format!("a claim has no variables of its own, such as `{}`", variable.name),
                "declare it outside, in front of the claim",
            );
        }
        let locals = &mut self.model.processes[process.index()].locals;
        locals.push(variable);
        VariableId(locals.len() as u32 - 1)
    }

    /// Gives a name its meaning; a second declaration is refused.
    pub(super) fn bind(&mut self, name: &Ident, meaning: Meaning) -> bool {
        if !self.check_fresh(name, "a variable") {
            return false;
        }
        if super::place::PREDEFINED.contains(&&*name.node) {
            let message = format!("`{}` is a name of the language", name.node);
            self.error_help(&codes::NAME_TAKEN, name.span, message, "choose another name");
            return false;
        }
        let symbol = self.scopes.lookup(&name.node, self.process, name.span);
        if symbol.meaning != Meaning::Nothing {
            let before = symbol.span;
            let outer = symbol.global && self.process.is_some();
            let diagnostic = Diagnostic::new(
                &codes::REDECLARED,
                name.span,
                format!("`{}` is declared twice", name.node),
            );
            self.report(diagnostic.label(before, "first declared here").help(if outer {
                "a local variable cannot have the name of a global one; choose another"
            } else {
                "a name that is visible cannot be declared again, not even in an inner block"
            }));
            return false;
        }
        symbol.meaning = meaning;
        symbol.span = name.span;
        true
    }

    /// One variable of a declaration, not yet bound to its name.
    pub(super) fn declared(
        &mut self,
        declaration: &Declaration,
        declared: &Declared,
    ) -> Option<Variable> {
        let width = declared.width.as_ref();
        let kind = self.type_of(&declaration.kind, width, declared.name.span)?;
        let length = match &declared.size {
            Some(size) => Some(self.array_length(size)?),
            None => None,
        };
        let visibility = declaration.visibility.as_ref().map(|v| v.node);
        if visibility == Some(Visibility::Hidden) && matches!(kind, Type::Bit | Type::Chan) {
            let message = format!("a {} cannot be hidden", kind.name());
            let help = "use a `byte` instead, or remove `hidden`";
            self.error_help(&codes::HIDDEN, declared.name.span, message, help);
        }
        let initial = match &declared.initial {
            None => Initial::Zero,
            Some(initial) => self.initial(initial, kind, length, &declared.name)?,
        };
        let (name, span) = (declared.name.node.clone(), declared.name.span);
        Some(Variable { name, kind, length, visibility, initial, span })
    }

    fn initial(
        &mut self,
        initial: &Initializer,
        kind: Type,
        length: Option<u32>,
        name: &Ident,
    ) -> Option<Initial> {
        match initial {
            Initializer::Channel { capacity, fields, span } => {
                if kind != Type::Chan {
                    self.error_help(
                        &codes::NOT_A_CHANNEL,
                        span.0,
                        format!("`{}` is of type {}, not a channel", name.node, kind.name()),
                        "declare it with `chan`",
                    );
                    return None;
                }
                Some(Initial::Channel(self.channel_shape(capacity, fields)?))
            }
            Initializer::List(values) => {
                let Some(length) = length else {
                    let message =
                        format!("`{}` is no array, but is given a list of values", name.node);
                    self.error_help(
                        &codes::BAD_ARRAY,
                        name.span,
                        message,
                        "give it a length, or one value",
                    );
                    return None;
                };
                let values: Vec<i32> = values.iter().filter_map(|v| self.constant(v)).collect();
                if values.len() as u32 > length {
                    let message = format!("{} values for an array of {length}", values.len());
                    let help = "remove values, or make the array longer";
                    self.error_help(&codes::BAD_ARRAY, name.span, message, help);
                }
                // SPIN takes a list of one for a plain value, which goes to every element.
                Some(match values.as_slice() {
                    &[value] => Initial::Value(Expression::Constant(value, None)),
                    _ => Initial::List(values),
                })
            }
            Initializer::Expression(expr) => {
                let value = self.expression(expr);
                if let Type::Struct(_) = kind {
                    let message =
                        format!("`{}` is a structure and cannot be given a value", name.node);
                    self.error_help(
                        &codes::IGNORED_VALUE,
                        expr.span,
                        message,
                        "the value is ignored; give its fields theirs",
                    );
                    return Some(Initial::Zero);
                }
                self.check_initial(&value, kind, name, expr.span);
                Some(Initial::Value(value))
            }
        }
    }

    fn channel_shape(
        &mut self,
        capacity: &Expr,
        fields: &[Spanned<TypeName>],
    ) -> Option<ChannelShape> {
        let value = self.constant(capacity);
        let mut types = Vec::new();
        let mut structure = None;
        for field in fields {
            if field.node == TypeName::Unsigned {
                self.error_help(
                    &pverify_syntax::codes::UNSIGNED_FIELD,
                    field.span,
                    "a message field cannot be `unsigned`",
                    "use `byte`, `short` or `int`",
                );
                continue;
            }
            match self.type_of(field, None, field.span) {
                Some(Type::Struct(id)) => {
                    structure = Some(id).filter(|_| fields.len() == 1);
                    types.extend(self.struct_fields(id));
                }
                Some(kind) => types.push(kind),
                None => {}
            }
        }
        self.widest_message = self.widest_message.max(types.len());
        let value = value?;
        if !(0..=LARGEST_CAPACITY).contains(&value) {
            self.error_help(
                &codes::BAD_CAPACITY,
                capacity.span,
                format!("a channel cannot hold {value} messages"),
                format!("capacities run from 0 (rendezvous) to {LARGEST_CAPACITY}"),
            );
            return None;
        }
        if value == 0 {
            self.met_rendezvous(capacity.span);
        }
        Some(ChannelShape { capacity: value as u32, fields: types, structure })
    }

    /// The types of a structure's values, nested ones and arrays written out.
    pub(super) fn struct_fields(&self, id: StructId) -> Vec<Type> {
        let mut types = Vec::new();
        for field in &self.model.structs[id.index()].fields {
            for _ in 0..field.length.unwrap_or(1) {
                match field.kind {
                    Type::Struct(inner) => types.extend(self.struct_fields(inner)),
                    kind => types.push(kind),
                }
            }
        }
        types
    }

    fn array_length(&mut self, size: &Expr) -> Option<u32> {
        let (mut length, Lent(lent)) = self.constant_or_initial(size)?;
        if lent {
            length = if length > 0 { length } else { LENGTH_BY_DEFAULT };
            self.error_help(
                &codes::LENGTH_FROM_VARIABLE,
                size.span,
                format!("the length is given by a variable, and taken to be {length}"),
                "use a macro: `#define N …`",
            );
        }
        if !(1..=LARGEST_ARRAY).contains(&length) {
            self.error_help(
                &codes::BAD_ARRAY,
                size.span,
                format!("an array cannot have {length} elements"),
                format!("lengths run from 1 to {LARGEST_ARRAY}"),
            );
            return None;
        }
        Some(length as u32)
    }

    fn type_of(
        &mut self,
        name: &Spanned<TypeName>,
        width: Option<&Spanned<i32>>,
        at: Span,
    ) -> Option<Type> {
        if let (Some(width), false) = (width, name.node == TypeName::Unsigned) {
            let message = "only an `unsigned` has a width";
            self.error_help(
                &codes::BAD_WIDTH,
                width.span,
                message,
                "write `unsigned name : width`",
            );
        }
        Some(match &name.node {
            TypeName::Bit | TypeName::Bool => Type::Bit,
            TypeName::Byte | TypeName::Pid => Type::Byte,
            TypeName::Short => Type::Short,
            TypeName::Int => Type::Int,
            TypeName::Chan => Type::Chan,
            TypeName::Mtype(subtype) => {
                Type::Mtype(self.model.mtypes.subtype(subtype.as_ref().map(|s| &s.node)))
            }
            TypeName::Unsigned => {
                let bits = width.map_or(0, |width| width.node);
                if !(1..=31).contains(&bits) {
                    let span = width.map_or(at, |width| width.span);
                    let message = "an `unsigned` needs a width from 1 to 31 bits";
                    self.error_help(
                        &codes::BAD_WIDTH,
                        span,
                        message,
                        "write for example `unsigned x : 5`",
                    );
                    return None;
                }
                Type::Unsigned(bits as u8)
            }
            TypeName::User(user) => {
                let known = self.model.structs.iter().position(|s| s.name == user.node);
                let Some(known) = known else {
                    let message = format!("there is no type `{}`", user.node);
                    let help = "declare it with `typedef` before this place, or check the spelling";
                    self.error_help(&codes::UNKNOWN_TYPE, user.span, message, help);
                    return None;
                };
                Type::Struct(StructId(known as u32))
            }
        })
    }
}

//! Statements and expressions in words: as Promela writes them, with the model's names.

use crate::machine::{
    Action, Expression, Model, Owner, Pattern, Place, Process, ProcessId, VariableId,
};
use crate::types::Type;
use pverify_syntax::ast::{BinaryOperator, Probe, UnaryOperator};
use std::fmt::Write;

/// The text of an action of a process.
pub fn action(model: &Model, process: &Process, action: &Action) -> String {
    let words = Words { model, process };
    match action {
        Action::Skip => "skip".to_owned(),
        Action::Jump => "goto".to_owned(),
        Action::Discard(value) => format!("_ = {}", words.expression(value)),
        Action::Named(name) => name.to_string(),
        Action::Else => "else".to_owned(),
        Action::Condition(condition) => words.expression(condition),
        Action::Assign(place, value) => {
            format!("{} = {}", words.place(place), words.expression(value))
        }
        Action::AssignList(place, values) => {
            let values: Vec<String> = values.iter().map(ToString::to_string).collect();
            format!("{} = {{ {} }}", words.place(place), values.join(", "))
        }
        Action::Declare(id) => format!("declare {}", process.locals[id.index()].name),
        Action::Assert(condition) => format!("assert({})", words.expression(condition)),
        Action::Print(format, arguments) => {
            let mut text = format!("printf(\"{format}\"");
            for argument in arguments {
                let _ = write!(text, ", {}", words.expression(argument));
            }
            text + ")"
        }
        Action::PrintMtype(value) => format!("printm({})", words.expression(value)),
        Action::Send { channel, sorted, message } => {
            let sign = if *sorted { "!!" } else { "!" };
            format!("{}{sign}{}", words.place(channel), words.list(message))
        }
        Action::Receive { channel, random, keep, pattern } => {
            let sign = if *random { "??" } else { "?" };
            let (open, close) = if *keep { ("<", ">") } else { ("", "") };
            format!("{}{sign}{open}{}{close}", words.place(channel), words.pattern(pattern))
        }
        Action::SetPriority(who, priority) => {
            format!("set_priority({}, {})", words.expression(who), words.expression(priority))
        }
        Action::DStep(_) => "d_step".to_owned(),
        Action::End => "-end-".to_owned(),
    }
}

/// The text of a variable, such as the channel of an action of a process.
pub fn place(model: &Model, process: &Process, place: &Place) -> String {
    Words { model, process }.place(place)
}

struct Words<'a> {
    model: &'a Model,
    process: &'a Process,
}

impl Words<'_> {
    fn list(&self, values: &[Expression]) -> String {
        values.iter().map(|value| self.expression(value)).collect::<Vec<_>>().join(",")
    }

    fn pattern(&self, pattern: &[Pattern]) -> String {
        let part = |part: &Pattern| match part {
            Pattern::Store(place) => self.place(place),
            Pattern::Ignore => "_".to_owned(),
            Pattern::Match(constant @ Expression::Constant(..)) => self.expression(constant),
            Pattern::Match(value) => format!("eval({})", self.expression(value)),
        };
        pattern.iter().map(part).collect::<Vec<_>>().join(",")
    }

    fn place(&self, place: &Place) -> String {
        let variable = match place.owner {
            Owner::Global => &self.model.globals[place.variable.index()],
            Owner::Local => &self.process.locals[place.variable.index()],
        };
        let mut text = variable.name.to_string();
        let mut kind = variable.kind;
        let index = |index: &Option<Box<Expression>>| match index {
            Some(index) => format!("[{}]", self.expression(index)),
            None => String::new(),
        };
        text += &index(&place.index);
        for step in &place.fields {
            let Type::Struct(id) = kind else { break };
            let field = &self.model.structs[id.index()].fields[step.field as usize];
            let _ = write!(text, ".{}{}", field.name, index(&step.index));
            kind = field.kind;
        }
        text
    }

    fn remote(&self, process: ProcessId, pid: Option<&Expression>) -> String {
        let name = &self.model.processes[process.index()].name;
        match pid {
            Some(pid) => format!("{name}[{}]", self.expression(pid)),
            None => name.to_string(),
        }
    }

    fn remote_variable(&self, process: ProcessId, variable: VariableId) -> String {
        self.model.processes[process.index()].locals[variable.index()].name.to_string()
    }

    fn expression(&self, expression: &Expression) -> String {
        match expression {
            Expression::Constant(_, Some(name)) => name.to_string(),
            Expression::Constant(value, None) => value.to_string(),
            Expression::Anything => "_".to_owned(),
            Expression::Read(place) => self.place(place),
            Expression::Unary(operator, inner) => {
                let sign = match operator {
                    UnaryOperator::Minus => "-",
                    UnaryOperator::Complement => "~",
                    UnaryOperator::Not => "!",
                };
                format!("{sign}{}", self.operand(inner))
            }
            Expression::Binary(operator, left, right) => {
                format!("{} {} {}", self.operand(left), sign(*operator), self.operand(right))
            }
            Expression::Conditional(parts) => {
                let [condition, yes, no] = &**parts;
                let (yes, no) = (self.expression(yes), self.expression(no));
                format!("({} -> {yes} : {no})", self.expression(condition))
            }
            Expression::Run { process, arguments, .. } => {
                format!("run {}({})", self.remote(*process, None), self.list(arguments))
            }
            Expression::Probe(probe, place) => {
                let name = match probe {
                    Probe::Len => "len",
                    Probe::Empty => "empty",
                    Probe::Full => "full",
                    Probe::Nempty => "nempty",
                    Probe::Nfull => "nfull",
                };
                format!("{name}({})", self.place(place))
            }
            Expression::Poll { channel, random, pattern } => {
                let sign = if *random { "??" } else { "?" };
                format!("{}{sign}[{}]", self.place(channel), self.pattern(pattern))
            }
            Expression::Enabled(pid) => format!("enabled({})", self.expression(pid)),
            Expression::PcValue(pid) => format!("pc_value({})", self.expression(pid)),
            Expression::Priority(pid) if **pid == Expression::Pid => "_priority".to_owned(),
            Expression::Priority(pid) => format!("get_priority({})", self.expression(pid)),
            Expression::Timeout => "timeout".to_owned(),
            Expression::NonProgress => "np_".to_owned(),
            Expression::Pid => "_pid".to_owned(),
            Expression::ProcessCount => "_nr_pr".to_owned(),
            Expression::Last => "_last".to_owned(),
            Expression::RemoteLabel { process, pid, label } => {
                let labels = &self.model.processes[process.index()].graph.labels;
                let label = labels.get(*label as usize).map_or("?", |label| &label.name);
                format!("{}@{label}", self.remote(*process, pid.as_deref()))
            }
            Expression::RemoteVariable { process, pid, variable, index } => {
                let name = self.remote_variable(*process, *variable);
                let mut text = format!("{}:{name}", self.remote(*process, pid.as_deref()));
                if let Some(index) = index {
                    let _ = write!(text, "[{}]", self.expression(index));
                }
                text
            }
        }
    }

    /// An operand of an operator, in parentheses unless it is simple.
    fn operand(&self, expression: &Expression) -> String {
        let text = self.expression(expression);
        match expression {
            Expression::Binary(..) => format!("({text})"),
            Expression::Constant(value, None) if *value < 0 => format!("({text})"),
            _ => text,
        }
    }
}

fn sign(operator: BinaryOperator) -> &'static str {
    match operator {
        BinaryOperator::Add => "+",
        BinaryOperator::Subtract => "-",
        BinaryOperator::Multiply => "*",
        BinaryOperator::Divide => "/",
        BinaryOperator::Remainder => "%",
        BinaryOperator::BitAnd => "&",
        BinaryOperator::BitXor => "^",
        BinaryOperator::BitOr => "|",
        BinaryOperator::ShiftLeft => "<<",
        BinaryOperator::ShiftRight => ">>",
        BinaryOperator::Less => "<",
        BinaryOperator::LessEqual => "<=",
        BinaryOperator::Greater => ">",
        BinaryOperator::GreaterEqual => ">=",
        BinaryOperator::Equal => "==",
        BinaryOperator::NotEqual => "!=",
        BinaryOperator::And => "&&",
        BinaryOperator::Or => "||",
    }
}

//! The model as machines: variables, channels, processes and their control graphs.
//!
//! This is what the engines work on. Names are resolved, types known, constants folded where the
//! language asks for it, and every process is a graph of locations whose edges are the steps that
//! SPIN 6 executes, numbered as SPIN numbers them.

use crate::types::{Mtypes, Struct, Type};
use pverify_syntax::ast::{BinaryOperator, Expr, Formula, Probe, UnaryOperator, Visibility};
use pverify_syntax::source::Span;
use pverify_syntax::token::Name;

/// Declares an index newtype: a process is never passed for a channel.
macro_rules! index {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub u32);
        impl $name {
            /// As an index of a vector.
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

index! {
    /// A variable among the globals of the model or the locals of a process type.
    VariableId
}
index! {
    /// A process type, in the order of the text (claims and traces are process types too).
    ProcessId
}
index! {
    /// A `typedef`, in the order of the text.
    StructId
}
index! {
    /// A location of a control graph.
    LocationId
}

/// A whole model.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// The `typedef`s.
    pub structs: Vec<Struct>,
    /// The `mtype` constants.
    pub mtypes: Mtypes,
    /// Global variables, in the order of the text.
    pub globals: Vec<Variable>,
    /// Process types, claims and traces, in the order of the text.
    pub processes: Vec<Process>,
    /// The `ltl` blocks, in the order of the text.
    pub formulas: Vec<Property>,
    /// Words of the language that need room in a state when used.
    pub uses: Uses,
    /// Written as machines or transitions, which have no labels and no statements.
    pub foreign: bool,
}

/// Features that widen the state or change the meaning of a step when a model uses them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Uses {
    /// `_last` is read.
    pub last: bool,
    /// A priority other than the default is given or asked for.
    pub priorities: bool,
    /// `enabled()` is asked.
    pub enabled: bool,
    /// `np_` is asked.
    pub non_progress: bool,
    /// Some process has a `provided` clause.
    pub provided: bool,
    /// An `else` stands beside a test of a channel.
    pub else_beside_channel: bool,
}

/// A property written as a formula.
#[derive(Clone, Debug)]
pub struct Property {
    /// Its name; `ltl_0` and so on where the text gives none.
    pub name: Name,
    /// The formula as written.
    pub formula: Formula,
    /// Its propositions, each once.
    pub propositions: Vec<Proposition>,
    /// Its place.
    pub span: Span,
}

/// A part of a formula that is true or false in a state.
#[derive(Clone, Debug)]
pub struct Proposition {
    /// As written.
    pub written: Expr,
    /// What it asks; not zero is true.
    pub value: Expression,
}

/// A variable: scalar, array, structure or channel.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name as written.
    pub name: Name,
    /// The type of one element.
    pub kind: Type,
    /// `Some(n)` for an array of n elements.
    pub length: Option<u32>,
    /// `hidden`, `show`, `local`.
    pub visibility: Option<Visibility>,
    /// What it starts with.
    pub initial: Initial,
    /// Where it is declared.
    pub span: Span,
}

/// What a variable starts with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Initial {
    /// Zero, in every element and field (fields may have initial values of their own).
    Zero,
    /// The same value in every element, computed when the variable comes into being.
    Value(Expression),
    /// One value an element.
    List(Vec<i32>),
    /// A new channel in every element.
    Channel(ChannelShape),
    /// The actual parameter.
    Parameter,
}

/// What a channel holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChannelShape {
    /// How many messages; 0 is rendezvous, [`ChannelShape::UNBOUNDED`] any number.
    pub capacity: u32,
    /// The type of each field, structures written out.
    pub fields: Vec<Type>,
    /// The structure that a message is, if it is one and nothing else.
    pub structure: Option<StructId>,
}

impl ChannelShape {
    /// The capacity of a channel that has none: it takes every message.
    pub const UNBOUNDED: u32 = u32::MAX;

    /// The most messages that a channel without capacity holds; reaching it is a limit of ours, not
    /// a property of the model.
    pub const MOST: u32 = 0xffff;
}

/// What kind of machine a process type is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ProcessKind {
    /// `proctype`
    Proctype,
    /// `init`
    Init,
    /// `never`
    Never,
    /// `trace`
    Trace,
    /// `notrace`
    Notrace,
}

/// A process type.
#[derive(Clone, Debug)]
pub struct Process {
    /// Its name; `:init:`, `never_0`, `:trace:` for those without.
    pub name: Name,
    /// What it is.
    pub kind: ProcessKind,
    /// How many run from the start.
    pub active: u32,
    /// The priority of those that run from the start.
    pub priority: u8,
    /// `D_proctype`
    pub deterministic: bool,
    /// Moves only while this holds.
    pub provided: Option<Expression>,
    /// How many of the locals are parameters (they come first).
    pub parameters: u32,
    /// Parameters and local variables.
    pub locals: Vec<Variable>,
    /// What it does.
    pub graph: ControlGraph,
    /// Where it is declared.
    pub span: Span,
}

/// A process as a graph: what it can do where.
#[derive(Clone, Debug, Default)]
pub struct ControlGraph {
    /// The locations that control can reach; the first is where it starts.
    pub locations: Vec<Location>,
    /// The labels of the process.
    pub labels: Vec<Label>,
}

/// A place in the control of a process, between two steps.
#[derive(Clone, Debug)]
pub struct Location {
    /// SPIN's number of it, which `pc_value` gives and trails use.
    pub number: u32,
    /// The steps it offers, in the order SPIN tries them; escapes of an `unless` first.
    pub edges: Vec<Edge>,
    /// A process may rest here for ever.
    pub end: bool,
    /// An `accept` label.
    pub accept: bool,
    /// A `progress` label.
    pub progress: bool,
    /// Where it stands in the text.
    pub span: Span,
}

/// A step of a process.
#[derive(Clone, Debug)]
pub struct Edge {
    /// SPIN's number of the step, unique in the model; trails are made of it.
    pub id: u32,
    /// Where it leads; `None` when the process ends.
    pub target: Option<LocationId>,
    /// What it does.
    pub action: Action,
    /// The process keeps control after it: it ends inside an `atomic` block.
    pub atomic: bool,
    /// For an escape of an `unless`: SPIN's number of the escape's first location. Edges of one
    /// location with a smaller rank are tried first; those behind only if none of them can move.
    pub escape: Option<u32>,
    /// Where the statement stands in the text.
    pub span: Span,
}

/// A label and where it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// Its name.
    pub name: Name,
    /// SPIN's number of the place.
    pub number: u32,
    /// The location; `None` when control never rests there.
    pub location: Option<LocationId>,
    /// Where it is written.
    pub span: Span,
}

/// What a step does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Nothing, but it can be waited for: `skip`, or any condition that is `1`.
    Skip,
    /// Nothing: a jump that is a step of its own.
    Jump,
    /// `_ = e`: the value is calculated, which may go wrong, and forgotten.
    Discard(Expression),
    /// Nothing, but whoever looks on calls it so: a transition with a label.
    Named(Name),
    /// Possible only when no other step of the location is.
    Else,
    /// Waits until the value is not zero (a `run` in it acts).
    Condition(Expression),
    /// `x = e`
    Assign(Place, Expression),
    /// `x = { 1, 2, 3 }` in a declaration behind the first statement.
    AssignList(Place, Vec<i32>),
    /// The declaration, behind the first statement, of a structure: a step that does nothing.
    Declare(VariableId),
    /// `assert(e)`
    Assert(Expression),
    /// `printf`
    Print(Name, Vec<Expression>),
    /// `printm`
    PrintMtype(Expression),
    /// `c!…`, `c!!…`
    Send {
        /// The channel.
        channel: Place,
        /// `!!`
        sorted: bool,
        /// The fields.
        message: Vec<Expression>,
    },
    /// `c?…`, `c??…`, `c?<…>`, `c??<…>`
    Receive {
        /// The channel.
        channel: Place,
        /// `??`
        random: bool,
        /// `<…>`
        keep: bool,
        /// The fields.
        pattern: Vec<Pattern>,
    },
    /// `set_priority(p, n)`, or `_priority = n`
    SetPriority(Expression, Expression),
    /// `d_step { … }`: all of it at once, the first possible choice each time.
    DStep(Box<Block>),
    /// The end of the process: it disappears when it is the youngest.
    End,
}

/// The inside of a `d_step`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// The points of the block; the first is where it starts.
    pub points: Vec<Vec<BlockStep>>,
}

/// A step inside a `d_step`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockStep {
    /// What it does; never a `d_step`.
    pub action: Action,
    /// The next point; `None` leaves the block.
    pub next: Option<u32>,
    /// Where it stands in the text.
    pub span: Span,
}

/// Part of a receive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// A variable takes the value.
    Store(Place),
    /// `_`
    Ignore,
    /// The value must be this.
    Match(Expression),
}

/// Whose variable it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Owner {
    /// The model's.
    Global,
    /// The process's own.
    Local,
}

/// A variable, element or field: something that can be read and written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Whose.
    pub owner: Owner,
    /// Which variable.
    pub variable: VariableId,
    /// Its index; `None` for a scalar.
    pub index: Option<Box<Expression>>,
    /// Fields, outermost first.
    pub fields: Vec<FieldStep>,
    /// The type of what is reached.
    pub kind: Type,
    /// Where it is written.
    pub span: Span,
}

/// One `.field[index]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldStep {
    /// Which field of the structure.
    pub field: u32,
    /// Its index; `None` for a scalar.
    pub index: Option<Box<Expression>>,
}

/// An expression; all arithmetic is C's on 32-bit integers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expression {
    /// A number, and how an `mtype` constant is written.
    Constant(i32, Option<Name>),
    /// `_` in a trace: whatever the field holds.
    Anything,
    /// The value of a variable.
    Read(Place),
    /// `-e`, `~e`, `!e`
    Unary(UnaryOperator, Box<Expression>),
    /// `a + b` and its like; `&&` and `||` look at the right side only if they must.
    Binary(BinaryOperator, Box<Expression>, Box<Expression>),
    /// `(c -> a : b)`
    Conditional(Box<[Expression; 3]>),
    /// `run P(…)`
    Run {
        /// The process type.
        process: ProcessId,
        /// Actual parameters, structures written out.
        arguments: Vec<Expression>,
        /// `priority n`
        priority: Option<u8>,
    },
    /// `len(c)` and its like
    Probe(Probe, Place),
    /// `c?[…]`, `c??[…]`
    Poll {
        /// The channel.
        channel: Place,
        /// `??`
        random: bool,
        /// What must match (`Store` matches anything).
        pattern: Vec<Pattern>,
    },
    /// `enabled(p)`
    Enabled(Box<Expression>),
    /// `pc_value(p)`
    PcValue(Box<Expression>),
    /// `get_priority(p)`, or `_priority`
    Priority(Box<Expression>),
    /// `timeout`
    Timeout,
    /// `np_`
    NonProgress,
    /// `_pid`
    Pid,
    /// `_nr_pr`
    ProcessCount,
    /// `_last`
    Last,
    /// `P[e]@label`: whether that process is of this type and stands at the label.
    RemoteLabel {
        /// The process type.
        process: ProcessId,
        /// Which instance; the only one where `None`.
        pid: Option<Box<Expression>>,
        /// Which of its labels.
        label: u32,
    },
    /// `P[e]:x`
    RemoteVariable {
        /// The process type.
        process: ProcessId,
        /// Which instance; the only one where `None`.
        pid: Option<Box<Expression>>,
        /// Its variable.
        variable: VariableId,
        /// The variable's index.
        index: Option<Box<Expression>>,
    },
}

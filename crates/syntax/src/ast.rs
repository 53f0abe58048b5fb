//! The tree of a Promela model, as written, with macros and inlines already expanded.
//!
//! Nothing is resolved here: a name is a name, whether it will turn out to be a variable, an
//! `mtype` constant or a label; `model` decides. Equality of trees ignores spans, so that
//! `parse ∘ print = identity` can be said plainly.

mod expression;

pub use expression::{
    BinaryOperator, Expr, ExprKind, Formula, FormulaKind, FormulaOperator, Probe, ReceiveArgument,
    TemporalUnary, UnaryOperator, VarPart, VarRef,
};

use crate::source::Span;
use crate::token::Name;

/// A node and its place; equality looks at the node alone.
#[derive(Clone, Debug)]
pub struct Spanned<T> {
    /// The node.
    pub node: T,
    /// Its place.
    pub span: Span,
}

impl<T: PartialEq> PartialEq for Spanned<T> {
    fn eq(&self, other: &Self) -> bool {
        self.node == other.node
    }
}

impl<T: Eq> Eq for Spanned<T> {}

impl<T> Spanned<T> {
    /// A node at a place.
    pub const fn new(node: T, span: Span) -> Self {
        Self { node, span }
    }
}

/// A name and its place.
pub type Ident = Spanned<Name>;
/// A statement and its place.
pub type Statement = Spanned<StatementKind>;
/// A step of a sequence and its place.
pub type Step = Spanned<StepKind>;
/// A top-level unit and its place.
pub type Item = Spanned<ItemKind>;

/// A whole model.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Program {
    /// Its units, in the order of the text.
    pub items: Vec<Item>,
}

/// A top-level unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ItemKind {
    /// `proctype P(…) { … }`
    Proctype(Box<Proctype>),
    /// `init { … }`
    Init {
        /// `priority n`
        priority: Option<Spanned<i32>>,
        /// What it does.
        body: Sequence,
    },
    /// `never name { … }`
    Never {
        /// Its name, where it has one.
        name: Option<Ident>,
        /// The claim.
        body: Sequence,
    },
    /// `trace { … }` or `notrace { … }`
    Trace {
        /// Whether it is `notrace`.
        negated: bool,
        /// The events.
        body: Sequence,
    },
    /// `ltl name { … }`
    Ltl {
        /// Its name, where it has one.
        name: Option<Ident>,
        /// What must hold.
        formula: Formula,
    },
    /// Global variables and channels.
    Declaration(Declaration),
    /// `mtype = { … }` or `mtype:name = { … }`
    Mtype {
        /// The subtype's name.
        name: Option<Ident>,
        /// A `hidden`, `show` or `local` in front, which SPIN ignores with a message.
        visibility: Option<Spanned<Visibility>>,
        /// The constants in the order of the text.
        constants: Vec<Ident>,
    },
    /// `typedef T { … }`
    Typedef {
        /// Its name.
        name: Ident,
        /// Its fields.
        fields: Vec<Declaration>,
    },
}

/// `active [n] proctype P(…) priority n provided (e) { … }`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proctype {
    /// `D_proctype`
    pub deterministic: bool,
    /// `active`, with its count where one is given.
    pub active: Option<Option<Expr>>,
    /// Its name.
    pub name: Ident,
    /// Its formal parameters.
    pub parameters: Vec<Declaration>,
    /// `priority n`
    pub priority: Option<Spanned<i32>>,
    /// `provided (e)`
    pub provided: Option<Expr>,
    /// What it does.
    pub body: Sequence,
}

/// How a variable takes part in the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Visibility {
    /// `hidden`: not part of the state.
    Hidden,
    /// `show`: traced in charts.
    Show,
    /// `local`: promised to be used by one process only.
    Local,
}

/// `hidden byte a, b[3] = 1`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declaration {
    /// `hidden`, `show`, `local`
    pub visibility: Option<Spanned<Visibility>>,
    /// The type of all its variables.
    pub kind: Spanned<TypeName>,
    /// Its variables.
    pub variables: Vec<Variable>,
    /// Its place.
    pub span: SpanOnly,
}

/// A place that takes no part in comparisons.
#[derive(Clone, Copy, Debug, Default)]
pub struct SpanOnly(pub Span);

impl PartialEq for SpanOnly {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for SpanOnly {}

/// A type as written.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "each variant is the type's name")]
pub enum TypeName {
    Bit,
    Bool,
    Byte,
    Pid,
    Short,
    Int,
    Unsigned,
    Chan,
    /// `mtype` or `mtype:name`
    Mtype(Option<Ident>),
    /// A `typedef`.
    User(Ident),
}

/// One declared variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its name.
    pub name: Ident,
    /// `: n`, the bits of an `unsigned`.
    pub width: Option<Spanned<i32>>,
    /// `[n]`, the length of an array.
    pub size: Option<Expr>,
    /// `= …`
    pub initial: Option<Initializer>,
}

/// What a variable starts with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Initializer {
    /// `= e`
    Expression(Expr),
    /// `= { 1, 2, 3 }`
    List(Vec<Expr>),
    /// `= [n] of { T, … }`
    Channel {
        /// Its place.
        span: SpanOnly,
        /// How many messages it holds; 0 is rendezvous.
        capacity: Expr,
        /// The types of a message's fields.
        fields: Vec<Spanned<TypeName>>,
    },
}

/// Steps one after the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sequence {
    /// The steps; never empty.
    pub steps: Vec<Step>,
    /// From the opening brace (or `::`) to the end.
    pub span: SpanOnly,
}

/// A step of a sequence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StepKind {
    /// Local variables.
    Declaration(Declaration),
    /// `xr c, d` or `xs c, d`
    Exclusive {
        /// `xs` rather than `xr`.
        sends: bool,
        /// The channels.
        channels: Vec<VarRef>,
    },
    /// A statement.
    Statement(StatementKind),
    /// `main unless escape`
    Unless {
        /// What is done.
        main: Box<Statement>,
        /// What takes over as soon as it can.
        escape: Box<Statement>,
    },
}

/// A statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StatementKind {
    /// `label: statement`; without a statement, `skip`.
    Labelled {
        /// The label.
        label: Ident,
        /// What it marks.
        statement: Option<Box<Statement>>,
    },
    /// `x = e`
    Assign {
        /// The variable.
        target: VarRef,
        /// Its new value.
        value: Expr,
    },
    /// `x++`
    Increment(VarRef),
    /// `x--`
    Decrement(VarRef),
    /// `set_priority(pid, n)`
    SetPriority {
        /// Whose.
        process: Expr,
        /// The new priority.
        priority: Expr,
    },
    /// `printf("…", …)`
    Printf {
        /// The format, escapes as written.
        format: Spanned<Name>,
        /// What it shows.
        arguments: Vec<Expr>,
    },
    /// `printm(x)`: a variable or constant.
    Printm(Expr),
    /// `assert(e)`
    Assert(Expr),
    /// `c!a,b`, `c!a(b)`, `c!!a,b`
    Send {
        /// The channel.
        channel: VarRef,
        /// `!!`
        sorted: bool,
        /// The message.
        arguments: Vec<Expr>,
    },
    /// `c?a,b`, `c?a(b)`, `c??a`, `c?<a>`, `c??<a>`
    Receive {
        /// The channel.
        channel: VarRef,
        /// `??`: the first message that matches, wherever it stands.
        random: bool,
        /// `<…>`: the message stays in the channel.
        keep: bool,
        /// What must match, and where values go.
        arguments: Vec<ReceiveArgument>,
    },
    /// An expression: waits until it is not zero.
    Expression(Expr),
    /// `else`
    Else,
    /// `if :: … :: … fi`
    If(Vec<Sequence>),
    /// `do :: … :: … od`
    Do(Vec<Sequence>),
    /// `for (i : a .. b) { … }`
    ForRange {
        /// The counter.
        variable: VarRef,
        /// Its first value.
        from: Expr,
        /// Its last value.
        to: Expr,
        /// What is repeated.
        body: Sequence,
    },
    /// `for (i in a) { … }`: over an array's indices or a channel's messages.
    ForIn {
        /// The index, or a variable that takes each message.
        variable: VarRef,
        /// The array or channel.
        container: VarRef,
        /// What is repeated.
        body: Sequence,
    },
    /// `select (i : a .. b)`
    Select {
        /// The variable that gets a value.
        variable: VarRef,
        /// The least value.
        from: Expr,
        /// The greatest value.
        to: Expr,
        /// Whether SPIN writes it out as a choice before it parses it: decimal constants, a
        /// name of letters and digits only, all on one line, and outside inlines.
        literal: bool,
    },
    /// `break`
    Break,
    /// `goto label`
    Goto(Ident),
    /// `atomic { … }`
    Atomic(Sequence),
    /// `d_step { … }`
    DStep(Sequence),
    /// `{ … }`
    Block(Sequence),
    /// `return e` that is not inside an inline called as `x = name(…)`.
    Return(Expr),
}

//! Expressions and formulas as written, and the variables in them.

use super::{Ident, SpanOnly, Spanned};

/// An expression and its place.
pub type Expr = Spanned<ExprKind>;

/// A part of a receive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReceiveArgument {
    /// A variable that takes the value, `_`, or the name of an `mtype` constant to match.
    Variable(VarRef),
    /// `eval(e)`
    Eval(Expr),
    /// A constant to match (a number, `true`, `false`, or `-n`).
    Constant(Expr),
}

/// `a[i].b[j].c`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VarRef {
    /// The name, then the fields; never empty.
    pub parts: Vec<VarPart>,
    /// Its place.
    pub span: SpanOnly,
}

/// One name of a variable reference with its index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VarPart {
    /// The name.
    pub name: Ident,
    /// `[e]`
    pub index: Option<Box<Expr>>,
}

/// An expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExprKind {
    /// A number or character.
    Number(i32),
    /// `true`
    True,
    /// `false`
    False,
    /// `skip`
    Skip,
    /// A variable, or an `mtype` constant.
    Variable(VarRef),
    /// `-e`, `~e`, `!e`
    Unary(UnaryOperator, Box<Expr>),
    /// `a + b` and its like
    Binary(BinaryOperator, Box<Expr>, Box<Expr>),
    /// `(c -> a : b)`
    Conditional(Box<[Expr; 3]>),
    /// `run P(…) priority n`
    Run {
        /// The proctype.
        process: Ident,
        /// Its actual parameters.
        arguments: Vec<Expr>,
        /// `priority n`
        priority: Option<Spanned<i32>>,
    },
    /// `len(c)`, `empty(c)`, `full(c)`, `nempty(c)`, `nfull(c)`
    Probe(Probe, VarRef),
    /// `enabled(pid)`
    Enabled(Box<Expr>),
    /// `pc_value(pid)`
    PcValue(Box<Expr>),
    /// `get_priority(pid)`
    GetPriority(Box<Expr>),
    /// `c?[a,b]`, `c??[a,b]`
    Poll {
        /// The channel.
        channel: VarRef,
        /// `??`
        random: bool,
        /// What must match.
        arguments: Vec<ReceiveArgument>,
    },
    /// `timeout`
    Timeout,
    /// `np_`
    NonProgress,
    /// `P[e]@label`, `P@label`
    RemoteLabel {
        /// The proctype.
        process: Ident,
        /// Which instance.
        pid: Option<Box<Expr>>,
        /// The label.
        label: Ident,
    },
    /// `P[e]:x[i]`, `P:x`
    RemoteVariable {
        /// The proctype.
        process: Ident,
        /// Which instance.
        pid: Option<Box<Expr>>,
        /// Its variable.
        variable: VarPart,
    },
}

/// Operators in front of their operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "each variant is its name")]
pub enum UnaryOperator {
    Minus,
    Complement,
    Not,
}

/// Operators between their operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "each variant is its name")]
pub enum BinaryOperator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    BitAnd,
    BitXor,
    BitOr,
    ShiftLeft,
    ShiftRight,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
    And,
    Or,
}

impl BinaryOperator {
    /// Whether it compares.
    pub fn is_comparison(self) -> bool {
        self.opposite() != self
    }

    /// The comparison that is true when this one is not; other operators stay as they are.
    pub const fn opposite(self) -> Self {
        match self {
            Self::Less => Self::GreaterEqual,
            Self::LessEqual => Self::Greater,
            Self::Greater => Self::LessEqual,
            Self::GreaterEqual => Self::Less,
            Self::Equal => Self::NotEqual,
            Self::NotEqual => Self::Equal,
            other => other,
        }
    }

    /// The comparison with its sides exchanged; other operators stay as they are.
    pub const fn mirrored(self) -> Self {
        match self {
            Self::Less => Self::Greater,
            Self::LessEqual => Self::GreaterEqual,
            Self::Greater => Self::Less,
            Self::GreaterEqual => Self::LessEqual,
            other => other,
        }
    }
}

/// Questions to a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "each variant is its name")]
pub enum Probe {
    Len,
    Empty,
    Full,
    Nempty,
    Nfull,
}

/// A formula of linear temporal logic and its place.
pub type Formula = Spanned<FormulaKind>;

/// A formula; boolean connectives are kept apart from the propositions as far as they go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FormulaKind {
    /// A state formula without temporal operators and without `!`, `&&`, `||` on top.
    Proposition(Expr),
    /// `!f`
    Not(Box<Formula>),
    /// `[] f`, `<> f`, `X f`
    Unary(TemporalUnary, Box<Formula>),
    /// `f && g` and its like
    Binary(FormulaOperator, Box<Formula>, Box<Formula>),
}

/// Temporal operators in front of their operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "each variant is its name")]
pub enum TemporalUnary {
    Always,
    Eventually,
    Next,
}

/// Operators between two formulas.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "each variant is its name")]
pub enum FormulaOperator {
    And,
    Or,
    Implies,
    Equivalent,
    Until,
    Release,
    WeakUntil,
}

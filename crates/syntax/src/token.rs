//! The words of Promela and of its LTL formulas, after preprocessing.

use crate::source::{Sources, Span};
use std::fmt;
use std::sync::Arc;

/// A name as it was written; cheap to clone.
pub type Name = Arc<str>;

/// One word.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Token {
    /// An identifier that is no keyword.
    Name(Name),
    /// A number, or a character constant by its value.
    Number(i32),
    /// A string, without its quotes, escapes as written.
    Text(Name),
    /// A reserved word.
    Keyword(Keyword),
    /// A sign.
    Sign(Sign),
    /// An operator of temporal logic; only inside formulas.
    Temporal(Temporal),
    /// Stands before the `{` of an expanded inline call (its closing `}` ends the call).
    InlineBody,
}

/// Declares an enum of words with their spelling.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($variant:ident = $text:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[allow(missing_docs, reason = "each variant is its spelling")]
        pub enum $name { $($variant,)* }
        impl $name {
            /// Every word of this kind.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];
            /// How it is written.
            pub const fn text(self) -> &'static str {
                match self { $(Self::$variant => $text,)* }
            }
        }
    };
}

words! {
    /// The reserved words of Promela 6 (`in` is reserved only in the head of a `for`).
    Keyword {
        Active = "active", Assert = "assert", Atomic = "atomic", Bit = "bit", Bool = "bool",
        Break = "break", Byte = "byte", CCode = "c_code", CDecl = "c_decl", CExpr = "c_expr",
        CState = "c_state", CTrack = "c_track", Chan = "chan", DProctype = "D_proctype",
        DStep = "d_step", Do = "do", Else = "else", Empty = "empty", Enabled = "enabled",
        Eval = "eval", False = "false", Fi = "fi", For = "for", Full = "full",
        GetPriority = "get_priority", Goto = "goto", Hidden = "hidden", If = "if", In = "in",
        Init = "init", Inline = "inline", Int = "int", Len = "len", Local = "local", Ltl = "ltl",
        Mtype = "mtype", Nempty = "nempty", Never = "never", Nfull = "nfull",
        Notrace = "notrace", NonProgress = "np_", Od = "od", Of = "of", PcValue = "pc_value",
        Pid = "pid", Printf = "printf", Printm = "printm", Priority = "priority",
        Proctype = "proctype", Provided = "provided", Return = "return", Run = "run",
        Select = "select", SetPriority = "set_priority", Short = "short", Show = "show",
        Skip = "skip", Timeout = "timeout", Trace = "trace", True = "true",
        Typedef = "typedef", Unless = "unless", Unsigned = "unsigned", Xr = "xr", Xs = "xs",
    }
}

words! {
    /// The signs of Promela.
    Sign {
        LeftParen = "(", RightParen = ")", LeftBracket = "[", RightBracket = "]",
        LeftBrace = "{", RightBrace = "}", Semicolon = ";", Arrow = "->", DoubleColon = "::",
        Colon = ":", Comma = ",", Dot = ".", DotDot = "..", At = "@", Assign = "=",
        Increment = "++", Decrement = "--", Plus = "+", Minus = "-", Star = "*", Slash = "/",
        Percent = "%", Ampersand = "&", Pipe = "|", Caret = "^", Tilde = "~", AndAnd = "&&",
        OrOr = "||", Equal = "==", NotEqual = "!=", Less = "<", LessEqual = "<=",
        Greater = ">", GreaterEqual = ">=", ShiftLeft = "<<", ShiftRight = ">>", Bang = "!",
        BangBang = "!!", Question = "?", QuestionQuestion = "??",
    }
}

words! {
    /// The operators that only formulas have.
    Temporal {
        Always = "[]", Eventually = "<>", Next = "X", Until = "U", Release = "V",
        WeakUntil = "W", Implies = "->", Equivalent = "<->",
    }
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => f.write_str(name),
            Self::Number(number) => write!(f, "{number}"),
            Self::Text(text) => write!(f, "\"{text}\""),
            Self::Keyword(keyword) => f.write_str(keyword.text()),
            Self::Sign(sign) => f.write_str(sign.text()),
            Self::Temporal(operator) => f.write_str(operator.text()),
            Self::InlineBody => f.write_str("inline call"),
        }
    }
}

/// The words of a model, ready for the grammar: inlines expanded, optional semicolons put in,
/// formulas in their own words.
#[derive(Debug, Default)]
pub struct Tokens {
    /// The words.
    pub tokens: Vec<Token>,
    /// Where each stands; same length as `tokens`.
    pub spans: Vec<Span>,
    /// The place behind the last word, for «unexpected end».
    pub end: Span,
    /// The inlines that were defined, whose calls have been expanded.
    pub inlines: Vec<Inline>,
}

/// An inline definition, which itself leaves no words behind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inline {
    /// Its name.
    pub name: Name,
    /// The place of the name in the definition.
    pub span: Span,
    /// How many parameters it has.
    pub parameters: usize,
    /// How often it is called, counting calls from expanded bodies.
    pub calls: usize,
}

impl Tokens {
    /// The place of the words with these numbers; an empty range is the place before its start.
    pub fn span(&self, sources: &Sources, range: std::ops::Range<usize>) -> Span {
        match (self.spans.get(range.start), range.end.checked_sub(1)) {
            (Some(&first), Some(last)) if last >= range.start => {
                sources.join(first, self.spans.get(last).copied().unwrap_or(first))
            }
            (Some(&first), _) => Span { end: first.start, ..first },
            (None, _) => self.end,
        }
    }
}

//! What went wrong at a word: small, without allocation, because rules fail all the time.
//!
//! chumsky keeps the failure that got furthest and merges those at the same word; a [`Problem`]
//! therefore holds the set of what was expected as bits. `report` finds the words for it.

use super::Words;
use crate::token::{Keyword, Sign, Token};
use chumsky::DefaultExpected;
use chumsky::error::{Error, LabelError};
use chumsky::span::SimpleSpan;
use chumsky::util::MaybeRef;

/// A failure of the grammar at one word.
#[derive(Clone, Copy, Debug)]
pub(super) struct Problem {
    /// The number of the word.
    pub(super) at: usize,
    /// What is wrong there.
    pub(super) kind: Kind,
}

/// The kinds of failure; numbers in them are numbers of words.
#[derive(Clone, Copy, Debug)]
pub(super) enum Kind {
    /// The word does not fit.
    Unexpected(ExpectedSet),
    /// A new step begins without a separator before it.
    MissingSeparator,
    /// A construct ends without its closing word.
    Unclosed { opener: usize },
    /// A closing word that closes nothing.
    Stray,
    /// A closing word of another kind of construct.
    WrongCloser { opener: usize },
    /// `!full(q)`
    NegatedProbe,
    /// `full(q) == 1`
    ProbeOperand,
    /// `([] p) + 1`
    TemporalOperand,
    /// More than [`super::operand::HEIGHT_LIMIT`] levels.
    TooDeep,
    /// `L: byte x`
    LabelledDeclaration { label: usize },
    /// `do :: od`, `{ }`
    Empty { opener: usize },
    /// `if (x) …`
    NoOptions,
    /// `return` outside `x = name(…)`
    Return,
    /// `x + 1 = 3`
    NotAVariable,
    /// `mtype = { … }` inside a process
    LocalMtype,
    /// `int = { a }`
    ConstantsOfOtherType,
    /// `of { unsigned }`
    UnsignedField,
    /// `proctype P(byte a = 1)`
    InitialParameter,
    /// `byte a[n * len(q)]`
    NotConstant,
    /// `proctype P {`
    NoParameters,
    /// A statement between the top-level units.
    StatementOutside,
}

/// A thing that could stand at a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Expected {
    Sign(Sign),
    Keyword(Keyword),
    Class(Class),
}

/// Things that are more than one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    Name,
    Number,
    Text,
    Expression,
    Statement,
    Declaration,
    Type,
    Operator,
    Unit,
    End,
}

impl Class {
    pub(super) const ALL: [Self; 10] = [
        Self::Name,
        Self::Number,
        Self::Text,
        Self::Expression,
        Self::Statement,
        Self::Declaration,
        Self::Type,
        Self::Operator,
        Self::Unit,
        Self::End,
    ];
}

/// A set of [`Expected`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) struct ExpectedSet(u128);

const KEYWORDS: u32 = Sign::ALL.len() as u32;
const CLASSES: u32 = KEYWORDS + Keyword::ALL.len() as u32;
const _: () = assert!(CLASSES as usize + Class::ALL.len() <= 128);

impl ExpectedSet {
    pub(super) const fn of(expected: Expected) -> Self {
        Self(
            1 << match expected {
                Expected::Sign(sign) => sign as u32,
                Expected::Keyword(keyword) => KEYWORDS + keyword as u32,
                Expected::Class(class) => CLASSES + class as u32,
            },
        )
    }

    pub(super) fn contains(self, expected: Expected) -> bool {
        self.0 & Self::of(expected).0 != 0
    }

    pub(super) fn iter(self) -> impl Iterator<Item = Expected> {
        let classes = Class::ALL.iter().map(|&class| Expected::Class(class));
        let signs = Sign::ALL.iter().map(|&sign| Expected::Sign(sign));
        let keywords = Keyword::ALL.iter().map(|&keyword| Expected::Keyword(keyword));
        classes.chain(signs).chain(keywords).filter(move |&expected| self.contains(expected))
    }
}

impl Problem {
    pub(super) const fn new(at: usize, kind: Kind) -> Self {
        Self { at, kind }
    }

    pub(super) const fn expected(at: usize, expected: Expected) -> Self {
        Self { at, kind: Kind::Unexpected(ExpectedSet::of(expected)) }
    }

    pub(super) const fn class(at: usize, class: Class) -> Self {
        Self::expected(at, Expected::Class(class))
    }
}

impl<'a> Error<'a, Words<'a>> for Problem {
    fn merge(self, other: Self) -> Self {
        match self.at.cmp(&other.at) {
            std::cmp::Ordering::Less => other,
            std::cmp::Ordering::Greater => self,
            std::cmp::Ordering::Equal => match (self.kind, other.kind) {
                (Kind::Unexpected(a), Kind::Unexpected(b)) => {
                    Self { at: self.at, kind: Kind::Unexpected(ExpectedSet(a.0 | b.0)) }
                }
                (Kind::Unexpected(_), _) => other,
                _ => self,
            },
        }
    }
}

impl<'a> LabelError<'a, Words<'a>, DefaultExpected<'a, Token>> for Problem {
    fn expected_found<E: IntoIterator<Item = DefaultExpected<'a, Token>>>(
        _: E,
        _: Option<MaybeRef<'a, Token>>,
        span: SimpleSpan<usize>,
    ) -> Self {
        Self::new(span.start, Kind::Unexpected(ExpectedSet::default()))
    }
}

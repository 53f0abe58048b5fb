//! Problems in words: what was found, what could stand there, and what to do.

use super::Environment;
use super::problem::{Class, Expected, ExpectedSet, Kind, Problem};
use super::remedy::{Remedy, remedy};
use crate::codes;
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::token::{Keyword, Sign, Token};
use std::fmt::Write;

/// The diagnostics for the problems of one run, in the order of the text.
pub(super) fn diagnostics(
    environment: Environment<'_>,
    mut problems: Vec<Problem>,
) -> Vec<Diagnostic> {
    problems.sort_by_key(|problem| problem.at);
    // A long chain is too deep again and again, always from its first word on.
    problems.dedup_by(|next, first| {
        next.at == first.at && matches!((next.kind, first.kind), (Kind::TooDeep, Kind::TooDeep))
    });
    problems.iter().map(|problem| diagnostic(environment, problem)).collect()
}

fn diagnostic(environment: Environment<'_>, problem: &Problem) -> Diagnostic {
    let at = problem.at;
    let here = place(environment, at);
    let found = found(environment, at);
    let opener = |opener: usize| (place(environment, opener), word(environment, opener));
    if let Some(Remedy { code, message, help, span }) = remedy(environment, problem) {
        return Diagnostic::new(code, span.unwrap_or(here), message).help(help);
    }
    match problem.kind {
        Kind::Unexpected(expected) => {
            let diagnostic = Diagnostic::new(
                &codes::UNEXPECTED_TOKEN,
                here,
                format!("expected {}, found {found}", list(expected)),
            );
            diagnostic.here("this does not fit here").help(unexpected_help(expected))
        }
        Kind::MissingSeparator => Diagnostic::new(
            &codes::MISSING_SEPARATOR,
            here,
            format!("a `;` or `->` is missing before {found}"),
        )
        .here("a new statement begins here")
        .help("separate statements on one line by `;`, or a condition from what follows by `->`"),
        Kind::Unclosed { opener: at } => {
            let (span, opener) = opener(at);
            let closer = closer(environment, at);
            Diagnostic::new(
                &codes::UNCLOSED,
                here,
                format!("`{opener}` is not closed: `{closer}` is missing before {found}"),
            )
            .here(format!("`{closer}` is missing before this"))
            .label(span, format!("this `{opener}` is still open"))
            .help(format!("close it with `{closer}`"))
        }
        Kind::WrongCloser { opener: at } => {
            let (span, opener) = opener(at);
            let closer = closer(environment, at);
            Diagnostic::new(&codes::UNCLOSED, here, format!("{found} does not close `{opener}`"))
                .here(format!("`{closer}` belongs here"))
                .label(span, format!("this `{opener}` is open"))
                .help(format!("write `{closer}` instead"))
        }
        Kind::Stray => Diagnostic::new(&codes::STRAY_END, here, format!("{found} closes nothing"))
            .here("nothing is open here that this could close")
            .help("remove it, or look above for the opening word it belongs to"),
        Kind::Empty { opener: at } => {
            let (span, opener) = opener(at);
            Diagnostic::new(&codes::EMPTY_SEQUENCE, here, format!("`{opener}` holds no statement"))
                .here("a statement is missing before this")
                .label(span, "nothing follows this")
                .help("write `skip` where nothing is to be done")
        }
        Kind::LabelledDeclaration { label } => Diagnostic::new(
            &codes::LABELLED_DECLARATION,
            here,
            "a label cannot stand before a declaration",
        )
        .here("this declares, and is no place to go to")
        .label(place(environment, label), "this label needs a statement")
        .help("move the declaration before the label"),
        Kind::NegatedProbe => {
            let (asked, opposite) = negated_probe(environment, at);
            plain(problem.kind, here)
                .help(format!("write `{opposite}(…)` instead of `!{asked}(…)`"))
        }
        kind => plain(kind, here),
    }
}

/// The first question to a channel behind a `!`, and its opposite.
fn negated_probe(environment: Environment<'_>, at: usize) -> (&'static str, &'static str) {
    let behind = environment.tokens.tokens.iter().skip(at);
    let mut opposites = behind.filter_map(|token| match token {
        Token::Keyword(Keyword::Empty) => Some(("empty", "nempty")),
        Token::Keyword(Keyword::Nempty) => Some(("nempty", "empty")),
        Token::Keyword(Keyword::Full) => Some(("full", "nfull")),
        Token::Keyword(Keyword::Nfull) => Some(("nfull", "full")),
        _ => None,
    });
    opposites.next().unwrap_or(("full", "nfull"))
}

/// The kinds that need nothing but their place.
fn plain(kind: Kind, here: Span) -> Diagnostic {
    let (code, message, help) = match kind {
        Kind::NegatedProbe => (
            &codes::PROBE_OPERAND,
            "`full`, `empty`, `nfull` and `nempty` cannot be negated",
            "use the question with the opposite meaning",
        ),
        Kind::ProbeOperand => (
            &codes::PROBE_OPERAND,
            "`full`, `empty`, `nfull` and `nempty` can only be combined by `&&` and `||`",
            "use `len(c)` where a number is wanted",
        ),
        Kind::TemporalOperand => (
            &codes::TEMPORAL_OPERAND,
            "a temporal formula has no value to calculate with",
            "only `!`, `&&`, `||`, `->`, `<->` and temporal operators apply to a formula; put \
             parentheses around the comparison that is meant",
        ),
        Kind::TooDeep => (
            &codes::EXPRESSION_TOO_DEEP,
            "this is nested too deeply",
            "give parts of it a name of their own; 1000 levels of operators and 300 labels on \
             nested statements are the limit",
        ),
        Kind::NoOptions => (
            &codes::NO_OPTIONS,
            "`if` and `do` hold options, each beginning with `::`",
            "write `if :: (condition) -> … :: else -> … fi`",
        ),
        Kind::Return => (
            &codes::RETURN_OUTSIDE,
            "`return` has nowhere to return to",
            "`return` belongs into an `inline` that is called as `x = name(…)`",
        ),
        Kind::LocalMtype => (
            &codes::LOCAL_MTYPE,
            "`mtype` constants can only be declared outside processes",
            "move the declaration to the top of the file",
        ),
        Kind::ConstantsOfOtherType => (
            &codes::CONSTANTS_OF_OTHER_TYPE,
            "only `mtype` has a list of constants",
            "write `mtype = { … }`, or name the variable before the `=`",
        ),
        Kind::UnsignedField => (
            &codes::UNSIGNED_FIELD,
            "a message field cannot be `unsigned`",
            "use `byte`, `short` or `int`",
        ),
        Kind::InitialParameter => (
            &codes::INITIAL_PARAMETER,
            "a parameter gets its value from `run` and has no initial one",
            "remove the `= …`, or declare a variable in the body",
        ),
        Kind::NotConstant => (
            &codes::NOT_CONSTANT,
            "the size of an array, the number of processes and the capacity of a channel are \
             constants",
            "use numbers, `+ - * / %` and parentheses only; `#define N 3` gives a number a name",
        ),
        Kind::NoParameters => (
            &codes::NO_PARAMETERS,
            "a proctype has a parameter list, even an empty one",
            "write `()` after the name",
        ),
        Kind::StatementOutside => (
            &codes::STATEMENT_OUTSIDE,
            "only declarations and processes can stand outside processes",
            "put statements into `init { … }` or into a `proctype`",
        ),
        _ => (
            &codes::NOT_A_VARIABLE,
            "only a variable can stand left of this sign",
            "write the variable or channel alone, without parentheses or operators; `==` compares",
        ),
    };
    Diagnostic::new(code, here, message).help(help)
}

fn unexpected_help(expected: ExpectedSet) -> String {
    let class = |class| expected.contains(Expected::Class(class));
    if class(Class::Statement) {
        "a statement is an assignment, a condition, a send `c!x`, a receive `c?x`, or begins with \
         a word such as `if`, `do`, `atomic`, `goto`"
            .into()
    } else if class(Class::Expression) {
        "an expression is a number, a variable, or begins with `(`, `!`, `-`, `run`, `len(…)` …"
            .into()
    } else if class(Class::Unit) {
        "here begins a `proctype`, `init`, `never`, `ltl`, `typedef`, `mtype` or a declaration"
            .into()
    } else if class(Class::Type) {
        "a type is `bit`, `bool`, `byte`, `pid`, `short`, `int`, `unsigned`, `mtype`, `chan` or \
         the name of a `typedef`"
            .into()
    } else {
        format!("write {} here, or look for what is too much before it", list(expected))
    }
}

/// «`;`, `)` or an operator»
fn list(expected: ExpectedSet) -> String {
    let mut words: Vec<String> = expected.iter().map(describe).collect();
    if words.is_empty() {
        return "something else".into();
    }
    if words.len() > 7 {
        words.truncate(7);
    }
    let last = words.pop().unwrap_or_default();
    if words.is_empty() { last } else { format!("{} or {last}", words.join(", ")) }
}

fn describe(expected: Expected) -> String {
    let class = match expected {
        Expected::Sign(sign) => return format!("`{}`", sign.text()),
        Expected::Keyword(keyword) => return format!("`{}`", keyword.text()),
        Expected::Class(class) => class,
    };
    match class {
        Class::Name => "a name",
        Class::Number => "a number",
        Class::Text => "a string",
        Class::Expression => "an expression",
        Class::Statement => "a statement",
        Class::Declaration => "a declaration",
        Class::Type => "a type",
        Class::Operator => "an operator",
        Class::Unit => "a declaration or a process",
        Class::End => "the end",
    }
    .into()
}

/// The place of a word; behind the last word, the end of the text.
pub(super) fn place(environment: Environment<'_>, at: usize) -> Span {
    environment.tokens.spans.get(at).copied().unwrap_or(environment.tokens.end)
}

/// A word in quotes, or «the end of the file».
fn found(environment: Environment<'_>, at: usize) -> String {
    let mut text = String::new();
    match environment.tokens.tokens.get(at) {
        None => text.push_str("the end of the file"),
        Some(token @ (Token::Text(_) | Token::InlineBody)) => {
            let kind = if *token == Token::InlineBody { "an inline call" } else { "a string" };
            text.push_str(kind);
        }
        Some(token) => {
            let _ = write!(text, "`{token}`");
        }
    }
    text
}

fn word(environment: Environment<'_>, at: usize) -> String {
    environment.tokens.tokens.get(at).map(ToString::to_string).unwrap_or_default()
}

fn closer(environment: Environment<'_>, opener: usize) -> &'static str {
    match environment.tokens.tokens.get(opener) {
        Some(Token::Keyword(Keyword::If)) => Keyword::Fi.text(),
        Some(Token::Keyword(Keyword::Do)) => Keyword::Od.text(),
        _ => Sign::RightBrace.text(),
    }
}

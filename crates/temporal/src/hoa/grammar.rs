//! The grammar of one automaton: words to what they say, places kept.

use super::words::{Problem, Token};
use chumsky::prelude::*;

/// How deep brackets may be nested in a label; the grammar recurses there and nowhere else.
const DEPTH: usize = 200;

/// Something and the number of its first word.
#[derive(Clone, Debug)]
pub(super) struct At<T> {
    /// What it is.
    pub(super) it: T,
    /// The number of its first word.
    pub(super) word: usize,
}

/// A label or a condition, operands before operators.
pub(super) type Postfix = Vec<At<Step>>;

/// A step of an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Constant(bool),
    Number(u32),
    Alias(String),
    /// `Inf(0)`, `Fin(!1)`
    Condition {
        name: String,
        negated: bool,
        set: u32,
    },
    Not,
    And,
    Or,
}

/// A line of the header.
#[derive(Clone, Debug)]
pub(super) enum Item {
    Version(At<String>),
    States(u32),
    Start(Vec<At<u32>>),
    Atoms(At<u32>, Vec<At<String>>),
    Alias(String, Postfix),
    Acceptance(u32, Postfix),
    Tool(String, Option<String>),
    Name(String),
    Properties(Vec<String>),
    /// A header this version of the format does not know.
    Other(String),
}

/// A state of the body.
#[derive(Clone, Debug)]
pub(super) struct State {
    pub(super) number: At<u32>,
    pub(super) label: Option<Postfix>,
    pub(super) name: Option<String>,
    pub(super) marks: Vec<At<u32>>,
    pub(super) edges: Vec<At<Edge>>,
}

/// An edge of the body.
#[derive(Clone, Debug)]
pub(super) struct Edge {
    pub(super) label: Option<Postfix>,
    pub(super) targets: Vec<At<u32>>,
    pub(super) marks: Vec<At<u32>>,
}

/// One automaton as written.
#[derive(Clone, Debug)]
pub(super) struct Document {
    pub(super) items: Vec<At<Item>>,
    pub(super) states: Vec<State>,
}

type Failure<'a> = extra::Err<Rich<'a, Token>>;

/// Reads the words of one automaton.
pub(super) fn parse(tokens: &[Token]) -> Result<Document, Problem> {
    let mut depth = 0_usize;
    for (word, token) in tokens.iter().enumerate() {
        match token {
            Token::Sign('(') => depth += 1,
            Token::Sign(')') => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > DEPTH {
            return Err((word, format!("brackets are nested deeper than {DEPTH}")));
        }
    }
    document().parse(tokens).into_result().map_err(|errors| {
        let Some(error) = errors.first() else { return (0, "not understood".to_owned()) };
        (error.span().start, message(error))
    })
}

fn message(error: &Rich<'_, Token>) -> String {
    let found = match error.found() {
        Some(token) => format!("`{token}`"),
        None => "the end".to_owned(),
    };
    let mut expected: Vec<String> = error.expected().map(ToString::to_string).collect();
    expected.sort_unstable();
    expected.dedup();
    match expected.split_last() {
        None => format!("{found} cannot stand here"),
        Some((last, [])) => format!("{last} is wanted here, not {found}"),
        Some((last, others)) => {
            format!("{} or {last} is wanted here, not {found}", others.join(", "))
        }
    }
}

fn document<'a>() -> impl Parser<'a, &'a [Token], Document, Failure<'a>> {
    let items = item().repeated().collect();
    let version = header("HOA").ignore_then(at(identifier())).map(Item::Version);
    at(version)
        .then(items)
        .then_ignore(just(Token::Body).labelled("`--BODY--`"))
        .then(state().repeated().collect())
        .then_ignore(end())
        .map(|((version, mut items), states): ((_, Vec<_>), _)| {
            items.insert(0, version);
            Document { items, states }
        })
}

fn at<'a, T>(
    parser: impl Parser<'a, &'a [Token], T, Failure<'a>> + Clone,
) -> impl Parser<'a, &'a [Token], At<T>, Failure<'a>> + Clone {
    parser.map_with(|it, extra| {
        let span: SimpleSpan = extra.span();
        At { it, word: span.start }
    })
}

fn header<'a>(name: &'static str) -> impl Parser<'a, &'a [Token], (), Failure<'a>> + Clone {
    any()
        .filter(move |token| matches!(token, Token::Header(other) if other == name))
        .ignored()
        .labelled(name)
}

fn number<'a>() -> impl Parser<'a, &'a [Token], u32, Failure<'a>> + Clone {
    select! { Token::Number(number) => number }.labelled("a number")
}

fn text<'a>() -> impl Parser<'a, &'a [Token], String, Failure<'a>> + Clone {
    select! { Token::Text(text) => text }.labelled("a string")
}

fn identifier<'a>() -> impl Parser<'a, &'a [Token], String, Failure<'a>> + Clone {
    select! { Token::Identifier(name) => name }.labelled("an identifier")
}

fn alias<'a>() -> impl Parser<'a, &'a [Token], String, Failure<'a>> + Clone {
    select! { Token::Alias(name) => name }.labelled("an alias")
}

fn constant<'a>() -> impl Parser<'a, &'a [Token], Step, Failure<'a>> + Clone {
    select! {
        Token::Identifier(name) if name == "t" => Step::Constant(true),
        Token::Identifier(name) if name == "f" => Step::Constant(false),
    }
    .labelled("`t` or `f`")
}

fn sign<'a>(sign: char) -> impl Parser<'a, &'a [Token], (), Failure<'a>> + Clone {
    just(Token::Sign(sign)).ignored()
}

fn states<'a>() -> impl Parser<'a, &'a [Token], Vec<At<u32>>, Failure<'a>> + Clone {
    at(number()).separated_by(sign('&')).at_least(1).collect()
}

fn item<'a>() -> impl Parser<'a, &'a [Token], At<Item>, Failure<'a>> {
    const KNOWN: &[&str] =
        &["HOA", "States", "Start", "AP", "Alias", "Acceptance", "tool", "name", "properties"];
    let value = any().filter(|token| !matches!(token, Token::Header(_) | Token::Body));
    let other = select! { Token::Header(name) if !KNOWN.contains(&name.as_str()) => name }
        .labelled("a header")
        .then_ignore(value.repeated());
    let condition = expression(choice((constant(), condition())).boxed());
    at(choice((
        header("States").ignore_then(number()).map(Item::States),
        header("Start").ignore_then(states()).map(Item::Start),
        header("AP")
            .ignore_then(at(number()))
            .then(at(text()).repeated().collect())
            .map(|(count, names)| Item::Atoms(count, names)),
        header("Alias")
            .ignore_then(alias())
            .then(label())
            .map(|(name, label)| Item::Alias(name, label)),
        header("Acceptance")
            .ignore_then(number())
            .then(condition)
            .map(|(sets, condition)| Item::Acceptance(sets, condition)),
        header("tool")
            .ignore_then(text())
            .then(text().or_not())
            .map(|(name, version)| Item::Tool(name, version)),
        header("name").ignore_then(text()).map(Item::Name),
        header("properties").ignore_then(identifier().repeated().collect()).map(Item::Properties),
        other.map(Item::Other),
    )))
}

fn condition<'a>() -> impl Parser<'a, &'a [Token], Step, Failure<'a>> + Clone {
    identifier()
        .then_ignore(sign('('))
        .then(sign('!').or_not())
        .then(number())
        .then_ignore(sign(')'))
        .map(|((name, negated), set)| Step::Condition { name, negated: negated.is_some(), set })
}

fn label<'a>() -> impl Parser<'a, &'a [Token], Postfix, Failure<'a>> + Clone {
    expression(choice((constant(), number().map(Step::Number), alias().map(Step::Alias))).boxed())
}

/// `!`, `&`, `|` and brackets around operands.
fn expression<'a>(
    operand: Boxed<'a, 'a, &'a [Token], Step, Failure<'a>>,
) -> impl Parser<'a, &'a [Token], Postfix, Failure<'a>> + Clone {
    recursive(move |inside| {
        let bracket = sign('(').ignore_then(inside).then_ignore(sign(')'));
        let tight = choice((at(operand).map(|step| vec![step]), bracket));
        let negation = at(sign('!')).repeated().collect::<Vec<_>>().then(tight).map(
            |(signs, mut steps): (_, Postfix)| {
                steps.extend(signs.into_iter().map(|one| At { it: Step::Not, word: one.word }));
                steps
            },
        );
        let connect = |step: Step| {
            move |mut left: Postfix, (sign, right): (At<()>, Postfix)| {
                left.extend(right);
                left.push(At { it: step.clone(), word: sign.word });
                left
            }
        };
        let and =
            negation.clone().foldl(at(sign('&')).then(negation).repeated(), connect(Step::And));
        and.clone().foldl(at(sign('|')).then(and).repeated(), connect(Step::Or))
    })
}

fn bracketed_label<'a>() -> impl Parser<'a, &'a [Token], Postfix, Failure<'a>> + Clone {
    sign('[').ignore_then(label()).then_ignore(sign(']'))
}

fn marks<'a>() -> impl Parser<'a, &'a [Token], Vec<At<u32>>, Failure<'a>> + Clone {
    sign('{')
        .ignore_then(at(number()).repeated().collect())
        .then_ignore(sign('}'))
        .or_not()
        .map(Option::unwrap_or_default)
}

fn state<'a>() -> impl Parser<'a, &'a [Token], State, Failure<'a>> {
    let edge = bracketed_label()
        .or_not()
        .then(states())
        .then(marks())
        .map(|((label, targets), marks)| Edge { label, targets, marks });
    header("State")
        .ignore_then(bracketed_label().or_not())
        .then(at(number()))
        .then(text().or_not())
        .then(marks())
        .then(at(edge).repeated().collect())
        .map(|((((label, number), name), marks), edges)| State {
            number,
            label,
            name,
            marks,
            edges,
        })
}

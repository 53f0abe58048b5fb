//! Machines block by block (`.fsa`, `.fsm`): the format of GMC, ChorGram and kmc.
//!
//! A block is `.outputs NAME`, `.state graph`, lines `SRC PARTNER ! MSG DST` or `SRC PARTNER ? MSG
//! DST` or `SRC tau DST`, `.marking INIT`, `.end`. A partner is the name of a block, or its number from 0.

use super::words::{Cut, Failure, Token, cut, keyword, sign, word};
use super::{Channels, Communication, Machine, System, Transition};
use crate::diagnostic::Diagnostic;
use crate::source::FileId;
use crate::token::Name;
use chumsky::prelude::*;

const HELP: &str = "a machine is `.outputs NAME`, `.state graph`, lines such as `q0 1 ! message q1`, \
                    `.marking q0`, `.end`";

type Read = (Name, usize);

/// A line of a machine: source, what it does (partner, whether it sends, message), target.
struct Line {
    from: Read,
    action: Option<(Read, bool, Read)>,
    to: Read,
    words: std::ops::Range<usize>,
}

struct Block {
    name: Option<Read>,
    first: usize,
    lines: Vec<Line>,
    initial: Read,
}

/// Whether a text is of this format.
pub(super) fn looks_like(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.find(|line| !line.starts_with("--")).is_some_and(|line| line.starts_with(".outputs"))
}

/// Reads a text.
pub(super) fn parse(text: &str, file: FileId, diagnostics: &mut Vec<Diagnostic>) -> System {
    let words = cut(text, file, Cut::Spaces);
    let Some(blocks) = words.parse(blocks(), HELP, diagnostics) else { return System::default() };
    let machines = blocks.into_iter().enumerate().map(|(number, block)| {
        let number = || (Name::from(number.to_string()), block.first);
        let transitions = block.lines.into_iter().map(|line| Transition {
            from: words.word(line.from),
            to: words.word(line.to),
            action: line.action.map(|(partner, sends, message)| Communication {
                sends,
                channel: words.word(partner),
                message: words.word(message),
            }),
            span: words.between(line.words),
        });
        Machine {
            name: words.word(block.name.unwrap_or_else(number)),
            initial: vec![words.word(block.initial)],
            finals: None,
            states: None,
            transitions: transitions.collect(),
        }
    });
    let machines: Vec<Machine> = machines.collect();
    System { channels: Channels::Partners, messages: None, machines, bad: Vec::new() }
}

fn blocks<'a>() -> impl Parser<'a, &'a [Token], Vec<Block>, Failure<'a>> {
    block().repeated().at_least(1).collect().then_ignore(end())
}

fn block<'a>() -> impl Parser<'a, &'a [Token], Block, Failure<'a>> {
    let empty = || just(Token::Line).repeated();
    let new_line = || just(Token::Line).repeated().at_least(1);
    let name = any().filter(|token| !matches!(token, Token::Line | Token::Sign(_)));
    let name = name.map_with(|token, extra| {
        let span: SimpleSpan = extra.span();
        let Token::Word(name) = token else { return (Name::from(""), span.start) };
        (name, span.start)
    });
    let direction = choice((sign('!').to(true), sign('?').to(false)));
    let action = word("a machine")
        .then(direction)
        .then(word("a message"))
        .map(|((partner, sends), message)| Some((partner, sends, message)));
    let line = not_directive()
        .then(choice((action, keyword("tau").map(|()| None))))
        .then(word("a state"))
        .map_with(|((from, action), to), extra| {
            let span: SimpleSpan = extra.span();
            Line { from, action, to, words: span.start..span.end }
        });
    empty()
        .ignore_then(keyword(".outputs").map_with(|(), extra| {
            let span: SimpleSpan = extra.span();
            span.start
        }))
        .then(name.or_not())
        .then_ignore(new_line())
        .then_ignore(keyword(".state"))
        .then_ignore(keyword("graph"))
        .then_ignore(new_line())
        .then(line.then_ignore(new_line()).repeated().collect())
        .then_ignore(keyword(".marking"))
        .then(word("a state"))
        .then_ignore(new_line())
        .then_ignore(keyword(".end"))
        .then_ignore(empty())
        .map(|(((first, name), lines), initial)| Block { name, first, lines, initial })
}

/// A state, which is no directive.
fn not_directive<'a>() -> impl Parser<'a, &'a [Token], Read, Failure<'a>> + Clone {
    word("a state").filter(|(word, _)| !word.starts_with('.')).labelled("a state")
}

//! Session types (kmc): each machine is the type of what it does.
//!
//! `NAME: T` with `T ::= end | x | rec x . T | P!m; T | P?m; T | { T, T, … }`; a message is `m` or
//! `m<payload>`. A type becomes states: one for each point between two actions.

use super::words::{Cut, Failure, Token, Words, cut, keyword, sign, word};
use super::{Channels, Communication, Machine, System, Transition, Word};
use crate::codes;
use crate::diagnostic::Diagnostic;
use crate::source::FileId;
use crate::token::Name;
use chumsky::prelude::*;

const HELP: &str = "a machine is `NAME: T`, where T is `end`, `x`, `rec x . T`, `P!m; T`, `P?m; T` or \
                    `{ T, T }`";

type Read = (Name, usize);

/// What comes before the end of a type.
enum Part {
    Rec(Read),
    Act { partner: Read, sends: bool, message: Name, at: usize, words: std::ops::Range<usize> },
}

struct Tree {
    parts: Vec<Part>,
    end: End,
}

enum End {
    Stop,
    Variable(Read),
    Choice(Vec<Tree>),
}

/// Reads a text.
pub(super) fn parse(text: &str, file: FileId, diagnostics: &mut Vec<Diagnostic>) -> System {
    let words = cut(text, file, Cut::SignsAndDashes);
    let rule = machine().repeated().at_least(1).collect().then_ignore(end());
    let read: Option<Vec<(Read, Tree)>> = words.parse(rule, HELP, diagnostics);
    let machines = read.unwrap_or_default().into_iter().map(|(name, tree)| {
        let name = words.word(name);
        let mut builder = Builder { words: &words, states: Vec::new(), wrong: Vec::new() };
        let mut names = Vec::new();
        let initial = builder.state();
        builder.tree(&tree, initial, &mut names);
        diagnostics.append(&mut builder.wrong);
        builder.finish(name)
    });
    let machines = machines.collect();
    System { channels: Channels::Partners, messages: None, machines, bad: Vec::new() }
}

fn machine<'a>() -> impl Parser<'a, &'a [Token], (Read, Tree), Failure<'a>> {
    word("the name of a machine").then_ignore(sign(':')).then(tree())
}

fn tree<'a>() -> impl Parser<'a, &'a [Token], Tree, Failure<'a>> + Clone {
    recursive(|inner| {
        let rec = keyword("rec").ignore_then(word("a name")).then_ignore(sign('.')).map(Part::Rec);
        let payload = any()
            .filter(|token| !matches!(token, Token::Sign('<' | '>' | ';')))
            .map(|token| match token {
                Token::Word(word) => word.to_string(),
                Token::Sign(sign) => sign.to_string(),
                Token::Line => String::new(),
            })
            .repeated()
            .collect::<Vec<String>>()
            .delimited_by(sign('<'), sign('>'));
        let message = word("a message").then(payload.or_not());
        let direction = choice((sign('!').to(true), sign('?').to(false)));
        let act = word("a machine").then(direction).then(message).then_ignore(sign(';')).map_with(
            |((partner, sends), ((message, at), payload)), extra| {
                let span: SimpleSpan = extra.span();
                let message = match payload {
                    // A payload is part of the message's name: kmc compares both.
                    Some(payload) => format!("{message}<{}>", payload.concat()).into(),
                    None => message,
                };
                Part::Act { partner, sends, message, at, words: span.start..span.end }
            },
        );
        let choices = inner
            .separated_by(sign(','))
            .at_least(1)
            .collect()
            .delimited_by(sign('{'), sign('}'))
            .map(End::Choice);
        let stop = keyword("end").to(()).map(|()| End::Stop);
        let ending = choice((choices, stop, word("a name").map(End::Variable)));
        choice((rec, act)).repeated().collect().then(ending).map(|(parts, end)| Tree { parts, end })
    })
}

/// A state that is being made: its transitions, and states that it is one with.
#[derive(Default)]
struct State {
    transitions: Vec<(Communication, usize, crate::source::Span)>,
    same: Vec<usize>,
}

struct Builder<'w> {
    words: &'w Words,
    states: Vec<State>,
    wrong: Vec<Diagnostic>,
}

impl Builder<'_> {
    fn state(&mut self) -> usize {
        self.states.push(State::default());
        self.states.len() - 1
    }

    /// Makes the states of a type that begins in a state. Recursion is as deep as braces.
    fn tree(&mut self, tree: &Tree, mut at: usize, names: &mut Vec<(Name, usize)>) {
        let known = names.len();
        for part in &tree.parts {
            match part {
                Part::Rec((name, _)) => {
                    let again = self.state();
                    self.states[at].same.push(again);
                    names.push((name.clone(), again));
                    at = again;
                }
                Part::Act { partner, sends, message, at: place, words } => {
                    let next = self.state();
                    let action = Communication {
                        sends: *sends,
                        channel: self.words.word(partner.clone()),
                        message: Word { text: message.clone(), span: self.words.span(*place) },
                    };
                    let span = self.words.between(words.clone());
                    self.states[at].transitions.push((action, next, span));
                    at = next;
                }
            }
        }
        match &tree.end {
            End::Stop => {}
            End::Variable((name, word)) => {
                match names.iter().rev().find(|(known, _)| known == name) {
                    Some(&(_, again)) => self.states[at].same.push(again),
                    None => {
                        let message = format!("no `rec {name} .` stands around this `{name}`");
                        let span = self.words.span(*word);
                        let wrong = Diagnostic::new(&codes::MACHINES_FORM, span, message);
                        self.wrong.push(wrong.here("unknown").help(
                            "begin the part to be repeated with `rec` and this name, or write `end`",
                        ));
                    }
                }
            }
            End::Choice(options) => options.iter().for_each(|option| self.tree(option, at, names)),
        }
        names.truncate(known);
    }

    /// States that are one with others have their transitions.
    fn finish(self, name: Word) -> Machine {
        let state = |at: usize| Word { text: at.to_string().into(), span: name.span };
        let mut transitions = Vec::new();
        let mut reached = vec![false; self.states.len()];
        let first = self.representative(0);
        let mut work = vec![first];
        while let Some(from) = work.pop() {
            if std::mem::replace(&mut reached[from], true) {
                continue;
            }
            let mut one = vec![from];
            let mut at = 0;
            while let Some(&part) = one.get(at) {
                at += 1;
                for (action, to, span) in &self.states[part].transitions {
                    let to = self.representative(*to);
                    work.push(to);
                    let action = Some(action.clone());
                    transitions.push(Transition {
                        from: state(from),
                        to: state(to),
                        action,
                        span: *span,
                    });
                }
                for &same in &self.states[part].same {
                    if !one.contains(&same) {
                        one.push(same);
                    }
                }
            }
        }
        Machine { initial: vec![state(first)], finals: None, states: None, transitions, name }
    }

    /// The state that one without transitions of its own stands for.
    fn representative(&self, mut at: usize) -> usize {
        for _ in 0..self.states.len() {
            match self.states[at].same.as_slice() {
                [same] if self.states[at].transitions.is_empty() => at = *same,
                _ => break,
            }
        }
        at
    }
}

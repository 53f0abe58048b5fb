//! Systems with numbered channels (`.scm`): the format of McScM and ReSCu.
//!
//! Variables, conditions other than `true` and assignments are refused: they are not read here.

use super::words::{Cut, Failure, Token, Words, cut, keyword, sign, word};
use super::{Bad, Channels, Communication, Machine, System, Transition};
use crate::codes;
use crate::diagnostic::Diagnostic;
use crate::source::FileId;
use crate::token::Name;
use chumsky::prelude::*;

const HELP: &str = "a system is `scm NAME :`, `nb_channels = N ;`, `parameters :` with its messages, \
                    then machines: `automaton A :`, `initial : 0`, `state 0 :`, `to 1 : when true , 0 \
                    ! message ;`";

type Read = (Name, usize);
type Range = std::ops::Range<usize>;

struct Document {
    count: Read,
    lossy: Vec<Read>,
    messages: Vec<Read>,
    automata: Vec<Automaton>,
    bad: Vec<Group>,
}

struct Automaton {
    name: Read,
    variables: Vec<Range>,
    initial: Vec<Read>,
    finals: Option<Vec<Read>>,
    states: Vec<(Read, Vec<Edge>)>,
}

struct Edge {
    to: Read,
    condition: Option<Range>,
    action: Option<(Read, bool, Read)>,
    assignments: Option<Range>,
    words: Range,
}

struct Group {
    states: Vec<(Read, Vec<(Read, Range)>)>,
    contents: Option<Range>,
    words: Range,
}

/// Reads a text.
pub(super) fn parse(text: &str, file: FileId, diagnostics: &mut Vec<Diagnostic>) -> System {
    let words = cut(text, file, Cut::Signs);
    let Some(document) = words.parse(document(), HELP, diagnostics) else {
        return System::default();
    };
    let mut beyond = |what: &str, range: &Range| {
        let message = format!("{what} are not read by pverify");
        let wrong = Diagnostic::new(&codes::MACHINES_BEYOND, words.between(range.clone()), message);
        diagnostics.push(wrong.here("not read").help(
            "write the values of a variable as states of the machine, or write the system in Promela",
        ));
    };
    let mut machines = Vec::new();
    for automaton in &document.automata {
        automaton.variables.iter().for_each(|range| beyond("variables", range));
        let edges = automaton.states.iter().flat_map(|(_, edges)| edges);
        for edge in edges {
            if let Some(range) = edge.condition.as_ref().filter(|range| !is_true(&words, range)) {
                beyond("conditions", range);
            }
            edge.assignments.iter().for_each(|range| beyond("assignments", range));
        }
        machines.push(machine(&words, automaton));
    }
    let bad = document.bad.into_iter().map(|group| {
        for (_, range) in group.states.iter().flat_map(|(_, states)| states) {
            if !is_true(&words, range) {
                beyond("conditions", range);
            }
        }
        let states = group.states.into_iter().map(|(automaton, states)| {
            let states = states.into_iter().map(|(state, _)| words.word(state)).collect();
            (words.word(automaton), states)
        });
        Bad {
            states: states.collect(),
            contents: group.contents.map(|range| words.between(range)),
            span: words.between(group.words),
        }
    });
    let bad = bad.collect();
    let all = |read: Vec<Read>| read.into_iter().map(|one| words.word(one)).collect();
    let channels =
        Channels::Numbered { count: words.word(document.count), lossy: all(document.lossy) };
    System { channels, messages: Some(all(document.messages)), machines, bad }
}

fn is_true(words: &Words, range: &Range) -> bool {
    matches!(&words.tokens[range.clone()], [Token::Word(word)] if **word == *"true")
}

fn machine(words: &Words, automaton: &Automaton) -> Machine {
    let all = |read: &[Read]| read.iter().map(|one| words.word(one.clone())).collect::<Vec<_>>();
    let mut transitions = Vec::new();
    for (from, edges) in &automaton.states {
        for edge in edges {
            let action = edge.action.clone().map(|(channel, sends, message)| Communication {
                sends,
                channel: words.word(channel),
                message: words.word(message),
            });
            transitions.push(Transition {
                from: words.word(from.clone()),
                to: words.word(edge.to.clone()),
                action,
                span: words.between(edge.words.clone()),
            });
        }
    }
    let states: Vec<Read> = automaton.states.iter().map(|(state, _)| state.clone()).collect();
    Machine {
        name: words.word(automaton.name.clone()),
        initial: all(&automaton.initial),
        finals: automaton.finals.as_deref().map(all),
        states: Some(all(&states)),
        transitions,
    }
}

fn document<'a>() -> impl Parser<'a, &'a [Token], Document, Failure<'a>> {
    let list = || word("a channel").separated_by(sign(',')).at_least(1).collect::<Vec<_>>();
    let lossy = keyword("lossy").ignore_then(sign(':')).ignore_then(list());
    let message = choice((keyword("int"), keyword("real"), keyword("unit")))
        .ignore_then(word("a message"))
        .then_ignore(sign(';'));
    keyword("scm")
        .then(word("the name of the system"))
        .then(sign(':'))
        .ignore_then(keyword("nb_channels"))
        .then(sign('='))
        .ignore_then(word("a number"))
        .then_ignore(sign(';'))
        .then(lossy.then_ignore(sign(';').or_not()).or_not().map(Option::unwrap_or_default))
        .then_ignore(keyword("parameters").then(sign(':')))
        .then(message.repeated().collect())
        .then(automaton().repeated().at_least(1).collect())
        .then(bad().or_not().map(Option::unwrap_or_default))
        .then_ignore(end())
        .map(|((((count, lossy), messages), automata), bad)| Document {
            count,
            lossy,
            messages,
            automata,
            bad,
        })
}

/// Words up to one of some signs or words.
fn until<'a>(
    signs: &'static [char],
    stop: &'static [&'static str],
) -> impl Parser<'a, &'a [Token], Range, Failure<'a>> + Clone {
    any()
        .filter(move |token| match token {
            Token::Sign(sign) => !signs.contains(sign),
            Token::Word(word) => !stop.contains(&&**word),
            Token::Line => true,
        })
        .repeated()
        .at_least(1)
        .map_with(|(), extra| {
            let span: SimpleSpan = extra.span();
            span.start..span.end
        })
}

fn automaton<'a>() -> impl Parser<'a, &'a [Token], Automaton, Failure<'a>> {
    let list = || word("a state").separated_by(sign(',')).at_least(1).collect::<Vec<_>>();
    let variable = choice((keyword("int"), keyword("real")))
        .ignore_then(until(&[';'], &[]))
        .then_ignore(sign(';'));
    let finals = keyword("final").ignore_then(sign(':')).ignore_then(list());
    let state = keyword("state")
        .ignore_then(word("a state"))
        .then_ignore(sign(':'))
        .then(edge().repeated().collect());
    keyword("automaton")
        .ignore_then(word("the name of a machine"))
        .then_ignore(sign(':'))
        .then(variable.repeated().collect())
        .then_ignore(keyword("initial").then(sign(':')))
        .then(list())
        .then(finals.or_not())
        .then(state.repeated().collect())
        .map(|((((name, variables), initial), finals), states)| Automaton {
            name,
            variables,
            initial,
            finals,
            states,
        })
}

fn edge<'a>() -> impl Parser<'a, &'a [Token], Edge, Failure<'a>> {
    let condition =
        keyword("when").ignore_then(until(&[',', ';'], &["with"])).then_ignore(sign(',').or_not());
    let direction = choice((sign('!').to(true), sign('?').to(false)));
    let action = word("a channel")
        .filter(|(word, _)| **word != *"with")
        .then(direction)
        .then(word("a message"))
        .map(|((channel, sends), message)| (channel, sends, message));
    let assignments = keyword("with").ignore_then(until(&[';'], &[]));
    keyword("to")
        .ignore_then(word("a state"))
        .then_ignore(sign(':'))
        .then(condition.or_not())
        .then(action.or_not())
        .then(assignments.or_not())
        .then_ignore(sign(';'))
        .map_with(|(((to, condition), action), assignments), extra| {
            let span: SimpleSpan = extra.span();
            Edge { to, condition, action, assignments, words: span.start..span.end }
        })
}

fn bad<'a>() -> impl Parser<'a, &'a [Token], Vec<Group>, Failure<'a>> {
    const STOP: &[&str] = &["in", "automaton", "with"];
    let state =
        keyword("in").ignore_then(word("a state")).then_ignore(sign(':')).then(until(&[')'], STOP));
    let automaton = keyword("automaton")
        .ignore_then(word("the name of a machine"))
        .then_ignore(sign(':'))
        .then(state.repeated().at_least(1).collect());
    // A regular expression has brackets of its own.
    let nested = recursive(|nested| {
        let inside = any().filter(|token| !matches!(token, Token::Sign('(' | ')'))).ignored();
        choice((inside, nested.repeated().delimited_by(sign('('), sign(')'))))
    });
    let contents = keyword("with").ignore_then(nested.repeated().map_with(|(), extra| {
        let span: SimpleSpan = extra.span();
        span.start..span.end
    }));
    let group = automaton
        .repeated()
        .at_least(1)
        .collect()
        .then(contents.or_not())
        .delimited_by(sign('('), sign(')'))
        .map_with(|(states, contents), extra| {
            let span: SimpleSpan = extra.span();
            Group { states, contents, words: span.start..span.end }
        });
    keyword("bad_states").ignore_then(sign(':')).ignore_then(group.repeated().collect())
}

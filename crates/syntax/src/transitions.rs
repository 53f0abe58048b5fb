//! Labelled transition systems in the format of Aldebaran (`.aut`).
//!
//! The first line is `des (INITIAL, TRANSITIONS, STATES)`, every other one `(FROM, LABEL, TO)`. A
//! label may stand in double quotes, and then may hold anything; without them it ends where the last
//! comma of the line stands. What is not observed is called `i` in files of CADP and `tau` in those
//! of mCRL2: both are read, with and without quotes. Empty lines are passed over.
//!
//! A file is read line by line, each by the same small grammar, so that what is wrong has the place
//! of a line and leaves the others readable.

use crate::codes;
use crate::diagnostic::Diagnostic;
use crate::machines::open;
use crate::options::Loader;
use crate::source::{FileId, Sources, Span};
use crate::token::Name;
use ahash::AHashMap;
use chumsky::prelude::*;

/// A labelled transition system.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lts {
    /// The state it starts in.
    pub initial: u32,
    /// How many states there are; they are numbered from 0.
    pub states: u32,
    /// The labels, each once, without `tau`.
    pub labels: Vec<Name>,
    /// The transitions, in the order of the file.
    pub transitions: Vec<Transition>,
    /// The place of the first line.
    pub span: Span,
}

/// A transition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transition {
    /// Where it starts.
    pub from: u32,
    /// Its label by its place among [`Lts::labels`]; `None` for `tau`.
    pub label: Option<u32>,
    /// Where it leads.
    pub to: u32,
    /// Its place.
    pub span: Span,
}

/// A file that was read.
#[derive(Debug)]
pub struct Parsed {
    /// The file.
    pub sources: Sources,
    /// The system; without transitions where there are errors.
    pub system: Lts,
    /// What is wrong with the text.
    pub diagnostics: Vec<Diagnostic>,
}

/// Of more lines that are wrong, only these are shown.
const MOST_WRONG: usize = 100;

const FIRST_LINE: &str =
    "the first line is `des (INITIAL, TRANSITIONS, STATES)`, as in `des (0, 2, 3)`";
const OTHER_LINES: &str = "a transition is `(FROM, LABEL, TO)`, as in `(0, \"send !1\", 1)`";

/// Reads a file.
pub fn read(path: &str, loader: &mut dyn Loader) -> Parsed {
    let mut sources = Sources::default();
    let (text, file, missing) = open(path, loader, &mut sources);
    if let Some(missing) = missing {
        return Parsed { sources, system: Lts::default(), diagnostics: vec![missing] };
    }
    let mut reader = Reader { file, wrong: Vec::new(), numbers: AHashMap::new() };
    let mut system = reader.system(&text);
    if !reader.wrong.is_empty() {
        system.transitions.clear();
    }
    Parsed { sources, system, diagnostics: reader.wrong }
}

/// A number as it is written, and where it stands in its line.
type Number<'a> = (&'a str, SimpleSpan);
type Failure<'a> = extra::Err<Rich<'a, char>>;

struct Reader {
    file: FileId,
    wrong: Vec<Diagnostic>,
    /// The labels that are known.
    numbers: AHashMap<Name, u32>,
}

impl Reader {
    fn system(&mut self, text: &str) -> Lts {
        let mut system = Lts::default();
        let mut announced = None;
        let (header, transition) = (header(), transition());
        let mut at = 0;
        for line in text.split('\n') {
            let (start, content) = (at, line.trim_end());
            at += line.len() + 1;
            let content = if start == 0 { content.trim_start_matches('\u{feff}') } else { content };
            let start = start + line.find(content).unwrap_or(0);
            if content.trim().is_empty() {
                continue;
            }
            if announced.is_none() {
                let read = header.parse(content).into_output_errors();
                let Some([initial, count, states]) = self.taken(read, start, FIRST_LINE) else {
                    return system;
                };
                announced = self.header(&mut system, [initial, count, states], start);
                system.span = self.place(start, start + content.len());
                if announced.is_none() {
                    return system;
                }
                continue;
            }
            let read = transition.parse(content).into_output_errors();
            if let Some((from, label, to)) = self.taken(read, start, OTHER_LINES) {
                let ends = (self.state(&system, from, start), self.state(&system, to, start));
                let label = self.label(&mut system, label, start);
                if let ((Some(from), Some(to)), Some(label)) = (ends, label) {
                    let span = self.place(start, start + content.len());
                    system.transitions.push(Transition { from, label, to, span });
                }
            }
            if self.wrong.len() >= MOST_WRONG {
                return system;
            }
        }
        self.finish(&system, announced, text);
        system
    }

    /// The number of transitions that the first line announces, if it is a good one.
    fn header(&mut self, system: &mut Lts, numbers: [Number<'_>; 3], start: usize) -> Option<u64> {
        let [initial, count, states] = numbers;
        let states = self.number::<u32>(states, start).filter(|&states| states < u32::MAX);
        let count = self.number::<u64>(count, start);
        let first = self.number::<u32>(initial, start);
        system.states = states?;
        system.initial = first?;
        if system.initial >= system.states {
            self.state(system, initial, start);
            return None;
        }
        count
    }

    /// Whether there are as many transitions as announced.
    fn finish(&mut self, system: &Lts, announced: Option<u64>, text: &str) {
        let found = system.transitions.len() as u64;
        match announced {
            None => {
                let end = text.trim_end().len();
                let wrong = Diagnostic::new(
                    &codes::TRANSITIONS_FORM,
                    self.place(end, end),
                    "the file is empty",
                );
                self.wrong.push(wrong.here("here").help(FIRST_LINE));
            }
            Some(announced) if announced != found && self.wrong.is_empty() => {
                let message =
                    format!("{announced} transitions are announced, and the file has {found}");
                let wrong = Diagnostic::new(&codes::TRANSITIONS_COUNT, system.span, message);
                let help = if found < announced {
                    "a part of the file may be missing; make it again, or correct the number"
                } else {
                    "correct the number of transitions, the second in the parentheses"
                };
                self.wrong.push(wrong.here("announced here").help(help));
            }
            Some(_) => {}
        }
    }

    /// What a rule has read; what is wrong is said.
    fn taken<T>(
        &mut self,
        (read, errors): (Option<T>, Vec<Rich<'_, char>>),
        start: usize,
        help: &str,
    ) -> Option<T> {
        let Some(error) = errors.first() else { return read };
        let (at, end) =
            (start + error.span().start, start + error.span().end.min(error.span().start + 1));
        let message = match (wanted(error), error.found()) {
            (Some(wanted), Some(found)) => format!("{wanted} is wanted here, not `{found}`"),
            (Some(wanted), None) => format!("{wanted} is wanted here, not the end of the line"),
            (None, _) => "a comma, the state it leads to and `)` must stand at the end".to_owned(),
        };
        let wrong = Diagnostic::new(&codes::TRANSITIONS_FORM, self.place(at, end), message);
        self.wrong.push(wrong.here("here").help(help));
        None
    }

    /// A number; one that is too large is said to be.
    fn number<T: std::str::FromStr>(
        &mut self,
        (text, span): Number<'_>,
        start: usize,
    ) -> Option<T> {
        let number = text.parse().ok();
        if number.is_none() {
            let place = self.place(start + span.start, start + span.end);
            let wrong =
                Diagnostic::new(&codes::TRANSITIONS_FORM, place, format!("{text} is too large"));
            self.wrong.push(wrong.here("here").help("there can be four thousand million states"));
        }
        number
    }

    /// A state that the system has.
    fn state(&mut self, system: &Lts, (text, span): Number<'_>, start: usize) -> Option<u32> {
        let state = text.parse().ok().filter(|&state: &u32| state < system.states);
        if state.is_none() {
            let place = self.place(start + span.start, start + span.end);
            let message = format!("there is no state {text}");
            let wrong = Diagnostic::new(&codes::TRANSITIONS_STATE, place, message);
            let help = match system.states {
                0 => "a system has at least one state, the one it starts in".to_owned(),
                1 => "the first line says that there is one state, 0".to_owned(),
                states => {
                    format!("the first line says that there are {states}, from 0 to {}", states - 1)
                }
            };
            self.wrong.push(wrong.here("unknown").help(help));
        }
        state
    }

    /// The number of a label, or `None` inside for `tau`; nothing if its quotes are broken.
    #[allow(clippy::option_option, reason = "an inner `None` is `tau`, an outer one is wrong")]
    fn label(
        &mut self,
        system: &mut Lts,
        (text, span): Number<'_>,
        start: usize,
    ) -> Option<Option<u32>> {
        let trimmed = text.trim();
        let inner = trimmed.strip_prefix('"');
        let label = match inner.map(|rest| rest.strip_suffix('"')) {
            None if !trimmed.is_empty() => trimmed.to_owned(),
            Some(Some(quoted)) => unescaped(quoted),
            None | Some(None) => {
                let place = self.place(start + span.start, start + span.end);
                let message = if inner.is_some() {
                    "the quotes around this label are not closed"
                } else {
                    "a label is missing"
                };
                let wrong = Diagnostic::new(&codes::TRANSITIONS_FORM, place, message);
                self.wrong.push(wrong.here("here").help(OTHER_LINES));
                return None;
            }
        };
        if label == "i" || label == "tau" {
            return Some(None);
        }
        if let Some(&number) = self.numbers.get(label.as_str()) {
            return Some(Some(number));
        }
        let (number, name) = (system.labels.len() as u32, Name::from(label));
        self.numbers.insert(name.clone(), number);
        system.labels.push(name);
        Some(Some(number))
    }

    fn place(&self, start: usize, end: usize) -> Span {
        let narrow = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        Span { file: self.file, start: narrow(start), end: narrow(end), ..Span::default() }
    }
}

/// What could stand where something else does, if more can be said than that it is anything.
fn wanted(error: &Rich<'_, char>) -> Option<String> {
    let mut wanted: Vec<String> = Vec::new();
    for one in error.expected() {
        let one = one.to_string();
        match one.strip_prefix('\'').and_then(|one| one.strip_suffix('\'')) {
            Some(sign) => wanted.push(format!("`{sign}`")),
            None if ["any", "something else", "end of input"].contains(&one.as_str()) => {}
            None => wanted.push(one),
        }
    }
    wanted.sort_unstable();
    wanted.dedup();
    (!wanted.is_empty()).then(|| wanted.join(" or "))
}

/// A label without the signs that keep quotes, backslashes and ends of lines apart from others.
fn unescaped(quoted: &str) -> String {
    let mut text = String::with_capacity(quoted.len());
    let mut letters = quoted.chars().peekable();
    while let Some(letter) = letters.next() {
        let meant = match (letter, letters.peek()) {
            ('\\', Some('"')) => Some('"'),
            ('\\', Some('\\')) => Some('\\'),
            _ => None,
        };
        if meant.is_some() {
            letters.next();
        }
        text.push(meant.unwrap_or(letter));
    }
    text
}

fn blank<'a>() -> impl Parser<'a, &'a str, (), Failure<'a>> + Clone {
    any().filter(|letter: &char| letter.is_whitespace()).repeated().ignored()
}

fn number<'a>() -> impl Parser<'a, &'a str, Number<'a>, Failure<'a>> + Clone {
    any()
        .filter(char::is_ascii_digit)
        .labelled("a number")
        .repeated()
        .at_least(1)
        .to_slice()
        .map_with(|digits, extra| (digits, extra.span()))
}

fn sign<'a>(sign: char) -> impl Parser<'a, &'a str, (), Failure<'a>> + Clone {
    just(sign).ignored().padded_by(blank())
}

fn header<'a>() -> impl Parser<'a, &'a str, [Number<'a>; 3], Failure<'a>> {
    let word = just("des").labelled("`des`").padded_by(blank());
    let numbers =
        number().then_ignore(sign(',')).then(number()).then_ignore(sign(',')).then(number());
    word.ignore_then(sign('('))
        .ignore_then(numbers.map(|((initial, count), states)| [initial, count, states]))
        .then_ignore(sign(')'))
        .then_ignore(end())
}

fn transition<'a>() -> impl Parser<'a, &'a str, (Number<'a>, Number<'a>, Number<'a>), Failure<'a>> {
    let last = sign(',').ignore_then(number()).then_ignore(sign(')')).then_ignore(end());
    // A label goes on until what follows it is the rest of the line.
    let label = any()
        .and_is(last.clone().not())
        .repeated()
        .to_slice()
        .map_with(|label, extra| (label, extra.span()));
    blank()
        .ignore_then(sign('('))
        .ignore_then(number())
        .then_ignore(sign(','))
        .then(label)
        .then(last)
        .map(|((from, label), to)| (from, label, to))
}

//! Patterns: what a person writes to mean one or several actions.
//!
//! ```text
//! c!ack,1    c?ack(1)    a message with these fields is sent into c, or taken from it
//! c!ack      c!_,1       fields that are not given, or given as _, may be anything
//! q[2]!x     q[_]!x      an element of an array of channels, or any of them
//! P:c!x      P[2]:c!x    a channel that processes of type P, or process 2, bring along
//! P:label    P[2]:label  a step of a process of type P, or of process 2, from that label
//! label                  a step of any process from a label of that name
//! tau                    an action that has none of the names at hand
//! "send !_"              of a labelled transition system: a label, in which _ is any one field
//! ```

use super::names::{Channel, Names, TAU};
use super::wildcard::taken;
use super::{Elementary, Way};
use crate::successors::Step;
use ahash::{AHashMap, AHashSet};
use pverify_model::machine::{Model, ProcessKind};
use pverify_model::types::Type;
use std::fmt;
use std::sync::Arc;

/// A set of actions that a person has named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    meaning: Meaning,
}

/// A process type, and the number of a process where one is given.
type Owner = (u32, Option<u8>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Meaning {
    /// Not an action by itself: nothing else fits.
    Tau,
    Message {
        way: Way,
        /// The process that brings the channel along.
        owner: Option<Owner>,
        /// Which of the owner's channels.
        channels: Vec<u32>,
        /// Whether one of them is a rendezvous channel.
        rendezvous: bool,
        fields: Vec<Option<i32>>,
    },
    Label {
        /// The number of the process, where one is given.
        pid: Option<u8>,
        /// Process types and their locations.
        places: Vec<(u32, u32)>,
    },
    /// Edges with names of their own: process type, location, place among the edges there.
    Named(Arc<AHashSet<(u32, u32, u16)>>),
}

/// Why a text is no pattern of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatternError {
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub help: String,
}

impl fmt::Display for PatternError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.message)
    }
}

impl std::error::Error for PatternError {}

impl Pattern {
    /// Reads a pattern.
    ///
    /// # Errors
    /// When it has not the form of one, or names what the model has not.
    pub fn parse(names: &Names<'_>, text: &str) -> Result<Self, PatternError> {
        let text = text.trim();
        if text == TAU {
            return Ok(Self { meaning: Meaning::Tau });
        }
        let meaning = match text.find(['!', '?']) {
            _ if names.are_labels() => named(names, text)?,
            Some(at) => message(names, text, at)?,
            None => label(names, text)?,
        };
        Ok(Self { meaning })
    }

    /// Whether it is `tau`.
    pub fn is_tau(&self) -> bool {
        self.meaning == Meaning::Tau
    }

    /// Whether an action is one of those meant; never so for `tau`, which depends on the others.
    pub fn matches(&self, action: &Elementary<'_>) -> bool {
        match &self.meaning {
            Meaning::Tau => false,
            Meaning::Message { way, owner, channels, fields, .. } => {
                let Some((channel, done, message)) = action.message else { return false };
                let by = match (owner, channel.owner) {
                    (None, None) => true,
                    (Some((kind, pid)), Some((own, of))) => {
                        *kind == of && pid.is_none_or(|pid| pid == own)
                    }
                    _ => false,
                };
                by && (*way == done || done == Way::Rendezvous)
                    && channels.contains(&channel.at)
                    && fields
                        .iter()
                        .zip(message)
                        .all(|(wanted, value)| wanted.is_none_or(|wanted| wanted == *value))
            }
            Meaning::Named(edges) => {
                let Step { kind, location, edge, .. } = action.step;
                edges.contains(&(kind, location, edge))
            }
            Meaning::Label { .. } if !action.labelled => false,
            Meaning::Label { pid, places } => {
                let at = |step: &Step| {
                    pid.is_none_or(|pid| pid == step.pid)
                        && places.contains(&(step.kind, step.location))
                };
                at(&action.step) || action.partner.as_ref().is_some_and(at)
            }
        }
    }

    /// Whether it is about messages.
    pub fn is_message(&self) -> bool {
        matches!(self.meaning, Meaning::Message { .. })
    }

    /// The numbers of processes that it names.
    pub fn pid(&self) -> Option<u8> {
        match self.meaning {
            Meaning::Label { pid, .. } => pid,
            _ => None,
        }
    }

    /// Whether two patterns about messages could mean the same action; if in doubt, yes.
    pub fn overlaps(&self, other: &Self) -> bool {
        let (
            Meaning::Message { way, owner, channels, rendezvous, fields },
            Meaning::Message {
                way: way2, owner: owner2, channels: channels2, fields: fields2, ..
            },
        ) = (&self.meaning, &other.meaning)
        else {
            return true;
        };
        let same_owner = match (owner, owner2) {
            (None, None) => true,
            (Some((kind, pid)), Some((kind2, pid2))) => {
                kind == kind2 && (pid.is_none() || pid2.is_none() || pid == pid2)
            }
            _ => false,
        };
        let fits =
            |(one, two): (&Option<i32>, &Option<i32>)| one.is_none() || two.is_none() || one == two;
        same_owner
            && (way == way2 || *rendezvous)
            && channels.iter().any(|channel| channels2.contains(channel))
            && fields.iter().zip(fields2).all(fits)
    }
}

/// `text` names a process, perhaps with a number, and something of it: `P:x`, `P[2]:x`.
fn owner<'t>(names: &Names<'_>, text: &'t str) -> Result<(Option<Owner>, &'t str), PatternError> {
    let Some((process, rest)) = text.split_once(':') else { return Ok((None, text)) };
    let (name, pid) = match process.split_once('[') {
        None => (process, None),
        Some((name, number)) => {
            let number = number.strip_suffix(']').and_then(|number| number.trim().parse().ok());
            let Some(pid) = number else {
                return Err(PatternError {
                    message: format!("`{process}` does not name a process"),
                    help: "the number of a process is 0 to 255, as in P[2]:label".to_owned(),
                });
            };
            (name, Some(pid))
        }
    };
    let is_process = |kind: &u32| {
        let process = &names.model.processes[*kind as usize];
        matches!(process.kind, ProcessKind::Proctype | ProcessKind::Init)
    };
    let mut kinds = (0..names.model.processes.len() as u32).filter(is_process);
    match kinds.clone().find(|&kind| names.type_name(kind) == name.trim()) {
        Some(kind) => Ok((Some((kind, pid)), rest)),
        None => Err(PatternError {
            message: format!("there is no process type `{}`", name.trim()),
            help: format!("the model has {}", list(kinds.by_ref().map(|k| names.type_name(k)))),
        }),
    }
}

/// What the holes of a pattern, by its text, take of the name of an action that fits it, in their order.
/// Not every name has the form of the patterns that it fits: fields may be left out, the process that
/// brings a channel along may have a number, and a rendezvous is called by its sending half.
pub fn taken_by<'n>(text: &str, name: &'n str) -> Vec<&'n str> {
    if let Some(all) = taken(text, name) {
        return all;
    }
    let halves = |text: &'_ str| text.find(['!', '?']).map(|at| (at, at + 1));
    let (Some((at, behind)), Some((end, start))) = (halves(text), halves(name)) else {
        return Vec::new();
    };
    let channel = |whole: &'_ str| whole.find(':').map_or(0, |at| at + 1);
    let (one, two) = (&text[..at], &name[..end]);
    let mut all = taken(one[channel(one)..].trim(), &two[channel(two)..]).unwrap_or_default();
    let given = fields(text[behind..].trim_start_matches(['!', '?']));
    let values = given.iter().zip(name[start..].split(','));
    all.extend(values.filter(|(field, _)| **field == "_").map(|(_, value)| value));
    all
}

/// A label of a labelled transition system, perhaps with holes.
fn named(names: &Names<'_>, text: &str) -> Result<Meaning, PatternError> {
    let text = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(text);
    let mut edges = AHashSet::new();
    let mut fits: AHashMap<&str, bool> = AHashMap::new();
    names.each_named(|at, name| {
        if *fits.entry(name).or_insert_with(|| taken(text, name).is_some()) {
            edges.insert(at);
        }
    });
    if edges.is_empty() {
        let mut known: Vec<&str> = fits.into_keys().collect();
        known.sort_unstable();
        return Err(PatternError {
            message: format!("no transition is called `{text}`"),
            help: format!("labels are {}; `_` stands for any one field", list(known.into_iter())),
        });
    }
    Ok(Meaning::Named(Arc::new(edges)))
}

fn label(names: &Names<'_>, text: &str) -> Result<Meaning, PatternError> {
    let (owner, name) = owner(names, text)?;
    let name = name.trim();
    let mut places = Vec::new();
    let mut known = Vec::new();
    let mut resting = false;
    for (kind, process) in names.model.processes.iter().enumerate() {
        if owner.is_some_and(|(wanted, _)| wanted as usize != kind)
            || !matches!(process.kind, ProcessKind::Proctype | ProcessKind::Init)
        {
            continue;
        }
        for label in &process.graph.labels {
            known.push(&*label.name);
            if &*label.name == name {
                resting = true;
                places.extend(label.location.map(|location| (kind as u32, location.0)));
            }
        }
    }
    if places.is_empty() {
        let message = if resting {
            format!("no step starts from the label `{text}`: control never rests there")
        } else {
            format!("`{text}` is no action of the model: there is no such label")
        };
        let labels = if known.is_empty() {
            "there are no labels".to_owned()
        } else {
            format!("labels are {}", list(known.into_iter()))
        };
        let help = format!(
            "an action is c!message, c?message, P:label or tau; {labels}{}",
            channels_of(names)
        );
        return Err(PatternError { message, help });
    }
    Ok(Meaning::Label { pid: owner.and_then(|(_, pid)| pid), places })
}

fn message(names: &Names<'_>, text: &str, at: usize) -> Result<Meaning, PatternError> {
    let way = if text[at..].starts_with('!') { Way::Send } else { Way::Receive };
    let sign = &text[at..at + 1];
    let rest = text[at + 1..].strip_prefix(sign).unwrap_or(&text[at + 1..]);
    let (owner, name) = owner(names, text[..at].trim())?;
    let there: &[Channel] = match owner {
        None => &names.globals,
        Some((kind, _)) => &names.locals[kind as usize],
    };
    let name = name.trim();
    let fits = |channel: &Channel| match name.strip_suffix("[_]") {
        Some(array) => {
            let index = channel.name.strip_prefix(array);
            index.is_some_and(|index| index.starts_with('[') && index.ends_with(']'))
        }
        None => channel.name == name,
    };
    let numbered = there.iter().enumerate();
    let channels: Vec<u32> =
        numbered.filter(|(_, channel)| fits(channel)).map(|(at, _)| at as u32).collect();
    let Some(&first) = channels.first() else {
        return Err(PatternError {
            message: format!("there is no channel `{}`", text[..at].trim()),
            help: format!("a channel is called as where it is declared{}", channels_of(names)),
        });
    };
    let rendezvous = channels.iter().any(|&at| there[at as usize].is_rendezvous);
    let channel = &there[first as usize];
    let fields = fields(rest)
        .into_iter()
        .enumerate()
        .map(|(at, field)| value(names.model, channel.fields.get(at).copied(), field))
        .collect::<Result<Vec<_>, _>>()?;
    if fields.len() > channel.fields.len() {
        return Err(PatternError {
            message: format!("`{text}` has more fields than messages of `{}`", channel.name),
            help: format!(
                "its messages have {}; those left out may be anything",
                channel.fields.len()
            ),
        });
    }
    Ok(Meaning::Message { way, owner, channels, rendezvous, fields })
}

/// The fields of a message: `a,b`, or `a(b)` as Promela also writes it.
fn fields(text: &str) -> Vec<&str> {
    let text = text.trim();
    if text.is_empty() {
        return Vec::new();
    }
    let inner = text.strip_suffix(')').and_then(|text| text.split_once('('));
    let (first, rest) = inner.map_or(("", text), |(first, rest)| (first, rest));
    let first = Some(first.trim()).filter(|first| !first.is_empty());
    first.into_iter().chain(rest.split(',').map(str::trim)).collect()
}

/// The value of a field; `None` for anything.
fn value(model: &Model, kind: Option<Type>, text: &str) -> Result<Option<i32>, PatternError> {
    let constant = match text {
        "_" => return Ok(None),
        "true" => Some(1),
        "false" => Some(0),
        _ => match text.parse::<i32>() {
            Ok(number) => Some(number),
            Err(_) => model.mtypes.get(text).map(|constant| constant.value),
        },
    };
    match (constant, kind) {
        (Some(value), Some(kind)) if kind.truncate(value) != value => Err(PatternError {
            message: format!("a field never holds {text}"),
            help: "its type is too small for it".to_owned(),
        }),
        (Some(value), _) => Ok(Some(value)),
        (None, _) => Err(PatternError {
            message: format!("`{text}` is not a value that a message can hold"),
            help: "a field is a number, the name of an mtype, true, false, or _ for anything"
                .to_owned(),
        }),
    }
}

fn channels_of(names: &Names<'_>) -> String {
    let own = names.locals.iter().enumerate().flat_map(|(kind, channels)| {
        let name = names.type_name(kind as u32);
        channels.iter().map(move |channel| format!("{name}:{}", channel.name))
    });
    let all = names.globals.iter().map(|channel| channel.name.clone()).chain(own);
    let all: Vec<String> = all.collect();
    if all.is_empty() {
        "; there are no channels".to_owned()
    } else {
        format!("; channels are {}", list(all.iter().map(String::as_str)))
    }
}

/// Some names, the first few of many.
fn list<'a>(names: impl Iterator<Item = &'a str>) -> String {
    const MOST: usize = 12;
    let mut all: Vec<&str> = names.collect();
    all.dedup();
    let more = if all.len() > MOST { ", …" } else { "" };
    all.truncate(MOST);
    format!("{}{more}", all.join(", "))
}

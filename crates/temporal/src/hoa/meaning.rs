//! What one automaton means: headers that belong together, labels as functions, marks as sets.

use super::Hoa;
use super::grammar::{At, Document, Edge, Item, Postfix, State, Step};
use super::words::Problem;
use crate::automaton::{Automaton, Marks, StateId};
use crate::boolean::{Function, Space};
use crate::formula::Vocabulary;
use ahash::AHashMap;

/// More atoms than this are not read with implicit labels, of which there are two to that power.
const MOST_IMPLICIT: usize = 16;
/// More states than this are not read.
const MOST_STATES: u32 = 1_000_000;

/// The automaton that a text describes.
pub(super) fn build(document: &Document) -> Result<Hoa, Problem> {
    let header = Header::read(document)?;
    let mut automaton = Automaton {
        vocabulary: header.vocabulary.clone(),
        space: header.space.clone(),
        sets: header.acceptance.sets(),
        initial: Vec::new(),
        edges: vec![Vec::new(); header.states as usize],
    };
    let mut state_names = vec![None; header.states as usize];
    let mut seen = vec![false; header.states as usize];
    for state in &header.start {
        header.check_state(state)?;
        automaton.initial.push(StateId(state.it));
    }
    for state in &document.states {
        header.check_state(&state.number)?;
        let at = state.number.it as usize;
        if std::mem::replace(&mut seen[at], true) {
            return Err((state.number.word, format!("state {at} is described twice")));
        }
        state_names[at].clone_from(&state.name);
        header.add_edges(state, &mut automaton)?;
    }
    Ok(Hoa {
        name: header.name,
        tool: header.tool,
        properties: header.properties,
        state_names,
        automaton,
    })
}

struct Header {
    states: u32,
    start: Vec<At<u32>>,
    vocabulary: Vocabulary,
    space: Space,
    aliases: AHashMap<String, Function>,
    acceptance: Acceptance,
    tool: Option<(String, Option<String>)>,
    name: Option<String>,
    properties: Vec<String>,
}

impl Header {
    fn read(document: &Document) -> Result<Self, Problem> {
        let mut header = Self {
            states: 0,
            start: Vec::new(),
            vocabulary: Vocabulary::default(),
            space: Space::new(0).ok_or((0, "no labels".to_owned()))?,
            aliases: AHashMap::default(),
            acceptance: Acceptance { declared: 0, wanted: Vec::new(), never: false },
            tool: None,
            name: None,
            properties: Vec::new(),
        };
        let (mut states, mut acceptance, mut atoms) = (None, false, false);
        for At { it: item, word } in &document.items {
            let word = *word;
            let twice = |name: &str| Err((word, format!("there is a second `{name}:`")));
            match item {
                Item::Version(version) if version.it != "v1" => {
                    let message = format!("version `{}` is not read, only `v1`", version.it);
                    return Err((version.word, message));
                }
                Item::Version(_) => {}
                Item::States(_) if states.is_some() => return twice("States"),
                Item::States(count) if *count > MOST_STATES => {
                    return Err((word, format!("more than {MOST_STATES} states are not read")));
                }
                Item::States(count) => states = Some(*count),
                Item::Start(conjunction) => match conjunction.as_slice() {
                    [state] => header.start.push(state.clone()),
                    _ => return Err((word, "alternating automata are not read".to_owned())),
                },
                Item::Atoms(..) if atoms => return twice("AP"),
                Item::Atoms(count, names) => {
                    atoms = true;
                    header.atoms(count, names)?;
                }
                Item::Alias(name, _) if header.aliases.contains_key(name) => {
                    return Err((word, format!("the alias `@{name}` is defined twice")));
                }
                // Aliases may use those before them, and atoms declared behind them.
                Item::Alias(..) => {}
                Item::Acceptance(..) if acceptance => return twice("Acceptance"),
                Item::Acceptance(sets, condition) => {
                    acceptance = true;
                    header.acceptance = Acceptance::read(*sets, condition, word)?;
                }
                Item::Tool(name, version) => header.tool = Some((name.clone(), version.clone())),
                Item::Name(name) => header.name = Some(name.clone()),
                Item::Properties(names) => header.properties.extend(names.iter().cloned()),
                Item::Other(name) if name.starts_with(|one: char| one.is_ascii_uppercase()) => {
                    let message =
                        format!("the header `{name}:` may change the meaning and is not known");
                    return Err((word, message));
                }
                Item::Other(_) => {}
            }
        }
        if !acceptance {
            let word = document.items.first().map_or(0, |item| item.word);
            return Err((word, "the header `Acceptance:` is missing".to_owned()));
        }
        for At { it: item, word } in &document.items {
            if let Item::Alias(name, label) = item {
                let label = header.label(label)?;
                if header.aliases.insert(name.clone(), label).is_some() {
                    return Err((*word, format!("the alias `@{name}` is defined twice")));
                }
            }
        }
        header.states = match states {
            Some(states) => states,
            None => header.count_states(document)?,
        };
        Ok(header)
    }

    fn atoms(&mut self, count: &At<u32>, names: &[At<String>]) -> Result<(), Problem> {
        if names.len() != count.it as usize {
            let message = format!("{} atoms are announced, {} are named", count.it, names.len());
            return Err((count.word, message));
        }
        for name in names {
            if self.vocabulary.find(&name.it).is_some() {
                return Err((name.word, format!("the atom \"{}\" is named twice", name.it)));
            }
            self.vocabulary.atom(&name.it);
        }
        self.space = Space::new(names.len())
            .ok_or_else(|| (count.word, "there are too many atoms".to_owned()))?;
        Ok(())
    }

    /// Without `States:` there are as many as the largest number says.
    fn count_states(&self, document: &Document) -> Result<u32, Problem> {
        let targets =
            document.states.iter().flat_map(|state| &state.edges).flat_map(|edge| &edge.it.targets);
        let numbers = document.states.iter().map(|state| &state.number);
        let all = self.start.iter().chain(numbers).chain(targets);
        match all.max_by_key(|state| state.it) {
            Some(state) if state.it >= MOST_STATES => {
                Err((state.word, format!("more than {MOST_STATES} states are not read")))
            }
            largest => Ok(largest.map_or(0, |state| state.it + 1)),
        }
    }

    fn check_state(&self, state: &At<u32>) -> Result<(), Problem> {
        if state.it < self.states {
            return Ok(());
        }
        Err((state.word, format!("there is no state {}, only {} states", state.it, self.states)))
    }

    fn label(&self, steps: &Postfix) -> Result<Function, Problem> {
        let mut stack: Vec<Function> = Vec::new();
        for At { it: step, word } in steps {
            let too_large = || (*word, "this label is too complicated".to_owned());
            let value = match step {
                Step::Constant(value) => self.space.constant(*value),
                Step::Number(atom) if (*atom as usize) < self.space.len() => {
                    self.space.literal(*atom as usize, true)
                }
                Step::Number(atom) => {
                    let count = self.space.len();
                    return Err((*word, format!("there is no atom {atom}, only {count} atoms")));
                }
                Step::Alias(name) => match self.aliases.get(name) {
                    Some(label) => label.clone(),
                    None => {
                        return Err((*word, format!("the alias `@{name}` is not defined before")));
                    }
                },
                Step::Not => stack.pop().unwrap_or_else(|| self.space.constant(false)).not(),
                Step::And | Step::Or => {
                    let right = stack.pop().unwrap_or_else(|| self.space.constant(false));
                    let left = stack.pop().unwrap_or_else(|| self.space.constant(false));
                    let joined = match step {
                        Step::And => left.and_within(&right),
                        _ => left.or_within(&right),
                    };
                    joined.ok_or_else(too_large)?
                }
                Step::Condition { .. } => return Err((*word, "this is no label".to_owned())),
            };
            stack.push(value);
        }
        Ok(stack.pop().unwrap_or_else(|| self.space.constant(true)))
    }

    fn add_edges(&self, state: &State, automaton: &mut Automaton) -> Result<(), Problem> {
        let source = StateId(state.number.it);
        let common = self.acceptance.marks(&state.marks)?;
        let state_label = state.label.as_ref().map(|label| self.label(label)).transpose()?;
        let labelled = state.edges.iter().filter(|edge| edge.it.label.is_some()).count();
        let implicit = state_label.is_none() && labelled == 0;
        if implicit && !state.edges.is_empty() {
            let atoms = self.space.len();
            if atoms > MOST_IMPLICIT || state.edges.len() != 1 << atoms {
                let word = state.number.word;
                let (edges, want) = (state.edges.len(), 1_u64.checked_shl(atoms as u32));
                let want = want.map_or("far more".to_owned(), |want| want.to_string());
                let message = format!("{edges} edges without labels, but {want} are needed here");
                return Err((word, message));
            }
        }
        for (letter, At { it: edge, word }) in state.edges.iter().enumerate() {
            let Edge { label, targets, marks } = edge;
            let [target] = targets.as_slice() else {
                return Err((*word, "alternating automata are not read".to_owned()));
            };
            self.check_state(target)?;
            let own = Marks(self.acceptance.raw(marks)?.0 | common.0);
            let label = match (label, &state_label) {
                (Some(_), Some(_)) => {
                    return Err((
                        *word,
                        "the state has a label, its edges cannot have one".to_owned(),
                    ));
                }
                (Some(label), None) => self.label(label)?,
                (None, Some(label)) => label.clone(),
                (None, None) if implicit => self
                    .space
                    .cube((0..self.space.len()).map(|atom| (atom, letter >> atom & 1 == 1))),
                (None, None) => {
                    return Err((
                        *word,
                        "this edge has no label, but others of its state have".to_owned(),
                    ));
                }
            };
            automaton.add_edge(source, label, self.acceptance.translate(own), StateId(target.it));
        }
        Ok(())
    }
}

/// A conjunction of `Inf`: which declared sets it asks for, some of them complemented.
struct Acceptance {
    declared: u32,
    wanted: Vec<(u32, bool)>,
    never: bool,
}

impl Acceptance {
    fn read(declared: u32, condition: &Postfix, header: usize) -> Result<Self, Problem> {
        if declared > Marks::MOST {
            return Err((
                header,
                format!("more than {} acceptance sets are not read", Marks::MOST),
            ));
        }
        let mut acceptance = Self { declared, wanted: Vec::new(), never: false };
        for At { it: step, word } in condition {
            match step {
                Step::Constant(true) | Step::And => {}
                Step::Constant(false) => acceptance.never = true,
                Step::Condition { set, .. } if *set >= declared => {
                    return Err((*word, format!("there is no set {set}, only {declared} sets")));
                }
                Step::Condition { name, negated, set } if name == "Inf" => {
                    if !acceptance.wanted.contains(&(*set, *negated)) {
                        acceptance.wanted.push((*set, *negated));
                    }
                }
                _ => {
                    let message = "only conjunctions of `Inf` are read: (generalized) Büchi";
                    return Err((*word, message.to_owned()));
                }
            }
        }
        acceptance.wanted.sort_unstable();
        if acceptance.wanted.len() > Marks::MOST as usize {
            return Err((
                header,
                format!("more than {} acceptance sets are not read", Marks::MOST),
            ));
        }
        Ok(acceptance)
    }

    fn sets(&self) -> u32 {
        if self.never { 1 } else { self.wanted.len() as u32 }
    }

    /// The marks as numbered in the text.
    fn raw(&self, marks: &[At<u32>]) -> Result<Marks, Problem> {
        let mut raw = Marks::NONE;
        for At { it: set, word } in marks {
            if *set >= self.declared {
                let count = self.declared;
                return Err((*word, format!("there is no set {set}, only {count} sets")));
            }
            raw = raw.union(Marks::one(*set));
        }
        Ok(raw)
    }

    fn marks(&self, marks: &[At<u32>]) -> Result<Marks, Problem> {
        self.raw(marks)
    }

    /// The marks as the condition asks for them.
    fn translate(&self, raw: Marks) -> Marks {
        if self.never {
            return Marks::NONE;
        }
        let mut marks = Marks::NONE;
        for (number, &(set, negated)) in self.wanted.iter().enumerate() {
            if raw.contains(set) != negated {
                marks = marks.union(Marks::one(number as u32));
            }
        }
        marks
    }
}

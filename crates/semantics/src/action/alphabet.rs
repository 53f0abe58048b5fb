//! Alphabets: which actions somebody looks at, and as which letters.
//!
//! Whoever looks at a model has *atoms*, patterns that each mean some actions; an action may be one
//! of several (`c!_` and `c!1`, `c!1` and `P:label`) or of none. What tells actions apart is the set
//! of atoms that they are of: that is the letter. The letters that can occur are found beforehand
//! from the patterns and the labels of the model, so that an automaton can be made for them.
//!
//! Actions can be hidden: they are `tau` then, whatever their names. Without patterns to observe,
//! what has none of the names of the atoms is `tau` too; with them, it is an action of its own that
//! nothing else is known of.

use super::Elementary;
use super::names::Names;
use super::pattern::{Pattern, PatternError};
use crate::successors::Step;
use pverify_model::machine::ProcessKind;

/// A set of atoms, one bit each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Letter(pub u64);

impl Letter {
    /// Whether the action is one of an atom, by the atom's number.
    pub const fn contains(self, atom: usize) -> bool {
        atom < 64 && self.0 >> atom & 1 == 1
    }
}

/// There may be so many letters.
const MOST_LETTERS: usize = 512;
/// And so many atoms.
const MOST_ATOMS: usize = 64;

/// What is looked at.
#[derive(Clone, Debug)]
pub struct Alphabet {
    atoms: Vec<Pattern>,
    observe: Vec<Pattern>,
    hide: Vec<Pattern>,
    letters: Vec<Letter>,
    /// The letter of what is hidden.
    tau: Letter,
}

impl Alphabet {
    /// The alphabet of some atoms. If there are patterns to `observe`, what fits none of them is
    /// hidden; what fits one to `hide` always is.
    ///
    /// # Errors
    /// When one of the texts is no pattern of the model, or when there are too many letters.
    pub fn new(
        names: &Names<'_>,
        atoms: &[String],
        observe: &[String],
        hide: &[String],
    ) -> Result<Self, PatternError> {
        let parse = |texts: &[String]| -> Result<Vec<Pattern>, PatternError> {
            texts.iter().map(|text| Pattern::parse(names, text)).collect()
        };
        let atoms = parse(atoms)?;
        if atoms.len() > MOST_ATOMS {
            return Err(PatternError {
                message: format!("{} actions are named, and 64 can be", atoms.len()),
                help: "split the formula: a conjunction can be checked part by part".to_owned(),
            });
        }
        let tau = (0..atoms.len()).filter(|&at| atoms[at].is_tau()).map(|at| 1 << at);
        let tau = Letter(tau.fold(0, |sum, bit: u64| sum | bit));
        let (observe, hide) = (parse(observe)?, parse(hide)?);
        let mut alphabet = Self { atoms, observe, hide, letters: Vec::new(), tau };
        alphabet.letters = alphabet.possible(names)?;
        Ok(alphabet)
    }

    /// The letters that can occur, ascending.
    pub fn letters(&self) -> &[Letter] {
        &self.letters
    }

    /// How many atoms there are.
    pub fn atoms(&self) -> usize {
        self.atoms.len()
    }

    /// The letter of an action.
    pub fn letter(&self, action: &Elementary<'_>) -> Letter {
        let fits = |pattern: &Pattern| pattern.matches(action);
        if self.hide.iter().any(fits) || !self.observe.is_empty() && !self.observe.iter().any(fits)
        {
            return self.tau;
        }
        let letter = self.matched(action, |_| true);
        if letter.0 == 0 && self.observe.is_empty() { self.tau } else { letter }
    }

    fn matched(&self, action: &Elementary<'_>, which: impl Fn(&Pattern) -> bool) -> Letter {
        let mut letter = 0;
        for (at, pattern) in self.atoms.iter().enumerate() {
            if which(pattern) && pattern.matches(action) {
                letter |= 1 << at;
            }
        }
        Letter(letter)
    }

    /// All letters: what a message can be of, together with what its steps can be of.
    fn possible(&self, names: &Names<'_>) -> Result<Vec<Letter>, PatternError> {
        if names.are_labels() {
            return self.of_labels(names);
        }
        let messages = self.of_messages()?;
        let places = self.of_places(names);
        let mut letters = vec![self.tau.0];
        if !self.observe.is_empty() {
            letters.push(0);
        }
        for message in &messages {
            for place in &places {
                let letter = message | place;
                // Nothing at all is `tau`, or was added.
                if letter != 0 {
                    letters.push(letter);
                }
            }
            if letters.len() > 64 * MOST_LETTERS {
                return Err(too_many());
            }
        }
        letters.sort_unstable();
        letters.dedup();
        if letters.len() > MOST_LETTERS {
            return Err(too_many());
        }
        Ok(letters.into_iter().map(Letter).collect())
    }

    /// The letters of transitions with labels: what each of them is of.
    fn of_labels(&self, names: &Names<'_>) -> Result<Vec<Letter>, PatternError> {
        let mut letters = vec![self.tau, Letter(0)];
        names.each_named(|(kind, location, edge), _| {
            let step = Step { pid: 0, kind, location, edge, offers: false };
            let action = Elementary { step, partner: None, labelled: true, message: None };
            letters.push(self.letter(&action));
            if letters.len() > 64 * MOST_LETTERS {
                letters.sort_unstable();
                letters.dedup();
            }
        });
        letters.sort_unstable();
        letters.dedup();
        if letters.len() > MOST_LETTERS { Err(too_many()) } else { Ok(letters) }
    }

    /// Sets of atoms that one message can be of.
    fn of_messages(&self) -> Result<Vec<u64>, PatternError> {
        let mut sets: Vec<Vec<usize>> = vec![Vec::new()];
        for (at, pattern) in self.atoms.iter().enumerate().filter(|(_, p)| p.is_message()) {
            let fits = |set: &&Vec<usize>| set.iter().all(|&o| self.atoms[o].overlaps(pattern));
            let more: Vec<Vec<usize>> =
                sets.iter().filter(fits).map(|set| [set.as_slice(), &[at]].concat()).collect();
            sets.extend(more);
            if sets.len() > MOST_LETTERS {
                return Err(too_many());
            }
        }
        Ok(sets.iter().map(|set| set.iter().fold(0, |sum, at| sum | 1 << at)).collect())
    }

    /// Sets of atoms that the places of one step, or of both halves of a rendezvous, can be of.
    fn of_places(&self, names: &Names<'_>) -> Vec<u64> {
        let mut pids: Vec<u8> = self.atoms.iter().filter_map(Pattern::pid).collect();
        // Somebody whom no pattern names.
        pids.extend((0..=u8::MAX).find(|pid| !pids.contains(pid)));
        let mut sets = vec![0];
        for (kind, process) in names.model.processes.iter().enumerate() {
            if !matches!(process.kind, ProcessKind::Proctype | ProcessKind::Init) {
                continue;
            }
            for location in 0..process.graph.locations.len() as u32 {
                for &pid in &pids {
                    let step = Step { pid, kind: kind as u32, location, edge: 0, offers: false };
                    let action = Elementary { step, partner: None, labelled: true, message: None };
                    sets.push(self.matched(&action, |pattern| !pattern.is_message()).0);
                }
            }
        }
        sets.sort_unstable();
        sets.dedup();
        let mut channels = names.globals.iter().chain(names.locals.iter().flatten());
        if channels.any(|channel| channel.is_rendezvous) {
            let single = sets.clone();
            sets.extend(single.iter().flat_map(|one| single.iter().map(move |two| one | two)));
            sets.sort_unstable();
            sets.dedup();
        }
        sets
    }
}

fn too_many() -> PatternError {
    PatternError {
        message: "the actions that are named can happen together in too many ways".to_owned(),
        help: "split the formula: a conjunction can be checked part by part".to_owned(),
    }
}

//! The automaton of a formula as a companion: built beforehand, or expanded as it is needed.
//!
//! Its letters are the truth values of propositions; those of a state are asked once, and the edges
//! that a letter allows are remembered.

use super::{Asked, Companion, Move, bits_for};
use ahash::AHashMap;
use pverify_model::machine::Expression;
use pverify_semantics::fault::FaultKind;
use pverify_temporal::automaton::{Automaton, Marks, StateId};
use pverify_temporal::formula::Atom;
use pverify_temporal::lasso::Valuation;
use pverify_temporal::tableau::Tableau;
use std::sync::{Arc, Mutex, PoisonError};

/// An automaton that is expanded as needed has states of so many bits.
const TABLEAU_BITS: u32 = 16;

/// An automaton whose letters are propositions about a state.
#[derive(Debug)]
pub struct FormulaAutomaton {
    /// What the atoms ask, by their number.
    propositions: Arc<[Expression]>,
    source: Source,
    known: Known,
}

/// Edges by state and letter; only for as many atoms as a number has bits.
#[derive(Debug, Default)]
struct Known {
    /// Where few letters and states are possible, the place follows from both.
    near: Vec<Option<Box<[Move]>>>,
    far: AHashMap<(u32, u64), Box<[Move]>>,
}

/// So many places are few.
const NEAR: usize = 1 << 12;

impl Known {
    #[inline]
    fn place(state: u32, letter: u64, atoms: usize) -> Option<usize> {
        let place = (state as usize).checked_shl(atoms as u32)? | letter as usize;
        (atoms <= 8 && place < NEAR).then_some(place)
    }

    #[inline]
    fn get(&self, state: u32, letter: u64, atoms: usize) -> Option<&[Move]> {
        match Self::place(state, letter, atoms) {
            Some(place) => self.near.get(place)?.as_deref(),
            None => self.far.get(&(state, letter)).map(|moves| &**moves),
        }
    }

    fn insert(&mut self, state: u32, letter: u64, atoms: usize, moves: Box<[Move]>) {
        match Self::place(state, letter, atoms) {
            Some(place) => {
                if self.near.len() <= place {
                    self.near.resize(place + 1, None);
                }
                self.near[place] = Some(moves);
            }
            None => {
                self.far.insert((state, letter), moves);
            }
        }
    }
}

#[derive(Clone, Debug)]
enum Source {
    /// All states are known, which of them runs only pass, and which mean that the end is reached.
    Built { automaton: Arc<Automaton>, passed: Arc<[bool]>, end: Option<StateId> },
    /// States are met as they are needed, by all workers in common.
    Expanded { tableau: Arc<Mutex<Tableau>>, initial: u32, sets: u32 },
}

impl FormulaAutomaton {
    /// An automaton; where it has several initial states, or none, it gets one. If it is entered,
    /// `end` means that what the automaton looks for was found.
    pub fn built(
        automaton: Automaton,
        end: Option<StateId>,
        propositions: impl Into<Arc<[Expression]>>,
    ) -> Self {
        let automaton = Arc::new(automaton.with_one_start());
        let source = Source::Built { passed: automaton.passed().into(), automaton, end };
        Self { propositions: propositions.into(), source, known: Known::default() }
    }

    /// A tableau, expanded as needed.
    pub fn expanded(tableau: Tableau, propositions: impl Into<Arc<[Expression]>>) -> Self {
        let (initial, sets) = (tableau.initial().0, tableau.sets());
        let tableau = Arc::new(Mutex::new(tableau));
        let source = Source::Expanded { tableau, initial, sets };
        Self { propositions: propositions.into(), source, known: Known::default() }
    }

    /// What a letter allows in a state.
    fn allowed(&self, state: u32, letter: &Valuation) -> Result<Vec<Move>, FaultKind> {
        match &self.source {
            Source::Built { automaton, passed, end } => {
                let edges = automaton.edges_of(StateId(state)).iter();
                let moves = edges.filter(|edge| edge.label.holds(letter)).map(|edge| Move {
                    target: edge.target.0,
                    marks: edge.marks,
                    ends: Some(edge.target) == *end,
                    passes: passed[edge.target.index()],
                });
                Ok(moves.collect())
            }
            Source::Expanded { tableau, .. } => {
                let mut tableau = tableau.lock().unwrap_or_else(PoisonError::into_inner);
                let edges = tableau.successors(StateId(state), letter);
                let too_large = FaultKind::Limit("states of the formula's automaton");
                let edges = edges.map_err(|_| too_large.clone())?;
                if tableau.len() > 1 << TABLEAU_BITS {
                    return Err(too_large);
                }
                let found = |(marks, to): (Marks, StateId)| Move {
                    target: to.0,
                    marks,
                    ends: false,
                    passes: false,
                };
                Ok(edges.into_iter().map(found).collect())
            }
        }
    }
}

impl Companion for FormulaAutomaton {
    fn questions(&self) -> &[Expression] {
        &self.propositions
    }

    fn bits(&self) -> u32 {
        match &self.source {
            Source::Built { automaton, .. } => bits_for(automaton.edges.len()),
            Source::Expanded { .. } => TABLEAU_BITS,
        }
    }

    fn initial(&self) -> u32 {
        match &self.source {
            Source::Built { automaton, .. } => automaton.initial.first().map_or(0, |state| state.0),
            Source::Expanded { initial, .. } => *initial,
        }
    }

    fn sets(&self) -> u32 {
        match &self.source {
            Source::Built { automaton, .. } => automaton.sets,
            Source::Expanded { sets, .. } => *sets,
        }
    }

    fn passes(&self, state: u32) -> bool {
        match &self.source {
            Source::Built { passed, .. } => passed[state as usize],
            Source::Expanded { .. } => false,
        }
    }

    fn end(&self) -> FaultKind {
        FaultKind::FormulaRefuted
    }

    fn moves(
        &mut self,
        state: u32,
        asked: &mut Asked<'_, '_>,
        moves: &mut Vec<Move>,
    ) -> Result<(), FaultKind> {
        let count = self.propositions.len();
        if count <= 64 {
            let mut letter = 0;
            for at in 0..count {
                letter |= u64::from(asked.holds(at)?) << at;
            }
            if let Some(known) = self.known.get(state, letter, count) {
                moves.extend_from_slice(known);
                return Ok(());
            }
            let found = self.allowed(state, &Valuation::from_bits(letter))?;
            moves.extend_from_slice(&found);
            self.known.insert(state, letter, count, found.into());
            return Ok(());
        }
        let mut letter = Valuation::default();
        for at in 0..count {
            if asked.holds(at)? {
                letter.insert(Atom(at as u32));
            }
        }
        moves.extend(self.allowed(state, &letter)?);
        Ok(())
    }

    fn fork(&self) -> Self {
        let propositions = Arc::clone(&self.propositions);
        Self { propositions, source: self.source.clone(), known: Known::default() }
    }
}

/// An automaton for runs on which one proposition holds from some point on for ever.
pub fn from_some_point_on(proposition: Expression) -> Option<FormulaAutomaton> {
    let vocabulary = pverify_temporal::formula::Vocabulary::new(["p"]);
    let mut automaton = Automaton::new(vocabulary, 1)?;
    let (before, after) = (automaton.add_state(), automaton.add_state());
    let (always, holds) = (automaton.space.constant(true), automaton.space.literal(0, true));
    automaton.initial.push(before);
    automaton.add_edge(before, always, Marks::NONE, before);
    automaton.add_edge(before, holds.clone(), Marks::NONE, after);
    automaton.add_edge(after, holds, Marks::one(0), after);
    Some(FormulaAutomaton::built(automaton, None, vec![proposition]))
}

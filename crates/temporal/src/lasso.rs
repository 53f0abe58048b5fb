//! Infinite runs of the form stem·cycle·cycle·…, and whether a formula holds on one.
//!
//! This is the definition of the logic, position by position, and shares no code with the
//! automata: it is what they are tested against, and what confirms a counterexample.

use crate::formula::{Atom, FormulaId, Formulas, Node};

/// The atoms that are true at one position.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Valuation {
    words: Vec<u64>,
}

impl Valuation {
    /// These atoms are true and no others.
    pub fn new(atoms: impl IntoIterator<Item = Atom>) -> Self {
        let mut valuation = Self::default();
        for atom in atoms {
            valuation.insert(atom);
        }
        valuation
    }

    /// The valuation whose true atoms are the bits of a number.
    pub fn from_bits(bits: u64) -> Self {
        Self { words: if bits == 0 { Vec::new() } else { vec![bits] } }
    }

    /// Makes an atom true.
    pub fn insert(&mut self, atom: Atom) {
        let word = atom.index() / 64;
        if self.words.len() <= word {
            self.words.resize(word + 1, 0);
        }
        self.words[word] |= 1 << (atom.index() % 64);
    }

    /// Makes a true atom false, a false one true.
    pub fn flip(&mut self, atom: Atom) {
        if self.contains(atom) {
            self.words[atom.index() / 64] &= !(1 << (atom.index() % 64));
            // Equal valuations are equal values.
            while self.words.last() == Some(&0) {
                self.words.pop();
            }
        } else {
            self.insert(atom);
        }
    }

    /// Whether an atom is true.
    pub fn contains(&self, atom: Atom) -> bool {
        self.words.get(atom.index() / 64).is_some_and(|word| word >> (atom.index() % 64) & 1 == 1)
    }
}

/// A run: the stem, then the cycle for ever.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lasso {
    letters: Vec<Valuation>,
    cycle_from: usize,
}

impl Lasso {
    /// A run; none if the cycle is empty.
    pub fn new(stem: Vec<Valuation>, cycle: Vec<Valuation>) -> Option<Self> {
        if cycle.is_empty() {
            return None;
        }
        let (cycle_from, mut letters) = (stem.len(), stem);
        letters.extend(cycle);
        Some(Self { letters, cycle_from })
    }

    /// How many positions differ: the stem and one turn of the cycle.
    pub fn len(&self) -> usize {
        self.letters.len()
    }

    /// Never: there is always a cycle.
    pub fn is_empty(&self) -> bool {
        self.letters.is_empty()
    }

    /// What holds at a position of the stem or the first turn of the cycle.
    pub fn letter(&self, position: usize) -> &Valuation {
        &self.letters[position]
    }

    /// The same run but for one atom at one position (and all turns of the cycle through it).
    #[must_use]
    pub fn flipped(&self, position: usize, atom: Atom) -> Self {
        let mut changed = self.clone();
        if let Some(letter) = changed.letters.get_mut(position) {
            letter.flip(atom);
        }
        changed
    }

    /// The position behind a position.
    pub fn following(&self, position: usize) -> usize {
        if position + 1 < self.letters.len() { position + 1 } else { self.cycle_from }
    }

    /// Where the cycle begins.
    pub fn cycle_from(&self) -> usize {
        self.cycle_from
    }

    /// Whether a formula holds on the run.
    pub fn satisfies(&self, formulas: &Formulas, formula: FormulaId) -> bool {
        let mut truth: Vec<Vec<bool>> = vec![Vec::new(); formula.index() + 1];
        for part in formulas.subformulas(formula) {
            truth[part.index()] = self.truth(formulas.node(part), &truth);
        }
        truth[formula.index()].first().copied().unwrap_or(false)
    }

    /// The truth of an operator at every position, from that of its operands.
    fn truth(&self, node: &Node, truth: &[Vec<bool>]) -> Vec<bool> {
        let positions = 0..self.letters.len();
        let of = |formula: &FormulaId, at: usize| truth[formula.index()][at];
        match node {
            Node::False => vec![false; self.letters.len()],
            Node::True => vec![true; self.letters.len()],
            Node::Atom(atom) => positions.map(|at| self.letters[at].contains(*atom)).collect(),
            Node::Not(inner) => positions.map(|at| !of(inner, at)).collect(),
            Node::And(parts) => positions.map(|at| parts.iter().all(|one| of(one, at))).collect(),
            Node::Or(parts) => positions.map(|at| parts.iter().any(|one| of(one, at))).collect(),
            Node::Next(inner) | Node::StrongNext(inner) => {
                positions.map(|at| of(inner, self.following(at))).collect()
            }
            Node::Until(left, right) => {
                self.fixpoint(false, |at, later| of(right, at) || of(left, at) && later)
            }
            Node::Release(left, right) => {
                self.fixpoint(true, |at, later| of(right, at) && (of(left, at) || later))
            }
        }
    }

    /// Twice backwards round the cycle is enough: the first turn carries what was assumed at its
    /// end to its beginning, the second from there to everywhere.
    fn fixpoint(&self, start: bool, step: impl Fn(usize, bool) -> bool) -> Vec<bool> {
        let mut values = vec![start; self.letters.len()];
        for _ in 0..2 {
            for at in (0..self.letters.len()).rev() {
                values[at] = step(at, values[self.following(at)]);
            }
        }
        values
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formula::{Vocabulary, parse::parse};

    /// A run is written `ab.-;a.b`: stem and cycle, the true atoms of each position.
    fn check(run: &str, formula: &str, expected: bool) {
        let (mut formulas, mut vocabulary) = (Formulas::default(), Vocabulary::new(["a", "b"]));
        let formula = parse(formula, &mut formulas, &mut vocabulary).expect("a formula");
        let mut letters = run.split(';').map(|part| {
            let positions = part.split('.').filter(|letter| !letter.is_empty());
            positions
                .map(|letter| {
                    Valuation::new(
                        letter.chars().filter_map(|one| vocabulary.find(&one.to_string())),
                    )
                })
                .collect::<Vec<_>>()
        });
        let (stem, cycle) = (letters.next().expect("a stem"), letters.next().expect("a cycle"));
        let lasso = Lasso::new(stem, cycle).expect("a cycle that is not empty");
        assert_eq!(lasso.satisfies(&formulas, formula), expected, "{run}");
    }

    #[test]
    fn the_operators_mean_what_they_should() {
        check(";a.b", "GFa & GFb & G(a -> Xb)", true);
        check("a.a;b", "a U b", true);
        check("a.a;a", "a U b", false);
        check("a.a;a", "a W b", true);
        check("a.-;b", "a U b", false);
        check("-.-;b.-", "F G b", false);
        check("-;b", "F G b", true);
        check("a.ab;-", "b R a", true);
        check("a.a;-", "b R a", false);
        check("a.ab;-", "b M a", true);
        check(";a", "b M a", false);
        check("-.a;-", "X[!] a", true);
    }
}

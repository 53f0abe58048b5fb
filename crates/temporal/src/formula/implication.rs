//! Whether one formula implies another, as far as their shapes tell.
//!
//! The rules are those of Somenzi & Bloem (2000), for infinite runs and negation normal form. An
//! answer «no» means «not seen»: the search stops at a fixed depth, so that it is never deep.

use super::{FormulaId, Formulas, Node};
use ahash::AHashMap;

/// How many operators below the two formulas are looked at.
const DEPTH: u8 = 12;

/// What is known of formulas of one store; numbers never change their meaning, so it may be kept.
#[derive(Clone, Debug, Default)]
pub struct Implications {
    known: AHashMap<(FormulaId, FormulaId), bool>,
    suffix: Vec<Option<Suffix>>,
}

/// How a formula behaves when letters are put in front of a run, or taken away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Suffix {
    /// Once it holds it held before: `F f`.
    eventual: bool,
    /// Once it holds it holds for ever: `G f`.
    universal: bool,
}

impl Implications {
    /// Whether `left` is seen to imply `right`.
    pub fn implies(&mut self, formulas: &Formulas, left: FormulaId, right: FormulaId) -> bool {
        self.search(formulas, left, right, DEPTH)
    }

    /// Whether a formula that holds later holds now (Etessami & Holzmann 2000).
    pub fn is_eventual(&mut self, formulas: &Formulas, formula: FormulaId) -> bool {
        self.suffix(formulas, formula).eventual
    }

    /// Whether a formula that holds now holds later.
    pub fn is_universal(&mut self, formulas: &Formulas, formula: FormulaId) -> bool {
        self.suffix(formulas, formula).universal
    }

    /// Whether a formula holds at all positions of a run or at none: `GF f`, `FG f`.
    pub fn is_constant(&mut self, formulas: &Formulas, formula: FormulaId) -> bool {
        let Suffix { eventual, universal } = self.suffix(formulas, formula);
        eventual && universal
    }

    fn suffix(&mut self, formulas: &Formulas, root: FormulaId) -> Suffix {
        if let Some(Some(known)) = self.suffix.get(root.index()) {
            return *known;
        }
        if self.suffix.len() <= root.index() {
            self.suffix.resize(root.index() + 1, None);
        }
        for formula in formulas.subformulas(root) {
            let of = |parts: &[FormulaId]| {
                let all = |want: fn(Suffix) -> bool| {
                    parts.iter().all(|part| self.suffix[part.index()].is_some_and(want))
                };
                Suffix { eventual: all(|one| one.eventual), universal: all(|one| one.universal) }
            };
            let known = match formulas.node(formula) {
                Node::False | Node::True => Suffix { eventual: true, universal: true },
                Node::Atom(_) | Node::Not(_) => Suffix { eventual: false, universal: false },
                Node::Until(FormulaId::TRUE, inner) => Suffix { eventual: true, ..of(&[*inner]) },
                Node::Release(FormulaId::FALSE, inner) => {
                    Suffix { universal: true, ..of(&[*inner]) }
                }
                node => of(&node.parts()),
            };
            self.suffix[formula.index()] = Some(known);
        }
        self.suffix[root.index()].unwrap_or(Suffix { eventual: false, universal: false })
    }

    fn search(&mut self, formulas: &Formulas, f: FormulaId, g: FormulaId, depth: u8) -> bool {
        if f == g || f == FormulaId::FALSE || g == FormulaId::TRUE {
            return true;
        }
        if depth == 0 || f == FormulaId::TRUE && g == FormulaId::FALSE {
            return false;
        }
        if let Some(&known) = self.known.get(&(f, g)) {
            return known;
        }
        let found = self.look(formulas, f, g, depth - 1);
        // Near the end of the search a «no» may be owed to the depth alone.
        if found || depth > DEPTH / 2 {
            self.known.insert((f, g), found);
        }
        found
    }

    fn look(&mut self, formulas: &Formulas, f: FormulaId, g: FormulaId, depth: u8) -> bool {
        let mut implies = |left, right| self.search(formulas, left, right, depth);
        let right_alone = match formulas.node(g) {
            Node::And(parts) => return parts.iter().all(|&part| implies(f, part)),
            Node::Or(parts) => parts.iter().any(|&part| implies(f, part)),
            Node::Until(_, right) => implies(f, *right),
            Node::Release(left, right) => implies(f, *left) && implies(f, *right),
            _ => false,
        };
        if right_alone {
            return true;
        }
        let left_alone = match formulas.node(f) {
            Node::Or(parts) => return parts.iter().all(|&part| implies(part, g)),
            Node::And(parts) => parts.iter().any(|&part| implies(part, g)),
            Node::Until(left, right) => implies(*left, g) && implies(*right, g),
            Node::Release(_, right) => implies(*right, g),
            _ => false,
        };
        if left_alone {
            return true;
        }
        match (formulas.node(f), formulas.node(g)) {
            (Node::Next(left), Node::Next(right)) => implies(*left, *right),
            (Node::Until(c, d), Node::Until(a, _)) => implies(*c, *a) && implies(*d, g),
            (Node::Release(c, d), Node::Release(a, b)) => implies(*c, *a) && implies(*d, *b),
            (Node::Next(left), _) if self.is_eventual(formulas, g) => {
                self.search(formulas, *left, g, depth)
            }
            (_, Node::Next(right)) if self.is_universal(formulas, f) => {
                self.search(formulas, f, *right, depth)
            }
            _ => false,
        }
    }
}

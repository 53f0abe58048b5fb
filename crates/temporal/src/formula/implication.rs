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
    /// «Yes», or down to which depth it was looked in vain.
    known: AHashMap<(FormulaId, FormulaId), Result<(), u8>>,
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
        if self.suffix.len() <= root.index() {
            self.suffix.resize(root.index() + 1, None);
        }
        let mut work = vec![root];
        while let Some(&formula) = work.last() {
            let parts = formulas.node(formula).parts();
            let unknown = parts.iter().filter(|part| self.suffix[part.index()].is_none());
            let waiting = work.len();
            work.extend(unknown);
            if work.len() == waiting {
                self.suffix[formula.index()] = Some(self.suffix_of(formulas.node(formula), &parts));
                work.pop();
            }
        }
        self.suffix[root.index()].unwrap_or(Suffix { eventual: false, universal: false })
    }

    /// The same for an operator whose operands are known.
    fn suffix_of(&self, node: &Node, parts: &[FormulaId]) -> Suffix {
        let all = |want: fn(Suffix) -> bool| {
            parts.iter().all(|part| self.suffix[part.index()].is_some_and(want))
        };
        let (eventual, universal) = (all(|one| one.eventual), all(|one| one.universal));
        match node {
            Node::Atom(_) | Node::Not(_) => Suffix { eventual: false, universal: false },
            Node::Until(FormulaId::TRUE, _) => Suffix { eventual: true, universal },
            Node::Release(FormulaId::FALSE, _) => Suffix { eventual, universal: true },
            _ => Suffix { eventual, universal },
        }
    }

    /// The recursion is as deep as `depth` says, and what was looked at once is known.
    fn search(&mut self, formulas: &Formulas, f: FormulaId, g: FormulaId, depth: u8) -> bool {
        if f == g || f == FormulaId::FALSE || g == FormulaId::TRUE {
            return true;
        }
        if depth == 0 || f == FormulaId::TRUE && g == FormulaId::FALSE {
            return false;
        }
        match self.known.get(&(f, g)) {
            Some(Ok(())) => return true,
            Some(&Err(looked)) if looked >= depth => return false,
            _ => {}
        }
        let found = self.look(formulas, f, g, depth - 1);
        self.known.insert((f, g), if found { Ok(()) } else { Err(depth) });
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

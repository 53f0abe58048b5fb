//! Formulas made smaller for infinite runs, before any automaton is built.
//!
//! The rules are those that every translator has had since Somenzi & Bloem (2000) and Etessami &
//! Holzmann (2000): constants, what implies what, purely eventual and purely universal formulas;
//! and those that bring `GF` and `FG` to the surface, since they cost the tableau no node
//! (Couvreur 1999 §3; Babiak, Křetínský, Řehák & Strejček 2012 call them suspendable).

use super::implication::Implications;
use super::normal::{negated, negation_normal_form};
use super::{FormulaId, Formulas, Node};

/// A bound on repeating the rules; each round makes the formula smaller or leaves it alone.
const ROUNDS: usize = 8;

/// Larger formulas are left alone: the rules compare parts with each other.
const MOST_PARTS: usize = 4_000;
/// Longer conjunctions and disjunctions are not searched for what implies what.
const MOST_COMPARED: usize = 60;

/// An equivalent formula on infinite runs, in negation normal form, seldom larger.
pub fn simplify(
    formulas: &mut Formulas,
    implications: &mut Implications,
    formula: FormulaId,
) -> FormulaId {
    let mut simplified = negation_normal_form(formulas, formula);
    if formulas.subformulas(simplified).len() > MOST_PARTS {
        return simplified;
    }
    for _ in 0..ROUNDS {
        let before = simplified;
        simplified = round(&mut Rules { formulas, implications }, simplified);
        if simplified == before {
            break;
        }
    }
    simplified
}

/// The rules once, from the parts to the whole.
fn round(rules: &mut Rules<'_>, root: FormulaId) -> FormulaId {
    let mut done = vec![FormulaId::FALSE; root.index() + 1];
    for formula in rules.formulas.subformulas(root) {
        let node = rules.formulas.node(formula).clone();
        done[formula.index()] = match node {
            Node::False | Node::True | Node::Atom(_) | Node::Not(_) => formula,
            Node::And(parts) => {
                rules.connect(parts.iter().map(|part| done[part.index()]).collect(), true)
            }
            Node::Or(parts) => {
                rules.connect(parts.iter().map(|part| done[part.index()]).collect(), false)
            }
            Node::Next(inner) | Node::StrongNext(inner) => rules.next(done[inner.index()]),
            Node::Until(left, right) => rules.bind(done[left.index()], done[right.index()], true),
            Node::Release(left, right) => {
                rules.bind(done[left.index()], done[right.index()], false)
            }
        };
    }
    done[root.index()]
}

/// Every rule has a dual: `strong` is `U`, `∨` and `true` where its dual is `R`, `∧` and `false`.
struct Rules<'a> {
    formulas: &'a mut Formulas,
    implications: &'a mut Implications,
}

impl Rules<'_> {
    fn implies(&mut self, left: FormulaId, right: FormulaId) -> bool {
        self.implications.implies(self.formulas, left, right)
    }

    /// `left` implies `right`, or in the dual the other way round.
    fn below(&mut self, left: FormulaId, right: FormulaId, strong: bool) -> bool {
        if strong { self.implies(left, right) } else { self.implies(right, left) }
    }

    fn is_constant(&mut self, formula: FormulaId) -> bool {
        self.implications.is_constant(self.formulas, formula)
    }

    /// Purely eventual, or in the dual purely universal.
    fn lasts(&mut self, formula: FormulaId, strong: bool) -> bool {
        if strong {
            self.implications.is_eventual(self.formulas, formula)
        } else {
            self.implications.is_universal(self.formulas, formula)
        }
    }

    fn plain_connect(&mut self, parts: Vec<FormulaId>, conjunction: bool) -> FormulaId {
        if conjunction { self.formulas.and(parts) } else { self.formulas.or(parts) }
    }

    fn next(&mut self, inner: FormulaId) -> FormulaId {
        let same = inner == FormulaId::FALSE || self.is_constant(inner);
        if same { inner } else { self.formulas.next(inner) }
    }

    /// `left U right`, or `left R right`.
    fn bind(&mut self, left: FormulaId, right: FormulaId, strong: bool) -> FormulaId {
        let (top, bottom) = (self.formulas.constant(strong), self.formulas.constant(!strong));
        if left == bottom || left == right || self.lasts(right, strong) {
            return right;
        }
        if self.below(left, right, strong) {
            return right;
        }
        if left != top {
            let opposite = negated(self.formulas, left);
            if self.below(opposite, right, strong) {
                return self.bind(top, right, strong);
            }
        }
        let inner = match (self.formulas.node(right), strong) {
            (Node::Until(middle, last), true) | (Node::Release(middle, last), false) => {
                Some((*middle, *last))
            }
            _ => None,
        };
        if let Some((middle, last)) = inner {
            if self.below(left, middle, strong) {
                return right;
            }
            if self.below(middle, left, strong) {
                return self.bind(left, last, strong);
            }
        }
        if let Node::Next(later) = *self.formulas.node(right) {
            let earlier = match *self.formulas.node(left) {
                Node::Next(earlier) => Some(earlier),
                _ if left == top => Some(top),
                _ => None,
            };
            if let Some(earlier) = earlier {
                let bound = self.bind(earlier, later, strong);
                return self.next(bound);
            }
        }
        if let Some(better) = self.distribute(left, right, strong) {
            return better;
        }
        if let Some(split) = self.split(left, right, strong) {
            return split;
        }
        if strong { self.formulas.until(left, right) } else { self.formulas.release(left, right) }
    }

    /// What does not depend on the position leaves the operator: `f U (g ∧ GFh) = (f U g) ∧ GFh`,
    /// `f U (g ∨ Fh) = (f U g) ∨ Fh`, and the duals; and `G(g ∧ Fh) = Gg ∧ GFh`. Only `F` keeps what
    /// stands in a disjunction, since there one waiting node serves all of it.
    fn split(&mut self, left: FormulaId, right: FormulaId, strong: bool) -> Option<FormulaId> {
        let (parts, conjunction) = match self.formulas.node(right) {
            Node::And(parts) => (parts.to_vec(), true),
            Node::Or(parts) => (parts.to_vec(), false),
            _ => return None,
        };
        let matching = conjunction != strong;
        let top = left == self.formulas.constant(strong);
        if strong && top && matching {
            return self.strip(parts);
        }
        let (mut outside, mut inside) = (Vec::new(), Vec::new());
        for part in parts {
            if self.is_constant(part) || matching && self.lasts(part, strong) {
                outside.push(part);
            } else if matching && top && self.lasts(part, !strong) {
                let alone = self.bind(left, part, strong);
                outside.push(alone);
            } else {
                inside.push(part);
            }
        }
        if outside.is_empty() {
            return None;
        }
        let rest = self.plain_connect(inside, conjunction);
        // A constant in place of `rest` is folded by `bind`.
        let bound = self.bind(left, rest, strong);
        outside.push(bound);
        Some(self.connect(outside, conjunction))
    }

    /// `F(g ∨ Fh) = F(g ∨ h)`
    fn strip(&mut self, parts: Vec<FormulaId>) -> Option<FormulaId> {
        let mut stripped = false;
        let bodies = parts
            .into_iter()
            .map(|part| match self.formulas.node(part) {
                Node::Until(FormulaId::TRUE, inner) => {
                    stripped = true;
                    *inner
                }
                _ => part,
            })
            .collect();
        if !stripped {
            return None;
        }
        let body = self.connect(bodies, false);
        Some(self.bind(FormulaId::TRUE, body, true))
    }

    /// `GF(g ∧ Fh) = GFg ∧ GFh`, `FG(g ∨ Gh) = FGg ∨ FGh`: what is purely eventual holds for ever if
    /// it holds again and again.
    fn distribute(&mut self, left: FormulaId, right: FormulaId, strong: bool) -> Option<FormulaId> {
        let (top, bottom) = (self.formulas.constant(strong), self.formulas.constant(!strong));
        let body = match (self.formulas.node(right), strong) {
            (Node::Release(FormulaId::FALSE, body), true)
            | (Node::Until(FormulaId::TRUE, body), false) => *body,
            _ => return None,
        };
        let parts = match (self.formulas.node(body), strong) {
            (Node::Or(parts), true) | (Node::And(parts), false) if left == top => parts.to_vec(),
            _ => return None,
        };
        let (mut outside, mut inside) = (Vec::new(), Vec::new());
        for part in parts {
            if self.lasts(part, !strong) { outside.push(part) } else { inside.push(part) }
        }
        if outside.is_empty() {
            return None;
        }
        inside.sort_unstable();
        let rest = self.plain_connect(inside, !strong);
        outside.push(rest);
        let mut repeated = Vec::new();
        for part in outside {
            let inner = self.bind(bottom, part, !strong);
            repeated.push(self.bind(top, inner, strong));
        }
        Some(self.connect(repeated, !strong))
    }

    /// A conjunction or disjunction without what the others make superfluous.
    fn connect(&mut self, parts: Vec<FormulaId>, conjunction: bool) -> FormulaId {
        let joined = self.plain_connect(parts, conjunction);
        let mut parts = match (self.formulas.node(joined), conjunction) {
            (Node::And(parts), true) | (Node::Or(parts), false) => parts.to_vec(),
            _ => return joined,
        };
        self.join_equal_operators(&mut parts, conjunction);
        if parts.len() > MOST_COMPARED {
            return self.plain_connect(parts, conjunction);
        }
        let mut kept: Vec<FormulaId> = Vec::new();
        for at in 0..parts.len() {
            let part = parts[at];
            let mut superfluous = false;
            for (other_at, &other) in parts.iter().enumerate() {
                // Of two equivalent parts the first stays.
                let stays = other_at < at || !self.below(part, other, conjunction);
                if other_at != at && self.below(other, part, conjunction) && stays {
                    superfluous = true;
                    break;
                }
            }
            if !superfluous {
                kept.push(part);
            }
        }
        for at in 1..kept.len() {
            let opposite = negated(self.formulas, kept[at]);
            for &before in &kept[..at] {
                if self.below(before, opposite, conjunction) {
                    return self.formulas.constant(!conjunction);
                }
            }
        }
        self.plain_connect(kept, conjunction)
    }

    /// `Xf ∧ Xg = X(f ∧ g)` and its dual; the rest are [`Self::join_conjuncts`] and
    /// [`Self::join_disjuncts`].
    fn join_equal_operators(&mut self, parts: &mut Vec<FormulaId>, conjunction: bool) {
        let is_next = |formulas: &Formulas, part| match formulas.node(part) {
            Node::Next(inner) => Some(*inner),
            _ => None,
        };
        let bodies: Vec<_> =
            parts.iter().filter_map(|&part| is_next(self.formulas, part)).collect();
        if bodies.len() > 1 {
            parts.retain(|&part| is_next(self.formulas, part).is_none());
            let body = self.connect(bodies, conjunction);
            let next = self.next(body);
            parts.push(next);
        }
        if conjunction {
            self.join_conjuncts(parts);
        } else {
            self.join_disjuncts(parts);
        }
        let joined = self.plain_connect(std::mem::take(parts), conjunction);
        *parts = match (self.formulas.node(joined), conjunction) {
            (Node::And(parts), true) | (Node::Or(parts), false) => parts.to_vec(),
            _ => vec![joined],
        };
    }

    /// `Gf ∧ Gg = G(f ∧ g)`, and `Ff ∧ Fg = F(f ∧ g)` where both are purely universal. `GF`s stay
    /// apart: in a conjunction they cost no node.
    fn join_conjuncts(&mut self, parts: &mut Vec<FormulaId>) {
        let (mut always, mut eventually, mut rest) = (Vec::new(), Vec::new(), Vec::new());
        for &part in parts.iter() {
            match self.formulas.node(part).clone() {
                Node::Release(FormulaId::FALSE, inner) if !self.is_constant(part) => {
                    always.push(inner);
                }
                Node::Until(FormulaId::TRUE, inner) if self.lasts(inner, false) => {
                    eventually.push(inner);
                }
                _ => rest.push(part),
            }
        }
        if always.len() < 2 && eventually.len() < 2 {
            return;
        }
        for (bodies, strong) in [(always, false), (eventually, true)] {
            if !bodies.is_empty() {
                let body = self.connect(bodies, true);
                let top = self.formulas.constant(strong);
                rest.push(self.bind(top, body, strong));
            }
        }
        *parts = rest;
    }

    /// `Ff ∨ Fg ∨ GFh = F(f ∨ g ∨ GFh)`, and `Gf ∨ Gg = G(f ∨ g)` where both are purely eventual.
    fn join_disjuncts(&mut self, parts: &mut Vec<FormulaId>) {
        let (mut always, mut rest) = (Vec::new(), Vec::new());
        for &part in parts.iter() {
            match self.formulas.node(part).clone() {
                Node::Release(FormulaId::FALSE, inner) if self.lasts(inner, true) => {
                    always.push(inner);
                }
                _ => rest.push(part),
            }
        }
        if !always.is_empty() {
            let body = self.connect(always, false);
            rest.push(self.bind(FormulaId::FALSE, body, false));
        }
        let (mut eventually, mut others, mut waits) = (Vec::new(), Vec::new(), 0);
        for part in rest {
            match self.formulas.node(part).clone() {
                Node::Until(FormulaId::TRUE, inner) => {
                    waits += 1;
                    eventually.push(inner);
                }
                _ if self.is_constant(part) => eventually.push(part),
                _ => others.push(part),
            }
        }
        if waits > 0 && eventually.len() > 1 {
            let body = self.connect(eventually, false);
            others.push(self.bind(FormulaId::TRUE, body, true));
            *parts = others;
        } else if waits > 0 {
            others.extend(eventually.into_iter().map(|inner| self.formulas.eventually(inner)));
            *parts = others;
        } else {
            others.extend(eventually);
            *parts = others;
        }
    }
}

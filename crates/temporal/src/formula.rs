//! Formulas of linear temporal logic, each stored once and known by its number.
//!
//! A formula is built from its parts, so a part has always a smaller number than the whole, and
//! every pass over a formula is a loop over numbers: nothing here recurses, however deep a formula.
//!
//! The constructors keep only what holds both for infinite runs and for finite computations, the
//! empty one included: there `X f` (weak) is true and every `U` is false, so `f U true` is *not*
//! `true`. What holds for infinite runs alone is the business of [`simplify`](mod@simplify).
//!
//! Only the operators of [`Node`] exist. The others are written with them, and printed back:
//! `F f = true U f`, `G f = false R f`, `f W g = g R (f | g)`, `f M g = g U (f & g)`.

pub mod implication;
pub mod lower;
pub mod normal;
pub mod parse;
pub mod print;
pub mod simplify;

use ahash::AHashMap;

/// A proposition or an action, by its number in a [`Vocabulary`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Atom(pub u32);

impl Atom {
    /// Its number.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The names of atoms.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Vocabulary {
    names: Vec<String>,
}

impl Vocabulary {
    /// A vocabulary of these names, in this order.
    pub fn new<'a>(names: impl IntoIterator<Item = &'a str>) -> Self {
        let mut vocabulary = Self::default();
        for name in names {
            vocabulary.atom(name);
        }
        vocabulary
    }

    /// The atom of a name, new if nobody has named it before.
    pub fn atom(&mut self, name: &str) -> Atom {
        self.find(name).unwrap_or_else(|| {
            self.names.push(name.to_owned());
            Atom(self.names.len() as u32 - 1)
        })
    }

    /// The atom of a name.
    pub fn find(&self, name: &str) -> Option<Atom> {
        self.names.iter().position(|known| known == name).map(|at| Atom(at as u32))
    }

    /// The name of an atom; empty for one that is not of this vocabulary.
    pub fn name(&self, atom: Atom) -> &str {
        self.names.get(atom.index()).map_or("", String::as_str)
    }

    /// All names, in order.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// How many atoms there are.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }
}

/// A formula of a [`Formulas`], by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FormulaId(u32);

impl FormulaId {
    /// `false`, in every store.
    pub const FALSE: Self = Self(0);
    /// `true`, in every store.
    pub const TRUE: Self = Self(1);

    /// Its number.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// One operator and its operands.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "each variant is its name")]
pub enum Node {
    False,
    True,
    Atom(Atom),
    Not(FormulaId),
    /// At least two, ascending, none of them an `And`.
    And(Box<[FormulaId]>),
    /// At least two, ascending, none of them an `Or`.
    Or(Box<[FormulaId]>),
    /// Weak: true at the last position of a finite computation.
    Next(FormulaId),
    /// False at the last position; the same as `Next` on infinite runs.
    StrongNext(FormulaId),
    Until(FormulaId, FormulaId),
    Release(FormulaId, FormulaId),
}

impl Node {
    /// The operands.
    pub fn parts(&self) -> Vec<FormulaId> {
        match self {
            Self::False | Self::True | Self::Atom(_) => Vec::new(),
            Self::Not(one) | Self::Next(one) | Self::StrongNext(one) => vec![*one],
            Self::And(parts) | Self::Or(parts) => parts.to_vec(),
            Self::Until(left, right) | Self::Release(left, right) => vec![*left, *right],
        }
    }
}

/// A store of formulas.
#[derive(Clone, Debug)]
pub struct Formulas {
    nodes: Vec<Node>,
    numbers: AHashMap<Node, FormulaId>,
}

impl Default for Formulas {
    fn default() -> Self {
        let mut formulas = Self { nodes: Vec::new(), numbers: AHashMap::default() };
        formulas.intern(Node::False);
        formulas.intern(Node::True);
        formulas
    }
}

impl Formulas {
    /// The operator and operands of a formula; `false` for a number of another store.
    pub fn node(&self, formula: FormulaId) -> &Node {
        self.nodes.get(formula.index()).unwrap_or(&Node::False)
    }

    /// How many different formulas are stored.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Never: `true` and `false` are always there.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    fn intern(&mut self, node: Node) -> FormulaId {
        if let Some(&known) = self.numbers.get(&node) {
            return known;
        }
        let number = FormulaId(self.nodes.len() as u32);
        self.nodes.push(node.clone());
        self.numbers.insert(node, number);
        number
    }

    /// `true` or `false`.
    pub fn constant(&self, value: bool) -> FormulaId {
        if value { FormulaId::TRUE } else { FormulaId::FALSE }
    }

    /// An atom.
    pub fn atom(&mut self, atom: Atom) -> FormulaId {
        self.intern(Node::Atom(atom))
    }

    /// `!f`
    pub fn not(&mut self, formula: FormulaId) -> FormulaId {
        match *self.node(formula) {
            Node::False => FormulaId::TRUE,
            Node::True => FormulaId::FALSE,
            Node::Not(inner) => inner,
            _ => self.intern(Node::Not(formula)),
        }
    }

    /// The formulas all hold.
    pub fn and(&mut self, parts: impl IntoIterator<Item = FormulaId>) -> FormulaId {
        self.connect(parts, true)
    }

    /// At least one of the formulas holds.
    pub fn or(&mut self, parts: impl IntoIterator<Item = FormulaId>) -> FormulaId {
        self.connect(parts, false)
    }

    fn connect(
        &mut self,
        parts: impl IntoIterator<Item = FormulaId>,
        conjunction: bool,
    ) -> FormulaId {
        let neutral = self.constant(conjunction);
        let absorbing = self.constant(!conjunction);
        let mut flat = Vec::new();
        for part in parts {
            match self.node(part) {
                Node::And(inner) if conjunction => flat.extend_from_slice(inner),
                Node::Or(inner) if !conjunction => flat.extend_from_slice(inner),
                _ => flat.push(part),
            }
        }
        flat.retain(|&part| part != neutral);
        flat.sort_unstable();
        flat.dedup();
        let contradicts = |part: &FormulaId| match self.node(*part) {
            Node::Not(inner) => flat.binary_search(inner).is_ok(),
            _ => *part == absorbing,
        };
        if flat.iter().any(contradicts) {
            return absorbing;
        }
        match flat.as_slice() {
            [] => neutral,
            [single] => *single,
            _ if conjunction => self.intern(Node::And(flat.into())),
            _ => self.intern(Node::Or(flat.into())),
        }
    }

    /// `f -> g`
    pub fn implies(&mut self, left: FormulaId, right: FormulaId) -> FormulaId {
        let not_left = self.not(left);
        self.or([not_left, right])
    }

    /// `f <-> g`
    pub fn equivalent(&mut self, left: FormulaId, right: FormulaId) -> FormulaId {
        let (not_left, not_right) = (self.not(left), self.not(right));
        let both = self.and([left, right]);
        let none = self.and([not_left, not_right]);
        self.or([both, none])
    }

    /// `X f`, weak.
    pub fn next(&mut self, formula: FormulaId) -> FormulaId {
        if formula == FormulaId::TRUE { formula } else { self.intern(Node::Next(formula)) }
    }

    /// `X[!] f`, strong.
    pub fn strong_next(&mut self, formula: FormulaId) -> FormulaId {
        if formula == FormulaId::FALSE { formula } else { self.intern(Node::StrongNext(formula)) }
    }

    /// `f U g`
    pub fn until(&mut self, left: FormulaId, right: FormulaId) -> FormulaId {
        if right == FormulaId::FALSE { right } else { self.intern(Node::Until(left, right)) }
    }

    /// `f R g`
    pub fn release(&mut self, left: FormulaId, right: FormulaId) -> FormulaId {
        if right == FormulaId::TRUE { right } else { self.intern(Node::Release(left, right)) }
    }

    /// `F f`
    pub fn eventually(&mut self, formula: FormulaId) -> FormulaId {
        self.until(FormulaId::TRUE, formula)
    }

    /// `G f`
    pub fn always(&mut self, formula: FormulaId) -> FormulaId {
        self.release(FormulaId::FALSE, formula)
    }

    /// `f W g`
    pub fn weak_until(&mut self, left: FormulaId, right: FormulaId) -> FormulaId {
        let either = self.or([left, right]);
        self.release(right, either)
    }

    /// `f M g`
    pub fn strong_release(&mut self, left: FormulaId, right: FormulaId) -> FormulaId {
        let both = self.and([left, right]);
        self.until(right, both)
    }

    /// All parts of a formula and itself, each before what it is a part of.
    pub fn subformulas(&self, root: FormulaId) -> Vec<FormulaId> {
        let mut seen = vec![false; root.index() + 1];
        let mut work = vec![root];
        while let Some(formula) = work.pop() {
            if !std::mem::replace(&mut seen[formula.index()], true) {
                work.extend(self.node(formula).parts());
            }
        }
        (0..=root.0).map(FormulaId).filter(|formula| seen[formula.index()]).collect()
    }

    /// The atoms of a formula, ascending.
    pub fn atoms(&self, root: FormulaId) -> Vec<Atom> {
        let mut atoms: Vec<_> = self
            .subformulas(root)
            .into_iter()
            .filter_map(|formula| match self.node(formula) {
                Node::Atom(atom) => Some(*atom),
                _ => None,
            })
            .collect();
        atoms.sort_unstable();
        atoms
    }

    /// Whether `X` or `X[!]` stands in a formula; without them it cannot tell stuttering.
    pub fn has_next(&self, root: FormulaId) -> bool {
        let next = |one: &FormulaId| matches!(self.node(*one), Node::Next(_) | Node::StrongNext(_));
        self.subformulas(root).iter().any(next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_formula_is_stored_once() {
        let mut formulas = Formulas::default();
        let (a, b) = (formulas.atom(Atom(0)), formulas.atom(Atom(1)));
        let one = formulas.and([a, b, a]);
        let two = formulas.and([b, a]);
        assert_eq!(one, two);
        let not_a = formulas.not(a);
        assert_eq!(formulas.and([one, not_a]), FormulaId::FALSE);
        assert_eq!(formulas.or([not_a, b, a]), FormulaId::TRUE);
        assert_eq!(formulas.not(not_a), a);
        assert_eq!(formulas.atoms(one), [Atom(0), Atom(1)]);
    }

    #[test]
    fn constants_of_finite_computations_are_not_folded() {
        let mut formulas = Formulas::default();
        let not_empty = formulas.eventually(FormulaId::TRUE);
        assert_ne!(not_empty, FormulaId::TRUE);
        let last = formulas.next(FormulaId::FALSE);
        assert_ne!(last, FormulaId::FALSE);
        assert_eq!(formulas.next(FormulaId::TRUE), FormulaId::TRUE);
    }
}

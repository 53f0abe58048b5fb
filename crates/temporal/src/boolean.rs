//! Boolean functions over numbered variables: labels of edges, and what a tableau node demands.
//!
//! The decision diagrams are those of `biodivine-lib-bdd`: a function is a value that owns its few
//! nodes, equal functions are equal values, and threads may share them. A manager with a common
//! node table (`oxidd`) makes one operation three times faster (0.12 µs against 0.35 µs for the
//! small functions met here) but costs 0.16 ms and a thread per formula and a lock per operation;
//! what is asked often, a class of letters in a label, does not go through diagrams at all
//! ([`letters`](crate::automaton::letters)).

use crate::formula::Atom;
use crate::lasso::Valuation;
use biodivine_lib_bdd::{Bdd, BddPointer, BddVariable, BddVariableSet};

/// The most variables a function may have.
pub const MOST_VARIABLES: usize = 4_096;
/// The most nodes a function may have where a text decides about them.
pub const MOST_NODES: usize = 1 << 14;

/// How many variables the functions of one family have.
#[derive(Clone, Debug)]
pub struct Space {
    variables: BddVariableSet,
}

impl PartialEq for Space {
    fn eq(&self, other: &Self) -> bool {
        self.variables.num_vars() == other.variables.num_vars()
    }
}

impl Eq for Space {}

/// A boolean function; equal functions are equal values.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Function(Bdd);

impl Space {
    /// The functions of so many variables; none if that is too many.
    pub fn new(count: usize) -> Option<Self> {
        let count = u16::try_from(count).ok().filter(|&one| usize::from(one) <= MOST_VARIABLES)?;
        Some(Self { variables: BddVariableSet::new_anonymous(count) })
    }

    /// How many variables there are.
    pub fn len(&self) -> usize {
        usize::from(self.variables.num_vars())
    }

    /// Whether there is no variable.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// `true` or `false`.
    pub fn constant(&self, value: bool) -> Function {
        Function(if value { self.variables.mk_true() } else { self.variables.mk_false() })
    }

    /// A variable or its negation; `false` for a variable that is not there.
    pub fn literal(&self, variable: usize, value: bool) -> Function {
        if variable >= self.len() {
            return self.constant(false);
        }
        Function(self.variables.mk_literal(BddVariable::from_index(variable), value))
    }

    /// The conjunction of literals.
    pub fn cube(&self, literals: impl IntoIterator<Item = (usize, bool)>) -> Function {
        let mut function = self.constant(true);
        for (variable, value) in literals {
            function = function.and(&self.literal(variable, value));
        }
        function
    }
}

impl Function {
    /// Whether it is always true.
    pub fn is_true(&self) -> bool {
        self.0.is_true()
    }

    /// Whether it is never true.
    pub fn is_false(&self) -> bool {
        self.0.is_false()
    }

    /// How many nodes its diagram has.
    pub fn size(&self) -> usize {
        self.0.size()
    }

    /// Both hold.
    #[must_use]
    pub fn and(&self, other: &Self) -> Self {
        debug_assert_eq!(self.0.num_vars(), other.0.num_vars());
        Self(self.0.and(&other.0))
    }

    /// One holds.
    #[must_use]
    pub fn or(&self, other: &Self) -> Self {
        Self(self.0.or(&other.0))
    }

    /// The first holds and the second does not.
    #[must_use]
    pub fn and_not(&self, other: &Self) -> Self {
        Self(self.0.and_not(&other.0))
    }

    /// It does not hold.
    #[must_use]
    pub fn not(&self) -> Self {
        Self(self.0.not())
    }

    /// Both hold; none if the diagram would have too many nodes.
    pub fn and_within(&self, other: &Self) -> Option<Self> {
        let operation = biodivine_lib_bdd::op_function::and;
        Bdd::binary_op_with_limit(MOST_NODES, &self.0, &other.0, operation).map(Self)
    }

    /// One holds; none if the diagram would have too many nodes.
    pub fn or_within(&self, other: &Self) -> Option<Self> {
        let operation = biodivine_lib_bdd::op_function::or;
        Bdd::binary_op_with_limit(MOST_NODES, &self.0, &other.0, operation).map(Self)
    }

    /// Whether both can hold at once.
    pub fn intersects(&self, other: &Self) -> bool {
        let operation = biodivine_lib_bdd::op_function::and;
        Bdd::check_binary_op(usize::MAX, &self.0, &other.0, operation)
            .is_none_or(|(nonempty, _)| nonempty)
    }

    /// Whether it holds where the atoms of a valuation are true and all others false.
    pub fn holds(&self, valuation: &Valuation) -> bool {
        self.walk(|variable| valuation.contains(Atom(variable as u32)))
    }

    /// The value under an assignment of its variables.
    pub fn walk(&self, assignment: impl Fn(usize) -> bool) -> bool {
        let mut at = self.0.root_pointer();
        while !at.is_terminal() {
            let variable = self.0.var_of(at).to_index();
            at =
                if assignment(variable) { self.0.high_link_of(at) } else { self.0.low_link_of(at) };
        }
        at.is_one()
    }

    /// A valuation where it holds, if there is any.
    pub fn example(&self) -> Option<Valuation> {
        let witness = self.0.sat_witness()?;
        let is_true = |variable: &usize| witness.value(BddVariable::from_index(*variable));
        let atoms = self.support().into_iter().filter(is_true);
        Some(Valuation::new(atoms.map(|variable| Atom(variable as u32))))
    }

    /// The variables it depends on, ascending.
    pub fn support(&self) -> Vec<usize> {
        let mut support: Vec<_> =
            self.0.support_set().into_iter().map(BddVariable::to_index).collect();
        support.sort_unstable();
        support
    }

    /// The function of the other variables that is left when the first `count` have the values of
    /// atoms.
    #[must_use]
    pub(crate) fn restricted(&self, count: usize, letter: &Valuation) -> Self {
        let values: Vec<_> = self
            .support()
            .into_iter()
            .take_while(|&variable| variable < count)
            .map(|variable| {
                (BddVariable::from_index(variable), letter.contains(Atom(variable as u32)))
            })
            .collect();
        Self(self.0.restrict(&values))
    }

    /// Its decisions: each node's variable, low and high branch, branches before what uses them.
    /// The last one is the root; there is none for a constant.
    pub(crate) fn decisions(&self) -> Decisions<'_> {
        Decisions { bdd: &self.0 }
    }

    /// The function with each variable replaced by a function.
    #[must_use]
    pub(crate) fn compose(&self, space: &Space, replacement: impl Fn(usize) -> Self) -> Self {
        let decisions = self.decisions();
        let mut done: Vec<Self> = vec![space.constant(false), space.constant(true)];
        for (_, variable, low, high) in decisions.iter() {
            let condition = replacement(variable);
            let (low, high) = (&done[low], &done[high]);
            done.push(Self(Bdd::if_then_else(&condition.0, &high.0, &low.0)));
        }
        done.swap_remove(decisions.root())
    }
}

/// The nodes of a diagram; 0 is `false`, 1 is `true`, and a branch has a smaller number.
pub(crate) struct Decisions<'a> {
    bdd: &'a Bdd,
}

impl Decisions<'_> {
    /// The number of the root.
    pub(crate) fn root(&self) -> usize {
        self.bdd.root_pointer().to_index()
    }

    /// Number, variable, low and high branch of every decision.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (usize, usize, usize, usize)> {
        (2..=self.root()).map(|at| {
            let pointer = BddPointer::from_index(at);
            let variable = self.bdd.var_of(pointer).to_index();
            let (low, high) = (self.bdd.low_link_of(pointer), self.bdd.high_link_of(pointer));
            (at, variable, low.to_index(), high.to_index())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn branches_come_before_what_uses_them() {
        let space = Space::new(6).expect("six variables");
        let mut function = space.constant(false);
        for at in 0..5 {
            let cube = space.cube([(at, true), (at + 1, false)]);
            function = function.or(&cube).and(&space.literal(5 - at, at % 2 == 0).or(&cube));
        }
        let decisions = function.decisions();
        assert!(decisions.iter().all(|(at, _, low, high)| low < at && high < at));
        assert_eq!(decisions.root() + 1, function.size());
        let swapped = function.compose(&space, |variable| space.literal(5 - variable, true));
        for bits in 0..64_u32 {
            let value = function.walk(|variable| bits >> variable & 1 == 1);
            assert_eq!(swapped.walk(|variable| bits >> (5 - variable) & 1 == 1), value);
        }
        assert!(function.intersects(&function) && !function.intersects(&function.not()));
    }
}

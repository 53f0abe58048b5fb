//! The symbolic tableau: from a formula to an automaton whose nodes are expanded when asked for.
//!
//! Couvreur's construction (1999, §3). A node is a set of formulas that must hold from here on. What
//! it demands is one boolean function over the atoms, over variables `X f` («f must hold next») and
//! over *promises* `a_g` («g must hold some day»):
//!
//! ```text
//! f U g   =   g  ∨  (a_g ∧ f ∧ X(f U g))
//! f R g   =   g  ∧  (f ∨ X(f R g))
//! GF f    =   X(GF f)  ∧  (f ∨ a_f)           so that a conjunction of GFs is one node
//! ```
//!
//! For given truth values of the atoms the rest is monotone, and each of its prime implicants is an
//! edge: the variables `X f` in it are the next node, and the promises it does *not* make are its
//! marks. The atoms stand first in the order of the variables, so that the sub-diagrams below them
//! are these functions, and the paths to each are its label.
//!
//! Two things differ from the paper's wording. Prime implicants are taken below the atoms and not of
//! the whole function: the consensus of `p ∧ X f` and `¬p ∧ X g` would be an edge to `{f, g}` that
//! no run needs. And the promise of `f U g` is that of `g` (as in Spot), so that `F g` and `f U g`
//! share a set; [`Options::promises_by_until`] gives the paper's count.

use crate::automaton::{Automaton, Marks, StateId};
use crate::boolean::{Function, MOST_VARIABLES, Space};
use crate::formula::normal::negation_normal_form;
use crate::formula::{Atom, FormulaId, Formulas, Node, Vocabulary};
use crate::lasso::Valuation;
use ahash::AHashMap;
use std::fmt;

/// More edges than this may not leave a node.
const MOST_IMPLICANTS: usize = 1 << 14;

/// How the construction is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Nodes that demand the same are one node.
    pub merge_nodes: bool,
    /// `GF f` has an identity of its own.
    pub repeated_identity: bool,
    /// One promise per `U`, not per right-hand side.
    pub promises_by_until: bool,
    /// How many nodes there may be.
    pub most_nodes: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            merge_nodes: true,
            repeated_identity: true,
            promises_by_until: false,
            most_nodes: 20_000,
        }
    }
}

/// Why a formula has no automaton here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TooLarge {
    /// Too many atoms and temporal operators.
    Variables,
    /// Too many different eventualities.
    Sets,
    /// Too many nodes.
    Nodes,
    /// A node demands something too complicated.
    Demand,
    /// A label has no short text.
    Label,
}

impl fmt::Display for TooLarge {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Variables => "the formula has too many atoms and temporal operators",
            Self::Sets => "the formula has more than 64 different eventualities",
            Self::Nodes => "the automaton of the formula has too many states",
            Self::Label => "a label of the automaton is too long to be written",
            Self::Demand => "the formula is too complicated for one state of its automaton",
        })
    }
}

impl std::error::Error for TooLarge {}

/// An edge of a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableauEdge {
    /// The letters: a function of the atoms.
    pub label: Function,
    /// The acceptance sets that mark it.
    pub marks: Marks,
    /// The next node.
    pub target: StateId,
}

/// The tableau of one formula.
#[derive(Clone, Debug)]
pub struct Tableau {
    options: Options,
    vocabulary: Vocabulary,
    /// The family of the labels.
    labels: Space,
    space: Space,
    /// What each variable behind the atoms stands for.
    meaning: Vec<Variable>,
    /// What each formula that a node may hold demands.
    demand: AHashMap<FormulaId, Function>,
    sets: u32,
    nodes: Vec<TableauNode>,
    by_formulas: AHashMap<Box<[FormulaId]>, StateId>,
    by_demand: AHashMap<Function, StateId>,
    initial: StateId,
}

#[derive(Clone, Copy, Debug)]
enum Variable {
    Next(FormulaId),
    Promise(u32),
}

#[derive(Clone, Debug)]
struct TableauNode {
    demand: Function,
}

impl Tableau {
    /// The tableau of a formula over the atoms of a vocabulary.
    pub fn new(
        formulas: &mut Formulas,
        formula: FormulaId,
        vocabulary: &Vocabulary,
        options: Options,
    ) -> Result<Self, TooLarge> {
        let formula = negation_normal_form(formulas, formula);
        let plan = Plan::new(formulas, formula, options);
        let atoms = vocabulary.len();
        let count = atoms + plan.variables.len();
        if count > MOST_VARIABLES {
            return Err(TooLarge::Variables);
        }
        if plan.promises > Marks::MOST as usize {
            return Err(TooLarge::Sets);
        }
        let space = Space::new(count).ok_or(TooLarge::Variables)?;
        let labels = Space::new(atoms).ok_or(TooLarge::Variables)?;
        let demand = plan.demands(formulas, formula, &space, atoms)?;
        let mut tableau = Self {
            options,
            vocabulary: vocabulary.clone(),
            labels,
            space,
            meaning: plan.variables,
            demand,
            sets: plan.promises as u32,
            nodes: Vec::new(),
            by_formulas: AHashMap::default(),
            by_demand: AHashMap::default(),
            initial: StateId(0),
        };
        tableau.initial = tableau.node(&[formula])?;
        Ok(tableau)
    }

    /// The first node.
    pub fn initial(&self) -> StateId {
        self.initial
    }

    /// How many acceptance sets there are.
    pub fn sets(&self) -> u32 {
        self.sets
    }

    /// How many nodes have been met so far.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Never: there is always the first node.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The node that holds some formulas, new or known.
    fn node(&mut self, formulas: &[FormulaId]) -> Result<StateId, TooLarge> {
        if let Some(&known) = self.by_formulas.get(formulas) {
            return Ok(known);
        }
        let mut demand = self.space.constant(true);
        for formula in formulas {
            if let Some(one) = self.demand.get(formula) {
                demand = demand.and_within(one).ok_or(TooLarge::Demand)?;
            }
        }
        let same = self.by_demand.get(&demand).copied().filter(|_| self.options.merge_nodes);
        let node = match same {
            Some(node) => node,
            None if self.nodes.len() >= self.options.most_nodes => return Err(TooLarge::Nodes),
            None => {
                let node = StateId(self.nodes.len() as u32);
                self.by_demand.insert(demand.clone(), node);
                self.nodes.push(TableauNode { demand });
                node
            }
        };
        self.by_formulas.insert(formulas.into(), node);
        Ok(node)
    }

    /// The edges of a node that a letter may take: only what the letter leaves is expanded.
    pub fn successors(
        &mut self,
        node: StateId,
        letter: &Valuation,
    ) -> Result<Vec<(Marks, StateId)>, TooLarge> {
        let Some(TableauNode { demand }) = self.nodes.get(node.index()) else {
            return Ok(Vec::new());
        };
        let atoms = self.vocabulary.len();
        let decisions = demand.decisions();
        let below: Vec<_> = decisions.iter().collect();
        let mut at = decisions.root();
        while at > 1 && below[at - 2].1 < atoms {
            let (_, variable, low, high) = below[at - 2];
            at = if letter.contains(Atom(variable as u32)) { high } else { low };
        }
        let implicants = implicants(&below, atoms)?;
        let mut edges: Vec<(Marks, StateId)> = Vec::new();
        for implicant in implicants.get(at).cloned().unwrap_or_default() {
            let edge = self.edge(&implicant)?;
            if !edges.contains(&edge) {
                edges.push(edge);
            }
        }
        Ok(edges)
    }

    /// All edges of a node.
    pub fn edges(&mut self, node: StateId) -> Result<Vec<TableauEdge>, TooLarge> {
        let Some(TableauNode { demand }) = self.nodes.get(node.index()) else {
            return Ok(Vec::new());
        };
        let atoms = self.vocabulary.len();
        let decisions = demand.decisions();
        let below: Vec<_> = decisions.iter().collect();
        let paths = paths(&self.labels, &below, decisions.root(), atoms);
        let implicants = implicants(&below, atoms)?;
        let mut edges: Vec<TableauEdge> = Vec::new();
        for (at, label) in paths {
            for implicant in &implicants[at] {
                let (marks, target) = self.edge(implicant)?;
                match edges.iter_mut().find(|one| one.marks == marks && one.target == target) {
                    Some(edge) => edge.label = edge.label.or(&label),
                    None => edges.push(TableauEdge { label: label.clone(), marks, target }),
                }
            }
        }
        Ok(edges)
    }

    /// The marks and the target of a prime implicant.
    fn edge(&mut self, implicant: &[usize]) -> Result<(Marks, StateId), TooLarge> {
        let atoms = self.vocabulary.len();
        let mut promised = Marks::NONE;
        let mut next = Vec::new();
        for &variable in implicant {
            match self.meaning[variable - atoms] {
                Variable::Next(formula) => next.push(formula),
                Variable::Promise(set) => promised = promised.union(Marks::one(set)),
            }
        }
        next.sort_unstable();
        let marks = Marks(Marks::all(self.sets).0 & !promised.0);
        Ok((marks, self.node(&next)?))
    }

    /// All nodes, as an automaton.
    pub fn automaton(mut self) -> Result<Automaton, TooLarge> {
        let mut automaton =
            Automaton::new(self.vocabulary.clone(), self.sets).ok_or(TooLarge::Variables)?;
        let mut at = 0;
        while at < self.nodes.len() {
            let state = automaton.add_state();
            for edge in self.edges(state)? {
                automaton.edges[at].push(crate::automaton::Edge {
                    label: edge.label,
                    marks: edge.marks,
                    target: edge.target,
                });
            }
            at += 1;
        }
        automaton.initial.push(self.initial);
        Ok(automaton)
    }
}

/// Which variables a formula needs.
struct Plan {
    options: Options,
    variables: Vec<Variable>,
    next: AHashMap<FormulaId, usize>,
    promise: AHashMap<FormulaId, usize>,
    promises: usize,
}

impl Plan {
    fn new(formulas: &Formulas, root: FormulaId, options: Options) -> Self {
        let mut plan = Self {
            options,
            variables: Vec::new(),
            next: AHashMap::default(),
            promise: AHashMap::default(),
            promises: 0,
        };
        // From the whole to its parts, so that `F f` under `GF f` alone asks for nothing.
        let order = formulas.subformulas(root);
        let mut wanted = vec![false; root.index() + 1];
        wanted[root.index()] = true;
        for &formula in order.iter().rev() {
            if !wanted[formula.index()] {
                continue;
            }
            if let Some(inner) = plan.repeated(formulas, formula) {
                plan.add_next(formula);
                plan.add_promise(if options.promises_by_until { formula } else { inner });
                wanted[inner.index()] = true;
                continue;
            }
            match *formulas.node(formula) {
                Node::Next(inner) | Node::StrongNext(inner) => plan.add_next(inner),
                Node::Until(_, right) => {
                    plan.add_next(formula);
                    plan.add_promise(if options.promises_by_until { formula } else { right });
                }
                Node::Release(..) => plan.add_next(formula),
                _ => {}
            }
            for part in formulas.node(formula).parts() {
                wanted[part.index()] = true;
            }
        }
        plan
    }

    /// The `f` of `GF f`, where that has an identity of its own.
    fn repeated(&self, formulas: &Formulas, formula: FormulaId) -> Option<FormulaId> {
        let Node::Release(FormulaId::FALSE, body) = formulas.node(formula) else { return None };
        match formulas.node(*body) {
            Node::Until(FormulaId::TRUE, inner) if self.options.repeated_identity => Some(*inner),
            _ => None,
        }
    }

    fn add_next(&mut self, formula: FormulaId) {
        if formula == FormulaId::TRUE || self.next.contains_key(&formula) {
            return;
        }
        self.next.insert(formula, self.variables.len());
        self.variables.push(Variable::Next(formula));
    }

    fn add_promise(&mut self, formula: FormulaId) {
        if self.promise.contains_key(&formula) {
            return;
        }
        self.promise.insert(formula, self.variables.len());
        self.variables.push(Variable::Promise(self.promises.min(u32::MAX as usize) as u32));
        self.promises += 1;
    }

    /// What every formula that a node may hold demands.
    fn demands(
        &self,
        formulas: &Formulas,
        root: FormulaId,
        space: &Space,
        atoms: usize,
    ) -> Result<AHashMap<FormulaId, Function>, TooLarge> {
        let mut done: Vec<Function> = vec![space.constant(false); root.index() + 1];
        let variable =
            |map: &AHashMap<FormulaId, usize>, formula: FormulaId| match map.get(&formula) {
                Some(&at) => space.literal(atoms + at, true),
                None => space.constant(formula == FormulaId::TRUE),
            };
        for formula in formulas.subformulas(root) {
            let promise_of = |right: FormulaId| {
                variable(
                    &self.promise,
                    if self.options.promises_by_until { formula } else { right },
                )
            };
            let demand = if let Some(inner) = self.repeated(formulas, formula) {
                let now = done[inner.index()].or_within(&promise_of(inner));
                now.and_then(|now| now.and_within(&variable(&self.next, formula)))
            } else {
                match formulas.node(formula) {
                    Node::False => Some(space.constant(false)),
                    Node::True => Some(space.constant(true)),
                    Node::Atom(atom) => Some(space.literal(atom.index(), true)),
                    Node::Not(inner) => Some(done[inner.index()].not()),
                    Node::And(parts) => parts.iter().try_fold(space.constant(true), |all, part| {
                        all.and_within(&done[part.index()])
                    }),
                    Node::Or(parts) => parts.iter().try_fold(space.constant(false), |any, part| {
                        any.or_within(&done[part.index()])
                    }),
                    Node::Next(inner) | Node::StrongNext(inner) => {
                        Some(variable(&self.next, *inner))
                    }
                    Node::Until(left, right) => {
                        let wait = promise_of(*right).and(&variable(&self.next, formula));
                        let wait = wait.and_within(&done[left.index()]);
                        wait.and_then(|wait| wait.or_within(&done[right.index()]))
                    }
                    Node::Release(left, right) => {
                        let free = variable(&self.next, formula).or_within(&done[left.index()]);
                        free.and_then(|free| free.and_within(&done[right.index()]))
                    }
                }
            };
            done[formula.index()] = demand.ok_or(TooLarge::Demand)?;
        }
        let kept = self.next.keys().copied().chain([root]);
        Ok(kept.map(|formula| (formula, done[formula.index()].clone())).collect())
    }
}

type Decision = (usize, usize, usize, usize);

/// For every function met below the atoms, the letters that lead there.
fn paths(labels: &Space, below: &[Decision], root: usize, atoms: usize) -> Vec<(usize, Function)> {
    let mut reached: Vec<Option<Function>> = vec![None; root.max(1) + 1];
    reached[root] = Some(labels.constant(true));
    let mut found = Vec::new();
    for at in (0..reached.len()).rev() {
        let Some(label) = reached[at].take() else { continue };
        match at.checked_sub(2).map(|index| below[index]) {
            Some((_, variable, low, high)) if variable < atoms => {
                for (branch, value) in [(low, false), (high, true)] {
                    let step = label.and(&labels.literal(variable, value));
                    reached[branch] = Some(match reached[branch].take() {
                        Some(other) => other.or(&step),
                        None => step,
                    });
                }
            }
            _ if at > 0 => found.push((at, label)),
            _ => {}
        }
    }
    found
}

/// The prime implicants of every function below the atoms, each a sorted list of variables.
///
/// These functions are monotone: the primes of `x ? high : low` are those of `low`, and `x` with
/// those of `high` that no prime of `low` makes superfluous.
fn implicants(below: &[Decision], atoms: usize) -> Result<Vec<Vec<Vec<usize>>>, TooLarge> {
    let mut primes: Vec<Vec<Vec<usize>>> = vec![Vec::new(), vec![Vec::new()]];
    for &(_, variable, low, high) in below {
        if variable < atoms {
            primes.push(Vec::new());
            continue;
        }
        let mut found = primes[low].clone();
        for prime in &primes[high] {
            let superfluous = primes[low].iter().any(|other| contains(prime, other));
            if !superfluous {
                let mut with = Vec::with_capacity(prime.len() + 1);
                with.push(variable);
                with.extend_from_slice(prime);
                found.push(with);
            }
        }
        if found.len() > MOST_IMPLICANTS {
            return Err(TooLarge::Demand);
        }
        primes.push(found);
    }
    Ok(primes)
}

/// Whether a sorted list contains all of another.
fn contains(long: &[usize], short: &[usize]) -> bool {
    let mut rest = long.iter();
    short.iter().all(|wanted| rest.any(|one| one == wanted))
}

#[cfg(test)]
mod tests;

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
//! share a set; [`Options::promises_by_until`] gives the paper's count. Where the diagram of a node
//! would be too large, a sum of products takes its place (`demand.rs`).

mod demand;
mod implicants;
mod plan;

use demand::{Demand, Shape};
use implicants::{implicants, paths};
use plan::Plan;

use crate::automaton::{Automaton, Marks, StateId};
use crate::boolean::{Function, MOST_VARIABLES, Space};
use crate::formula::normal::negation_normal_form;
use crate::formula::{FormulaId, Formulas, Vocabulary};
use crate::lasso::Valuation;
use ahash::AHashMap;
use std::fmt;

/// How the construction is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Nodes that demand the same are one node, and a node holds the parts of conjunctions.
    pub merge_nodes: bool,
    /// `GF f` has an identity of its own.
    pub repeated_identity: bool,
    /// One promise per `U`, not per right-hand side.
    pub promises_by_until: bool,
    /// Sums of products alone, which have fewer edges on many atoms but merge no nodes.
    pub products_only: bool,
    /// How many nodes there may be.
    pub most_nodes: usize,
    /// How many edges the whole automaton may have.
    pub most_edges: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            merge_nodes: true,
            repeated_identity: true,
            promises_by_until: false,
            products_only: false,
            most_nodes: 20_000,
            most_edges: 100_000,
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
    demand: AHashMap<FormulaId, Demand>,
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
    formulas: Box<[FormulaId]>,
    /// What it demands; none if that is too large to be written down at once, as with thirty `GF`s.
    /// Such a node can only be expanded letter by letter.
    demand: Option<Demand>,
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
        let shape = Shape { space: &space, atoms };
        let demand = plan.demands(formulas, formula, &shape)?;
        let first = plan.held(formulas, formula);
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
        tableau.initial = tableau.node(&first)?;
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

    fn shape(&self) -> Shape<'_> {
        Shape { space: &self.space, atoms: self.vocabulary.len() }
    }

    /// The node that holds some formulas, new or known.
    fn node(&mut self, formulas: &[FormulaId]) -> Result<StateId, TooLarge> {
        if let Some(&known) = self.by_formulas.get(formulas) {
            return Ok(known);
        }
        let parts = formulas.iter().filter_map(|formula| self.demand.get(formula));
        let demand = Demand::all(&self.space, parts);
        let function = demand.as_ref().and_then(|demand| demand.function.clone());
        let function = function.filter(|_| self.options.merge_nodes);
        let same = function.as_ref().and_then(|function| self.by_demand.get(function).copied());
        let node = match same {
            Some(node) => node,
            None if self.nodes.len() >= self.options.most_nodes => return Err(TooLarge::Nodes),
            None => {
                let node = StateId(self.nodes.len() as u32);
                if let Some(function) = function {
                    self.by_demand.insert(function, node);
                }
                self.nodes.push(TableauNode { formulas: formulas.into(), demand });
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
        let Some(node) = self.nodes.get(node.index()) else { return Ok(Vec::new()) };
        let atoms = self.vocabulary.len();
        let mut left = self.space.constant(true);
        for formula in &node.formulas {
            if let Some(demand) = self.demand.get(formula) {
                let restricted = demand.restricted(letter, &self.shape());
                left = restricted
                    .and_then(|restricted| left.and_within(&restricted))
                    .ok_or(TooLarge::Demand)?;
            }
        }
        let decisions = left.decisions();
        let below: Vec<_> = decisions.iter().collect();
        let at = decisions.root();
        let implicants = implicants(&below, atoms, [at])?;
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
        let Some(TableauNode { demand, .. }) = self.nodes.get(node.index()) else {
            return Ok(Vec::new());
        };
        let atoms = self.vocabulary.len();
        // Letters, and variables that must hold.
        let mut steps: Vec<(Function, Vec<usize>)> = Vec::new();
        match demand.as_ref().ok_or(TooLarge::Demand)? {
            Demand { function: Some(function), .. } => {
                let decisions = function.decisions();
                let below: Vec<_> = decisions.iter().collect();
                let paths = paths(&self.labels, &below, decisions.root(), atoms);
                let wanted = paths.iter().map(|(at, _)| *at);
                let implicants = implicants(&below, atoms, wanted)?;
                for (at, label) in paths {
                    let here = implicants[at].iter().cloned();
                    steps.extend(here.map(|implicant| (label.clone(), implicant)));
                }
            }
            Demand { products, .. } => {
                for product in products.iter().flatten() {
                    let split = product.partition_point(|literal| literal.0 < atoms);
                    let (letters, variables) = product.split_at(split);
                    let label = self.labels.cube(letters.iter().copied());
                    steps.push((label, variables.iter().map(|literal| literal.0).collect()));
                }
            }
        }
        let mut edges: Vec<TableauEdge> = Vec::new();
        let mut number: AHashMap<(Marks, StateId), usize> = AHashMap::default();
        for (label, implicant) in steps {
            let (marks, target) = self.edge(&implicant)?;
            let known = *number.entry((marks, target)).or_insert(edges.len());
            match edges.get_mut(known) {
                Some(edge) => {
                    edge.label = edge.label.or_within(&label).ok_or(TooLarge::Demand)?;
                }
                None => edges.push(TableauEdge { label, marks, target }),
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
        let (mut at, mut count) = (0, 0);
        while at < self.nodes.len() {
            let state = automaton.add_state();
            let edges = self.edges(state)?;
            count += edges.len();
            if count > self.options.most_edges {
                return Err(TooLarge::Nodes);
            }
            for edge in edges {
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

#[cfg(test)]
mod tests;

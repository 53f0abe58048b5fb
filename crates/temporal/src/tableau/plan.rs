//! Which variables the tableau of a formula needs, and what every formula of a node demands.

use super::demand::{Demand, Shape};
use super::{Options, TooLarge, Variable};
use crate::formula::{FormulaId, Formulas, Node};
use ahash::AHashMap;

/// Which variables a formula needs.
pub(super) struct Plan {
    options: Options,
    pub(super) variables: Vec<Variable>,
    next: AHashMap<FormulaId, usize>,
    promise: AHashMap<FormulaId, usize>,
    pub(super) promises: usize,
}

impl Plan {
    pub(super) fn new(formulas: &Formulas, root: FormulaId, options: Options) -> Self {
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
                Node::Next(inner) | Node::StrongNext(inner) => {
                    plan.held(formulas, inner).into_iter().for_each(|part| plan.add_next(part));
                }
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

    /// What a node holds for a formula: the parts of a conjunction, each by itself, so that what they
    /// demand together need not be written down; or, as in the paper, the formula as it is.
    pub(super) fn held(&self, formulas: &Formulas, formula: FormulaId) -> Vec<FormulaId> {
        match formulas.node(formula) {
            Node::And(parts) if self.options.merge_nodes => parts.to_vec(),
            _ => vec![formula],
        }
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
    pub(super) fn demands(
        &self,
        formulas: &Formulas,
        root: FormulaId,
        shape: &Shape<'_>,
    ) -> Result<AHashMap<FormulaId, Demand>, TooLarge> {
        let Shape { space, atoms, .. } = *shape;
        let constant = |value| Demand::constant(space, value);
        let mut done: Vec<Demand> = vec![constant(false); root.index() + 1];
        let variable =
            |map: &AHashMap<FormulaId, usize>, formula: FormulaId| match map.get(&formula) {
                Some(&at) => Demand::literal(space, atoms + at, true),
                None => constant(formula == FormulaId::TRUE),
            };
        let kept: Vec<FormulaId> =
            self.next.keys().copied().chain(self.held(formulas, root)).collect();
        for formula in self.needed(formulas, root, &kept) {
            let promise_of = |right: FormulaId| {
                variable(
                    &self.promise,
                    if self.options.promises_by_until { formula } else { right },
                )
            };
            let of = |part: &FormulaId| &done[part.index()];
            let demand = if let Some(inner) = self.repeated(formulas, formula) {
                let now = of(&inner).or(&promise_of(inner));
                now.and_then(|now| now.and(&variable(&self.next, formula)))
            } else {
                match formulas.node(formula) {
                    Node::False => Some(constant(false)),
                    Node::True => Some(constant(true)),
                    // What the vocabulary does not name never holds.
                    Node::Atom(atom) if atom.index() >= atoms => Some(constant(false)),
                    Node::Atom(atom) => Some(Demand::literal(space, atom.index(), true)),
                    Node::Not(inner) => match formulas.node(*inner) {
                        Node::Atom(atom) if atom.index() >= atoms => Some(constant(true)),
                        Node::Atom(atom) => Some(Demand::literal(space, atom.index(), false)),
                        // In negation normal form nothing else is negated.
                        _ => None,
                    },
                    Node::And(parts) => {
                        parts.iter().try_fold(constant(true), |all, part| all.and(of(part)))
                    }
                    Node::Or(parts) => {
                        parts.iter().try_fold(constant(false), |any, part| any.or(of(part)))
                    }
                    Node::Next(inner) | Node::StrongNext(inner) => {
                        let mut parts = self.held(formulas, *inner).into_iter();
                        parts.try_fold(constant(true), |all, part| {
                            all.and(&variable(&self.next, part))
                        })
                    }
                    Node::Until(left, right) => promise_of(*right)
                        .and(&variable(&self.next, formula))
                        .and_then(|wait| wait.and(of(left)))
                        .and_then(|wait| wait.or(of(right))),
                    Node::Release(left, right) => variable(&self.next, formula)
                        .or(of(left))
                        .and_then(|free| free.and(of(right))),
                }
            };
            let mut demand = demand.ok_or(TooLarge::Demand)?;
            if self.options.products_only {
                demand.function = demand.products.is_none().then_some(demand.function).flatten();
            }
            done[formula.index()] = demand;
        }
        Ok(kept.into_iter().map(|formula| (formula, done[formula.index()].clone())).collect())
    }

    /// The formulas whose demand is asked for, and what these are made of at the same position.
    fn needed(&self, formulas: &Formulas, root: FormulaId, kept: &[FormulaId]) -> Vec<FormulaId> {
        let mut needed = vec![false; root.index() + 1];
        kept.iter().for_each(|formula| needed[formula.index()] = true);
        let mut order = formulas.subformulas(root);
        for formula in order.iter().rev().filter(|formula| formula.index() > 1) {
            if !needed[formula.index()] {
                continue;
            }
            let parts = match (self.repeated(formulas, *formula), formulas.node(*formula)) {
                (Some(inner), _) => vec![inner],
                (None, Node::Next(_) | Node::StrongNext(_)) => Vec::new(),
                (None, node) => node.parts(),
            };
            parts.iter().for_each(|part| needed[part.index()] = true);
        }
        order.retain(|formula| needed[formula.index()]);
        order
    }
}

//! From a formula over actions to a deterministic automaton, by derivatives.
//!
//! Jard & Jéron (1989, §3), after Brzozowski: the derivative of φ by an action is satisfied by the
//! computations that satisfy φ with the action in front. States are derivatives up to boolean
//! equivalence: a derivative is a boolean function over the actions and over the temporal
//! subformulas (`X f`, `f U g`), kept as a decision diagram, so that equal states are equal values.
//! Deriving is a substitution, the derivatives of all subformulas being known once per action:
//!
//! ```text
//! D_a(a) = true     D_a(b) = false     D_a(X f) = ¬ξ ∨ f
//! D_a(f U g) = D_a(g) ∨ (D_a(f) ∧ ξ ∧ f U g)         ξ: some action happens
//! ```
//!
//! The printed test for merging, «λ ⊨ f and f' = f ∨ ¬ξ», must be asked the other way round and in
//! its dual too. All of it together says: two functions are the same state if they agree wherever ξ
//! holds and on the empty computation. So each function is brought to that form at once, `f ∨ ¬ξ`
//! if the empty computation satisfies it and `f ∧ ξ` if not, and no test is left.

use super::dfa::{Action, Dfa, DfaState};
use crate::boolean::{Function, Space};
use crate::formula::normal::negation_normal_form;
use crate::formula::{FormulaId, Formulas, Node};
use crate::tableau::TooLarge;
use ahash::AHashMap;

/// How many decisions of functions are derived before a whole automaton is given up.
const MOST_WORK: usize = 1_000_000;

/// The derivatives of a formula, found when they are asked for.
pub struct Derivatives {
    rules: Rules,
    states: Vec<Function>,
    number: AHashMap<Function, DfaState>,
    initial: Option<DfaState>,
}

impl Derivatives {
    /// The formula itself, over `actions` actions. Atoms are actions of the same number; an atom
    /// beyond the last action never happens.
    pub fn new(
        formulas: &mut Formulas,
        formula: FormulaId,
        actions: usize,
    ) -> Result<Self, TooLarge> {
        let formula = negation_normal_form(formulas, formula);
        let rules = Rules::new(formulas, formula, actions)?;
        let first = rules.canonical(&rules.functions[formula.index()]);
        let mut derivatives =
            Self { rules, states: Vec::new(), number: AHashMap::default(), initial: None };
        derivatives.initial = derivatives.meet(first);
        Ok(derivatives)
    }

    fn meet(&mut self, function: Function) -> Option<DfaState> {
        if function.is_false() {
            return None;
        }
        let fresh = DfaState(self.states.len() as u32);
        let state = *self.number.entry(function.clone()).or_insert(fresh);
        if state == fresh {
            self.states.push(function);
        }
        Some(state)
    }

    /// The state of the formula; none if no computation satisfies it by boolean reasoning alone.
    pub fn initial(&self) -> Option<DfaState> {
        self.initial
    }

    /// How many states have been met.
    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// Whether none has been met.
    pub fn is_empty(&self) -> bool {
        self.states.is_empty()
    }

    /// Whether a computation that ends in a state satisfies the formula.
    pub fn accepts_in(&self, state: DfaState) -> bool {
        let function = self.states.get(state.index());
        function.is_some_and(|function| self.rules.accepts_empty(function))
    }

    /// The state behind an action; none if nothing satisfies the formula from there on.
    pub fn step(&mut self, state: DfaState, action: Action) -> Option<DfaState> {
        let derived = self.rules.derivative(self.states.get(state.index())?, action.0 as usize)?;
        self.meet(derived)
    }
}

/// The automaton of a formula over `actions` actions, as the derivatives give it.
pub fn derive(
    formulas: &mut Formulas,
    formula: FormulaId,
    actions: usize,
) -> Result<Dfa, TooLarge> {
    let mut derivatives = Derivatives::new(formulas, formula, actions)?;
    let (mut next, mut accepting) = (Vec::new(), Vec::new());
    let mut work = 0;
    while next.len() < derivatives.len() {
        let state = DfaState(next.len() as u32);
        work += derivatives.states[state.index()].size() * actions;
        if work > MOST_WORK {
            return Err(TooLarge::Nodes);
        }
        accepting.push(derivatives.accepts_in(state));
        let row = (0..actions as u32).map(|action| derivatives.step(state, Action(action)));
        next.push(row.collect());
    }
    Ok(Dfa::new(actions, derivatives.initial(), accepting, next))
}

/// The smallest automaton of a formula.
pub fn minimal(
    formulas: &mut Formulas,
    formula: FormulaId,
    actions: usize,
) -> Result<Dfa, TooLarge> {
    Ok(derive(formulas, formula, actions)?.minimized())
}

/// What is needed to derive functions over the subformulas of one formula.
struct Rules {
    space: Space,
    /// The function of each subformula.
    functions: Vec<Function>,
    /// Some action happens.
    happens: Function,
    /// For each action, what each variable becomes.
    derivatives: Vec<Vec<Function>>,
    /// The value of each variable on the empty computation.
    empty: Vec<bool>,
}

impl Rules {
    fn new(formulas: &Formulas, root: FormulaId, actions: usize) -> Result<Self, TooLarge> {
        let order = formulas.subformulas(root);
        let mut variable: AHashMap<FormulaId, usize> = AHashMap::default();
        let mut empty = vec![false; actions];
        for &part in &order {
            let on_empty = match formulas.node(part) {
                Node::Next(_) | Node::Release(..) => true,
                Node::StrongNext(_) | Node::Until(..) => false,
                _ => continue,
            };
            variable.insert(part, empty.len());
            empty.push(on_empty);
        }
        let space = Space::new(empty.len()).ok_or(TooLarge::Variables)?;
        let none = space.constant(false);
        let happens = (0..actions).fold(none.clone(), |sum, at| sum.or(&space.literal(at, true)));
        let mut rules = Self {
            functions: vec![none.clone(); root.index() + 1],
            derivatives: vec![vec![none; empty.len()]; actions],
            space,
            happens,
            empty,
        };
        for &part in &order {
            let function = match formulas.node(part) {
                Node::Atom(atom) => Some(rules.space.literal(atom.index(), true))
                    .filter(|_| atom.index() < actions)
                    .or_else(|| Some(rules.space.constant(false))),
                node => match variable.get(&part) {
                    Some(&at) => Some(rules.space.literal(at, true)),
                    None => combine(&rules.space, node, &rules.functions),
                },
            };
            rules.functions[part.index()] = function.ok_or(TooLarge::Demand)?;
        }
        for action in 0..actions {
            rules.derive_all(formulas, &order, &variable, action)?;
        }
        Ok(rules)
    }

    /// The derivatives of all variables by one action, parts before the whole.
    fn derive_all(
        &mut self,
        formulas: &Formulas,
        order: &[FormulaId],
        variable: &AHashMap<FormulaId, usize>,
        action: usize,
    ) -> Result<(), TooLarge> {
        let none = self.space.constant(false);
        let silent = self.happens.not();
        let mut done = vec![none; self.functions.len()];
        for &part in order {
            let this = &self.functions[part.index()];
            let of = |one: &FormulaId| &done[one.index()];
            let derived = match formulas.node(part) {
                Node::Atom(atom) => Some(self.space.constant(atom.index() == action)),
                Node::Next(inner) => self.functions[inner.index()].or_within(&silent),
                Node::StrongNext(inner) => self.functions[inner.index()].and_within(&self.happens),
                Node::Until(left, right) => of(left)
                    .and_within(&self.happens)
                    .and_then(|wait| wait.and_within(this))
                    .and_then(|wait| wait.or_within(of(right))),
                Node::Release(left, right) => of(left)
                    .or_within(&silent)
                    .and_then(|free| free.or_within(this))
                    .and_then(|free| free.and_within(of(right))),
                node => combine(&self.space, node, &done),
            };
            let derived = derived.ok_or(TooLarge::Demand)?;
            if let Some(&at) = variable.get(&part) {
                self.derivatives[action][at] = derived.clone();
            }
            done[part.index()] = derived;
        }
        for at in 0..self.derivatives.len() {
            self.derivatives[action][at] = self.space.constant(at == action);
        }
        Ok(())
    }

    fn derivative(&self, function: &Function, action: usize) -> Option<Function> {
        let derivatives = self.derivatives.get(action)?;
        let derived = function.compose(&self.space, |variable| derivatives[variable].clone());
        Some(self.canonical(&derived))
    }

    fn accepts_empty(&self, function: &Function) -> bool {
        function.walk(|variable| self.empty[variable])
    }

    /// The form that all functions of one state have.
    fn canonical(&self, function: &Function) -> Function {
        if self.accepts_empty(function) {
            function.or(&self.happens.not())
        } else {
            function.and(&self.happens)
        }
    }
}

/// A boolean operator over functions that are known.
fn combine(space: &Space, node: &Node, known: &[Function]) -> Option<Function> {
    let of = |one: &FormulaId| &known[one.index()];
    match node {
        Node::True => Some(space.constant(true)),
        Node::Not(inner) => Some(of(inner).not()),
        Node::And(parts) => {
            parts.iter().try_fold(space.constant(true), |all, part| all.and_within(of(part)))
        }
        Node::Or(parts) => {
            parts.iter().try_fold(space.constant(false), |any, part| any.or_within(of(part)))
        }
        _ => Some(space.constant(false)),
    }
}

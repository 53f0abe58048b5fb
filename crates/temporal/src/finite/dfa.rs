//! Deterministic automata over actions, and the smallest one with the same computations.

use ahash::AHashMap;

/// An action, by its number in the alphabet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Action(pub u32);

/// A state of a deterministic automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DfaState(pub u32);

impl DfaState {
    /// Its number.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A deterministic automaton; where an action leads nowhere, no continuation is accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dfa {
    actions: usize,
    initial: Option<DfaState>,
    accepting: Vec<bool>,
    next: Vec<Vec<Option<DfaState>>>,
}

impl Dfa {
    /// An automaton over so many actions, with tables of what accepts and where actions lead.
    pub(super) fn new(
        actions: usize,
        initial: Option<DfaState>,
        accepting: Vec<bool>,
        next: Vec<Vec<Option<DfaState>>>,
    ) -> Self {
        Self { actions, initial, accepting, next }
    }

    /// How many actions there are.
    pub fn actions(&self) -> usize {
        self.actions
    }

    /// How many states there are, not counting the one from which nothing is accepted.
    pub fn len(&self) -> usize {
        self.next.len()
    }

    /// Whether nothing is accepted.
    pub fn is_empty(&self) -> bool {
        self.next.is_empty()
    }

    /// Where computations begin; none if nothing is accepted.
    pub fn initial(&self) -> Option<DfaState> {
        self.initial
    }

    /// Whether a computation that ends here is accepted.
    pub fn accepts_in(&self, state: DfaState) -> bool {
        self.accepting.get(state.index()).copied().unwrap_or(false)
    }

    /// Where an action leads.
    pub fn step(&self, state: DfaState, action: Action) -> Option<DfaState> {
        *self.next.get(state.index())?.get(action.0 as usize)?
    }

    /// The states that follow one, ascending, each with the actions that lead there.
    pub fn arrows(&self, state: DfaState) -> Vec<(DfaState, Vec<Action>)> {
        let mut arrows: Vec<(DfaState, Vec<Action>)> = Vec::new();
        for action in (0..self.actions as u32).map(Action) {
            let Some(target) = self.step(state, action) else { continue };
            match arrows.iter_mut().find(|(known, _)| *known == target) {
                Some((_, actions)) => actions.push(action),
                None => arrows.push((target, vec![action])),
            }
        }
        arrows.sort_by_key(|(target, _)| *target);
        arrows
    }

    /// Whether a computation is accepted.
    pub fn accepts(&self, computation: &[Action]) -> bool {
        let start = self.initial;
        let end = computation
            .iter()
            .fold(start, |state, action| state.and_then(|state| self.step(state, *action)));
        end.is_some_and(|state| self.accepts_in(state))
    }

    /// The smallest automaton of the computations of which every beginning is accepted: all its
    /// states accept. A system whose computations are all accepted has no others, since their
    /// beginnings are computations too.
    #[must_use]
    pub fn with_all_prefixes(&self) -> Self {
        let mut closed = self.clone();
        let accepts = |state: &DfaState| self.accepts_in(*state);
        closed.initial = self.initial.filter(accepts);
        for next in closed.next.iter_mut().flatten() {
            *next = next.filter(accepts);
        }
        closed.minimized()
    }

    /// The smallest automaton that accepts the same (Moore 1956): states are told apart by what
    /// they accept now, then after one action, and so on; those that accept nothing disappear.
    #[must_use]
    pub fn minimized(&self) -> Self {
        // One more state stands for «nowhere», so that the tables are total.
        let nowhere = self.len();
        let target = |state: usize, action: usize| match self.next.get(state) {
            Some(row) => row[action].map_or(nowhere, DfaState::index),
            None => nowhere,
        };
        let accepts = |state: usize| self.accepting.get(state).copied().unwrap_or(false);
        let mut class: Vec<usize> =
            (0..=nowhere).map(|state| usize::from(accepts(state))).collect();
        let mut count = 0;
        loop {
            let mut number: AHashMap<(usize, Vec<usize>), usize> = AHashMap::default();
            let refined: Vec<usize> = (0..=nowhere)
                .map(|state| {
                    let row = (0..self.actions).map(|action| class[target(state, action)]);
                    let fresh = number.len();
                    *number.entry((class[state], row.collect())).or_insert(fresh)
                })
                .collect();
            class = refined;
            if number.len() == count {
                break;
            }
            count = number.len();
        }
        let dead = class[nowhere];
        let mut minimal = Self::new(self.actions, None, Vec::new(), Vec::new());
        // Numbered in the order they are met, so that equal languages give equal automata.
        let mut number: AHashMap<usize, DfaState> = AHashMap::default();
        let mut members = Vec::new();
        let mut meet = |state: usize, members: &mut Vec<usize>| {
            (class[state] != dead).then(|| {
                *number.entry(class[state]).or_insert_with(|| {
                    members.push(state);
                    DfaState(members.len() as u32 - 1)
                })
            })
        };
        minimal.initial = self.initial.and_then(|state| meet(state.index(), &mut members));
        while minimal.next.len() < members.len() {
            let state = members[minimal.next.len()];
            let row =
                (0..self.actions).map(|action| meet(target(state, action), &mut members)).collect();
            minimal.next.push(row);
            minimal.accepting.push(accepts(state));
        }
        minimal
    }
}

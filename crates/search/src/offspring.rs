//! The next states of a state, with the marks of the steps, as roots of a store.

use crate::control::{Wanted, ends_path};
use crate::marked::{Marked, MarkedVisitor, Towards};
use pverify_semantics::fault::FaultKind;
use pverify_semantics::successors::Path;
use pverify_store::{Hand, NoRoom, Root, Store};
use pverify_temporal::automaton::Marks;

/// A state to go to, and what the step there means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Arc {
    /// The root of the state, and whether runs only pass it: many arcs wait on the stacks.
    target: u64,
    pub(crate) marks: Marks,
}

const PASSES: u64 = 1 << Root::BITS;

impl Arc {
    #[inline]
    pub(crate) fn new(root: Root, to: Towards) -> Self {
        let passes = if to.passes { PASSES } else { 0 };
        Self { target: root.to_bits() | passes, marks: to.marks }
    }

    /// The step that leads to the initial state.
    pub(crate) fn first<S: Marked>(system: &S, initial: Root) -> Self {
        Self::new(initial, Towards { marks: Marks::NONE, passes: system.passes_initial() })
    }

    #[inline]
    pub(crate) fn root(self) -> Root {
        Root::from_bits(self.target & !PASSES)
    }

    /// Whether runs only pass the state.
    #[inline]
    pub(crate) fn passes(self) -> bool {
        self.target & PASSES != 0
    }
}

/// Next states that could not be folded yet, and what else was seen.
#[derive(Debug, Default)]
pub(crate) struct Offspring {
    unfolded: Vec<(Vec<u64>, u32, Towards)>,
    /// A companion has come to its end.
    pub(crate) end: Option<FaultKind>,
    /// A step went wrong, and what comes after it is not known.
    pub(crate) path_ends: bool,
}

impl Offspring {
    /// Gathers the next states of a state; they go behind `arcs`, those for which there was no room
    /// when [`Offspring::fold`] is called. What looking for each will need is fetched by `expect`.
    pub(crate) fn gather<S: Marked>(
        &mut self,
        (store, hand): (&Store, &mut Hand),
        system: &mut S,
        words: &[u64],
        arcs: &mut Vec<Arc>,
        expect: impl Fn(Root),
    ) {
        self.end = None;
        self.path_ends = false;
        let mut gatherer = Gatherer { offspring: self, store, hand, arcs, expect };
        system.marked_successors(words, &mut gatherer);
    }

    /// Whether some wait for room.
    pub(crate) fn waits(&self) -> bool {
        !self.unfolded.is_empty()
    }

    /// Folds what waits; goes on where it was when there was no room.
    pub(crate) fn fold(
        &mut self,
        store: &Store,
        hand: &mut Hand,
        arcs: &mut Vec<Arc>,
    ) -> Result<(), NoRoom> {
        while let Some((words, bits, to)) = self.unfolded.last() {
            let root = store.fold(hand, words, *bits)?;
            arcs.push(Arc::new(root, *to));
            self.unfolded.pop();
        }
        Ok(())
    }
}

struct Gatherer<'b, E> {
    offspring: &'b mut Offspring,
    store: &'b Store,
    hand: &'b mut Hand,
    arcs: &'b mut Vec<Arc>,
    expect: E,
}

impl<E: Fn(Root)> MarkedVisitor for Gatherer<'_, E> {
    #[inline]
    fn next(&mut self, words: &[u64], bits: u32, to: Towards, _: Path<'_>) {
        match self.store.fold(self.hand, words, bits) {
            Ok(root) => {
                (self.expect)(root);
                self.arcs.push(Arc::new(root, to));
            }
            Err(NoRoom) => self.offspring.unfolded.push((words.to_vec(), bits, to)),
        }
    }

    fn fault(&mut self, fault: FaultKind, _: Path<'_>) {
        self.offspring.path_ends |= ends_path(&fault);
        if Wanted::PROPERTY.includes(&fault) {
            self.offspring.end = Some(fault);
        }
    }
}

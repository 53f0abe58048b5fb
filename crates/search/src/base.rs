//! What every worker of a search has, deep or broad, and how it begins.

use crate::batch::{Batch, Gathered};
use crate::control::{Counts, Cut, Observer, Settings};
use crate::hidden::HiddenWords;
use crate::holding::Told;
use crate::hooks::Hooks;
use crate::pool::Pool;
use crate::stack::Entry;
use crate::system::System;
use pverify_store::{Colour, Hand, Insert, NoRoom, Root, Standing, Store};
use std::num::NonZeroUsize;

/// See the module.
pub(crate) struct Base<'p, S, H> {
    pub(crate) number: usize,
    pub(crate) system: S,
    pub(crate) hooks: H,
    pub(crate) settings: &'p Settings,
    pub(crate) pool: &'p Pool,
    pub(crate) hand: Hand,
    pub(crate) hidden: HiddenWords,
    pub(crate) batch: Box<Batch>,
    pub(crate) counts: Counts,
    /// The state that was unfolded last.
    pub(crate) words: Vec<u64>,
}

/// The settings that a system can be searched with: what hidden variables are found with depends on
/// the order of the search, so such a system has one worker.
pub(crate) fn settings_for<S: System>(system: &S, settings: &Settings) -> Settings {
    let threads = if system.hidden() > 0 { NonZeroUsize::MIN } else { settings.threads };
    Settings { threads, ..*settings }
}

impl<'p, S: System, H: Hooks> Base<'p, S, H> {
    /// A worker for a system and with hooks that are its own.
    pub(crate) fn new(
        number: usize,
        (system, hooks): (&S, &H),
        settings: &'p Settings,
        pool: &'p Pool,
    ) -> Self {
        Self {
            number,
            hidden: HiddenWords::new(system.hidden()),
            system: system.fork(),
            hooks: hooks.fork(),
            settings,
            pool,
            hand: Hand::new(settings.seed.wrapping_add(number as u64)),
            batch: Box::default(),
            counts: Counts::default(),
            words: Vec::new(),
        }
    }

    /// The initial state, in words and folded.
    pub(crate) fn initial(&mut self, store: &Store) -> Result<(Vec<u64>, Root), NoRoom> {
        let initial = self.system.initial();
        let visible = &initial[self.hidden.count()..];
        let root = store.fold(&mut self.hand, visible, self.system.bits(visible[0]))?;
        Ok((initial, root))
    }

    /// Unfolds a state, with the hidden words of an entry.
    #[inline]
    pub(crate) fn unfold(&mut self, store: &Store, hidden: Option<Entry>, root: Root) {
        self.words.clear();
        self.hidden.restore(hidden, &mut self.words);
        let system = &mut self.system;
        store.unfold(&mut self.hand, root, |first| system.bits(first), &mut self.words);
    }

    /// Gathers the next states of the state that was unfolded; their roots go behind `roots`.
    #[inline(always)] // Once for each state.
    pub(crate) fn gather(&mut self, store: &Store, roots: &mut Vec<Root>) -> Gathered {
        self.batch.gather(
            (store, &mut self.hand),
            (&mut self.system, &mut self.hooks),
            &self.words,
            self.settings.wanted,
            roots,
        )
    }

    /// Inserts the next state of the batch whose turn it is into a filter.
    pub(crate) fn claim_bits(&self, store: &Store) -> Insert {
        self.batch.hash(self.batch.inserted).map_or(Insert::NoRoom, |hash| insert_bits(store, hash))
    }

    /// Inserts a state that is explored next, if it is new. While states give way it is pinned.
    pub(crate) fn insert(&mut self, store: &Store, hidden: Option<Entry>, root: Root) -> Insert {
        if store.is_bitstate() {
            self.unfold(store, hidden, root);
            return insert_bits(store, Store::hash(&self.words[self.hidden.count()..]));
        }
        let standing = if store.is_replacing() { Standing::Pinned } else { Standing::Replaceable };
        store.insert(&mut self.hand, root, standing, Colour::default())
    }

    /// Tells what was counted and how much memory is held, and asks whether to go on.
    pub(crate) fn report(
        &self,
        store: &Store,
        bytes: usize,
        observer: &mut Option<&mut dyn Observer>,
    ) {
        let counts = Counts { replacements: self.hand.replacements, ..self.counts };
        self.pool.tell(self.number, &counts, bytes);
        if self.pool.bytes(store) > self.settings.memory {
            store.ask_for_room();
        }
        if let Some(observer) = observer
            && !observer.go_on(&self.pool.progress(store))
        {
            self.pool.cut(Cut::Stopped);
            self.pool.stop();
        }
        if let Some(observer) = observer
            && self.settings.snapshots
            && observer.wants_snapshot()
        {
            self.pool.ask_for_snapshot();
        }
    }

    /// Tells what a snapshot must say of the worker beside what it holds.
    pub(crate) fn say(&self) {
        let told = Told { memo: self.system.memo(), hidden: self.hidden.all().to_vec() };
        self.pool.say(self.number, told);
    }

    /// What the worker gives back at the end.
    pub(crate) fn finish(mut self) -> (S, H, Counts) {
        self.counts.replacements = self.hand.replacements;
        (self.system, self.hooks, self.counts)
    }
}

/// Inserts a state into a filter.
#[inline]
fn insert_bits(store: &Store, hash: u64) -> Insert {
    if store.insert_bits(hash) {
        Insert::New
    } else {
        Insert::Known(Standing::Replaceable, Colour::default())
    }
}

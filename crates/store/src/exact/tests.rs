//! The store as a whole: states come back, memory is kept, and threads share it.

use super::*;
use rand::rngs::StdRng;
use std::collections::HashMap;
use std::sync::{Barrier, Mutex, MutexGuard, PoisonError, RwLock};

/// Words of the states here: four chunks and more.
const WORDS: usize = 4;
const BITS: u32 = 64 * WORDS as u32;

type State = [u64; WORDS];

/// So many kilobytes; few under Miri, which looks at every slot of a table again and again.
fn kilobytes(many: usize) -> usize {
    if cfg!(miri) { 24 << 10 } else { many << 10 }
}

/// The state with a number: some of its chunks are shared by many.
fn state(number: u64) -> State {
    let far = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    [number & 0xff, number / 50, far >> 30, far >> 50]
}

fn unfold(store: &Store, hand: &mut Hand, root: Root) -> Vec<u64> {
    let mut words = Vec::new();
    store.unfold(hand, root, |_| BITS, &mut words);
    words
}

/// A store with one worker: what it holds, and the state of every root that was ever folded.
struct One {
    store: Store,
    hand: Hand,
    held: Vec<(Root, Held)>,
    states: HashMap<Root, State>,
    outside: usize,
    out: bool,
}

impl One {
    fn new(budget: Budget, seed: u64) -> Self {
        let (store, hand) = (Store::new(budget), Hand::new(seed));
        Self { store, hand, held: Vec::new(), states: HashMap::new(), outside: 0, out: false }
    }

    fn make_room(&mut self, stuck: bool) {
        let Self { store, held, outside, .. } = self;
        let live = |visit: &mut dyn FnMut(Root, Held)| {
            held.iter().for_each(|&(root, held)| visit(root, held));
        };
        let was_replacing = store.is_replacing();
        let made = if stuck {
            store.force_room(*outside, &live)
        } else {
            store.make_room(*outside, &live)
        };
        self.out = made.is_err();
        if made.is_ok() {
            assert!(store.bytes() + *outside <= store.budget.bytes);
        }
        if store.is_replacing() && !was_replacing {
            for &(root, held) in &self.held {
                let there = self.store.get(root).map(|(standing, _)| standing);
                match held {
                    Held::OnPath => assert_eq!(there, Some(Standing::Pinned)),
                    Held::Waiting => assert_eq!(there, None),
                    Held::Folded => {}
                }
            }
        }
        for at in 0..self.held.len() {
            self.check(self.held[at].0);
        }
    }

    fn check(&mut self, root: Root) {
        let back = unfold(&self.store, &mut self.hand, root);
        assert_eq!(back, self.states[&root]);
    }

    fn fold(&mut self, number: u64) -> Option<Root> {
        let state = state(number);
        while !self.out {
            match self.store.fold(&mut self.hand, &state, BITS) {
                Ok(root) => {
                    let other = self.states.insert(root, state);
                    let there = self.store.get(root).is_some();
                    assert!(!there || other == Some(state), "a state is taken for another");
                    return Some(root);
                }
                Err(NoRoom) => self.make_room(true),
            }
        }
        None
    }

    fn insert(&mut self, root: Root, standing: Standing) -> Option<Insert> {
        while !self.out {
            let said = self.store.insert(&mut self.hand, root, standing, Colour(1));
            if said != Insert::NoRoom {
                return Some(said);
            }
            self.held.push((root, Held::Folded));
            self.make_room(true);
            self.held.pop();
        }
        None
    }
}

#[test]
fn states_come_back_and_memory_is_kept() {
    let rounds = if cfg!(miri) { 60 } else { 30_000 };
    for seed in 0..if cfg!(miri) { 2 } else { 6u64 } {
        let bytes = kilobytes([2000, 1500, 1000][seed as usize % 3]);
        let states = (seed % 2 == 1).then_some(5000);
        let mut one = One::new(Budget { bytes, states }, seed);
        let mut random = StdRng::seed_from_u64(seed);
        let mut path: Vec<Root> = Vec::new();
        for round in 0..rounds {
            let number = random.random_range(0..rounds * 4);
            let Some(root) = one.fold(number) else { break };
            let replacing = one.store.is_replacing();
            let standing = if replacing { Standing::Pinned } else { Standing::Replaceable };
            let Some(said) = one.insert(root, standing) else { break };
            if said == Insert::New && !one.store.is_replacing() || said == Insert::Replaced {
                path.push(root);
                one.held.push((root, Held::OnPath));
            } else if !matches!(said, Insert::Known(..)) {
                one.store.change(root, |_, colour| (Standing::Replaceable, colour));
            }
            // The path is left now and then.
            while path.len() > 500 {
                let left = path.swap_remove(random.random_range(0..path.len()));
                one.held.retain(|&(root, _)| root != left);
                let mut before = None;
                one.store.change(left, |standing, colour| {
                    before = Some(standing);
                    (Standing::Replaceable, colour)
                });
                let pinned = before == Some(Standing::Pinned);
                assert!(pinned || !one.store.is_replacing(), "seed {seed}: {before:?}");
            }
            if round % 5000 == 4999 {
                one.outside = random.random_range(0..1 << 16);
                one.store.ask_for_room();
            }
            if one.store.needs_room() {
                one.make_room(false);
            }
        }
        // A path of 500 states always fits (while little outside grows: nodes give nothing back).
        let (nodes, lines) = (one.store.nodes.bytes(), one.store.roots.lines());
        assert!(!one.out, "seed {seed}: {nodes} bytes of nodes, {lines} lines, {}", one.outside);
        assert!(cfg!(miri) || one.store.is_replacing(), "seed {seed}");
        let entries: Vec<u64> = one.store.contents().1.collect();
        for &entry in &entries {
            one.check(Root::from_bits(entry));
        }
        if let Some(most) = states {
            assert!(entries.len() as u64 <= most, "seed {seed}: {} states", entries.len());
        }
        comes_back(one, entries);
    }
}

/// The contents of a store are those of the store that is made of them.
fn comes_back(mut one: One, entries: Vec<u64>) {
    let nodes: Vec<u64> = one.store.contents().0.collect();
    let budget = Budget { bytes: one.store.budget.bytes * 2, ..one.store.budget };
    let mut written = Vec::new();
    one.store.write(&mut |word| written.push(word));
    let mut words = written.iter().copied();
    let mut take = || words.next().expect("all was written");
    one.store = Store::read(budget, None, &mut take).expect("room");
    assert_eq!(words.next(), None);
    one.hand = Hand::new(0);
    assert_eq!(one.store.contents().0.collect::<Vec<_>>(), nodes);
    for entry in entries {
        let root = Root::from_bits(entry);
        assert!(one.store.get(root).is_some());
        one.check(root);
        let state = one.states[&root];
        assert_eq!(one.store.fold(&mut one.hand, &state, BITS), Ok(root));
    }
}

/// What threads share: a store, and what each of them holds.
struct Shared {
    store: RwLock<Store>,
    held: Vec<Mutex<Vec<Root>>>,
    /// How often room was made.
    made: AtomicU64,
}

impl Shared {
    fn new(budget: Budget, threads: usize) -> Self {
        let held = (0..threads).map(|_| Mutex::default()).collect();
        Self { store: RwLock::new(Store::new(budget)), held, made: AtomicU64::new(0) }
    }

    fn held(&self, thread: usize) -> MutexGuard<'_, Vec<Root>> {
        self.held[thread].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes room, unless somebody has since it was made so many times.
    fn make_room(&self, made: u64, stuck: bool) {
        let mut store = self.store.write().unwrap_or_else(PoisonError::into_inner);
        if self.made.load(Relaxed) != made {
            return;
        }
        self.made.store(made + 1, Relaxed);
        let live = |visit: &mut dyn FnMut(Root, Held)| {
            for thread in 0..self.held.len() {
                self.held(thread).iter().for_each(|&root| visit(root, Held::OnPath));
            }
        };
        let room = if stuck { store.force_room(0, &live) } else { store.make_room(0, &live) };
        assert_eq!(room, Ok(()));
    }
}

/// Inserts the states with these numbers, keeping the last of its own pinned; how many were new.
fn insert_all(
    shared: &Shared,
    thread: usize,
    numbers: impl Iterator<Item = u64>,
    keeps: usize,
) -> u64 {
    let mut hand = Hand::new(thread as u64);
    let mut new = 0;
    for number in numbers {
        loop {
            let store = shared.store.read().unwrap_or_else(PoisonError::into_inner);
            let made = shared.made.load(Relaxed);
            if store.needs_room() {
                drop(store);
                shared.make_room(made, false);
                continue;
            }
            let Ok(root) = store.fold(&mut hand, &state(number), BITS) else {
                drop(store);
                shared.make_room(made, true);
                continue;
            };
            let replacing = store.is_replacing();
            let standing = if replacing { Standing::Pinned } else { Standing::Replaceable };
            match store.insert(&mut hand, root, standing, Colour(0)) {
                Insert::New | Insert::Replaced => {
                    new += 1;
                    assert_eq!(unfold(&store, &mut hand, root), state(number));
                    shared.held(thread).push(root);
                }
                Insert::Known(..) => {}
                Insert::NoRoom => {
                    drop(store);
                    shared.make_room(made, true);
                    continue;
                }
            }
            if shared.held(thread).len() > keeps {
                let left = shared.held(thread).remove(0);
                let there = store.get(left).map(|(standing, _)| standing);
                assert!(!replacing || there == Some(Standing::Pinned), "{there:?}");
                store.change(left, |_, colour| (Standing::Replaceable, colour));
            }
            break;
        }
    }
    new
}

fn run(shared: &Shared, threads: usize, numbers: impl Fn(u64) -> u64 + Sync, each: u64) -> u64 {
    let start = Barrier::new(threads);
    let (start, numbers) = (&start, &numbers);
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..threads)
            .map(|thread| {
                scope.spawn(move || {
                    start.wait();
                    // Each begins elsewhere, and all meet all the time.
                    let first = thread as u64 * each / 64;
                    let mine = (0..each).map(|at| numbers(first + at));
                    insert_all(shared, thread, mine, 20)
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().expect("no panic")).sum()
    })
}

#[test]
fn threads_insert_the_union_of_their_states_each_once() {
    let (threads, each) = if cfg!(miri) { (2, 20) } else { (8, 60_000) };
    let shared = Shared::new(Budget { bytes: 3 * kilobytes(16 << 10), states: None }, threads);
    let new = run(&shared, threads, |number| number, each);
    let union = (threads as u64 - 1) * each / 64 + each;
    assert_eq!(new, union);
    let store = shared.store.into_inner().unwrap_or_else(PoisonError::into_inner);
    assert!(!store.is_replacing());
    assert_eq!(store.contents().1.count() as u64, union);
    let mut hand = Hand::new(0);
    for number in 0..union {
        let root = store.fold(&mut hand, &state(number), BITS).expect("room");
        assert!(store.get(root).is_some());
        assert_eq!(unfold(&store, &mut hand, root), state(number));
    }
}

#[test]
fn threads_that_replace_lose_no_pin_and_double_no_state() {
    let (threads, each) = if cfg!(miri) { (2, 40) } else { (8, 40_000) };
    for (seed, states) in [(1, 400), (2, 2000)] {
        let shared =
            Shared::new(Budget { bytes: kilobytes(4 << 10), states: Some(states) }, threads);
        // Few states, so that the threads meet in them.
        run(&shared, threads, |number| crate::hash::hash(number ^ seed << 50) % 3000, each);
        let store = shared.store.into_inner().unwrap_or_else(PoisonError::into_inner);
        assert!(cfg!(miri) || store.is_replacing());
        let mut roots: Vec<u64> =
            store.contents().1.map(|entry| Root::from_bits(entry).to_bits()).collect();
        let count = roots.len();
        roots.sort_unstable();
        roots.dedup();
        assert_eq!(roots.len(), count, "a state is there twice");
        let pinned = store.contents().1.filter(|&entry| !crate::roots::is_replaceable(entry));
        assert!(pinned.count() <= threads * 20, "a pin leaks");
    }
}

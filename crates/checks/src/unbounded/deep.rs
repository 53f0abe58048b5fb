//! Depth first through everything, with the pumping test on the path.
//!
//! Round after round explores all states whose channels hold no more than k messages, for growing k:
//! each round ends, since there are finitely many such states, and one in which no channel wanted to
//! hold more has seen everything. States are kept in the store with replacement.
//!
//! The path is indexed by a hash of control and variables, so a new state is compared with those
//! states of the path only that it could pump with; never with the whole path. Of each state of the
//! path the index needs a few words: the hash, where the state before with the same hash is, the
//! lengths of its channels, and how many messages had been sent so far. What was sent is one log for
//! the whole path.

mod path;

use super::channels::Channels;
use super::cycles::Cycles;
use super::explore::{Explored, ends_path};
use super::{Answer, Settings};
use ahash::{AHashMap, AHashSet, RandomState};
use pverify_search::control::{Counts, Observer, Progress};
use pverify_semantics::Engine;
use pverify_semantics::fault::FaultKind;
use pverify_semantics::successors::{Path, Step, Visitor};
use pverify_store::{Budget, Colour, Hand, Held, Insert, NoRoom, Root, Standing, Store};
use pverify_verdict::unbounded::Pump;

/// So many states are explored before a bound without search is asked for.
pub(super) const FEW: u64 = 60_000;

/// How the search ended.
pub(super) enum Ending {
    /// Everything was seen.
    Complete,
    /// Not everything: every channel is known, or why not.
    Stopped(Option<String>),
}

/// Searches until everything is known or a limit is reached.
pub(super) fn search(
    engine: &mut Engine<'_>,
    settings: &Settings,
    explored: &Explored,
    channels: &mut Channels,
    answer: &mut Answer,
    observer: &mut dyn Observer,
) -> Ending {
    let mut longest = LEAST;
    let already = answer.counts.states;
    loop {
        let mut round = Round {
            cycles: Cycles::of(engine.model),
            store: Store::new(Budget { bytes: settings.memory, states: None }),
            hand: Hand::new(settings.seed),
            settings,
            explored,
            longest,
            most_states: settings.most_states.saturating_sub(answer.counts.states - already),
            waiting: Vec::new(),
            complex: Vec::new(),
            path: Vec::new(),
            index: AHashMap::new(),
            log: Vec::new(),
            lengths: Vec::new(),
            words: Vec::new(),
            key: Vec::new(),
            hasher: RandomState::with_seeds(1, 2, 3, 4),
            tried: AHashSet::new(),
            counts: Counts::default(),
            longer: false,
            is_complex: complex_edges(engine),
            fault: None,
        };
        let stopped = round.run(engine, channels, &mut answer.pumps, observer);
        let longer = round.longer;
        round.counts.replacements = round.hand.replacements;
        round.counts.store_bytes = round.store.bytes();
        answer.counts.states += round.counts.states;
        answer.counts.transitions += round.counts.transitions;
        answer.counts.matched += round.counts.matched;
        answer.counts.max_depth = answer.counts.max_depth.max(round.counts.max_depth);
        answer.counts.replacements += round.hand.replacements;
        answer.counts.store_bytes = answer.counts.store_bytes.max(round.store.bytes());
        if !channels.is_open() {
            return Ending::Stopped(None);
        }
        match stopped {
            Some(why) => {
                let reason = observer.reason(&answer.counts).unwrap_or_else(|| why.words(settings));
                return Ending::Stopped(Some(reason));
            }
            None if !longer => {
                answer.counts = round.counts;
                return Ending::Complete;
            }
            None => longest *= 2,
        }
    }
}

/// The first round goes to channels of this length.
const LEAST: u32 = 8;

/// Why a round stopped.
enum Why {
    States,
    Memory,
    Depth,
    Fault(FaultKind),
    Observer,
}

impl Why {
    fn words(&self, settings: &Settings) -> String {
        match self {
            Self::States => format!(
                "{} states were explored without an answer; try a larger --states, or --time-limit",
                settings.most_states
            ),
            Self::Memory => "the memory limit was reached first; try a larger --memory".to_owned(),
            Self::Depth => {
                let depth = settings.depth.unwrap_or(0);
                format!("paths longer than {depth} steps were not followed; try a larger --depth")
            }
            Self::Fault(fault) => {
                format!("a step goes wrong ({fault}), and what comes after it is not known")
            }
            Self::Observer => "the search was stopped".to_owned(),
        }
    }
}

/// A state of the path.
struct Frame {
    root: Root,
    hash: u64,
    /// The state before on the path with the same hash.
    same: Option<u32>,
    /// How much of the log there was when the state was reached.
    sent: u32,
    /// Where its lengths begin.
    lengths: u32,
    /// The steps that lead to it, where they cannot be told from the states.
    steps: Option<Box<[Step]>>,
}

const ON_PATH: u64 = 1 << 63;
const COMPLEX: u64 = 1 << 62;

struct Round<'s> {
    cycles: Cycles,
    store: Store,
    hand: Hand,
    settings: &'s Settings,
    explored: &'s Explored,
    /// Channels with more messages are not followed.
    longest: u32,
    most_states: u64,
    /// States of the path and, above each, its next states; as roots with marks.
    waiting: Vec<u64>,
    /// The steps of those waiting that need them.
    complex: Vec<Box<[Step]>>,
    path: Vec<Frame>,
    index: AHashMap<u64, u32>,
    log: Vec<(u8, u64)>,
    lengths: Vec<u16>,
    words: Vec<u64>,
    key: Vec<u64>,
    hasher: RandomState,
    /// Loops that could not be confirmed.
    tried: AHashSet<u64>,
    counts: Counts,
    /// A channel wanted to hold more than is followed.
    longer: bool,
    is_complex: Vec<Vec<Vec<bool>>>,
    /// A step that failed.
    fault: Option<FaultKind>,
}

/// Which edges can send several messages, or send and receive: only blocks can.
fn complex_edges(engine: &Engine<'_>) -> Vec<Vec<Vec<bool>>> {
    use pverify_model::machine::Action;
    let processes = engine.model.processes.iter();
    processes
        .map(|process| {
            let locations = process.graph.locations.iter();
            let of = |edge: &pverify_model::machine::Edge| matches!(edge.action, Action::DStep(_));
            locations.map(|location| location.edges.iter().map(of).collect()).collect()
        })
        .collect()
}

impl Round<'_> {
    fn run(
        &mut self,
        engine: &mut Engine<'_>,
        channels: &mut Channels,
        pumps: &mut Vec<Pump>,
        observer: &mut dyn Observer,
    ) -> Option<Why> {
        let initial = engine.initial().to_vec();
        let bits = engine.bits(initial[0]);
        match self.store.fold(&mut self.hand, &initial, bits) {
            Ok(root) => self.waiting.push(root.to_bits()),
            Err(NoRoom) => return Some(Why::Memory),
        }
        let mut cut = None;
        while let Some(entry) = self.waiting.pop() {
            if entry & ON_PATH != 0 {
                self.leave();
                continue;
            }
            let root = Root::from_bits(entry);
            let steps = if entry & COMPLEX != 0 { self.complex.pop() } else { None };
            match self.insert(root) {
                Ok(true) => {}
                Ok(false) => {
                    self.counts.matched += 1;
                    continue;
                }
                Err(why) => return Some(why),
            }
            self.counts.states += 1;
            if self.settings.depth.is_some_and(|most| self.path.len() as u64 > most) {
                cut = Some(Why::Depth);
                self.unpin(root);
                continue;
            }
            if let Err(why) = self.enter(engine, root, steps, channels, pumps) {
                return Some(why);
            }
            if !channels.is_open() {
                return Some(Why::Observer);
            }
            if self.counts.states >= self.most_states {
                return Some(Why::States);
            }
            if self.store.needs_room()
                && let Err(why) = self.make_room(false)
            {
                return Some(why);
            }
            if self.counts.states.is_multiple_of(4096) {
                let bytes = self.store.bytes() + self.outside();
                if bytes > self.settings.memory
                    && let Err(why) = self.make_room(false)
                {
                    return Some(why);
                }
                let progress = Progress {
                    counts: self.counts,
                    bytes,
                    stored: self.store.len(),
                    capacity: self.store.capacity(),
                    by_worker: Vec::new(),
                };
                if !observer.go_on(&progress) {
                    return Some(Why::Observer);
                }
            }
        }
        cut.or_else(|| self.fault.take().map(Why::Fault))
    }

    fn outside(&self) -> usize {
        self.waiting.capacity() * 8
            + self.path.capacity() * (size_of::<Frame>() + 24)
            + self.log.capacity() * 16
            + self.lengths.capacity() * 2
    }

    fn make_room(&mut self, stuck: bool) -> Result<(), Why> {
        let outside = self.outside();
        let waiting = &self.waiting;
        let live = |visit: &mut dyn FnMut(Root, Held)| {
            for &entry in waiting {
                let held = if entry & ON_PATH != 0 { Held::OnPath } else { Held::Folded };
                visit(Root::from_bits(entry), held);
            }
        };
        let made = if stuck {
            self.store.force_room(outside, &live)
        } else {
            self.store.make_room(outside, &live)
        };
        made.map_err(|_| Why::Memory)
    }

    /// Inserts a state; whether it is new.
    fn insert(&mut self, root: Root) -> Result<bool, Why> {
        loop {
            let replacing = self.store.is_replacing();
            let standing = if replacing { Standing::Pinned } else { Standing::Replaceable };
            match self.store.insert(&mut self.hand, root, standing, Colour::default()) {
                Insert::New | Insert::Replaced => return Ok(true),
                Insert::Known(..) => return Ok(false),
                Insert::NoRoom => {
                    // It waits while room is made.
                    self.waiting.push(root.to_bits());
                    let made = self.make_room(true);
                    self.waiting.pop();
                    made?;
                }
            }
        }
    }

    fn unpin(&self, root: Root) {
        if self.store.is_replacing() {
            self.store.change(root, |standing, colour| match standing {
                Standing::Pinned => (Standing::Replaceable, colour),
                other => (other, colour),
            });
        }
    }

    fn leave(&mut self) {
        let Some(frame) = self.path.pop() else { return };
        match frame.same {
            Some(same) => self.index.insert(frame.hash, same),
            None => self.index.remove(&frame.hash),
        };
        self.log.truncate(frame.sent as usize);
        self.lengths.truncate(frame.lengths as usize);
        self.unpin(frame.root);
    }

    /// The path goes on to a state.
    fn enter(
        &mut self,
        engine: &mut Engine<'_>,
        root: Root,
        steps: Option<Box<[Step]>>,
        channels: &mut Channels,
        pumps: &mut Vec<Pump>,
    ) -> Result<(), Why> {
        let (store, words) = (&self.store, &mut self.words);
        words.clear();
        store.unfold(&mut self.hand, root, |first| engine.bits(first), words);
        // Engines that have not met its shape must build it.
        let first_length = self.lengths.len();
        let mut longest = 0;
        for number in 1..=engine.channel_count(words).min(255) as u8 {
            let length = engine.length(number, words);
            longest = longest.max(length);
            self.lengths.push(length as u16);
        }
        if longest > self.longest {
            self.longer = true;
            self.lengths.truncate(first_length);
            self.unpin(root);
            return Ok(());
        }
        let marked = self.log.len();
        if !self.log_sent(engine, first_length, steps.as_deref()) {
            // What was sent is not known: no loop goes through here.
            self.log.push((0, 0));
        }
        for number in 1..=(self.lengths.len() - first_length) as u8 {
            let length = self.lengths[first_length + usize::from(number) - 1];
            if length > 0
                && let Some(id) = channels.id(engine, number, &self.words)
            {
                channels.met(id, u32::from(length));
            }
        }
        self.key.clear();
        engine.control_key(&self.words, &mut self.key);
        let hash = self.hasher.hash_one(&self.key);
        let same = self.index.insert(hash, self.path.len() as u32);
        self.path.push(Frame {
            root,
            hash,
            same,
            sent: marked as u32,
            lengths: first_length as u32,
            steps,
        });
        self.waiting.push(root.to_bits() | ON_PATH);
        let mut disturbed = false;
        if same.is_some() {
            disturbed |= self.look_for_loop(engine, channels, pumps);
        }
        if !self.cycles.is_empty() {
            disturbed |= self.look_for_cycle(engine, channels, pumps);
        }
        if disturbed {
            self.words.clear();
            let (store, words) = (&self.store, &mut self.words);
            store.unfold(&mut self.hand, root, |first| engine.bits(first), words);
        }
        self.counts.max_depth = self.counts.max_depth.max(self.path.len() as u64);
        self.expand(engine)
    }

    /// Puts the next states of the last state of the path on the stack.
    fn expand(&mut self, engine: &mut Engine<'_>) -> Result<(), Why> {
        loop {
            let (waiting, complex) = (self.waiting.len(), self.complex.len());
            let mut next = Next {
                store: &self.store,
                hand: &mut self.hand,
                waiting: &mut self.waiting,
                complex: &mut self.complex,
                is_complex: &self.is_complex,
                matched: 0,
                found: 0,
                no_room: false,
                fault: None,
            };
            engine.successors(&self.words, &mut next);
            let (matched, found, no_room) = (next.matched, next.found, next.no_room);
            let fault = next.fault;
            if !no_room {
                // What comes after a step that fails is not known; the rest is looked at.
                self.fault = self.fault.take().or(fault);
                self.counts.matched += matched;
                self.counts.transitions += found;
                return Ok(());
            }
            self.waiting.truncate(waiting);
            self.complex.truncate(complex);
            self.make_room(true)?;
        }
    }
}

/// Takes the next states of a state.
struct Next<'r> {
    store: &'r Store,
    hand: &'r mut Hand,
    waiting: &'r mut Vec<u64>,
    complex: &'r mut Vec<Box<[Step]>>,
    is_complex: &'r [Vec<Vec<bool>>],
    matched: u64,
    found: u64,
    no_room: bool,
    fault: Option<FaultKind>,
}

impl Visitor for Next<'_> {
    fn next(&mut self, words: &[u64], bits: u32, path: Path<'_>) {
        if self.no_room {
            return;
        }
        let Ok(root) = self.store.fold(self.hand, words, bits) else {
            self.no_room = true;
            return;
        };
        self.found += 1;
        if self.store.get(root).is_some() {
            self.matched += 1;
            return;
        }
        let simple = path.only().is_some_and(|step| {
            !self.is_complex[step.kind as usize][step.location as usize][usize::from(step.edge)]
        });
        if simple {
            self.waiting.push(root.to_bits());
        } else {
            self.complex.push(path.steps().into_boxed_slice());
            self.waiting.push(root.to_bits() | COMPLEX);
        }
    }

    fn fault(&mut self, fault: FaultKind, _: Path<'_>) {
        if ends_path(&fault) && self.fault.is_none() {
            self.fault = Some(fault);
        }
    }
}

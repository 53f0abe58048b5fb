//! A depth-first search written down, as numbers, and taken up again from them.
//!
//! Written are: what the systems of the workers have learnt; the counts; the hidden words; the
//! pieces of path that workers share; what each worker holds; the jobs that nobody has taken; and
//! the store. Whoever reads it makes of every holding a job, so that the search can go on with any
//! number of workers. The numbers are trusted: whoever keeps them in a file must see to it that they
//! are the ones that were written.

use crate::ancestry::Segment;
use crate::control::{Counts, Cut};
use crate::holding::{Given, Holding, Job, Resumed};
use crate::stack::Entry;
use ahash::AHashMap;
use pverify_store::{Root, Store};
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

/// A search at a moment when all its workers rest.
#[derive(Debug)]
pub struct Snapshot<'a> {
    pub(crate) memos: &'a [Vec<u64>],
    pub(crate) counts: Counts,
    pub(crate) cut: Option<Cut>,
    pub(crate) hidden: &'a [u64],
    pub(crate) holdings: &'a [&'a Holding],
    pub(crate) jobs: &'a [Job],
    pub(crate) store: &'a Store,
}

/// What a search goes on with; the store comes behind it.
#[derive(Debug, Default)]
pub(crate) struct Beginning {
    pub(crate) memos: Vec<Vec<u64>>,
    pub(crate) counts: Counts,
    pub(crate) cut: Option<Cut>,
    pub(crate) hidden: Vec<u64>,
    pub(crate) jobs: Vec<Job>,
}

/// Why a search cannot be taken up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unusable {
    /// It is one of another system.
    Foreign,
    /// It does not fit the memory.
    Memory,
}

impl Snapshot<'_> {
    /// Writes everything.
    pub fn write(&self, put: &mut dyn FnMut(u64)) {
        put(self.memos.len() as u64);
        self.memos.iter().for_each(|memo| write_all(memo.iter().copied(), memo.len(), put));
        let counts = &self.counts;
        for count in [counts.states, counts.transitions, counts.matched, counts.max_depth] {
            put(count);
        }
        put(counts.errors);
        put(counts.replacements);
        put(match self.cut {
            Some(Cut::Depth) => 1,
            Some(Cut::Fault) => 2,
            Some(Cut::Memory | Cut::Stopped) | None => 0,
        });
        write_all(self.hidden.iter().copied(), self.hidden.len(), put);
        let segments = self.segments();
        let number = |segment: Option<&Arc<Segment>>| {
            segment.map_or(0, |segment| segments.numbers[&Arc::as_ptr(segment)])
        };
        put(segments.in_order.len() as u64);
        for segment in &segments.in_order {
            put(number(segment.before.as_ref()));
            put(segment.depth);
            let roots = segment.roots.iter().map(|root| root.to_bits());
            write_all(roots, segment.roots.len(), put);
        }
        // What was taken up from an earlier snapshot, and waits still, is held by nobody.
        let waiting = || self.jobs.iter().filter_map(|job| Some((job, job.resumed.as_ref()?)));
        put((self.holdings.len() + waiting().count()) as u64);
        for holding in self.holdings {
            put(number(holding.before.as_ref()));
            write_given(&holding.given, &number, put);
            put(holding.unsettled.map_or(0, |done| done as u64 + 1));
            for stack in [&holding.stack, &holding.aside] {
                write_all(stack.iter().map(Entry::to_bits), stack.len(), put);
            }
        }
        for (job, resumed) in waiting() {
            put(number(job.before.as_ref()));
            write_given(&resumed.given, &number, put);
            put(resumed.unsettled.map_or(0, |done| done as u64 + 1));
            for entries in [&job.entries, &resumed.aside] {
                write_all(entries.iter().map(|entry| entry.to_bits()), entries.len(), put);
            }
        }
        let fresh = || self.jobs.iter().filter(|job| job.resumed.is_none());
        put(fresh().count() as u64);
        for job in fresh() {
            put(number(job.before.as_ref()));
            write_all(job.entries.iter().map(|entry| entry.to_bits()), job.entries.len(), put);
        }
        self.store.write(put);
    }

    /// All pieces of path that are shared, each behind the one before it.
    fn segments(&self) -> Segments<'_> {
        let mut segments = Segments::default();
        for holding in self.holdings {
            segments.add(holding.before.as_ref());
            holding.given.iter().for_each(|given| segments.add(Some(&given.segment)));
        }
        for job in self.jobs {
            segments.add(job.before.as_ref());
            let given = job.resumed.iter().flat_map(|resumed| &resumed.given);
            given.for_each(|given| segments.add(Some(&given.segment)));
        }
        segments
    }
}

/// Pieces of path, numbered from 1 on.
#[derive(Default)]
struct Segments<'a> {
    in_order: Vec<&'a Arc<Segment>>,
    numbers: AHashMap<*const Segment, u64>,
}

impl<'a> Segments<'a> {
    fn add(&mut self, end: Option<&'a Arc<Segment>>) {
        let mut new = Vec::new();
        let mut at = end;
        while let Some(segment) = at.filter(|&s| !self.numbers.contains_key(&Arc::as_ptr(s))) {
            new.push(segment);
            at = segment.before.as_ref();
        }
        for segment in new.into_iter().rev() {
            self.in_order.push(segment);
            self.numbers.insert(Arc::as_ptr(segment), self.in_order.len() as u64);
        }
    }
}

fn write_given(
    given: &[Given],
    number: &impl Fn(Option<&Arc<Segment>>) -> u64,
    put: &mut dyn FnMut(u64),
) {
    put(given.len() as u64);
    for given in given {
        put(given.reaches);
        put(given.place as u64);
        put(number(Some(&given.segment)));
    }
}

fn write_all(words: impl Iterator<Item = u64>, count: usize, put: &mut dyn FnMut(u64)) {
    put(count as u64);
    words.for_each(put);
}

impl Beginning {
    /// Reads what [`Snapshot::write`] has written, up to the store.
    pub(crate) fn read(take: &mut dyn FnMut() -> u64, shared: &Arc<AtomicUsize>) -> Self {
        let memos = (0..take()).map(|_| read_all(take)).collect();
        let counts = Counts {
            states: take(),
            transitions: take(),
            matched: take(),
            max_depth: take(),
            errors: take(),
            replacements: take(),
            store_bytes: 0,
        };
        let cut = match take() {
            1 => Some(Cut::Depth),
            2 => Some(Cut::Fault),
            _ => None,
        };
        let hidden = read_all(take);
        let mut segments: Vec<Arc<Segment>> = Vec::new();
        for _ in 0..take() {
            let before = segment(&segments, take());
            let depth = take();
            let roots = read_all(take).into_iter().map(Root::from_bits).collect();
            segments.push(Segment::new(roots, before, depth, shared));
        }
        let mut jobs = Vec::new();
        for _ in 0..take() {
            let before = segment(&segments, take());
            let given = (0..take()).filter_map(|_| {
                let (reaches, place) = (take(), take() as usize);
                Some(Given { reaches, place, segment: segment(&segments, take())? })
            });
            let given = given.collect();
            let unsettled = take().checked_sub(1).map(|done| done as usize);
            let [entries, aside] = [(); 2].map(|()| read_all(take));
            let [entries, aside] = [entries, aside]
                .map(|bits| bits.into_iter().map(Entry::from_bits).collect::<Vec<_>>());
            if !entries.is_empty() || !aside.is_empty() {
                let resumed = Some(Box::new(Resumed { given, aside, unsettled }));
                jobs.push(Job { before, entries, resumed });
            }
        }
        for _ in 0..take() {
            let before = segment(&segments, take());
            let entries = read_all(take).into_iter().map(Entry::from_bits).collect();
            jobs.push(Job { before, entries, resumed: None });
        }
        Self { memos, counts, cut, hidden, jobs }
    }
}

fn segment(segments: &[Arc<Segment>], number: u64) -> Option<Arc<Segment>> {
    segments.get((number as usize).checked_sub(1)?).cloned()
}

fn read_all(take: &mut dyn FnMut() -> u64) -> Vec<u64> {
    (0..take()).map(|_| take()).collect()
}

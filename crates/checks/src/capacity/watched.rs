//! A model with some capacities, watched: deadlocks that are there only because a channel is full are
//! told from others, and what goes wrong is compared with what went wrong before.

use ahash::AHashSet;
use pverify_model::lift::DeclarationOf;
use pverify_native::Native;
use pverify_search::system::System;
use pverify_semantics::Engine;
use pverify_semantics::fault::FaultKind;
use pverify_semantics::successors::{Path, Visitor};
use std::sync::Arc;

/// Something that goes wrong: what, and in which step (process type, location, edge).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Wrong {
    kind: &'static str,
    step: Option<(u32, u32, u16)>,
}

impl Wrong {
    fn of(fault: &FaultKind, path: &Path<'_>) -> Self {
        let step = path.steps().last().map(|step| (step.kind, step.location, step.edge));
        Self { kind: fault.name(), step }
    }
}

/// What is done about what goes wrong.
#[derive(Clone, Debug)]
pub(super) enum Judge {
    /// It is collected, and lengths are measured.
    Collects,
    /// What is not among these ends the search, and so does a deadlock that a full channel causes.
    Compares(Arc<AHashSet<Wrong>>),
    /// Only such a deadlock does.
    Deadlocks,
}

/// See the module.
#[derive(Debug)]
pub(super) struct Watched<'m> {
    fast: Native<'m>,
    judge: Judge,
    of: Arc<DeclarationOf>,
    /// What went wrong.
    pub(super) met: AHashSet<Wrong>,
    /// The greatest length by declaration, where it is measured.
    pub(super) longest: Vec<u32>,
    /// Whether a full channel causes a deadlock.
    pub(super) added: bool,
}

impl<'m> Watched<'m> {
    pub(super) fn new(engine: Engine<'m>, judge: Judge, of: Arc<DeclarationOf>) -> Self {
        let fast = Native::new(engine);
        Self { fast, judge, of, met: AHashSet::new(), longest: Vec::new(), added: false }
    }

    pub(super) fn engine(&self) -> &Engine<'m> {
        self.fast.engine()
    }

    fn measure(&mut self, words: &[u64]) {
        let engine = self.fast.engine_mut();
        for number in 1..=engine.channel_count(words).min(255) as u8 {
            let length = engine.length(number, words);
            if length == 0 {
                continue;
            }
            let place = usize::from(number) - 1;
            let of = match self.of.globals.get(place) {
                Some(of) => *of,
                None => match engine.owner_of(number, words) {
                    (Some(pid), at) => engine.process(words, pid).and_then(|process| {
                        self.of.locals.get(process.kind as usize)?.get(at).copied().flatten()
                    }),
                    (None, _) => None,
                },
            };
            let Some(of) = of else { continue };
            if self.longest.len() <= of {
                self.longest.resize(of + 1, 0);
            }
            self.longest[of] = self.longest[of].max(length);
        }
    }
}

impl System for Watched<'_> {
    fn initial(&self) -> Vec<u64> {
        System::initial(&self.fast)
    }

    fn hidden(&self) -> usize {
        self.fast.hidden()
    }

    #[inline]
    fn bits(&mut self, first: u64) -> u32 {
        self.fast.bits(first)
    }

    #[inline]
    fn successors<V: Visitor>(&mut self, words: &[u64], visitor: &mut V) {
        let Self { fast, judge, met, .. } = self;
        let mut filter = Filter { visitor, judge, met, stuck: false };
        fast.successors(words, &mut filter);
        if filter.stuck {
            if self.fast.engine_mut().moves_with_room(words) {
                self.added = true;
                if !matches!(self.judge, Judge::Collects) {
                    visitor.fault(FaultKind::InvalidEndState, Path::NONE);
                }
            } else {
                let Self { judge, met, .. } = self;
                Filter { visitor, judge, met, stuck: false }
                    .judge(FaultKind::InvalidEndState, Path::NONE);
            }
        }
        if matches!(self.judge, Judge::Collects) {
            self.measure(words);
        }
    }

    fn fork(&self) -> Self {
        let fast = self.fast.fork();
        let (judge, of) = (self.judge.clone(), Arc::clone(&self.of));
        Self { fast, judge, of, met: AHashSet::new(), longest: Vec::new(), added: false }
    }

    fn join(&mut self, other: Self) {
        self.met.extend(other.met);
        self.longest.resize(self.longest.len().max(other.longest.len()), 0);
        for (longest, more) in self.longest.iter_mut().zip(other.longest) {
            *longest = (*longest).max(more);
        }
        self.added |= other.added;
        self.fast.join(other.fast);
    }
}

/// Passes on what the judge wants to be known.
struct Filter<'f, V> {
    visitor: &'f mut V,
    judge: &'f Judge,
    met: &'f mut AHashSet<Wrong>,
    stuck: bool,
}

impl<V: Visitor> Filter<'_, V> {
    fn judge(&mut self, fault: FaultKind, path: Path<'_>) {
        match self.judge {
            // Limits and mistakes of ours are no behaviour of the model.
            _ if matches!(fault, FaultKind::Limit(_) | FaultKind::Misfit(_)) => {
                self.visitor.fault(fault, path);
            }
            Judge::Collects => {
                self.met.insert(Wrong::of(&fault, &path));
            }
            Judge::Compares(known) if !known.contains(&Wrong::of(&fault, &path)) => {
                self.visitor.fault(fault, path);
            }
            Judge::Compares(_) | Judge::Deadlocks => {}
        }
    }
}

impl<V: Visitor> Visitor for Filter<'_, V> {
    #[inline]
    fn next(&mut self, words: &[u64], bits: u32, path: Path<'_>) {
        self.visitor.next(words, bits, path);
    }

    fn fault(&mut self, fault: FaultKind, path: Path<'_>) {
        match fault {
            FaultKind::InvalidEndState => self.stuck = true,
            fault => self.judge(fault, path),
        }
    }
}

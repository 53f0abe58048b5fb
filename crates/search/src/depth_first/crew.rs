//! Calls the workers of a search together, lets them begin or go on, and joins what they found.

use super::Worker;
use crate::base::{Base, settings_for};
use crate::control::{Cut, Observer, Outcome, Settings};
use crate::hooks::{Hooks, Passing, Reachability};
use crate::pool::{Kind, Pool};
use crate::snapshot::{Beginning, Unusable};
use crate::system::System;
use std::sync::Arc;

/// Explores everything reachable, deep first, and looks for faults of the system.
pub fn search<S: System>(
    system: &mut S,
    settings: &Settings,
    observer: &mut dyn Observer,
) -> Outcome {
    search_with(system, &mut Reachability, settings, observer)
}

/// Explores everything reachable, deep first, with the hooks of a check.
pub fn search_with<S: System, H: Hooks>(
    system: &mut S,
    hooks: &mut H,
    settings: &Settings,
    observer: &mut dyn Observer,
) -> Outcome {
    let settings = settings_for(system, settings);
    let pool = Pool::new(&settings, kind::<H>());
    run(system, hooks, pool, None, &settings, observer)
}

/// Goes on with a search where a snapshot of it was made, whose numbers `take` gives one by one. The
/// settings must be the same, but for memory, threads, seed and snapshots. The hooks must have no
/// state of their own: it is not written.
///
/// # Errors
/// When the snapshot is one of another system, or there is too little memory for it.
pub fn resume_with<S: System, H: Hooks>(
    system: &mut S,
    hooks: &mut H,
    settings: &Settings,
    take: &mut dyn FnMut() -> u64,
    observer: &mut dyn Observer,
) -> Result<Outcome, Unusable> {
    let settings = settings_for(system, settings);
    let shared = Arc::default();
    let beginning = Beginning::read(take, &shared);
    if !beginning.memos.iter().all(|memo| memo.is_empty() || system.recall(memo)) {
        return Err(Unusable::Foreign);
    }
    let pool = Pool::resume(&settings, kind::<H>(), (&beginning, shared), take);
    let pool = pool.map_err(|_| Unusable::Memory)?;
    Ok(run(system, hooks, pool, Some(beginning), &settings, observer))
}

/// What the hooks ask of the store.
fn kind<H: Hooks>() -> Kind {
    if H::PASSING == Passing::Claimed && !H::SETS_ASIDE { Kind::Claiming } else { Kind::Replacing }
}

fn run<S: System, H: Hooks>(
    system: &mut S,
    hooks: &mut H,
    pool: Pool,
    beginning: Option<Beginning>,
    settings: &Settings,
    observer: &mut dyn Observer,
) -> Outcome {
    if settings.snapshots {
        pool.say_first(system.memo());
    }
    let mut workers = (0..settings.threads.get())
        .map(|number| Worker::new(Base::new(number, (&*system, &*hooks), settings, &pool)));
    let mut joined = Vec::new();
    if let Some(mut first) = workers.next() {
        match beginning {
            Some(beginning) => {
                first.base.hidden.recall(&beginning.hidden);
                beginning.jobs.into_iter().for_each(|job| pool.offer(job));
            }
            None if first.begin().is_err() => pool.cut(Cut::Memory),
            None => {}
        }
        let mut others: Vec<_> = workers.collect();
        std::thread::scope(|scope| {
            let mut called = Vec::new();
            let mut call = || {
                for other in others.drain(..) {
                    called.push(scope.spawn(|| other.work(None, &mut || {})));
                }
            };
            joined.push(first.work(Some(observer), &mut call));
            // A worker does not panic; if one did, the search is not complete.
            for other in called {
                match other.join() {
                    Ok(done) => joined.push(done),
                    Err(_) => pool.lost_a_worker(),
                }
            }
        });
    }
    if settings.snapshots && pool.can_be_resumed() {
        let workers = joined.iter();
        let holdings: Vec<_> =
            workers.flat_map(|worker| [&worker.lane.holding, &worker.resting.holding]).collect();
        let jobs = pool.take_all();
        pool.save((&pool.store(), &holdings, &jobs), observer);
    }
    let mut counts = pool.carried();
    let mut parts = Vec::new();
    for worker in joined {
        let (part, filling, counted) = worker.base.finish();
        counts.add(&counted);
        parts.push((part, filling));
    }
    for (part, filling) in parts {
        system.join(part);
        hooks.join(filling);
    }
    counts.store_bytes = pool.store().bytes();
    pool.into_found(counts.states).outcome(counts, settings)
}

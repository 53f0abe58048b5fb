//! The gallery with several workers: the counts that the headers promise, and all states though
//! the store has room for a part of them only.

use pverify_checks::safety::safety;
use pverify_model::load::{Loaded, load_text};
use pverify_search::control::{Cut, Observer, Outcome, Progress, Settings, Wanted};
use pverify_search::depth_first;
use pverify_search::system::System;
use pverify_semantics::Engine;
use pverify_semantics::successors::Visitor;
use pverify_verdict::Verdict;
use std::collections::HashSet;
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, PoisonError};

const ALL: Wanted = Wanted { deadlocks: true, steps: true };

struct Patient;

impl Observer for Patient {
    fn go_on(&mut self, _: &Progress) -> bool {
        true
    }
}

/// Stops a search that visits states too often.
struct Impatient {
    most: u64,
}

impl Observer for Impatient {
    fn go_on(&mut self, progress: &Progress) -> bool {
        progress.counts.states < self.most
    }
}

/// A model of the gallery and what its header promises: whether it holds, states, transitions.
struct Model {
    name: String,
    loaded: Loaded,
    promise: (bool, u64, u64),
}

fn gallery(most_states: u64) -> Vec<Model> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../protocols");
    let mut models = Vec::new();
    for file in std::fs::read_dir(folder).expect("the gallery").flatten() {
        let name = file.file_name().to_string_lossy().into_owned();
        if !name.ends_with(".pml") {
            continue;
        }
        let text = std::fs::read_to_string(file.path()).expect("a model");
        let promise = text.lines().find_map(promise).expect("a promise");
        if promise.1 <= most_states {
            models.push(Model { name, loaded: load_text(text), promise });
        }
    }
    models.sort_by(|one, other| one.name.cmp(&other.name));
    models
}

fn promise(line: &str) -> Option<(bool, u64, u64)> {
    let line = line.split_once("expect: safety ")?.1;
    let number = |name: &str| {
        line.split_whitespace().find_map(|word| word.strip_prefix(name)?.parse::<u64>().ok())
    };
    Some((line.starts_with("holds"), number("states=")?, number("transitions=")?))
}

fn with(threads: usize, seed: u64) -> Settings {
    let threads = NonZeroUsize::new(threads).expect("at least one");
    Settings { threads, seed, alone: 0, all_errors: true, ..Settings::new(ALL) }
}

/// The promise is kept by every search; what is violated is confirmed, step by step.
fn check(model: &Model, runs: u64) {
    for threads in [1, 2, 8] {
        for seed in 0..runs {
            let mut engine = Engine::new(&model.loaded.model);
            let answer = safety(&mut engine, &with(threads, seed), false, &mut Patient);
            let holds = match answer.verdict {
                Verdict::Holds { .. } => true,
                Verdict::Violated { .. } => false,
                Verdict::Inconclusive { reason } => panic!("{}: {reason}", model.name),
            };
            let found = (holds, answer.counts.states, answer.counts.transitions);
            assert_eq!(found, model.promise, "{}, {threads} threads", model.name);
        }
    }
}

#[test]
fn small_models_have_the_same_counts_each_time() {
    gallery(2000).iter().for_each(|model| check(model, 20));
}

#[test]
fn larger_models_have_the_same_counts() {
    let models = gallery(60_000);
    models.iter().filter(|model| model.promise.1 > 2000).for_each(|model| check(model, 1));
}

/// A model that remembers which of its states were explored.
struct Recording<'m> {
    engine: Engine<'m>,
    explored: Arc<Mutex<HashSet<Vec<u64>>>>,
}

impl<'m> Recording<'m> {
    fn of(engine: &Engine<'m>) -> Self {
        Self { engine: engine.fork(), explored: Arc::default() }
    }

    fn explored(&self) -> HashSet<Vec<u64>> {
        std::mem::take(&mut self.explored.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl System for Recording<'_> {
    fn initial(&self) -> Vec<u64> {
        System::initial(&self.engine)
    }

    fn hidden(&self) -> usize {
        System::hidden(&self.engine)
    }

    fn bits(&mut self, first: u64) -> u32 {
        System::bits(&mut self.engine, first)
    }

    fn successors<V: Visitor>(&mut self, words: &[u64], visitor: &mut V) {
        let visible = words[self.hidden()..].to_vec();
        self.explored.lock().unwrap_or_else(PoisonError::into_inner).insert(visible);
        System::successors(&mut self.engine, words, visitor);
    }

    fn fork(&self) -> Self {
        Self { engine: self.engine.fork(), explored: Arc::clone(&self.explored) }
    }
}

/// Models, and the least part of their states (in percent) with which one worker can do: the path
/// must have room, and with little more every state comes again and again.
const LITTLE: [(&str, u64); 12] = [
    ("bubble-sort", 20),
    ("needham-schroeder", 20),
    ("needham-schroeder-lowe", 20),
    ("poll-and-eval", 20),
    ("priority-queue", 20),
    ("spawning-server", 20),
    ("two-phase-commit-forgets", 20),
    ("unless-nested", 20),
    ("bounded-retransmission", 40),
    ("szymanski", 40),
    ("elevator", 60),
    ("token-ring", 60),
];

#[test]
fn with_little_room_every_state_is_visited_and_the_answer_is_the_same() {
    for model in gallery(60_000) {
        let little = LITTLE.iter().find(|(name, _)| *name == model.name.trim_end_matches(".pml"));
        let Some(&(name, least)) = little else { continue };
        let engine = Engine::new(&model.loaded.model);
        let mut full = Recording::of(&engine);
        depth_first::search(&mut full, &with(1, 0), &mut Patient);
        let all = full.explored();
        assert_eq!(all.len() as u64, model.promise.1, "{name}");
        for percent in [60, 40, 20] {
            for threads in [1, 4] {
                let what = format!("{name}, {percent} %, {threads} threads");
                let most_states = Some(all.len() as u64 * percent / 100);
                let settings = Settings { most_states, ..with(threads, 1) };
                let mut system = Recording::of(&engine);
                let mut impatient = Impatient { most: 50 * all.len() as u64 };
                let outcome = depth_first::search(&mut system, &settings, &mut impatient);
                let Outcome { counts, violation, cut, .. } = outcome;
                if cut.is_none() {
                    assert_eq!(system.explored(), all, "{what}");
                    assert_eq!(violation.is_none(), model.promise.0, "{what}");
                    assert!(counts.states >= model.promise.1, "{what}");
                    assert!(counts.replacements > 0, "{what}");
                } else {
                    // Several paths need more room than one.
                    assert!(threads > 1 || percent < least, "{what}: {cut:?}");
                    assert!(matches!(cut, Some(Cut::Memory | Cut::Stopped)), "{what}: {cut:?}");
                }
            }
        }
    }
}

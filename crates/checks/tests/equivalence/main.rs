//! The check of relations between two models, against their definitions.

#![allow(clippy::print_stdout, reason = "seeds, and what the samples were like, are told")]

mod oracle;
mod promela;
mod protocols;
mod renamed;

use oracle::Small;
use pverify_checks::equivalence::view::{Wish, views};
use pverify_checks::equivalence::{EquivalenceAnswer, Relation, equivalence};
use pverify_model::load::Loaded;
use pverify_model::transitions::load_transitions_text;
use pverify_search::control::{Counts, Observer, Progress, Settings, Wanted};
use pverify_semantics::Engine;
use pverify_semantics::action::names::Names;
use pverify_verdict::Verdict;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use std::num::NonZeroUsize;

const RELATIONS: [Relation; 6] = [
    Relation::Strong,
    Relation::StrongSimulation,
    Relation::Weak,
    Relation::Safety,
    Relation::SafetyPreorder,
    Relation::Observational,
];

/// Without memory a search may take as long as there are paths: it is given up then.
struct Patient(u64);

const MOST_VISITS: u64 = 50_000;

impl Observer for Patient {
    fn go_on(&mut self, progress: &Progress) -> bool {
        progress.counts.states < self.0
    }

    fn reason(&self, counts: &Counts) -> Option<String> {
        (counts.states >= self.0).then(|| "the memory limit makes it long".to_owned())
    }
}

fn load(text: String) -> Loaded {
    let loaded = load_transitions_text(text);
    assert!(!loaded.has_errors(), "{:?}", loaded.diagnostics);
    loaded
}

/// The verdict, and how it was found; `None` where memory was too small, or an atomic block has no end.
fn verdict(
    models: [&Loaded; 2],
    wish: &Wish,
    relation: Relation,
    settings: &Settings,
) -> (Option<bool>, EquivalenceAnswer) {
    verdict_within(MOST_VISITS, models, wish, relation, settings)
}

/// The same, with so much patience.
fn verdict_within(
    visits: u64,
    models: [&Loaded; 2],
    wish: &Wish,
    relation: Relation,
    settings: &Settings,
) -> (Option<bool>, EquivalenceAnswer) {
    let mut patient = Patient(visits);
    let mut engines = models.map(|one| Engine::new(&one.model));
    let views = views(models.map(|one| Names::new(&one.model)), wish).expect("patterns");
    let [left, right] = &mut engines;
    let found = equivalence([left, right], views, relation, settings, false, &mut patient);
    let known = match &found.answer.verdict {
        Verdict::Holds { .. } => Some(true),
        Verdict::Violated { .. } => {
            assert!(found.distinguishing.is_some());
            Some(false)
        }
        Verdict::Inconclusive { reason } => {
            assert!(
                ["memory limit", "in a circle"].iter().any(|one| reason.contains(one)),
                "{reason}"
            );
            None
        }
    };
    (known, found)
}

/// How many random pairs: all of them where optimised code runs.
const PAIRS: u64 = if cfg!(debug_assertions) { 300 } else { 5000 };

/// What happened in a comparison: verdicts, of each relation and of pairs of deterministic systems,
/// searches in which an answer was chosen, searches that were repeated, and verdicts after pairs had
/// given way.
#[derive(Debug, Default)]
struct Happened {
    decided: u64,
    by_relation: [u64; RELATIONS.len()],
    deterministic: u64,
    chosen: u64,
    repeated: u64,
    replaced: u64,
}

fn compare(seeds: std::ops::Range<u64>, settings: impl Fn(&mut StdRng) -> Settings) -> Happened {
    println!("seeds {seeds:?}");
    let (mut happened, mut open) = (Happened::default(), 0);
    let mut answers = [[0; 2]; RELATIONS.len()];
    for seed in seeds {
        let mut random = StdRng::seed_from_u64(seed);
        let (one, two) = oracle::pair(&mut random);
        let loaded = [&one, &two].map(|small: &Small| load(small.to_aut(&mut random)));
        for (at, relation) in RELATIONS.into_iter().enumerate() {
            let settings = settings(&mut random);
            let expected = oracle::related(&one, &two, relation.name());
            answers[at][usize::from(expected)] += 1;
            let wish = Wish::default();
            let (known, found) = verdict([&loaded[0], &loaded[1]], &wish, relation, &settings);
            let Some(known) = known else {
                open += 1;
                continue;
            };
            assert_eq!(known, expected, "seed {seed}, {relation:?}: {one:?} {two:?}");
            happened.decided += 1;
            happened.by_relation[at] += 1;
            happened.deterministic += u64::from(one.is_deterministic() && two.is_deterministic());
            happened.chosen += u64::from(found.route.searches > 0);
            happened.repeated += u64::from(found.route.searches > 1);
            happened.replaced += u64::from(found.answer.counts.replacements > 0);
        }
    }
    // Both answers must occur often, or the comparison says little.
    for (relation, [no, yes]) in RELATIONS.iter().zip(answers) {
        assert!(no * 8 > yes && yes * 8 > no, "{relation:?}: {no} not related, {yes} related");
    }
    assert!(open * 5 <= happened.decided, "{open} were left open: {happened:?}");
    let Happened { decided, deterministic, .. } = happened;
    assert!(deterministic * 4 > decided && deterministic * 4 < decided * 3, "{happened:?}");
    println!("{answers:?} {happened:?}, {open} left open");
    happened
}

fn roomy() -> Settings {
    Settings::new(Wanted::PROPERTY)
}

#[test]
fn random_pairs_agree_with_the_definitions() {
    let happened = compare(0..PAIRS, |_| roomy());
    let Happened { decided, chosen, by_relation, .. } = happened;
    assert_eq!(by_relation, [PAIRS; RELATIONS.len()]);
    assert!(chosen * 10 > decided && chosen * 10 < decided * 9, "{happened:?}");
}

#[test]
fn random_pairs_agree_in_tiny_stores() {
    // Some are left open: where the path alone takes more room than there is.
    let happened = compare(100_000..100_000 + PAIRS * 4 / 3, |random| Settings {
        most_states: Some(random.random_range(1..5)),
        seed: random.random(),
        ..roomy()
    });
    let Happened { decided, repeated, replaced, by_relation, .. } = happened;
    assert!(by_relation.iter().all(|&decided| decided >= PAIRS), "{happened:?}");
    assert!(replaced * 12 > decided && repeated * 200 > decided, "{happened:?}");
}

#[test]
fn random_pairs_agree_with_several_workers() {
    compare(200_000..200_000 + PAIRS / 10, |random| Settings {
        threads: NonZeroUsize::MIN.saturating_add(2),
        alone: 0,
        seed: random.random(),
        ..roomy()
    });
}

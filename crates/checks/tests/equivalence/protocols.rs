//! Protocols against the services that they promise, in as much memory as there is and in a part of it.

use crate::verdict_within;
use pverify_checks::equivalence::view::Wish;
use pverify_checks::equivalence::{EquivalenceAnswer, Relation};
use pverify_model::load::{Loaded, load_text};
use pverify_search::control::{Settings, Wanted};

const ALTERNATING_BIT: &str = include_str!("../../../../protocols/transfer-alternating-bit.pml");
const WINDOW: &str = include_str!("../../../../protocols/transfer-go-back-n.pml");
const BUFFER: &str = include_str!("../../../../protocols/buffer.pml");

/// A stack as its users see it, with what happens inside: a tree, so that a path is short.
const STACK: &str = "
chan put = [0] of { bit }; chan get = [0] of { bit };
active proctype User() { end: do :: put!0 :: put!1 od }
active proctype Stack() {
    int held; byte count; bit top, mark;
end:
    do
    :: count < PLACES ->
        put?top;
        if :: mark = 0 :: CHOOSES -> mark = 1 fi;
        d_step { held = held * 2 + top; top = 0; count++ }
    :: count > 0 ->
        top = held % 2;
        if :: count == PLACES && BROKEN -> top = 1 - top :: else fi;
        get!top;
        d_step { held = held / 2; top = 0; count-- }
    od
}
active proctype Other() { end: do :: get?_ od }";

fn defined(text: &str, defines: &[(&str, usize)]) -> Loaded {
    let lines = defines.iter().map(|(name, value)| format!("#define {name} {value}\n"));
    let loaded = load_text(lines.collect::<String>() + text);
    assert!(!loaded.has_errors(), "{:?}", loaded.diagnostics);
    loaded
}

fn asked(
    models: [&Loaded; 2],
    relation: Relation,
    settings: &Settings,
) -> (Option<bool>, EquivalenceAnswer) {
    let observe = vec!["put!_".to_owned(), "get!_".to_owned()];
    let wish = Wish { observe, ..Wish::default() };
    verdict_within(u64::MAX, models, &wish, relation, settings)
}

/// Whether a protocol has the safety of its service, both ways and each way by itself.
fn check(protocol: &Loaded, service: &Loaded, expected: bool) {
    let settings = Settings::new(Wanted::PROPERTY);
    let related = |models, relation| asked(models, relation, &settings).0.expect("an answer");
    assert_eq!(related([protocol, service], Relation::Safety), expected);
    assert_eq!(related([service, protocol], Relation::Safety), expected);
    let ways = [[protocol, service], [service, protocol]];
    let each = ways.map(|models| related(models, Relation::SafetyPreorder));
    assert_eq!(each[0] && each[1], expected, "{each:?}");
}

#[test]
fn the_alternating_bit_is_a_buffer_with_one_place() {
    for (broken, expected) in [(0, true), (1, false), (2, false), (3, false), (4, true)] {
        let protocol = defined(ALTERNATING_BIT, &[("BROKEN", broken)]);
        check(&protocol, &defined(BUFFER, &[]), expected);
    }
    // A perfect protocol is no buffer with two places.
    check(&defined(ALTERNATING_BIT, &[]), &defined(BUFFER, &[("PLACES", 2)]), false);
}

#[test]
fn a_window_is_a_buffer_with_as_many_places() {
    let most = if cfg!(debug_assertions) { 2 } else { 3 };
    for window in 1..=most {
        let protocol = defined(WINDOW, &[("WINDOW", window)]);
        for places in 1..=most {
            let service = defined(BUFFER, &[("PLACES", places)]);
            check(&protocol, &service, window == places);
        }
        let narrow = defined(WINDOW, &[("WINDOW", window), ("NUMBERS", window)]);
        check(&narrow, &defined(BUFFER, &[("PLACES", window)]), false);
    }
}

/// In a store for a fifth of the pairs the answer is the same.
#[test]
fn a_fifth_of_the_store_is_enough_where_paths_are_short() {
    let many = if cfg!(debug_assertions) { 9 } else { 16 };
    let stack = |places: usize, chooses: usize, broken: usize| {
        defined(STACK, &[("PLACES", places), ("CHOOSES", chooses), ("BROKEN", broken)])
    };
    for (models, expected, chosen) in [
        ([stack(many, 0, 0), stack(many, 1, 0)], true, true),
        ([stack(9, 0, 0), stack(9, 0, 0)], true, false),
        ([stack(9, 1, 1), stack(9, 1, 0)], false, true),
    ] {
        let models = [&models[0], &models[1]];
        let settings = Settings::new(Wanted::PROPERTY);
        let (answer, full) = asked(models, Relation::SafetyPreorder, &settings);
        let pairs = full.answer.counts.states;
        let few = Settings { most_states: Some(pairs / 5), ..settings };
        let (again, bounded) = asked(models, Relation::SafetyPreorder, &few);
        let visits = bounded.answer.counts.states;
        println!(
            "{pairs} pairs, {:?}; in a fifth {visits} visits, {:?}",
            full.route, bounded.route
        );
        assert_eq!([answer, again], [Some(expected); 2]);
        assert!([full.route, bounded.route].iter().all(|one| (one.searches > 0) == chosen));
        assert!(!expected || bounded.answer.counts.replacements > pairs / 2);
    }
}

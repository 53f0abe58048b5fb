//! Random models of processes and channels, whose graphs are made one elementary step at a time: against
//! these, paths through atomic blocks that are taken apart.

use crate::oracle::{self, Small};
use crate::{RELATIONS, roomy, verdict};
use ahash::AHashMap;
use pverify_checks::equivalence::view::Wish;
use pverify_model::load::{Loaded, load_text};
use pverify_search::control::Settings;
use pverify_semantics::Engine;
use pverify_semantics::action::Deed;
use pverify_semantics::action::names::{Names, TAU};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

/// Of larger graphs the definition takes too long.
const MOST_STATES: usize = 60;

const MODELS: u64 = if cfg!(debug_assertions) { 150 } else { 2000 };

fn model(random: &mut StdRng) -> String {
    let capacity = random.random_range(0..2);
    let mut text =
        format!("chan a = [{capacity}] of {{ bit }}; chan b = [2] of {{ bit }}; bit g;\n");
    for name in ["P", "Q"].into_iter().take(random.random_range(1..3)) {
        let body = statements(random, 3, 2);
        let body = if random.random_bool(0.4) { format!("do :: {body} od") } else { body };
        text += &format!("active proctype {name}() {{ bit x; {body} }}\n");
    }
    text
}

fn statements(random: &mut StdRng, most: usize, depth: usize) -> String {
    let count = random.random_range(1..=most);
    let parts: Vec<String> = (0..count).map(|_| statement(random, depth)).collect();
    parts.join("; ")
}

fn statement(random: &mut StdRng, depth: usize) -> String {
    let value = random.random_range(0..2);
    let choice = |random: &mut StdRng| statements(random, 2, depth - 1);
    match random.random_range(0..if depth == 0 { 9 } else { 13 }) {
        0 => format!("a!{value}"),
        1 => format!("b!{value}"),
        2 => format!("a?{value}"),
        3 => format!("b?{value}"),
        4 => "a?x".to_owned(),
        5 => "b?x".to_owned(),
        6 => "g = 1 - g".to_owned(),
        7 => "here: assert(g == 0)".to_owned(),
        8 => format!("g == {value}"),
        9 => format!("atomic {{ {} }}", choice(random)),
        10 => format!("d_step {{ len(b) == 0; b!{value}; g = 1; b!{} }}", 1 - value),
        11 => format!("if :: {} :: {} fi", choice(random), choice(random)),
        _ => format!("do :: {} :: {}; break od", choice(random), choice(random)),
    }
}

/// The same model, or nearly, or another.
fn relative(random: &mut StdRng, text: &str) -> String {
    match random.random_range(0..8) {
        0 | 1 => model(random),
        2 => text.to_owned(),
        3 => text.replace("atomic {", "skip; {"),
        4 => text.replace("d_step {", "atomic {"),
        5 => text.replacen("b!1", "b!0", 1),
        6 => text.replacen("a!0", "a!1", 1),
        _ => text.replacen("g = 1 - g", "skip", 1),
    }
}

/// The graph of a model, one elementary step after the other; `None` if it is large, or goes wrong.
fn graph(loaded: &Loaded, hidden: &str, labels: &mut AHashMap<String, u8>) -> Option<Small> {
    let mut engine = Engine::new(&loaded.model);
    engine.listen();
    let names = Names::new(&loaded.model);
    let mut called = |deed: &Deed| {
        let name = names.name(&deed.view());
        if name == TAU || name.starts_with(hidden) {
            return 0;
        }
        let next = labels.len() as u8 + 1;
        *labels.entry(name).or_insert(next)
    };
    // Where a run stands: the state, and the process inside an atomic block.
    let mut order = vec![(engine.initial().to_vec(), None)];
    let mut numbers = AHashMap::from([(order[0].clone(), 0)]);
    let (mut edges, mut states, mut at) = (Vec::new(), 1, 0);
    while let Some((words, exclusive)) = order.get(at).cloned() {
        let from = numbers[&order[at]];
        for choice in engine.choices(&words, exclusive) {
            if choice.performed.faults.iter().any(|fault| !fault.is_survivable()) {
                return None;
            }
            let Some(words) = choice.performed.words else { continue };
            let inside = choice.performed.atomic;
            let moved = choice.steps.last().map(|step| usize::from(step.pid));
            let place = (words, moved.filter(|_| inside));
            let to = *numbers.entry(place.clone()).or_insert_with(|| {
                order.push(place);
                states += 1;
                states - 1
            });
            let actions: Vec<u8> = choice.deeds.iter().map(&mut called).collect();
            let (&last, before) = actions.split_last()?;
            let mut here = from;
            for &action in before {
                edges.push((here, action, states));
                here = states;
                states += 1;
            }
            edges.push((here, last, to));
        }
        if states > MOST_STATES {
            return None;
        }
        at += 1;
    }
    Some(Small { states, edges })
}

/// Names of actions that are hidden begin like this; nothing does with the last.
const HIDDEN: [(&str, &str); 4] = [("a!", "a!_"), ("a?", "a?_"), ("b!", "b!_"), ("?", "")];

#[test]
fn random_models_agree_with_their_graphs() {
    let (mut compared, mut open, mut answers) = (0, 0, [[0; 2]; RELATIONS.len()]);
    println!("seeds from 300000 on");
    for seed in 300_000.. {
        if compared == MODELS {
            break;
        }
        let mut random = StdRng::seed_from_u64(seed);
        let one = model(&mut random);
        let two = relative(&mut random, &one);
        let loaded = [load_text(one.clone()), load_text(two.clone())];
        if loaded.iter().any(Loaded::has_errors) {
            continue;
        }
        let (hidden, pattern) = HIDDEN[random.random_range(0..HIDDEN.len())];
        let mut labels = AHashMap::new();
        let rendezvous = [&one, &two].map(|text| text.starts_with("chan a = [0]"));
        let mut small = [None, None];
        for (at, rendezvous) in rendezvous.into_iter().enumerate() {
            // A rendezvous has both names.
            let hidden = if rendezvous && hidden.starts_with('a') { "a" } else { hidden };
            small[at] = graph(&loaded[at], hidden, &mut labels);
        }
        let [Some(left), Some(right)] = &small else { continue };
        compared += 1;
        let hide =
            [pattern].iter().filter(|one| !one.is_empty()).map(ToString::to_string).collect();
        let wish = Wish { hide, ..Wish::default() };
        for (at, relation) in RELATIONS.into_iter().enumerate() {
            let expected = oracle::related(left, right, relation.name());
            answers[at][usize::from(expected)] += 1;
            let most_states = random.random_bool(0.3).then_some(20);
            let settings = Settings { most_states, seed, ..roomy() };
            let (known, found) = verdict([&loaded[0], &loaded[1]], &wish, relation, &settings);
            open += u64::from(known.is_none());
            assert!(
                known.is_none_or(|known| known == expected),
                "seed {seed}, {relation:?}, hidden {pattern}: {:?} found\n{one}{two}",
                found.answer.verdict
            );
        }
    }
    println!("{answers:?}, {open} left open");
    assert!(open < compared, "{open} left open");
    for (relation, [no, yes]) in RELATIONS.iter().zip(answers) {
        assert!(no * 12 > yes && yes * 12 > no, "{relation:?}: {no} not related, {yes} related");
    }
}

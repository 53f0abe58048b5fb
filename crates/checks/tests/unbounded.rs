//! Unbounded channels: textbook systems, traps, and thousands of random systems against brute force.

use pverify_checks::unbounded::{Answer, Evidence, Known, Settings, unbounded};
use pverify_model::lift::lifted;
use pverify_model::load::load_text;
use pverify_search::control::{Observer, Progress};
use pverify_semantics::Engine;
use pverify_semantics::fault::FaultKind;
use pverify_semantics::successors::{Path, Step, Visitor};
use pverify_verdict::Position;
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use std::collections::{BTreeMap, HashSet};
use std::num::NonZeroUsize;

struct Patient;

impl Observer for Patient {
    fn go_on(&mut self, _: &Progress) -> bool {
        true
    }
}

const SETTINGS: Settings = Settings {
    memory: 64 << 20,
    depth: None,
    most_states: 20_000,
    threads: NonZeroUsize::MIN,
    seed: 0,
};

/// What is known, in short: `c unbounded, d <= 2 (exact)`.
fn told(answer: &Answer) -> String {
    let channels = answer.channels.iter().map(|(channel, known)| {
        let name = &channel.name;
        match known {
            Known::Unbounded { .. } => format!("{name} unbounded"),
            Known::Bounded { most, evidence: Evidence::Exhaustion } => format!("{name} = {most}"),
            Known::Bounded { most, .. } => format!("{name} <= {most}"),
            Known::Unknown => format!("{name} unknown"),
        }
    });
    channels.collect::<Vec<_>>().join(", ")
}

fn check(text: &str, expected: &str) {
    let loaded = load_text(text);
    assert!(!loaded.has_errors(), "{:?}", loaded.diagnostics);
    let model = lifted(&loaded.model);
    let mut engine = Engine::new(&model);
    let answer = unbounded(&mut engine, &SETTINGS, &mut Patient);
    assert_eq!(told(&answer), expected, "{text}\n{:?}", answer.ended_by);
}

#[test]
fn connect_and_disconnect() {
    check(
        "mtype = { o, c, d }; chan ab = [1] of { mtype }; chan ba = [1] of { mtype };
         active proctype A() { do :: ab!o; if :: ab!c :: ba?d fi od }
         active proctype B() { do :: ab?o; if :: ab?c :: ba!d fi od }",
        "ab unbounded, ba <= 1",
    );
}

#[test]
fn tests_that_more_messages_change() {
    let model = |body: &str| format!("chan c = [8] of {{ byte }}; {body}");
    let consumer = "active proctype Q() { do :: c?1 od }";
    check(&model("active proctype P() { do :: c?1 :: else -> c!1 od }"), "c = 1");
    check(
        &model(&format!("active proctype P() {{ do :: empty(c) -> c!1 od }} {consumer}")),
        "c = 1",
    );
    check(
        &model(&format!("active proctype P() {{ do :: timeout -> c!1 od }} {consumer}")),
        "c = 1",
    );
    check(&model("active proctype P() { do :: !(c?[1]) -> c!1 od }"), "c = 1");
    check(&model("active proctype P() { c!1; do :: c?[1] -> c!1 od }"), "c unbounded");
    check(&model("active proctype P() { c!1; do :: nempty(c) -> c!1 od }"), "c unbounded");
    check(&model("active proctype P() { c!1; do :: len(c) > 0 -> c!1 od }"), "c unbounded");
    check(&model("active proctype P() { c!1; do :: c?2 :: else -> c!1 od }"), "c unbounded");
    check(&model("active proctype P() { do :: d_step { empty(c) -> c!1 } od }"), "c = 1");
    check(&model("active proctype P() { do :: atomic { c!1; c!1; c?1 } od }"), "c unbounded");
    check(&model("active proctype P() { do :: d_step { c!1; c!1; c?1 } od }"), "c unbounded");
    check(&model("byte n; active proctype P() { do :: n < 4 -> c!1; n = len(c) od }"), "c = 4");
    check(&model("active proctype P() { { do :: c!1 od } unless { nempty(c) -> c?1 } }"), "c = 1");
}

#[test]
fn channels_may_be_longest_inside_a_step() {
    let model = |block: &str| {
        format!("chan c = [8] of {{ byte }}; active proctype P() {{ do :: {block} od }}")
    };
    check(&model("atomic { c!1; c!2; c?_; c?_ }"), "c = 2");
    check(&model("d_step { c!1; c!2; c?_; c!3; c?_; c?_ }"), "c = 2");
    // So in states that only the deep search sees.
    check(
        "chan c = [8] of { byte }; byte n, m;
         active proctype P() { do :: n++ :: m < 9 -> m++ :: n == 200 -> atomic { c!1; c!2; c?_; c?_ } od }",
        "c = 2",
    );
}

#[test]
fn weights_know_what_they_do_not_know() {
    let check = |text: &str, least: u64| {
        let loaded = load_text(text);
        assert!(!loaded.has_errors(), "{:?}", loaded.diagnostics);
        let model = lifted(&loaded.model);
        let settings = Settings { most_states: 4, ..SETTINGS };
        let answer = unbounded(&mut Engine::new(&model), &settings, &mut Patient);
        let (_, known) = &answer.channels[0];
        let wrong = matches!(known, Known::Bounded { most, .. } if *most < least);
        assert!(!wrong, "{}", told(&answer));
    };
    // A channel of a process stands for none of the global ones.
    check(
        "chan c = [1] of { byte };
         proctype S(chan x) { x?257; c!5; c!5; c!5; x?257; c!5; c!5; c!5 }
         proctype R(chan x) { x!257; x!257 }
         init { chan r = [0] of { int }; run S(r); run R(r) }",
        6,
    );
    // What is sent in order is not received in the order of sending.
    check(
        "chan c = [8] of { byte }; chan d = [8] of { byte };
         active proctype P() { c!!2; c!!1; d?1; c!!3; c!!3; c!!3 }
         active proctype Q() { c?1; d!1 }",
        4,
    );
}

fn model_with_noise(noise: u32) -> String {
    format!(
        "chan c = [1] of {{ byte }}; chan r = [0] of {{ bit }}; byte n, m;
         active proctype P() {{ do :: n < 200 -> n++ :: n == 200 -> break od; do :: r!1 od }}
         active proctype Q() {{ do :: r?1 -> c!1 od }}
         active proctype Noise() {{ do :: m = (m + 1) % {noise} :: m = (m + 2) % {noise} od }}"
    )
}

#[test]
fn what_is_found_deep_is_short() {
    for noise in [9, 200] {
        let model = lifted(&load_text(model_with_noise(noise)).model);
        for threads in [NonZeroUsize::MIN, NonZeroUsize::MIN.saturating_add(3)] {
            let settings = Settings { most_states: 400_000, threads, ..SETTINGS };
            let answer = unbounded(&mut Engine::new(&model), &settings, &mut Patient);
            assert_eq!(told(&answer), "c unbounded");
            let pump = &answer.pumps[0];
            assert!(pump.prefix.len() <= 402 && pump.round.len() == 2, "{}", pump.prefix.len());
        }
    }
}

#[test]
fn all_workers_see_the_same() {
    let model = lifted(
        &load_text(
            "chan there[2] = [8] of { byte }; chan back[2] = [8] of { byte }; byte n;
             active [2] proctype S() { byte sent, open; do
                :: open < 3 -> there[_pid]!sent; sent = (sent + 1) % 3; open++
                :: back[_pid]?_ -> open-- od }
             active [2] proctype R() { byte seen; do
                :: there[_pid - 2]?seen -> back[_pid - 2]!seen od }
             active proctype N() { do :: n = (n + 1) % 2 od }",
        )
        .model,
    );
    let ask = |threads: usize| {
        let threads = NonZeroUsize::new(threads).unwrap_or(NonZeroUsize::MIN);
        let settings = Settings { most_states: 1_000_000, threads, ..SETTINGS };
        let answer = unbounded(&mut Engine::new(&model), &settings, &mut Patient);
        assert!(answer.complete, "{:?}", answer.ended_by);
        (told(&answer), answer.counts.states, answer.counts.transitions)
    };
    let alone = ask(1);
    assert!(alone.1 > 30_000, "{alone:?}: too small for several workers");
    for threads in [2, 4, 7] {
        assert_eq!(ask(threads), alone, "{threads} threads");
    }
}

#[test]
fn limits_are_respected() {
    // Nothing grows, which only a search through all states can show.
    let large = model_with_noise(200).replace("n == 200", "n == 201");
    let ask = |text: &str, settings: Settings| {
        let model = lifted(&load_text(text).model);
        let answer = unbounded(&mut Engine::new(&model), &settings, &mut Patient);
        assert_eq!(told(&answer), "c unknown");
        assert!(!answer.complete, "{:?}", answer.counts);
        (answer.ended_by.unwrap_or_default(), answer.counts)
    };
    let (depth, counts) = ask(&model_with_noise(9), Settings { depth: Some(300), ..SETTINGS });
    assert!(depth.contains("300 steps") && counts.max_depth <= 301, "{depth} {counts:?}");
    let (states, counts) = ask(&large, Settings { most_states: 3000, ..SETTINGS });
    assert!(states.contains("3000 states") && counts.states < 10_000, "{states} {counts:?}");
    let few = Settings { memory: 1 << 16, most_states: 1_000_000, ..SETTINGS };
    assert!(ask(&large, few).0.contains("memory"));
}

#[test]
fn an_atomic_block_that_waits_asks_a_hidden_question() {
    // P can send only while it cannot receive what it waits for: never twice.
    check(
        "chan c = [8] of { byte }; chan r = [0] of { byte };
         active proctype P() { do :: atomic { r?1; c?1 } od }
         active proctype Q() { do :: r!1; c!1 od }",
        "c = 1",
    );
}

#[test]
fn channels_of_processes() {
    check(
        "proctype P() { chan own = [1] of { byte }; do :: own!1 od } init { run P() }",
        "P.own unbounded",
    );
    check(
        "proctype P() { chan own = [1] of { byte }; own!1; own?1 } init { run P() }",
        "P.own = 1",
    );
}

/// All states, up to a number, each with its lengths; whether these are all.
fn brute_force(engine: &mut Engine<'_>, most: usize) -> (BTreeMap<u8, u32>, bool) {
    let mut known = HashSet::new();
    let mut work = std::collections::VecDeque::from([engine.initial().to_vec()]);
    known.insert(work[0].clone());
    let mut lengths = BTreeMap::new();
    while let Some(words) = work.pop_front() {
        for number in 1..=engine.channel_count(&words) as u8 {
            let longest: &mut u32 = lengths.entry(number).or_default();
            *longest = (*longest).max(engine.length(number, &words));
        }
        let mut all = All::default();
        engine.successors(&words, &mut all);
        for next in all.0 {
            if known.insert(next.clone()) {
                work.push_back(next);
            }
        }
        if known.len() > most {
            return (lengths, false);
        }
    }
    (lengths, true)
}

#[derive(Default)]
struct All(Vec<Vec<u64>>);

impl Visitor for All {
    fn next(&mut self, words: &[u64], _: u32, _: Path<'_>) {
        self.0.push(words.to_vec());
    }

    fn fault(&mut self, _: FaultKind, _: Path<'_>) {}
}

/// Whether steps can be done from a position.
fn go(engine: &mut Engine<'_>, position: &mut Position, steps: &[Step]) -> bool {
    let mut at = 0;
    while at < steps.len() {
        let length = if steps[at].offers { 2 } else { 1 };
        let wanted = &steps[at..at + length];
        at += length;
        let choices = position.choices(engine);
        let Some(choice) = choices
            .into_iter()
            .find(|choice| choice.steps == wanted && choice.performed.words.is_some())
        else {
            return false;
        };
        position.advance(choice);
    }
    true
}

/// A random model: a few processes with a few places each, and steps of every kind.
fn random_model(random: &mut SmallRng) -> String {
    let channels = random.random_range(1..=3);
    let mut text = String::from("byte x;\n");
    for channel in 0..channels {
        text += &format!("chan c{channel} = [2] of {{ byte }};\n");
    }
    let plain = random.random_bool(0.5);
    // Priorities and rendezvous do not go together.
    let priorities = !plain && random.random_bool(0.1);
    if !priorities {
        text += "chan r = [0] of { byte };\n";
    }
    for process in 0..random.random_range(1..=3) {
        let priority = if priorities && process == 0 { " priority 3" } else { "" };
        text += &format!("active proctype P{process}(){priority} {{\n");
        let places = random.random_range(1..=4);
        for place in 0..places {
            text += &format!("L{place}: if\n");
            let mut otherwise = false;
            for _ in 0..random.random_range(1..=3) {
                let c = random.random_range(0..channels);
                let d = random.random_range(0..channels);
                let m = random.random_range(1..=2);
                let n = random.random_range(1..=2);
                let step = match random.random_range(0..if plain { 10 } else { 26 }) {
                    0..4 => format!("c{c}!{m}"),
                    4..9 => format!("c{c}?{m}"),
                    9 => "x = 1 - x".to_owned(),
                    10 => format!("empty(c{c})"),
                    11 => format!("nempty(c{c})"),
                    12 => format!("len(c{c}) < {n}"),
                    13 => format!("len(c{c}) > {n}"),
                    14 => format!("!(c{c}?[{m}])"),
                    15 => format!("c{c}?[{m}]"),
                    16 if !otherwise => {
                        otherwise = true;
                        "else".to_owned()
                    }
                    17 => "timeout".to_owned(),
                    18 => format!("atomic {{ c{c}?{m}; c{d}!{n} }}"),
                    19 => format!("atomic {{ c{c}!{m}; c{d}?{n}; c{c}!{n} }}"),
                    20 => format!("d_step {{ c{c}?{m}; c{d}!{n}; c{d}!{m} }}"),
                    21 => format!("c{c}??{m}"),
                    22 => format!("c{c}!!{m}"),
                    23 if !priorities => format!("r!{m}"),
                    24 if !priorities => format!("r?{m}"),
                    25 => format!("{{ c{c}!{m} }} unless {{ nempty(c{d}) }}"),
                    _ => format!("(x == {}) -> c{c}!{m}", n - 1),
                };
                text += &format!("  :: {step} -> goto L{}\n", random.random_range(0..places));
            }
            text += "  fi;\n";
        }
        text += "}\n";
    }
    text
}

/// So many models are made; without optimisation fewer, for the sake of whoever waits.
const MODELS: u32 = if cfg!(debug_assertions) { 150 } else { 2000 };

#[test]
fn random_systems_agree_with_brute_force() {
    let seed = 11;
    let mut random = SmallRng::seed_from_u64(seed);
    let settings = Settings { most_states: 400, ..SETTINGS };
    let mut seen = (0u32, 0u32, 0u32, 0u32);
    for number in 0..MODELS {
        let text = random_model(&mut random);
        let loaded = load_text(text.as_str());
        assert!(!loaded.has_errors(), "{text}\n{:?}", loaded.diagnostics);
        let model = lifted(&loaded.model);
        let mut engine = Engine::new(&model);
        let answer = unbounded(&mut engine, &settings, &mut Patient);
        let (lengths, all) = brute_force(&mut engine, 1_500);
        let blame = || format!("seed {seed}, model {number}: {}\n{text}", told(&answer));
        for (channel, known) in &answer.channels {
            let longest = channel.number.and_then(|number| lengths.get(&number)).copied();
            let longest = u64::from(longest.unwrap_or(0));
            match known {
                Known::Unbounded { pump } => {
                    seen.0 += 1;
                    assert!(!all, "finite, but {}", blame());
                    let pump = &answer.pumps[*pump];
                    let steps = |part: &[pverify_verdict::TraceStep]| -> Vec<Step> {
                        part.iter().flat_map(|step| step.steps.iter().copied()).collect()
                    };
                    let mut position = Position::initial(&engine);
                    assert!(go(&mut engine, &mut position, &steps(&pump.prefix)), "{}", blame());
                    let before = engine.length(channel.number.unwrap_or(1), &position.state);
                    for _ in 0..15 {
                        assert!(go(&mut engine, &mut position, &steps(&pump.round)), "{}", blame());
                    }
                    let after = engine.length(channel.number.unwrap_or(1), &position.state);
                    assert!(after >= before + 15, "{}", blame());
                }
                Known::Bounded { most, evidence } => {
                    assert!(longest <= *most, "{longest} met, but {}", blame());
                    if matches!(evidence, Evidence::Exhaustion) {
                        seen.1 += 1;
                        assert!(all && longest == *most, "{longest} {all}, but {}", blame());
                    } else {
                        seen.2 += 1;
                    }
                }
                Known::Unknown => seen.3 += 1,
            }
        }
    }
    let (grows, exact, weighed, unknown) = seen;
    assert!(grows > MODELS / 4 && exact > MODELS / 4 && weighed > MODELS / 10, "{seen:?}");
    assert!(unknown * 3 < grows + exact + weighed, "{seen:?}");
}

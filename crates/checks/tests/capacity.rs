//! Least capacities: small systems with plain answers, and random ones against trying everything.

use pverify_checks::capacity::{Answer, Judgement, Reference, Settings, capacity};
use pverify_model::lift::{lifted, with_each_capacity};
use pverify_model::load::load_text;
use pverify_model::machine::{Action, Edge, Expression, Model, Place};
use pverify_search::control::{Observer, Progress};
use pverify_semantics::Engine;
use pverify_semantics::fault::FaultKind;
use pverify_semantics::shape::Slot;
use pverify_semantics::successors::{Path, Visitor};
use pverify_syntax::ast::Probe;
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use std::collections::{BTreeSet, HashSet, VecDeque};
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

fn model(text: &str) -> Model {
    let loaded = load_text(text);
    assert!(!loaded.has_errors(), "{text}\n{:?}", loaded.diagnostics);
    loaded.model
}

/// Name, alone and together of each channel; a `~` where it is not known to be the least.
fn told(answer: &Answer) -> String {
    let sign = |proven: bool| if proven { "" } else { "~" };
    let each = answer.buffers.iter().map(|buffer| {
        let number = |least: &Option<pverify_checks::capacity::Least>| {
            least
                .as_ref()
                .map_or("?".to_owned(), |least| format!("{}{}", sign(least.proven), least.capacity))
        };
        format!("{} {}/{}", buffer.name, number(&buffer.alone), number(&buffer.together))
    });
    let declared = answer.declared.as_ref().map(|judgement| match &**judgement {
        Judgement::Enough { .. } => "enough",
        Judgement::Wrong { fault: FaultKind::InvalidEndState, .. } => "deadlock",
        Judgement::Wrong { .. } => "wrong",
        Judgement::Lost(_) => "lost",
        Judgement::Undecided(_) => "undecided",
    });
    format!(
        "{:?} {}: {}",
        answer.reference,
        declared.unwrap_or("undeclared"),
        each.collect::<Vec<_>>().join(", ")
    )
}

fn check(text: &str, expected: &str) {
    let answer = capacity(&model(text), &SETTINGS, &mut Patient);
    assert_eq!(told(&answer), expected, "{text}\n{:?}", answer.ended_by);
}

#[test]
fn a_batch_must_fit() {
    // Q wants to be asked only after all three have been sent.
    check(
        "chan c = [3] of { byte }; chan go = [3] of { bit };
         active proctype P() { c!1; c!2; c!3; go!1 }
         active proctype Q() { go?1; c?1; c?2; c?3 }",
        "Unlimited enough: c 3/3, go 1/1",
    );
    check(
        "chan c = [2] of { byte }; chan go = [1] of { bit };
         active proctype P() { c!1; c!2; c!3; go!1 }
         active proctype Q() { go?1; c?1; c?2; c?3 }",
        "Unlimited deadlock: c 3/3, go 1/1",
    );
}

#[test]
fn one_may_be_small_if_another_is_large() {
    // Both send two before they read: one of them must be able to.
    check(
        "chan a = [2] of { bit }; chan b = [2] of { bit };
         active proctype P() { a!0; a!0; b?0; b?0 }
         active proctype Q() { b!0; b!0; a?0; a?0 }",
        "Unlimited enough: a 1/1, b 1/2",
    );
}

#[test]
fn a_statement_may_be_lost_without_a_deadlock() {
    check(
        "chan c = [4] of { bit };
         active proctype P() { c!0; c!0; c!0 }
         active proctype Q() { do :: c?0 :: len(c) > 1 -> break od; do :: c?0 od }",
        "Unlimited enough: c 2/2",
    );
}

#[test]
fn what_has_no_bound_is_compared_with_what_is_declared() {
    check(
        "chan c = [5] of { bit };
         active proctype P() { do :: c!0 od } active proctype Q() { do :: c?0 od }",
        "Declared enough: c 1/1",
    );
}

#[test]
fn asking_for_room_needs_one_more_than_is_used() {
    check(
        "chan c = [3] of { bit }; byte lost;
         active proctype P() { if :: full(c) -> lost = 1 :: nfull(c) -> c!0 fi }",
        "Unlimited enough: c 1/1",
    );
}

#[test]
fn a_new_fault_is_not_enough() {
    check(
        "chan c = [2] of { bit };
         active proctype P() { c!0; if :: nfull(c) -> c!0 :: full(c) -> assert(false) fi }
         active proctype Q() { end: do :: c?0 od }",
        "Unlimited enough: c 2/2",
    );
}

/// What goes wrong, and in which step.
type Fault = (&'static str, Option<(u32, u32, u16)>);

/// What all states of a model show; `None` if there are more than so many.
#[derive(Default)]
struct Seen {
    executed: BTreeSet<(u32, u32, u16)>,
    wrong: BTreeSet<Fault>,
    added: bool,
    longest: Vec<u32>,
}

fn everything(model: &Model, most: usize) -> Option<Seen> {
    let mut engine = Engine::new(model);
    let mut known = HashSet::from([engine.initial().to_vec()]);
    let mut work: VecDeque<_> = known.iter().cloned().collect();
    let mut seen = Seen::default();
    while let Some(words) = work.pop_front() {
        for number in 1..=engine.channel_count(&words) {
            let length = engine.length(number as u8, &words);
            seen.longest.resize(seen.longest.len().max(number), 0);
            seen.longest[number - 1] = seen.longest[number - 1].max(length);
        }
        let mut all = All::default();
        engine.successors(&words, &mut all);
        seen.executed.extend(all.steps);
        seen.wrong.extend(all.wrong);
        if all.stuck {
            if wants_room(&engine, &words) {
                seen.added = true;
            } else {
                seen.wrong.insert(("deadlock", None));
            }
        }
        for next in all.next {
            if known.insert(next.clone()) {
                work.push_back(next);
            }
        }
        if known.len() > most {
            return None;
        }
    }
    Some(seen)
}

#[derive(Default)]
struct All {
    next: Vec<Vec<u64>>,
    steps: Vec<(u32, u32, u16)>,
    wrong: Vec<Fault>,
    stuck: bool,
}

impl Visitor for All {
    fn next(&mut self, words: &[u64], _: u32, path: Path<'_>) {
        self.next.push(words.to_vec());
        self.steps.extend(path.steps().iter().map(|step| (step.kind, step.location, step.edge)));
    }

    fn fault(&mut self, fault: FaultKind, path: Path<'_>) {
        if fault == FaultKind::InvalidEndState {
            self.stuck = true;
            return;
        }
        let last = path.steps().last().map(|step| (step.kind, step.location, step.edge));
        self.wrong.push((fault.name(), last));
    }
}

/// Whether some process stands where it could send to a channel that is full, or go on if it were
/// not: read off the edges, which in these models begin so plainly.
fn wants_room(engine: &Engine<'_>, words: &[u64]) -> bool {
    let is_full = |place: &Place| {
        let Slot::Channels { first, .. } = engine.global(place.variable) else { return false };
        let capacity =
            engine.shape(engine.shape_of(words)).channels[usize::from(*first) - 1].capacity;
        capacity > 0 && engine.length(*first, words) == capacity
    };
    let wants = |edge: &Edge| {
        let mut action = &edge.action;
        if let Action::DStep(block) = action {
            action = &block.points[0][0].action;
        }
        match action {
            Action::Send { channel, .. } => is_full(channel),
            Action::Condition(Expression::Probe(Probe::Nfull, channel)) => is_full(channel),
            _ => false,
        }
    };
    (0..).map_while(|pid| engine.process(words, pid)).any(|process| {
        let graph = &engine.model.processes[process.kind as usize].graph;
        graph.locations[process.location.get(words) as usize].edges.iter().any(wants)
    })
}

/// A random model whose channels have these capacities.
fn random_model(random: &mut SmallRng) -> String {
    let channels = random.random_range(1..=3);
    let plain = random.random_bool(0.4);
    let mut text = String::new();
    for channel in 0..channels {
        text += &format!("chan c{channel} = [{}] of {{ byte }};\n", random.random_range(1..=3));
    }
    text += "chan r = [0] of { bit };\n";
    for process in 0..random.random_range(1..=3) {
        let end = if random.random_bool(0.5) { "end" } else { "L" };
        text += &format!("active proctype P{process}() {{\n");
        let places = random.random_range(1..=6);
        for place in 0..places {
            let otherwise = random.random_range(0..8) == 0 && !plain;
            let label = if place > 0 { "" } else { &format!("{end}: ") };
            text += &format!("{label}L{place}: if\n");
            for _ in 0..random.random_range(1..=2) {
                let c = random.random_range(0..channels);
                let d = random.random_range(0..channels);
                let m = random.random_range(1..=2);
                let step = match random.random_range(0..if plain { 10 } else { 20 }) {
                    0..5 => format!("c{c}!{m}"),
                    5..10 => format!("c{c}?{m}"),
                    10 => format!("empty(c{c})"),
                    11 => format!("full(c{c})"),
                    12 => format!("nfull(c{c})"),
                    13 => format!("len(c{c}) > {m}"),
                    14 => format!("atomic {{ c{c}!{m}; c{d}?{m} }}"),
                    15 => format!("d_step {{ c{c}!{m}; assert(len(c{d}) < {m}) }}"),
                    16 => format!("assert(len(c{c}) != {m})"),
                    17 => "r!0".to_owned(),
                    18 => "r?0".to_owned(),
                    _ => "timeout".to_owned(),
                };
                let target = (place + random.random_range(1..=2)) % (places + 1);
                text += &format!("  :: {step} -> goto L{target}\n");
            }
            if otherwise {
                text += &format!("  :: else -> goto L{place}\n");
            }
            text += "  fi;\n";
        }
        text += &format!("L{places}: skip\n}}\n");
    }
    text
}

fn is_enough(model: &Model, capacities: &[u32], reference: &Seen) -> Option<bool> {
    let seen = everything(&with_each_capacity(model, capacities), 20_000)?;
    Some(
        !seen.added
            && seen.wrong.is_subset(&reference.wrong)
            && seen.executed.is_superset(&reference.executed),
    )
}

/// So many models are made; without optimisation fewer, for the sake of whoever waits.
const MODELS: u32 = if cfg!(debug_assertions) { 40 } else { 1000 };

#[test]
fn random_systems_agree_with_trying_everything() {
    let seed = 7;
    let settings = Settings { most_states: 4_000, ..SETTINGS };
    let mut random = SmallRng::seed_from_u64(seed);
    let (mut compared, mut unlimited, mut larger, mut not_enough) = (0, 0, 0, 0);
    for number in 0..MODELS {
        let text = random_model(&mut random);
        let model = model(&text);
        let answer = capacity(&model, &settings, &mut Patient);
        let blame = format!("seed {seed}, model {number}: {}\n{text}", told(&answer));
        let seen = match answer.reference {
            Reference::Unlimited => {
                unlimited += 1;
                everything(&lifted(&model), 20_000).expect(&blame)
            }
            Reference::Declared => everything(&model, 20_000).expect(&blame),
            Reference::Met | Reference::Nothing => continue,
        };
        let declared: Vec<u32> = answer.buffers.iter().filter_map(|one| one.declared).collect();
        let enough = is_enough(&model, &declared, &seen).expect(&blame);
        let judged = answer.declared.as_ref().expect(&blame);
        assert_eq!(judged.is_enough(), enough, "{blame}");
        not_enough += u32::from(!enough);
        let reference: Option<Vec<u32>> = answer.buffers.iter().map(|one| one.reference).collect();
        let Some(reference) = reference else { continue };
        if answer.reference == Reference::Unlimited {
            for (buffer, longest) in answer.buffers.iter().zip(&seen.longest) {
                assert_eq!(buffer.most, Some(u64::from(*longest)), "{blame}");
            }
        }
        if reference.iter().product::<u32>() > 200 {
            continue;
        }
        compared += 1;
        let mut good = Vec::new();
        let mut one = vec![1; reference.len()];
        loop {
            if is_enough(&model, &one, &seen).expect(&blame) {
                good.push(one.clone());
            }
            let Some(at) = (0..one.len()).find(|&at| one[at] < reference[at]) else { break };
            one[..at].fill(1);
            one[at] += 1;
        }
        assert!(good.contains(&reference), "{blame}");
        let least = good.iter().map(|one| one.iter().sum::<u32>()).min().expect(&blame);
        let together = answer.buffers.iter().map(|one| one.together.as_ref().expect(&blame));
        let together: Vec<u32> = together.map(|least| least.capacity).collect();
        assert!(answer.least_sum && good.contains(&together), "{blame}");
        assert_eq!(together.iter().sum::<u32>(), least, "{blame}");
        for (at, buffer) in answer.buffers.iter().enumerate() {
            let others = |one: &&Vec<u32>| {
                (0..one.len()).all(|other| other == at || one[other] == reference[other])
            };
            let expected = good.iter().filter(others).map(|one| one[at]).min();
            let alone = buffer.alone.as_ref().expect(&blame);
            assert!(alone.proven, "{blame}");
            assert_eq!(Some(alone.capacity), expected, "{} {blame}", buffer.name);
            larger += u32::from(alone.capacity > 1);
        }
    }
    let seen = format!("{compared} compared, {unlimited} {larger} {not_enough}");
    assert!(compared > MODELS * 3 / 5 && unlimited > MODELS / 3, "{seen}");
    assert!(larger > MODELS / 10 && not_enough > MODELS / 20, "{seen}");
}

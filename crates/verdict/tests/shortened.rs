//! Counterexamples made shorter: they go wrong in the same way at the same place, and are never
//! longer, for random ways through random models. What fails is printed with its seed.

use pverify_model::load::load_text;
use pverify_semantics::Engine;
use pverify_semantics::fault::FaultKind;
use pverify_semantics::successors::{Path, Step, Visitor};
use pverify_verdict::{
    Move, Trace, confirm, confirm_cycle, confirm_cycle_shortened, confirm_shortened, follow,
};
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

/// Walks end after so many steps.
const LONGEST: usize = 120;

/// A random model of a few processes over two variables and two channels.
fn random_model(random: &mut SmallRng) -> String {
    let mut text = "byte x, y; chan c = [1] of { byte }; chan d = [0] of { byte };\n".to_owned();
    for name in ["P", "Q", "R"].into_iter().take(random.random_range(1..4)) {
        let statement = |random: &mut SmallRng| match random.random_range(0..14) {
            0 => format!("x = {}", random.random_range(0..3)),
            1 => format!("y = {}", random.random_range(0..2)),
            2 => "x = 1 - y".to_owned(),
            3 => format!("y == {}", random.random_range(0..2)),
            4 => "x > 0".to_owned(),
            5 => "c!x".to_owned(),
            6 => "c?y".to_owned(),
            7 => "d!1".to_owned(),
            8 => "d?1".to_owned(),
            9 => "atomic { x = 0; c?y; y = 1 - y }".to_owned(),
            10 => "timeout -> x = 0".to_owned(),
            11 => format!("assert(x != {})", random.random_range(1..3)),
            12 => "x = x % y".to_owned(),
            _ => "d_step { x = 2 - y; y = 0 }".to_owned(),
        };
        let mut part = |count: usize| -> String {
            (0..count).map(|_| statement(random)).collect::<Vec<_>>().join("; ")
        };
        let (before, one, two, three) = (part(1), part(2), part(3), part(1));
        text += &format!(
            "active proctype {name}() {{ {before}; do :: {one} :: {two} :: {three} od }}\n"
        );
    }
    text
}

/// What a state leads to.
#[derive(Default)]
struct Ways {
    next: Vec<Vec<u64>>,
    wrong: Vec<(FaultKind, Vec<Step>)>,
}

impl Visitor for Ways {
    fn next(&mut self, words: &[u64], _: u32, _: Path<'_>) {
        self.next.push(words.to_vec());
    }

    fn fault(&mut self, fault: FaultKind, path: Path<'_>) {
        self.wrong.push((fault, path.steps()));
    }
}

/// A random walk, up to something wrong if it meets any.
fn walk(engine: &mut Engine<'_>, random: &mut SmallRng) -> (Vec<Vec<u64>>, Ways) {
    let mut states = vec![engine.initial().to_vec()];
    loop {
        let mut ways = Ways::default();
        engine.successors(&states[states.len() - 1], &mut ways);
        if !ways.wrong.is_empty() || ways.next.is_empty() || states.len() > LONGEST {
            return (states, ways);
        }
        states.push(ways.next.swap_remove(random.random_range(0..ways.next.len())));
    }
}

/// Where every process stands.
fn places(engine: &Engine<'_>, state: &[u64]) -> Vec<(u32, i32)> {
    let place = |pid| engine.process(state, pid).map(|one| (one.kind, one.location.get(state)));
    (0..).map_while(place).collect()
}

fn end(trace: &Trace) -> &[u64] {
    trace.steps.last().map_or(&trace.initial, |step| &step.state)
}

/// The length is right, and the steps can be followed to the same fault.
fn check_trace(engine: &mut Engine<'_>, whole: &Trace, short: &Trace, what: &str) {
    assert_eq!(short.fault, whole.fault, "{what}");
    assert!(short.moves.len() <= whole.moves.len(), "{what}");
    let before = short.shortened_from.unwrap_or(short.moves.len() as u64);
    assert_eq!(before, whole.moves.len() as u64, "{what}");
    let moves: Vec<Move> = short.moves.clone();
    let run = follow(engine, &moves).unwrap_or_else(|lost| panic!("{lost:?}: {what}"));
    assert_eq!(run.steps, short.steps, "{what}");
    if !short.fault.is_of_property() && short.fault != FaultKind::AtomicCycle {
        assert!(run.faults.contains(&short.fault), "{what}");
    }
}

#[test]
fn what_goes_wrong_stays_what_it_is() {
    let (mut shorter, mut deadlocks, mut steps_before, mut steps_after) = (0, 0, 0, 0);
    for seed in 0..600 {
        let mut random = SmallRng::seed_from_u64(seed);
        let text = random_model(&mut random);
        let loaded = load_text(text.clone());
        assert!(!loaded.has_errors(), "{text}");
        let mut engine = Engine::new(&loaded.model);
        let (states, ways) = walk(&mut engine, &mut random);
        let Some((fault, last)) = ways.wrong.into_iter().next() else { continue };
        let what = format!("seed {seed}, {fault}\n{text}");
        let whole = confirm(&mut engine, &fault, states.clone(), &last)
            .unwrap_or_else(|why| panic!("{why:?}: {what}"));
        let short = confirm_shortened(&mut engine, &fault, states, &last, None)
            .unwrap_or_else(|why| panic!("{why:?}: {what}"));
        check_trace(&mut engine, &whole, &short, &what);
        if fault == FaultKind::InvalidEndState {
            deadlocks += 1;
            assert_eq!(places(&engine, end(&short)), places(&engine, end(&whole)), "{what}");
        } else {
            assert_eq!(short.moves.last(), whole.moves.last(), "{what}");
        }
        shorter += usize::from(short.shortened_from.is_some());
        steps_before += whole.moves.len();
        steps_after += short.moves.len();
    }
    assert!(shorter > 100 && deadlocks > 10, "{shorter} shorter, {deadlocks} deadlocks");
    assert!(steps_after * 5 < steps_before * 4, "{steps_before} steps became {steps_after}");
}

#[test]
fn an_endless_run_stays_one_that_the_judge_finds_wrong() {
    let (mut shorter, mut fair_ones) = (0, 0);
    for seed in 0..400 {
        let mut random = SmallRng::seed_from_u64(seed);
        let text = random_model(&mut random).replace("assert(", "(");
        let loaded = load_text(text.clone());
        let mut engine = Engine::new(&loaded.model);
        let (mut states, ways) = walk(&mut engine, &mut random);
        let fair = random.random_range(0..3) == 0;
        // The last state again: a cycle, or one where nothing moves.
        let Some(entry) = states.last().cloned() else { continue };
        let place = states.iter().position(|state| *state == entry).unwrap_or(0);
        if place + 1 < states.len() {
            states.pop();
        } else if !ways.next.is_empty() {
            continue;
        }
        let (stem, cycle) = states.split_at(place);
        let fault = FaultKind::AcceptanceCycle;
        let Ok(whole) = confirm_cycle(&mut engine, &fault, stem, cycle, fair) else { continue };
        // One of the states of the cycle, as far as processes stand somewhere, must be in it.
        let wanted = places(&engine, &cycle[random.random_range(0..cycle.len())]);
        let mut judge = |engine: &mut Engine<'_>, _: &[Vec<u64>], cycle: &[Vec<u64>]| {
            cycle.iter().any(|state| places(engine, state) == wanted)
        };
        let short = confirm_cycle_shortened(&mut engine, &fault, (stem, cycle), fair, &mut judge);
        let what = format!("seed {seed}, fair: {fair}\n{text}");
        let short = short.unwrap_or_else(|why| panic!("{why:?}: {what}"));
        check_trace(&mut engine, &whole, &short, &what);
        let from = short.cycle_from.unwrap_or_else(|| panic!("{what}"));
        let before = from.checked_sub(1).map_or(&short.initial, |at| &short.steps[at].state);
        assert_eq!(&before[..], end(&short), "{what}");
        let mut states = short.steps[from..].iter().map(|step| &step.state).chain([before]);
        assert!(states.any(|state| places(&engine, state) == wanted), "{what}");
        shorter += usize::from(short.shortened_from.is_some());
        fair_ones += usize::from(fair);
    }
    assert!(shorter > 50 && fair_ones > 5, "{shorter} shorter, {fair_ones} fair");
}

/// A model, a way through it that is the longest there is, and how long it becomes.
#[test]
fn rounds_that_lead_nowhere_are_left_out() {
    let text = "byte n; active proctype P() { do :: n < 20 -> n++ od }
                active proctype Q() { do :: skip; skip; skip od }
                active proctype R() { n > 2; assert(false) }";
    let loaded = load_text(text);
    let mut engine = Engine::new(&loaded.model);
    let mut random = SmallRng::seed_from_u64(1);
    let (states, ways) = loop {
        let (states, ways) = walk(&mut engine, &mut random);
        if states.len() > 40 && !ways.wrong.is_empty() {
            break (states, ways);
        }
    };
    let (fault, last) = &ways.wrong[0];
    let short = confirm_shortened(&mut engine, fault, states, last, None).expect("it is shorter");
    assert_eq!(short.moves.len(), 8);
}

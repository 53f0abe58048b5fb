//! Answers about the lengths of channels against brute force, on random models in which channels are
//! asked in every way that Promela knows: openly, and behind `else`, `timeout`, `unless`, priorities,
//! `provided`, atomic blocks and rendezvous; in arrays, structures, messages and processes.

use pverify_checks::unbounded::{Answer, Evidence, Known, Settings, unbounded};
use pverify_model::lift::{channel_names, lifted, names_of};
use pverify_model::load::load_text;
use pverify_search::control::{Observer, Progress};
use pverify_semantics::Engine;
use pverify_semantics::successors::Step;
use pverify_verdict::{Position, TraceStep};
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use std::collections::{BTreeMap, HashSet, VecDeque};
use std::num::NonZeroUsize;

struct Patient;

impl Observer for Patient {
    fn go_on(&mut self, _: &Progress) -> bool {
        true
    }
}

/// The name of a living channel, as answers have it.
fn name(engine: &Engine<'_>, number: u8, words: &[u64]) -> Option<String> {
    let globals = channel_names(engine.model);
    if let Some(name) = globals.get(usize::from(number) - 1) {
        return Some(name.clone());
    }
    let (pid, at) = engine.owner_of(number, words);
    let process = &engine.model.processes[engine.process(words, pid?)?.kind as usize];
    let names = names_of(engine.model, &process.locals, 0);
    Some(format!("{}.{}", process.name, names.get(at)?))
}

/// The greatest lengths by name.
type Lengths = BTreeMap<String, u32>;

fn enter(engine: &Engine<'_>, words: &[u64], lengths: &mut Lengths) {
    for number in 1..=engine.channel_count(words) as u8 {
        if let Some(name) = name(engine, number, words) {
            let longest = lengths.entry(name).or_default();
            *longest = (*longest).max(engine.length(number, words));
        }
    }
}

/// All elementary steps, up to a number of positions; whether these are all. What one `d_step` does
/// is one step here.
fn brute_force(engine: &mut Engine<'_>, most: usize) -> (Lengths, bool) {
    let initial = Position::initial(engine);
    let mut known = HashSet::from([format!("{initial:?}")]);
    let mut work = VecDeque::from([initial]);
    let (mut lengths, mut all) = (Lengths::new(), true);
    while let Some(position) = work.pop_front() {
        enter(engine, &position.state, &mut lengths);
        for choice in position.choices(engine) {
            all &= choice.performed.words.is_some();
            let mut next = position.clone();
            next.advance(choice);
            if known.insert(format!("{next:?}")) {
                work.push_back(next);
            }
        }
        if known.len() > most {
            return (lengths, false);
        }
    }
    (lengths, all)
}

/// A random run.
fn wander(engine: &mut Engine<'_>, random: &mut SmallRng, lengths: &mut Lengths) {
    let mut position = Position::initial(engine);
    for _ in 0..120 {
        let mut choices = position.choices(engine);
        choices.retain(|choice| choice.performed.words.is_some());
        if choices.is_empty() {
            return;
        }
        position.advance(choices.swap_remove(random.random_range(0..choices.len())));
        enter(engine, &position.state, lengths);
    }
}

/// Whether steps can be done from a position.
fn go(engine: &mut Engine<'_>, position: &mut Position, steps: &[Step]) -> bool {
    let mut at = 0;
    while at < steps.len() {
        let length = if steps[at].offers { 2 } else { 1 };
        let wanted = &steps[at..at + length];
        at += length;
        let choices = position.choices(engine).into_iter();
        let mut possible =
            choices.filter(|choice| choice.steps == wanted && choice.performed.words.is_some());
        let Some(choice) = possible.next() else { return false };
        position.advance(choice);
    }
    true
}

/// Channels as they can be written, with those that others may have.
struct Maker<'r> {
    random: &'r mut SmallRng,
    channels: Vec<String>,
    priorities: bool,
}

impl Maker<'_> {
    fn below(&mut self, most: u32) -> u32 {
        self.random.random_range(0..most)
    }

    fn channel(&mut self) -> String {
        let at = self.random.random_range(0..self.channels.len());
        self.channels[at].clone()
    }

    /// A question.
    fn condition(&mut self, deep: u32) -> String {
        let (c, n, m) = (self.channel(), self.below(3), self.below(2) + 1);
        match self.below(if deep > 1 { 16 } else { 19 }) {
            0 => format!("empty({c})"),
            1 => format!("nempty({c})"),
            2 => format!("full({c})"),
            3 => format!("nfull({c})"),
            4 => format!("len({c}) < {n}"),
            5 => format!("len({c}) > {n}"),
            6 => format!("{n} <= len({c})"),
            7 => format!("len({c}) == {n}"),
            8 => format!("!({c}?[{m}])"),
            9 => format!("{c}?[{m}]"),
            10 => format!("{c}??[{m}]"),
            11 => format!("!({c}??[{m}])"),
            12 => format!("{c}?[eval(x)]"),
            13 => format!("x == {n}"),
            14 => format!("(len({c}) > {n} -> x == 0 : x == 1)"),
            15 => "h == 0".to_owned(),
            16 => format!("({} && {})", self.condition(deep + 1), self.condition(deep + 1)),
            17 => format!("({} || {})", self.condition(deep + 1), self.condition(deep + 1)),
            _ => format!("!(len({c}) > {n} || x == {m})"),
        }
    }

    /// A step that does something to channels or variables.
    fn deed(&mut self) -> String {
        let (c, m) = (self.channel(), self.below(2) + 1);
        match self.below(17) {
            0..5 => format!("{c}!{m}"),
            5..9 => format!("{c}?{m}"),
            9 => format!("{c}?_"),
            10 => format!("{c}??{m}"),
            11 => format!("{c}!!{m}"),
            12 => format!("{c}?<{m}>"),
            13 => format!("{c}?x"),
            14 => "x = 1 - x % 2".to_owned(),
            15 => format!("{c}!(len({}) % 2) + 1", self.channel()),
            _ => format!("{c}?eval(x)"),
        }
    }

    fn step(&mut self, otherwise: &mut bool) -> String {
        let m = self.below(2) + 1;
        match self.below(30) {
            0..12 => self.deed(),
            12..16 => format!("{} -> {}", self.condition(0), self.deed()),
            16 | 17 if !*otherwise => {
                *otherwise = true;
                format!("else -> {}", self.deed())
            }
            18 => format!("timeout -> {}", self.deed()),
            19 => format!("atomic {{ {}; {}; {} }}", self.deed(), self.deed(), self.deed()),
            20 => format!("atomic {{ {} -> {} }}", self.condition(0), self.deed()),
            21 => format!(
                "d_step {{ {} -> {}!{m}; if :: {} :: else fi }}",
                self.condition(0),
                self.channel(),
                self.deed()
            ),
            22 => format!("{{ {}; {} }} unless {{ {} }}", self.deed(), self.deed(), self.deed()),
            23 => format!("{{ {} }} unless {{ {} }}", self.deed(), self.condition(0)),
            24 | 25 if !self.priorities => format!("r!{m}"),
            26 | 27 if !self.priorities => format!("r?{m}"),
            28 if !self.priorities => format!("atomic {{ r?{m}; {} }}", self.deed()),
            29 => format!("x = len({}) % 3", self.channel()),
            _ => "h = 1 - h".to_owned(),
        }
    }

    fn body(&mut self) -> String {
        let mut text = String::new();
        let places = self.below(3) + 1;
        for place in 0..places {
            text += &format!("L{place}: if\n");
            let mut otherwise = false;
            for _ in 0..self.below(3) + 1 {
                let step = self.step(&mut otherwise);
                text += &format!("  :: {step} -> goto L{}\n", self.below(places));
            }
            text += "  fi;\n";
        }
        text
    }
}

/// A random model.
fn random_model(random: &mut SmallRng) -> String {
    let priorities = random.random_bool(0.15);
    let mut text = String::from("byte x; hidden byte h;\nchan c = [2] of { byte };\n");
    let mut channels = vec!["c".to_owned()];
    if random.random_bool(0.4) {
        text += "chan d[2] = [2] of { byte };\n";
        channels.extend(["d[0]".to_owned(), "d[1]".to_owned()]);
        if random.random_bool(0.5) {
            channels.push("d[x % 2]".to_owned());
        }
    }
    if random.random_bool(0.3) {
        text += "typedef T { byte n; chan e = [2] of { byte } }; T t;\n";
        channels.push("t.e".to_owned());
    }
    if !priorities {
        text += "chan r = [0] of { byte };\n";
    }
    // A process that gets a channel, has one of its own, or is told of one.
    let kind = random.random_range(0..5);
    let mut maker = Maker { random, channels, priorities };
    let globals = maker.channels.clone();
    if kind == 0 {
        maker.channels.push("a".to_owned());
        let body = maker.body();
        text += &format!("proctype W(chan a) {{\n{body}}}\n");
    } else if kind == 1 {
        maker.channels.push("own".to_owned());
        let body = maker.body();
        text += &format!("proctype W(chan a) {{ chan own = [2] of {{ byte }};\n{body}}}\n");
    } else if kind == 2 {
        maker.channels.push("v".to_owned());
        text += "chan told = [2] of { chan };\n";
        let body = maker.body();
        text += &format!("proctype W(chan a) {{ chan v = a; told!c;\n{body} told?v }}\n");
    }
    maker.channels = globals;
    for process in 0..maker.below(2) + 1 {
        let priority = if priorities && process == 0 { " priority 3" } else { "" };
        let provided = match maker.below(8) {
            0 => format!(" provided ({})", maker.condition(0)),
            _ => String::new(),
        };
        let mut body = maker.body();
        if priorities && maker.below(3) == 0 {
            body = format!("set_priority(_pid, {});\n{body}", maker.below(3) + 1);
        }
        let start = match kind {
            0..3 if process == 0 => match maker.below(3) {
                0 => "do :: _nr_pr < 4 -> run W(c) :: break od;\n",
                1 => "run W(c); run W(c);\n",
                _ => "run W(c);\n",
            },
            _ => "",
        };
        let sort = if maker.below(25) == 0 { "D_proctype" } else { "proctype" };
        text += &format!("active {sort} P{process}(){priority}{provided} {{\n{start}{body}}}\n");
    }
    text
}

fn told(answer: &Answer) -> String {
    let channels = answer.channels.iter();
    channels.map(|(channel, known)| format!("{}: {known:?}\n", channel.name)).collect()
}

/// So many models are made; without optimisation fewer, for the sake of whoever waits.
const MODELS: u32 = if cfg!(debug_assertions) { 60 } else { 300 };

/// The answers about a model, against everything that it can do and what it happens to do.
fn check(text: &str, blame: &str, random: &mut SmallRng, seen: &mut [u32; 4]) {
    let loaded = load_text(text);
    assert!(!loaded.has_errors(), "{text}\n{:?}", loaded.diagnostics);
    let model = lifted(&loaded.model);
    let mut engine = Engine::new(&model);
    let settings = Settings {
        memory: 64 << 20,
        depth: None,
        most_states: 400,
        threads: NonZeroUsize::MIN,
        seed: 0,
    };
    let answer = unbounded(&mut engine, &settings, &mut Patient);
    let (mut lengths, all) = brute_force(&mut engine, 500);
    let reached = lengths.clone();
    for _ in 0..5 {
        wander(&mut engine, random, &mut lengths);
    }
    let blame = || format!("{blame}\n{text}\n{}", told(&answer));
    for (channel, known) in &answer.channels {
        let longest = u64::from(lengths.get(&channel.name).copied().unwrap_or(0));
        match known {
            Known::Unbounded { pump } => {
                seen[0] += 1;
                assert!(!all, "finite, but {}", blame());
                let pump = &answer.pumps[*pump];
                let steps = |part: &[TraceStep]| -> Vec<Step> {
                    part.iter().flat_map(|step| step.steps.iter().copied()).collect()
                };
                let mut position = Position::initial(&engine);
                assert!(go(&mut engine, &mut position, &steps(&pump.prefix)), "{}", blame());
                let length = |engine: &Engine<'_>, words: &[u64]| -> u32 {
                    let all = 1..=engine.channel_count(words) as u8;
                    let same = all.filter(|&number| {
                        name(engine, number, words).as_ref() == Some(&channel.name)
                    });
                    same.map(|number| engine.length(number, words)).sum()
                };
                let before = length(&engine, &position.state);
                for _ in 0..40 {
                    assert!(go(&mut engine, &mut position, &steps(&pump.round)), "{}", blame());
                }
                assert!(length(&engine, &position.state) >= before + 40, "{}", blame());
            }
            Known::Bounded { most, evidence } => {
                assert!(longest <= *most, "{longest} of {} met: {}", channel.name, blame());
                if matches!(evidence, Evidence::Exhaustion) {
                    seen[1] += 1;
                    let exact = u64::from(reached.get(&channel.name).copied().unwrap_or(0));
                    let d_steps = text.contains("d_step");
                    assert!(!all || exact == *most || d_steps, "{exact}: {}", blame());
                } else {
                    seen[2] += 1;
                }
            }
            Known::Unknown => seen[3] += 1,
        }
    }
}

#[test]
fn random_models_agree_with_brute_force() {
    let seed = std::env::var("PVERIFY_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(23);
    let mut random = SmallRng::seed_from_u64(seed);
    let mut seen = [0; 4];
    for number in 0..MODELS {
        let text = random_model(&mut random);
        check(&text, &format!("seed {seed}, model {number}"), &mut random, &mut seen);
    }
    let [grows, exact, weighed, unknown] = seen;
    assert!(grows > MODELS / 5 && exact > MODELS / 5 && weighed > MODELS / 50, "{seen:?}");
    assert!(unknown < grows + exact, "{seen:?}");
}

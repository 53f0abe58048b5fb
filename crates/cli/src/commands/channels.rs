//! `--check unbounded`: what is known of each channel, and what other checks say about channels.

use super::check::{Checked, open};
use super::verify::Arguments;
use crate::charts::Wish;
use crate::front_end::Model;
use crate::interrupt::Interrupt;
use crate::memory;
use crate::options::channels::Room;
use crate::options::values::Capacity;
use crate::progress::Line;
use crate::saving;
use crate::watch::Watch;
use anyhow::{Result, bail};
use pverify_checks::unbounded::{self, Answer, Evidence, Known, Settings, suspects};
use pverify_model::lift::{self, Declared, NotLossy, channel_names, lifted};
use pverify_model::machine::Model as Machines;
use pverify_report::answers::{Answered, counted};
use pverify_report::channels::{ChannelReport, ChannelsReport, LoopReport};
use pverify_report::chart::Run;
use pverify_report::plot;
use pverify_report::trace::tell;
use pverify_semantics::Engine;
use pverify_verdict::TraceStep;
use pverify_verdict::unbounded::net::{Local, place_name};
use pverify_verdict::unbounded::{Pump, Weights};
use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

/// Without another limit, so many states are explored.
const MOST_STATES: u64 = 2_000_000;

/// Asks whether channels can grow without bound.
pub(super) fn unbounded(
    arguments: &Arguments,
    model: &Model,
    interrupt: &Interrupt,
) -> Result<Checked> {
    let started = Instant::now();
    if interrupt.is_asked() {
        let answer = open("unbounded", None, "interrupted before it began");
        return Ok(Checked { answer, saved: None });
    }
    let machines = lifted(&model.machines);
    let limit = arguments.limits.time_limit.as_ref().map(|duration| duration.0);
    let settings = settings(arguments, limit);
    let mut watch = Watch {
        started,
        limit,
        interrupt,
        line: Line::new(&arguments.output, started, settings.memory),
        keeper: None,
        ending: None,
        endless: false,
    };
    let mut engine = Engine::new(&machines);
    let answer = unbounded::unbounded(&mut engine, &settings, &mut watch);
    drop(watch);
    let wish = Wish::new(&arguments.charts, &arguments.output);
    let report = report(&mut engine, model, &answer, wish);
    if let Some(path) = &arguments.channels.plot {
        saving::write("--plot", path, &plot::to_svg(&report.channels));
    }
    let has = |wanted: &str| report.channels.iter().any(|channel| channel.verdict == wanted);
    let verdict = match (has("unbounded"), has("unknown") || answer.ended_by.is_some()) {
        (true, _) => "violated",
        (false, true) => "inconclusive",
        (false, false) => "holds",
    };
    let counts = answer.counts;
    let answered = Answered {
        check: "unbounded".to_owned(),
        verdict,
        reason: answer.ended_by,
        fault: (verdict == "violated").then_some("unbounded channel"),
        states: counts.states,
        transitions: counts.transitions,
        matched: counts.matched,
        max_depth: counts.max_depth,
        replacements: counts.replacements,
        state_bytes: engine.state_bytes(),
        store_bytes: counts.store_bytes,
        peak_memory_bytes: memory::peak(),
        seconds: started.elapsed().as_secs_f64(),
        threads: settings.threads.get(),
        complete: answer.complete,
        channels: Some(report),
        ..Answered::default()
    };
    Ok(Checked { answer: answered, saved: None })
}

fn settings(arguments: &Arguments, limit: Option<Duration>) -> Settings {
    let asked = arguments.channels.states.map(|states| states.get() as u64);
    let limits = &arguments.limits;
    let all = || std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let threads = limits.threads.unwrap_or_else(all);
    Settings {
        memory: memory::for_search(limits.memory.as_ref().map(|size| size.0), threads.get()),
        threads,
        depth: arguments.limits.depth.map(|depth| depth.get() as u64),
        most_states: asked.unwrap_or(if limit.is_some() { u64::MAX } else { MOST_STATES }),
        seed: arguments.search.seed.unwrap_or(0),
    }
}

/// The model with the capacities and losses that were asked for.
pub(super) fn prepared(options: &Room, machines: &Machines) -> Result<Machines> {
    let machines = lossy(options, machines)?;
    if options.capacity.is_empty() {
        return Ok(machines);
    }
    let declared = lift::declarations(&machines);
    let mut capacities: Vec<u32> = declared.iter().map(|one| one.capacity).collect();
    for Capacity { channel, most } in &options.capacity {
        let most = u32::try_from(most.get()).unwrap_or(u32::MAX).min(255);
        let is_meant = |one: &Declared| channel.as_ref().is_none_or(|name| one.name == *name);
        let mut met = channel.is_none();
        for (capacity, _) in capacities.iter_mut().zip(&declared).filter(|(_, one)| is_meant(one)) {
            *capacity = most;
            met = true;
        }
        if !met {
            let names: Vec<&str> = declared.iter().map(|one| one.name.as_str()).collect();
            bail!(
                "--capacity: there is no buffered channel `{}`\nhelp: the model has {}",
                channel.as_deref().unwrap_or_default(),
                if names.is_empty() { "none".to_owned() } else { names.join(", ") }
            );
        }
    }
    let mut visible = lift::with_each_capacity(&machines, &capacities);
    // Other than for unbounded channels, hidden variables stay hidden.
    for (new, old) in visible.globals.iter_mut().zip(&machines.globals) {
        new.visibility = old.visibility;
    }
    Ok(visible)
}

/// The model with channels that lose messages.
fn lossy(options: &Room, machines: &Machines) -> Result<Machines> {
    let mut machines = machines.clone();
    for name in &options.lossy {
        if let Err(why) = lift::make_lossy(&mut machines, name) {
            match why {
                NotLossy::Unknown => bail!(
                    "there is no channel `{name}` that could lose messages\nhelp: the model has {}",
                    channel_names(&machines).join(", ")
                ),
                NotLossy::Rendezvous => bail!(
                    "`{name}` is a rendezvous channel, which has no messages to lose\n\
                     help: give it a capacity"
                ),
                NotLossy::DStep(_) => bail!(
                    "a `d_step` sends to `{name}`: it has no choices, so it cannot lose messages\n\
                     help: make the `d_step` an `atomic`"
                ),
                NotLossy::Variable(_) => bail!(
                    "a channel variable that may be `{name}` is sent to, so it is not known what is lost\n\
                     help: send to the channel by its name"
                ),
            }
        }
    }
    Ok(machines)
}

/// A word about the channel that probably keeps a search from ending, or nothing.
pub(super) fn likely_reason(
    arguments: &Arguments,
    machines: &Machines,
    interrupt: &Interrupt,
) -> String {
    if interrupt.is_asked() {
        return String::new();
    }
    let mut watch = Watch {
        started: Instant::now(),
        limit: Some(Duration::from_secs(2)),
        interrupt,
        line: None,
        keeper: None,
        ending: None,
        endless: false,
    };
    let few = Settings { most_states: 0, ..settings(arguments, None) };
    let growing = suspects(&lifted(machines), &few, &mut watch);
    let named = growing.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    match growing.len() {
        0 => String::new(),
        1 => format!(
            "\n  the channel {named} is a likely reason: without its capacity it grows without bound \
             (see --check unbounded)"
        ),
        _ => format!(
            "\n  the channels {named} are a likely reason: without their capacities they grow without \
             bound (see --check unbounded)"
        ),
    }
}

fn report(engine: &mut Engine<'_>, model: &Model, answer: &Answer, wish: Wish) -> ChannelsReport {
    let machines = engine.model;
    let loops: Vec<LoopReport> =
        answer.pumps.iter().map(|pump| told(engine, model, pump, wish)).collect();
    let channels = answer.channels.iter().map(|(channel, known)| {
        let mut one = ChannelReport {
            name: channel.name.clone(),
            greatest: channel.greatest,
            by_depth: channel.by_depth.clone(),
            ..ChannelReport::default()
        };
        match known {
            Known::Unbounded { pump } => {
                one.verdict = "unbounded";
                one.grows_by = Some(*pump);
                let (prefix, round) = (&answer.pumps[*pump].prefix, &answer.pumps[*pump].round);
                let steps = counted(round.len() as u64, "step", "steps");
                one.evidence = format!("loop {} of {steps}, after {}", pump + 1, prefix.len());
            }
            Known::Bounded { most, evidence } => {
                one.verdict = "bounded";
                one.bound = Some(*most);
                match evidence {
                    Evidence::Exhaustion => one.evidence = "all states were seen".to_owned(),
                    Evidence::Weights(weights) => {
                        one.evidence = "weights that no step increases".to_owned();
                        one.weights = Some(named(machines, weights));
                    }
                }
            }
            Known::Unknown => {
                one.verdict = "unknown";
                one.evidence = trend(&channel.by_depth);
            }
        }
        one
    });
    ChannelsReport { channels: channels.collect(), loops }
}

/// Whether a channel still grew where the search ended.
fn trend(by_depth: &[u32]) -> String {
    let Some(&last) = by_depth.last() else { return "never used".to_owned() };
    let since = by_depth.iter().position(|&length| length == last).unwrap_or(0);
    format!("length {last} first at depth {since} of {}", by_depth.len() - 1)
}

fn named(machines: &Machines, weights: &Weights) -> (Vec<(String, i64)>, i64) {
    let net = Local::of(machines).and_then(|local| local.net(&weights.paths));
    let places = net.map(|net| net.places).unwrap_or_default();
    let named = places.iter().zip(&weights.of);
    let named = named.map(|(place, &weight)| (place_name(machines, place), weight));
    (named.collect(), weights.divisor)
}

fn told(engine: &mut Engine<'_>, model: &Model, pump: &Pump, wish: Wish) -> LoopReport {
    let start = pump.prefix.last().map_or(&pump.initial, |step| &step.state).clone();
    let prefix = tell(engine, &model.sources, &pump.initial, &pump.prefix, None);
    let round = tell(engine, &model.sources, &start, &pump.round, None);
    let names = channel_names(engine.model);
    let adds = pump.growth.iter().map(|grows| {
        let name = names.get(usize::from(grows.channel) - 1).cloned();
        let name = name.unwrap_or_else(|| format!("channel {}", grows.channel));
        let messages = grows.messages.iter();
        let messages = messages.map(|message| engine.show_message(grows.channel, message, &start));
        (name, messages.collect::<Vec<_>>().join(" "))
    });
    let adds: Vec<(String, String)> = adds.collect();
    let steps: Vec<TraceStep> = pump.prefix.iter().chain(&pump.round).cloned().collect();
    let cycle_from = Some(pump.prefix.len());
    let run = Run { initial: &pump.initial, steps: &steps, fault: None, cycle_from, left_out: 0 };
    let mut chart = wish.draw(engine, &model.sources, &run);
    if let Some(again) = chart.as_mut().and_then(|chart| chart.again.as_mut()) {
        again.adds.clone_from(&adds);
    }
    LoopReport { prefix, round, adds, chart }
}

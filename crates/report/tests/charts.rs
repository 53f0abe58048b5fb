//! Charts: what they say of messages is what the states say, and how they look.

use pverify_model::lift::make_lossy;
use pverify_model::load::load_text;
use pverify_model::machine::{Action, Model};
use pverify_report::chart::terminal::{self, Style};
use pverify_report::chart::{Chart, Event, Figure, Run, draw, mermaid, plantuml, svg};
use pverify_semantics::Engine;
use pverify_semantics::fault::FaultKind;
use pverify_syntax::source::Sources;
use pverify_verdict::{Position, TraceStep};
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

fn gallery() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../protocols");
    let entries = std::fs::read_dir(folder).expect("the gallery");
    let mut files: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|path| path.extension().is_some_and(|ending| ending == "pml"));
    files.sort();
    assert!(files.len() > 40);
    files
}

/// Steps chosen at random, up to so many or the first fault.
fn walk(engine: &mut Engine<'_>, most: usize, seed: u64) -> Vec<TraceStep> {
    let mut random = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut position = Position::initial(engine);
    let mut steps = Vec::new();
    while steps.len() < most {
        let mut choices = position.choices(engine);
        choices.retain(|choice| choice.performed.words.is_some());
        if choices.is_empty() {
            break;
        }
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        let choice = choices.swap_remove((random >> 11) as usize % choices.len());
        let (step, faults) = position.advance(choice);
        steps.push(step);
        if !faults.is_empty() {
            break;
        }
    }
    steps
}

/// A shortest way to a fault.
fn shortest(engine: &mut Engine<'_>) -> (Vec<TraceStep>, FaultKind) {
    let mut nodes = vec![(Position::initial(engine), None::<(usize, TraceStep)>)];
    let mut known = HashSet::from([nodes[0].0.state.clone()]);
    let mut at = 0;
    while at < nodes.len() {
        let position = nodes[at].0.clone();
        let mut found = position.is_stuck(engine).then_some(FaultKind::InvalidEndState);
        let mut last = None;
        for choice in position.choices(engine) {
            let mut next = position.clone();
            let (step, faults) = next.advance(choice);
            if let Some(fault) = faults.into_iter().next() {
                (found, last) = (Some(fault), Some(step));
                break;
            }
            if known.insert(next.state.clone()) {
                nodes.push((next, Some((at, step))));
            }
        }
        if let Some(fault) = found {
            let mut steps: Vec<TraceStep> = last.into_iter().collect();
            let mut here = &nodes[at].1;
            while let Some((before, step)) = here {
                steps.push(step.clone());
                here = &nodes[*before].1;
            }
            steps.reverse();
            return (steps, fault);
        }
        at += 1;
    }
    panic!("nothing is wrong with the model");
}

fn drawn(engine: &mut Engine<'_>, sources: &Sources, steps: &[TraceStep]) -> Chart {
    let initial = engine.initial().to_vec();
    let run = Run { initial: &initial, steps, fault: None, cycle_from: None, left_out: 0 };
    draw(engine, sources, &run)
}

/// Whether every send puts its message behind the others and every receive takes the first.
fn is_plain(model: &Model) -> bool {
    let processes = model.processes.iter().flat_map(|process| &process.graph.locations);
    processes.flat_map(|location| &location.edges).all(|edge| {
        !matches!(
            edge.action,
            Action::Send { sorted: true, .. }
                | Action::Receive { random: true, .. }
                | Action::DStep(_)
        )
    })
}

/// What a chart says of messages, by its own rows and by the states.
fn check(engine: &Engine<'_>, chart: &Chart, steps: &[TraceStep], what: &str) {
    let mut sent = HashSet::new();
    let mut taken = HashSet::new();
    let mut by_channel: HashMap<usize, [Vec<usize>; 2]> = HashMap::new();
    for (at, row) in chart.rows.iter().enumerate() {
        for event in &row.events {
            match *event {
                Event::Send { message, .. } => {
                    assert!(sent.insert(message), "{what}: sent twice");
                    assert_eq!(chart.messages[message].sent.map(|end| end.row), Some(at), "{what}");
                    by_channel.entry(chart.messages[message].channel).or_default()[0].push(message);
                }
                Event::Receive { message, .. } => {
                    assert!(taken.insert(message), "{what}: taken twice");
                    let one = &chart.messages[message];
                    assert!(sent.contains(&message), "{what}: taken, never sent");
                    assert_eq!(one.taken.map(|end| end.row), Some(at), "{what}");
                    assert!(one.sent.is_some_and(|end| end.row <= at), "{what}");
                    by_channel.entry(one.channel).or_default()[1].push(message);
                }
                Event::Rendezvous { message } => {
                    let one = &chart.messages[message];
                    assert!(one.sent.is_some() && one.taken.is_some(), "{what}: half a rendezvous");
                    assert_eq!(row.parts.len(), 2, "{what}");
                }
                Event::Peek { message, .. } => {
                    assert!(sent.contains(&message) && !taken.contains(&message), "{what}");
                }
                Event::Local { .. } | Event::Lost { .. } => {}
            }
        }
    }
    if is_plain(engine.model) && chart.lanes.iter().all(|lane| lane.lives.len() == 1) {
        for [sends, receives] in by_channel.values() {
            // First in, first out: the k-th receive takes what the k-th send has sent.
            assert_eq!(receives[..], sends[..receives.len()], "{what}");
        }
    }
    contents(engine, chart, steps, what);
}

/// After every row the channels hold what the state says, also those that the row has not touched.
fn contents(engine: &Engine<'_>, chart: &Chart, steps: &[TraceStep], what: &str) {
    let mut held: HashMap<usize, Vec<String>> = HashMap::new();
    for (row, step) in chart.rows.iter().zip(steps) {
        for queue in &row.queues {
            let texts = queue.first.iter().map(|&message| chart.messages[message].text.clone());
            held.insert(queue.channel, texts.collect());
        }
        let numbers = 1..=engine.channel_count(&step.state) as u8;
        let mut full: Vec<Vec<String>> = numbers
            .map(|number| {
                let messages = engine.messages(number, &step.state);
                let told = messages.iter().map(|message| {
                    let text = engine.show_message(number, message, &step.state);
                    text.trim_start_matches('(').trim_end_matches(')').to_owned()
                });
                told.collect()
            })
            .collect();
        full.retain(|messages: &Vec<String>| !messages.is_empty());
        let mut shown: Vec<_> = held.values().filter(|one| !one.is_empty()).cloned().collect();
        full.sort();
        shown.sort();
        // Channels of processes that are gone are not asked for any more.
        if chart.lanes.iter().all(|lane| lane.lives.iter().all(|life| life.to.is_none())) {
            assert_eq!(shown, full, "{what}, step {}", row.number);
        }
    }
}

#[test]
fn messages_and_queues_are_those_of_the_states() {
    let mut messages = 0;
    for path in gallery() {
        let text = std::fs::read_to_string(&path).expect("a model");
        let loaded = load_text(text.as_str());
        assert!(!loaded.has_errors(), "{}", path.display());
        for seed in 1..=6 {
            let mut engine = Engine::new(&loaded.model);
            let steps = walk(&mut engine, 150, seed);
            let chart = drawn(&mut engine, &loaded.sources, &steps);
            let what = format!("{}, seed {seed}", path.display());
            check(&engine, &chart, &steps, &what);
            messages += chart.messages.len();
        }
    }
    assert!(messages > 1000, "only {messages} messages");
}

#[test]
fn messages_that_overtake_are_told_apart() {
    // Sorted sends, random receives, looks, all of them also inside a `d_step`.
    let text = "chan c = [4] of { byte, byte }; chan e = [3] of { byte };
        active proctype P() { byte n; do :: n < 200 ->
            if :: c!!1,n :: c!!0,1 :: c!2,0 :: d_step { c!!0,2; e!3; c!1,1 } :: e!!n fi; n++ od }
        active proctype Q() { byte x; do :: c?x,_ :: c??1,x :: c??<2,x> :: c?<x,_> :: e?x
            :: d_step { e?x; c??0,x } od }";
    let loaded = load_text(text);
    assert!(!loaded.has_errors());
    let mut peeks = 0;
    for seed in 1..=40 {
        let mut engine = Engine::new(&loaded.model);
        let steps = walk(&mut engine, 200, seed);
        let chart = drawn(&mut engine, &loaded.sources, &steps);
        check(&engine, &chart, &steps, &format!("seed {seed}"));
        let events = chart.rows.iter().flat_map(|row| &row.events);
        peeks += events.filter(|event| matches!(event, Event::Peek { .. })).count();
    }
    assert!(peeks > 100, "only {peeks} looks");
}

/// How a run looks in every form.
fn show(name: &str, model: &Model, sources: &Sources, cycle_from: Option<usize>) {
    let mut engine = Engine::new(model);
    let (steps, fault) = shortest(&mut engine);
    let initial = engine.initial().to_vec();
    let run =
        Run { initial: &initial, steps: &steps, fault: Some(&fault), cycle_from, left_out: 0 };
    let chart = draw(&mut engine, sources, &run);
    check(&engine, &chart, &steps, name);
    let figure = Figure::of(name.to_owned(), &chart);
    let plain = Style { unicode: false, width: 100 };
    let wide = Style { unicode: true, width: 120 };
    let text = format!(
        "{}\n{}\n{}\n{}",
        terminal::to_text(&chart, wide, false),
        terminal::to_text(&chart, plain, true),
        mermaid::to_text(&figure),
        plantuml::to_text(&figure)
    );
    insta::assert_snapshot!(format!("chart-{name}"), text);
    insta::assert_snapshot!(format!("chart-{name}-svg"), svg::to_text(&figure));
}

fn show_gallery(name: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../protocols");
    let text = std::fs::read_to_string(folder.join(format!("{name}.pml"))).expect("a model");
    let loaded = load_text(text.as_str());
    show(name, &loaded.model, &loaded.sources, None);
}

#[test]
fn counterexamples_of_the_gallery() {
    show_gallery("alternating-bit-unchecked");
    show_gallery("needham-schroeder");
    show_gallery("dining-philosophers");
}

#[test]
fn births_looks_losses_blocks_and_hostile_texts() {
    let text = "chan c = [2] of { byte }; chan d = [1] of { byte };
        proctype Worker(byte n) { byte x; c?<x>; c?eval(n); x = 7 }
        init { atomic { run Worker(1); run Worker(2) }; c!1;
            printf(\"</script><b>; end #1 %% \\\" [[x]]\"); c!2; atomic { d!3; d!4 };
            (_nr_pr == 1); assert(false) }";
    let mut whole = load_text(text.replace("atomic { d", "d_step { d"));
    assert!(make_lossy(&mut whole.model, "d").is_err(), "a d_step loses nothing");
    let mut loaded = load_text(text);
    assert_eq!(make_lossy(&mut loaded.model, "d"), Ok(()));
    show("small", &loaded.model, &loaded.sources, None);
}

#[test]
fn long_runs_are_cut_and_drawn_in_one_go() {
    let text = "chan c = [1] of { byte }; active proctype P() { byte x; do :: c!x; x++ od }
        active proctype Q() { byte y; do :: c?y od }";
    let loaded = load_text(text);
    let mut engine = Engine::new(&loaded.model);
    let steps = walk(&mut engine, 6_000, 1);
    let chart = drawn(&mut engine, &loaded.sources, &steps);
    assert_eq!((chart.rows.len(), chart.left_out), (5_000, 1_000));
    assert_eq!(chart.rows[0].number, 1_001);
    // What had been sent before is in the channel all the same.
    let first = chart.rows.iter().flat_map(|row| &row.events).find_map(|event| match *event {
        Event::Receive { message, .. } => Some(message),
        _ => None,
    });
    assert!(first.is_some());
}

//! Makes a chart of a run that was confirmed: the semantics is asked once more for every step which
//! messages it sends and takes.

use super::peek::{self, edge};
use super::queues::{Queues, fields_told};
use super::{Again, Chart, End, Event, Lane, Life, Message, Part, Place, Row, Setting, Waiting};
use crate::excerpt::printable;
use crate::trace::{changed, name_of, options};
use pverify_model::describe;
use pverify_model::machine::Action;
use pverify_semantics::Engine;
use pverify_semantics::action::{ChannelName, Communication, Deed, Way};
use pverify_semantics::fault::FaultKind;
use pverify_semantics::inspect::Value;
use pverify_semantics::successors::Step;
use pverify_syntax::source::{Sources, Span};
use pverify_verdict::{Trace, TraceStep, waiting};
use std::collections::{HashMap, HashSet};

/// So many rows are drawn; of more, the last. Nobody scrolls through more.
const MOST_ROWS: usize = 5_000;

/// What a chart is made of.
#[derive(Clone, Copy, Debug)]
pub struct Run<'a> {
    /// The state before the first step.
    pub initial: &'a [u64],
    /// The steps.
    pub steps: &'a [TraceStep],
    /// What is wrong at its end.
    pub fault: Option<&'a FaultKind>,
    /// The steps from this one on are repeated for ever.
    pub cycle_from: Option<usize>,
    /// Steps before these.
    pub left_out: u64,
}

impl<'a> Run<'a> {
    /// The run of a trace.
    pub fn of(trace: &'a Trace) -> Self {
        Self {
            initial: &trace.initial,
            steps: &trace.steps,
            fault: Some(&trace.fault),
            cycle_from: trace.cycle_from,
            left_out: trace.left_out,
        }
    }

    /// The last rows of it, if there are too many.
    fn shortened(mut self) -> Self {
        let skipped = self.steps.len().saturating_sub(MOST_ROWS);
        let (before, steps) = self.steps.split_at(skipped);
        if let Some(last) = before.last() {
            self.initial = &last.state;
        }
        self.steps = steps;
        self.left_out += before.iter().map(|step| step.steps.len() as u64).sum::<u64>();
        self.cycle_from = self.cycle_from.map(|from| from.saturating_sub(skipped));
        self
    }
}

/// Draws a run; the engine is the one whose states they are.
pub fn draw(engine: &mut Engine<'_>, sources: &Sources, run: &Run<'_>) -> Chart {
    let run = run.shortened();
    // Without a listener, deeds have no messages.
    let said = |deed: &Deed| deed.communication.is_some();
    let listened = run.steps.iter().any(|step| step.deeds.iter().any(said));
    engine.listen();
    let mut drawer = Drawer {
        sources,
        chart: Chart { left_out: run.left_out, ..Chart::default() },
        lanes: HashMap::new(),
        queues: Queues::default(),
        values: engine.values(run.initial),
        number: run.left_out + 1,
        listened,
    };
    drawer.begin(engine, run.initial);
    let mut before = run.initial;
    let fails = run
        .fault
        .is_some_and(|fault| !fault.is_of_property() && *fault != FaultKind::InvalidEndState);
    for (at, step) in run.steps.iter().enumerate() {
        // A step that fails leads nowhere, and leaves its messages nowhere.
        let fails = fails && at + 1 == run.steps.len() && step.state == before;
        drawer.step(engine, before, step, fails);
        before = &step.state;
    }
    let Drawer { mut chart, lanes, .. } = drawer;
    chart.again = run.cycle_from.map(|from| Again { from, adds: Vec::new() });
    chart.fault = run.fault.map(ToString::to_string);
    if run.fault == Some(&FaultKind::InvalidEndState) {
        chart.waiting = waiting(engine, before)
            .iter()
            .filter_map(|one| {
                let lane = *lanes.get(&(one.pid, one.kind))?;
                let process = &engine.model.processes[one.kind as usize];
                let line = place(sources, process.graph.locations[one.location].span).line;
                let options = options(engine.model, one).iter().map(|text| shown(text)).collect();
                Some(Waiting { lane, line, may_end: one.may_end, options })
            })
            .collect();
    }
    in_order(&mut chart);
    chart
}

struct Drawer<'a> {
    sources: &'a Sources,
    chart: Chart,
    /// The lanes of processes by number and type.
    lanes: HashMap<(usize, u32), usize>,
    queues: Queues,
    values: Vec<Value>,
    number: u64,
    /// Whether the steps know their messages.
    listened: bool,
}

impl Drawer<'_> {
    fn begin(&mut self, engine: &Engine<'_>, state: &[u64]) {
        for (pid, kind) in living(engine, state) {
            self.born(engine, (pid, kind), None);
        }
        self.queues.begin(engine, state, &mut self.chart);
        let setting = |value: &Value| Setting {
            name: name_of(engine, state, value),
            value: Some(shown(&value.value)),
        };
        self.chart.start = self.values.iter().map(setting).collect();
    }

    fn born(&mut self, engine: &Engine<'_>, who: (usize, u32), from: Option<usize>) {
        let (pid, kind) = who;
        let chart = &mut self.chart;
        let lane = *self.lanes.entry(who).or_insert_with(|| {
            let process = engine.model.processes[kind as usize].name.to_string();
            chart.lanes.push(Lane { process, pid, lives: Vec::new() });
            chart.lanes.len() - 1
        });
        self.chart.lanes[lane].lives.push(Life { from, to: None });
    }

    fn step(&mut self, engine: &mut Engine<'_>, before: &[u64], taken: &TraceStep, fails: bool) {
        let deeds = if self.listened { taken.deeds.clone() } else { deeds(engine, before, taken) };
        let at = self.chart.rows.len();
        let state = taken.state.as_slice();
        let mut row = Row { number: self.number, atomic: taken.atomic, ..Row::default() };
        self.number += taken.steps.len() as u64;
        row.parts = taken.steps.iter().map(|step| self.part(engine, step)).collect();
        let mut touched: Vec<ChannelName> = Vec::new();
        for deed in &deeds {
            let Some(said) = &deed.communication else { continue };
            row.events.push(self.communication(engine, deed, said, (before, state), at, fails));
            if said.way != Way::Rendezvous && !fails && !touched.contains(&said.channel) {
                touched.push(said.channel);
            }
        }
        if row.events.is_empty() {
            row.events.extend(taken.steps.iter().map(|step| self.quiet(engine, step, before)));
        }
        self.births_and_deaths(engine, before, state, at);
        let (queues, chart) = (&mut self.queues, &mut self.chart);
        let after = touched.into_iter().map(|name| queues.after(engine, name, state, chart));
        row.queues = after.collect();
        self.changes(engine, before, state, &mut row);
        for step in &taken.steps {
            let lane = self.lane(step);
            if let Some(instance) = engine.process(state, step.pid as usize)
                && instance.kind == step.kind
            {
                let process = &engine.model.processes[instance.kind as usize];
                let location = instance.location.get(state) as usize;
                if let Some(location) = process.graph.locations.get(location) {
                    row.stands.push((lane, place(self.sources, location.span)));
                }
            }
        }
        self.chart.rows.push(row);
    }

    fn lane(&self, step: &Step) -> usize {
        self.lanes.get(&(step.pid as usize, step.kind)).copied().unwrap_or(0)
    }

    fn part(&self, engine: &Engine<'_>, step: &Step) -> Part {
        let process = &engine.model.processes[step.kind as usize];
        let lane = self.lane(step);
        match edge(engine.model, step) {
            Some(edge) => {
                let told = |action: &Action| describe::action(engine.model, process, action);
                let statement = match peek::lost(engine.model, step) {
                    Some(send) => format!("{} is lost", told(send)),
                    None => told(&edge.action),
                };
                let place = place(self.sources, edge.span);
                Part { lane, statement: shown(&statement), place }
            }
            None => Part { lane, statement: String::new(), place: Place::default() },
        }
    }

    /// What a step with a message does to the chart.
    fn communication(
        &mut self,
        engine: &Engine<'_>,
        deed: &Deed,
        said: &Communication,
        (before, state): (&[u64], &[u64]),
        row: usize,
        fails: bool,
    ) -> Event {
        let chart = &mut self.chart;
        let channel = self.queues.channel(engine.model, said.channel, chart);
        let text = [before, state].into_iter().find_map(|state| {
            let names = self.queues.names(engine, state);
            let at = names.iter().position(|name| *name == said.channel)?;
            Some(fields_told(engine, (at + 1) as u8, &said.message, state))
        });
        let text = shown(&text.unwrap_or_default());
        let lane = |step: &Step| self.lanes.get(&(step.pid as usize, step.kind)).copied();
        let end = |step: &Step| End { row, lane: lane(step).unwrap_or(0) };
        let here = Some(end(&deed.step));
        match said.way {
            Way::Receive if !fails => {
                self.queues.receive(channel, (&said.message, text), end(&deed.step), chart)
            }
            Way::Receive => {
                let (sent, taken, rendezvous) = (None, here, false);
                chart.messages.push(Message { channel, text, sent, taken, rendezvous });
                Event::Receive { message: chart.messages.len() - 1, at: 0 }
            }
            Way::Rendezvous => {
                let (sent, taken) = (here, deed.partner.as_ref().map(end));
                chart.messages.push(Message { channel, text, sent, taken, rendezvous: true });
                Event::Rendezvous { message: chart.messages.len() - 1 }
            }
            Way::Send => {
                let (sent, taken, rendezvous) = (here, None, false);
                chart.messages.push(Message { channel, text, sent, taken, rendezvous });
                let message = chart.messages.len() - 1;
                let sorted = edge(engine.model, &deed.step)
                    .is_some_and(|edge| matches!(edge.action, Action::Send { sorted: true, .. }));
                let at = match fails {
                    true => self.queues.length(channel),
                    false => self.queues.send(message, channel, &said.message, sorted),
                };
                Event::Send { message, at }
            }
        }
    }

    /// What a step without a message is: local, or one that looks, or loses.
    fn quiet(&mut self, engine: &Engine<'_>, step: &Step, before: &[u64]) -> Event {
        let lane = self.lane(step);
        if peek::lost(engine.model, step).is_some() {
            return Event::Lost { lane };
        }
        let looked =
            peek::peeked(engine, &mut self.queues, step, before).and_then(|(name, what)| {
                let channel = self.queues.channel(engine.model, name, &mut self.chart);
                self.queues.at(channel, what.place(&self.queues, channel)?)
            });
        looked.map_or(Event::Local { lane }, |message| Event::Peek { lane, message })
    }

    fn births_and_deaths(
        &mut self,
        engine: &Engine<'_>,
        before: &[u64],
        after: &[u64],
        row: usize,
    ) {
        if engine.shape_of(before) == engine.shape_of(after) {
            return;
        }
        let (old, new) = (living(engine, before), living(engine, after));
        for gone in old.iter().filter(|one| !new.contains(one)) {
            self.queues.forget(gone.0);
            let lane =
                self.lanes.get(gone).and_then(|&lane| self.chart.lanes[lane].lives.last_mut());
            if let Some(life) = lane {
                life.to = Some(row);
            }
        }
        for &come in new.iter().filter(|one| !old.contains(one)) {
            self.born(engine, come, Some(row));
        }
    }

    fn changes(&mut self, engine: &Engine<'_>, before: &[u64], state: &[u64], row: &mut Row) {
        let after = engine.values(state);
        let setting = |value: &Value| Setting {
            name: name_of(engine, state, value),
            value: Some(shown(&value.value)),
        };
        row.changes = changed(&self.values, &after).map(setting).collect();
        if engine.shape_of(before) != engine.shape_of(state) {
            let names: HashSet<String> =
                after.iter().map(|one| name_of(engine, state, one)).collect();
            let old = self.values.iter().map(|one| name_of(engine, before, one));
            let gone = old.filter(|name| !names.contains(name));
            row.changes.extend(gone.map(|name| Setting { name, value: None }));
        }
        self.values = after;
    }
}

/// The actions of a step, asked for again: nobody listened when it was confirmed.
fn deeds(engine: &mut Engine<'_>, before: &[u64], taken: &TraceStep) -> Vec<Deed> {
    let choices = engine.choices(before, None);
    choices.into_iter().find(|one| one.steps == taken.steps).map_or_else(Vec::new, |one| one.deeds)
}

/// Who lives in a state: numbers and types.
fn living(engine: &Engine<'_>, state: &[u64]) -> Vec<(usize, u32)> {
    let count = engine.shape(engine.shape_of(state)).processes.len();
    let kind = |pid| engine.process(state, pid).map(|process| (pid, process.kind));
    (0..count).filter_map(kind).collect()
}

fn place(sources: &Sources, span: Span) -> Place {
    let span = sources.outermost(span);
    Place { file: span.file.0, line: sources.position(span).line }
}

fn shown(text: &str) -> String {
    text.chars().map(|letter| if letter == '\t' { ' ' } else { printable(letter) }).collect()
}

/// Lanes by the numbers of the processes: they are met in the order of their births.
fn in_order(chart: &mut Chart) {
    let mut order: Vec<usize> = (0..chart.lanes.len()).collect();
    order.sort_by_key(|&lane| (chart.lanes[lane].pid, lane));
    let mut new = vec![0; order.len()];
    for (at, &lane) in order.iter().enumerate() {
        new[lane] = at;
    }
    chart.lanes = order.iter().map(|&lane| chart.lanes[lane].clone()).collect();
    let place = |lane: &mut usize| *lane = new.get(*lane).copied().unwrap_or(0);
    for row in &mut chart.rows {
        row.parts.iter_mut().for_each(|part| place(&mut part.lane));
        row.stands.iter_mut().for_each(|(lane, _)| place(lane));
        for event in &mut row.events {
            if let Event::Local { lane } | Event::Peek { lane, .. } | Event::Lost { lane } = event {
                place(lane);
            }
        }
    }
    for message in &mut chart.messages {
        for end in [&mut message.sent, &mut message.taken].into_iter().flatten() {
            place(&mut end.lane);
        }
    }
    chart.waiting.iter_mut().for_each(|waiting| place(&mut waiting.lane));
}

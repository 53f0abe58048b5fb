//! The channels that are asked about, and what is known of them so far.

use super::{Evidence, Known};
use pverify_model::channels::numbered;
use pverify_model::lift::names_of;
use pverify_model::machine::{Action, Model};
use pverify_semantics::Engine;
use pverify_semantics::successors::Step;
use pverify_verdict::unbounded::Weights;

/// A channel, or all channels that the processes of a type bring along by one variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ChannelId(pub usize);

/// Whether a channel may be longer inside a step than before and behind it: if something is sent, and
/// something received behind that.
pub(super) fn is_longer_within(model: &Model, steps: &[Step]) -> bool {
    let mut sends = false;
    steps.iter().any(|step| {
        let locations = &model.processes[step.kind as usize].graph.locations;
        let edge = locations[step.location as usize].edges.get(usize::from(step.edge));
        match edge.map(|edge| &edge.action) {
            // What is offered is taken at once.
            _ if step.offers => false,
            Some(Action::DStep(_)) => true,
            Some(Action::Send { .. }) => {
                sends = true;
                false
            }
            Some(Action::Receive { .. }) => sends,
            _ => false,
        }
    })
}

/// What is to be said of a channel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Channel {
    /// Its name; of a process, `P.c`.
    pub name: String,
    /// Its number, for a global one.
    pub number: Option<u8>,
    /// The greatest length met.
    pub greatest: u32,
    /// The greatest length by depth, breadth first, as far as that was explored.
    pub by_depth: Vec<u32>,
}

/// All channels that are asked about.
#[derive(Debug)]
pub(super) struct Channels {
    all: Vec<(Channel, Known)>,
    /// By number for global channels, then by process type and position.
    globals: Vec<Option<usize>>,
    locals: Vec<Vec<Option<usize>>>,
    /// How many channels nothing is known of.
    open: usize,
}

impl Channels {
    /// The buffered channels of a model.
    pub(super) fn of(model: &Model) -> Self {
        let mut channels =
            Self { all: Vec::new(), globals: Vec::new(), locals: Vec::new(), open: 0 };
        let numbers = numbered(model, &model.globals, 0);
        let names = names_of(model, &model.globals, 0);
        for (at, (shape, name)) in numbers.shapes.iter().zip(names).enumerate() {
            let id = (shape.capacity > 0).then(|| channels.add(name, Some(at as u8 + 1)));
            channels.globals.push(id);
        }
        for process in &model.processes {
            let shapes = numbered(model, &process.locals, 0).shapes;
            let names = names_of(model, &process.locals, 0);
            let mut ids = Vec::new();
            for (shape, name) in shapes.iter().zip(names) {
                let name = format!("{}.{name}", process.name);
                ids.push((shape.capacity > 0).then(|| channels.add(name, None)));
            }
            channels.locals.push(ids);
        }
        channels.open = channels.all.len();
        channels
    }

    fn add(&mut self, name: String, number: Option<u8>) -> usize {
        let channel = Channel { name, number, greatest: 0, by_depth: Vec::new() };
        self.all.push((channel, Known::Unknown));
        self.all.len() - 1
    }

    /// Which one a living channel is.
    pub(super) fn id(&self, engine: &Engine<'_>, number: u8, words: &[u64]) -> Option<ChannelId> {
        if let Some(id) = self.globals.get(usize::from(number) - 1) {
            return id.map(ChannelId);
        }
        let (pid, at) = engine.owner_of(number, words);
        let kind = engine.process(words, pid?)?.kind as usize;
        self.locals.get(kind)?.get(at).copied().flatten().map(ChannelId)
    }

    /// How many channels are asked about.
    pub(super) fn count(&self) -> usize {
        self.all.len()
    }

    /// Whether something is not known yet.
    pub(super) fn is_open(&self) -> bool {
        self.open > 0
    }

    /// Whether nothing is known of a channel.
    pub(super) fn is_unknown(&self, id: ChannelId) -> bool {
        matches!(self.all[id.0].1, Known::Unknown)
    }

    /// Whether nothing is known of a living channel.
    pub(super) fn is_wanted(&self, engine: &Engine<'_>, number: u8, words: &[u64]) -> bool {
        self.id(engine, number, words).is_some_and(|id| self.is_unknown(id))
    }

    fn know(&mut self, id: ChannelId, known: Known) {
        if self.is_unknown(id) {
            self.open -= 1;
            self.all[id.0].1 = known;
        }
    }

    /// A loop adds to a channel for ever.
    pub(super) fn grows(&mut self, id: ChannelId, pump: usize) {
        self.know(id, Known::Unbounded { pump });
    }

    /// Weights bound a global channel.
    pub(super) fn bounded(&mut self, number: u8, most: u64, weights: Weights) {
        if let Some(Some(id)) = self.globals.get(usize::from(number) - 1) {
            self.know(
                ChannelId(*id),
                Known::Bounded { most, evidence: Evidence::Weights(weights) },
            );
        }
    }

    /// Every state was seen: each channel is bounded by the greatest length met, exactly.
    pub(super) fn exhausted(&mut self) {
        for (channel, known) in &mut self.all {
            if !matches!(known, Known::Unbounded { .. }) {
                let most = u64::from(channel.greatest);
                *known = Known::Bounded { most, evidence: Evidence::Exhaustion };
            }
        }
        self.open = 0;
    }

    /// The lengths of the channels of a state, at a depth of a breadth-first search.
    pub(super) fn meet(&mut self, engine: &Engine<'_>, words: &[u64], depth: Option<usize>) {
        for number in 1..=engine.channel_count(words).min(255) as u8 {
            if let Some(ChannelId(id)) = self.id(engine, number, words) {
                let length = engine.length(number, words);
                let channel = &mut self.all[id].0;
                channel.greatest = channel.greatest.max(length);
                if let Some(depth) = depth {
                    let known = channel.by_depth.last().copied().unwrap_or(0);
                    if channel.by_depth.len() <= depth {
                        channel.by_depth.resize(depth + 1, known);
                    }
                    channel.by_depth[depth] = channel.by_depth[depth].max(length);
                }
            }
        }
    }

    /// The lengths that channels have inside a step which is several at once; `None` if they are not
    /// known.
    pub(super) fn lengths_within(
        &self,
        engine: &mut Engine<'_>,
        words: &[u64],
        steps: &[Step],
        next: &[u64],
    ) -> Option<Vec<(ChannelId, u32)>> {
        let (sent, reached) = engine.sent_along(words, steps)?;
        let lengths = sent.iter().filter_map(|one| {
            let number = usize::from(one.channel);
            let then =
                [words, &reached].into_iter().find(|then| number <= engine.channel_count(then));
            Some((self.id(engine, one.channel, then?)?, one.length))
        });
        let lengths = lengths.collect();
        (reached == next).then_some(lengths)
    }

    /// A greater length of a channel was met.
    pub(super) fn met(&mut self, id: ChannelId, length: u32) {
        let channel = &mut self.all[id.0].0;
        channel.greatest = channel.greatest.max(length);
    }

    /// The global channels of which nothing is known.
    pub(super) fn unknown_numbers(&self) -> Vec<u8> {
        let unknown = self.all.iter().filter(|(_, known)| matches!(known, Known::Unknown));
        unknown.filter_map(|(channel, _)| channel.number).collect()
    }

    /// What is known in the end.
    pub(super) fn into_known(self) -> Vec<(Channel, Known)> {
        self.all
    }
}

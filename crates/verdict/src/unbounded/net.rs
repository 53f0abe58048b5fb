//! What processes do to channels, apart from everything else: a net of places and transitions.
//!
//! A place is a location of a process type or a kind of message in a channel; a token lies there for
//! each process that stands at the location, for each message that is in the channel. A transition is
//! an edge of a control graph: it takes tokens from places and puts tokens on others. Variables,
//! conditions and the order of messages are forgotten, so the net can do more than the model, never
//! less: what is proved of all its runs holds for the model.
//!
//! **Paths as tokens.** What a channel with one sender and one reader holds is a piece of a *path* of
//! its sender: the edges that the sender has gone and the reader has not yet seen. A net may treat
//! such a channel so. The sender leaves a token for each edge it goes; the reader has, beside its
//! location, a *cursor* that walks the sender's graph behind it: it passes edges that send nothing to
//! the channel by themselves, and one that does when it receives. So the net knows what the sender was
//! about when it sent what is received now.

use ahash::AHashMap;
use pverify_model::channels::{constant, numbered};
use pverify_model::lift::channel_names;
use pverify_model::machine::{
    Action, ChannelShape, Edge, Expression, Initial, Model, Owner, Pattern, Place as Variable,
    ProcessKind,
};
use pverify_model::walk;

/// A place of a net.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// A process of a type is at a node of its graph, with cursors at nodes of senders.
    At {
        /// The process type.
        process: usize,
        /// Locations come first, then points inside `d_step`s.
        node: usize,
        /// One for each channel treated as a path that it reads.
        cursors: Vec<usize>,
    },
    /// A message of a kind is in a channel, by its number from 1.
    Message {
        /// The channel.
        channel: u8,
        /// The first field, where all sends give a constant.
        kind: Option<i32>,
    },
    /// The sender of a channel has gone an edge that the reader's cursor has not passed.
    Ahead {
        /// The channel.
        channel: u8,
        /// The sender's edge.
        edge: usize,
    },
}

/// A transition of a net: places whose tokens it takes, and places it puts tokens on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transition {
    /// It takes a token from each.
    pub takes: Vec<usize>,
    /// It puts a token on each.
    pub puts: Vec<usize>,
}

/// A net.
#[derive(Clone, Debug, Default)]
pub struct Net {
    /// Its places.
    pub places: Vec<Place>,
    /// Its transitions.
    pub transitions: Vec<Transition>,
    /// Where tokens lie at first, as often as there are some.
    pub initial: Vec<usize>,
    /// For each channel, by its number from 1 (so the first is empty), the places of its messages.
    pub messages: Vec<Vec<usize>>,
    numbers: AHashMap<Place, usize>,
}

/// Larger nets are not made.
const MOST: usize = 6000;

/// What processes do to channels.
#[derive(Clone, Debug)]
pub struct Local {
    /// One a process type.
    graphs: Vec<Graph>,
    /// The kinds of messages in each channel, by its number from 1; empty for rendezvous.
    kinds: Vec<Vec<Option<i32>>>,
    /// Process types and how many run from the start.
    active: Vec<(usize, u32)>,
    /// Process types that are started while the model runs.
    started: Vec<bool>,
}

/// The graph of a process type.
#[derive(Clone, Debug, Default)]
struct Graph {
    nodes: usize,
    edges: Vec<LocalEdge>,
}

#[derive(Clone, Debug)]
struct LocalEdge {
    from: usize,
    to: Option<usize>,
    does: Does,
    starts: Vec<usize>,
}

/// What an edge does to channels: one of these channels, one of these kinds.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Does {
    Nothing,
    Send(Vec<(u8, Option<i32>)>),
    Receive { from: Vec<(u8, Option<i32>)>, in_order: bool },
}

impl Local {
    /// Looks at a model without capacities.
    ///
    /// # Errors
    /// Where channels are not known beforehand.
    pub fn of(model: &Model) -> Result<Self, &'static str> {
        if has_other_channels(model) {
            return Err("channels of processes and of structures have no weights");
        }
        let numbered = numbered(model, &model.globals, 0);
        let (shapes, first) = (numbered.shapes, numbered.first);
        let mut reader =
            Reader { model, shapes, first, constant: constant(model), kinds: Vec::new() };
        reader.find_kinds();
        let mut started = vec![false; model.processes.len()];
        let mut graphs = Vec::new();
        let mut active = Vec::new();
        for (at, process) in model.processes.iter().enumerate() {
            let runs = matches!(process.kind, ProcessKind::Proctype | ProcessKind::Init);
            let graph = if runs { reader.graph(at) } else { Graph::default() };
            graph.edges.iter().flat_map(|edge| &edge.starts).for_each(|&at| started[at] = true);
            graphs.push(graph);
            if runs && process.active > 0 {
                active.push((at, process.active));
            }
        }
        Ok(Self { graphs, kinds: reader.kinds, active, started })
    }

    /// The channels that can be treated as paths: one sender, one reader, in order.
    pub fn paths(&self) -> Vec<u8> {
        (1..self.kinds.len() as u8).filter(|&channel| self.ends(channel).is_some()).collect()
    }

    /// The sender and the reader of a channel that can be treated as a path.
    fn ends(&self, channel: u8) -> Option<(usize, usize)> {
        let single = |process: usize| {
            !self.started[process] && self.active.contains(&(process, 1))
        };
        let (mut senders, mut readers) = (Vec::new(), Vec::new());
        for (process, graph) in self.graphs.iter().enumerate() {
            for edge in &graph.edges {
                let (list, touched, plain) = match &edge.does {
                    Does::Nothing => continue,
                    Does::Send(to) => (&mut senders, to, true),
                    Does::Receive { from, in_order } => (&mut readers, from, *in_order),
                };
                if touched.iter().any(|(touched, _)| *touched == channel) {
                    if !plain || touched.iter().any(|(other, _)| *other != channel) {
                        return None;
                    }
                    if !list.contains(&process) {
                        list.push(process);
                    }
                }
            }
        }
        match (senders.as_slice(), readers.as_slice()) {
            (&[sender], &[reader]) if single(sender) && single(reader) => Some((sender, reader)),
            _ => None,
        }
    }

    /// The net in which some channels are treated as paths.
    ///
    /// # Errors
    /// When it would be too large.
    pub fn net(&self, paths: &[u8]) -> Result<Net, &'static str> {
        let ends = paths.iter().filter_map(|&channel| Some((channel, self.ends(channel)?)));
        let mut builder = Builder {
            local: self,
            paths: ends.map(|(channel, (sender, reader))| Path { channel, sender, reader }).collect(),
            net: Net { messages: vec![Vec::new(); self.kinds.len()], ..Net::default() },
        };
        for (channel, kinds) in self.kinds.iter().enumerate() {
            for &kind in kinds {
                builder.message(channel as u8, kind);
            }
        }
        let mut work: Vec<usize> = Vec::new();
        for &(process, count) in &self.active {
            let first = builder.start(process, &mut work);
            builder.net.initial.extend(std::iter::repeat_n(first, count as usize));
        }
        while let Some(at) = work.pop() {
            builder.expand(at, &mut work);
            if builder.net.places.len() > MOST || builder.net.transitions.len() > 4 * MOST {
                return Err("the net is too large");
            }
        }
        Ok(builder.net)
    }
}

struct Path {
    channel: u8,
    sender: usize,
    reader: usize,
}

struct Builder<'l> {
    local: &'l Local,
    paths: Vec<Path>,
    net: Net,
}

impl Builder<'_> {
    fn number(&mut self, place: Place) -> (usize, bool) {
        if let Some(&number) = self.net.numbers.get(&place) {
            return (number, false);
        }
        let number = self.net.places.len();
        self.net.places.push(place.clone());
        self.net.numbers.insert(place, number);
        (number, true)
    }

    fn message(&mut self, channel: u8, kind: Option<i32>) -> usize {
        let (number, new) = self.number(Place::Message { channel, kind });
        if new && !self.paths.iter().any(|path| path.channel == channel) {
            self.net.messages[usize::from(channel)].push(number);
        }
        number
    }

    fn ahead(&mut self, channel: u8, edge: usize, sends: bool) -> usize {
        let (number, new) = self.number(Place::Ahead { channel, edge });
        if new && sends {
            self.net.messages[usize::from(channel)].push(number);
        }
        number
    }

    fn at(&mut self, process: usize, node: usize, cursors: Vec<usize>, work: &mut Vec<usize>) -> usize {
        let (number, new) = self.number(Place::At { process, node, cursors });
        if new {
            work.push(number);
        }
        number
    }

    fn start(&mut self, process: usize, work: &mut Vec<usize>) -> usize {
        let cursors = self.paths.iter().filter(|path| path.reader == process).count();
        self.at(process, 0, vec![0; cursors], work)
    }

    /// The transitions that begin at a place of a process.
    fn expand(&mut self, place: usize, work: &mut Vec<usize>) {
        let Place::At { process, node, cursors } = self.net.places[place].clone() else { return };
        let local = self.local;
        for (at, edge) in local.graphs[process].edges.iter().enumerate() {
            if edge.from != node {
                continue;
            }
            let mut left = Vec::new();
            for path in 0..self.paths.len() {
                let Path { channel, sender, .. } = self.paths[path];
                if sender == process {
                    let sends = sends_to(edge, channel);
                    left.push(self.ahead(channel, at, sends));
                }
            }
            for &started in &edge.starts {
                left.push(self.start(started, work));
            }
            match &edge.does {
                Does::Nothing => self.go(place, edge, cursors.clone(), None, None, &left, work),
                Does::Send(alternatives) => {
                    for &(channel, kind) in alternatives {
                        let is_path = self.paths.iter().any(|path| path.channel == channel);
                        let sent = (!is_path).then(|| self.message(channel, kind));
                        self.go(place, edge, cursors.clone(), None, sent, &left, work);
                    }
                }
                Does::Receive { from, .. } => {
                    self.receive(place, edge, &cursors, from, &left, work);
                }
            }
        }
        // Cursors pass by themselves what sends nothing to their channel.
        for (slot, path) in self.readings(process) {
            let Path { channel, sender, .. } = self.paths[path];
            for (at, edge) in local.graphs[sender].edges.iter().enumerate() {
                let Some(to) = edge.to.filter(|_| edge.from == cursors[slot]) else { continue };
                if sends_to(edge, channel) {
                    continue;
                }
                let token = self.ahead(channel, at, false);
                let mut moved = cursors.clone();
                moved[slot] = to;
                let target = self.at(process, node, moved, work);
                let takes = vec![place, token];
                self.net.transitions.push(Transition { takes, puts: vec![target] });
            }
        }
    }

    /// The paths that a process reads: the position of the cursor, and which path.
    fn readings(&self, process: usize) -> Vec<(usize, usize)> {
        let paths = self.paths.iter().enumerate().filter(|(_, path)| path.reader == process);
        paths.map(|(path, _)| path).enumerate().collect()
    }

    fn receive(
        &mut self,
        place: usize,
        edge: &LocalEdge,
        cursors: &[usize],
        from: &[(u8, Option<i32>)],
        left: &[usize],
        work: &mut Vec<usize>,
    ) {
        let Place::At { process, .. } = self.net.places[place] else { return };
        let reading = self.readings(process).into_iter().find(|&(_, path)| {
            from.iter().any(|(channel, _)| *channel == self.paths[path].channel)
        });
        let Some((slot, path)) = reading else {
            for &(channel, kind) in from {
                let taken = self.message(channel, kind);
                self.go(place, edge, cursors.to_vec(), Some(taken), None, left, work);
            }
            return;
        };
        let Path { channel, sender, .. } = self.paths[path];
        for (at, sent) in self.local.graphs[sender].edges.iter().enumerate() {
            let Does::Send(alternatives) = &sent.does else { continue };
            let Some(to) = sent.to.filter(|_| sent.from == cursors[slot]) else { continue };
            if alternatives.iter().any(|sent| from.contains(sent)) {
                let token = self.ahead(channel, at, true);
                let mut moved = cursors.to_vec();
                moved[slot] = to;
                self.go(place, edge, moved, Some(token), None, left, work);
            }
        }
    }

    #[allow(clippy::too_many_arguments, reason = "the parts of one transition")]
    fn go(
        &mut self,
        place: usize,
        edge: &LocalEdge,
        cursors: Vec<usize>,
        taken: Option<usize>,
        sent: Option<usize>,
        left: &[usize],
        work: &mut Vec<usize>,
    ) {
        let Place::At { process, .. } = self.net.places[place] else { return };
        let target = edge.to.map(|to| self.at(process, to, cursors, work));
        let takes = [place].into_iter().chain(taken).collect();
        let puts = target.into_iter().chain(sent).chain(left.iter().copied()).collect();
        self.net.transitions.push(Transition { takes, puts });
    }
}

fn sends_to(edge: &LocalEdge, channel: u8) -> bool {
    matches!(&edge.does, Does::Send(to) if to.iter().any(|(to, _)| *to == channel))
}

/// Whether channels live anywhere but in global variables of type `chan`.
fn has_other_channels(model: &Model) -> bool {
    let locals = model.processes.iter().flat_map(|process| &process.locals);
    let fields = model.structs.iter().flat_map(|structure| &structure.fields);
    locals.chain(fields).any(|variable| {
        matches!(&variable.initial, Initial::Channel(shape) if shape.capacity > 0)
    })
}

struct Reader<'m> {
    model: &'m Model,
    /// The global channels by number, and the number of the first of each variable.
    shapes: Vec<&'m ChannelShape>,
    first: Vec<usize>,
    constant: Vec<Vec<bool>>,
    kinds: Vec<Vec<Option<i32>>>,
}

impl Reader<'_> {
    /// The kinds of messages that are sent to each channel.
    fn find_kinds(&mut self) {
        let mut kinds: Vec<Vec<Option<i32>>> = vec![Vec::new(); self.shapes.len() + 1];
        let locations = self.model.processes.iter().flat_map(|process| &process.graph.locations);
        for edge in locations.flat_map(|location| &location.edges) {
            walk::actions(&edge.action, edge.span, &mut |action, _| {
                let Action::Send { channel, message, .. } = action else { return };
                for number in self.numbers(channel) {
                    if self.shapes[usize::from(number) - 1].capacity == 0 {
                        continue;
                    }
                    let value = match message.first() {
                        Some(&Expression::Constant(value, _)) => {
                            Some(self.truncated(number, value))
                        }
                        _ => None,
                    };
                    let known = &mut kinds[usize::from(number)];
                    if !known.contains(&value) {
                        known.push(value);
                    }
                }
            });
        }
        for known in &mut kinds {
            if known.contains(&None) {
                *known = vec![None];
            }
        }
        self.kinds = kinds;
    }

    /// The numbers of the channels that a place may be.
    fn numbers(&self, place: &Variable) -> Vec<u8> {
        let variable = place.variable.index();
        if place.owner != Owner::Global || !self.constant[0][variable] || !place.fields.is_empty() {
            return (1..=self.shapes.len().min(255) as u8).collect();
        }
        let first = self.first[variable];
        let length = self.model.globals[variable].length.unwrap_or(1) as usize;
        match place.index.as_deref() {
            None => vec![first as u8],
            Some(&Expression::Constant(index, _)) if (0..length as i32).contains(&index) => {
                vec![(first + index as usize) as u8]
            }
            Some(_) => (first..first + length).map(|at| at as u8).collect(),
        }
    }

    fn graph(&self, kind: usize) -> Graph {
        let locations = &self.model.processes[kind].graph.locations;
        let mut graph = Graph { nodes: locations.len(), edges: Vec::new() };
        for (from, location) in locations.iter().enumerate() {
            for edge in &location.edges {
                self.edge(from, edge, &mut graph);
            }
        }
        graph
    }

    fn edge(&self, from: usize, edge: &Edge, graph: &mut Graph) {
        let to = edge.target.map(|target| target.index()).filter(|_| edge.action != Action::End);
        let Action::DStep(block) = &edge.action else {
            return self.action(from, to, &edge.action, graph);
        };
        let first = graph.nodes;
        graph.nodes += block.points.len();
        let (does, starts) = (Does::Nothing, Vec::new());
        graph.edges.push(LocalEdge { from, to: Some(first), does, starts });
        for (point, steps) in block.points.iter().enumerate() {
            for step in steps {
                let next = step.next.map(|next| first + next as usize).or(to);
                self.action(first + point, next, &step.action, graph);
            }
        }
    }

    fn action(&self, from: usize, to: Option<usize>, action: &Action, graph: &mut Graph) {
        let mut starts = Vec::new();
        walk::action_expressions(action, &mut |expression| {
            if let Expression::Run { process, .. } = expression {
                starts.push(process.index());
            }
        });
        let mut add = |does| graph.edges.push(LocalEdge { from, to, does, starts: starts.clone() });
        match action {
            Action::Send { channel, message, .. } => {
                let (to, _) = self.meant(channel, &|kind, number| match message.first() {
                    Some(&Expression::Constant(value, _)) => {
                        self.truncated(number, value) == kind
                    }
                    _ => true,
                });
                // To a rendezvous channel it sends nothing that stays.
                add(if to.is_empty() { Does::Nothing } else { Does::Send(to) });
            }
            // One that takes nothing is a step like any other.
            Action::Receive { channel, random, keep: false, pattern } => {
                let (from, rendezvous) = self.meant(channel, &|kind, _| match pattern.first() {
                    Some(Pattern::Match(Expression::Constant(value, _))) => *value == kind,
                    _ => true,
                });
                // Where nobody ever sends what it waits for, it is no step at all.
                if !from.is_empty() {
                    add(Does::Receive { from, in_order: !random });
                }
                if rendezvous {
                    add(Does::Nothing);
                }
            }
            _ => add(Does::Nothing),
        }
    }

    fn truncated(&self, number: u8, value: i32) -> i32 {
        let shape = self.shapes.get(usize::from(number) - 1);
        shape.and_then(|shape| shape.fields.first()).map_or(value, |field| field.truncate(value))
    }

    /// The buffered channels that a place may be, with the kinds of messages wanted, and whether it
    /// may be a rendezvous channel.
    fn meant(
        &self,
        channel: &Variable,
        wanted: &dyn Fn(i32, u8) -> bool,
    ) -> (Vec<(u8, Option<i32>)>, bool) {
        let mut found = Vec::new();
        let mut rendezvous = false;
        for number in self.numbers(channel) {
            if self.shapes[usize::from(number) - 1].capacity == 0 {
                rendezvous = true;
                continue;
            }
            let kinds = self.kinds[usize::from(number)].iter();
            let fits = kinds.filter(|kind| kind.is_none_or(|kind| wanted(kind, number)));
            found.extend(fits.map(|kind| (number, *kind)));
        }
        (found, rendezvous)
    }
}

/// The name of a place for people.
pub fn place_name(model: &Model, place: &Place) -> String {
    let names = channel_names(model);
    let channel = |number: u8| names.get(usize::from(number) - 1).cloned().unwrap_or_default();
    match place {
        Place::At { process, node, cursors } => {
            let process = &model.processes[*process];
            let at = match process.graph.labels.iter().find(|label| {
                label.location.is_some_and(|location| location.index() == *node)
            }) {
                Some(label) => label.name.to_string(),
                None => node.to_string(),
            };
            let behind: Vec<String> = cursors.iter().map(ToString::to_string).collect();
            match behind.is_empty() {
                true => format!("{}@{at}", process.name),
                false => format!("{}@{at}/{}", process.name, behind.join("/")),
            }
        }
        Place::Message { channel: number, kind } => {
            let name = kind.map(|kind| {
                let mtype = model.mtypes.name(0, kind);
                mtype.map_or_else(|| kind.to_string(), ToString::to_string)
            });
            format!("{}:{}", channel(*number), name.unwrap_or_else(|| "any".to_owned()))
        }
        Place::Ahead { channel: number, edge } => format!("{}^{edge}", channel(*number)),
    }
}

//! What processes do to channels, apart from everything else: a net of places and transitions.
//!
//! A place is a location of a process type or a kind of message in a channel; a token lies there for
//! each process that stands at the location, for each message that is in the channel. A transition is
//! an edge of a control graph: it takes tokens from places and puts tokens on others. Variables,
//! conditions and the order of messages are forgotten, so the net can do more than the model, never
//! less: what is proved of all its runs holds for the model.
//!
//! **Paths as tokens.** What a channel with one sender and one reader (who do not use `!!` or `??`)
//! holds is a piece of a *path* of its sender: the edges that the sender has gone and the reader has not yet seen. A net may treat
//! such a channel so. The sender leaves a token for each edge it goes; the reader has, beside its
//! location, a *cursor* that walks the sender's graph behind it: it passes edges that send nothing to
//! the channel by themselves, and one that does when it receives. So the net knows what the sender was
//! about when it sent what is received now.

use super::local::{Does, LocalEdge};
use ahash::AHashMap;
use pverify_model::lift::channel_names;
use pverify_model::machine::Model;

pub use super::local::Local;

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

impl Local {
    /// The channels that can be treated as paths: one sender, one reader, in order.
    pub fn paths(&self) -> Vec<u8> {
        (1..self.kinds.len() as u8).filter(|&channel| self.ends(channel).is_some()).collect()
    }

    /// The sender and the reader of a channel that can be treated as a path.
    fn ends(&self, channel: u8) -> Option<(usize, usize)> {
        let single = |process: usize| !self.started[process] && self.active.contains(&(process, 1));
        let (mut senders, mut readers) = (Vec::new(), Vec::new());
        for (process, graph) in self.graphs.iter().enumerate() {
            for edge in &graph.edges {
                let (list, touched, plain) = match &edge.does {
                    Does::Nothing => continue,
                    Does::Send { to, in_order } => (&mut senders, to, *in_order),
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
            paths: ends
                .map(|(channel, (sender, reader))| Path { channel, sender, reader })
                .collect(),
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

    fn at(
        &mut self,
        process: usize,
        node: usize,
        cursors: Vec<usize>,
        work: &mut Vec<usize>,
    ) -> usize {
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
                Does::Send { to: alternatives, .. } => {
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
            let Does::Send { to: alternatives, .. } = &sent.does else { continue };
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
    matches!(&edge.does, Does::Send { to, .. } if to.iter().any(|(to, _)| *to == channel))
}

/// The name of a place for people.
pub fn place_name(model: &Model, place: &Place) -> String {
    let names = channel_names(model);
    let channel = |number: u8| names.get(usize::from(number) - 1).cloned().unwrap_or_default();
    match place {
        Place::At { process, node, cursors } => {
            let process = &model.processes[*process];
            let at = match process
                .graph
                .labels
                .iter()
                .find(|label| label.location.is_some_and(|location| location.index() == *node))
            {
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

//! A run as a message sequence chart: who did what, which message went from whom to whom, and what
//! every channel held.
//!
//! [`draw`] makes the chart, a piece of data; everything else turns it into text: [`terminal`] for
//! the terminal, [`svg`] as a drawing, [`mermaid`] and [`plantuml`] for other tools;
//! [`crate::page`] shows it in a browser.

mod draw;
mod figure;
mod layout;
pub mod mermaid;
mod peek;
pub mod plantuml;
mod queues;
pub mod svg;
pub mod terminal;

pub use draw::{Run, draw};
pub use figure::{Figure, figures};

/// A run as a chart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Chart {
    /// The processes that ever lived, by their numbers.
    pub lanes: Vec<Lane>,
    /// The channels that were used.
    pub channels: Vec<String>,
    /// The steps, a rendezvous in one row.
    pub rows: Vec<Row>,
    /// The messages, in the order in which they were sent.
    pub messages: Vec<Message>,
    /// What the first state holds.
    pub start: Vec<Setting>,
    /// What is repeated at the end.
    pub again: Option<Again>,
    /// What is wrong at the end, if anything.
    pub fault: Option<String>,
    /// For a deadlock: who waits, and for what.
    pub waiting: Vec<Waiting>,
    /// How many steps before these are not shown.
    pub left_out: u64,
}

/// A process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lane {
    /// Its type.
    pub process: String,
    /// Its number.
    pub pid: usize,
    /// When it lived: several times, where a process got the number of one that was gone.
    pub lives: Vec<Life>,
}

/// From a row to a row: before the first and behind the last where there is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Life {
    /// The row that began it.
    pub from: Option<usize>,
    /// The row that ended it.
    pub to: Option<usize>,
}

impl Lane {
    /// The name of the process.
    pub fn name(&self) -> String {
        format!("{}({})", self.process, self.pid)
    }

    /// Whether it lives before or after a row.
    pub fn lives_at(&self, row: usize) -> bool {
        let begun = |life: &Life| life.from.is_none_or(|from| from <= row);
        let over = |life: &Life| life.to.is_some_and(|to| to < row);
        self.lives.iter().any(|life| begun(life) && !over(life))
    }
}

/// One step, or both halves of a rendezvous.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// The number of its first step, from 1.
    pub number: u64,
    /// The statements: one, or two of a rendezvous.
    pub parts: Vec<Part>,
    /// What happens; several things in a `d_step`.
    pub events: Vec<Event>,
    /// Whether the process keeps control.
    pub atomic: bool,
    /// What is different after it.
    pub changes: Vec<Setting>,
    /// Where those who moved stand now.
    pub stands: Vec<(usize, Place)>,
    /// The channels that hold something else than before.
    pub queues: Vec<Queue>,
}

/// A statement that was executed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// By whom.
    pub lane: usize,
    /// The statement.
    pub statement: String,
    /// Where it stands in the text.
    pub place: Place,
}

/// A line of a file of the model, by the number of the file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The file; 0 is the one given.
    pub file: u32,
    /// The line, from 1.
    pub line: u32,
}

/// Something that happens in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A step that has nothing to do with channels.
    Local {
        /// By whom.
        lane: usize,
    },
    /// A message goes into a channel.
    Send {
        /// Which.
        message: usize,
        /// Its place in the channel, from 0.
        at: usize,
    },
    /// A message is taken from a channel.
    Receive {
        /// Which.
        message: usize,
        /// Its place in the channel, from 0.
        at: usize,
    },
    /// A message is handed over.
    Rendezvous {
        /// Which.
        message: usize,
    },
    /// A message is looked at, and stays.
    Peek {
        /// By whom.
        lane: usize,
        /// Which.
        message: usize,
    },
    /// What would have been sent is lost.
    Lost {
        /// By whom.
        lane: usize,
    },
}

/// A message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// Its channel.
    pub channel: usize,
    /// Its fields.
    pub text: String,
    /// Where it was sent; before the first row, where there is nothing.
    pub sent: Option<End>,
    /// Where it was taken.
    pub taken: Option<End>,
    /// Whether it was handed over rather than left in a channel.
    pub rendezvous: bool,
}

/// One end of an arrow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct End {
    /// The row.
    pub row: usize,
    /// The process.
    pub lane: usize,
}

/// A name and its value; nothing where it is gone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// The name.
    pub name: String,
    /// The value.
    pub value: Option<String>,
}

/// What a channel holds after a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Queue {
    /// The channel.
    pub channel: usize,
    /// The first messages, oldest first.
    pub first: Vec<usize>,
    /// How many there are.
    pub length: usize,
}

/// The end of a run that goes on for ever.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Again {
    /// The rows from this one on are repeated; if there are none, the last state is.
    pub from: usize,
    /// What every round adds to channels: the name and the messages. Nothing on a cycle.
    pub adds: Vec<(String, String)>,
}

/// A process that waits for ever.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// Which.
    pub lane: usize,
    /// The line where it stands.
    pub line: u32,
    /// Whether it may end there.
    pub may_end: bool,
    /// What it could do if it could.
    pub options: Vec<String>,
}

impl Chart {
    /// A message with its channel, as it is sent (`!`) or taken (`?`).
    pub fn label(&self, message: usize, sign: &str) -> String {
        let message = &self.messages[message];
        format!("{}{sign}{}", self.channels[message.channel], message.text)
    }

    /// What a queue holds, in words: the messages, oldest first.
    pub fn contents(&self, queue: &Queue) -> String {
        let shown = queue.first.iter().map(|&message| format!("({})", self.messages[message].text));
        let more = match queue.length - queue.first.len() {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        format!("{} [{}{more}]", self.channels[queue.channel], shown.collect::<Vec<_>>().join(" "))
    }

    /// Whether a process takes a message that it sent itself.
    pub(crate) fn returns(&self, event: &Event) -> bool {
        let Event::Receive { message, .. } = *event else { return false };
        let one = &self.messages[message];
        one.sent.is_some_and(|sent| Some(sent.lane) == one.taken.map(|end| end.lane))
    }

    /// Whether it happens inside one process only and away from channels.
    pub fn is_local(&self, row: usize) -> bool {
        self.rows[row].events.iter().all(|event| matches!(event, Event::Local { .. }))
    }

    /// The blocks that processes run through without a break: lane, first and last row.
    pub fn frames(&self) -> Vec<(usize, usize, usize)> {
        let first = |row: &Row| row.parts.first().map(|part| part.lane);
        let last = |row: &Row| row.parts.last().map(|part| part.lane);
        let mut frames = Vec::new();
        let mut at = 0;
        while at < self.rows.len() {
            let owner = last(&self.rows[at]);
            let goes_on = |row: &Row| row.atomic && last(row) == owner;
            let mut end = at;
            while goes_on(&self.rows[end])
                && self.rows.get(end + 1).is_some_and(|r| first(r) == owner)
            {
                end += 1;
            }
            if let Some(owner) = owner.filter(|_| end > at) {
                frames.push((owner, at, end));
            }
            at = end + 1;
        }
        frames
    }

    /// Whether a row lies in what is repeated.
    pub fn is_repeated(&self, row: usize) -> bool {
        self.again.as_ref().is_some_and(|again| row >= again.from)
    }

    /// What is repeated, in words; nothing for a run that ends.
    pub fn repetition(&self) -> Option<String> {
        let again = self.again.as_ref()?;
        let rows = self.rows.get(again.from..).unwrap_or_default();
        let Some(first) = rows.first() else {
            return Some("nothing can move any more: this state is repeated for ever".to_owned());
        };
        let last = self.rows.last().map_or(0, |row| row.number + row.parts.len() as u64 - 1);
        let steps = match first.number == last {
            true => format!("step {last} is"),
            false => format!("steps {} to {last} are", first.number),
        };
        Some(format!("{steps} repeated for ever"))
    }
}

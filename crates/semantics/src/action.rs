//! Actions: what the steps of a model are called, for whoever looks at it from outside.
//!
//! This is the one definition of the names that traces, formulas over actions, exported graphs and
//! comparisons of models use.
//!
//! * A message that is sent is `channel!message`, one that is taken `channel?message`; a message is
//!   its fields, with commas between them. The channel is called as where it is declared, whatever
//!   the variable or parameter that the statement reaches it by: `c`, `c[2]`, `record.c`, and
//!   `P[1]:c` for one that a process brings along. A receive that leaves its message in the channel
//!   (`c?<x>`) takes nothing, and is no such action.
//! * A rendezvous is one action, with both names; it is shown as `channel!message`.
//! * Any other step from a place with a label is `P:label`, or `P[2]:label` for process 2 where
//!   there can be several of type P. (A step that sends from a labelled place has both names.)
//! * A transition of a labelled transition system is called by its label.
//! * Everything else is `tau`.
//!
//! A path through an atomic block is the sequence of its actions; so is a `d_step`, in which every
//! message that is sent or taken is an action of its own (and one without is one action). A label
//! names the first of them.
//!
//! Which messages a step sends and takes is noted while it is done, if the engine is told to
//! [listen](Engine::listen): for a rendezvous and inside a `d_step` the states do not show it.

pub mod alphabet;
pub mod names;
pub mod pattern;
pub mod wildcard;

use crate::engine::Engine;
use crate::successors::Step;

/// A channel by who brings it along, and its place among those.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ChannelName {
    /// The number and type of the process; `None` for the model itself.
    pub owner: Option<(u8, u32)>,
    /// Its place among the channels of the owner; see [`pverify_model::channels`].
    pub at: u32,
}

/// What happens to a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Way {
    /// It is sent.
    Send,
    /// It is taken.
    Receive,
    /// Both at once.
    Rendezvous,
}

/// A message that went into a channel or out of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Communication {
    /// The channel.
    pub channel: ChannelName,
    /// Sent or taken.
    pub way: Way,
    /// Its fields.
    pub message: Vec<i32>,
}

/// One elementary action.
#[derive(Clone, Copy, Debug)]
pub struct Elementary<'a> {
    /// The step that does it, or the sending half of a rendezvous.
    pub step: Step,
    /// The receiving half.
    pub partner: Option<Step>,
    /// Whether the labels of the places that its steps start from name it.
    pub labelled: bool,
    /// The message, if there is one: channel, way, and fields.
    pub message: Option<(ChannelName, Way, &'a [i32])>,
}

impl Elementary<'_> {
    /// The same, for keeping.
    pub fn to_deed(&self) -> Deed {
        let communication = self.message.map(|(channel, way, message)| Communication {
            channel,
            way,
            message: message.to_vec(),
        });
        Deed { step: self.step, partner: self.partner, labelled: self.labelled, communication }
    }
}

/// An elementary action that is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deed {
    /// As in [`Elementary`].
    pub step: Step,
    /// As in [`Elementary`].
    pub partner: Option<Step>,
    /// As in [`Elementary`].
    pub labelled: bool,
    /// The message, if there is one.
    pub communication: Option<Communication>,
}

impl Deed {
    /// The same, for looking at.
    pub fn view(&self) -> Elementary<'_> {
        let message = self.communication.as_ref();
        Elementary {
            step: self.step,
            partner: self.partner,
            labelled: self.labelled,
            message: message.map(|one| (one.channel, one.way, one.message.as_slice())),
        }
    }
}

/// The messages of the steps of a walk; nothing while nobody listens.
#[derive(Debug, Default)]
pub(crate) struct Heard {
    listening: bool,
    list: Vec<Said>,
    values: Vec<i32>,
    /// For each step, how many messages there are up to its end.
    ends: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Said {
    channel: ChannelName,
    sends: bool,
    /// Where its fields begin.
    first: u32,
}

/// For paths without steps.
pub(crate) static NOTHING_HEARD: Heard =
    Heard { listening: false, list: Vec::new(), values: Vec::new(), ends: Vec::new() };

impl Heard {
    pub(crate) fn clear(&mut self) {
        if self.listening {
            self.list.clear();
            self.values.clear();
            self.ends.clear();
        }
    }

    /// A step begins: what was heard of one that came to nothing is forgotten.
    #[inline]
    pub(crate) fn begin(&mut self) {
        if self.listening {
            let kept = self.ends.last().copied().unwrap_or(0) as usize;
            if let Some(said) = self.list.get(kept) {
                self.values.truncate(said.first as usize);
                self.list.truncate(kept);
            }
        }
    }

    /// The step that was heard has been done.
    #[inline]
    pub(crate) fn settle(&mut self) {
        if self.listening {
            self.ends.push(self.list.len() as u32);
        }
    }

    fn of(&self, step: u32) -> std::ops::Range<usize> {
        let end = |at: Option<usize>| at.and_then(|at| self.ends.get(at)).copied().unwrap_or(0);
        end((step as usize).checked_sub(1)) as usize..end(Some(step as usize)) as usize
    }

    fn message(&self, at: usize) -> (ChannelName, bool, &[i32]) {
        let said = self.list[at];
        let end = self.list.get(at + 1).map_or(self.values.len(), |next| next.first as usize);
        (said.channel, said.sends, &self.values[said.first as usize..end])
    }
}

/// Shows the actions of the steps at some places of a trail.
pub(crate) fn elementary<'a>(
    trail: &'a [(Step, u32)],
    heard: &'a Heard,
    places: &[u32],
    show: &mut impl FnMut(Elementary<'a>),
) {
    let mut places = places.iter().copied();
    while let Some(place) = places.next() {
        let (step, _) = trail[place as usize];
        let own = heard.of(place);
        let mut first = Elementary { step, partner: None, labelled: true, message: None };
        let mut rest = own.clone();
        if step.offers
            && let Some(other) = places.next()
        {
            let (partner, _) = trail[other as usize];
            first.partner = Some(partner);
            first.message = (!own.is_empty()).then(|| {
                let (channel, _, fields) = heard.message(own.start);
                (channel, Way::Rendezvous, fields)
            });
            let taken = heard.of(other);
            rest = (taken.start + 1).min(taken.end)..taken.end;
            show(first);
            first = Elementary { step: partner, partner: None, labelled: false, message: None };
        } else if own.is_empty() {
            show(first);
        }
        for at in rest {
            let (channel, sends, fields) = heard.message(at);
            let way = if sends { Way::Send } else { Way::Receive };
            show(Elementary { message: Some((channel, way, fields)), ..first });
            first.labelled = false;
        }
    }
}

impl Engine<'_> {
    /// From now on the messages of steps are noted, so that paths and choices have actions.
    pub fn listen(&mut self) {
        self.walk.heard.listening = true;
    }

    /// Whether messages are noted.
    #[inline]
    pub fn listens(&self) -> bool {
        self.walk.heard.listening
    }

    /// A message is sent or taken, and somebody may listen.
    pub(crate) fn note(&mut self, sends: bool, number: u8, message: &[i32]) {
        // Who asks whether a step is possible does not do it.
        if !self.listens() || self.run.asking > 0 {
            return;
        }
        let channel = self.channel_name(number);
        let heard = &mut self.walk.heard;
        let first = heard.values.len() as u32;
        heard.list.push(Said { channel, sends, first });
        heard.values.extend_from_slice(message);
    }

    /// Who brings along the channel of this number, in the shape of the state at hand.
    fn channel_name(&self, number: u8) -> ChannelName {
        let mut at = u32::from(number).saturating_sub(1);
        let globals = self.shapes[0].channels.len() as u32;
        if at < globals {
            return ChannelName { owner: None, at };
        }
        at -= globals;
        for id in &self.shapes[self.run.shape as usize].processes {
            let process = &self.instances[id.0 as usize];
            let count = process.channels.len() as u32;
            if at < count {
                return ChannelName { owner: Some((process.pid, process.kind)), at };
            }
            at -= count;
        }
        ChannelName { owner: None, at: u32::MAX }
    }
}

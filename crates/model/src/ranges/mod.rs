//! Ranges: the interval of values that each variable and each field of a message can ever hold.
//!
//! A `byte` that a model only gives the values 0 to 4 needs three bits of a state, not eight. This
//! is an abstract interpretation with intervals (Cousot and Cousot, 1977) over all processes at once.
//!
//! **What is computed.** Each cell (`cells`) has a *summary*, an interval of everything that is ever
//! stored there by anybody. Beside it, each location of a control graph and each point of a `d_step`
//! has *facts*: smaller intervals for some cells, which hold whenever a process is there. Facts flow
//! along the edges; a condition makes them smaller (`x < 5 -> x++` stores at most 5), an assignment
//! replaces them. What is stored, sent, or passed to a `run` is joined into a summary; what is read
//! without a fact, received, or read from another process, comes from one. The least solution is
//! approximated from below, with widening to thresholds (`widen`), so that it ends soon.
//!
//! **Why it is sound.** By induction over the steps of a run, every value in a state lies in its
//! summary, and every fact holds when its place is reached, because:
//!
//! * a summary has the first value and everything that any reachable statement stores, after the
//!   truncation to the type: a value that does not fit makes it the whole range of the type;
//! * facts about locals hold along all edges, since nobody but the process itself writes its locals
//!   (remote references only read, embedded C is refused);
//! * facts about a global variable are dropped behind each edge, unless one of these holds: only one
//!   process type writes it, of which there is only one process in a run (`instances`); the next
//!   statement is of the same `d_step`; or the edge ends inside an `atomic` block at a location where
//!   some edge is always possible, so that nobody else moves in between. The latter does not hold
//!   behind a send (a rendezvous hands control over), nor in processes with a `provided` clause, nor
//!   in models with priorities;
//! * an `else` denies the conditions tried before it, if they cannot fail (one that divides by zero is
//!   neither true nor false); an `assert` tells nothing, because a search may go on behind it;
//! * a step that fails (an index outside its array, a division by zero) ends its path;
//! * a channel variable has a range as well: a send goes into all channels whose numbers lie in it.
//!   Channels of processes have numbers that depend on who lives; each of those numbers stands for
//!   all channels that any process brings along;
//! * what a hidden variable holds is no function of the path to a state: it has its type's range.
//!
//! The engines check what they store in a narrowed field all the same: if this page is wrong, they
//! report a mistake of their own and no verdict.
//!
//! **What was left out.** Elements of an array are not told apart, and a condition on an element tells
//! nothing, not even of the same element. No relations between variables (`x <= y`), no sets with
//! holes, no offsets: a variable between 100 and 103 takes seven bits. A receive does not use what it
//! matches. How many processes a loop starts is not counted.

mod act;
mod cells;
mod evaluate;
mod facts;
mod fixpoint;
mod instances;
mod interval;
mod widen;

pub use interval::Interval;

use crate::machine::{Model, ProcessId, VariableId};
use cells::Cells;
use fixpoint::Fixpoint;

/// The ranges of all variables and messages of a model.
///
/// A variable has one interval for each number in it: a structure has those of its fields in their
/// order, an array those of one element, in which all elements lie.
#[derive(Debug, Default)]
pub struct Ranges {
    globals: Vec<Vec<Interval>>,
    locals: Vec<Vec<Vec<Interval>>>,
    global_channels: Vec<Vec<Interval>>,
    local_channels: Vec<Vec<Vec<Interval>>>,
}

impl Ranges {
    /// Nothing is known: the answer to every question is empty, and types decide.
    pub fn unknown() -> Self {
        Self::default()
    }

    /// Analyses a model. For one that is too large, nothing is known.
    pub fn of(model: &Model) -> Self {
        let solved = Cells::new(model).and_then(|cells| Fixpoint::solve(model, cells));
        let Some((cells, summaries)) = solved else { return Self::unknown() };
        // What never comes into being is never looked at.
        let range = |cell: u32| summaries[cell as usize].unwrap_or(Interval::ZERO);
        let variables = |process: Option<usize>, count: usize| -> Vec<Vec<Interval>> {
            (0..count).map(|at| cells.of(process, at).map(range).collect()).collect()
        };
        let channels = |which: std::ops::Range<usize>| -> Vec<Vec<Interval>> {
            let fields = cells.channels[which].iter().map(|channel| {
                let end = channel.first + channel.shape.fields.len() as u32;
                (channel.first..end).map(range).collect()
            });
            fields.collect()
        };
        let processes = || model.processes.iter().enumerate();
        Self {
            globals: variables(None, model.globals.len()),
            locals: processes().map(|(at, p)| variables(Some(at), p.locals.len())).collect(),
            global_channels: channels(0..cells.global_channels()),
            local_channels: processes().map(|(at, _)| channels(cells.local_channels(at))).collect(),
        }
    }

    /// The intervals of a global variable.
    pub fn global(&self, variable: VariableId) -> &[Interval] {
        self.globals.get(variable.index()).map_or(&[], Vec::as_slice)
    }

    /// The intervals of a variable of a process type.
    pub fn local(&self, process: ProcessId, variable: VariableId) -> &[Interval] {
        let locals = self.locals.get(process.index());
        locals.and_then(|locals| locals.get(variable.index())).map_or(&[], Vec::as_slice)
    }

    /// The intervals of the fields of a global channel, counted from 0.
    pub fn global_channel(&self, channel: usize) -> &[Interval] {
        self.global_channels.get(channel).map_or(&[], Vec::as_slice)
    }

    /// The intervals of the fields of a channel that processes of a type bring along, counted from
    /// 0.
    pub fn local_channel(&self, process: ProcessId, channel: usize) -> &[Interval] {
        let channels = self.local_channels.get(process.index());
        channels.and_then(|channels| channels.get(channel)).map_or(&[], Vec::as_slice)
    }
}

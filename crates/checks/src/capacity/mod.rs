//! Capacity: how large must each buffer be?
//!
//! Capacities are *enough* if, compared with a reference, they
//!
//! * add no deadlock: in no reachable state is everything stuck that would not be if channels had
//!   room (which the state alone tells: [`pverify_semantics::Engine::moves_with_room`]); and no
//!   other deadlock where the reference has none;
//! * lose no statement: every edge of a process that is executed with the reference is executed;
//! * make nothing else go wrong: whatever assertion or step fails does so with the reference too.
//!
//! The reference is the system without capacities, if it is finite ([`Reference::Unlimited`]): by the
//! bounds of [`crate::unbounded`], capacities as large as the greatest lengths are as good as none.
//! Otherwise it is the model as it is declared ([`Reference::Declared`]), and where nothing is declared
//! the statements that were met in the part without capacities that was explored
//! ([`Reference::Met`]). Orders of steps, values and infinite runs are not compared.

mod attempts;
mod least;
mod watched;

pub use attempts::Judgement;
pub use least::Least;

use crate::unbounded::{self, Known};
use attempts::Attempts;
use pverify_model::lift::{DeclarationOf, Declared, declaration_of_each, declarations, lifted};
use pverify_model::machine::{ChannelShape, Model};
use pverify_model::walk;
use pverify_search::control::{Counts, Observer};
use pverify_semantics::Engine;
use pverify_syntax::ast::Probe;
use std::num::NonZeroUsize;
use std::rc::Rc;
use std::sync::Arc;

/// What the searches may use.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// The most memory for states, in bytes.
    pub memory: usize,
    /// The longest path.
    pub depth: Option<u64>,
    /// How many states one search explores at most.
    pub most_states: u64,
    /// How many workers a search has.
    pub threads: NonZeroUsize,
    /// Where random choices come from.
    pub seed: u64,
}

/// An edge of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The type of the process.
    pub kind: usize,
    /// The location it starts from.
    pub location: usize,
    /// Its position there.
    pub edge: usize,
}

/// What capacities are compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reference {
    /// The system without capacities, all of it.
    Unlimited,
    /// The capacities that are declared.
    Declared,
    /// Statements that were met in a part of the system without capacities.
    Met,
    /// There was none.
    Nothing,
}

/// What is known of the channels of a declaration.
#[derive(Clone, Debug)]
pub struct Buffer {
    /// Its name.
    pub name: String,
    /// Its capacity, if it has one.
    pub declared: Option<u32>,
    /// The most messages that it ever holds without capacities, where that is known.
    pub most: Option<u64>,
    /// Whether it grows without bound.
    pub grows: bool,
    /// The capacity that the others have while one is made smaller.
    pub reference: Option<u32>,
    /// The least capacity while the others have that of the reference.
    pub alone: Option<Least>,
    /// The least capacity while all are as small as possible.
    pub together: Option<Least>,
}

/// The answer.
#[derive(Debug)]
pub struct Answer {
    /// The declarations of channels.
    pub buffers: Vec<Buffer>,
    /// What they are compared with.
    pub reference: Reference,
    /// What the declared capacities are worth, if all are declared.
    pub declared: Option<Rc<Judgement>>,
    /// What those are worth that are least together.
    pub together: Option<Rc<Judgement>>,
    /// Whether no choice with a smaller sum is enough.
    pub least_sum: bool,
    /// If none that are enough were found: the last that were tried.
    pub failed: Option<(Vec<u32>, Rc<Judgement>)>,
    /// How many choices were tried.
    pub tried: u64,
    /// What was counted, over all searches.
    pub counts: Counts,
    /// Bytes of the largest state.
    pub state_bytes: usize,
    /// Why something is not known.
    pub ended_by: Option<String>,
}

/// The greatest capacity that is tried, and that SPIN knows.
const GREATEST: u64 = 255;

/// Where nobody knows how much is enough, no more than this is tried for all at once.
const WORKING: u32 = 16;

/// For the greatest lengths without capacities, no more states are explored than this: a channel that
/// nobody can tell about makes long states.
const LENGTHS: u64 = 100_000;

/// Asks how large the buffers of a model must be.
pub fn capacity(model: &Model, settings: &Settings, observer: &mut dyn Observer) -> Answer {
    let all = declarations(model);
    let mut answer = Answer {
        buffers: all.iter().map(buffer).collect(),
        reference: Reference::Nothing,
        declared: None,
        together: None,
        least_sum: false,
        failed: None,
        tried: 0,
        counts: Counts::default(),
        state_bytes: 0,
        ended_by: None,
    };
    let without = lifted(model);
    let mut engine = Engine::new(&without);
    if let Some(fault) = engine.initial_faults.first() {
        answer.ended_by = Some(format!("the model has no initial state: {fault}"));
        return answer;
    }
    let lengths = unbounded::Settings {
        memory: settings.memory,
        depth: settings.depth,
        most_states: settings.most_states.min(LENGTHS),
        threads: settings.threads,
        seed: settings.seed,
    };
    let known = unbounded::unbounded(&mut engine, &lengths, observer);
    enter_bounds(&mut answer.buffers, &declaration_of_each(model), &known);
    let mut attempts = Attempts::new(model, *settings, observer, known.counts);
    attempts.needed = engine.executed();
    match reference(&mut attempts, &mut answer, model) {
        Ok(reference) => least(&mut attempts, &mut answer, &reference),
        Err(reason) => answer.ended_by = Some(reason),
    }
    answer.tried = attempts.tried;
    answer.counts = attempts.counts;
    answer.state_bytes = attempts.state_bytes.max(engine.state_bytes());
    answer
}

fn buffer(declared: &Declared) -> Buffer {
    let capacity = declared.capacity;
    Buffer {
        name: declared.name.clone(),
        declared: (capacity != ChannelShape::UNBOUNDED).then_some(capacity),
        most: Some(0),
        grows: false,
        reference: None,
        alone: None,
        together: None,
    }
}

/// What is known of the lengths of channels, by declaration.
fn enter_bounds(buffers: &mut [Buffer], of: &DeclarationOf, known: &unbounded::Answer) {
    let each = of.globals.iter().chain(of.locals.iter().flatten()).flatten();
    for (&at, (_, known)) in each.zip(&known.channels) {
        let buffer = &mut buffers[at];
        match known {
            Known::Bounded { most, .. } => buffer.most = buffer.most.map(|old| old.max(*most)),
            Known::Unknown => buffer.most = None,
            Known::Unbounded { .. } => {
                buffer.most = None;
                buffer.grows = true;
            }
        }
    }
}

/// Finds what to compare with, and capacities that are enough; the reason if there are none.
fn reference(
    attempts: &mut Attempts<'_>,
    answer: &mut Answer,
    model: &Model,
) -> Result<Vec<u32>, String> {
    let more = u32::from(asks_for_room(model));
    let declared: Option<Vec<u32>> = answer.buffers.iter().map(|one| one.declared).collect();
    let bounds: Option<Vec<u32>> = answer.buffers.iter().map(|one| bound(one, more)).collect();
    if let Some(bounds) = bounds {
        let found = attempts.refer_to(&bounds);
        if found.ended_by.is_none() {
            answer.reference = Reference::Unlimited;
            attempts.needed = found.executed;
            attempts.known = Some(Arc::new(found.met));
            answer.declared = declared.map(|declared| attempts.judge(&declared));
            let buffers = answer.buffers.iter_mut().enumerate();
            return Ok(buffers
                .map(|(at, buffer)| {
                    let longest = found.longest.get(at).copied().unwrap_or(0);
                    buffer.most = Some(u64::from(longest));
                    longest.max(1) + more
                })
                .collect());
        }
    }
    let Some(declared) = declared else {
        answer.reference = Reference::Met;
        return working(attempts, answer, more);
    };
    let found = attempts.refer_to(&declared);
    if let Some(reason) = found.ended_by {
        return Err(reason);
    }
    answer.reference = Reference::Declared;
    attempts.needed = found.executed;
    attempts.known = Some(Arc::new(found.met));
    answer.declared = Some(attempts.judge(&declared));
    if found.added { working(attempts, answer, more) } else { Ok(declared) }
}

/// As good as no capacity, where that is known.
fn bound(buffer: &Buffer, more: u32) -> Option<u32> {
    let most = buffer.most.filter(|&most| most < GREATEST)?;
    Some((most as u32).max(1) + more)
}

/// Capacities that are enough, where there is no finite system without them: the same for all
/// channels whose bound is not known.
fn working(
    attempts: &mut Attempts<'_>,
    answer: &mut Answer,
    more: u32,
) -> Result<Vec<u32>, String> {
    for capacity in 1..=WORKING {
        let of = |buffer: &Buffer| bound(buffer, more).unwrap_or(capacity);
        let capacities: Vec<u32> = answer.buffers.iter().map(of).collect();
        let judgement = attempts.judge(&capacities);
        let undecided = matches!(*judgement, Judgement::Undecided(_));
        if judgement.is_enough() {
            answer.failed = None;
            return Ok(capacities);
        }
        answer.failed = Some((capacities, judgement));
        if undecided {
            break;
        }
    }
    Err("no capacities that are enough were found".to_owned())
}

/// Finds the least capacities.
fn least(attempts: &mut Attempts<'_>, answer: &mut Answer, reference: &[u32]) {
    let alone: Vec<Least> =
        (0..reference.len()).map(|at| least::alone(attempts, reference, at)).collect();
    let together = least::together(attempts, reference, &alone);
    let mut less = together.capacities.clone();
    for (at, (buffer, alone)) in answer.buffers.iter_mut().zip(alone).enumerate() {
        buffer.reference = Some(reference[at]);
        buffer.alone = Some(alone);
        let capacity = together.capacities[at];
        let mut why = None;
        if capacity > 1 {
            less[at] = capacity - 1;
            why = Some(attempts.judge(&less));
            less[at] = capacity;
        }
        let proven = together.proven;
        buffer.together = Some(Least { capacity, proven, less: why });
    }
    answer.least_sum = together.proven;
    answer.together = Some(attempts.judge(&together.capacities));
    let all = answer.buffers.iter().flat_map(|one| [&one.alone, &one.together]).flatten();
    if all.into_iter().any(|least| !least.proven) {
        let why = attempts.used_up();
        let why = why.unwrap_or_else(|| "some capacities make too many states".to_owned());
        answer.ended_by = Some(format!("not all smaller capacities were tried: {why}"));
    }
}

/// Whether a model asks if a channel is full: then a channel that is as large as its greatest length
/// is not as good as one without capacity.
fn asks_for_room(model: &Model) -> bool {
    let mut asks = false;
    let mut look = |expression: &pverify_model::machine::Expression| {
        walk::expressions(expression, &mut |inner| {
            use pverify_model::machine::Expression::Probe as Asked;
            asks |= matches!(inner, Asked(Probe::Full | Probe::Nfull, _));
        });
    };
    for process in &model.processes {
        process.provided.iter().for_each(&mut look);
        for edge in process.graph.locations.iter().flat_map(|location| &location.edges) {
            walk::action_expressions(&edge.action, &mut look);
        }
    }
    asks
}

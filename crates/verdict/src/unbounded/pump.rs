//! A loop that can be repeated for ever, with what each round adds to each channel.
//!
//! Nothing here trusts a search: prefix and loop are done step by step by the semantics, the test is
//! made on the states met, and the loop is done two times more.

use super::stability::{self, Sort, Test};
use super::word::growth;
use crate::follow::Position;
use crate::trace::{NotConfirmed, TraceStep};
use pverify_semantics::Engine;
use pverify_semantics::successors::Step;
use pverify_semantics::tail::Sent;

/// What each round adds to a channel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Growth {
    /// The channel's number.
    pub channel: u8,
    /// The messages.
    pub messages: Vec<Vec<i32>>,
}

/// A way to a state, and from there a loop that can be repeated for ever.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pump {
    /// The initial state.
    pub initial: Vec<u64>,
    /// The way to the loop.
    pub prefix: Vec<TraceStep>,
    /// The first round.
    pub round: Vec<TraceStep>,
    /// What each round adds; never empty.
    pub growth: Vec<Growth>,
}

/// Does a loop again and makes sure that it can be repeated for ever, and that something grows.
///
/// # Errors
/// When a step is not possible, nothing grows, or a round may be the last.
pub fn confirm_pump(
    engine: &mut Engine<'_>,
    prefix: &[Step],
    round: &[Step],
) -> Result<Pump, NotConfirmed> {
    let mut position = Position::initial(engine);
    let initial = position.state.clone();
    let prefix = walk(engine, &mut position, prefix, &mut |_, _, _, _| Ok(()))?;
    let (round, growth) = rounds(engine, &mut position, round)?;
    Ok(Pump { initial, prefix, round, growth })
}

/// Makes sure that a loop can be repeated for ever from a state, and that something grows; not that
/// the state can be reached.
///
/// # Errors
/// As [`confirm_pump`].
pub fn check_round(
    engine: &mut Engine<'_>,
    state: &[u64],
    round: &[Step],
) -> Result<Vec<Growth>, NotConfirmed> {
    let mut position = Position::at(state);
    rounds(engine, &mut position, round).map(|(_, growth)| growth)
}

/// Does a loop three times from a position, and looks at the first time closely.
fn rounds(
    engine: &mut Engine<'_>,
    position: &mut Position,
    round: &[Step],
) -> Result<(Vec<TraceStep>, Vec<Growth>), NotConfirmed> {
    let before = position.state.clone();
    let mut sent: Vec<Sent> = Vec::new();
    let mut tests: Vec<(Test, Vec<u64>)> = Vec::new();
    let done = walk(engine, position, round, &mut |engine, from, steps, to| {
        let (more, reached) = engine
            .sent_along(&from.state, steps)
            .ok_or_else(|| NotConfirmed("what a step sends is not known".into()))?;
        if reached != to {
            return Err(NotConfirmed("a step cannot be done a second time".into()));
        }
        sent.extend(more);
        if let Some(pid) = from.exclusive().filter(|&pid| steps[0].pid as usize != pid) {
            let blocked = stability::of_blocked(engine, &from.state, pid);
            tests.extend(blocked.into_iter().map(|test| (test, from.state.clone())));
        }
        let made = stability::of_steps(engine, &from.state, steps);
        tests.extend(made.into_iter().map(|test| (test, from.state.clone())));
        Ok(())
    })?;
    let after = position.state.clone();
    if let Some(pid) = position.exclusive() {
        let blocked = stability::of_blocked(engine, &after, pid);
        tests.extend(blocked.into_iter().map(|test| (test, after.clone())));
    }
    let growth = gains(engine, &before, &sent, &after)?;
    for (test, state) in &tests {
        let unstable = growth.iter().any(|grows| {
            test.channel.is_none_or(|channel| channel == grows.channel)
                && (test.sort == Sort::Whole || engine.length(grows.channel, state) == 0)
        });
        if unstable {
            return Err(NotConfirmed("a step asks for what more messages could change".into()));
        }
    }
    for times in 2..4 {
        walk(engine, position, round, &mut |_, _, _, _| Ok(()))?;
        if !has_grown(engine, &before, &growth, times, &position.state) {
            return Err(NotConfirmed(format!("round {times} does not do what the first did")));
        }
    }
    Ok((done, growth))
}

/// What a round adds to each channel that grows.
fn gains(
    engine: &Engine<'_>,
    before: &[u64],
    sent: &[Sent],
    after: &[u64],
) -> Result<Vec<Growth>, NotConfirmed> {
    let refuse = |why: &str| Err(NotConfirmed(why.into()));
    if control(engine, before) != control(engine, after) {
        return refuse("the loop does not come back to the same control and variables");
    }
    let mut growths = Vec::new();
    for channel in 1..=engine.channel_count(before).min(255) as u8 {
        if !engine.is_unbounded(channel, before) {
            continue;
        }
        let into: Vec<Vec<i32>> = sent
            .iter()
            .filter(|one| one.channel == channel)
            .map(|one| one.message.clone())
            .collect();
        let (x, y) = (engine.messages(channel, before), engine.messages(channel, after));
        match growth(&x, &into, &y) {
            None => return refuse("a channel does not hold what another round needs"),
            Some([]) => {}
            Some(messages) => growths.push(Growth { channel, messages: messages.to_vec() }),
        }
    }
    if growths.is_empty() { refuse("no channel grows") } else { Ok(growths) }
}

fn has_grown(
    engine: &Engine<'_>,
    before: &[u64],
    growth: &[Growth],
    times: usize,
    now: &[u64],
) -> bool {
    control(engine, before) == control(engine, now)
        && (1..=engine.channel_count(before).min(255) as u8).all(|channel| {
            let mut expected = engine.messages(channel, before);
            for grows in growth.iter().filter(|grows| grows.channel == channel) {
                for _ in 0..times {
                    expected.extend(grows.messages.iter().cloned());
                }
            }
            expected == engine.messages(channel, now)
        })
}

fn control(engine: &Engine<'_>, state: &[u64]) -> Vec<u64> {
    let mut key = Vec::new();
    engine.control_key(state, &mut key);
    key
}

type Each<'a, 'm> =
    &'a mut dyn FnMut(&mut Engine<'m>, &Position, &[Step], &[u64]) -> Result<(), NotConfirmed>;

/// Does steps, one after the other.
fn walk<'m>(
    engine: &mut Engine<'m>,
    position: &mut Position,
    steps: &[Step],
    each: Each<'_, 'm>,
) -> Result<Vec<TraceStep>, NotConfirmed> {
    let mut done = Vec::new();
    let mut at = 0;
    while at < steps.len() {
        let length = if steps[at].offers { 2 } else { 1 };
        let wanted = &steps[at..(at + length).min(steps.len())];
        at += length;
        let choices = position.choices(engine);
        let possible = |choice: &pverify_semantics::replay::Choice| {
            choice.steps == wanted && choice.performed.words.is_some()
        };
        let Some(choice) = choices.into_iter().find(possible) else {
            return Err(NotConfirmed(format!("step {at} is not possible")));
        };
        let from = position.clone();
        let (step, _) = position.advance(choice);
        each(engine, &from, wanted, &position.state)?;
        done.push(step);
    }
    Ok(done)
}

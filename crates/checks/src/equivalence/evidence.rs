//! From what a search found to a claim that can be confirmed: with the steps of every action.

use super::closure::Unit;
use super::product::{Product, Rules, Standing, Turn};
use super::side::Label;
use ahash::AHashMap;
use pverify_search::game::Game;
use pverify_search::related;
use pverify_search::way::Way;
use pverify_verdict::distinguishing::{Act, Reason, Which};
use std::collections::VecDeque;

/// The reasons along a way of pairs where nothing had to be chosen, to one that fails; `None` if an
/// answer must be chosen there, or the way is none.
pub(super) fn along(product: &mut Product<'_>, way: &Way) -> Option<Vec<related::Reason>> {
    let pairs: Vec<Vec<u64>> = way.states().collect();
    let mut reasons = Vec::new();
    for (at, pair) in pairs.iter().enumerate() {
        let turn = product.turn(pair).ok()?;
        let count = product.challenges(&turn);
        let answers_of = |product: &Product<'_>, one| product.answers(&turn, one);
        let (challenge, answers) = match pairs.get(at + 1) {
            None if product.standing(&turn) == Standing::Fails => {
                ((0..count).find(|&one| answers_of(product, one) == 0)?, Vec::new())
            }
            None => return None,
            Some(next) => {
                let mut words = Vec::new();
                let mut leads = |one: usize| {
                    product.answers(&turn, one) == 1 && {
                        product.pair(&turn, one, 0, &mut words).is_ok() && words == *next
                    }
                };
                ((0..count).find(|&one| leads(one))?, vec![at as u32 + 1])
            }
        };
        let number = (pairs.len() - at) as u32;
        let challenge = challenge as u32;
        reasons.push(related::Reason { pair: pair.clone(), challenge, answers, number });
    }
    Some(reasons)
}

/// A claim; `None` if a step cannot be found.
pub(super) fn claim(
    product: &mut Product<'_>,
    rules: Rules,
    reasons: &[related::Reason],
) -> Option<Vec<Reason>> {
    let mut places: AHashMap<usize, u32> = AHashMap::from([(0, 0)]);
    let mut order = vec![0];
    let mut claims = Vec::new();
    let mut at = 0;
    while let Some(&first) = order.get(at) {
        at += 1;
        let mut acts = Vec::new();
        let mut here = first;
        // A `tau` that was answered by staying is a part of the challenge that comes behind it.
        let (turn, by, label, from) = loop {
            let reason = reasons.get(here)?;
            let turn = product.turn(&reason.pair).ok()?;
            let states = product.split(&reason.pair);
            let (by, label, target) = product.challenge(&turn, reason.challenge as usize);
            let unit = rules.challenge;
            acts.extend(acts_between(product, by, unit, &states[by as usize], (label, target))?);
            if label == Label::TAU && rules.answer == Unit::Visible {
                here = *reason.answers.first()? as usize;
                continue;
            }
            let [left, right] = states;
            break (turn, by, label, if by == Which::Left { right } else { left });
        };
        let reason = &reasons[here];
        let mut answers = Vec::new();
        for (answer, &next) in reason.answers.iter().enumerate() {
            let target = product.answer(&turn, reason.challenge as usize, answer);
            let done = acts_between(product, by.other(), rules.answer, &from, (label, target))?;
            let place = *places.entry(next as usize).or_insert_with(|| {
                order.push(next as usize);
                order.len() as u32 - 1
            });
            answers.push((done, place));
        }
        claims.push(Reason { by, challenge: acts, answers, number: reasons[first].number });
        drop::<Turn>(turn);
    }
    Some(claims)
}

/// The shortest sequence of actions that is one move of some kind between two states.
fn acts_between(
    product: &mut Product<'_>,
    which: Which,
    unit: Unit,
    from: &[u64],
    (label, to): (Label, &[u64]),
) -> Option<Vec<Act>> {
    let (mover, labels) = product.side(which);
    if unit == Unit::Weak && label == Label::TAU && from == to {
        return Some(Vec::new());
    }
    // Whether the action has been done, and the state.
    type Node = (bool, Vec<u64>);
    let start: Node = (unit == Unit::Weak && label == Label::TAU, from.to_vec());
    let mut before: AHashMap<Node, Option<(Node, Act)>> = AHashMap::from([(start.clone(), None)]);
    let mut queue = VecDeque::from([start]);
    while let Some(node) = queue.pop_front() {
        for (called, target, act) in mover.side.acts(&node.1, labels).ok()? {
            let next = match (unit, node.0) {
                (Unit::Action, _) | (_, false) if called == label && label != Label::TAU => true,
                (Unit::Action, _) => called == label,
                (Unit::Visible | Unit::Weak, done) if called == Label::TAU => done,
                _ => continue,
            };
            if next && target == to {
                let mut acts = vec![act];
                let mut at = node;
                while let Some(Some((earlier, act))) = before.get(&at) {
                    acts.push(act.clone());
                    at = earlier.clone();
                }
                acts.reverse();
                return Some(acts);
            }
            let goes_on = match unit {
                Unit::Action => false,
                Unit::Visible => !next,
                Unit::Weak => true,
            };
            let there = (next, target);
            if goes_on && !before.contains_key(&there) {
                before.insert(there.clone(), Some((node.clone(), act)));
                queue.push_back(there);
            }
        }
    }
    None
}

//! Why two models are not related: what one can do and the other cannot, confirmed.
//!
//! A claim is a set of *reasons*. A reason is about one state of each model: a challenge of one of
//! them, and for every answer of the other a reason about the states that both lead to. Reasons are
//! numbered, and those of answers have smaller numbers, so that there is an end to them: a challenge
//! that has no answer.
//!
//! Everything is done again here. The steps of challenges and answers are taken one at a time by the
//! semantics ([`own`]); which answers there are is found out anew, by the definition of the relation,
//! and each of them must be among those of the claim. Neither the search nor the product that found
//! the claim has a part in it.

pub mod own;
mod run;

use crate::trace::NotConfirmed;
use own::{Namer, Own};
use pverify_semantics::Engine;
use pverify_semantics::successors::Step;
pub use run::{Attempt, Distinguishing, Last, Round};

/// One of two models.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Which {
    /// The first.
    Left,
    /// The second.
    Right,
}

impl Which {
    /// The other one.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Left => Self::Right,
            Self::Right => Self::Left,
        }
    }
}

/// An action of a model: its steps, and how many actions of the same steps came before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Act {
    /// The step, or both halves of a rendezvous.
    pub steps: Vec<Step>,
    /// Actions of the same step before it, which a `d_step` may have.
    pub before: u32,
}

/// Why a pair of states is not related.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// Who challenges.
    pub by: Which,
    /// By which actions.
    pub challenge: Vec<Act>,
    /// Each answer, and the place of the reason that it leads to.
    pub answers: Vec<(Vec<Act>, u32)>,
    /// Those of answers have smaller numbers.
    pub number: u32,
}

/// What counts as a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Definition {
    /// One action; so is its answer, `tau` among them.
    Strong,
    /// One action that is seen, and any number of `tau` before it; so is its answer.
    TauStar,
    /// One action; its answer is the same with any number of `tau` around it, and for `tau` any
    /// number of them.
    Observational,
}

/// Confirms a claim about two engines that listen; the first reason is about the initial states. The
/// second model challenges too only if the relation looks at `both`.
///
/// # Errors
/// When a step is not possible, an answer is missing, or reasons go round in a circle.
pub fn confirm_distinguishing(
    engines: [&mut Engine<'_>; 2],
    names: [Namer<'_>; 2],
    (definition, both): (Definition, bool),
    reasons: &[Reason],
) -> Result<Distinguishing, NotConfirmed> {
    let [left, right] = engines;
    let initial = [Own::initial(left), Own::initial(right)];
    let mut judge = Judge { engines: [left, right], names, definition, shown: Vec::new() };
    judge.shown.resize_with(reasons.len(), run::Shown::default);
    let mut order: Vec<usize> = (0..reasons.len()).collect();
    order.sort_by_key(|&at| std::cmp::Reverse(reasons[at].number));
    let mut pairs: Vec<Option<[Own; 2]>> = vec![None; reasons.len()];
    if let Some(first) = pairs.first_mut() {
        *first = Some(initial);
    }
    for at in order {
        let reason = &reasons[at];
        if reason.by == Which::Right && !both {
            return refuse("a challenge comes from the wrong side");
        }
        let Some(pair) = pairs[at].take() else {
            return refuse("a reason is about a pair that nothing leads to");
        };
        let targets = judge.reason(at, reason, &pair)?;
        for ((_, next), target) in reason.answers.iter().zip(targets) {
            let next = *next as usize;
            if reasons.get(next).is_none_or(|other| other.number >= reason.number) {
                return refuse("reasons go round in a circle");
            }
            match &pairs[next] {
                Some(known) if *known != target => return refuse("a reason is about two pairs"),
                _ => pairs[next] = Some(target),
            }
        }
    }
    run::tell(reasons, judge.shown).ok_or_else(|| NotConfirmed("there is no reason".into()))
}

fn refuse<T>(why: &str) -> Result<T, NotConfirmed> {
    Err(NotConfirmed(why.into()))
}

struct Judge<'e, 'm, 'n> {
    engines: [&'e mut Engine<'m>; 2],
    names: [Namer<'n>; 2],
    definition: Definition,
    shown: Vec<run::Shown>,
}

impl Judge<'_, '_, '_> {
    /// Confirms one reason; the pairs that its answers lead to.
    fn reason(
        &mut self,
        at: usize,
        reason: &Reason,
        pair: &[Own; 2],
    ) -> Result<Vec<[Own; 2]>, NotConfirmed> {
        let (by, other) = (reason.by, reason.by.other());
        let (moved, challenge) = self.take(by, &pair[by as usize], &reason.challenge)?;
        let Some(action) = self.action(&challenge, false) else {
            return refuse("a challenge is none by the definition");
        };
        let mut targets = Vec::new();
        let mut answers = Vec::new();
        let mut found = ahash::AHashSet::new();
        for (acts, _) in &reason.answers {
            let (answer, names) = self.take(other, &pair[other as usize], acts)?;
            if self.action(&names, true) != Some(action.clone()) {
                return refuse("an answer is none by the definition");
            }
            found.insert(answer.clone());
            targets.push(match by {
                Which::Left => [moved.clone(), answer],
                Which::Right => [answer, moved.clone()],
            });
            answers.push(names);
        }
        let (engine, name) = (&mut *self.engines[other as usize], self.names[other as usize]);
        let all = match self.definition {
            Definition::Strong => own::single(engine, name, &pair[other as usize], &action)?,
            Definition::TauStar => own::tau_star(engine, name, &pair[other as usize], &action)?,
            Definition::Observational => own::weak(engine, name, &pair[other as usize], &action)?,
        };
        if !all.iter().all(|answer| found.contains(answer)) {
            return refuse("an answer was overlooked");
        }
        let can = if answers.is_empty() {
            own::visible(
                engine,
                name,
                &pair[other as usize],
                self.definition == Definition::Strong,
            )?
        } else {
            Vec::new()
        };
        let acts = |acts: &[Act]| {
            acts.iter().filter(|act| act.before == 0).flat_map(|act| act.steps.clone()).collect()
        };
        self.shown[at] = run::Shown {
            action: action.unwrap_or_else(|| own::TAU.to_owned()),
            challenge: told(challenge),
            answers: answers.into_iter().map(told).collect(),
            can,
            steps: acts(&reason.challenge),
            answer_steps: reason.answers.iter().map(|(one, _)| acts(one)).collect(),
        };
        Ok(targets)
    }

    /// Takes the actions of a model again; where they lead, and how they are called.
    fn take(
        &mut self,
        which: Which,
        from: &Own,
        acts: &[Act],
    ) -> Result<(Own, Vec<Option<String>>), NotConfirmed> {
        let (engine, name) = (&mut *self.engines[which as usize], self.names[which as usize]);
        let (mut at, mut names) = (from.clone(), Vec::new());
        for act in acts {
            let (next, called) = at.take(engine, name, act)?;
            names.push(called);
            at = next;
        }
        Ok((at, names))
    }

    /// The action that a sequence is as one move, if it is a move.
    #[allow(clippy::option_option, reason = "an inner `None` is `tau`, an outer one is no move")]
    fn action(&self, names: &[Option<String>], answers: bool) -> Option<Option<String>> {
        let seen: Vec<&String> = names.iter().flatten().collect();
        match (self.definition, seen.as_slice()) {
            (Definition::Observational, []) if answers => Some(None),
            (Definition::Observational, [only]) if answers => Some(Some((*only).clone())),
            (Definition::Strong | Definition::Observational, _) if names.len() == 1 => {
                names.first().cloned()
            }
            (Definition::TauStar, [only]) if names.last() == Some(&Some((*only).clone())) => {
                Some(Some((*only).clone()))
            }
            _ => None,
        }
    }
}

fn told(names: Vec<Option<String>>) -> Vec<String> {
    names.into_iter().map(|name| name.unwrap_or_else(|| own::TAU.to_owned())).collect()
}

//! A claim that was confirmed, as a run that a person can follow.
//!
//! The run follows, from one reason to the next, the answer that holds out longest; what would have
//! become of the other answers is told beside it.

use super::{Reason, Which};
use pverify_semantics::successors::Step;

/// What is known of a reason by its confirmation.
#[derive(Clone, Debug, Default)]
pub(super) struct Shown {
    pub(super) action: String,
    pub(super) challenge: Vec<String>,
    pub(super) answers: Vec<Vec<String>>,
    pub(super) can: Vec<String>,
    pub(super) steps: Vec<Step>,
    pub(super) answer_steps: Vec<Vec<Step>>,
}

/// Why two models are not related, confirmed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Distinguishing {
    /// What both do.
    pub rounds: Vec<Round>,
    /// What one of them can do then, and the other cannot.
    pub last: Last,
    /// What would have become of other answers.
    pub attempts: Vec<Attempt>,
    /// Other answers that are not told.
    pub left_out: u64,
    /// The steps of each model on the way, the last challenge included.
    pub steps: [Vec<Step>; 2],
}

/// A challenge and an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Round {
    /// Who challenges.
    pub by: Which,
    /// The action.
    pub action: String,
    /// How the challenger does it.
    pub challenge: Vec<String>,
    /// How the other does it.
    pub answer: Vec<String>,
    /// In how many ways it can be done.
    pub answers: usize,
}

/// A challenge without an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Last {
    /// Who challenges.
    pub by: Which,
    /// The action.
    pub action: String,
    /// How the challenger does it.
    pub challenge: Vec<String>,
    /// What the other can do instead.
    pub can: Vec<String>,
}

/// Another answer than that of the run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// The round of the run whose answer it is, counted from 0.
    pub round: usize,
    /// How it is done.
    pub answer: Vec<String>,
    /// What both do then.
    pub rounds: Vec<Round>,
    /// What one of them can do then, and the other cannot.
    pub last: Last,
}

impl Distinguishing {
    /// The same with the two models in the other order.
    #[must_use]
    pub fn swapped(mut self) -> Self {
        let mut lines = vec![(&mut self.rounds, &mut self.last)];
        lines.extend(self.attempts.iter_mut().map(|one| (&mut one.rounds, &mut one.last)));
        for (rounds, last) in lines {
            rounds.iter_mut().for_each(|round| round.by = round.by.other());
            last.by = last.by.other();
        }
        self.steps.reverse();
        self
    }
}

/// So many attempts are told.
const MOST_ATTEMPTS: usize = 50;

/// The run of a claim whose first reason is about the initial states.
pub(super) fn tell(reasons: &[Reason], shown: Vec<Shown>) -> Option<Distinguishing> {
    let heights = heights(reasons);
    let teller = Teller { reasons, shown: &shown, heights: &heights };
    let (rounds, ways, last, end) = teller.line(0)?;
    let mut told = Distinguishing {
        rounds,
        last,
        attempts: Vec::new(),
        left_out: 0,
        steps: [Vec::new(), Vec::new()],
    };
    for (round, &(at, chosen)) in ways.iter().enumerate() {
        let reason = &reasons[at];
        let by = reason.by;
        told.steps[by as usize].extend(&shown[at].steps);
        told.steps[by.other() as usize].extend(&shown[at].answer_steps[chosen]);
        for (other, (_, next)) in reason.answers.iter().enumerate() {
            if other == chosen {
                continue;
            }
            if told.attempts.len() >= MOST_ATTEMPTS {
                told.left_out += 1;
                continue;
            }
            let (rounds, _, last, _) = teller.line(*next as usize)?;
            let answer = shown[at].answers[other].clone();
            told.attempts.push(Attempt { round, answer, rounds, last });
        }
    }
    told.steps[reasons[end].by as usize].extend(&shown[end].steps);
    Some(told)
}

struct Teller<'a> {
    reasons: &'a [Reason],
    shown: &'a [Shown],
    heights: &'a [u32],
}

/// The rounds of a line, which answers they take of which reasons, its end, and the reason there.
type Line = (Vec<Round>, Vec<(usize, usize)>, Last, usize);

impl Teller<'_> {
    /// The line that begins with a reason.
    fn line(&self, mut at: usize) -> Option<Line> {
        let (mut rounds, mut ways) = (Vec::new(), Vec::new());
        loop {
            let (reason, shown) = (self.reasons.get(at)?, self.shown.get(at)?);
            let (by, action, challenge) =
                (reason.by, shown.action.clone(), shown.challenge.clone());
            let longest = reason.answers.iter().enumerate().max_by_key(|(place, (_, next))| {
                (self.heights[*next as usize], std::cmp::Reverse(*place))
            });
            let Some((chosen, (_, next))) = longest else {
                let can = shown.can.clone();
                return Some((rounds, ways, Last { by, action, challenge, can }, at));
            };
            let answer = shown.answers.get(chosen)?.clone();
            rounds.push(Round { by, action, challenge, answer, answers: reason.answers.len() });
            ways.push((at, chosen));
            at = *next as usize;
        }
    }
}

/// For each reason how many rounds it takes at most.
fn heights(reasons: &[Reason]) -> Vec<u32> {
    let mut order: Vec<usize> = (0..reasons.len()).collect();
    order.sort_by_key(|&at| reasons[at].number);
    let mut heights = vec![0; reasons.len()];
    for at in order {
        let answers = reasons[at].answers.iter().map(|(_, next)| heights[*next as usize]);
        heights[at] = 1 + answers.max().unwrap_or(0);
    }
    heights
}

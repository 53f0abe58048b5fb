//! Why the first pair is not related: from the pairs that a search has found unrelated to as few rounds
//! as they allow.
//!
//! The search remembers one challenge of each, the first that it could refute, often deep inside. When
//! there are not too many, those that the first pair depends on are looked at again with all their
//! challenges, and ranked: a pair has rank 1 if a challenge has no answer, and otherwise one more than
//! the worst answer to its best challenge. (That is the induction behind the definitions of Milner's
//! approximants, on those pairs that are known.)

use super::{End, Search};
use crate::control::Cut;
use crate::game::Game;
use ahash::AHashMap;
use pverify_store::Root;
use std::collections::VecDeque;

/// Why a pair is not related: a challenge, to which no answer leads to a related pair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// The pair.
    pub pair: Vec<u64>,
    /// The challenge.
    pub challenge: u32,
    /// For each answer, the reason of the pair it leads to.
    pub answers: Vec<u32>,
    /// Reasons of answers have smaller numbers.
    pub number: u32,
}

/// So many answers of unrelated pairs are looked at again for a shorter run.
const MOST_ANSWERS: usize = 1 << 20;

/// A challenge of an unrelated pair, all of whose answers lead to unrelated pairs.
struct Refutation {
    challenge: u32,
    /// The first of its answers in the list of all, and the one behind the last.
    answers: (u32, u32),
}

/// The unrelated pairs that the first depends on, and what refutes them.
#[derive(Default)]
struct Known {
    pairs: Vec<(Root, Vec<u64>)>,
    places: AHashMap<u64, u32>,
    /// Of each pair: its first refutation; those of the next pair follow.
    starts: Vec<u32>,
    refutations: Vec<Refutation>,
    answers: Vec<u32>,
}

impl Known {
    fn place(&mut self, root: Root, words: &[u64]) -> u32 {
        let next = self.pairs.len() as u32;
        let place = *self.places.entry(root.to_bits()).or_insert(next);
        if place == next {
            self.pairs.push((root, words.to_vec()));
        }
        place
    }

    fn of(&self, pair: usize) -> &[Refutation] {
        let end = self.starts.get(pair + 1).map_or(self.refutations.len(), |&end| end as usize);
        &self.refutations[self.starts[pair] as usize..end]
    }

    fn answers(&self, one: &Refutation) -> &[u32] {
        &self.answers[one.answers.0 as usize..one.answers.1 as usize]
    }

    /// The rank of the first pair and of all that have a smaller one.
    fn ranks(&self) -> Vec<u32> {
        let mut ranks = vec![u32::MAX; self.pairs.len()];
        // Which refutations wait for a pair, and for how many answers each.
        let mut starts = vec![0; self.pairs.len() + 1];
        for &answer in &self.answers {
            starts[answer as usize + 1] += 1;
        }
        (1..starts.len()).for_each(|at| starts[at] += starts[at - 1]);
        let mut free = starts.clone();
        let mut users = vec![0; self.answers.len()];
        let mut owners = Vec::with_capacity(self.refutations.len());
        let mut waiting = Vec::with_capacity(self.refutations.len());
        let mut queue = VecDeque::new();
        for (pair, rank) in ranks.iter_mut().enumerate() {
            for one in self.of(pair) {
                for &answer in self.answers(one) {
                    users[free[answer as usize]] = owners.len();
                    free[answer as usize] += 1;
                }
                owners.push(pair);
                waiting.push(one.answers.1 - one.answers.0);
                if one.answers.0 == one.answers.1 && *rank == u32::MAX {
                    *rank = 1;
                    queue.push_back(pair);
                }
            }
        }
        while let Some(pair) = queue.pop_front().filter(|_| ranks[0] == u32::MAX) {
            for &user in &users[starts[pair]..starts[pair + 1]] {
                waiting[user] -= 1;
                let owner = owners[user];
                if waiting[user] == 0 && ranks[owner] == u32::MAX {
                    // The queue is in order of rank: this was the worst of its answers.
                    ranks[owner] = ranks[pair] + 1;
                    queue.push_back(owner);
                }
            }
        }
        ranks
    }
}

impl<T> Search<'_, T> {
    /// The reasons why the first pair is not related.
    pub(super) fn reasons<G: Game<Turn = T>>(&mut self, game: &mut G) -> Result<Vec<Reason>, End> {
        let mut known = Known::default();
        let all = self.gather(game, &mut known, true)?;
        if !all {
            known = Known::default();
            self.gather(game, &mut known, false)?;
        }
        let ranks = if all { known.ranks() } else { Vec::new() };
        let mut reasons: Vec<Reason> = Vec::new();
        let mut places: AHashMap<u32, u32> = AHashMap::from([(0, 0)]);
        let mut order = vec![0];
        while let Some(&pair) = order.get(reasons.len()) {
            let (root, words) = &known.pairs[pair as usize];
            let number = match ranks.get(pair as usize) {
                Some(&rank) => rank,
                None => self.unrelated.get(&root.to_bits()).map_or(0, |one| one.number),
            };
            let worst = |one: &&Refutation| {
                let ranks = known.answers(one).iter().map(|&next| ranks[next as usize]);
                ranks.max().unwrap_or(0)
            };
            let of = known.of(pair as usize);
            let best = if all { of.iter().min_by_key(worst) } else { of.first() };
            let Some(best) = best else { return Err(End(Cut::Stopped, None)) };
            let mut answers = Vec::new();
            for &next in known.answers(best) {
                answers.push(*places.entry(next).or_insert_with(|| {
                    order.push(next);
                    order.len() as u32 - 1
                }));
            }
            let (pair, challenge) = (words.clone(), best.challenge);
            reasons.push(Reason { pair, challenge, answers, number });
        }
        Ok(reasons)
    }

    /// Gathers the unrelated pairs that the first depends on: by every challenge of each that is
    /// refuted, as long as these are not too many, or by the one that the search has found.
    fn gather<G: Game<Turn = T>>(
        &mut self,
        game: &mut G,
        known: &mut Known,
        every: bool,
    ) -> Result<bool, End> {
        let initial = game.initial();
        let bits = game.bits(initial[0]);
        let root = self.fold(&initial, bits)?;
        known.place(root, &initial);
        let (mut words, mut held, mut at) = (Vec::new(), 0, 0);
        while let Some((root, pair)) = known.pairs.get(at) {
            let refuted = self.unrelated.get(&root.to_bits()).map(|one| one.challenge);
            let Some(refuted) = refuted else { return Err(End(Cut::Stopped, None)) };
            let turn = game.turn(pair).map_err(End::fault)?;
            known.starts.push(known.refutations.len() as u32);
            let challenges = if every {
                0..game.challenges(&turn)
            } else {
                refuted as usize..refuted as usize + 1
            };
            for challenge in challenges {
                let first = known.answers.len() as u32;
                let mut met = Vec::new();
                for answer in 0..game.answers(&turn, challenge) {
                    let bits =
                        game.pair(&turn, challenge, answer, &mut words).map_err(End::fault)?;
                    let root = self.fold(&words, bits)?;
                    if !self.unrelated.contains_key(&root.to_bits()) {
                        break;
                    }
                    met.push((root, words.clone()));
                }
                if met.len() < game.answers(&turn, challenge) {
                    continue;
                }
                for (root, words) in met {
                    held += words.len() * 8 + 100;
                    let place = known.place(root, &words);
                    known.answers.push(place);
                }
                let answers = (first, known.answers.len() as u32);
                known.refutations.push(Refutation { challenge: challenge as u32, answers });
            }
            if every && known.answers.len() > MOST_ANSWERS {
                return Ok(false);
            }
            if held > self.settings.memory / 4 {
                return if every { Ok(false) } else { Err(End(Cut::Memory, None)) };
            }
            at += 1;
        }
        Ok(true)
    }
}

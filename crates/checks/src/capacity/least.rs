//! The least capacities, by trying them.
//!
//! Nothing is taken for granted about how capacities compare: a larger one can add a deadlock (who
//! may send more comes farther) as well as remove one. So every smaller value is tried before one is
//! called the least, and of all channels at once every choice with a smaller sum.

use super::attempts::{Attempts, Judgement};
use std::rc::Rc;

/// The least capacity of a channel.
#[derive(Clone, Debug)]
pub struct Least {
    /// This one is enough.
    pub capacity: u32,
    /// Whether all smaller ones are known not to be.
    pub proven: bool,
    /// Why not one less.
    pub less: Option<Rc<Judgement>>,
}

/// The least capacity of one channel, while the others have that of the reference.
pub(super) fn alone(attempts: &mut Attempts<'_>, reference: &[u32], at: usize) -> Least {
    let mut capacities = reference.to_vec();
    let mut least = Least { capacity: 1, proven: true, less: None };
    for capacity in 1..=reference[at] {
        least.capacity = capacity;
        capacities[at] = capacity;
        let judgement = attempts.judge(&capacities);
        match &*judgement {
            Judgement::Enough { .. } => break,
            _ if capacity == reference[at] => break,
            Judgement::Undecided(_) => least.proven = false,
            Judgement::Wrong { .. } | Judgement::Lost(_) => {}
        }
        least.less = Some(judgement);
    }
    least
}

/// Capacities of all channels that are enough, with the least sum.
pub(super) struct Together {
    pub(super) capacities: Vec<u32>,
    /// Whether every choice with a smaller sum is known not to be enough.
    pub(super) proven: bool,
}

/// The least capacities of all channels at once, none greater than that of the reference.
pub(super) fn together(
    attempts: &mut Attempts<'_>,
    reference: &[u32],
    alone: &[Least],
) -> Together {
    let mut best = reference.to_vec();
    let each: Vec<u32> = alone.iter().map(|least| least.capacity).collect();
    if attempts.judge(&each).is_enough() {
        best = each;
    }
    lower(attempts, &mut best);
    let sum = |capacities: &[u32]| capacities.iter().map(|&one| u64::from(one)).sum::<u64>();
    let mut proven = true;
    for smaller in best.len() as u64..sum(&best) {
        let mut found = None;
        let mut first = vec![0; reference.len()];
        let mut next = spread(&mut first, smaller, reference);
        while next {
            let judgement = attempts.judge(&first);
            match &*judgement {
                Judgement::Enough { .. } => {
                    found = Some(first.clone());
                    break;
                }
                Judgement::Undecided(_) => {
                    proven = false;
                    if attempts.used_up().is_some() {
                        return Together { capacities: best, proven };
                    }
                }
                Judgement::Wrong { .. } | Judgement::Lost(_) => {}
            }
            next = advance(&mut first, reference);
        }
        if let Some(found) = found {
            return Together { capacities: found, proven };
        }
    }
    Together { capacities: best, proven }
}

/// Lowers one capacity after the other until none can be lowered.
fn lower(attempts: &mut Attempts<'_>, best: &mut [u32]) {
    loop {
        let before = best.to_vec();
        for at in 0..best.len() {
            for capacity in 1..best[at] {
                let held = std::mem::replace(&mut best[at], capacity);
                if attempts.judge(best).is_enough() {
                    break;
                }
                best[at] = held;
            }
        }
        if *best == before {
            return;
        }
    }
}

/// The first choice with this sum: as much as possible behind. Whether there is one.
fn spread(capacities: &mut [u32], sum: u64, most: &[u32]) -> bool {
    let mut left = sum;
    for (at, capacity) in capacities.iter_mut().enumerate().rev() {
        // One for each in front.
        let may = left.saturating_sub(at as u64).min(u64::from(most[at]));
        if may == 0 {
            return false;
        }
        *capacity = may as u32;
        left -= may;
    }
    left == 0
}

/// The next choice with the same sum, in the order of a dictionary; whether there is one.
fn advance(capacities: &mut [u32], most: &[u32]) -> bool {
    let mut behind = 0u64;
    for at in (0..capacities.len()).rev() {
        let count = (capacities.len() - at - 1) as u64;
        // One more here, one less behind.
        if capacities[at] < most[at] && behind > count {
            capacities[at] += 1;
            return spread(&mut capacities[at + 1..], behind - 1, &most[at + 1..]);
        }
        behind += u64::from(capacities[at]);
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_choices_with_a_sum() {
        let all = |sum: u64, most: &[u32]| {
            let mut found = Vec::new();
            let mut one = vec![0; most.len()];
            let mut next = spread(&mut one, sum, most);
            while next {
                found.push(one.clone());
                next = advance(&mut one, most);
            }
            found
        };
        assert_eq!(all(4, &[3, 3]), [[1, 3], [2, 2], [3, 1]]);
        assert_eq!(all(3, &[1, 1, 1]), [[1, 1, 1]]);
        assert_eq!(all(4, &[1, 1, 1]), Vec::<Vec<u32>>::new());
        assert_eq!(all(2, &[5]), [[2]]);
        let most = [3, 1, 4, 2];
        for sum in 0..=11 {
            let mut expected = Vec::new();
            for a in 1..=3 {
                for c in 1..=4 {
                    for d in 1..=2 {
                        if a + 1 + c + d == sum {
                            expected.push(vec![a, 1, c, d]);
                        }
                    }
                }
            }
            assert_eq!(all(u64::from(sum), &most), expected, "{sum}");
        }
    }
}

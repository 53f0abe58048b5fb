//! Letters and prime implicants of a demand, from its decision diagram.

use super::TooLarge;
use super::demand::contains;
use crate::boolean::{Function, Space};

/// More edges than this may not leave a node.
const MOST_IMPLICANTS: usize = 1 << 12;

/// Number, variable, low and high branch.
pub(super) type Decision = (usize, usize, usize, usize);

/// For every function met below the atoms, the letters that lead there.
pub(super) fn paths(
    labels: &Space,
    below: &[Decision],
    root: usize,
    atoms: usize,
) -> Vec<(usize, Function)> {
    let mut reached: Vec<Option<Function>> = vec![None; root.max(1) + 1];
    reached[root] = Some(labels.constant(true));
    let mut found = Vec::new();
    for at in (0..reached.len()).rev() {
        let Some(label) = reached[at].take() else { continue };
        match at.checked_sub(2).map(|index| below[index]) {
            Some((_, variable, low, high)) if variable < atoms => {
                for (branch, value) in [(low, false), (high, true)] {
                    let step = label.and(&labels.literal(variable, value));
                    reached[branch] = Some(match reached[branch].take() {
                        Some(other) => other.or(&step),
                        None => step,
                    });
                }
            }
            _ if at > 0 => found.push((at, label)),
            _ => {}
        }
    }
    found
}

/// The prime implicants of some functions below the atoms, each a sorted list of variables.
///
/// These functions are monotone: the primes of `x ? high : low` are those of `low`, and `x` with
/// those of `high` that no prime of `low` makes superfluous.
pub(super) fn implicants(
    below: &[Decision],
    atoms: usize,
    wanted: impl IntoIterator<Item = usize>,
) -> Result<Vec<Vec<Vec<usize>>>, TooLarge> {
    let mut needed = vec![false; below.len() + 2];
    wanted.into_iter().for_each(|at| needed[at] = true);
    for &(at, _, low, high) in below.iter().rev().filter(|decision| decision.1 >= atoms) {
        needed[low] |= needed[at];
        needed[high] |= needed[at];
    }
    let mut primes: Vec<Vec<Vec<usize>>> = vec![Vec::new(), vec![Vec::new()]];
    for &(at, variable, low, high) in below {
        if variable < atoms || !needed[at] {
            primes.push(Vec::new());
            continue;
        }
        let mut found = primes[low].clone();
        for prime in &primes[high] {
            let superfluous = primes[low].iter().any(|other| contains(prime, other));
            if !superfluous {
                let mut with = Vec::with_capacity(prime.len() + 1);
                with.push(variable);
                with.extend_from_slice(prime);
                found.push(with);
            }
        }
        if found.len() > MOST_IMPLICANTS {
            return Err(TooLarge::Demand);
        }
        primes.push(found);
    }
    Ok(primes)
}

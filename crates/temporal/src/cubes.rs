//! A boolean function as a short sum of products: how a label is written for a person.
//!
//! Minato & Morreale's irredundant sum: the products between a lower and an upper function, by
//! cases of the first variable. Some functions have only long sums (a parity of thirty variables);
//! for those there is an answer «too long», after a bounded time and at a bounded depth.

use crate::boolean::{Function, Space};

/// Functions of more variables are not tried; the depth of the recursion.
const MOST_VARIABLES: usize = 200;
/// How many cases are looked at before giving up.
const MOST_CASES: usize = 20_000;

/// A product: variables with the value each must have, ascending.
pub type Cube = Vec<(usize, bool)>;

/// Products whose sum is the function, none of which can be left out; none of them for `false`, the
/// empty one for `true`. No list at all if it would be too long.
pub fn cubes(space: &Space, function: &Function) -> Option<Vec<Cube>> {
    let support = function.support();
    if support.len() > MOST_VARIABLES {
        return None;
    }
    let mut cases = MOST_CASES;
    let (_, mut found) = irredundant(space, function, function, &support, &mut cases)?;
    found.sort_unstable();
    Some(found)
}

fn irredundant(
    space: &Space,
    lower: &Function,
    upper: &Function,
    variables: &[usize],
    cases: &mut usize,
) -> Option<(Function, Vec<Cube>)> {
    *cases = cases.checked_sub(1)?;
    if lower.is_false() {
        return Some((space.constant(false), Vec::new()));
    }
    if upper.is_true() {
        return Some((space.constant(true), vec![Vec::new()]));
    }
    let Some((&variable, rest)) = variables.split_first() else {
        return Some((space.constant(true), vec![Vec::new()]));
    };
    let cofactor = |function: &Function, value: bool| {
        function.compose(space, |one| {
            if one == variable { space.constant(value) } else { space.literal(one, true) }
        })
    };
    let (low_lower, low_upper) = (cofactor(lower, false), cofactor(upper, false));
    let (high_lower, high_upper) = (cofactor(lower, true), cofactor(upper, true));
    let (negative, without) =
        irredundant(space, &low_lower.and_not(&high_upper), &low_upper, rest, cases)?;
    let (positive, with) =
        irredundant(space, &high_lower.and_not(&low_upper), &high_upper, rest, cases)?;
    let left = low_lower.and_not(&negative).or(&high_lower.and_not(&positive));
    let (both, neither) = irredundant(space, &left, &low_upper.and(&high_upper), rest, cases)?;
    let mut products = neither;
    for (value, part) in [(false, without), (true, with)] {
        products.extend(part.into_iter().map(|mut cube| {
            cube.insert(0, (variable, value));
            cube
        }));
    }
    let function = space
        .literal(variable, false)
        .and(&negative)
        .or(&space.literal(variable, true).and(&positive))
        .or(&both);
    Some((function, products))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sum_is_the_function() {
        let space = Space::new(4).expect("four variables");
        for table in (0..=u16::MAX).step_by(37) {
            let mut function = space.constant(false);
            for minterm in (0..16).filter(|bit| table >> bit & 1 == 1) {
                let cube = (0..4).map(|variable| (variable, minterm >> variable & 1 == 1));
                function = function.or(&space.cube(cube));
            }
            let products = cubes(&space, &function).expect("a short sum");
            let sum = products
                .iter()
                .fold(space.constant(false), |sum, cube| sum.or(&space.cube(cube.clone())));
            assert_eq!(sum, function);
        }
        let exclusive =
            space.cube([(0, true), (1, false)]).or(&space.cube([(0, false), (1, true)]));
        assert_eq!(cubes(&space, &exclusive).map(|sum| sum.len()), Some(2));
    }

    #[test]
    fn a_sum_that_would_be_too_long_is_given_up() {
        let space = Space::new(300).expect("many variables");
        for count in [40, 300] {
            let parity = (0..count).fold(space.constant(false), |parity, variable| {
                let one = space.literal(variable, true);
                parity.and_not(&one).or(&one.and_not(&parity))
            });
            assert_eq!(cubes(&space, &parity), None);
        }
    }
}

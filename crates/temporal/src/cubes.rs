//! A boolean function as a short sum of products: how a label is written for a person.
//!
//! Minato & Morreale's irredundant sum: the products between a lower and an upper function, by
//! cases of the first variable. The depth is that of the variables a function depends on, which
//! [`MOST_VARIABLES`](crate::boolean::MOST_VARIABLES) limits.

use crate::boolean::{Function, Space};

/// A product: variables with the value each must have, ascending.
pub type Cube = Vec<(usize, bool)>;

/// Products whose sum is the function, none of which can be left out; none for `false`, the empty
/// one for `true`.
pub fn cubes(space: &Space, function: &Function) -> Vec<Cube> {
    let mut found = irredundant(space, function, function, &function.support()).1;
    found.sort_unstable();
    found
}

fn irredundant(
    space: &Space,
    lower: &Function,
    upper: &Function,
    variables: &[usize],
) -> (Function, Vec<Cube>) {
    if lower.is_false() {
        return (space.constant(false), Vec::new());
    }
    if upper.is_true() {
        return (space.constant(true), vec![Vec::new()]);
    }
    let Some((&variable, rest)) = variables.split_first() else {
        return (space.constant(true), vec![Vec::new()]);
    };
    let cofactor = |function: &Function, value: bool| {
        function.compose(space, |one| {
            if one == variable { space.constant(value) } else { space.literal(one, true) }
        })
    };
    let (low_lower, low_upper) = (cofactor(lower, false), cofactor(upper, false));
    let (high_lower, high_upper) = (cofactor(lower, true), cofactor(upper, true));
    let (negative, without) = irredundant(space, &low_lower.and_not(&high_upper), &low_upper, rest);
    let (positive, with) = irredundant(space, &high_lower.and_not(&low_upper), &high_upper, rest);
    let left = low_lower.and_not(&negative).or(&high_lower.and_not(&positive));
    let (both, neither) = irredundant(space, &left, &low_upper.and(&high_upper), rest);
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
    (function, products)
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
            let products = cubes(&space, &function);
            let sum = products
                .iter()
                .fold(space.constant(false), |sum, cube| sum.or(&space.cube(cube.clone())));
            assert_eq!(sum, function);
        }
        let exclusive =
            space.cube([(0, true), (1, false)]).or(&space.cube([(0, false), (1, true)]));
        assert_eq!(cubes(&space, &exclusive).len(), 2);
    }
}

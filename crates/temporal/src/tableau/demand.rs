//! What a formula or a node demands: a decision diagram, or a sum of products where that is smaller.
//!
//! With the atoms first, a diagram separates all letters that are told apart, which is what the
//! edges need; but a disjunction of thirty products over thirty different atoms has thirty products
//! and far too many such letters. Each form is exponential where the other need not be, so both are
//! kept as long as they are small, and the diagram is preferred.

use crate::boolean::{Function, Space};
use crate::cubes::Cube;
use crate::formula::Atom;
use crate::lasso::Valuation;

/// More products than this are not kept.
const MOST_PRODUCTS: usize = 100;

/// A boolean function over atoms and variables, monotone in the variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Demand {
    /// Its decision diagram, if that is small.
    pub(super) function: Option<Function>,
    /// Products whose sum it is, none within another, if they are few.
    pub(super) products: Option<Vec<Cube>>,
}

impl Demand {
    /// `true` or `false`.
    pub(super) fn constant(space: &Space, value: bool) -> Self {
        let products = if value { vec![Vec::new()] } else { Vec::new() };
        Self { function: Some(space.constant(value)), products: Some(products) }
    }

    /// A literal.
    pub(super) fn literal(space: &Space, variable: usize, value: bool) -> Self {
        let function = Some(space.literal(variable, value));
        Self { function, products: Some(vec![vec![(variable, value)]]) }
    }

    /// All hold, as a diagram if that is small, else as products; none if both are too large.
    pub(super) fn all<'a>(
        space: &Space,
        parts: impl Iterator<Item = &'a Self> + Clone,
    ) -> Option<Self> {
        let function = parts
            .clone()
            .try_fold(space.constant(true), |all, part| all.and_within(part.function.as_ref()?));
        if function.is_some() {
            return Some(Self { function, products: None });
        }
        let mut parts = parts;
        parts.try_fold(Self::constant(space, true), |all, part| {
            Self { function: None, products: all.products }.and(part)
        })
    }

    /// Both hold; none if that is too large in either form.
    pub(super) fn and(&self, other: &Self) -> Option<Self> {
        let function = both(&self.function, &other.function, Function::and_within);
        let products = both(&self.products, &other.products, |left, right| {
            if left.len() * right.len() > 10 * MOST_PRODUCTS {
                return None;
            }
            let mut sum = Vec::new();
            for one in left {
                for two in right {
                    if let Some(product) = union(one, two) {
                        add(&mut sum, product)?;
                    }
                }
            }
            Some(sum)
        });
        Self { function, products }.checked()
    }

    /// One holds; none if that is too large in either form.
    pub(super) fn or(&self, other: &Self) -> Option<Self> {
        let function = both(&self.function, &other.function, Function::or_within);
        let products = both(&self.products, &other.products, |left, right| {
            let mut sum = left.clone();
            for product in right {
                add(&mut sum, product.clone())?;
            }
            Some(sum)
        });
        Self { function, products }.checked()
    }

    fn checked(self) -> Option<Self> {
        (self.function.is_some() || self.products.is_some()).then_some(self)
    }

    /// What is left for one letter, over the variables alone; none if that is too large.
    pub(super) fn restricted(&self, letter: &Valuation, shape: &Shape<'_>) -> Option<Function> {
        if let Some(function) = &self.function {
            return Some(function.restricted(shape.atoms, letter));
        }
        let mut left = shape.space.constant(false);
        for product in self.products.as_ref()? {
            let split = product.partition_point(|literal| literal.0 < shape.atoms);
            let (atoms, variables) = product.split_at(split);
            let fits = |&(atom, value): &(usize, bool)| letter.contains(Atom(atom as u32)) == value;
            if atoms.iter().all(fits) {
                left = left.or_within(&shape.space.cube(variables.iter().copied()))?;
            }
        }
        Some(left)
    }
}

fn both<T>(one: &Option<T>, two: &Option<T>, join: impl Fn(&T, &T) -> Option<T>) -> Option<T> {
    join(one.as_ref()?, two.as_ref()?)
}

/// The variables of one tableau.
pub(super) struct Shape<'a> {
    /// All functions.
    pub(super) space: &'a Space,
    /// How many atoms stand before the variables.
    pub(super) atoms: usize,
}

/// Both products at once; none if they contradict each other.
fn union(one: &Cube, two: &Cube) -> Option<Cube> {
    let mut both = one.clone();
    both.extend(two);
    both.sort_unstable();
    both.dedup();
    let contradiction = both.windows(2).any(|pair| pair[0].0 == pair[1].0);
    (!contradiction).then_some(both)
}

/// Adds a product, unless it is within another; none if there are too many.
fn add(sum: &mut Vec<Cube>, product: Cube) -> Option<()> {
    if sum.iter().any(|other| contains(&product, other)) {
        return Some(());
    }
    sum.retain(|other| !contains(other, &product));
    sum.push(product);
    (sum.len() <= MOST_PRODUCTS).then_some(())
}

/// Whether a sorted list contains all of another.
pub(super) fn contains<T: PartialEq>(long: &[T], short: &[T]) -> bool {
    let mut rest = long.iter();
    short.iter().all(|wanted| rest.any(|one| one == wanted))
}

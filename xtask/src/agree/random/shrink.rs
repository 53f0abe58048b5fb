//! Makes a model on which SPIN and pverify differ as small as it goes.
//!
//! Greedy: the first cut after which they still differ in the same way is kept, until none is
//! left. Not the smallest of all models, but one that fits on a page.

use std::path::Path;

use super::tree::Model;
use super::{Judge, Outcome};

/// Each costs a tenth of a second; a model of twenty statements needs some hundred.
const MOST_TRIES: usize = 1500;

/// The smallest model found, and how the two differ on it.
pub(super) fn shrink(
    judge: &Judge,
    directory: &Path,
    model: Model,
    difference: &str,
) -> anyhow::Result<(Model, String)> {
    let (mut model, mut difference) = (model, difference.to_owned());
    let wanted = sort(&difference).to_owned();
    let mut tries = 0;
    'smaller: loop {
        for candidate in model.smaller() {
            tries += 1;
            if tries > MOST_TRIES {
                return Ok((model, difference));
            }
            let outcome = judge.compare(directory, &candidate.text(), judge.compiler)?;
            if let Outcome::Searched { difference: Some(found), .. } = outcome
                && sort(&found) == wanted
            {
                (model, difference) = (candidate, found);
                continue 'smaller;
            }
        }
        return Ok((model, difference));
    }
}

/// A refusal must stay a refusal, a crash a crash; which figures differ may change.
fn sort(difference: &str) -> &str {
    match difference.strip_prefix("pverify ") {
        Some(rest) => rest.split([':', ' ']).next().unwrap_or_default(),
        None => "figures",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_have_sorts() {
        assert_eq!(sort("states, transitions\nSPIN: …"), "figures");
        assert_eq!(sort("pverify refused: no\nSPIN: …"), "refused");
        assert_eq!(sort("pverify crash (signal 6): …"), "crash");
    }
}

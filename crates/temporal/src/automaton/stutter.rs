//! Whether a language can tell how often a letter is repeated.
//!
//! Michaud & Duret-Lutz (2015): let `sl` allow every letter to be repeated finitely often. A
//! language cannot tell stuttering iff `sl` of its automaton and `sl` of its complement's have no
//! run in common: such a run would be a repetition of one run inside and of one outside.

use super::Marks;
use super::letters::{Dense, Letters};
use super::product::is_disjoint;

/// More states than this are not built.
const MOST_STATES: usize = 60_000;

/// Whether the language of the first automaton, whose complement the second accepts, cannot tell
/// stuttering; none if that is too large a question.
pub fn is_stutter_invariant(language: &Dense, complement: &Dense) -> Option<bool> {
    Some(is_disjoint(&stuttering(language)?, &stuttering(complement)?))
}

/// The automaton that may read each letter several times: a state remembers the letter that led
/// to it and reads it again on a loop without marks.
fn stuttering(dense: &Dense) -> Option<Dense> {
    let classes = dense.classes;
    let count = dense.len().checked_mul(classes + 1)?;
    if count > MOST_STATES {
        return None;
    }
    // A loop must not be accepted by itself, so there must be a set that it does not bear.
    let sets = dense.sets.max(1);
    let number = |state: usize, letter: Option<usize>| {
        state * (classes + 1) + letter.map_or(0, |class| class + 1)
    };
    let mut result = Dense {
        classes,
        sets,
        initial: dense.initial.iter().map(|&state| number(state, None)).collect(),
        edges: vec![Vec::new(); count],
    };
    for (state, edges) in dense.edges.iter().enumerate() {
        for letter in [None].into_iter().chain((0..classes).map(Some)) {
            let source = number(state, letter);
            if let Some(class) = letter {
                let mut again = Letters::none(classes);
                again.insert(class);
                result.add_edge(source, again, Marks::NONE, source);
            }
            for edge in edges {
                let marks = if dense.sets == 0 { Marks::one(0) } else { edge.marks };
                for class in edge.letters.iter() {
                    let mut letters = Letters::none(classes);
                    letters.insert(class);
                    result.add_edge(source, letters, marks, number(edge.target, Some(class)));
                }
            }
        }
    }
    Some(result.reachable())
}

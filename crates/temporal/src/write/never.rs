//! An automaton as a `never` claim of SPIN.
//!
//! States that accept are labelled `accept_…`. A state that accepts whatever comes stands last, as
//! `accept_all: skip`: there the claim ends, which SPIN takes for a violation at once.

use super::label::{Spelling, label};
use crate::automaton::degeneralize::degeneralize;
use crate::automaton::{Automaton, Edge, Marks, StateId};
use crate::tableau::TooLarge;
use std::fmt::Write as _;

const SPELLING: Spelling =
    Spelling { and: " && ", or: " || ", always: "true", never: "false", brackets: true };

/// The text of a claim; the atoms' names must be expressions or macros of the model. More than one
/// acceptance set, or sets on edges, are first brought to one set on states.
pub fn never(automaton: &Automaton, comment: &str) -> Result<String, TooLarge> {
    let ready = automaton.sets == 1 && automaton.state_marks().is_some();
    let automaton =
        if ready { automaton.clone() } else { degeneralize(automaton) }.with_one_start();
    let comment = comment.replace("*/", "* /").replace('\n', " ");
    let comment = if comment.is_empty() { comment } else { format!(" /* {comment} */") };
    let mut text = format!("never {{{comment}\n");
    let claim = Claim::new(&automaton);
    for state in claim.order() {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{}:", claim.name(state));
        let edges = automaton.edges_of(state);
        if claim.end == Some(state) {
            text.push_str("\tskip\n");
        } else if edges.is_empty() {
            text.push_str("\tfalse;\n");
        } else {
            text.push_str("\tdo\n");
            for edge in edges {
                let guard = label(&automaton, &edge.label, &SPELLING).ok_or(TooLarge::Label)?;
                let _ = writeln!(text, "\t:: ({guard}) -> goto {}", claim.name(edge.target));
            }
            text.push_str("\tod;\n");
        }
    }
    text.push_str("}\n");
    Ok(text)
}

/// Which state stands where, and what it is called.
struct Claim<'a> {
    automaton: &'a Automaton,
    marks: Vec<Marks>,
    first: Option<StateId>,
    /// A state that accepts whatever comes.
    end: Option<StateId>,
}

impl<'a> Claim<'a> {
    fn new(automaton: &'a Automaton) -> Self {
        let marks = automaton.state_marks().unwrap_or_default();
        let mut claim = Self { automaton, marks, first: None, end: None };
        claim.first = automaton.initial.first().copied();
        claim.end = automaton.states().find(|&state| {
            let edges = automaton.edges_of(state);
            let loops = |edge: &Edge| edge.target == state && edge.label.is_true();
            claim.accepts(state) && edges.iter().any(loops)
        });
        claim
    }

    fn accepts(&self, state: StateId) -> bool {
        self.marks.get(state.index()).is_some_and(|marks| *marks != Marks::NONE)
    }

    /// A claim begins with its first statement, and ends behind its last.
    fn order(&self) -> Vec<StateId> {
        let ends = |state: &StateId| Some(*state) == self.first || Some(*state) == self.end;
        let between = self.automaton.states().filter(|state| !ends(state));
        let mut order: Vec<_> = self.first.into_iter().chain(between).collect();
        order.extend(self.end.filter(|end| Some(*end) != self.first));
        order
    }

    fn name(&self, state: StateId) -> String {
        let start = Some(state) == self.first;
        match (self.accepts(state), start) {
            (true, true) => "accept_init".to_owned(),
            (true, false) if Some(state) == self.end => "accept_all".to_owned(),
            (true, false) => format!("accept_S{}", state.0),
            (false, true) => "T0_init".to_owned(),
            (false, false) => format!("T0_S{}", state.0),
        }
    }
}

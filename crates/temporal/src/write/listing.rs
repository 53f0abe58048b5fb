//! An automaton state by state, for people.

use super::label::{Spelling, label};
use crate::automaton::{Automaton, Marks};
use crate::finite::dfa::{Action, Dfa, DfaState};
use crate::formula::{Atom, Vocabulary};
use std::fmt::Write as _;

const SPELLING: Spelling =
    Spelling { and: " & ", or: " | ", always: "true", never: "false", brackets: true };

/// Each state with its edges: where one leads, on which letters, and in braces the acceptance sets
/// that mark it. One set on states is said of the states.
pub fn listing(automaton: &Automaton) -> String {
    let mut text = String::new();
    let on_states = automaton.state_marks().filter(|_| automaton.sets == 1);
    for state in automaton.states() {
        let initial = if automaton.initial.contains(&state) { ", initial" } else { "" };
        let accepts = |marks: &Vec<Marks>| marks[state.index()] != Marks::NONE;
        let accepting = if on_states.as_ref().is_some_and(accepts) { ", accepting" } else { "" };
        // Writing to a string cannot fail.
        let _ = writeln!(text, "state {}{initial}{accepting}", state.0);
        for edge in automaton.edges_of(state) {
            let caption = label(automaton, &edge.label, &SPELLING);
            let _ = write!(text, "  to {}: {}", edge.target.0, caption.as_deref().unwrap_or("…"));
            if on_states.is_none() && edge.marks != Marks::NONE {
                let sets: Vec<_> = edge.marks.iter().map(|set| set.to_string()).collect();
                let _ = write!(text, "  {{{}}}", sets.join(","));
            }
            text.push('\n');
        }
    }
    or_nothing(text)
}

/// The same of an automaton over actions.
pub fn dfa_listing(dfa: &Dfa, actions: &Vocabulary) -> String {
    let mut text = String::new();
    for state in (0..dfa.len() as u32).map(DfaState) {
        let initial = if dfa.initial() == Some(state) { ", initial" } else { "" };
        let accepting = if dfa.accepts_in(state) { ", accepting" } else { "" };
        // Writing to a string cannot fail.
        let _ = writeln!(text, "state {}{initial}{accepting}", state.0);
        for (target, on) in dfa.arrows(state) {
            let name = |action: &Action| actions.name(Atom(action.0));
            let names: Vec<_> = on.iter().map(name).collect();
            let _ = writeln!(text, "  to {}: {}", target.0, names.join(", "));
        }
    }
    or_nothing(text)
}

fn or_nothing(text: String) -> String {
    if text.is_empty() { "no states: nothing is accepted\n".to_owned() } else { text }
}

//! An automaton as a drawing for graphviz.

use super::label::{Spelling, label};
use crate::automaton::{Automaton, Marks};
use std::fmt::Write as _;

const SPELLING: Spelling =
    Spelling { and: " & ", or: " | ", always: "true", never: "false", brackets: true };

/// The text of a drawing: one set on states is drawn as double circles, anything else as numbers on
/// edges; a label too long to be read as `…`.
pub fn dot(automaton: &Automaton) -> String {
    let mut text = String::from("digraph automaton {\n  rankdir=LR\n  node [shape=circle]\n");
    let on_states = automaton.state_marks().filter(|_| automaton.sets == 1);
    for (at, state) in automaton.initial.iter().enumerate() {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "  start{at} [shape=point]\n  start{at} -> {}", state.0);
    }
    for state in automaton.states() {
        let marked = |marks: &Vec<Marks>| marks[state.index()] != Marks::NONE;
        let shape =
            if on_states.as_ref().is_some_and(marked) { " [shape=doublecircle]" } else { "" };
        let _ = writeln!(text, "  {}{shape}", state.0);
        for edge in automaton.edges_of(state) {
            let caption = label(automaton, &edge.label, &SPELLING);
            let mut caption = escaped(caption.as_deref().unwrap_or("…"));
            if on_states.is_none() && edge.marks != Marks::NONE {
                let sets: Vec<_> = edge.marks.iter().map(|set| set.to_string()).collect();
                let _ = write!(caption, "\\n{{{}}}", sets.join(","));
            }
            let _ = writeln!(text, "  {} -> {} [label=\"{caption}\"]", state.0, edge.target.0);
        }
    }
    text.push_str("}\n");
    text
}

pub(super) fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', " ")
}

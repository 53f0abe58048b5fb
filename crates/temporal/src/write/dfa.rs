//! The automaton of finite computations, as a drawing and in the Hanoi format.

use super::dot::escaped;
use crate::finite::dfa::{Action, Dfa, DfaState};
use crate::formula::{Atom, Vocabulary};
use std::fmt::Write as _;

fn states(dfa: &Dfa) -> impl Iterator<Item = DfaState> {
    (0..dfa.len() as u32).map(DfaState)
}

/// The text of a drawing; actions that lead to the same state share an arrow.
pub fn dfa_dot(dfa: &Dfa, actions: &Vocabulary) -> String {
    let mut text = String::from("digraph automaton {\n  rankdir=LR\n  node [shape=circle]\n");
    if let Some(state) = dfa.initial() {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "  start [shape=point]\n  start -> {}", state.0);
    }
    for state in states(dfa) {
        let shape = if dfa.accepts_in(state) { " [shape=doublecircle]" } else { "" };
        let _ = writeln!(text, "  {}{shape}", state.0);
        for (target, on) in dfa.arrows(state) {
            let name = |action: &Action| escaped(actions.name(Atom(action.0)));
            let caption = on.iter().map(name).collect::<Vec<_>>().join(", ");
            let _ = writeln!(text, "  {} -> {} [label=\"{caption}\"]", state.0, target.0);
        }
    }
    text.push_str("}\n");
    text
}

/// The automaton in the Hanoi format, which has no finite words: as other tools do, a state that
/// accepts is marked, and `finite-words` among the properties says how to read it. The letters are
/// those where exactly one action is true.
pub fn dfa_hoa(dfa: &Dfa, actions: &Vocabulary) -> String {
    let count = dfa.actions();
    let mut text = format!("HOA: v1\nStates: {}\n", dfa.len());
    if let Some(state) = dfa.initial() {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "Start: {}", state.0);
    }
    let names: String = (0..count as u32)
        .map(|action| format!(" \"{}\"", escaped(actions.name(Atom(action)))))
        .collect();
    let _ = writeln!(text, "AP: {count}{names}\nacc-name: Buchi\nAcceptance: 1 Inf(0)");
    text.push_str(
        "properties: trans-labels explicit-labels state-acc deterministic finite-words\n",
    );
    for action in 0..count {
        let literals: Vec<_> = (0..count)
            .map(|other| if other == action { other.to_string() } else { format!("!{other}") })
            .collect();
        let _ = writeln!(text, "Alias: @{action} {}", literals.join("&"));
    }
    text.push_str("--BODY--\n");
    for state in states(dfa) {
        let mark = if dfa.accepts_in(state) { " {0}" } else { "" };
        let _ = writeln!(text, "State: {}{mark}", state.0);
        for action in 0..count as u32 {
            if let Some(target) = dfa.step(state, Action(action)) {
                let _ = writeln!(text, "[@{action}] {}", target.0);
            }
        }
    }
    text.push_str("--END--\n");
    text
}

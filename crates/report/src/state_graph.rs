//! Graphs of states, a transition at a time: `.aut`, Graphviz and JSON.

use crate::graph::quoted;
use serde_json::json;

/// The form of a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Aldebaran
    Aut,
    /// Graphviz
    Dot,
    /// One object
    Json,
}

impl Form {
    /// What stands in front. The first line of `.aut` says how much follows: `size` is the number of
    /// transitions and of states there, and not asked for in other forms.
    pub fn begin(self, file: &str, size: (u64, usize)) -> String {
        match self {
            Self::Aut => format!("des (0, {}, {})\n", size.0, size.1),
            Self::Dot => "digraph states {\n  node [shape=circle];\n  start [shape=point];\n  \
                          start -> 0;\n"
                .to_owned(),
            Self::Json => {
                format!("{{\"file\": {}, \"initial\": 0, \"transitions\": [", json!(file))
            }
        }
    }

    /// A transition by its number, counted from 0.
    pub fn transition(self, number: u64, from: u32, label: &str, to: u32) -> String {
        match self {
            Self::Aut => format!("({from}, {}, {to})\n", quoted(label)),
            Self::Dot => format!("  {from} -> {to} [label={}];\n", quoted(label)),
            Self::Json => {
                let comma = if number == 0 { "" } else { "," };
                let one = json!({ "from": from, "label": label, "to": to });
                format!("{comma}\n  {one}")
            }
        }
    }

    /// What stands behind, when there were so many states.
    pub fn end(self, states: usize) -> String {
        match self {
            Self::Aut => String::new(),
            Self::Dot => "}\n".to_owned(),
            Self::Json => format!("\n], \"states\": {states}}}\n"),
        }
    }
}

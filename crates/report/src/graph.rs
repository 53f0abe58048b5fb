//! Control graphs for people and programs: Graphviz, JSON, and `.aut`.
//!
//! A [`Graph`] is only what a drawing needs of a process.

use pverify_model::describe;
use pverify_model::machine::{Action, Model, ProcessKind};
use pverify_syntax::source::{Sources, Span};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The control graph of one process.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Graph {
    /// The process's name.
    pub name: String,
    /// What kind of process it is, such as `proctype`, `init`, `never`.
    pub kind: String,
    /// The number of the location it starts in.
    pub initial: usize,
    /// Its locations.
    pub locations: Vec<Location>,
    /// Its edges, in the order in which they are tried.
    pub edges: Vec<Edge>,
}

/// A point of control.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Location {
    /// Its number, unique in the graph.
    pub number: usize,
    /// The line its statement stands on, from 1.
    pub line: u32,
    /// The labels on it.
    pub labels: Vec<String>,
    /// Whether a process may end here.
    pub end: bool,
}

/// A step from one location to another.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Edge {
    /// Where it starts.
    pub from: usize,
    /// Where it leads; `None` when the process ends.
    pub to: Option<usize>,
    /// SPIN's number of the step, unique in the model.
    pub id: u32,
    /// The statement.
    pub statement: String,
    /// The line the statement stands on, from 1.
    pub line: u32,
    /// Whether no other process may step in before the next step.
    pub atomic: bool,
    /// Whether it is a whole `d_step`.
    pub d_step: bool,
    /// Whether it is the escape of an `unless`, tried before the other edges.
    pub escape: bool,
}

/// The control graphs of all processes of a model, in the order of the text.
pub fn graphs(model: &Model, sources: &Sources) -> Vec<Graph> {
    let line = |span: Span| sources.position(sources.outermost(span)).line;
    let mut graphs = Vec::new();
    for process in &model.processes {
        let control = &process.graph;
        let number = |at: usize| control.locations.get(at).map_or(0, |one| one.number as usize);
        let mut graph = Graph {
            name: process.name.to_string(),
            kind: kind(process.kind).to_owned(),
            initial: number(0),
            ..Graph::default()
        };
        for location in &control.locations {
            let labels = control.labels.iter().filter(|label| label.number == location.number);
            graph.locations.push(Location {
                number: location.number as usize,
                line: line(location.span),
                labels: labels.map(|label| label.name.to_string()).collect(),
                end: location.end,
            });
            graph.edges.extend(location.edges.iter().map(|edge| Edge {
                from: location.number as usize,
                to: edge.target.map(|target| number(target.index())),
                id: edge.id,
                statement: describe::action(model, process, &edge.action),
                line: line(edge.span),
                atomic: edge.atomic,
                d_step: matches!(edge.action, Action::DStep(_)),
                escape: edge.escape.is_some(),
            }));
        }
        graphs.push(graph);
    }
    graphs
}

fn kind(kind: ProcessKind) -> &'static str {
    match kind {
        ProcessKind::Proctype => "proctype",
        ProcessKind::Init => "init",
        ProcessKind::Never => "never",
        ProcessKind::Trace => "trace",
        ProcessKind::Notrace => "notrace",
    }
}

/// All graphs as one Graphviz file, a cluster each.
pub fn to_dot(graphs: &[Graph]) -> String {
    let mut dot = String::from("digraph model {\n  node [shape=circle];\n");
    for (at, graph) in graphs.iter().enumerate() {
        let title = quoted(format!("{} {}", graph.kind, graph.name).trim());
        let _ = writeln!(dot, "  subgraph cluster_{at} {{\n    label={title};");
        let _ = writeln!(dot, "    start_{at} [shape=point];");
        for location in &graph.locations {
            let mut caption = location.number.to_string();
            for label in &location.labels {
                let _ = write!(caption, "\n{label}");
            }
            let shape = if location.end { ", shape=doublecircle" } else { "" };
            let number = location.number;
            let _ = writeln!(dot, "    p{at}_{number} [label={}{shape}];", quoted(&caption));
        }
        if graph.edges.iter().any(|edge| edge.to.is_none()) {
            let _ = writeln!(dot, "    ended_{at} [label=\"\", shape=doublecircle];");
        }
        let _ = writeln!(dot, "    start_{at} -> p{at}_{};", graph.initial);
        for Edge { from, to, statement, atomic, .. } in &graph.edges {
            let style = if *atomic { ", style=bold" } else { "" };
            let caption = quoted(statement);
            let to = to.map_or_else(|| format!("ended_{at}"), |to| format!("p{at}_{to}"));
            let _ = writeln!(dot, "    p{at}_{from} -> {to} [label={caption}{style}];");
        }
        dot.push_str("  }\n");
    }
    dot.push_str("}\n");
    dot
}

/// All graphs as one JSON object.
pub fn to_json(file: &str, graphs: &[Graph]) -> String {
    let processes: Vec<Value> = graphs.iter().map(process).collect();
    format!("{:#}\n", json!({ "file": file, "processes": processes }))
}

fn process(graph: &Graph) -> Value {
    let locations: Vec<_> = graph
        .locations
        .iter()
        .map(|one| {
            json!({
                "number": one.number, "line": one.line, "labels": one.labels, "end": one.end,
            })
        })
        .collect();
    let edges: Vec<_> = graph
        .edges
        .iter()
        .map(|one| {
            json!({
                "id": one.id, "from": one.from, "to": one.to, "statement": one.statement,
                "line": one.line, "atomic": one.atomic, "d_step": one.d_step,
                "escape": one.escape,
            })
        })
        .collect();
    json!({
        "name": graph.name, "kind": graph.kind, "initial": graph.initial,
        "locations": locations, "edges": edges,
    })
}

/// One graph in the format of Aldebaran; its states are numbered in the order of the locations,
/// and a process that has ended is in one more.
pub fn to_aut(graph: &Graph) -> String {
    let numbers: BTreeMap<usize, usize> =
        graph.locations.iter().enumerate().map(|(at, one)| (one.number, at)).collect();
    let ended = graph.locations.len();
    let state = |number| numbers.get(&number).copied().unwrap_or(ended);
    let ends = graph.edges.iter().any(|edge| edge.to.is_none());
    let states = ended + usize::from(ends);
    let mut aut = format!("des ({}, {}, {states})\n", state(graph.initial), graph.edges.len());
    for edge in &graph.edges {
        let to = edge.to.map_or(ended, state);
        let _ = writeln!(aut, "({}, {}, {to})", state(edge.from), quoted(&edge.statement));
    }
    aut
}

/// A string of DOT or `.aut`: quotes and backslashes escaped, lines kept apart.
pub(crate) fn quoted(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    format!("\"{escaped}\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A location with a label, a step with every sign that needs care, and the end.
    fn graph() -> Graph {
        let location = |number, end| Location {
            number,
            line: 1,
            labels: if end { vec!["end".into()] } else { vec![] },
            end,
        };
        Graph {
            name: "P".into(),
            kind: "proctype".into(),
            initial: 3,
            locations: vec![location(3, true), location(5, false)],
            edges: vec![
                Edge {
                    from: 3,
                    to: Some(5),
                    id: 1,
                    statement: "printf(\"a\\n\")".into(),
                    line: 1,
                    atomic: true,
                    ..Edge::default()
                },
                Edge { from: 5, statement: "-end-".into(), id: 2, line: 2, ..Edge::default() },
            ],
        }
    }

    #[test]
    fn dot_escapes_what_a_statement_may_hold() {
        let expected = r#"digraph model {
  node [shape=circle];
  subgraph cluster_0 {
    label="proctype P";
    start_0 [shape=point];
    p0_3 [label="3\nend", shape=doublecircle];
    p0_5 [label="5"];
    ended_0 [label="", shape=doublecircle];
    start_0 -> p0_3;
    p0_3 -> p0_5 [label="printf(\"a\\n\")", style=bold];
    p0_5 -> ended_0 [label="-end-"];
  }
}
"#;
        assert_eq!(to_dot(&[graph()]), expected);
    }

    #[test]
    fn aut_numbers_states_from_zero() {
        assert_eq!(
            to_aut(&graph()),
            "des (0, 2, 3)\n(0, \"printf(\\\"a\\\\n\\\")\", 1)\n(1, \"-end-\", 2)\n"
        );
    }

    #[test]
    fn json_names_everything() {
        let text = to_json("a.pml", &[graph()]);
        let value: Value = serde_json::from_str(&text).expect("it is JSON");
        assert_eq!(
            value,
            json!({ "file": "a.pml", "processes": [{
                "name": "P", "kind": "proctype", "initial": 3,
                "locations": [
                    { "number": 3, "line": 1, "labels": ["end"], "end": true },
                    { "number": 5, "line": 1, "labels": [], "end": false },
                ],
                "edges": [
                    { "id": 1, "from": 3, "to": 5, "statement": "printf(\"a\\n\")",
                      "line": 1, "atomic": true, "d_step": false, "escape": false },
                    { "id": 2, "from": 5, "to": null, "statement": "-end-",
                      "line": 2, "atomic": false, "d_step": false, "escape": false },
                ],
            }] })
        );
    }
}

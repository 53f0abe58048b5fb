//! A control graph as both sides give it, and the first place where two of them part.

use std::collections::BTreeMap;
use std::fmt;

use anyhow::{Context, bail};
use serde_json::Value;

/// What a process is in the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    Proctype,
    Init,
    Never,
    Trace,
    Notrace,
}

/// One process with its edges in the order in which they were given.
#[derive(Clone, Debug)]
pub(crate) struct Process {
    pub(crate) name: String,
    pub(crate) kind: Kind,
    /// 0 if it has no edges.
    pub(crate) initial: u32,
    pub(crate) edges: Vec<Edge>,
}

/// One step of a process.
#[derive(Clone, Debug)]
pub(crate) struct Edge {
    pub(crate) from: u32,
    /// 0 removes the process.
    pub(crate) to: u32,
    pub(crate) id: u32,
    pub(crate) atomic: bool,
    pub(crate) d_step: bool,
    pub(crate) statement: String,
}

/// How two models compare.
#[derive(Debug, Default)]
pub(crate) struct Comparison {
    /// The first difference, ready to print; `None` if the graphs are equal.
    pub(crate) difference: Option<String>,
    /// Statements of equal edges that read differently: (SPIN's, ours).
    pub(crate) texts: Vec<(String, String)>,
    pub(crate) edges: usize,
}

/// Compares every process; statements only where the edges are equal.
pub(crate) fn compare(spin: &[Process], ours: &[Process]) -> Comparison {
    let mut comparison = Comparison::default();
    let ours = by_key(ours);
    let spin = by_key(spin);
    let names = |side: &BTreeMap<Key, &Process>| {
        side.values()
            .map(|process| format!("{:?} {}", process.kind, process.name))
            .collect::<Vec<_>>()
            .join(", ")
    };
    if !spin.keys().eq(ours.keys()) {
        comparison.difference =
            Some(format!("processes\n  SPIN:    {}\n  pverify: {}", names(&spin), names(&ours)));
        return comparison;
    }
    for (key, process) in &spin {
        comparison.difference = compare_process(process, ours[key], &mut comparison);
        if comparison.difference.is_some() {
            break;
        }
    }
    comparison
}

/// A proctype by its name, the rest by its place: a claim without a name has one only in SPIN.
type Key = (Kind, String, usize);

fn by_key(processes: &[Process]) -> BTreeMap<Key, &Process> {
    let mut keyed = BTreeMap::new();
    for process in processes {
        let name =
            if process.kind == Kind::Proctype { process.name.clone() } else { String::new() };
        let mut key = (process.kind, name, 0);
        while keyed.contains_key(&key) {
            key.2 += 1;
        }
        keyed.insert(key, process);
    }
    keyed
}

fn compare_process(spin: &Process, ours: &Process, comparison: &mut Comparison) -> Option<String> {
    let title = format!("{:?} {}", spin.kind, spin.name);
    if spin.initial != ours.initial && !spin.edges.is_empty() {
        return Some(format!(
            "{title}: starts in state {}, ours in {}",
            spin.initial, ours.initial
        ));
    }
    let (theirs, mine) = (by_state(spin), by_state(ours));
    let states: std::collections::BTreeSet<u32> =
        theirs.keys().chain(mine.keys()).copied().collect();
    for state in states {
        let none = Vec::new();
        let left = theirs.get(&state).unwrap_or(&none);
        let right = mine.get(&state).unwrap_or(&none);
        if !left.iter().map(|edge| edge.numbers()).eq(right.iter().map(|edge| edge.numbers())) {
            return Some(format!(
                "{title}: the edges of state {state}\n  SPIN:{}\n  pverify:{}",
                listed(left),
                listed(right)
            ));
        }
        comparison.edges += left.len();
        for (left, right) in left.iter().zip(right) {
            if plain(&left.statement) != plain(&right.statement) {
                comparison.texts.push((left.statement.clone(), right.statement.clone()));
            }
        }
    }
    None
}

fn by_state(process: &Process) -> BTreeMap<u32, Vec<&Edge>> {
    let mut states: BTreeMap<u32, Vec<&Edge>> = BTreeMap::new();
    for edge in &process.edges {
        states.entry(edge.from).or_default().push(edge);
    }
    states
}

fn listed(edges: &[&Edge]) -> String {
    if edges.is_empty() {
        return "\n    (none)".to_owned();
    }
    edges.iter().take(8).map(|edge| format!("\n    {edge}")).collect()
}

/// The statement without blanks and parentheses, which SPIN adds generously, and with its words
/// for constants.
fn plain(statement: &str) -> String {
    let bare: String =
        statement.chars().filter(|c| !c.is_whitespace() && !matches!(c, '(' | ')')).collect();
    match bare.as_str() {
        "skip" | "true" => "1".to_owned(),
        "false" => "0".to_owned(),
        text if text.starts_with("D_STEP") => "d_step".to_owned(),
        text if text.starts_with("d_step") => "d_step".to_owned(),
        _ => bare.replace('"', "'"),
    }
}

impl Edge {
    /// What must be equal.
    fn numbers(&self) -> (u32, u32, u32, bool, bool) {
        (self.from, self.to, self.id, self.atomic, self.d_step)
    }
}

impl fmt::Display for Edge {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let flag = match (self.atomic, self.d_step) {
            (true, true) => "AD",
            (true, false) => "A",
            (false, true) => "D",
            (false, false) => "-",
        };
        let Edge { from, to, id, statement, .. } = self;
        write!(formatter, "{from:>4} -> {to:<4} id {id:<4} [{flag}] {statement}")
    }
}

/// Reads what `pverify graph --to json` prints.
pub(crate) fn from_json(text: &str) -> anyhow::Result<Vec<Process>> {
    let value: Value = serde_json::from_str(text).context("pverify printed no JSON")?;
    let processes = value["processes"].as_array().context("no array `processes`")?;
    processes.iter().map(process_from_json).collect()
}

fn process_from_json(value: &Value) -> anyhow::Result<Process> {
    let kind = match value["kind"].as_str() {
        Some("proctype") => Kind::Proctype,
        Some("init") => Kind::Init,
        Some("never") => Kind::Never,
        Some("trace") => Kind::Trace,
        Some("notrace") => Kind::Notrace,
        other => bail!("a process of unknown kind {other:?}"),
    };
    let edges = value["edges"].as_array().context("no array `edges`")?;
    Ok(Process {
        name: value["name"].as_str().unwrap_or_default().to_owned(),
        kind,
        initial: number(value, "initial")?,
        edges: edges.iter().map(edge_from_json).collect::<anyhow::Result<_>>()?,
    })
}

fn edge_from_json(value: &Value) -> anyhow::Result<Edge> {
    Ok(Edge {
        from: number(value, "from")?,
        // SPIN writes 0 where a process ends.
        to: if value["to"].is_null() { 0 } else { number(value, "to")? },
        id: number(value, "id")?,
        atomic: value["atomic"].as_bool().unwrap_or(false),
        d_step: value["d_step"].as_bool().unwrap_or(false),
        statement: value["statement"].as_str().unwrap_or_default().to_owned(),
    })
}

fn number(value: &Value, name: &str) -> anyhow::Result<u32> {
    let number = value[name].as_u64().with_context(|| format!("no number `{name}` in {value}"))?;
    Ok(u32::try_from(number)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn model(edges: &str) -> Vec<Process> {
        from_json(&format!(
            r#"{{"file":"a","processes":[{{"name":"P","kind":"proctype","initial":1,"edges":[{edges}]}}]}}"#
        ))
        .expect("well-formed")
    }

    fn edge(from: u32, to: u32, id: u32, statement: &str) -> String {
        format!(
            r#"{{"from":{from},"to":{to},"id":{id},"statement":"{statement}","line":3,"atomic":false,"d_step":false}}"#
        )
    }

    fn check(spin: &[String], ours: &[String], expected: Option<&str>, texts: usize) {
        let comparison = compare(&model(&spin.join(",")), &model(&ours.join(",")));
        let first = comparison.difference.as_deref().and_then(|text| text.lines().next());
        assert_eq!(first, expected);
        assert_eq!(comparison.texts.len(), texts);
    }

    #[test]
    fn the_order_of_states_does_not_matter_that_of_options_does() {
        let (a, b, c) = (edge(1, 2, 0, "x = 1"), edge(1, 3, 1, "else"), edge(2, 0, 2, "-end-"));
        check(&[a.clone(), b.clone(), c.clone()], &[a.clone(), b.clone(), c.clone()], None, 0);
        check(&[a.clone(), b.clone(), c.clone()], &[c.clone(), a.clone(), b.clone()], None, 0);
        let different = Some("Proctype P: the edges of state 1");
        check(&[a.clone(), b.clone(), c.clone()], &[b.clone(), a.clone(), c], different, 0);
        check(&[a.clone(), b], &[a], different, 0);
    }

    #[test]
    fn texts_are_a_weaker_level() {
        check(&[edge(1, 2, 0, "((x<3))")], &[edge(1, 2, 0, "x < 3")], None, 0);
        check(&[edge(1, 2, 0, "x = 1")], &[edge(1, 2, 0, "y = 1")], None, 1);
    }

    #[test]
    fn bad_json_is_an_error() {
        assert!(from_json("").is_err());
        assert!(from_json(r#"{"processes":[{"kind":"what"}]}"#).is_err());
    }
}

//! Reads the control tables that `./pan -d` prints.
//!
//! ```text
//! proctype P
//!     state  19 -(tr  13)-> state  17  [id   8 tp 503] [--e-G] a.pml:6 => c?y
//!     state  22 -(tr  16)-> state  27  [id  23 tp   3 org  24] [----G] a.pml:11 => c!3
//! init
//! claim never_0
//! trace assertion
//! ```
//!
//! What the fields are (seen in the output, and in the printing code of `pan.c`):
//!
//! * `state A … state B`: from A to B; B = 0 means that the process is removed (`-end-`).
//! * `tr`: which forward move of `pan.m` it is; equal statements share one. Not compared.
//! * `id`: the number of the statement in its own table row, counted through all processes.
//! * `tp`: kinds for partial order reduction, one or two numbers. Not compared.
//! * `org S`: the edge is an escape of an `unless`, copied from state S; escapes come first.
//! * the flags: `A` the process stays inside `atomic` after this step (so the last statement of
//!   an atomic block has none) or `D` the edge is a whole `d_step`; then `a`, `e`, `p` for labels
//!   of the *source* state; then `L` local or `G` global.
//! * file and line belong to the *source state*, not to the statement: all options of an `if`
//!   show the line of the first one.
//!
//! What it prints and what not:
//!
//! * One `-d` prints the final tables, walking depth first from the initial state: the first
//!   line's source is the initial state, and states that nothing leads to are not printed. `goto`,
//!   `break` and `.(goto)` that are no steps have been skipped by then. `-d -d` prints an
//!   earlier stage with every state (`STEP 3`), `-d -d -d` one before that.
//! * The walk also visits the first states of escapes, which no edge need lead to: an escape has
//!   been copied to the states it guards. This module drops what no edge leads to.
//! * `else` comes last among the options of its state whatever its place in the source.
//! * The headings of event traces are exchanged: `trace { }` prints `notrace assertion` and the
//!   reverse. This module puts that right.
//! * A model with several claims prints all of them; those of `ltl` blocks are known by SPIN's own
//!   line `ltl NAME: …` on standard output.
//! * With `-d`, `pan` does not refuse unconditional self-loops and double `else`; without, it does.
//! * The inner statements of a `d_step` are not printed, only one edge `D_STEP<line>`.

use std::sync::LazyLock;

use anyhow::bail;
use regex::Regex;

use super::graph::{Edge, Kind, Process};

/// Everything before the statement; the statement may contain anything, even ` => `.
static EDGE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"(?x)^\s+state\s+(?<from>\d+)\s+-\(tr\s+\d+\)->\s+state\s+(?<to>\d+)\s+
          \[id\s+(?<id>\d+)\s+tp\s+\d+(?:,\d+)?(?:\s+org\s+(?<org>\d+))?\]\s
          \[(?<step>[AD-])[a-][e-][p-][LG]\]\s.*?:(?<line>-?\d+)\s=>\s(?<statement>.*)$",
    )
    .ok()
});

/// The processes that `./pan -d` printed, without the claims named in `skipped_claims`.
pub(crate) fn parse(output: &str, skipped_claims: &[String]) -> anyhow::Result<Vec<Process>> {
    let mut processes: Vec<Process> = Vec::new();
    for line in output.lines() {
        if line.starts_with("Transition Type:") {
            processes.retain(|process| {
                process.kind != Kind::Never || !skipped_claims.contains(&process.name)
            });
            processes.iter_mut().for_each(keep_reachable);
            return Ok(processes);
        }
        if let Some((kind, name)) = heading(line) {
            processes.push(Process { name, kind, initial: 0, edges: Vec::new() });
        } else if line.starts_with("\tstate") || line.starts_with(" ") {
            let (Some(process), Some(edge)) = (processes.last_mut(), edge(line)) else {
                bail!("pan -d printed a line that is not understood: {line}");
            };
            if process.edges.is_empty() {
                process.initial = edge.from;
            }
            process.edges.push(edge);
        }
    }
    bail!("the output of pan -d has no end: {}", output.lines().next().unwrap_or("(nothing)"));
}

/// The number of a transition, and its flags: of an edge `D_STEP` they are known from here.
static SETTLED: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r#"settr\((?<id>\d+),(?<flags>\d+),\d+,\d+,\d+,"D_STEP"#).ok());

/// Says of every `d_step` that it is one, and whether the process stays inside `atomic` after it.
///
/// `./pan -d` shows one letter, and `A` for a `d_step` means either of two flags: 2, the process
/// stays inside `atomic`, or 4, this is the last step of an atomic block (`z->atom&6`). Only a
/// `d_step` keeps the second one (`D_ATOM|inherit` in SPIN's `put_sub`), and only the first one
/// decides how the search goes on (`t->atom&2`). Both stand in `pan.t`.
pub(crate) fn refine_d_steps(processes: &mut [Process], transitions: &str) {
    let Some(pattern) = SETTLED.as_ref() else { return };
    let flags: std::collections::BTreeMap<u32, u32> = pattern
        .captures_iter(transitions)
        .filter_map(|found| Some((found["id"].parse().ok()?, found["flags"].parse().ok()?)))
        .collect();
    for edge in processes.iter_mut().flat_map(|process| &mut process.edges) {
        if let Some(flags) = flags.get(&edge.id) {
            edge.atomic = flags & 2 != 0;
            edge.d_step = flags & 32 != 0;
        }
    }
}

/// Drops what only the walk over escapes of escapes printed.
fn keep_reachable(process: &mut Process) {
    let mut reached = std::collections::BTreeSet::from([process.initial]);
    let mut work = vec![process.initial];
    while let Some(state) = work.pop() {
        let targets = process.edges.iter().filter(|edge| edge.from == state).map(|edge| edge.to);
        work.extend(targets.filter(|&target| reached.insert(target)));
    }
    process.edges.retain(|edge| reached.contains(&edge.from));
    // All options were dead, and what is left of the choice cannot be taken.
    process.edges.retain(|edge| edge.to != 0 || !matches!(edge.statement.as_str(), "IF" | "DO"));
}

/// The names of the claims that SPIN made of `ltl` blocks, from what `spin -a` printed.
pub(crate) fn ltl_names(spin_output: &str) -> Vec<String> {
    let name = |line: &str| {
        let (name, _) = line.strip_prefix("ltl ")?.split_once(':')?;
        Some(name.trim().to_owned())
    };
    spin_output.lines().filter_map(name).collect()
}

fn heading(line: &str) -> Option<(Kind, String)> {
    match line {
        "init" => Some((Kind::Init, "init".to_owned())),
        "notrace assertion" => Some((Kind::Trace, "trace".to_owned())),
        "trace assertion" => Some((Kind::Notrace, "notrace".to_owned())),
        _ => {
            let named = |prefix, kind| Some((kind, line.strip_prefix(prefix)?.to_owned()));
            named("proctype ", Kind::Proctype).or_else(|| named("claim ", Kind::Never))
        }
    }
}

fn edge(line: &str) -> Option<Edge> {
    let found = EDGE.as_ref()?.captures(line)?;
    let number = |name| found.name(name)?.as_str().parse().ok();
    Some(Edge {
        from: number("from")?,
        to: number("to")?,
        id: number("id")?,
        atomic: &found["step"] == "A",
        d_step: &found["step"] == "D",
        statement: found["statement"].to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const OUTPUT: &str = "proctype P\n\
        \tstate  19 -(tr  13)-> state  17  [id   8 tp 503,2] [--e-G] /a b/x:y.pml:6 => c?y\n\
        \tstate  17 -(tr  14)-> state  19  [id  16 tp   2] [D---G] a.pml:8 => D_STEP8\n\
        \tstate  19 -(tr  16)-> state   0  [id  23 tp   3 org  24] [Aa-pL] a.pml:1 => printf(': 1 => ')\n\
        init\n\
        \tstate   1 -(tr   7)-> state   0  [id  48 tp 3500] [--e-L] a.pml:17 => -end-\n\
        claim p\n\
        \tstate   4 -(tr   1)-> state   4  [id  51 tp   2] [----L] _spin_nvr.tmp:18 => (1)\n\
        claim never_0\n\
        notrace assertion\n\
        \n\
        Transition Type: A=atomic; D=d_step; L=local; G=global\n";

    #[test]
    fn reads_headings_edges_and_flags() {
        let processes = parse(OUTPUT, &["p".to_owned()]).expect("well-formed tables");
        let headings: Vec<_> =
            processes.iter().map(|p| (p.kind, p.name.as_str(), p.initial)).collect();
        assert_eq!(
            headings,
            [
                (Kind::Proctype, "P", 19),
                (Kind::Init, "init", 1),
                (Kind::Never, "never_0", 0),
                (Kind::Trace, "trace", 0)
            ]
        );
        let edges = &processes[0].edges;
        assert_eq!((edges[0].from, edges[0].to, edges[0].id), (19, 17, 8));
        assert_eq!((edges[1].d_step, edges[1].atomic), (true, false));
        assert_eq!((edges[2].d_step, edges[2].atomic, edges[2].to), (false, true, 0));
        assert_eq!(edges[2].statement, "printf(': 1 => ')");
    }

    #[test]
    fn a_d_step_has_its_flags_from_the_transitions() {
        let mut processes = parse(OUTPUT, &[]).expect("well-formed tables");
        let mut flags = |number: u32| {
            let line = format!("trans[0][17]\t= settr(16,{number},19,14,14,\"D_STEP8\", 1, 2, 0);");
            refine_d_steps(&mut processes, &line);
            (processes[0].edges[1].d_step, processes[0].edges[1].atomic)
        };
        assert_eq!(flags(32), (true, false));
        assert_eq!(flags(32 | 2), (true, true));
        assert_eq!(flags(32 | 4), (true, false));
    }

    #[test]
    fn an_output_that_breaks_off_is_an_error() {
        assert!(parse("proctype P\n", &[]).is_err());
        assert!(parse("\tstate nonsense\nTransition Type:\n", &[]).is_err());
    }

    #[test]
    fn finds_the_names_of_formulas() {
        assert_eq!(ltl_names("ltl p: [] (x)\n  the model contains\nltl q: <> y\n"), ["p", "q"]);
    }
}

//! `pverify graph`: the control graphs of the processes, or the graph of all states.

mod states;

use crate::exit::Exit;
use crate::front_end;
use crate::nearest::nearest;
use crate::options::output::Colors;
use crate::options::reading::Reading;
use crate::options::values::{Capacity, Rename, Size};
use crate::output;
use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use pverify_report::graph::{self, Graph};

const EXAMPLES: &str = "\
Examples:
  pverify graph protocol.pml | dot -Tsvg > protocol.svg
  pverify graph protocol.pml --to json
  pverify graph protocol.pml --to aut --process Sender
  pverify graph protocol.pml --states --to aut > protocol.aut";

/// Draw the control graphs of the processes, or the graph of all states.
///
/// The control graph of a process says what it can do where.
/// Locations and edges are those of SPIN without its optimisations (spin -a -o1 -o2 -o3): a bold
/// edge keeps control, a double circle is a place where a process may rest for ever.
#[derive(Clone, Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    reading: Reading,

    /// The form of the graphs.
    #[arg(long, value_name = "FORM", default_value = "dot", help_heading = "Output")]
    to: Form,

    /// Only the process with this name.
    #[arg(long, value_name = "NAME", help_heading = "Output")]
    process: Option<String>,

    /// The graph of all reachable states instead of the control graphs.
    ///
    /// Its transitions are called by their actions, as in `--check equivalence`, and written as they
    /// are found.
    #[arg(long, conflicts_with = "process", help_heading = "Output")]
    states: bool,

    /// Actions that are seen; all others are tau, for --states.
    ///
    /// Patterns are those of `--check equivalence`. Can be given several times.
    #[arg(long, value_name = "PATTERN", requires = "states", help_heading = "States")]
    observe: Vec<String>,

    /// Actions that are tau, whatever their names, for --states.
    ///
    /// Can be given several times.
    #[arg(long, value_name = "PATTERN", requires = "states", help_heading = "States")]
    hide: Vec<String>,

    /// Give actions another name, after hiding, for --states.
    ///
    /// As for `--check equivalence`. Can be given several times; the first that fits counts.
    #[arg(long, value_name = "OLD=NEW", requires = "states", help_heading = "States")]
    rename: Vec<Rename>,

    /// Give every buffered channel this capacity, or the one with this name, for --states.
    ///
    /// The channels of .scm and .fsa files have none: without this, there may be no end of states.
    #[arg(long, value_name = "[CHANNEL=]N", requires = "states")]
    capacity: Vec<Capacity>,

    /// Use no more memory than this, for --states [default: 80 % of what is free].
    #[arg(long, value_name = "SIZE", requires = "states")]
    memory: Option<Size>,

    /// Print errors only: no warnings.
    #[arg(long, short, help_heading = "Output")]
    quiet: bool,

    #[command(flatten)]
    colors: Colors,
}

/// The form of a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Form {
    /// Graphviz
    Dot,
    /// Aldebaran; of control graphs one only
    Aut,
    /// Everything there is to know, for programs
    Json,
}

/// Draws the control graphs.
pub(crate) fn run(arguments: &Arguments) -> Result<Exit> {
    let model = front_end::read(&arguments.reading)?;
    model.show_diagnostics(arguments.quiet, arguments.colors);
    if model.has_errors() {
        return Ok(Exit::NothingVerified);
    }
    if model.machines.processes.is_empty() {
        bail!("the model has no process whose graph could be drawn");
    }
    if arguments.states {
        return states::run(arguments, &model);
    }
    let graphs = graph::graphs(&model.machines, &model.sources);
    let graphs = chosen(&graphs, arguments.process.as_deref())?;
    let text = match (arguments.to, graphs) {
        (Form::Dot, graphs) => graph::to_dot(graphs),
        (Form::Json, graphs) => graph::to_json(&arguments.reading.file, graphs),
        (Form::Aut, [graph]) => graph::to_aut(graph),
        (Form::Aut, _) => bail!(
            "an .aut file holds one graph, and the model has {}\nhelp: pick one with --process: {}",
            graphs.len(),
            names(graphs)
        ),
    };
    output::print(&text)?;
    Ok(Exit::Holds)
}

/// The graphs asked for: all, or the one of a process.
fn chosen<'a>(graphs: &'a [Graph], name: Option<&str>) -> Result<&'a [Graph]> {
    let Some(name) = name else { return Ok(graphs) };
    if let Some(at) = graphs.iter().position(|graph| graph.name == name) {
        return Ok(&graphs[at..=at]);
    }
    match nearest(name, graphs.iter().map(|graph| graph.name.as_str())) {
        Some(near) => bail!("there is no process `{name}`\nhelp: did you mean `{near}`?"),
        None => bail!("there is no process `{name}`\nhelp: the model has {}", names(graphs)),
    }
}

fn names(graphs: &[Graph]) -> String {
    let names: Vec<_> = graphs.iter().map(|graph| graph.name.as_str()).collect();
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(name: Option<&str>, expected: Result<&[&str], &str>) {
        let graph = |name: &str| Graph { name: name.into(), ..Graph::default() };
        let graphs = [graph("Sender"), graph("Receiver")];
        let found: Result<Vec<_>, _> = chosen(&graphs, name)
            .map(|graphs| graphs.iter().map(|graph| graph.name.as_str()).collect())
            .map_err(|error| error.to_string());
        assert_eq!(found, expected.map(<[&str]>::to_vec).map_err(str::to_owned));
    }

    #[test]
    fn a_process_is_chosen_by_name() {
        check(None, Ok(&["Sender", "Receiver"]));
        check(Some("Receiver"), Ok(&["Receiver"]));
        check(Some("sender"), Err("there is no process `sender`\nhelp: did you mean `Sender`?"));
        check(
            Some("Channel"),
            Err("there is no process `Channel`\nhelp: the model has Sender, Receiver"),
        );
    }
}

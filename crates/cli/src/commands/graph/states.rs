//! `pverify graph --states`: the graph of all states, written as it is found.

use super::{Arguments, Form};
use crate::commands::channels;
use crate::exit::Exit;
use crate::front_end::Model;
use crate::memory;
use crate::options::channels::Room;
use crate::output::{self, Sink};
use anyhow::{Result, bail};
use pverify_checks::equivalence::side::Side;
use pverify_checks::equivalence::view::{Wish, views};
use pverify_checks::state_graph::{StateGraph, Stopped};
use pverify_report::state_graph::Form as Written;
use pverify_semantics::Engine;
use pverify_semantics::action::names::Names;

/// Writes the graph.
pub(super) fn run(arguments: &Arguments, model: &Model) -> Result<Exit> {
    let room = Room { capacity: arguments.capacity.clone(), lossy: Vec::new() };
    let machines = channels::prepared(&room, &model.machines)?;
    let engine = Engine::new(&machines);
    if let Some(fault) = engine.initial_faults.first() {
        output::error(&anyhow::anyhow!("the model has no initial state: {fault}"));
        return Ok(Exit::Inconclusive);
    }
    let rename = arguments.rename.iter().map(|one| (one.from.clone(), one.to.clone())).collect();
    let (observe, hide) = (arguments.observe.clone(), arguments.hide.clone());
    let view = match views([Names::new(&machines)], &Wish { observe, hide, rename }) {
        Ok([view]) => view,
        Err(error) => bail!("{}\nhelp: {}", error.message, error.help),
    };
    let side = Side::new(engine, view);
    let memory = memory::for_search(arguments.memory.as_ref().map(|size| size.0), 1);
    let mut graph = StateGraph::new(side, memory);
    let form = match arguments.to {
        Form::Aut => Written::Aut,
        Form::Dot => Written::Dot,
        Form::Json => Written::Json,
    };
    let mut transitions = 0;
    if form == Written::Aut {
        // Its first line says how many states and transitions there are: they are looked at twice.
        let counted = graph.each(|_| {
            transitions += 1;
            true
        });
        if let Err(why) = counted {
            return Ok(stopped(&why));
        }
    }
    let mut sink = Sink::new();
    sink.write(&form.begin(&arguments.reading.file, (transitions, graph.states())))?;
    let mut number = 0;
    let mut problem = None;
    let shown = graph.each(|one| {
        let text = form.transition(number, one.from, one.label, one.to);
        number += 1;
        match sink.write(&text) {
            Ok(()) => !sink.is_closed(),
            Err(error) => {
                problem = Some(error);
                false
            }
        }
    });
    if let Some(problem) = problem {
        return Err(problem);
    }
    match shown {
        Ok(()) => {
            sink.write(&form.end(graph.states()))?;
            sink.finish()?;
            Ok(Exit::Holds)
        }
        Err(Stopped::Enough) => Ok(Exit::Holds),
        Err(why) => {
            sink.finish()?;
            Ok(stopped(&why))
        }
    }
}

fn stopped(why: &Stopped) -> Exit {
    let why = match why {
        Stopped::Memory => "there is no memory for more states\nhelp: give a larger --memory, or \
                            --capacity for channels without one"
            .to_owned(),
        Stopped::Fault(fault) => format!(
            "a step goes wrong ({fault}), and what comes after it is not known\nhelp: see --check \
             safety"
        ),
        Stopped::Enough => return Exit::Holds,
    };
    output::error(&anyhow::anyhow!("the graph is not complete: {why}"));
    Exit::Inconclusive
}

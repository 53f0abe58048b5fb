//! `pverify replay`: a saved counterexample, step by step.

use super::channels;
use crate::charts::{self, Wish};
use crate::exit::Exit;
use crate::files;
use crate::front_end::{self, Model};
use crate::options::channels::Room;
use crate::options::charts::Charts;
use crate::options::output::{Format, Output};
use crate::options::reading::Reading;
use crate::output;
use anyhow::{Result, bail};
use clap::Args;
use pverify_report::chart::Run as Drawn;
use pverify_report::json::Replayed;
use pverify_report::trace::{Story, tell};
use pverify_report::trace_file::{TraceFile, fingerprint};
use pverify_report::trail;
use pverify_semantics::Engine;
use pverify_semantics::fault::FaultKind;
use pverify_verdict::cycle::is_at_rest;
use pverify_verdict::{Lost, Move, Run, TraceStep, follow, follow_merged};

const EXAMPLES: &str = "\
Examples:
  pverify protocol.pml --trace failure.trace
  pverify replay protocol.pml failure.trace
  pverify replay protocol.pml protocol.pml.trail";

/// Show a saved counterexample again, step by step.
#[derive(Clone, Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    reading: Reading,

    /// The counterexample: a file of --trace, or a trail of SPIN's or of --trail.
    #[arg(value_name = "TRACE")]
    trace: String,

    #[command(flatten)]
    room: Room,

    #[command(flatten)]
    output: Output,

    #[command(flatten)]
    charts: Charts,
}

/// Does the steps of the file again, and shows them.
pub(crate) fn run(arguments: &Arguments) -> Result<Exit> {
    arguments.output.refuse_junit()?;
    charts::prepare(&arguments.charts, &[&arguments.reading.file, &arguments.trace])?;
    let saved = read(&arguments.trace)?;
    let mut model = front_end::read(&arguments.reading)?;
    model.show_diagnostics(arguments.output.quiet, arguments.output.colors);
    if model.has_errors() {
        return Ok(Exit::NothingVerified);
    }
    saved.belongs_to(&model, &arguments.trace)?;
    model.machines = channels::prepared(&arguments.room, &model.machines)?;
    let mut engine = Engine::new(&model.machines);
    if let Some(fault) = engine.initial_faults.first() {
        bail!("the model has no initial state: {fault}");
    }
    let follow = if saved.merged { follow_merged } else { follow };
    let run = follow(&mut engine, &saved.moves)
        .map_err(|lost| anyhow::anyhow!(foreign(&arguments.trace, &saved, &lost)))?;
    let property = saved.fault.as_deref().and_then(FaultKind::property_named);
    if let Some(from) = saved.cycle_from
        && !closes(&mut engine, &run, from)
    {
        bail!(
            "the steps of `{}` are possible, but those that it repeats are no cycle\n\
             help: it was saved by pverify {}; check the model again",
            arguments.trace,
            saved.version
        );
    }
    // A circle inside an atomic block is one of steps, which close as was just seen.
    let circle = FaultKind::AtomicCycle;
    let circle =
        saved.cycle_from.filter(|_| saved.fault.as_deref() == Some(circle.name())).map(|_| circle);
    let ends_in = property.as_ref().or(circle.as_ref());
    let fault = ends_in.or_else(|| fault(&run, saved.fault.as_deref()));
    if saved.moves.is_empty() && fault.is_none() {
        // A trail without steps is what SPIN writes for a fault of the initial state.
        bail!(
            "`{}` has no steps, and nothing is wrong in the initial state\n\
             help: it may have been cut off; save it again",
            arguments.trace
        );
    }
    if let Some(name) = &saved.fault
        && fault.is_none_or(|fault| fault.name() != name)
    {
        bail!(
            "the steps of `{}` are possible, but do not end in the fault it names ({name})\n\
             help: it was saved by pverify {}; check the model again",
            arguments.trace,
            saved.version
        );
    }
    let told = tell(&engine, &model.sources, &run.initial, &run.steps, fault);
    let story = Story { cycle_from: saved.cycle_from, ..told };
    let title = format!("{} with {}", arguments.reading.file, arguments.trace);
    let drawn = Drawn {
        initial: &run.initial,
        steps: &run.steps,
        fault,
        cycle_from: saved.cycle_from.map(|from| row(&run.steps, from)),
        left_out: 0,
    };
    let wish = Wish::new(&arguments.charts, &arguments.output);
    let file = &arguments.reading.file;
    let drawing = wish.run(&arguments.charts, (&mut engine, &model, file), &drawn, title);
    if arguments.output.format == Format::Json {
        let replayed = Replayed {
            version: env!("CARGO_PKG_VERSION"),
            file: &arguments.reading.file,
            trace_file: &arguments.trace,
            story: &story,
        };
        output::print(&replayed.to_json())?;
    } else {
        let mut text = drawing + &story.to_text();
        if fault.is_none() {
            text += "       the trail ends here; nothing is wrong
";
        }
        text += &story.end_to_text();
        output::print(&text)?;
    }
    Ok(Exit::Holds)
}

/// What a file says, whatever its form.
struct Saved {
    moves: Vec<Move>,
    /// The kind of fault, where the file names it.
    fault: Option<String>,
    /// The version of pverify that wrote it, where the file names it.
    version: String,
    /// Whether its statements are merged.
    merged: bool,
    /// Whether it is of a model with a claim.
    claim: bool,
    /// The model it is of, where the file names it: its file and fingerprint.
    model: Option<(String, String)>,
    cycle_from: Option<usize>,
}

/// Reads a counterexample in our form or SPIN's.
fn read(path: &str) -> Result<Saved> {
    let text = files::read_trace(path)?;
    if !text.trim_start().starts_with(['{', '[']) {
        let help = "help: give a file that --trace or --trail saved, or a .trail of SPIN's";
        let read = trail::parse(&text);
        let trail = read.map_err(|why| anyhow::anyhow!("`{path}` is no trace: {why}\n{help}"))?;
        return Ok(Saved {
            moves: trail.moves,
            fault: None,
            version: String::new(),
            merged: trail.merged,
            claim: trail.claim,
            model: None,
            cycle_from: None,
        });
    }
    let file = TraceFile::parse(&text).map_err(|why| {
        anyhow::anyhow!("`{path}` is no trace: {why}\nhelp: save it again with --trace")
    })?;
    Ok(Saved {
        moves: file.moves,
        fault: Some(file.fault),
        version: file.version,
        merged: false,
        claim: false,
        model: Some((file.file, file.model)),
        cycle_from: file.cycle_from,
    })
}

impl Saved {
    /// Refuses what is of another model.
    fn belongs_to(&self, model: &Model, path: &str) -> Result<()> {
        if self.claim && trail::claim(&model.machines).is_none() {
            bail!(
                "`{path}` does not belong to this model: it is of one with a claim or a formula\n\
                 help: give the model that it was made from"
            );
        }
        if let Some((file, print)) = &self.model
            && *print != fingerprint(&model.program)
        {
            bail!(
                "`{path}` does not belong to this model: it was saved for `{file}` as that was \
                 then\nhelp: give the same model with the same -D, or check it again with --trace"
            );
        }
        Ok(())
    }
}

/// The step that begins with a move; a rendezvous is two moves.
fn row(steps: &[TraceStep], mut wanted: usize) -> usize {
    for (at, step) in steps.iter().enumerate() {
        match wanted.checked_sub(step.steps.len()) {
            Some(rest) => wanted = rest,
            None => return at,
        }
    }
    steps.len()
}

/// Whether the moves from one on lead back to where they begin; without any, whether the last state
/// is one where nothing can move.
fn closes(engine: &mut Engine<'_>, run: &Run, from: usize) -> bool {
    let mut begin = &run.initial;
    let mut moves = 0;
    for step in &run.steps {
        if moves >= from {
            break;
        }
        moves += step.steps.len();
        begin = &step.state;
    }
    let end = run.steps.last().map_or(&run.initial, |step| &step.state);
    let all = run.steps.iter().map(|step| step.steps.len()).sum::<usize>();
    begin == end && (from < all || is_at_rest(engine, end))
}

/// The fault at the end: the one that the file names, or else the first.
fn fault<'r>(run: &'r Run, named: Option<&str>) -> Option<&'r FaultKind> {
    let is_named = |fault: &&FaultKind| named.is_none_or(|name| fault.name() == name);
    run.faults.iter().find(is_named)
}

fn foreign(path: &str, saved: &Saved, lost: &Lost) -> String {
    let Lost { number, wanted: Move { pid, edge } } = lost;
    let mut text = format!(
        "`{path}` does not fit the model: its step {number}, statement {edge} of process {pid}, is \
         not possible there"
    );
    text += if saved.merged {
        "\nhelp: its statements are merged; make SPIN's verifier with `spin -a -o3` and try again"
    } else {
        "\nhelp: give the model that it was made from, with the same -D, --lossy and --capacity"
    };
    text
}

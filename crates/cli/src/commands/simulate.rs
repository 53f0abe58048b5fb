//! `pverify simulate`: one run of a model.

mod choosing;

use crate::charts::{self, Wish};
use crate::exit::Exit;
use crate::front_end::{self, Model};
use crate::options::charts::Charts;
use crate::options::output::{Format, Output};
use crate::options::reading::Reading;
use crate::output;
use anyhow::{Result, bail};
use choosing::{Chooser, Chosen, Person, Random};
use clap::Args;
use pverify_report::chart::Run;
use pverify_report::json::Simulated;
use pverify_report::trace::{Teller, tell, untaken};
use pverify_semantics::Engine;
use pverify_semantics::fault::FaultKind;
use pverify_verdict::{Position, TraceStep};

const EXAMPLES: &str = "\
Examples:
  pverify simulate protocol.pml --seed 7 --steps 100
  pverify simulate protocol.pml --interactive";

/// Show one run of a model: random, or you pick each step.
#[derive(Clone, Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    reading: Reading,

    /// The seed of the random choices; the same seed gives the same run.
    #[arg(long, value_name = "N", help_heading = "Run")]
    seed: Option<u64>,

    /// Stop after this many steps.
    #[arg(long, value_name = "N", default_value = "1000", help_heading = "Run")]
    steps: usize,

    /// Ask which step to take whenever there is a choice.
    #[arg(long, short, conflicts_with = "seed", help_heading = "Run")]
    interactive: bool,

    #[command(flatten)]
    output: Output,

    #[command(flatten)]
    charts: Charts,
}

/// Runs the model and shows each step as it is taken; status 1 if something goes wrong in it.
pub(crate) fn run(arguments: &Arguments) -> Result<Exit> {
    arguments.output.refuse_junit()?;
    let json = arguments.output.format == Format::Json;
    if arguments.interactive && json {
        bail!("--interactive talks to a person\nhelp: leave out --format json");
    }
    if arguments.interactive && arguments.reading.file == "-" {
        bail!(
            "standard input cannot be both the model and your choices\nhelp: give the model as a \
             file"
        );
    }
    charts::prepare(&arguments.charts, &[&arguments.reading.file])?;
    let model = front_end::read(&arguments.reading)?;
    model.show_diagnostics(arguments.output.quiet, arguments.output.colors);
    if model.has_errors() {
        return Ok(Exit::NothingVerified);
    }
    let mut engine = Engine::new(&model.machines);
    if let Some(fault) = engine.initial_faults.first() {
        bail!("the model has no initial state: {fault}");
    }
    let seed = arguments.seed.unwrap_or_else(|| u64::from(rand::random::<u32>()));
    let shown = !json && !arguments.output.quiet;
    let mut simulation = Simulation::new(&mut engine, &model, arguments.steps, shown);
    let ending = if arguments.interactive {
        simulation.go(&mut Person::new(std::io::stdin().lock()))?
    } else {
        if !json {
            output::print(&format!("seed {seed}\n"))?;
        }
        simulation.go(&mut Random::new(seed))?
    };
    let steps = simulation.steps;
    let story = tell(&engine, &model.sources, engine.initial(), &steps, ending.fault());
    let initial = engine.initial().to_vec();
    let fault = ending.fault();
    let run = Run { initial: &initial, steps: &steps, fault, cycle_from: None, left_out: 0 };
    let wish = Wish::new(&arguments.charts, &arguments.output).on_demand();
    let title = format!("{}, seed {seed}", arguments.reading.file);
    let file = &arguments.reading.file;
    let drawing = wish.run(&arguments.charts, (&mut engine, &model, file), &run, title);
    let ended = ending.to_string();
    if json {
        let (version, file) = (env!("CARGO_PKG_VERSION"), arguments.reading.file.as_str());
        let simulated = Simulated { version, file, seed, ended: &ended, story: &story };
        output::print(&simulated.to_json())?;
    } else {
        let mut text = format!("       {ended}\n");
        for line in &story.waiting {
            text += &format!("       {line}\n");
        }
        output::print(&(text + &drawing + &story.end_to_text()))?;
    }
    Ok(if ending.fault().is_some() { Exit::Violated } else { Exit::Holds })
}

/// Why a run stops.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Ending {
    /// Something goes wrong.
    Fault(FaultKind),
    /// No process is left.
    Ended,
    /// Nothing can move, and need not.
    Rest,
    /// As many steps as were asked for.
    Steps(usize),
    /// The person has seen enough.
    Quit,
    /// The person is gone.
    EndOfInput,
}

impl Ending {
    fn fault(&self) -> Option<&FaultKind> {
        if let Self::Fault(fault) = self { Some(fault) } else { None }
    }
}

impl std::fmt::Display for Ending {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Fault(fault) => write!(f, "{fault}"),
            Self::Ended => f.write_str("every process has ended"),
            Self::Rest => f.write_str("nothing can move; every process is where it may rest"),
            Self::Steps(1) => f.write_str("stopped after 1 step; --steps allows more"),
            Self::Steps(most) => write!(f, "stopped after {most} steps; --steps allows more"),
            Self::Quit => f.write_str("stopped by you"),
            Self::EndOfInput => f.write_str("stopped: the input has ended"),
        }
    }
}

/// A run in the making.
struct Simulation<'a, 'm> {
    engine: &'a mut Engine<'m>,
    model: &'a Model,
    most: usize,
    shown: bool,
    position: Position,
    teller: Teller,
    steps: Vec<TraceStep>,
}

impl<'a, 'm> Simulation<'a, 'm> {
    fn new(engine: &'a mut Engine<'m>, model: &'a Model, most: usize, shown: bool) -> Self {
        let position = Position::initial(engine);
        let teller = Teller::new(engine, &position.state);
        Self { engine, model, most, shown, position, teller, steps: Vec::new() }
    }

    /// Takes steps until there is a reason to stop.
    fn go(&mut self, chooser: &mut dyn Chooser) -> Result<Ending> {
        let mut told = 0;
        loop {
            let mut choices = self.position.choices(self.engine);
            if choices.is_empty() {
                return Ok(self.at_rest());
            }
            if told >= self.most {
                return Ok(Ending::Steps(told));
            }
            let options: Vec<_> = choices
                .iter()
                .map(|choice| untaken(self.engine, &self.model.sources, &choice.steps))
                .collect();
            let choice = match chooser.choose(&options)? {
                Chosen::Step(at) => choices.swap_remove(at),
                Chosen::Quit => return Ok(Ending::Quit),
                Chosen::EndOfInput => return Ok(Ending::EndOfInput),
            };
            let (step, faults) = self.position.advance(choice);
            for line in self.teller.step(self.engine, &self.model.sources, &step) {
                told += 1;
                if self.shown {
                    output::print(&line.to_text(told))?;
                }
            }
            self.steps.push(step);
            if let Some(fault) = faults.into_iter().next() {
                return Ok(Ending::Fault(fault));
            }
        }
    }

    /// What it means that nothing can move.
    fn at_rest(&self) -> Ending {
        if self.engine.process(&self.position.state, 0).is_none() {
            Ending::Ended
        } else if self.engine.may_rest(&self.position.state) {
            Ending::Rest
        } else {
            Ending::Fault(FaultKind::InvalidEndState)
        }
    }
}

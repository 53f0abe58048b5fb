//! `pverify test`: whether models answer as their heads say.

use super::channels;
use super::check::infinite::{self, Question};
use super::check::{self, Checked};
use super::verify::{self, Kind};
use crate::exit::Exit;
use crate::files;
use crate::front_end::{self, Model};
use crate::interrupt::Interrupt;
use crate::options::charts::When;
use crate::options::limits::Limits;
use crate::options::output::{Format, Output};
use crate::options::search::Fairness;
use crate::output;
use anyhow::{Result, bail};
use clap::Args;
use pverify_report::answers::Answered;
use pverify_report::expectations::{Tested, Tests};
use pverify_verdict::expected::{self, Answer, Check, Expectation};
use std::time::Instant;

const EXAMPLES: &str = "\
What a model promises stands in the comment that it begins with:
  /* Two processes in turn.
   *
   * expect: safety holds
   * expect: safety violated assertion deadlock states=19 transitions=30
   * expect: ltl:enters holds fairness=weak
   */

Exit status:
  0  everything is as expected
  1  something is not as expected, or not known
  2  bad usage, nothing to test, or a head that cannot be understood: nothing was tested";

/// Test whether models answer as their heads say.
#[derive(Clone, Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Models, and folders of models (.pml, .prom, .pm), with all folders in them.
    #[arg(value_name = "DIR|FILE", required = true)]
    paths: Vec<String>,

    #[command(flatten)]
    limits: Limits,

    #[command(flatten)]
    output: Output,
}

/// Compares every promise of every model with what is found.
pub(crate) fn run(arguments: &Arguments) -> Result<Exit> {
    arguments.output.refuse_sarif()?;
    let models = read_heads(&arguments.paths)?;
    let (promising, silent): (Vec<_>, Vec<_>) =
        models.into_iter().partition(|(_, promises)| !promises.is_empty());
    let silent: Vec<String> = silent.into_iter().map(|(file, _)| file).collect();
    if promising.is_empty() {
        bail!(
            "no model says what to expect\nhelp: begin it with a comment that has lines such as \
             ` * expect: safety holds`; see `pverify test --help`"
        );
    }
    let interrupt = Interrupt::listen();
    let mut tested = Vec::new();
    for (file, promises) in promising {
        tested.extend(test(arguments, &file, promises, &interrupt)?);
    }
    drop(interrupt);
    let tests = Tests { version: env!("CARGO_PKG_VERSION"), tested: &tested, silent: &silent };
    output::print(&match arguments.output.format {
        Format::Text => tests.to_text(arguments.output.quiet),
        Format::Json | Format::Sarif => tests.to_json(),
        Format::Junit => tests.to_junit(),
    })?;
    Ok(if tests.broken() == 0 { Exit::Holds } else { Exit::Violated })
}

/// The promises of every model, before anything is searched; a file that is named must have some.
fn read_heads(paths: &[String]) -> Result<Vec<(String, Vec<Expectation>)>> {
    let mut models: Vec<(String, Vec<Expectation>)> = Vec::new();
    let mut mistakes = Vec::new();
    for path in paths {
        if path == "-" {
            bail!("a model that is to be tested is a file\nhelp: give its name instead of `-`");
        }
        let folder = std::path::Path::new(path).is_dir();
        let files = if folder { files::models_below(path)? } else { vec![path.clone()] };
        for file in files {
            if models.iter().any(|(known, _)| *known == file) {
                continue;
            }
            let promises = match expected::read(&files::read_text(&file)?) {
                Ok(promises) => promises,
                Err(mistake) => {
                    mistakes.push(format!("{file}: {mistake}"));
                    continue;
                }
            };
            if promises.is_empty() && !folder {
                bail!(
                    "{file} does not say what to expect\nhelp: begin it with a comment that has \
                     lines such as ` * expect: safety holds`"
                );
            }
            models.push((file, promises));
        }
    }
    if !mistakes.is_empty() {
        bail!(
            "{}\nhelp: `pverify test --help` shows how promises are written",
            mistakes.join("\npverify: ")
        );
    }
    Ok(models)
}

/// Tests all promises of a model.
fn test(
    arguments: &Arguments,
    file: &str,
    promises: Vec<Expectation>,
    interrupt: &Interrupt,
) -> Result<Vec<Tested>> {
    let mut asked = verify::Arguments::of_file(file)?;
    asked.limits = arguments.limits.clone();
    asked.output = arguments.output;
    asked.charts.chart = When::Never;
    let mut model = front_end::read(&asked.reading)?;
    let readable = !model.has_errors();
    if readable {
        model.machines = channels::prepared(&asked.channels.room, &model.machines)?;
    } else {
        model.show_diagnostics(true, arguments.output.colors);
    }
    let mut all = Vec::new();
    for expectation in promises {
        let started = Instant::now();
        let mut answers = Vec::new();
        let got = if readable {
            let mut search = Search { arguments: asked.clone(), model: &model, interrupt };
            search.answer(&expectation, &mut answers)?
        } else {
            Err("the model has errors".to_owned())
        };
        let seconds = started.elapsed().as_secs_f64();
        all.push(Tested { file: file.to_owned(), expectation, got, answers, seconds });
    }
    Ok(all)
}

/// What is found, or why it is not known.
type Found = Result<Answer, String>;

/// The searches for one promise.
struct Search<'a> {
    arguments: verify::Arguments,
    model: &'a Model,
    interrupt: &'a Interrupt,
}

impl Search<'_> {
    /// Asks the model; `answers` gets what the searches say.
    fn answer(&mut self, asked: &Expectation, answers: &mut Vec<Answered>) -> Result<Found> {
        let fairness = if asked.fair { Fairness::Weak } else { Fairness::None };
        self.arguments.search.fairness = fairness;
        let kind = match &asked.check {
            Check::Safety => return self.safety(asked, answers),
            Check::Deadlock => {
                let violated = self.violated(Kind::Deadlock, answers)?;
                return Ok(violated.map(|violated| Answer { violated, ..Answer::default() }));
            }
            Check::Never => (Kind::Never, None),
            Check::Ltl(name) => (Kind::Ltl, Some(name.as_str())),
            Check::Accept => (Kind::Accept, None),
            Check::Progress => (Kind::Progress, None),
        };
        Ok(match infinite::questions(self.model, kind.0, kind.1).as_slice() {
            [question] => self.runs(*question, answers),
            [] => Err("the model has no such property".to_owned()),
            _ => Err("the model has several such properties".to_owned()),
        })
    }

    /// A question about infinite runs.
    fn runs(&self, question: Question, answers: &mut Vec<Answered>) -> Found {
        let checked = infinite::infinite(&self.arguments, self.model, question, self.interrupt);
        let violated = verdict(checked, answers)?;
        Ok(Answer { violated, ..Answer::default() })
    }

    /// A search names the first fault only, so there is one for each half of safety where something
    /// is wrong; counts are those of a search that goes on after it.
    fn safety(&mut self, asked: &Expectation, answers: &mut Vec<Answered>) -> Result<Found> {
        let counted = asked.answer.size.is_some();
        self.arguments.search.all_errors = counted;
        let violated = match self.violated(Kind::Safety, answers)? {
            Ok(violated) => violated,
            Err(why) => return Ok(Err(why)),
        };
        let Some(first) = answers.last() else { return Ok(Err("there is no answer".into())) };
        if counted && (!first.complete || first.replacements > 0) {
            let why = first.reason.as_deref().unwrap_or("states were visited more than once");
            return Ok(Err(format!("states cannot be counted: {why}")));
        }
        let size = counted.then_some((first.states, first.transitions));
        let mut kinds: Vec<String> = first.fault.map(expected::kind).into_iter().collect();
        self.arguments.search.all_errors = false;
        if violated {
            let deadlock = kinds.iter().any(|kind| kind == "deadlock");
            let other = if deadlock { Kind::Assert } else { Kind::Deadlock };
            match self.violated(other, answers)? {
                Ok(false) => {}
                Ok(true) => {
                    let fault = answers.last().and_then(|answer| answer.fault);
                    kinds.extend(fault.map(expected::kind));
                }
                Err(why) => return Ok(Err(why)),
            }
        }
        kinds.sort();
        Ok(Ok(Answer { violated, kinds, size }))
    }

    /// A search of safety, or of a half of it.
    fn violated(&self, kind: Kind, answers: &mut Vec<Answered>) -> Result<Result<bool, String>> {
        let checked = check::safety(&self.arguments, self.model, kind, self.interrupt)?;
        Ok(verdict(checked, answers))
    }
}

/// Whether something is wrong, or why that is not known.
fn verdict(checked: Checked, answers: &mut Vec<Answered>) -> Result<bool, String> {
    let answer = checked.answer;
    let verdict = match answer.verdict {
        "holds" => Ok(false),
        "violated" => Ok(true),
        _ => Err(answer.reason.clone().unwrap_or_else(|| "inconclusive".to_owned())),
    };
    answers.push(answer);
    verdict
}

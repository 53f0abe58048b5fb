//! `cargo xtask bench`: speed and memory side by side with SPIN, on the same raw state spaces.
//!
//! In one run, alternating: `pan` made with `gcc -O3 -DNOREDUCE -DSAFETY` of the raw model, and
//! pverify without reduction, on one thread unless told otherwise. Speed is transitions per CPU
//! second (user and system) of the whole search; times of another day or machine are never
//! compared. Of several rounds the fastest counts, on both sides: noise only ever adds.
//!
//! `--ltl` measures the search for cycles instead (`cycles`), `--channels` that for channels that
//! grow (`channels`).

mod beside;
mod channels;
mod cycles;
mod table;

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, bail};
use clap::Args;

use crate::agree::answer;
use crate::agree::figures::{self, Figures};
use crate::agree::pan::{self, Compiler};
use crate::agree::process::Cost;
use crate::agree::pverify::Pverify;
use crate::agree::spin::{self, Opinion};
use crate::agree::{Corpus, DEFAULT_FOLDER, Model};

/// What to measure.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The folder with models.tsv and perf.tsv
    #[arg(long, value_name = "DIR", default_value = DEFAULT_FOLDER)]
    corpus: PathBuf,
    /// A table whose first column names the models; perf.tsv of the corpus unless told
    #[arg(long, value_name = "FILE")]
    models: Option<PathBuf>,
    /// Only models whose path contains this text
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
    /// The pverify to measure; without it the release binary is built first
    #[arg(long, value_name = "PATH")]
    pverify: Option<PathBuf>,
    /// How many threads pverify uses; with more than one it is measured with one too
    #[arg(long, value_name = "N", default_value_t = 1)]
    threads: usize,
    /// Compare bytes a state with SPIN's -DCOLLAPSE too
    #[arg(long)]
    collapse: bool,
    /// Measure the search for accepting cycles, beside `pan -a` and plain reachability
    #[arg(long, conflicts_with = "collapse")]
    ltl: bool,
    /// Measure the search for channels that grow, beside plain reachability
    #[arg(long, conflicts_with_all = ["collapse", "ltl"])]
    channels: bool,
    /// How often each is measured
    #[arg(long, value_name = "N", default_value_t = 1)]
    rounds: usize,
    /// Give up on a search after this time
    #[arg(long, value_name = "S", default_value_t = 600)]
    limit_seconds: u64,
    /// Also write the table as Markdown, with date and machine
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
}

/// One side's search of one model.
#[derive(Clone, Debug)]
pub(crate) struct Search {
    pub(crate) figures: Figures,
    pub(crate) cost: Cost,
    /// From the text of the model to the verdict, compiling included.
    pub(crate) wall: Duration,
    pub(crate) state_bytes: Option<u64>,
}

/// Both sides of one model; the words of the one that failed otherwise.
pub(crate) struct Row {
    pub(crate) name: String,
    pub(crate) spin: Result<Search, String>,
    pub(crate) ours: Result<Search, String>,
    /// SPIN with its compression, if asked for.
    pub(crate) collapsed: Option<Result<Search, String>>,
    /// pverify on one thread, if it was measured on several.
    pub(crate) alone: Option<Result<Search, String>>,
}

/// Measures, prints the table, and fails if the two did not do the same work.
pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    if arguments.channels {
        let pverify = Pverify::find(arguments.pverify.as_deref())?;
        return publish(arguments, &channels::run(arguments, &pverify)?);
    }
    if !spin::installed() {
        println!("skipped: spin is not installed (Debian: apt install spin gcc)");
        return Ok(());
    }
    let models = models(arguments)?;
    let pverify = Pverify::find(arguments.pverify.as_deref())?;
    if arguments.ltl {
        let text = cycles::run(arguments, &models, &pverify)?;
        return publish(arguments, &text);
    }
    let mut rows = Vec::new();
    for model in &models {
        eprintln!("  {}", model.name);
        rows.push(measure(arguments, model, &pverify)?);
    }
    let mut text = table::write(&rows, arguments.threads);
    if arguments.collapse {
        text += &beside::collapse(&rows);
    }
    if arguments.threads > 1 {
        text += &beside::threads(&rows, arguments.threads);
    }
    publish(arguments, &text)?;
    let unequal = rows.iter().filter(|row| row.difference().is_some()).count();
    if unequal > 0 {
        bail!("{unequal} of {} models were not searched alike: no comparison", rows.len());
    }
    Ok(())
}

/// Prints a table, and writes it where it is kept.
fn publish(arguments: &Arguments, text: &str) -> anyhow::Result<()> {
    print!("{text}");
    if let Some(file) = &arguments.record {
        if let Some(folder) = file.parent() {
            std::fs::create_dir_all(folder)?;
        }
        std::fs::write(file, format!("{}\n{text}", table::heading()))?;
        println!("written to {}", file.display());
    }
    Ok(())
}

impl Row {
    /// Why the speeds cannot be compared, if they cannot.
    pub(crate) fn difference(&self) -> Option<String> {
        match (&self.spin, &self.ours) {
            (Ok(spin), _) if !spin.figures.counts_mean_something() => {
                Some("SPIN did not finish".to_owned())
            }
            (Ok(spin), Ok(ours)) => figures::difference(&spin.figures, &ours.figures)
                .map(|what| format!("{what} ({} / {})", spin.figures, ours.figures)),
            (Err(why), _) => Some(format!("SPIN: {why}")),
            (_, Err(why)) => Some(format!("pverify {why}")),
        }
    }
}

/// The models that the table names, in its order.
fn models(arguments: &Arguments) -> anyhow::Result<Vec<Model>> {
    let table = arguments.models.clone().unwrap_or_else(|| arguments.corpus.join("perf.tsv"));
    let text = std::fs::read_to_string(&table)
        .with_context(|| format!("cannot read {} (choose with --models)", table.display()))?;
    let corpus = Corpus::read(&arguments.corpus, arguments.only.as_deref())?;
    let wanted = |name: &str| arguments.only.as_deref().is_none_or(|part| name.contains(part));
    let mut models = Vec::new();
    for name in names(&text).filter(|name| wanted(name)) {
        let model = corpus.models.iter().find(|model| model.name == name);
        models.push(model.with_context(|| format!("{name} is not in the corpus"))?.clone());
    }
    if models.is_empty() {
        bail!("no model of {} matches", table.display());
    }
    Ok(models)
}

/// The first column, with or without a heading.
fn names(text: &str) -> impl Iterator<Item = &str> {
    text.lines()
        .filter_map(|line| line.split('\t').next())
        .filter(|name| !name.is_empty() && *name != "model" && !name.starts_with('#'))
}

fn measure(arguments: &Arguments, model: &Model, pverify: &Pverify) -> anyhow::Result<Row> {
    let limit = Duration::from_secs(arguments.limit_seconds);
    let directory = tempfile::tempdir()?;
    let compiler = Compiler::Gcc { level: "-O3" };
    let prepare = |directory: &Path, defines: &[&str]| {
        let built = pan::build(directory, &model.file, &model.flags, compiler, defines)?;
        anyhow::Ok(match built {
            Ok(built) => fitting_options(directory, limit).map(|options| (built, options)),
            Err(Opinion::Rejects { by, message }) => Err(format!("{by}: {message}")),
            Err(_) => Err("not built".to_owned()),
        })
    };
    let prepared = prepare(directory.path(), &["-DMEMLIM=16000"])?;
    let threads = arguments.threads.to_string();
    let options = |threads: &str| -> Vec<String> {
        let words = answer::RAW.iter().enumerate();
        words.map(|(at, word)| if at == 5 { threads } else { *word }.to_owned()).collect()
    };
    let ask = |threads: &str| {
        let options = options(threads);
        let options: Vec<&str> = options.iter().map(String::as_str).collect();
        let answer =
            answer::ask(pverify, directory.path(), &model.file, &model.flags, &options, limit)?;
        anyhow::Ok(answer.map(|answer| Search {
            figures: answer.figures,
            cost: answer.cost,
            wall: answer.cost.wall,
            state_bytes: answer.state_bytes,
        }))
    };
    let mut row = Row {
        name: model.name.clone(),
        spin: Err("not asked".to_owned()),
        ours: Err("not asked".to_owned()),
        collapsed: None,
        alone: None,
    };
    for _ in 0..arguments.rounds.max(1) {
        let spin = prepared
            .clone()
            .and_then(|(built, options)| search_spin(directory.path(), built, &options, limit));
        row.spin = faster(row.spin, spin);
        if arguments.threads > 1 {
            let alone = ask("1")?;
            row.alone = Some(match row.alone.take() {
                Some(before) => sooner(before, alone),
                None => alone,
            });
        }
        let ours = ask(&threads)?;
        row.ours =
            if arguments.threads > 1 { sooner(row.ours, ours) } else { faster(row.ours, ours) };
    }
    if arguments.collapse {
        // Memory is the same each time: once is enough.
        let directory = tempfile::tempdir()?;
        let prepared = prepare(directory.path(), &["-DMEMLIM=16000", "-DCOLLAPSE"])?;
        row.collapsed =
            Some(prepared.and_then(|(built, options)| {
                search_spin(directory.path(), built, &options, limit)
            }));
    }
    Ok(row)
}

/// The options with which `pan` needs the least memory and never has to grow its hash table.
///
/// Its stack is allocated whole, so that a depth on the safe side would be held against SPIN. A
/// first search that is not measured finds out.
fn fitting_options(directory: &Path, limit: Duration) -> Result<[String; 2], String> {
    let finished = pan::search(directory, &["-m10000000", "-w24"], limit)
        .map_err(|error| format!("{error:#}"))?;
    if finished.status.is_none() {
        return Err("no answer in time".to_owned());
    }
    let figures = pan::figures(&finished).map_err(|error| format!("{error:#}"))?;
    let depth = pan::depth(&finished.stdout).unwrap_or(10_000_000);
    let slots = figures.states.max(1 << 18).next_power_of_two().ilog2();
    Ok([format!("-m{}", depth + 100), format!("-w{slots}")])
}

fn search_spin(
    directory: &Path,
    built: Cost,
    options: &[String; 2],
    limit: Duration,
) -> Result<Search, String> {
    let told = |error: anyhow::Error| format!("{error:#}");
    let options = options.each_ref().map(String::as_str);
    let finished = pan::search(directory, &options, limit).map_err(told)?;
    if finished.status.is_none() {
        return Err("no answer in time".to_owned());
    }
    Ok(Search {
        figures: pan::figures(&finished).map_err(told)?,
        cost: finished.cost,
        wall: built.wall + finished.cost.wall,
        state_bytes: pan::vector_bytes(&finished.stdout),
    })
}

/// The one that took less time on the clock: with several threads that is what counts.
fn sooner(one: Result<Search, String>, two: Result<Search, String>) -> Result<Search, String> {
    match (one, two) {
        (Ok(one), Ok(two)) => Ok(if one.wall <= two.wall { one } else { two }),
        (Ok(one), Err(_)) => Ok(one),
        (Err(_), two) => two,
    }
}

fn faster(one: Result<Search, String>, two: Result<Search, String>) -> Result<Search, String> {
    match (one, two) {
        (Ok(one), Ok(two)) => Ok(if one.cost.cpu <= two.cost.cpu { one } else { two }),
        (Ok(one), Err(_)) => Ok(one),
        (Err(_), two) => two,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_the_first_column() {
        let text = "model\tstates\na/b.pm\t3\n# remark\n\nc.pml\n";
        assert_eq!(names(text).collect::<Vec<_>>(), ["a/b.pm", "c.pml"]);
    }

    #[test]
    fn the_option_for_threads_is_where_it_is_replaced() {
        assert_eq!(answer::RAW[4..6], ["--threads", "1"]);
    }
}

//! `agree random-ltl`: random formulas on small random models, with and without fairness, and the
//! labels of progress, against `pan -a`, `pan -a -f` and `pan -l`.
//!
//! The models are those of `agree random`, with their assertions made harmless: SPIN would stop at
//! them. A model in which SPIN finds anything but a violation of the property is passed over.
//!
//! Three things in which SPIN is not followed are kept out. Its `_nr_pr` counts the claim as a process
//! wherever there is one, so that a formula changes the model. And `pan -f` overlooks runs that end:
//! it finds nothing where `pan` without `-f` does, though such a run is fair, since nobody can move.
//! With priorities `pan -f` waits for processes that cannot move because of theirs.
//!
//! A step that goes wrong leaves our answer open; SPIN may have stopped at a violation before it.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::bail;
use clap::Args;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::pan::{self, Compiler};
use super::process;
use super::pverify::Pverify;
use super::random;
use super::spin::Opinion;
use super::work;

const PAN_LIMIT: Duration = Duration::from_secs(10);
const OUR_LIMIT: Duration = Duration::from_secs(30);

/// How many, and who is asked.
#[derive(Args)]
pub(crate) struct Arguments {
    /// How many models
    #[arg(long, value_name = "N", default_value_t = 1000)]
    count: u64,
    /// The seed of the first; the others follow
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// The pverify to ask; without it the release binary is built first
    #[arg(long, value_name = "PATH")]
    pverify: Option<PathBuf>,
    /// How many models are asked about at a time
    #[arg(long, value_name = "N", default_value_t = 2)]
    threads: usize,
    /// Where models that differ are saved
    #[arg(long, value_name = "DIR", default_value = "target/agree-random-ltl")]
    save: PathBuf,
}

/// What became of one case.
enum Outcome {
    /// SPIN refuses the model, does not finish, or finds something else wrong.
    Nothing,
    /// Both say that it holds, or that it does not.
    Equal(bool),
    /// What each says.
    Different(String),
}

/// Asks both; fails if a verdict differs.
pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let pverify = Pverify::find(arguments.pverify.as_deref())?;
    let compiler = Compiler::quickest();
    let seeds: Vec<u64> = (0..arguments.count).map(|index| arguments.seed + index).collect();
    let outcomes = work::in_parallel(&seeds, arguments.threads, |directory, seed| {
        let case = Case::of(*seed);
        let mut outcome = case.compare(directory, &pverify, compiler)?;
        if matches!(outcome, Outcome::Different(_)) && compiler == Compiler::Tcc {
            outcome = case.compare(directory, &pverify, Compiler::Gcc { level: "-O0" })?;
        }
        if let Outcome::Different(what) = &outcome {
            std::fs::create_dir_all(&arguments.save)?;
            let file = arguments.save.join(format!("seed-{seed}.pml"));
            std::fs::write(&file, format!("// seed {seed}: {what}\n{}", case.text))?;
            println!("DIFFERENT  seed {seed} ({}): {what}\n{}", file.display(), case.text);
        }
        Ok(outcome)
    })?;
    let count = |kind: fn(&Outcome) -> bool| outcomes.iter().filter(|one| kind(one)).count();
    let different = count(|one| matches!(one, Outcome::Different(_)));
    println!(
        "agree random-ltl: seeds {} to {}: {} hold and {} are violated for both, {different} \
         differ, {} without an answer of SPIN's",
        arguments.seed,
        arguments.seed + arguments.count.saturating_sub(1),
        count(|one| matches!(one, Outcome::Equal(false))),
        count(|one| matches!(one, Outcome::Equal(true))),
        count(|one| matches!(one, Outcome::Nothing)),
    );
    if different > 0 {
        bail!("{different} verdicts differ; see {}", arguments.save.display());
    }
    Ok(())
}

/// What is asked about a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Asked {
    Formula,
    FormulaFair,
    Progress,
}

struct Case {
    text: String,
    asked: Asked,
}

impl Case {
    fn of(seed: u64) -> Case {
        let mut random = StdRng::seed_from_u64(seed);
        let text = random::text(seed).replace("assert(", "(true || ").replace("_nr_pr", "2");
        let asked = match random.random_range(0..8) {
            0 => Asked::Progress,
            1..=3 => Asked::FormulaFair,
            _ => Asked::Formula,
        };
        if asked == Asked::Progress {
            return Case { text: text.replace("L1:", "progress1:"), asked };
        }
        let atoms = atoms(&text);
        let formula = formula(&mut random, &atoms, 3);
        Case { text: format!("{text}ltl p {{ {formula} }}\n"), asked }
    }

    fn compare(
        &self,
        directory: &Path,
        pverify: &Pverify,
        compiler: Compiler,
    ) -> anyhow::Result<Outcome> {
        let file = directory.join("model.pml");
        std::fs::write(&file, &self.text)?;
        let (define, options, flags): (&[&str], &[&str], &[&str]) = match self.asked {
            Asked::Formula => (&[], &["-a"], &["--check", "ltl"]),
            Asked::FormulaFair => (&[], &["-a", "-f"], &["--check", "ltl", "--fairness", "weak"]),
            Asked::Progress => (&["-DNP"], &["-l"], &["--check", "progress"]),
        };
        if let Err(Opinion::Rejects { .. }) =
            pan::build_as(directory, &file, &[], compiler, define)?
        {
            return Ok(Outcome::Nothing);
        }
        let mut command = std::process::Command::new("./pan");
        command.args(options).args(["-m100000", "-w18"]);
        let finished = process::run(&mut command, directory, PAN_LIMIT)?;
        let Some(spin) = verdict(&finished.stdout) else { return Ok(Outcome::Nothing) };
        if finished.status.is_none() {
            return Ok(Outcome::Nothing);
        }
        let mut command = pverify.command(&file, &[]);
        command.args(["--format", "json"]).args(flags);
        let finished = process::run(&mut command, directory, OUR_LIMIT)?;
        let ours = serde_json::from_str::<serde_json::Value>(&finished.stdout).ok();
        let ours = ours.and_then(|value| {
            let check = value["checks"].get(0)?;
            let reason = check["reason"].as_str().unwrap_or_default();
            let trace = &check["trace"];
            let steps = trace["steps"].as_array().map(Vec::len);
            let ends = steps.is_some() && trace["cycle_from"].as_u64() == steps.map(|n| n as u64);
            Some((check["verdict"].as_str()?.to_owned(), reason.to_owned(), ends))
        });
        let (verdict, reason, ends) =
            ours.unwrap_or_else(|| (finished.ending(), finished.stderr, false));
        let unlike = ends || self.text.contains("priority");
        let open = verdict == "inconclusive" && reason.contains("goes wrong");
        if self.asked == Asked::FormulaFair && !spin && unlike || open {
            return Ok(Outcome::Nothing);
        }
        let wanted = if spin { "violated" } else { "holds" };
        Ok(if verdict == wanted {
            Outcome::Equal(spin)
        } else {
            let asked = self.asked;
            Outcome::Different(format!("{asked:?}: SPIN {wanted}, pverify {verdict} {reason}"))
        })
    }
}

/// Whether pan found a violation of the property; none if it did not finish or found anything else.
fn verdict(output: &str) -> Option<bool> {
    if output.contains("max search depth too small") || !output.contains("errors:") {
        return None;
    }
    let message = output.lines().find(|line| line.starts_with("pan:1: "));
    let of_property =
        ["acceptance cycle", "accept stutter", "non-progress cycle", "end state in claim", "!("];
    match message {
        Some(message) if of_property.iter().any(|kind| message.contains(kind)) => Some(true),
        Some(_) => None,
        None => output.contains("errors: 0").then_some(false),
    }
}

/// What can be said about a state of a model.
fn atoms(text: &str) -> Vec<String> {
    let by_declaration = [
        ("byte g;", "(g == 1)"),
        ("byte g;", "(g < 2)"),
        ("bool flag;", "flag"),
        ("mtype colour", "(colour == red)"),
        ("byte row[2];", "(row[0] == row[1])"),
        ("Pair pair;", "(pair.first > 0)"),
        ("short s", "(s < 0)"),
        ("unsigned u", "(u == 1)"),
        ("bit h[3]", "(h[2] == 1)"),
        ("active proctype P0() {\n", "P0@L0"),
        ("active proctype P1() {\n", "P1@L0"),
        ("chan c0", "(len(c0) > 0)"),
    ];
    let declared = by_declaration.iter().filter(|(words, _)| text.contains(words));
    let mut atoms: Vec<String> = declared.map(|(_, atom)| (*atom).to_owned()).collect();
    if atoms.is_empty() {
        atoms.push("true".to_owned());
    }
    atoms
}

fn formula(random: &mut StdRng, atoms: &[String], depth: u32) -> String {
    let kind = if depth == 0 { 0 } else { random.random_range(0..14) };
    let inner = |random: &mut StdRng| formula(random, atoms, depth - 1);
    match kind {
        0 => atoms[random.random_range(0..atoms.len())].clone(),
        1 | 2 => format!("!({})", inner(random)),
        3..=5 => format!("[] ({})", inner(random)),
        6..=8 => format!("<> ({})", inner(random)),
        kind => {
            let sign = ["&&", "||", "->", "U", "V"][kind as usize - 9];
            format!("(({}) {sign} ({}))", inner(random), inner(random))
        }
    }
}

//! `agree ltl`: formulas, `never` claims, `accept` and `progress` labels of the corpus against the
//! verdicts that SPIN gave once (`pan -a`, with `-f`, and `-l`), and the states of claims that hold.

use std::time::Duration;

use anyhow::{Context, bail};
use clap::Args;
use serde_json::Value;

use super::known::{Difference, Known};
use super::process;
use super::pverify::{Pverify, first_message};
use super::{Corpus, Model, Shared, work};

/// Where the figures are.
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    shared: Shared,
    /// How long pverify may search for each property
    #[arg(long, value_name = "S", default_value_t = 60)]
    limit_seconds: u64,
}

/// One row of `expected.tsv` about infinite runs.
struct Row {
    model: String,
    /// `claim`, `accept` or `np`.
    property: String,
    /// The name of a formula, or `never`.
    claim: String,
    fair: bool,
    /// Whether SPIN found an error that is one of the property.
    violated: bool,
    /// States that SPIN stored, where they can be compared.
    states: Option<u64>,
}

/// Asks and compares; fails if a verdict differs without a reason.
pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let shared = &arguments.shared;
    let known = Known::read(&shared.known)?;
    let corpus = Corpus::read(&shared.corpus, shared.only.as_deref())?;
    let text = std::fs::read_to_string(shared.corpus.join("expected.tsv"))?;
    let of = |row: Row| {
        let model = corpus.models.iter().find(|model| model.name == row.model);
        model.map(|model| (row, model))
    };
    let rows: Vec<(Row, &Model)> = rows(&text)?.into_iter().filter_map(of).collect();
    let pverify = Pverify::find(shared.pverify.as_deref())?;
    let limit = Duration::from_secs(arguments.limit_seconds);
    let answers = work::in_parallel(&rows, shared.threads, |directory, (row, model)| {
        let mut command = pverify.command(&model.file, &model.flags);
        command.args(["--format", "json"]).args(row.flags());
        let finished = process::run(&mut command, directory, limit)?;
        Ok(answer(&finished.stdout).ok_or_else(|| {
            let said = first_message(&finished.stderr);
            format!("{} ({said})", finished.ending())
        }))
    })?;
    let (mut equal, mut explained, mut different) = (0, 0, 0);
    for ((row, model), ours) in rows.iter().zip(answers) {
        let wanted = if row.violated { "violated" } else { "holds" };
        let message = match ours {
            Ok((verdict, states)) if verdict == wanted => match row.states {
                Some(spin) if states != Some(spin) => {
                    format!("{states:?} states, SPIN stored {spin}")
                }
                _ => {
                    equal += 1;
                    continue;
                }
            },
            Ok((verdict, _)) => format!("{verdict}, but SPIN says it {wanted}"),
            Err(why) => why,
        };
        let message = format!("{}: {message}", row.what());
        let difference = Difference {
            model: &model.name,
            rejected_by: "pverify",
            message: &message,
            warnings: &[],
        };
        if let Some(reason) = known.reason("ltl", &difference) {
            explained += 1;
            println!("known      {} {message}: {reason}", model.name);
        } else {
            different += 1;
            println!("DIFFERENT  {} {message}", model.name);
        }
    }
    println!(
        "agree ltl: {equal} of {} verdicts equal, {different} differ, {explained} differ with a \
         reason",
        rows.len()
    );
    if different > 0 {
        bail!("{different} verdicts differ");
    }
    Ok(())
}

impl Row {
    fn what(&self) -> String {
        let fair = if self.fair { " under fairness" } else { "" };
        format!("{} {}{fair}", self.property, self.claim)
    }

    fn flags(&self) -> Vec<&str> {
        let mut flags = match (self.property.as_str(), self.claim.as_str()) {
            ("accept", _) => vec!["--check", "accept"],
            ("np", _) => vec!["--check", "progress"],
            (_, "never") => vec!["--check", "never"],
            (_, name) => vec!["--check", "ltl", "--ltl", name],
        };
        if self.fair {
            flags.extend(["--fairness", "weak"]);
        }
        flags
    }
}

/// The verdict and the states of the only check.
fn answer(stdout: &str) -> Option<(String, Option<u64>)> {
    let value: Value = serde_json::from_str(stdout).ok()?;
    let check = value["checks"].as_array()?.first()?;
    Some((check["verdict"].as_str()?.to_owned(), check["states"].as_u64()))
}

/// The rows about infinite runs whose verdict is known.
fn rows(text: &str) -> anyhow::Result<Vec<Row>> {
    let mut lines = text.lines();
    let heading: Vec<&str> = lines.next().unwrap_or_default().split('\t').collect();
    let column = |name: &str| {
        heading.iter().position(|column| *column == name).with_context(|| format!("no `{name}`"))
    };
    let names = ["model", "mode", "property", "claim", "complete", "states", "verdict"];
    let mut columns = Vec::new();
    for name in names {
        columns.push(column(name)?);
    }
    let fair = column("verdict_fair")?;
    let mut rows = Vec::new();
    for line in lines {
        let fields: Vec<&str> = line.split('\t').collect();
        let field = |at: usize| fields.get(columns[at]).copied().unwrap_or_default();
        let (property, claim) = (field(2), field(3));
        if !["claim", "accept", "np"].contains(&property) {
            continue;
        }
        let under_fairness = fields.get(fair).copied().unwrap_or_default();
        let (raw, verdict) = (field(1) == "raw", field(6));
        let verdict = if raw { verdict } else { under_fairness };
        let Some(violated) = violated(verdict) else { continue };
        let counted = raw && claim == "never" && !violated && field(4) == "yes";
        rows.push(Row {
            model: field(0).to_owned(),
            property: property.to_owned(),
            claim: claim.to_owned(),
            fair: !raw,
            violated,
            states: if counted { field(5).parse().ok() } else { None },
        });
    }
    Ok(rows)
}

/// Whether a verdict of SPIN's is a violation of the property; none if it is about something else.
fn violated(verdict: &str) -> Option<bool> {
    let of_property = ["acceptance cycle", "claim violated", "non-progress cycle", "assertion"];
    let of_property = |part: &str| of_property.contains(&part) || part.starts_with("assertion");
    match verdict {
        "ok" => Some(false),
        "end state in claim reached" => Some(true),
        verdict if verdict.split('+').any(of_property) => Some(true),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_about_infinite_runs_are_read() {
        let text = "model\tmode\tproperty\tclaim\tcomplete\tstates\tverdict\tverdict_fair\n\
            a\traw\tsafety\t\tyes\t5\tok\t\n\
            a\traw\tclaim\tnever\tyes\t5\tok\t\n\
            a\tdefault\tclaim\tp\tyes\t4\tok\tacceptance cycle\n\
            b\traw\tnp\t\tno\t4\tunknown\t\n";
        let rows = rows(text).expect("a table");
        let told: Vec<_> = rows.iter().map(|row| (row.what(), row.violated, row.states)).collect();
        let fair = "claim p under fairness".to_owned();
        assert_eq!(told, [("claim never".to_owned(), false, Some(5)), (fair, true, None)]);
        assert_eq!(violated("too few parameters in send stmnt"), None);
    }
}

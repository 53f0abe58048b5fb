//! Translates the list of formulas that lies beside the project, and compares with other tools.

mod check;
mod row;

use anyhow::{Context as _, Result, bail};
use row::Row;
use std::fs;
use std::path::PathBuf;
use std::time::Instant;

/// Translate the formulas of ../shared/ltl/formulas.tsv and compare with other translators.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The list of formulas
    #[arg(long, default_value = "../shared/ltl/formulas.tsv")]
    list: PathBuf,
    /// Only the rows of this set (DAC, EH, …)
    #[arg(long)]
    set: Option<String>,
    /// Show every row, not only those that are wrong or larger than Spot's
    #[arg(long)]
    all: bool,
    /// Runs per formula on which the automata are compared with the meaning of the formula
    #[arg(long, default_value_t = 200)]
    runs: usize,
    /// Where the random runs begin
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Translates every row and shows the table.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    if !arguments.list.exists() {
        println!("{} is missing: nothing to compare with", arguments.list.display());
        return Ok(());
    }
    let text = fs::read_to_string(&arguments.list)
        .with_context(|| format!("{} cannot be read", arguments.list.display()))?;
    let rows = row::read(&text)?;
    println!("seed {}", arguments.seed);
    let mut total = check::Total::default();
    let wanted = |row: &&Row<'_>| arguments.set.as_ref().is_none_or(|set| row.set == set);
    for row in rows.iter().filter(wanted) {
        let start = Instant::now();
        let outcome = check::check(row, arguments.runs, arguments.seed)
            .with_context(|| format!("{} {}: {}", row.set, row.id, row.formula))?;
        total.add(row, &outcome, arguments.all, start.elapsed());
    }
    total.show();
    if total.wrong > 0 {
        bail!("{} answers are wrong", total.wrong);
    }
    Ok(())
}

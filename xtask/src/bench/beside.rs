//! Two more comparisons: bytes a state beside SPIN's `-DCOLLAPSE`, and several threads beside one.

use std::fmt::Write;

use super::table::geometric_mean;
use super::{Row, Search};

/// Bytes a state: all resident memory of the process, by its states.
pub(super) fn collapse(rows: &[Row]) -> String {
    let mut text = "\n| model | states | pan -DCOLLAPSE B/state | pverify B/state | ratio |\n\
                    | --- | --- | --- | --- | --- |\n"
        .to_owned();
    let mut ratios = Vec::new();
    for row in rows {
        let name = short(&row.name);
        let (Some(Ok(collapsed)), Ok(ours)) = (&row.collapsed, &row.ours) else {
            let _ = writeln!(text, "| {name} | not comparable | | | |");
            continue;
        };
        let (theirs, ours, states) = (bytes(collapsed), bytes(ours), ours.figures.states);
        if collapsed.figures.states != states {
            let _ = writeln!(text, "| {name} | not comparable: states differ | | | |");
            continue;
        }
        ratios.push(theirs / ours);
        let ratio = theirs / ours;
        let _ = writeln!(text, "| {name} | {states} | {theirs:.1} | {ours:.1} | {ratio:.2}x |");
    }
    let mean = geometric_mean(&ratios);
    let _ = writeln!(text, "| **geometric mean** | | | | {mean:.2}x |");
    text
}

/// Wall clock of pverify alone, with one thread and with several, in one run.
pub(super) fn threads(rows: &[Row], threads: usize) -> String {
    let mut text = format!(
        "\n| model | states | 1 thread s | {threads} threads s | speedup | CPU |\n\
         | --- | --- | --- | --- | --- | --- |\n"
    );
    let mut ratios = Vec::new();
    for row in rows {
        let name = short(&row.name);
        let (Some(Ok(alone)), Ok(together)) = (&row.alone, &row.ours) else {
            let _ = writeln!(text, "| {name} | not comparable | | | | |");
            continue;
        };
        let states = together.figures.states;
        let (one, many) = (alone.wall.as_secs_f64(), together.wall.as_secs_f64());
        let cpu = together.cost.cpu.as_secs_f64() / alone.cost.cpu.as_secs_f64().max(1e-6);
        if alone.figures.states != states {
            let _ = writeln!(text, "| {name} | not comparable: states differ | | | | |");
            continue;
        }
        ratios.push(one / many);
        let speedup = one / many;
        let _ = writeln!(
            text,
            "| {name} | {states} | {one:.2} | {many:.2} | {speedup:.2}x | {cpu:.2}x |"
        );
    }
    let mean = geometric_mean(&ratios);
    let _ = writeln!(text, "| **geometric mean** | | | | {mean:.2}x | |");
    text
}

fn short(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or_default()
}

fn bytes(search: &Search) -> f64 {
    search.cost.peak_bytes as f64 / search.figures.states.max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agree::figures::Figures;
    use crate::agree::process::Cost;
    use std::time::Duration;

    fn search(seconds: u64, peak_bytes: u64) -> Result<Search, String> {
        let figures = Figures { states: 100, complete: true, ..Figures::default() };
        let time = Duration::from_secs(seconds);
        let cost = Cost { cpu: time, wall: time, peak_bytes };
        Ok(Search { figures, cost, wall: time, state_bytes: None })
    }

    fn row() -> Row {
        Row {
            name: "a/m.pml".to_owned(),
            spin: search(1, 1),
            ours: search(2, 1200),
            collapsed: Some(search(9, 3000)),
            alone: Some(search(3, 1000)),
        }
    }

    #[test]
    fn bytes_are_those_of_the_process() {
        let text = collapse(&[row()]);
        assert!(text.contains("| m.pml | 100 | 30.0 | 12.0 | 2.50x |"), "{text}");
        assert!(collapse(&[Row { collapsed: None, ..row() }]).contains("not comparable"));
    }

    #[test]
    fn speedup_is_that_of_the_wall_clock() {
        let text = threads(&[row()], 2);
        assert!(text.contains("| m.pml | 100 | 3.00 | 2.00 | 1.50x | 0.67x |"), "{text}");
    }
}

//! The results of a benchmark as a Markdown table, with ratios and their geometric means.

use std::fmt::Write;
use std::process::Command;

use super::{Row, Search};

const MEBIBYTE: f64 = 1024.0 * 1024.0;

/// The whole table; ratios above 1 are in favour of pverify.
pub(super) fn write(rows: &[Row], threads: usize) -> String {
    let mut text = format!(
        "| model | states | pan M tr/s | pverify M tr/s | speed | pan MiB | pverify MiB | memory \
         | pan state B | pverify state B | state | pan wall s | pverify wall s | wall |\n{}|\n",
        "| --- ".repeat(14)
    );
    let mut ratios: [Vec<f64>; 4] = Default::default();
    let mut slowest = f64::INFINITY;
    for row in rows {
        let name = row.name.rsplit('/').next().unwrap_or_default();
        let (None, Ok(spin), Ok(ours)) = (row.difference(), &row.spin, &row.ours) else {
            let why = row.difference().unwrap_or_default().replace('|', "/");
            let _ = writeln!(text, "| {name} | not comparable: {why} |{}", " |".repeat(12));
            continue;
        };
        let bytes = |search: &Search| search.state_bytes.unwrap_or(0) as f64;
        let pairs = [
            (speed(ours), speed(spin)),
            (memory(spin), memory(ours)),
            (bytes(spin), bytes(ours)),
            (spin.wall.as_secs_f64(), ours.wall.as_secs_f64()),
        ];
        let ratio = pairs.map(|(above, below)| above / below);
        for (ratios, ratio) in ratios.iter_mut().zip(ratio) {
            if ratio.is_finite() && ratio > 0.0 {
                ratios.push(ratio);
            }
        }
        slowest = slowest.min(ratio[0]);
        let _ = writeln!(
            text,
            "| {name} | {} | {:.2} | {:.2} | {:.2}x | {:.0} | {:.0} | {:.2}x | {} | {} | {:.2}x \
             | {:.2} | {:.2} | {:.2}x |",
            spin.figures.states,
            speed(spin),
            speed(ours),
            ratio[0],
            memory(spin),
            memory(ours),
            ratio[1],
            bytes(spin),
            bytes(ours),
            ratio[2],
            spin.wall.as_secs_f64(),
            ours.wall.as_secs_f64(),
            ratio[3],
        );
    }
    let [speed, memory, bytes, wall] = ratios.map(|ratios| geometric_mean(&ratios));
    let _ = writeln!(
        text,
        "| **geometric mean** | | | | {speed:.2}x | | | {memory:.2}x | | | {bytes:.2}x | | | \
         {wall:.2}x |\n"
    );
    let _ = writeln!(
        text,
        "pverify on {threads} thread(s), no reduction; speed in million transitions per CPU \
         second; wall from the model's text to the verdict (SPIN: spin, gcc -O3 and pan). Ratios \
         above 1 favour pverify; the lowest speed is {slowest:.2}x."
    );
    text
}

/// When and where, for a table that is kept.
pub(super) fn heading() -> String {
    let said = |program: &str, arguments: &[&str]| {
        let output = Command::new(program).args(arguments).output().ok();
        let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
        text.and_then(|text| text.lines().next().map(|line| line.trim().to_owned()))
            .unwrap_or_else(|| "unknown".to_owned())
    };
    format!(
        "# Side by side with SPIN\n\n* date: {}\n* machine: {}, {} cores, {}\n* {}\n* {}\n* pverify \
         at {}\n",
        said("date", &["-u", "+%Y-%m-%d %H:%M UTC"]),
        file_line("/proc/cpuinfo", "model name"),
        std::thread::available_parallelism().map_or(0, usize::from),
        file_line("/proc/meminfo", "MemTotal"),
        said("spin", &["-V"]),
        said("gcc", &["--version"]),
        said("git", &["rev-parse", "--short", "HEAD"]),
    )
}

/// What follows the colon in the line that begins with `name`.
fn file_line(file: &str, name: &str) -> String {
    let text = std::fs::read_to_string(file).unwrap_or_default();
    text.lines()
        .find(|line| line.starts_with(name))
        .and_then(|line| Some(line.split_once(':')?.1.trim().to_owned()))
        .unwrap_or_else(|| "unknown".to_owned())
}

/// Million transitions per CPU second.
fn speed(search: &Search) -> f64 {
    search.figures.transitions as f64 / search.cost.cpu.as_secs_f64().max(1e-6) / 1e6
}

fn memory(search: &Search) -> f64 {
    search.cost.peak_bytes as f64 / MEBIBYTE
}

/// Not a number of nothing.
pub(super) fn geometric_mean(ratios: &[f64]) -> f64 {
    (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len() as f64).exp()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::agree::figures::Figures;
    use crate::agree::process::Cost;

    fn search(seconds: u64, state_bytes: u64) -> Search {
        let figures =
            Figures { states: 10, transitions: 4_000_000, complete: true, ..Figures::default() };
        let cpu = Duration::from_secs(seconds);
        let cost = Cost { cpu, wall: cpu, peak_bytes: 1 << 20 };
        Search { figures, cost, wall: cpu, state_bytes: Some(state_bytes) }
    }

    fn row(name: &str, spin: Search, ours: Search) -> Row {
        let (spin, ours) = (Ok(spin), Ok(ours));
        Row { name: name.to_owned(), spin, ours, collapsed: None, alone: None }
    }

    #[test]
    fn ratios_favour_the_faster() {
        let row = row("a/m.pml", search(4, 40), search(1, 20));
        let text = write(&[row], 1);
        let line = "| m.pml | 10 | 1.00 | 4.00 | 4.00x | 1 | 1 | 1.00x | 40 | 20 | 2.00x | 4.00 | \
                    1.00 | 4.00x |";
        assert!(text.contains(line), "{text}");
        assert!(text.contains("lowest speed is 4.00x"), "{text}");
    }

    #[test]
    fn unlike_searches_have_no_ratio() {
        let mut ours = search(1, 20);
        ours.figures.states = 11;
        let row = row("m", search(4, 40), ours);
        assert!(write(&[row], 1).contains("not comparable: states"));
    }

    #[test]
    fn means_are_geometric() {
        assert!((geometric_mean(&[1.0, 4.0]) - 2.0).abs() < 1e-9);
    }
}

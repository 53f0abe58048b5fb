//! Is the state in which a trail ends one in which SPIN finds nothing executable?
//!
//! A replay lists the processes at the end of a trail, but does not say that none can move: a
//! trail that breaks off early would pass. So the end is looked up among the ends of all trails
//! that `pan -c0 -e` writes for the same model.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::{pan, process};

const LIMIT: Duration = Duration::from_secs(30);
/// Each trail of SPIN is replayed; of a model with more the ends are not known.
const MOST_TRAILS: u64 = 100;
/// Small tables: clearing big ones takes `pan` longer than everything else. Assertions are passed
/// over, since a replay would stop at one on the way.
const OPTIONS: [&str; 3] = ["-m100000", "-w16", "-A"];

/// The final states of SPIN's own trails; `None` if there are too many of them.
///
/// `pan` of `directory` writes them into its working directory, a folder of their own.
pub(crate) fn of_spin(directory: &Path) -> anyhow::Result<Option<HashSet<String>>> {
    let folder = directory.join("ends");
    std::fs::create_dir_all(&folder)?;
    let counted = pan::search(directory, &OPTIONS, LIMIT)?;
    let errors = pan::parse(&counted.stdout).ok().and_then(|figures| figures.errors);
    if errors.is_none_or(|errors| errors > MOST_TRAILS) {
        return Ok(None);
    }
    let mut command = Command::new(directory.join("pan"));
    process::run(command.args(["-c0", "-e"]).args(OPTIONS), &folder, LIMIT)?;
    let trails: Vec<PathBuf> = std::fs::read_dir(&folder)?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|ending| ending == "trail"))
        .collect();
    let mut ends = HashSet::new();
    for trail in trails {
        let mut command = Command::new(directory.join("pan"));
        let replay = process::run(command.args(OPTIONS).arg("-r").arg(&trail), &folder, LIMIT)?;
        ends.extend(end(&replay.stdout));
    }
    Ok(Some(ends))
}

/// What `pan -r` prints of the last state, without the number of the step.
pub(crate) fn end(replay: &str) -> Option<String> {
    let (_, list) = replay.split_once("trail ends after")?;
    let lines = list.lines().skip(1).map(|line| match line.split_once(":\tproc ") {
        Some((_, process)) => process,
        None => line,
    });
    Some(lines.collect::<Vec<_>>().join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_to_an_end_does_not_matter() {
        let after = |steps: usize, value: usize| {
            format!(
                "  1:\tproc 0 (A) a.pml:2 (state 4)\t[c!1]\nspin: trail ends after {steps} steps\n\
                 #processes 1:\n  {steps}:\tproc 0 (A)  a.pml:2 (state  7) (invalid end state)\n\
                 \t\tc?x\nglobal vars:\n\tbyte   x:\t{value}\n"
            )
        };
        assert!(end(&after(7, 1)).is_some());
        assert_eq!(end(&after(7, 1)), end(&after(9, 1)));
        assert_ne!(end(&after(7, 1)), end(&after(7, 2)));
        assert_eq!(end("pan: cannot find trailfile\n"), None);
    }
}

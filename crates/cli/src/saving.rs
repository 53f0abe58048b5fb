//! Files that a counterexample is saved in: tried before the search, written after it.

use crate::commands::verify::Arguments;
use crate::front_end::Model;
use crate::options::charts::Charts;
use crate::output;
use anyhow::{Result, bail};
use pverify_report::answers::Answered;
use pverify_report::chart::figures;
use pverify_report::trace_file::{TraceFile, fingerprint};
use pverify_report::trail::to_trail;
use pverify_verdict::{Move, Trace};
use std::fs::{self, File, OpenOptions};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// Refuses what cannot be written, before hours are spent on what to write.
pub(crate) fn prepare(arguments: &Arguments) -> Result<()> {
    let Charts { msc, report, .. } = &arguments.charts;
    let (trace, trail) = (&arguments.trace, &arguments.trail);
    let checkpoint = &arguments.checkpoints.checkpoint;
    let files = [
        ("--trace", trace),
        ("--trail", trail),
        ("--msc", msc),
        ("--report", report),
        ("--plot", &arguments.channels.plot),
        ("--checkpoint", checkpoint),
    ];
    arguments.charts.are_known()?;
    try_all(&arguments.reading.file, &files)
}

/// Refuses files that cannot be written, are the model, or are given twice.
pub(crate) fn try_all(model: &str, files: &[(&str, &Option<PathBuf>)]) -> Result<()> {
    let files = files.iter().filter_map(|(flag, path)| Some((*flag, path.as_ref()?)));
    let files: Vec<(&str, &PathBuf)> = files.collect();
    for &(flag, path) in &files {
        if is_same(path, Path::new(model)) {
            bail!("{flag} would overwrite the model `{model}`\nhelp: give another file");
        }
        if let Err(error) = try_to_write(path) {
            bail!(cannot(flag, path, &error));
        }
    }
    for (at, (one, path)) in files.iter().enumerate() {
        let same = |(_, other): &&(&str, &PathBuf)| path == other || is_same(path, other);
        if let Some((other, _)) = files[at + 1..].iter().find(same) {
            bail!(
                "{one} and {other} are the same file `{}`\nhelp: give each its own",
                path.display()
            );
        }
    }
    Ok(())
}

/// A counterexample as files keep it.
#[derive(Clone, Debug)]
pub(crate) struct Saved {
    /// The kind of fault.
    pub(crate) fault: &'static str,
    /// The steps; a rendezvous is two.
    pub(crate) moves: Vec<Move>,
    /// For a run that goes on for ever: where it is repeated from.
    pub(crate) cycle_from: Option<usize>,
}

impl Saved {
    /// What a trace says.
    pub(crate) fn of(trace: &Trace) -> Self {
        let moves = trace.moves.clone();
        Self { fault: trace.fault.name(), moves, cycle_from: trace.first_of_cycle() }
    }
}

/// Writes a counterexample in every form that was asked for.
pub(crate) fn save(arguments: &Arguments, model: &Model, saved: &Saved) {
    let Saved { fault, moves, cycle_from } = saved;
    if let Some(path) = &arguments.trace {
        let file = TraceFile {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            file: arguments.reading.file.clone(),
            model: fingerprint(&model.program),
            fault: (*fault).to_owned(),
            moves: moves.clone(),
            formula: model.formula.clone(),
            cycle_from: *cycle_from,
        };
        write("--trace", path, &file.to_text());
    }
    if let Some(path) = &arguments.trail {
        write("--trail", path, &to_trail(&model.machines, moves, *cycle_from));
    }
}

/// Who asked for a file and finds none, or an older one, is told why.
pub(crate) fn say_nothing_was_saved(arguments: &Arguments, answers: &[Answered]) {
    let violated = answers.iter().find(|answer| answer.verdict == "violated");
    let is_drawn = !figures(violated.map_or(&[], std::slice::from_ref)).is_empty();
    let msc = arguments.charts.msc.as_ref().filter(|_| !is_drawn);
    let files =
        [("--trace", &arguments.trace), ("--trail", &arguments.trail), ("--msc", &msc.cloned())]
            .into_iter()
            .filter_map(|(flag, path)| Some(format!("`{}` ({flag})", path.as_ref()?.display())))
            .collect::<Vec<_>>();
    if !files.is_empty() && !arguments.output.quiet {
        let files = files.join(" and ");
        output::note(&format!(
            "nothing was written to {files}: there is no counterexample to save\n"
        ));
    }
}

/// The answer is known and printed by now: a full disk does not take it back.
pub(crate) fn write(flag: &str, path: &Path, text: &str) {
    if let Err(error) = fs::write(path, text) {
        output::error(&anyhow::anyhow!(cannot(flag, path, &error)));
    }
}

fn cannot(flag: &str, path: &Path, error: &std::io::Error) -> String {
    let (why, help) = match error.kind() {
        ErrorKind::NotFound => ("its folder does not exist", "make the folder first"),
        ErrorKind::IsADirectory => ("it is a folder", "give a file in it"),
        ErrorKind::NotADirectory => ("a part of the path is a file", "give another path"),
        ErrorKind::PermissionDenied => ("no permission to write it", "give another path"),
        _ => (&*error.to_string(), "give another path"),
    };
    format!("{flag}: `{}` cannot be written: {why}\nhelp: {help}", path.display())
}

/// Opens the file as if to write, and leaves everything as it was.
fn try_to_write(path: &Path) -> std::io::Result<()> {
    match OpenOptions::new().write(true).create_new(true).open(path) {
        Ok(file) => {
            drop::<File>(file);
            fs::remove_file(path)
        }
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            // A pipe would wait here for its reader; who names one has one.
            let is_pipe = fs::metadata(path).is_ok_and(|data| !data.is_file() && !data.is_dir());
            if is_pipe { Ok(()) } else { OpenOptions::new().append(true).open(path).map(drop) }
        }
        Err(error) => Err(error),
    }
}

/// Whether two paths lead to one file that is there.
fn is_same(one: &Path, other: &Path) -> bool {
    matches!((fs::canonicalize(one), fs::canonicalize(other)), (Ok(one), Ok(other)) if one == other)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(path: &str, expected: Result<(), ErrorKind>) {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
        let before = path.exists();
        assert_eq!(try_to_write(&path).map_err(|error| error.kind()), expected, "{path:?}");
        assert_eq!(path.exists(), before, "{path:?}");
    }

    #[test]
    fn trying_leaves_everything_as_it_was() {
        check("no such file", Ok(()));
        check("no such folder/file", Err(ErrorKind::NotFound));
        check("Cargo.toml/file", Err(ErrorKind::NotADirectory));
        check("src", Err(ErrorKind::IsADirectory));
        check("Cargo.toml", Ok(()));
        check("/dev/null", Ok(()));
    }

    #[test]
    fn a_file_is_itself_by_any_path() {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        assert!(is_same(&here.join("Cargo.toml"), &here.join("src/../Cargo.toml")));
        assert!(!is_same(&here.join("Cargo.toml"), &here.join("src/lib.rs")));
        assert!(!is_same(&here.join("nothing"), &here.join("nothing")));
    }
}

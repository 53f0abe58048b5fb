//! Runs one program to its end or to a time limit, and keeps what it said and what it cost.

use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use anyhow::Context;
use wait4::{ResUse, Wait4};

/// More than this is never a diagnostic, but a program that went wild.
const OUTPUT_LIMIT: u64 = 8 << 20;

/// What became of a program.
pub(crate) struct Finished {
    /// `None` if it was stopped at the time limit.
    pub(crate) status: Option<ExitStatus>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    pub(crate) cost: Cost,
}

/// What a program used, its own children included.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Cost {
    /// User and system time.
    pub(crate) cpu: Duration,
    pub(crate) wall: Duration,
    /// The greatest resident set.
    pub(crate) peak_bytes: u64,
}

impl Finished {
    /// It ended by itself, with status 0.
    pub(crate) fn succeeded(&self) -> bool {
        self.status.is_some_and(|status| status.success())
    }

    /// How it ended, in words.
    pub(crate) fn ending(&self) -> String {
        self.status.map_or_else(|| "no answer in time".to_owned(), |status| status.to_string())
    }
}

/// Runs `command` in `directory`, for at most `limit`.
///
/// Its output goes through files instead of pipes: a grandchild (SPIN starts gcc as its
/// preprocessor) that survives a stopped program cannot keep us waiting at the end of a pipe.
pub(crate) fn run(
    command: &mut Command,
    directory: &Path,
    limit: Duration,
) -> anyhow::Result<Finished> {
    let stdout = tempfile::tempfile()?;
    let stderr = tempfile::tempfile()?;
    command
        .current_dir(directory)
        .stdin(Stdio::null())
        .stdout(stdout.try_clone()?)
        .stderr(stderr.try_clone()?);
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    let start = Instant::now();
    let mut child =
        command.spawn().with_context(|| format!("cannot start {}", program(command)))?;
    let (used, in_time) = wait(&mut child, limit)?;
    let cost = Cost {
        cpu: used.rusage.utime + used.rusage.stime,
        wall: start.elapsed(),
        peak_bytes: used.rusage.maxrss,
    };
    let status = in_time.then_some(used.status);
    Ok(Finished { status, stdout: text(stdout)?, stderr: text(stderr)?, cost })
}

fn program(command: &Command) -> String {
    command.get_program().to_string_lossy().into_owned()
}

/// What the program used, and whether it ended before somebody had to end it.
fn wait(child: &mut Child, limit: Duration) -> anyhow::Result<(ResUse, bool)> {
    let group = child.id();
    let (ended, end) = mpsc::channel::<()>();
    std::thread::scope(|scope| {
        let watch = scope.spawn(move || {
            let in_time = end.recv_timeout(limit) != Err(mpsc::RecvTimeoutError::Timeout);
            if !in_time {
                stop(group);
            }
            in_time
        });
        let used = child.wait4();
        drop(ended);
        let in_time = watch.join().map_err(|_| anyhow::anyhow!("the watch panicked"))?;
        Ok((used?, in_time))
    })
}

/// Ends the program together with whatever it started: it leads a process group of its own.
fn stop(group: u32) {
    let group = format!("-{group}");
    let _ = Command::new("kill").args(["-KILL", "--", &group]).stderr(Stdio::null()).status();
}

fn text(mut file: File) -> anyhow::Result<String> {
    use std::io::Seek;
    file.rewind()?;
    let mut bytes = Vec::new();
    file.take(OUTPUT_LIMIT).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str, limit: Duration) -> Finished {
        let directory = tempfile::tempdir().expect("a directory");
        run(Command::new("sh").args(["-c", script]), directory.path(), limit).expect("sh runs")
    }

    #[test]
    fn keeps_both_outputs_and_the_status() {
        let finished = shell("echo out; echo err >&2; exit 3", Duration::from_secs(60));
        assert_eq!(finished.stdout, "out\n");
        assert_eq!(finished.stderr, "err\n");
        assert_eq!(finished.status.and_then(|status| status.code()), Some(3));
    }

    #[test]
    fn stops_at_the_limit_with_all_descendants() {
        let finished = shell("echo first; sleep 600 & sleep 600", Duration::from_millis(50));
        assert!(finished.status.is_none());
    }
}

//! SPIN's opinion of a model: accepted, or rejected by which stage and with which words.
//!
//! SPIN says no at four places, and only the first is SPIN's own text:
//!
//! 1. `spin -a` ends with a status other than 0. The status is the *number of errors* modulo 256,
//!    a fatal error is 1, a failing C preprocessor is 1, a crash is a signal.
//! 2. `pan.c` is not there although the status is 0: an option such as `-I` (print with inlines
//!    expanded; *not* a folder of includes, which is `-E-I…`) made SPIN do something else. No model
//!    of the corpus does this, so it is more likely our mistake than the model's.
//! 3. gcc refuses `pan.c`: a label with the name of a C keyword, a variable named like a function
//!    of the C library, a reference to something that SPIN never declared.
//! 4. `./pan` stops before its first state: `error: proctype … has unconditional self-loop`
//!    (`do :: skip od`), `error: … inherits 2 'else' stmnts`. `./pan -d` does not tell.
//!
//! The words «Error» or «error:» in the output are *no* sign of a rejection: with status 0 they
//! are warnings (`dubious use of 'else' combined with i/o`, `label … placed incorrectly`).
//! Stages 3 and 4 take ten times as long as the first two and are asked for separately.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use super::pan::RAW;
use super::process;

/// Long formulas take SPIN half a minute; everything else a fraction of a second.
pub(crate) const PATIENT: Duration = Duration::from_secs(180);
/// For thousands of questions.
pub(crate) const IMPATIENT: Duration = Duration::from_secs(10);
const GCC_LIMIT: Duration = Duration::from_secs(120);
const PAN_LIMIT: Duration = Duration::from_secs(20);

/// What somebody says of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Opinion {
    Accepts,
    /// Accepts, and says with these warnings that SPIN cannot run it; only pverify's opinion.
    AcceptsAlone {
        /// Codes: `W1112`.
        warnings: Vec<String>,
    },
    Rejects {
        /// The stage: `spin`, `gcc`, `pan` or `pverify`.
        by: &'static str,
        message: String,
    },
}

impl Opinion {
    pub(crate) fn accepts(&self) -> bool {
        !matches!(self, Opinion::Rejects { .. })
    }
}

/// Both programs that the questions need can be started.
pub(crate) fn installed() -> bool {
    let starts = |program: &str, flag: &str| {
        Command::new(program).arg(flag).output().is_ok_and(|output| output.status.success())
    };
    starts("spin", "-V") && starts("gcc", "--version")
}

/// Stages 1 and 2: leaves `pan.c` in `directory` if the model is accepted.
pub(crate) fn generate(
    directory: &Path,
    model: &Path,
    flags: &[String],
    limit: Duration,
) -> anyhow::Result<(Opinion, String)> {
    let mut command = Command::new("spin");
    command.arg("-a").args(flags).arg(model);
    let finished = process::run(&mut command, directory, limit)?;
    let output = format!("{}{}", finished.stdout, finished.stderr);
    if finished.succeeded() {
        let opinion = if directory.join("pan.c").is_file() {
            Opinion::Accepts
        } else {
            Opinion::Rejects { by: "spin", message: "status 0, but no pan.c".to_owned() }
        };
        return Ok((opinion, output));
    }
    let message = first_error(&output).unwrap_or_else(|| finished.ending());
    Ok((Opinion::Rejects { by: "spin", message }, output))
}

/// Stages 1 and 2 and, if `with_gcc`, also 3 and 4, both on the unoptimised verifier: merging
/// statements hides an idle loop or a second `else` from `pan`, and pverify reads no model merged.
pub(crate) fn opinion(
    directory: &Path,
    model: &Path,
    flags: &[String],
    limit: Duration,
    with_gcc: bool,
) -> anyhow::Result<Opinion> {
    let raw = RAW.iter().filter(|_| with_gcc).map(|&flag| flag.to_owned());
    let flags: Vec<String> = raw.chain(flags.iter().cloned()).collect();
    let (opinion, _) = generate(directory, model, &flags, limit)?;
    if !with_gcc || !opinion.accepts() {
        return Ok(opinion);
    }
    let opinion = compile(directory)?;
    if opinion.accepts() { start(directory) } else { Ok(opinion) }
}

/// Stage 3: turns `pan.c` of `directory` into `pan`.
pub(crate) fn compile(directory: &Path) -> anyhow::Result<Opinion> {
    let mut command = Command::new("gcc");
    command.args(["-O0", "-w", "-DNOREDUCE", "-DSAFETY", "-o", "pan", "pan.c"]);
    let finished = process::run(&mut command, directory, GCC_LIMIT)?;
    if finished.succeeded() {
        return Ok(Opinion::Accepts);
    }
    let message = first_error(&finished.stderr).unwrap_or_else(|| finished.ending());
    Ok(Opinion::Rejects { by: "gcc", message })
}

/// Stage 4: a search of depth 1 is enough to see whether `pan` wants to search at all.
fn start(directory: &Path) -> anyhow::Result<Opinion> {
    let mut command = Command::new(directory.join("pan"));
    command.args(["-m1", "-c1"]);
    let finished = process::run(&mut command, directory, PAN_LIMIT)?;
    let refusal = finished.stdout.lines().find(|line| line.starts_with("error: proctype"));
    Ok(refusal
        .map_or(Opinion::Accepts, |line| Opinion::Rejects { by: "pan", message: line.to_owned() }))
}

/// The first line that complains: SPIN's `Error:`, cpp's and gcc's `error:`, `tl_spin:` of LTL;
/// one that may be a warning only if there is no other.
pub(crate) fn first_error(output: &str) -> Option<String> {
    let complains = |line: &&str| line.contains("rror:") || line.starts_with("tl_spin:");
    let warnings = ["placed incorrectly", "dubious use of", "saw 'unless' on a guard"];
    let warns = |line: &str| warnings.iter().any(|warning| line.contains(warning));
    let line = output
        .lines()
        .find(|line| complains(line) && !warns(line))
        .or_else(|| output.lines().find(complains))
        .or_else(|| output.lines().find(|line| line.contains("rror")))
        .or_else(|| output.lines().find(|line| !line.trim().is_empty()))?;
    Some(line.split_whitespace().collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(output: &str, expected: Option<&str>) {
        assert_eq!(first_error(output).as_deref(), expected);
    }

    #[test]
    fn finds_the_complaint() {
        check(
            "ltl p: [] x\nspin: a.pml:3, Error: syntax error\tsaw 'keyword: fi'\n",
            Some("spin: a.pml:3, Error: syntax error saw 'keyword: fi'"),
        );
        check(
            "pan.c: In function 'f':\npan.c:9:4: error: expected ';'\n",
            Some("pan.c:9:4: error: expected ';'"),
        );
        check(
            "tl_spin: expected predicate, saw ')'\n",
            Some("tl_spin: expected predicate, saw ')'"),
        );
        check("\nstrange\n", Some("strange"));
        check("", None);
    }
}

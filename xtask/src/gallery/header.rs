//! The lines ` * expect: …` at the head of a model of the gallery.
//!
//! protocols/README.md describes the format for people.

use std::fmt;

use anyhow::{Result, bail};

/// What begins such a line.
const MARK: &str = " * expect: ";

/// One line: a check and what it must answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Expectation {
    pub(crate) check: Check,
    /// Only under weak fairness.
    pub(crate) fair: bool,
    pub(crate) answer: Answer,
}

/// A question about a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Check {
    /// Everything that one look at each reachable state and step can tell.
    Safety,
    /// Invalid end states alone.
    Deadlock,
    /// The `never` claim of the model.
    Never,
    /// A named formula of the model.
    Ltl(String),
    /// Cycles through `accept` labels of the processes.
    Accept,
    /// Cycles that avoid `progress` labels for ever.
    Progress,
}

/// What a check answers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Answer {
    pub(crate) violated: bool,
    /// What is violated, for `safety`: `assertion`, `deadlock`, …, sorted.
    pub(crate) kinds: Vec<String>,
    /// States and transitions of the full raw search, for `safety`.
    pub(crate) size: Option<(u64, u64)>,
}

/// Every expectation that the text of a model states, in its order.
pub(crate) fn read(text: &str) -> Result<Vec<Expectation>> {
    let Some(header) = text.strip_prefix("/* ").and_then(|rest| rest.split("*/").next()) else {
        bail!("the file does not begin with a comment");
    };
    header.lines().filter_map(|line| line.strip_prefix(MARK)).map(expectation).collect()
}

/// The text with its expectations replaced by `new`, in the same order.
pub(crate) fn rewrite(text: &str, new: &[Expectation]) -> String {
    let mut new = new.iter();
    let mut rewritten = String::with_capacity(text.len());
    for line in text.lines() {
        match line.strip_prefix(MARK).and_then(|_| new.next()) {
            Some(expectation) => rewritten += &format!("{MARK}{expectation}"),
            None => rewritten += line,
        }
        rewritten.push('\n');
    }
    rewritten
}

fn expectation(line: &str) -> Result<Expectation> {
    let mut words = line.split_whitespace();
    let check = match words.next() {
        Some("safety") => Check::Safety,
        Some("deadlock") => Check::Deadlock,
        Some("never") => Check::Never,
        Some("accept") => Check::Accept,
        Some("progress") => Check::Progress,
        Some(word) if word.starts_with("ltl:") => Check::Ltl(word["ltl:".len()..].to_owned()),
        _ => bail!("no check is named in `expect: {line}`"),
    };
    let violated = match words.next() {
        Some("holds") => false,
        Some("violated") => true,
        _ => bail!("neither `holds` nor `violated` in `expect: {line}`"),
    };
    let (mut fair, mut kinds) = (false, Vec::new());
    let (mut states, mut transitions) = (None, None);
    for word in words {
        match word.split_once('=') {
            None => kinds.push(word.to_owned()),
            Some(("fairness", "weak")) => fair = true,
            Some(("states", number)) => states = Some(number.parse()?),
            Some(("transitions", number)) => transitions = Some(number.parse()?),
            Some(_) => bail!("`{word}` means nothing in `expect: {line}`"),
        }
    }
    kinds.sort();
    Ok(Expectation {
        check,
        fair,
        answer: Answer { violated, kinds, size: states.zip(transitions) },
    })
}

impl fmt::Display for Expectation {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Expectation { check, fair, answer } = self;
        match check {
            Check::Safety => write!(out, "safety")?,
            Check::Deadlock => write!(out, "deadlock")?,
            Check::Never => write!(out, "never")?,
            Check::Ltl(name) => write!(out, "ltl:{name}")?,
            Check::Accept => write!(out, "accept")?,
            Check::Progress => write!(out, "progress")?,
        }
        write!(out, " {}", if answer.violated { "violated" } else { "holds" })?;
        for kind in &answer.kinds {
            write!(out, " {kind}")?;
        }
        if *fair {
            write!(out, " fairness=weak")?;
        }
        if let Some((states, transitions)) = answer.size {
            write!(out, " states={states} transitions={transitions}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A line is read, and written again as it was.
    fn check(line: &str) {
        let text = format!("/* A model.\n{MARK}{line}\n */\nint x;\n");
        let read = read(&text).expect("a header");
        assert_eq!(read.len(), 1);
        assert_eq!(rewrite(&text, &read), text);
    }

    fn check_error(text: &str, expected: &str) {
        assert_eq!(read(text).expect_err("a mistake").to_string(), expected);
    }

    #[test]
    fn every_check_is_read_and_written() {
        check("safety holds states=1306 transitions=4075");
        check("safety violated assertion deadlock states=7 transitions=9");
        check("deadlock violated");
        check("ltl:enters holds fairness=weak");
        check("never violated");
        check("accept holds");
        check("progress violated");
    }

    #[test]
    fn mistakes_are_found() {
        check_error("int x;\n", "the file does not begin with a comment");
        check_error(
            "/* A.\n * expect: love holds\n */\n",
            "no check is named in `expect: love holds`",
        );
        check_error(
            "/* A.\n * expect: safety\n */\n",
            "neither `holds` nor `violated` in `expect: safety`",
        );
        check_error(
            "/* A.\n * expect: safety holds edges=3\n */\n",
            "`edges=3` means nothing in `expect: safety holds edges=3`",
        );
    }
}

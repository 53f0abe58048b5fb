//! The differences that have a reason, as listed in `agree-known.tsv`.
//!
//! Four columns, separated by tabs: the question (`syntax`, `mutations`, `graphs`,
//! `random-graphs`, `counts`, `trails` or `*`), what the pattern is about, the pattern, the reason.
//! About `model`, the pattern is a glob on the
//! model's name (`*` is any text); about `spin`, `gcc`, `pan` or `pverify`, it is a regular
//! expression on the message with which that one rejects while the other side accepts. So a
//! reason why pverify is stricter can never excuse that it is more lenient. About `pan:W1112`, pan
//! rejects, and pverify must have said with that very warning that SPIN cannot run the model.

use std::path::Path;

use anyhow::{Context, bail};
use regex::Regex;

/// The committed list.
pub(crate) const DEFAULT_FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/agree-known.tsv");

/// One side accepts; this is the other one.
pub(crate) struct Difference<'a> {
    pub(crate) model: &'a str,
    pub(crate) rejected_by: &'a str,
    pub(crate) message: &'a str,
    /// The codes with which pverify said that SPIN cannot run it.
    pub(crate) warnings: &'a [String],
}

/// All reasons.
pub(crate) struct Known {
    entries: Vec<Entry>,
}

struct Entry {
    question: String,
    about: String,
    warning: Option<String>,
    pattern: Regex,
    reason: String,
}

impl Known {
    pub(crate) fn read(file: &Path) -> anyhow::Result<Known> {
        let text = std::fs::read_to_string(file)
            .with_context(|| format!("cannot read {}", file.display()))?;
        Known::parse(&text).with_context(|| format!("in {}", file.display()))
    }

    fn parse(text: &str) -> anyhow::Result<Known> {
        let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
        let entries = lines.map(entry).collect::<anyhow::Result<_>>()?;
        Ok(Known { entries })
    }

    /// Why this difference is as it should be, if somebody found out.
    pub(crate) fn reason(&self, question: &str, difference: &Difference<'_>) -> Option<&str> {
        let explains = |entry: &&Entry| {
            (entry.question == "*" || entry.question == question)
                && if entry.about == "model" {
                    entry.pattern.is_match(difference.model)
                } else {
                    let warned = |code| difference.warnings.contains(code);
                    entry.about == difference.rejected_by
                        && entry.pattern.is_match(difference.message)
                        && entry.warning.as_ref().is_none_or(warned)
                }
        };
        self.entries.iter().find(explains).map(|entry| entry.reason.as_str())
    }
}

fn entry(line: &str) -> anyhow::Result<Entry> {
    let columns: Vec<&str> = line.split('\t').collect();
    let [question, about, pattern, reason] = columns[..] else {
        bail!("expected 4 columns (question, about, pattern, reason) in: {line}");
    };
    let (about, warning) = match about.split_once(':') {
        Some((about, warning)) => (about, Some(warning.to_owned())),
        None => (about, None),
    };
    let pattern = match about {
        "model" => glob(pattern)?,
        "spin" | "gcc" | "pan" | "pverify" => Regex::new(pattern)?,
        _ => bail!("a pattern is about model, spin, gcc, pan or pverify, not {about}: {line}"),
    };
    if reason.trim().is_empty() {
        bail!("a reason is missing: {line}");
    }
    Ok(Entry {
        question: question.to_owned(),
        about: about.to_owned(),
        warning,
        pattern,
        reason: reason.to_owned(),
    })
}

fn glob(pattern: &str) -> anyhow::Result<Regex> {
    let parts: Vec<String> = pattern.split('*').map(regex::escape).collect();
    Ok(Regex::new(&format!("^{}$", parts.join(".*")))?)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIST: &str = "# comment\nsyntax\tmodel\tmicro/c*.pml\tembedded C\nmutations\tspin\tsaw '.*fi'\tSPIN's bug\n*\tpan:W1112\tloop\tidle\n";

    fn check(
        question: &str,
        model: &str,
        rejected_by: &str,
        message: &str,
        expected: Option<&str>,
    ) {
        let known = Known::parse(LIST).expect("a well-formed list");
        let difference = Difference { model, rejected_by, message, warnings: &[] };
        assert_eq!(known.reason(question, &difference), expected);
    }

    #[test]
    fn finds_the_reason() {
        check("syntax", "micro/ccode.pml", "pverify", "no", Some("embedded C"));
        check("syntax", "micro/accode.pml", "pverify", "no", None);
        check("mutations", "m", "spin", "saw 'keyword: fi'", Some("SPIN's bug"));
        check("mutations", "m", "pverify", "saw 'keyword: fi'", None);
        check("graphs", "micro/ccode.pml", "pverify", "no", None);
    }

    #[test]
    fn a_reason_can_ask_for_a_warning() {
        let known = Known::parse(LIST).expect("a well-formed list");
        let warned = |warnings: &[String]| {
            let difference =
                Difference { model: "m", rejected_by: "pan", message: "self-loop", warnings };
            known.reason("mutations", &difference).map(str::to_owned)
        };
        assert_eq!(warned(&["W1112".to_owned()]).as_deref(), Some("idle"));
        assert_eq!(warned(&["W1113".to_owned()]), None);
        assert_eq!(warned(&[]), None);
    }

    #[test]
    fn refuses_a_bad_list() {
        assert!(Known::parse("syntax\tmodel\tx\n").is_err());
        assert!(Known::parse("syntax\tnobody\tx\treason\n").is_err());
        assert!(Known::parse("syntax\tspin\t(\treason\n").is_err());
    }
}

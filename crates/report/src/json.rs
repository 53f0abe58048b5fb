//! The one object that `--format json` prints, by command, and diagnostics in it.
//!
//! The names of members are a contract with whoever reads them: members are added, never renamed.

use crate::answers::Answered;
use crate::declarations::Declarations;
use crate::diagnostics::expansion_kind;
use crate::order::by_place;
use crate::trace::Story;
use pverify_syntax::diagnostic::{Diagnostic, Severity};
use pverify_syntax::source::{Sources, Span};
use serde_json::{Map, Value, json};

/// Of more diagnostics, the rest is only counted: a model of nonsense has one a word.
const MOST_DIAGNOSTICS: usize = 1000;

/// What a run has to say, as far as it came.
#[derive(Debug, Default)]
pub struct Answer<'a> {
    /// The version of pverify.
    pub version: &'a str,
    /// The file as the person named it.
    pub file: &'a str,
    /// What the file declares, where it could be read.
    pub declares: Option<&'a Declarations>,
    /// The answers to its checks.
    pub checks: &'a [Answered],
    /// What is wrong with it, and the files it stands in.
    pub diagnostics: Option<(&'a [Diagnostic], &'a Sources)>,
    /// Why nothing was verified.
    pub error: Option<&'a str>,
}

impl Answer<'_> {
    /// The object, on lines that a person can read too.
    pub fn to_json(&self) -> String {
        let diagnostics = self.diagnostics.map_or_else(
            || Value::Array(Vec::new()),
            |(diagnostics, sources)| diagnostics_to_json(diagnostics, sources),
        );
        let left_out = self
            .diagnostics
            .map_or(0, |(diagnostics, _)| diagnostics.len().saturating_sub(MOST_DIAGNOSTICS));
        let mut answer = json!({
            "pverify": self.version,
            "file": self.file,
            "checks": null,
            "declares": self.declares.map(Declarations::to_json),
            "diagnostics": diagnostics,
            "diagnostics_left_out": left_out,
            "error": self.error,
        });
        // The macro would copy them, counterexamples and all.
        answer["checks"] = self.checks.iter().map(Answered::to_json).collect();
        format!("{answer:#}\n")
    }
}

/// What `replay` shows.
#[derive(Debug)]
pub struct Replayed<'a> {
    /// The version of pverify.
    pub version: &'a str,
    /// The model as the person named it.
    pub file: &'a str,
    /// The counterexample as the person named it.
    pub trace_file: &'a str,
    /// The run.
    pub story: &'a Story,
}

impl Replayed<'_> {
    /// The object, on lines that a person can read too.
    pub fn to_json(&self) -> String {
        let mut answer = json!({
            "pverify": self.version, "file": self.file, "trace_file": self.trace_file,
            "trace": null,
        });
        answer["trace"] = self.story.to_json();
        format!("{answer:#}\n")
    }
}

/// What `simulate` shows.
#[derive(Debug)]
pub struct Simulated<'a> {
    /// The version of pverify.
    pub version: &'a str,
    /// The model as the person named it.
    pub file: &'a str,
    /// The seed of the random choices.
    pub seed: u64,
    /// Why the run ends.
    pub ended: &'a str,
    /// The run.
    pub story: &'a Story,
}

impl Simulated<'_> {
    /// The object, on lines that a person can read too.
    pub fn to_json(&self) -> String {
        let mut answer = json!({
            "pverify": self.version, "file": self.file, "seed": self.seed, "ended": self.ended,
            "trace": null,
        });
        answer["trace"] = self.story.to_json();
        format!("{answer:#}\n")
    }
}

/// Diagnostics by place, as data; errors are kept before warnings where there are too many.
pub(crate) fn diagnostics_to_json(diagnostics: &[Diagnostic], sources: &Sources) -> Value {
    by_place(diagnostics, sources, MOST_DIAGNOSTICS)
        .into_iter()
        .map(|diagnostic| diagnostic_to_json(diagnostic, sources))
        .collect()
}

fn diagnostic_to_json(diagnostic: &Diagnostic, sources: &Sources) -> Value {
    let severity = match diagnostic.code.severity() {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    let labels: Vec<_> = diagnostic
        .labels
        .iter()
        .map(|label| with_place(sources, label.span, json!({ "text": label.text })))
        .collect();
    let expansions: Vec<_> = sources
        .trace(diagnostic.span)
        .map(|expansion| {
            let what = json!({ "kind": expansion_kind(expansion.kind), "name": &*expansion.name });
            with_place(sources, expansion.call, what)
        })
        .collect();
    let what = json!({
        "code": diagnostic.code.id,
        "severity": severity,
        "title": diagnostic.code.title,
        "message": diagnostic.message,
        "here": diagnostic.here,
        "labels": labels,
        "expansions": expansions,
        "help": diagnostic.help,
    });
    with_place(sources, diagnostic.span, what)
}

/// An object with the members that say where: file, line, column, and the same of the end.
fn with_place(sources: &Sources, span: Span, object: Value) -> Value {
    let start = sources.position(span);
    let end = sources.position(Span { start: span.end.max(span.start), ..span });
    let mut members = match object {
        Value::Object(members) => members,
        _ => Map::new(),
    };
    members.insert("file".into(), json!(sources.file(span.file).name));
    members.insert("line".into(), json!(start.line));
    members.insert("column".into(), json!(start.column));
    members.insert("end_line".into(), json!(end.line));
    members.insert("end_column".into(), json!(end.column));
    Value::Object(members)
}

#[cfg(test)]
mod tests {
    use super::*;
    use pverify_syntax::diagnostic::Code;

    static ERROR: Code = Code { id: "E9998", title: "a test error", explanation: "" };

    #[test]
    fn an_answer_without_a_verdict_says_why() {
        let mut sources = Sources::default();
        let file = sources.add_file("a.pml".into(), "byte ä;\nbyte b;\n", None);
        let at = |start, end| Span { file, start, end, ..Span::default() };
        let error = Diagnostic::new(&ERROR, at(14, 15), "twice")
            .here("again")
            .label(at(5, 7), "first")
            .help("rename one");
        let answer = Answer {
            version: "0.1.0",
            file: "a.pml",
            diagnostics: Some((&[error], &sources)),
            error: Some("it has errors"),
            ..Answer::default()
        };
        let value: Value = serde_json::from_str(&answer.to_json()).expect("it is JSON");
        assert_eq!(
            value,
            json!({
                "pverify": "0.1.0",
                "file": "a.pml",
                "checks": [],
                "declares": null,
                "error": "it has errors",
                "diagnostics_left_out": 0,
                "diagnostics": [{
                    "code": "E9998", "severity": "error", "title": "a test error",
                    "message": "twice", "here": "again", "help": "rename one",
                    "file": "a.pml", "line": 2, "column": 6, "end_line": 2, "end_column": 7,
                    "expansions": [],
                    "labels": [{
                        "text": "first", "file": "a.pml",
                        "line": 1, "column": 6, "end_line": 1, "end_column": 7,
                    }],
                }],
            })
        );
    }
}

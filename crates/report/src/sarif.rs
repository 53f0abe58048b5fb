//! Answers as SARIF 2.1.0, which code scanners and editors show beside the source: a result for each
//! violation, with its counterexample as a flow, for each error and warning of the model, and for each
//! check that came to no end. What holds has no result, as nothing is to be mended; what is not known
//! also makes the run an unsuccessful one.

use crate::answers::Answered;
use crate::json::Answer;
use crate::kinds::{self, KINDS, Kind};
use crate::order::by_place;
use crate::trace::{Story, StoryStep};
use pverify_syntax::diagnostic::{Diagnostic, Severity};
use pverify_syntax::source::{Sources, Span};
use serde_json::{Value, json};
use std::fmt::Write as _;

/// Of more diagnostics, errors are kept.
const MOST_DIAGNOSTICS: usize = 1000;

/// The document.
pub fn to_sarif(answer: &Answer<'_>) -> String {
    let mut rules: Vec<Value> =
        KINDS.iter().filter(|kind| kind.name != "holds").map(rule_of_kind).collect();
    let mut results = Vec::new();
    if let Some((diagnostics, sources)) = answer.diagnostics {
        for diagnostic in by_place(diagnostics, sources, MOST_DIAGNOSTICS) {
            let rule = rule_of_code(diagnostic);
            if !rules.contains(&rule) {
                rules.push(rule);
            }
            results.push(result_of_diagnostic(diagnostic, sources));
        }
    }
    let sources = answer.diagnostics.map(|(_, sources)| sources);
    let shown = answer.checks.iter().filter(|check| check.verdict != "holds");
    results.extend(shown.map(|check| result_of_check(check, answer.file, sources)));
    for result in &mut results {
        let place = rules.iter().position(|rule| rule["id"] == result["ruleId"]);
        result["ruleIndex"] = json!(place);
    }
    let notes = notifications(answer);
    let mut document = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "pverify",
                "semanticVersion": answer.version,
                "rules": rules,
            }},
            "columnKind": "unicodeCodePoints",
            "invocations": [{
                "executionSuccessful": notes.is_empty(),
                "toolExecutionNotifications": notes,
            }],
            "results": null,
        }],
    });
    // The macro would copy them, counterexamples and all.
    document["runs"][0]["results"] = Value::Array(results);
    format!("{document:#}\n")
}

/// What keeps the run from having answered everything.
fn notifications(answer: &Answer<'_>) -> Vec<Value> {
    let open = answer.checks.iter().filter(|check| check.verdict == "inconclusive");
    let note = |level: &str, text: &str| json!({ "level": level, "message": { "text": text } });
    let mut notes: Vec<_> = open.map(|check| note("warning", &headline(check))).collect();
    notes.extend(answer.error.map(|why| note("error", why)));
    notes
}

fn rule_of_kind(kind: &Kind) -> Value {
    json!({
        "id": id(kind),
        "shortDescription": { "text": kind.title },
        "help": { "text": kind.explanation },
    })
}

fn rule_of_code(diagnostic: &Diagnostic) -> Value {
    let code = diagnostic.code;
    // A text must not be empty.
    let or_else =
        |text: &'static str, other: &'static str| if text.is_empty() { other } else { text };
    let title = or_else(code.title, code.id);
    json!({
        "id": code.id,
        "shortDescription": { "text": title },
        "help": { "text": or_else(code.explanation, title) },
    })
}

/// The name of a kind, without blanks.
fn id(kind: &Kind) -> String {
    let letter =
        |letter: char| if letter.is_alphanumeric() || letter == '_' { letter } else { '-' };
    let words: String = kind.name.chars().map(letter).collect();
    words.split('-').filter(|word| !word.is_empty()).collect::<Vec<_>>().join("-")
}

/// The kind of what is wrong: the fault, or what the check asks, or just that it is violated.
fn rule(check: &Answered) -> String {
    let fault = check.fault.filter(|_| check.verdict == "violated").and_then(kinds::named);
    let asked = || kinds::named(&check.check).filter(|_| check.verdict == "violated");
    let kind = fault.or_else(asked).or_else(|| kinds::named(check.verdict));
    kind.map_or_else(|| check.verdict.to_owned(), id)
}

/// The first line of an answer.
fn headline(check: &Answered) -> String {
    check.to_text(true).lines().next().unwrap_or_default().to_owned()
}

fn result_of_check(check: &Answered, file: &str, sources: Option<&Sources>) -> Value {
    // SARIF wants the level `none` for what has not failed, and `open` is its word for not knowing.
    let (kind, level) =
        if check.verdict == "violated" { ("fail", "error") } else { ("open", "none") };
    // Two models have two counterexamples, of which neither is a run of the file alone.
    let story = check.story.as_ref().filter(|_| check.comparison.is_none());
    let mut text = headline(check);
    for line in story.map_or(&[][..], |story| &story.waiting) {
        let _ = write!(text, "\n{line}");
    }
    for line in story.map_or(&[][..], |story| &story.help) {
        let _ = write!(text, "\nhelp: {line}");
    }
    let place = match (story.and_then(|story| story.steps.last()), sources) {
        (Some(step), Some(sources)) => place_of_step(step, sources),
        _ => json!({ "artifactLocation": { "uri": uri(file) } }),
    };
    let mut result = json!({
        "ruleId": rule(check),
        "kind": kind,
        "level": level,
        "message": { "text": text },
        "locations": [{ "physicalLocation": place }],
        "properties": { "check": check.check, "property": check.property },
    });
    if let (Some(story), Some(sources)) = (story.filter(|story| !story.steps.is_empty()), sources) {
        result["codeFlows"] = json!([{ "threadFlows": null }]);
        result["codeFlows"][0]["threadFlows"] = json!([{ "locations": steps(story, sources) }]);
    }
    result
}

/// The steps of a counterexample; those of its cycle matter most.
fn steps(story: &Story, sources: &Sources) -> Vec<Value> {
    let step = |(at, step): (usize, &StoryStep)| {
        let mut text = format!("{}({}): {}", step.process, step.pid, step.statement);
        if !step.changes.is_empty() {
            let _ = write!(text, "    [{}]", step.changes.join(", "));
        }
        if story.cycle_from == Some(at) {
            text += "    (from here on, it repeats for ever)";
        }
        let repeated = story.cycle_from.is_some_and(|from| at >= from);
        json!({
            "executionOrder": at + 1,
            "importance": if repeated { "essential" } else { "important" },
            "location": {
                "physicalLocation": place_of_step(step, sources),
                "message": { "text": text },
            },
        })
    };
    story.steps.iter().enumerate().map(step).collect()
}

fn place_of_step(step: &StoryStep, sources: &Sources) -> Value {
    json!({
        "artifactLocation": { "uri": uri(&sources.file(step.file).name) },
        "region": { "startLine": step.line },
    })
}

fn result_of_diagnostic(diagnostic: &Diagnostic, sources: &Sources) -> Value {
    let level = match diagnostic.code.severity() {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    let help = diagnostic.help.as_ref().map_or_else(String::new, |help| format!("\nhelp: {help}"));
    let related: Vec<_> = diagnostic
        .labels
        .iter()
        .map(|label| {
            let place = place_of_span(label.span, sources);
            json!({ "physicalLocation": place, "message": { "text": label.text } })
        })
        .collect();
    json!({
        "ruleId": diagnostic.code.id,
        "kind": "fail",
        "level": level,
        "message": { "text": format!("{}{help}", diagnostic.message) },
        "locations": [{ "physicalLocation": place_of_span(diagnostic.span, sources) }],
        "relatedLocations": related,
    })
}

fn place_of_span(span: Span, sources: &Sources) -> Value {
    let start = sources.position(span);
    let end = sources.position(Span { start: span.end.max(span.start), ..span });
    json!({
        "artifactLocation": { "uri": uri(&sources.file(span.file).name) },
        "region": {
            "startLine": start.line, "startColumn": start.column,
            "endLine": end.line, "endColumn": end.column,
        },
    })
}

/// A path as a reference: relative, unless it begins at the root.
fn uri(path: &str) -> String {
    let mut uri = String::from(if path.starts_with('/') { "file://" } else { "" });
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            let _ = write!(uri, "%{byte:02X}");
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_become_references() {
        assert_eq!(uri("models/a b.pml"), "models/a%20b.pml");
        assert_eq!(uri("/tmp/ä.pml"), "file:///tmp/%C3%A4.pml");
        assert_eq!(uri("<stdin>"), "%3Cstdin%3E");
    }

    #[test]
    fn what_is_not_known_is_no_success() {
        let verdict = |check: &str, verdict| Answered {
            check: check.to_owned(),
            verdict,
            ..Answered::default()
        };
        let checks = [verdict("safety", "holds"), verdict("ltl", "inconclusive")];
        let answer = |checks, error| Answer { file: "a.pml", checks, error, ..Answer::default() };
        let read = |answer: &Answer<'_>| -> Value {
            let document: Value = serde_json::from_str(&to_sarif(answer)).expect("it is JSON");
            document["runs"][0].clone()
        };
        let run = read(&answer(&checks, None));
        assert_eq!(run["results"].as_array().map(Vec::len), Some(1));
        assert_eq!(run["results"][0]["kind"], "open");
        assert_eq!(run["results"][0]["level"], "none");
        assert_eq!(run["results"][0]["ruleId"], "inconclusive");
        assert_eq!(run["invocations"][0]["executionSuccessful"], false);
        let run = read(&answer(&checks[..1], None));
        assert_eq!(run["results"], json!([]));
        assert_eq!(run["invocations"][0]["executionSuccessful"], true);
        let run = read(&answer(&[], Some("it has errors")));
        assert_eq!(run["invocations"][0]["executionSuccessful"], false);
    }
}

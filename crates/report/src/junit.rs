//! Answers as JUnit XML, which most servers for continuous integration show: a test suite for the
//! model, a test case a check. What is violated is a failure, what is not known an error, so that
//! neither passes for success.

use crate::answers::Answered;
use std::fmt::Write as _;

/// The document; `error` says why nothing was verified.
pub fn to_junit(file: &str, checks: &[Answered], error: Option<&str>) -> String {
    let count = |verdict| checks.iter().filter(|check| check.verdict == verdict).count();
    let (failures, open) = (count("violated"), count("inconclusive"));
    let tests = checks.len() + usize::from(error.is_some());
    let errors = open + usize::from(error.is_some());
    let seconds: f64 = checks.iter().map(|check| check.seconds).sum();
    let numbers =
        format!(r#"tests="{tests}" failures="{failures}" errors="{errors}" time="{seconds:.3}""#);
    let file = escaped(file);
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let _ = writeln!(text, "<testsuites name=\"pverify\" {numbers}>");
    let _ = writeln!(text, "  <testsuite name=\"{file}\" {numbers}>");
    for check in checks {
        let property = check.property.as_ref().map_or_else(String::new, |name| format!(" {name}"));
        let name = escaped(&format!("{}{property}", check.check));
        let case = format!("<testcase classname=\"{file}\" name=\"{name}\"");
        let _ = write!(text, "    {case} time=\"{:.3}\"", check.seconds);
        let told = check.to_text(false);
        let message = escaped(told.lines().next().unwrap_or_default());
        let element = match check.verdict {
            "holds" => {
                text += "/>\n";
                continue;
            }
            "violated" => "failure",
            _ => "error",
        };
        let kind = escaped(check.fault.unwrap_or(check.verdict));
        let _ = writeln!(text, ">\n      <{element} type=\"{kind}\" message=\"{message}\">");
        let _ = writeln!(text, "{}</{element}>\n    </testcase>", escaped(&told));
    }
    if let Some(why) = error {
        let _ = writeln!(text, "    <testcase classname=\"{file}\" name=\"model\" time=\"0.000\">");
        let _ = writeln!(text, "      <error type=\"model\" message=\"{}\"/>", escaped(why));
        text += "    </testcase>\n";
    }
    text + "  </testsuite>\n</testsuites>\n"
}

/// As XML has it; characters that it cannot have at all are replaced.
pub(crate) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            '\n' | '\t' => escaped.push(letter),
            '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            _ if letter.is_control() => escaped.push('\u{fffd}'),
            _ => escaped.push(letter),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answered(check: &str, verdict: &'static str, fault: Option<&'static str>) -> Answered {
        let reason = (verdict == "inconclusive").then(|| "a < b & \"c\"\u{1}".to_owned());
        Answered { check: check.to_owned(), verdict, fault, reason, ..Answered::default() }
    }

    #[test]
    fn nothing_but_holds_passes() {
        let checks = [
            answered("safety", "holds", None),
            answered("deadlock", "violated", Some("deadlock")),
            answered("ltl", "inconclusive", None),
        ];
        let text = to_junit("a<b>.pml", &checks, None);
        let suite = r#"<testsuite name="a&lt;b&gt;.pml" tests="3" failures="1" errors="1""#;
        assert!(text.contains(suite), "{text}");
        assert!(text.contains("name=\"safety\" time=\"0.000\"/>"), "{text}");
        assert!(text.contains("<failure type=\"deadlock\" message=\"deadlock: violated"), "{text}");
        let reason = "<error type=\"inconclusive\" message=\"ltl: inconclusive: a &lt; b &amp; \
                      &quot;c&quot;\u{fffd}\">";
        assert!(text.contains(reason), "{text}");
    }

    #[test]
    fn a_model_that_cannot_be_read_is_an_error() {
        let text = to_junit("a.pml", &[], Some("it has errors"));
        assert!(text.contains("tests=\"1\" failures=\"0\" errors=\"1\""), "{text}");
        assert!(text.contains("<error type=\"model\" message=\"it has errors\"/>"), "{text}");
    }
}

//! What the heads of models promise beside what was found: a table, and the same as JSON and as JUnit
//! XML.

use crate::answers::Answered;
use crate::excerpt::printable;
use crate::junit::escaped;
use pverify_verdict::expected::{Answer, Check, Expectation};
use serde_json::{Value, json};
use std::fmt::Write as _;

/// A promise, and what was found.
#[derive(Clone, Debug)]
pub struct Tested {
    /// The model.
    pub file: String,
    /// The promise.
    pub expectation: Expectation,
    /// What was found, or why it is not known.
    pub got: Result<Answer, String>,
    /// The answers of the searches that were made for it.
    pub answers: Vec<Answered>,
    /// Time it took.
    pub seconds: f64,
}

/// Everything that was tested.
#[derive(Debug)]
pub struct Tests<'a> {
    /// The version of pverify.
    pub version: &'a str,
    /// Every promise, by model.
    pub tested: &'a [Tested],
    /// Models that promise nothing.
    pub silent: &'a [String],
}

impl Tested {
    /// Whether the promise is kept; what is not known is no success.
    pub fn is_kept(&self) -> bool {
        let promised = &self.expectation.answer;
        let counted = |got: &Answer| promised.size.is_none() || promised.size == got.size;
        self.got.as_ref().is_ok_and(|got| {
            got.violated == promised.violated && got.kinds == promised.kinds && counted(got)
        })
    }

    /// What was found, in the words of a header.
    fn found(&self) -> String {
        match &self.got {
            Ok(answer) => answer.to_string(),
            Err(why) => format!("unknown: {}", plain(why)),
        }
    }

    /// The command that shows why.
    fn command(&self) -> String {
        let check = match &self.expectation.check {
            Check::Ltl(name) => format!("ltl --ltl {name}"),
            Check::Safety if self.expectation.answer.size.is_some() => "safety --all-errors".into(),
            check => check.to_string(),
        };
        let fairness = if self.expectation.fair { " --fairness weak" } else { "" };
        format!("pverify {} --check {check}{fairness}", plain(&self.file))
    }

    fn to_json(&self) -> Value {
        let answer = |answer: &Answer| {
            json!({
                "verdict": if answer.violated { "violated" } else { "holds" },
                "kinds": answer.kinds,
                "states": answer.size.map(|(states, _)| states),
                "transitions": answer.size.map(|(_, transitions)| transitions),
            })
        };
        json!({
            "file": self.file,
            "check": self.expectation.check.to_string(),
            "fairness": if self.expectation.fair { "weak" } else { "none" },
            "expected": answer(&self.expectation.answer),
            "got": self.got.as_ref().ok().map(answer),
            "reason": self.got.as_ref().err(),
            "as_expected": self.is_kept(),
            "seconds": self.seconds,
        })
    }

    fn to_junit(&self) -> String {
        let Expectation { check, fair, answer } = &self.expectation;
        let fairness = if *fair { " fairness=weak" } else { "" };
        let file = escaped(&self.file);
        let name = escaped(&format!("{check}{fairness}"));
        let case = format!("<testcase classname=\"{file}\" name=\"{name}\"");
        let mut text = format!("    {case} time=\"{:.3}\"", self.seconds);
        if self.is_kept() {
            return text + "/>\n";
        }
        let (element, kind) =
            if self.got.is_ok() { ("failure", "unexpected") } else { ("error", "unknown") };
        let message = escaped(&format!("expected {answer}, got {}", self.found()));
        let told: String = self.answers.iter().map(|answer| answer.to_text(false)).collect();
        let _ = writeln!(text, ">\n      <{element} type=\"{kind}\" message=\"{message}\">");
        let _ = writeln!(text, "{}</{element}>\n    </testcase>", escaped(&told));
        text
    }
}

impl Tests<'_> {
    /// Promises that are not kept.
    pub fn broken(&self) -> usize {
        self.tested.iter().filter(|one| !one.is_kept()).count()
    }

    /// The table, and a line that counts; with `quiet`, only what is not as expected.
    pub fn to_text(&self, quiet: bool) -> String {
        let mut rows = vec![["file", "check", "expected", "got", "time"].map(str::to_owned)];
        for one in self.tested.iter().filter(|one| !quiet || !one.is_kept()) {
            let fairness = if one.expectation.fair { " fairness=weak" } else { "" };
            rows.push([
                plain(&one.file),
                plain(&format!("{}{fairness}", one.expectation.check)),
                one.expectation.answer.to_string(),
                if one.is_kept() { "as expected".to_owned() } else { one.found() },
                format!("{:.2} s", one.seconds),
            ]);
        }
        let mut text = if rows.len() > 1 { table(&rows) } else { String::new() };
        for one in self.tested.iter().filter(|one| !one.is_kept()) {
            let _ = writeln!(text, "not as expected; to see why: {}", one.command());
        }
        for file in self.silent.iter().filter(|_| !quiet) {
            let _ = writeln!(text, "not tested, as its head expects nothing: {}", plain(file));
        }
        let _ = writeln!(
            text,
            "{}, {}, {} not as expected",
            count(self.models(), "model"),
            count(self.tested.len(), "expectation"),
            self.broken()
        );
        text
    }

    /// The object, on lines that a person can read too.
    pub fn to_json(&self) -> String {
        let tests: Vec<_> = self.tested.iter().map(Tested::to_json).collect();
        let answer = json!({
            "pverify": self.version,
            "tests": tests,
            "not_tested": self.silent,
            "not_as_expected": self.broken(),
        });
        format!("{answer:#}\n")
    }

    /// A test suite for each model, and a test case for each promise; what is not known is an error.
    pub fn to_junit(&self) -> String {
        let suite = |name: &str, tested: &[Tested]| {
            let unknown = tested.iter().filter(|one| one.got.is_err()).count();
            let broken = tested.iter().filter(|one| !one.is_kept()).count();
            let seconds: f64 = tested.iter().map(|one| one.seconds).sum();
            format!(
                r#"name="{}" tests="{}" failures="{}" errors="{unknown}" time="{seconds:.3}""#,
                escaped(name),
                tested.len(),
                broken - unknown,
            )
        };
        let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        let _ = writeln!(text, "<testsuites {}>", suite("pverify test", self.tested));
        for model in self.tested.chunk_by(|one, next| one.file == next.file) {
            let _ = writeln!(text, "  <testsuite {}>", suite(&model[0].file, model));
            text.extend(model.iter().map(Tested::to_junit));
            text += "  </testsuite>\n";
        }
        text + "</testsuites>\n"
    }

    fn models(&self) -> usize {
        self.tested.chunk_by(|one, next| one.file == next.file).count()
    }
}

/// Columns as wide as their widest cell.
fn table(rows: &[[String; 5]]) -> String {
    let length = |cell: &String| cell.chars().count();
    let width = |column: usize| rows.iter().map(|row| length(&row[column])).max().unwrap_or(0);
    let widths: [usize; 5] = std::array::from_fn(width);
    let mut text = String::new();
    for row in rows {
        let cells: Vec<_> =
            row.iter().zip(widths).map(|(cell, width)| format!("{cell:<width$}")).collect();
        let _ = writeln!(text, "{}", cells.join("  ").trim_end());
    }
    text
}

fn count(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// Text that is safe to print, on one line.
fn plain(text: &str) -> String {
    text.replace('\n', " ").chars().map(printable).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(violated: bool, kinds: &[&str], size: Option<(u64, u64)>) -> Answer {
        Answer { violated, kinds: kinds.iter().map(ToString::to_string).collect(), size }
    }

    fn tested(promised: Answer, got: Result<Answer, String>) -> Tested {
        let expectation = Expectation { check: Check::Safety, fair: false, answer: promised };
        Tested { file: "a.pml".into(), expectation, got, answers: Vec::new(), seconds: 0.0 }
    }

    #[test]
    fn only_what_is_found_as_promised_is_kept() {
        let promised = || answer(true, &["assertion"], Some((3, 4)));
        let check = |got, kept| assert_eq!(tested(promised(), got).is_kept(), kept);
        check(Ok(promised()), true);
        check(Ok(answer(true, &["deadlock"], Some((3, 4)))), false);
        check(Ok(answer(true, &["assertion"], Some((3, 5)))), false);
        check(Ok(answer(true, &["assertion"], None)), false);
        check(Ok(answer(false, &[], Some((3, 4)))), false);
        check(Err("memory".into()), false);
        let loose = tested(answer(false, &[], None), Ok(answer(false, &[], Some((9, 9)))));
        assert!(loose.is_kept());
    }

    #[test]
    fn every_form_counts_what_is_not_as_expected() {
        let all = [
            tested(answer(false, &[], None), Ok(answer(false, &[], None))),
            tested(answer(false, &[], None), Ok(answer(true, &["assertion"], None))),
            tested(answer(false, &[], None), Err("a < b".into())),
        ];
        let tests = Tests { version: "0", tested: &all, silent: &["b.pml".into()] };
        let text = tests.to_text(false);
        assert!(text.ends_with("1 model, 3 expectations, 2 not as expected\n"), "{text}");
        assert!(text.contains("expects nothing: b.pml"), "{text}");
        assert!(!tests.to_text(true).contains("as expected  "), "{text}");
        let xml = tests.to_junit();
        let suite = "<testsuite name=\"a.pml\" tests=\"3\" failures=\"1\" errors=\"1\"";
        assert!(xml.contains(suite), "{xml}");
        assert!(xml.contains("got unknown: a &lt; b"), "{xml}");
        let value: Value = serde_json::from_str(&tests.to_json()).expect("it is JSON");
        assert_eq!(value["not_as_expected"], 2);
        assert_eq!(value["tests"][2]["got"], Value::Null);
        assert_eq!(value["tests"][2]["reason"], "a < b");
    }
}

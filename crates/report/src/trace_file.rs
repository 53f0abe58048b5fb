//! Our own form of a counterexample, as `--trace` saves it.
//!
//! Small on purpose: the steps by their names alone, and a fingerprint of the model they belong
//! to. What the steps do is not in the file; the semantics does them again.

use pverify_syntax::ast::Program;
use pverify_syntax::print;
use pverify_verdict::Move;
use serde_json::{Value, json};

/// The format, in the member `pverify_trace`; another number is refused.
const FORMAT: u64 = 1;

/// A counterexample in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceFile {
    /// The version of pverify that wrote it.
    pub version: String,
    /// The model's file as the person named it.
    pub file: String,
    /// The model's fingerprint.
    pub model: String,
    /// The kind of fault at its end.
    pub fault: String,
    /// The steps; a rendezvous is two.
    pub moves: Vec<Move>,
    /// The formula given beside the model, which is read again with it.
    pub formula: Option<String>,
    /// For an infinite run: the first step of those that are repeated.
    pub cycle_from: Option<usize>,
}

/// What tells a model from another: a hash of its text with macros and inlines written out, so
/// that comments and spaces do not matter and `-D` does. The same on every machine (64-bit FNV-1a).
pub fn fingerprint(program: &Program) -> String {
    let hash = print::program(program).bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("{hash:016x}")
}

impl TraceFile {
    /// As the text of the file.
    pub fn to_text(&self) -> String {
        let steps: Vec<_> = self.moves.iter().map(|step| json!([step.pid, step.edge])).collect();
        let mut file = json!({
            "pverify_trace": FORMAT, "pverify": self.version, "file": self.file,
            "model": self.model, "fault": self.fault, "steps": steps,
        });
        if let Some(formula) = &self.formula {
            file["ltl"] = json!(formula);
        }
        if let Some(from) = self.cycle_from {
            file["cycle_from"] = json!(from);
        }
        let mut text = file.to_string();
        text.push('\n');
        text
    }

    /// Reads the text of a file.
    ///
    /// # Errors
    /// With what is damaged or missing.
    pub fn parse(text: &str) -> Result<Self, String> {
        let value: Value = serde_json::from_str(text)
            .map_err(|error| format!("it is damaged or cut off: {error}"))?;
        match value.get("pverify_trace").map(Value::as_u64) {
            None => return Err("it is JSON, but not a counterexample of pverify".to_owned()),
            Some(Some(FORMAT)) => {}
            Some(_) => {
                return Err(format!(
                    "it has format {}, and this version of pverify reads format {FORMAT}",
                    value["pverify_trace"]
                ));
            }
        }
        let word = |name: &str| match value.get(name).and_then(Value::as_str) {
            Some(word) => Ok(word.to_owned()),
            None => Err(format!("it is damaged: there is no text `{name}`")),
        };
        let steps = value.get("steps").and_then(Value::as_array);
        let steps = steps.ok_or("it is damaged: there is no list `steps`")?;
        let step = |(at, step): (usize, &Value)| {
            let number = |part: usize| step.get(part).and_then(Value::as_u64);
            let pid = number(0).and_then(|pid| u8::try_from(pid).ok());
            let edge = number(1).and_then(|edge| u32::try_from(edge).ok());
            match (pid, edge, step.as_array().map(Vec::len)) {
                (Some(pid), Some(edge), Some(2)) => Ok(Move { pid, edge }),
                _ => Err(format!("it is damaged: step {} is not `[process, statement]`", at + 1)),
            }
        };
        let cycle_from = match value.get("cycle_from").map(Value::as_u64) {
            None => None,
            Some(Some(from)) if from <= steps.len() as u64 => Some(from as usize),
            Some(_) => return Err("it is damaged: its cycle begins nowhere".to_owned()),
        };
        let formula = value.get("ltl").and_then(Value::as_str).map(str::to_owned);
        Ok(Self {
            formula,
            cycle_from,
            version: word("pverify")?,
            file: word("file")?,
            model: word("model")?,
            fault: word("fault")?,
            moves: steps.iter().enumerate().map(step).collect::<Result<_, _>>()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pverify_model::load::load_text;

    fn check_fingerprint(one: &str, other: &str, equal: bool) {
        let [one, other] = [one, other].map(|text| fingerprint(&load_text(text).program));
        assert_eq!(one == other, equal);
    }

    fn check_refused(text: &str, part: &str) {
        let why = TraceFile::parse(text).expect_err("it is no trace");
        assert!(why.contains(part), "{why}");
    }

    #[test]
    fn a_fingerprint_is_of_what_the_model_says() {
        let model = "#define N 3\nbyte x = N; init { x = 1 }";
        check_fingerprint(model, "byte x = 3; /* three */\ninit {\n x = 1\n}", true);
        check_fingerprint(model, "byte x = 4; init { x = 1 }", false);
        check_fingerprint(model, "byte x = 3; init { x = 2 }", false);
        // The same on every machine and in every version of format 1.
        let same = fingerprint(&load_text("init { skip }").program);
        assert_eq!(same, "8ad62c25b5f37560");
    }

    #[test]
    fn what_is_written_is_read() {
        let file = TraceFile {
            version: "0.1.0".into(),
            file: "a \"b\".pml".into(),
            model: "0123456789abcdef".into(),
            fault: "assertion".into(),
            moves: vec![Move { pid: 0, edge: 7 }, Move { pid: 254, edge: u32::MAX }],
            formula: None,
            cycle_from: None,
        };
        assert_eq!(TraceFile::parse(&file.to_text()), Ok(file.clone()));
        let formula = Some("[] \"p\"".to_owned());
        let file = TraceFile { formula, cycle_from: Some(2), ..file };
        assert_eq!(TraceFile::parse(&file.to_text()), Ok(file));
    }

    #[test]
    fn damaged_files_are_refused() {
        let text = |steps: &str| {
            format!(
                r#"{{"pverify_trace":1,"pverify":"0","file":"a","model":"b","fault":"c","steps":{steps}}}"#
            )
        };
        assert!(TraceFile::parse(&text("[]")).is_ok());
        check_refused("", "cut off");
        check_refused(r#"{"pverify_trace":1,"steps""#, "cut off");
        check_refused("[1, 2]", "not a counterexample");
        check_refused(r#"{"pverify_trace":2}"#, "format 2");
        check_refused(r#"{"pverify_trace":"x"}"#, "format \"x\"");
        check_refused(r#"{"pverify_trace":1,"steps":[]}"#, "no text `pverify`");
        check_refused(r#"{"pverify_trace":1}"#, "no list `steps`");
        let beyond = text("[]").replace("}", r#","cycle_from":1}"#);
        check_refused(&beyond, "cycle begins nowhere");
        for steps in ["[1]", "[[1]]", "[[1,2,3]]", "[[256,1]]", "[[0,-1]]", "[[0,1.5]]"] {
            check_refused(&text(steps), "step 1 is not");
        }
    }
}

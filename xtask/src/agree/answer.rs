//! pverify's answer to a safety check, read from the JSON that it prints.
//!
//! Of what the contract fixes, `verdict`, `reason`, `states`, `transitions` and `complete` are
//! used, and `fault`, the kind of the first violation. Two further members make the comparison
//! sharper where they are there: `violations`, a list of objects with `kind` (all kinds that were
//! found, not just the first), and `errors`, how often something was violated in all (SPIN's
//! `errors: N`).

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, bail};
use serde_json::Value;

use super::figures::{Figures, Kind};
use super::process::{self, Cost};
use super::pverify::{Pverify, first_message};

/// The options under which the counts are SPIN's.
pub(crate) const RAW: [&str; 9] = [
    "--check",
    "safety",
    "--reduction",
    "none",
    "--threads",
    "1",
    "--all-errors",
    "--format",
    "json",
];

/// What pverify says of a model, and what it cost.
pub(crate) struct Answer {
    pub(crate) figures: Figures,
    pub(crate) cost: Cost,
    /// The length of a packed state.
    pub(crate) state_bytes: Option<u64>,
}

/// Asks for the raw search of `model`; `Err` inside has the words with which it refused.
pub(crate) fn ask(
    pverify: &Pverify,
    directory: &Path,
    model: &Path,
    flags: &[String],
    options: &[&str],
    limit: Duration,
) -> anyhow::Result<Result<Answer, String>> {
    let mut command = pverify.command(model, flags);
    let finished = process::run(command.args(options), directory, limit)?;
    let code = finished.status.and_then(|status| status.code());
    let said = || first_message(&finished.stderr);
    Ok(match code {
        Some(0 | 1 | 3) => match parse(&finished.stdout, code) {
            Ok((figures, state_bytes)) => Ok(Answer { figures, cost: finished.cost, state_bytes }),
            Err(error) => Err(format!("unreadable answer: {error:#}")),
        },
        Some(2) => Err(format!("refused: {}", said())),
        _ => Err(format!("crash ({}): {}", finished.ending(), said())),
    })
}

/// Reads the object; the exit status must say the same as the verdict.
fn parse(json: &str, code: Option<i32>) -> anyhow::Result<(Figures, Option<u64>)> {
    let answer: Value = serde_json::from_str(json).context("not JSON")?;
    let check = answer["checks"]
        .as_array()
        .and_then(|checks| checks.iter().find(|check| check["check"] == "safety"))
        .context("no check `safety`")?;
    let verdict = check["verdict"].as_str().context("no verdict")?;
    let status = match verdict {
        "holds" => 0,
        "violated" => 1,
        "inconclusive" => 3,
        other => bail!("unknown verdict `{other}`"),
    };
    if code != Some(status) {
        bail!("verdict `{verdict}` with exit status {code:?}");
    }
    let number = |name: &str| check[name].as_u64().with_context(|| format!("no `{name}`"));
    let violations = kinds(&check["violations"]);
    let violated = verdict == "violated";
    let kinds = match &violations {
        Some(kinds) => kinds.clone(),
        None if violated => {
            let first = check["fault"].as_str().or_else(|| check["reason"].as_str());
            first.map(Kind::of).into_iter().collect()
        }
        None => BTreeSet::new(),
    };
    let figures = Figures {
        states: number("states")?,
        transitions: number("transitions")?,
        errors: check["errors"].as_u64(),
        kinds,
        all_kinds: violations.is_some(),
        violated,
        complete: check["complete"].as_bool().unwrap_or(verdict != "inconclusive"),
    };
    Ok((figures, check["state_bytes"].as_u64()))
}

fn kinds(violations: &Value) -> Option<BTreeSet<Kind>> {
    let kind =
        |violation: &Value| violation["kind"].as_str().or_else(|| violation.as_str()).map(Kind::of);
    violations.as_array()?.iter().map(kind).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(members: &str, code: i32, expected: Option<&str>) {
        let json = format!(r#"{{"checks": [{{"check": "safety", {members}}}]}}"#);
        let read = parse(&json, Some(code)).ok().map(|(figures, _)| figures.to_string());
        assert_eq!(read.as_deref(), expected, "{json}");
    }

    #[test]
    fn reads_the_contract() {
        check(
            r#""verdict": "holds", "states": 3, "transitions": 4, "complete": true"#,
            0,
            Some("states=3 transitions=4 verdict=none"),
        );
        check(
            r#""verdict": "violated", "reason": "assertion violated at a.pml:3", "states": 3,
               "transitions": 4, "complete": true, "errors": 2"#,
            1,
            Some("states=3 transitions=4 verdict=assertion errors=2"),
        );
        check(
            r#""verdict": "violated", "reason": null, "fault": "deadlock", "states": 3,
               "transitions": 4, "complete": true"#,
            1,
            Some("states=3 transitions=4 verdict=invalid end state"),
        );
        check(
            r#""verdict": "violated", "violations": [{"kind": "deadlock"}, {"kind": "assertion"}],
               "states": 3, "transitions": 4, "complete": true"#,
            1,
            Some("states=3 transitions=4 verdict=assertion+invalid end state"),
        );
        check(
            r#""verdict": "inconclusive", "states": 3, "transitions": 4, "complete": false"#,
            3,
            Some("states=3 transitions=4 verdict=none (incomplete)"),
        );
    }

    #[test]
    fn refuses_what_contradicts_itself() {
        check(r#""verdict": "holds", "states": 3, "transitions": 4"#, 1, None);
        check(r#""verdict": "fine", "states": 3, "transitions": 4"#, 0, None);
        check(r#""verdict": "holds", "transitions": 4"#, 0, None);
    }
}

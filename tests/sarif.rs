//! What `--format sarif` prints is SARIF 2.1.0 as far as its readers depend on it: rules, kinds and
//! levels, and places that are lines of the files.

use serde_json::Value;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Runs pverify; the one run of the document, and the exit status.
fn run(words: &[&str]) -> (Value, Option<i32>) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pverify"));
    let ran = command.args(words).args(["--format", "sarif"]).current_dir(root()).output();
    let ran = ran.expect("pverify runs");
    let mut document: Value = serde_json::from_slice(&ran.stdout).expect("it is JSON");
    assert_eq!(document["version"], "2.1.0");
    assert_eq!(document["runs"].as_array().map(Vec::len), Some(1));
    (document["runs"][0].take(), ran.status.code())
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// A place is a file that there is, and a line of it.
fn check_place(location: &Value) {
    let place = &location["physicalLocation"];
    let uri = place["artifactLocation"]["uri"].as_str().expect("a place has a file");
    let path = uri.strip_prefix("file://").map_or_else(|| root().join(uri), PathBuf::from);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|why| panic!("{uri}: {why}"));
    let Some(region) = place.get("region") else { return };
    let line = region["startLine"].as_u64().expect("a region has a line");
    // A file may end before what is missing in it.
    assert!(line >= 1 && line as usize <= text.lines().count() + 1, "{uri}: line {line}");
}

/// Checks everything that must be true of any run; the rules of its results.
fn check(words: &[&str]) -> Vec<String> {
    let (run, status) = run(words);
    let driver = &run["tool"]["driver"];
    assert_eq!(driver["name"], "pverify");
    let rules = list(&driver["rules"]);
    let ids: HashSet<_> = rules.iter().filter_map(|rule| rule["id"].as_str()).collect();
    assert_eq!(ids.len(), rules.len(), "every rule has an identifier of its own");
    for rule in rules {
        for text in [&rule["shortDescription"]["text"], &rule["help"]["text"]] {
            assert!(text.as_str().is_some_and(|text| !text.is_empty()), "{rule}");
        }
    }
    let results = list(&run["results"]);
    for result in results {
        let at = result["ruleIndex"].as_u64().expect("a result has a rule") as usize;
        assert_eq!(rules[at]["id"], result["ruleId"], "{words:?}");
        assert!(result["message"]["text"].as_str().is_some_and(|text| !text.is_empty()));
        let fails = result["kind"] == "fail";
        assert!(fails || result["kind"] == "open", "{result}");
        assert_eq!(fails, result["level"] != "none", "{result}");
        list(&result["locations"]).iter().for_each(check_place);
        list(&result["relatedLocations"]).iter().for_each(check_place);
        for flow in list(&result["codeFlows"]) {
            let steps = list(&flow["threadFlows"][0]["locations"]);
            assert!(!steps.is_empty(), "{result}");
            for (at, step) in steps.iter().enumerate() {
                assert_eq!(step["executionOrder"], at + 1);
                check_place(&step["location"]);
            }
        }
    }
    let failed = results.iter().any(|result| result["properties"]["check"].is_string());
    let open = results.iter().any(|result| result["kind"] == "open");
    assert_eq!(failed, matches!(status, Some(1 | 3)), "{words:?}: {status:?}");
    let invocation = &run["invocations"][0];
    let unsuccessful = open || status == Some(2);
    assert_eq!(invocation["executionSuccessful"], !unsuccessful, "{words:?}");
    assert_eq!(list(&invocation["toolExecutionNotifications"]).is_empty(), !unsuccessful);
    results.iter().filter_map(|result| Some(result["ruleId"].as_str()?.to_owned())).collect()
}

#[test]
fn verdicts_are_results_with_rules_and_places() {
    let has = |words: &[&str], rule: &str| {
        let rules = check(words);
        assert!(rules.iter().any(|one| one == rule), "{words:?}: {rules:?}");
    };
    has(&["protocols/two-way-handshake.pml", "--check", "safety"], "assertion");
    has(&["protocols/connect-disconnect.pml", "--check", "deadlock"], "deadlock");
    has(&["protocols/peterson.pml"], "violated-formula");
    has(&["protocols/peterson.pml", "--check", "safety", "--depth", "2"], "inconclusive");
    has(&["protocols/connect-disconnect.pml", "--check", "unbounded"], "unbounded");
    has(&["tests/cli/test.in/bad/broken.pml"], "E0303");
    assert!(check(&["protocols/last-process.pml", "--check", "safety"]).is_empty());
    let compared = ["protocols/connect-disconnect.pml", "--check", "equivalence"];
    has(&[&compared[..], &["--against", "protocols/buffer.pml"]].concat(), "not-related");
}

#[test]
fn a_step_of_an_included_file_is_found_there() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text);
    write("all.pml", "#include \"one.pml\"\n").expect("a file");
    write("one.pml", "\n\n\nactive proctype P() {\n  assert(false)\n}\n").expect("a file");
    let model = folder.path().join("all.pml").display().to_string();
    assert_eq!(check(&[&model, "--check", "assert"]), ["assertion"]);
    let place =
        run(&[&model, "--check", "assert"]).0["results"][0]["locations"][0]["physicalLocation"]
            .take();
    let uri = place["artifactLocation"]["uri"].as_str().expect("a file");
    assert_eq!(Path::new(uri).file_name().and_then(|name| name.to_str()), Some("one.pml"));
    assert_eq!(place["region"]["startLine"], 5);
}

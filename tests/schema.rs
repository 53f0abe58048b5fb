//! What `--format json` prints is what the schema in `docs/json.schema.json` says: many commands on
//! many models, and a validator of the few words of JSON Schema that it uses.

use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Checks a value; the first thing that is wrong, with where it stands.
fn validate(root: &Value, schema: &Value, value: &Value, at: &str) -> Result<(), String> {
    let wrong = |why: String| Err(format!("{at}: {why}"));
    let Some(words) = schema.as_object() else { return wrong("the schema is no object".into()) };
    for (word, meaning) in words {
        match word.as_str() {
            "$ref" => {
                let pointer = meaning.as_str().unwrap_or_default().trim_start_matches('#');
                let Some(target) = root.pointer(pointer) else {
                    return wrong(format!("the schema has no {meaning}"));
                };
                validate(root, target, value, at)?;
            }
            "type" => {
                let types = meaning.as_array().cloned().unwrap_or_else(|| vec![meaning.clone()]);
                if !types.iter().any(|one| is_of_type(value, one.as_str().unwrap_or_default())) {
                    return wrong(format!("{value} is not {meaning}"));
                }
            }
            "enum" if !meaning.as_array().is_some_and(|all| all.contains(value)) => {
                return wrong(format!("{value} is none of {meaning}"));
            }
            "minimum" if value.as_f64() < meaning.as_f64() && value.is_number() => {
                return wrong(format!("{value} is less than {meaning}"));
            }
            "anyOf" => {
                let all = meaning.as_array().cloned().unwrap_or_default();
                let tried = all.iter().map(|one| validate(root, one, value, at));
                let mistakes: Vec<String> = tried.filter_map(Result::err).collect();
                if mistakes.len() == all.len() {
                    return wrong(mistakes.join("\n  or "));
                }
            }
            "items" => {
                for (place, item) in value.as_array().into_iter().flatten().enumerate() {
                    validate(root, meaning, item, &format!("{at}/{place}"))?;
                }
            }
            "properties" => {
                for (name, member) in value.as_object().into_iter().flatten() {
                    if let Some(schema) = meaning.get(name) {
                        validate(root, schema, member, &format!("{at}/{name}"))?;
                    } else if words.get("additionalProperties") == Some(&json!(false)) {
                        return wrong(format!("there is no member `{name}`"));
                    }
                }
            }
            "required" if value.is_object() => {
                let names = meaning.as_array().into_iter().flatten().filter_map(Value::as_str);
                for name in names {
                    if value.get(name).is_none() {
                        return wrong(format!("`{name}` is missing"));
                    }
                }
            }
            "pattern" => {
                assert_eq!(meaning, "^[EW][0-9]{4}$", "the only pattern there is");
                let text = value.as_str().unwrap_or_default();
                let digits = text.strip_prefix(['E', 'W']).unwrap_or_default();
                if digits.len() != 4 || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
                    return wrong(format!("{value} is no code"));
                }
            }
            "enum"
            | "minimum"
            | "required"
            | "additionalProperties"
            | "title"
            | "$schema"
            | "$defs" => {}
            other => return wrong(format!("`{other}` is not understood here")),
        }
    }
    Ok(())
}

fn is_of_type(value: &Value, name: &str) -> bool {
    match name {
        "string" => value.is_string(),
        "integer" => value.is_u64() || value.is_i64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        "null" => value.is_null(),
        _ => false,
    }
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn schema() -> Value {
    let text = std::fs::read_to_string(root().join("docs/json.schema.json")).expect("the schema");
    serde_json::from_str(&text).expect("the schema is JSON")
}

/// Runs pverify, and checks what it prints against a part of the schema.
fn check(schema: &Value, part: &str, words: &[&str]) -> Value {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pverify"));
    let ran = command.args(words).args(["--format", "json"]).current_dir(root()).output();
    let printed = ran.expect("pverify runs").stdout;
    let value: Value = serde_json::from_slice(&printed).unwrap_or_else(|error| {
        panic!("{words:?}: {error}\n{}", String::from_utf8_lossy(&printed))
    });
    let part = json!({ "$ref": format!("#/$defs/{part}") });
    for part in [schema, &part] {
        if let Err(why) = validate(schema, part, &value, "") {
            panic!("{words:?}: {why}");
        }
    }
    value
}

/// Models in a folder whose text is small.
fn models(folder: &str) -> Vec<String> {
    let entries = std::fs::read_dir(root().join(folder)).expect("the folder");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|file| file.extension().is_some_and(|ending| ending == "pml"));
    files.sort();
    files.iter().map(|file| file.display().to_string()).collect()
}

#[test]
fn every_answer_is_as_the_schema_says() {
    let schema = schema();
    let mut seen: Vec<String> = Vec::new();
    for model in
        models("protocols").into_iter().chain(models("tests/recorded").into_iter().step_by(8))
    {
        let limits = ["--memory", "200M", "--time-limit", "500ms"];
        let answer = check(&schema, "checked", &[&[model.as_str()], &limits[..]].concat());
        for one in answer["checks"].as_array().into_iter().flatten() {
            seen.push(format!("{} {}", one["check"], one["verdict"]).replace('"', ""));
        }
    }
    for wanted in ["safety violated", "safety holds", "ltl violated", "ltl holds", "never violated"]
    {
        assert!(seen.iter().any(|one| one == wanted), "{wanted} is not among {seen:?}");
    }
}

#[test]
fn so_are_other_checks_and_commands() {
    let schema = schema();
    let model = "protocols/connect-disconnect.pml";
    let checked = |words: &[&str]| check(&schema, "checked", &[&[model], words].concat());
    let unbounded = checked(&["--check", "unbounded"]);
    assert!(unbounded["checks"][0]["channels"].is_array(), "{unbounded}");
    let capacity = checked(&["--check", "capacity", "--time-limit", "5s"]);
    assert!(capacity["checks"][0]["capacities"].is_object(), "{capacity}");
    let finite = checked(&["--check", "finite", "--ltl", "[] !\"to_a!disconnect\""]);
    assert_eq!(finite["pverify"], env!("CARGO_PKG_VERSION"));
    let service = ["--check", "equivalence", "--against", "protocols/buffer.pml"];
    let compared = checked(&service);
    assert!(compared["checks"][0]["comparison"].is_object(), "{compared}");
    checked(&["--store", "bitstate"]);
    checked(&["--depth", "2"]);
    let folder = tempfile::tempdir().expect("a folder");
    let broken = folder.path().join("broken.pml");
    std::fs::write(&broken, "#define TWICE x = 1; x = 2\ninit { TWICE }").expect("a file");
    let missing = check(&schema, "checked", &[&broken.display().to_string()]);
    assert!(missing["error"].is_string(), "{missing}");
    check(&schema, "simulated", &["simulate", model, "--seed", "3", "--steps", "9"]);
    let trace = folder.path().join("a.trace").display().to_string();
    checked(&["--trace", &trace]);
    assert!(Path::new(&trace).is_file());
    check(&schema, "replayed", &["replay", model, &trace]);
    let tested = check(&schema, "tests", &["test", model, "tests/cli/test.in/models"]);
    assert_eq!(tested["not_tested"][0], "tests/cli/test.in/models/silent.pml");
    assert_eq!(tested["not_as_expected"], 2, "{tested}");
}

/// The validator itself finds mistakes.
#[test]
fn mistakes_are_found() {
    let schema = schema();
    let good = json!({
        "process": "P", "pid": 0, "line": 1, "statement": "skip", "changes": [], "atomic": false,
    });
    let step = json!({ "$ref": "#/$defs/step" });
    assert_eq!(validate(&schema, &step, &good, ""), Ok(()));
    for (name, bad) in [("pid", json!(-1)), ("line", json!("1")), ("changes", json!([1]))] {
        let mut wrong = good.clone();
        wrong[name] = bad;
        let found = validate(&schema, &step, &wrong, "").expect_err("a mistake");
        assert!(found.starts_with(&format!("/{name}")), "{found}");
    }
    let mut more = good.clone();
    more["love"] = json!(1);
    assert!(validate(&schema, &step, &more, "").is_err());
    let less = json!({ "process": "P" });
    assert!(validate(&schema, &step, &less, "").is_err());
}

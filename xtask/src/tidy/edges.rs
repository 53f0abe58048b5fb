//! Crate edges go one way: members are listed in dependency order, and each uses only those the
//! design allows it.

use super::Finding;
use super::files::SourceFile;
use toml::{Table, Value};

/// Who may use whom, in dependency order: what stands behind a crate may not be used by it.
///
/// `store → search → checks` and `report` are two branches that know nothing of each other and
/// meet in `cli`.
const CRATES: &[(&str, &[&str])] = &[
    ("syntax", &[]),
    ("model", &["syntax"]),
    ("semantics", &["syntax", "model"]),
    ("native", &["syntax", "model", "semantics"]),
    ("temporal", &["syntax", "model", "semantics"]),
    ("verdict", &["syntax", "model", "semantics", "temporal"]),
    ("store", &[]),
    ("search", &["syntax", "model", "semantics", "native", "temporal", "verdict", "store"]),
    (
        "checks",
        &["syntax", "model", "semantics", "native", "temporal", "verdict", "store", "search"],
    ),
    ("report", &["syntax", "model", "semantics", "temporal", "verdict"]),
    (
        "cli",
        &[
            "syntax",
            "model",
            "semantics",
            "native",
            "temporal",
            "verdict",
            "store",
            "search",
            "checks",
            "report",
        ],
    ),
];

const ROOT: &str = "Cargo.toml";

/// Checks the manifests of the workspace.
pub(crate) fn check(files: &[SourceFile]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in files.iter().filter(|file| is_manifest(&file.path)) {
        match file.text.parse::<Table>() {
            Ok(manifest) if file.path == ROOT => findings.extend(root(&manifest)),
            Ok(manifest) => findings.extend(member(&file.path, &manifest)),
            Err(error) => findings.push(Finding::new(&file.path, 0, error.message())),
        }
    }
    findings
}

fn is_manifest(path: &str) -> bool {
    path == ROOT || path == "xtask/Cargo.toml" || folder(path).is_some()
}

/// The folder of a crate: `syntax` of `crates/syntax/Cargo.toml`.
fn folder(path: &str) -> Option<&str> {
    path.strip_prefix("crates/")?.strip_suffix("/Cargo.toml")
}

/// The root: members in dependency order, and nothing but `cli` used by the program.
fn root(manifest: &Table) -> Vec<Finding> {
    let mut findings = Vec::new();
    let members = manifest
        .get("workspace")
        .and_then(|workspace| workspace.get("members"))
        .and_then(Value::as_array)
        .map(|members| members.iter().filter_map(Value::as_str).collect::<Vec<_>>())
        .unwrap_or_default();
    let mut last = None;
    for member in members {
        let rank = match member.strip_prefix("crates/") {
            Some(name) => CRATES.iter().position(|(known, _)| *known == name),
            None if member == "xtask" => Some(CRATES.len()),
            None => None,
        };
        match rank {
            None => findings.push(Finding::new(
                ROOT,
                0,
                format!(
                    "member `{member}` is not in tidy's list of crates (xtask/src/tidy/edges.rs)"
                ),
            )),
            Some(_) if rank <= last => findings.push(Finding::new(
                ROOT,
                0,
                format!("member `{member}` is listed behind a crate that may use it"),
            )),
            Some(_) => last = rank,
        }
    }
    for used in own_dependencies(manifest, &["dependencies", "build-dependencies"]) {
        if used != "cli" {
            let text = format!("the program uses `cli` only, not `{used}`");
            findings.push(Finding::new(ROOT, 0, text));
        }
    }
    findings
}

/// A member: it uses what stands before it, inherits the lints, and takes versions from the root.
fn member(path: &str, manifest: &Table) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut find = |text: String| findings.push(Finding::new(path, 0, text));
    if let Some(name) = folder(path) {
        let package = manifest.get("package").and_then(|package| package.get("name"));
        let expected = format!("pverify-{name}");
        if package.and_then(Value::as_str) != Some(&expected) {
            find(format!("the package in this folder must be called `{expected}`"));
        }
        match CRATES.iter().find(|(known, _)| *known == name) {
            None => find(format!("`{name}` is not in tidy's list of crates")),
            Some((_, allowed)) => {
                for used in own_dependencies(manifest, &ALL_KINDS) {
                    if !allowed.contains(&used.as_str()) {
                        find(format!("`{name}` may not use `{used}`"));
                    }
                }
            }
        }
    }
    for (name, value) in dependencies(manifest, &ALL_KINDS) {
        let inherited = value.get("workspace").and_then(Value::as_bool) == Some(true);
        if !inherited {
            find(format!("the version of `{name}` belongs in the root ({name}.workspace = true)"));
        }
    }
    let lints = manifest.get("lints").and_then(|lints| lints.get("workspace"));
    if lints.and_then(Value::as_bool) != Some(true)
        && !matches!(folder(path), Some("store" | "native"))
    {
        find("the lints of the workspace must be inherited ([lints] workspace = true)".to_owned());
    }
    findings
}

const ALL_KINDS: [&str; 3] = ["dependencies", "dev-dependencies", "build-dependencies"];

fn dependencies<'a>(
    manifest: &'a Table,
    kinds: &'a [&str],
) -> impl Iterator<Item = (&'a String, &'a Value)> {
    kinds.iter().filter_map(|kind| manifest.get(*kind)?.as_table()).flatten()
}

/// The crates of this project that a manifest uses, by folder.
fn own_dependencies(manifest: &Table, kinds: &[&str]) -> Vec<String> {
    dependencies(manifest, kinds)
        .filter_map(|(name, _)| name.strip_prefix("pverify-"))
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::files::file;
    use super::*;

    fn check_manifest(path: &str, text: &str, expected: &[&str]) {
        let found: Vec<_> = check(&[file(path, text)]).into_iter().map(|one| one.text).collect();
        assert_eq!(found.len(), expected.len(), "{found:?}");
        for (text, part) in found.iter().zip(expected) {
            assert!(text.contains(part), "{text} does not speak of {part}");
        }
    }

    fn check_member(name: &str, text: &str, expected: &[&str]) {
        let head = format!("[package]\nname = \"pverify-{name}\"\n[lints]\nworkspace = true\n");
        check_manifest(&format!("crates/{name}/Cargo.toml"), &format!("{head}{text}"), expected);
    }

    #[test]
    fn an_edge_the_wrong_way_is_found() {
        let uses = |name: &str| format!("[dependencies]\npverify-{name}.workspace = true\n");
        check_member("model", &uses("syntax"), &[]);
        check_member("syntax", &uses("model"), &["`syntax` may not use `model`"]);
        check_member("report", &uses("search"), &["`report` may not use `search`"]);
        check_member("search", &uses("report"), &["`search` may not use `report`"]);
        check_member("cli", &uses("checks"), &[]);
        let hidden = "[dev-dependencies]\npverify-cli.workspace = true\n";
        check_member("model", hidden, &["`model` may not use `cli`"]);
    }

    #[test]
    fn the_list_of_crates_is_itself_one_way() {
        for (at, (name, allowed)) in CRATES.iter().enumerate() {
            for used in *allowed {
                let before = CRATES[..at].iter().any(|(known, _)| known == used);
                assert!(before, "{name} uses {used}, which stands behind it");
            }
        }
    }

    #[test]
    fn versions_names_and_lints_are_checked() {
        check_member("model", "[dependencies]\nahash = \"0.8\"\n", &["the version of `ahash`"]);
        check_member("nonsense", "", &["not in tidy's list"]);
        let manifest = "[package]\nname = \"other\"\n";
        let path = "crates/model/Cargo.toml";
        check_manifest(path, manifest, &["must be called `pverify-model`", "lints"]);
        assert_eq!(check(&[file(path, "not = [toml")]).len(), 1);
    }

    #[test]
    fn members_stand_in_dependency_order() {
        let members = |list: &str| format!("[workspace]\nmembers = [{list}]\n");
        check_manifest(ROOT, &members("\"crates/syntax\", \"crates/model\", \"xtask\""), &[]);
        check_manifest(
            ROOT,
            &members("\"crates/model\", \"crates/syntax\""),
            &["`crates/syntax` is listed behind"],
        );
        check_manifest(ROOT, &members("\"crates/other\""), &["`crates/other` is not in tidy's"]);
        check_manifest(
            ROOT,
            "[dependencies]\npverify-model.workspace = true\n",
            &["uses `cli` only, not `model`"],
        );
    }
}

//! Random models whose counts SPIN told once: the first line of each says what to expect.
//!
//! `cargo xtask agree random --record tests/recorded` wrote them.

use std::path::Path;
use std::process::Command;

#[test]
fn counts_and_verdicts_are_those_of_spin() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/recorded");
    let mut unlike = Vec::new();
    let mut models = 0;
    for entry in std::fs::read_dir(folder).expect("the folder is part of the project") {
        let file = entry.expect("a readable folder").path();
        let text = std::fs::read_to_string(&file).expect("a readable model");
        let expected = text.lines().next().expect("a first line");
        let (found, violated) = search(&file);
        models += 1;
        let same_counts = expected.starts_with(&format!("// recorded: {found} "));
        if !same_counts || violated == expected.contains("verdict=none") {
            unlike.push(format!("{}\n  SPIN {expected}\n  pverify found {found}", file.display()));
        }
    }
    assert!(models >= 50, "only {models} models");
    assert!(unlike.is_empty(), "{} of {models} differ:\n{}", unlike.len(), unlike.join("\n"));
}

/// The counts as the first line of a recorded model has them, and whether something is violated.
fn search(file: &Path) -> (String, bool) {
    let output = Command::new(env!("CARGO_BIN_EXE_pverify"))
        .arg(file)
        .args(["--check", "safety", "--reduction", "none", "--threads", "1"])
        .args(["--all-errors", "--format", "json"])
        .output()
        .expect("pverify can be started");
    let json = String::from_utf8_lossy(&output.stdout);
    let number = |name: &str| {
        let after = json.split_once(&format!("\"{name}\":")).map_or("", |(_, after)| after);
        let digits = after.trim_start().chars().take_while(char::is_ascii_digit);
        digits.collect::<String>()
    };
    if !matches!(output.status.code(), Some(0 | 1)) {
        return (format!("no verdict: {}", String::from_utf8_lossy(&output.stderr)), false);
    }
    let counts = format!("states={} transitions={}", number("states"), number("transitions"));
    (counts, output.status.code() == Some(1))
}

//! A search that is killed or ends early goes on from its checkpoint, to the same counts.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const MODEL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/protocols/go-back-n.pml");

/// The line with states, transitions and so on, without the time.
const COUNTS: [&str; 5] = ["verdict", "states", "transitions", "matched", "complete"];

fn pverify(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pverify"));
    command.args([MODEL, "--check", "safety", "--format", "json"]).args(arguments);
    command
}

fn run(arguments: &[&str]) -> Output {
    pverify(arguments).output().expect("it runs")
}

/// The members of the answer that must be the same.
fn counts(output: &Output) -> Vec<String> {
    let text = String::from_utf8_lossy(&output.stdout);
    let member = |name: &str| {
        let line = text.lines().find(|line| line.trim().starts_with(&format!("\"{name}\":")));
        line.unwrap_or_else(|| panic!("no {name}: {text}")).trim().to_owned()
    };
    COUNTS.iter().map(|name| member(name)).collect()
}

/// A file that goes away with the test.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        Self(Path::new(env!("CARGO_TARGET_TMPDIR")).join(name))
    }

    fn path(&self) -> &str {
        self.0.to_str().expect("a path")
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

#[test]
fn a_search_that_ran_out_of_time_goes_on() {
    let all = counts(&run(&[]));
    for (before, after) in [("1", "1"), ("1", "2"), ("2", "1")] {
        let file = Scratch::new(&format!("time-{before}-{after}"));
        let stop = ["--time-limit", "1ms", "--checkpoint", file.path(), "--threads", before];
        assert_eq!(run(&stop).status.code(), Some(3));
        let rest = run(&["--resume", file.path(), "--threads", after]);
        assert_eq!(rest.status.code(), Some(0), "{rest:?}");
        assert_eq!(counts(&rest), all, "{before} threads, then {after}");
    }
}

#[test]
fn a_search_that_was_killed_goes_on() {
    let all = counts(&run(&[]));
    let file = Scratch::new("killed");
    let save = ["--checkpoint", file.path(), "--checkpoint-every", "1ms", "--threads", "1"];
    let mut child = pverify(&save).stdout(Stdio::null()).spawn().expect("it runs");
    while !file.0.exists() && child.try_wait().expect("a child").is_none() {
        std::thread::yield_now();
    }
    child.kill().expect("it can be killed");
    child.wait().expect("it ends");
    let rest = run(&["--resume", file.path()]);
    assert_eq!(counts(&rest), all, "{rest:?}");
    let _ = std::fs::remove_file(format!("{}.new", file.path()));
}

#[test]
fn a_file_that_is_cut_off_is_refused() {
    let file = Scratch::new("cut-off");
    run(&["--time-limit", "1ms", "--checkpoint", file.path()]);
    let bytes = std::fs::read(&file.0).expect("a checkpoint");
    std::fs::write(&file.0, &bytes[..bytes.len() / 2]).expect("written");
    let refused = run(&["--resume", file.path()]);
    assert_eq!(refused.status.code(), Some(2));
    let why = String::from_utf8_lossy(&refused.stderr);
    assert!(why.contains("damaged or not complete"), "{why}");
}

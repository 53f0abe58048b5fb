//! Ctrl-C during a search: a truthful report of what was seen, and the process goes when told twice.
//!
//! Nothing here waits for a time to pass. The kernel tells when the program listens to signals, and
//! it asks about them only after it has explored some thousand states.
#![cfg(target_os = "linux")]

use std::io::Read as _;
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Child, Command, Output, Stdio};

/// Far more states than anybody waits for; at BAD an assertion fails, which the search survives.
const MODEL: &str = "
int x, bad = BAD;
active [2] proctype Counter() {
    do
    :: x < 1000000000 -> x++; assert(x != bad)
    :: else -> break
    od
}
";

const SIGINT: i32 = 2;
const SIGTERM: i32 = 15;

fn start(folder: &tempfile::TempDir, bad: &str, flags: &[&str]) -> Child {
    let file = folder.path().join("counter.pml");
    std::fs::write(&file, MODEL).expect("a file that can be written");
    let mut child = Command::new(env!("CARGO_BIN_EXE_pverify"))
        .arg(file)
        .args(["-D", &format!("BAD={bad}"), "--check", "safety"])
        .args(flags)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("pverify can be started");
    while !is_listening(&child) {
        let gone = child.try_wait().expect("a child that can be waited for");
        assert!(gone.is_none(), "the search ended before it could be interrupted: {gone:?}");
        std::thread::yield_now();
    }
    child
}

/// Whether the program has taken SIGTERM, the last it takes, into its own hands.
fn is_listening(child: &Child) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id()));
    let status = status.unwrap_or_default();
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
    let caught = caught.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    caught.is_some_and(|mask| mask & (1 << (SIGTERM - 1)) != 0)
}

fn send(child: &Child, signal: i32) {
    let kill = format!("kill -{signal} {}", child.id());
    let sent = Command::new("sh").args(["-c", &kill]).status().expect("a shell");
    assert!(sent.success(), "the signal was not sent");
}

/// Interrupts a search. On a machine with much to do the signal may come before the search has
/// begun; then another try is made.
fn interrupted(signal: i32, bad: &str, flags: &[&str]) -> (Option<i32>, String) {
    let too_early = |text: &str| {
        text.starts_with("safety: inconclusive: interrupted before")
            || text.contains(r#""reason": "interrupted before"#)
    };
    let mut tries = (0..100).map(|_| interrupted_once(signal, bad, flags));
    tries.find(|(_, text)| !too_early(text)).expect("a search that has begun")
}

fn interrupted_once(signal: i32, bad: &str, flags: &[&str]) -> (Option<i32>, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let child = start(&folder, bad, flags);
    send(&child, signal);
    let Output { status, stdout, stderr } = child.wait_with_output().expect("an end");
    assert_eq!(String::from_utf8_lossy(&stderr), "");
    (status.code(), String::from_utf8_lossy(&stdout).into_owned())
}

#[test]
fn an_interrupted_search_says_what_it_saw() {
    for signal in [SIGINT, SIGTERM] {
        for flags in [&["--threads", "1"][..], &["--threads", "4"], &["--shortest"]] {
            let (status, text) = interrupted(signal, "0", flags);
            assert_eq!(status, Some(3), "{flags:?}: {text}");
            assert!(text.starts_with("safety: inconclusive: interrupted after "), "{text}");
            assert!(text.contains("nothing is known of"), "{text}");
        }
    }
}

#[test]
fn programs_are_told_too() {
    let (status, text) = interrupted(SIGINT, "0", &["--format", "json"]);
    assert_eq!(status, Some(3), "{text}");
    for part in [
        r#""verdict": "inconclusive""#,
        r#""reason": "interrupted after "#,
        r#""complete": false"#,
        r#""unreached": null"#,
    ] {
        assert!(text.contains(part), "{part} is not in {text}");
    }
}

#[test]
fn a_check_that_had_not_begun_says_so() {
    let (status, text) = interrupted(SIGINT, "0", &["--check", "deadlock"]);
    assert_eq!(status, Some(3), "{text}");
    assert!(text.ends_with("deadlock: inconclusive: interrupted before it began\n"), "{text}");
}

#[test]
fn what_was_found_before_is_reported() {
    let (status, text) = interrupted(SIGINT, "300", &["--all-errors", "--threads", "1"]);
    assert_eq!(status, Some(1), "{text}");
    assert!(text.starts_with("safety: violated after "), "{text}");
    assert!(text.contains("\n  there may be more: interrupted after "), "{text}");
}

#[test]
fn the_second_time_the_process_goes_at_once() {
    let folder = tempfile::tempdir().expect("a folder");
    // A report that does not fit into a pipe: the program waits for a reader.
    let flags = ["--all-errors", "--threads", "1", "--format", "json"];
    let mut child = start(&folder, "1000", &flags);
    send(&child, SIGINT);
    let mut first = [0];
    let mut stdout = child.stdout.take().expect("a pipe");
    stdout.read_exact(&mut first).expect("the report begins");
    send(&child, SIGINT);
    let status = child.wait().expect("an end");
    assert_eq!(status.signal(), Some(SIGINT), "{status:?}");
}

//! Input that no model is: an explained error and status 2, never a panic, never an endless loop.

use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::mpsc;
use std::time::Duration;

/// Far more than the slowest of these takes in a debug build: a guard against endless loops.
const LIMIT: Duration = Duration::from_secs(120);

/// Runs `pverify FILE` in a folder; a panic of the helper thread shows as a closed channel.
fn run(folder: &Path, file: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pverify"));
    command.arg(file).current_dir(folder).stdin(Stdio::null());
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || sender.send(command.output()));
    receiver.recv_timeout(LIMIT).expect("it ends in time").expect("pverify can be started")
}

/// The last of the files is given to pverify, which refuses it with each of these words.
fn refuses(files: &[(&str, &[u8])], expected: &[&str]) {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, bytes) in files {
        std::fs::write(folder.path().join(name), bytes).expect("a file");
    }
    let (given, _) = files.last().expect("a file is given");
    refuses_path(folder.path(), given, expected);
}

fn refuses_path(folder: &Path, given: &str, expected: &[&str]) {
    let output = run(folder, given);
    let said = String::from_utf8_lossy(&output.stderr);
    let start: String = said.chars().take(2000).collect();
    assert_eq!(output.status.code(), Some(2), "{given}\n{start}");
    assert!(!said.contains("panicked"), "{given}\n{start}");
    assert!(said.len() < 1_000_000, "{} bytes about {given}\n{start}", said.len());
    for words in expected.iter().chain(&[given]) {
        assert!(said.contains(words), "no {words:?} about {given}\n{start}");
    }
    assert!(said.to_lowercase().contains("help:"), "{given}\n{start}");
}

#[test]
fn macros_that_use_each_other() {
    refuses(
        &[("circle.pml", b"#define A B\n#define B A\ninit { A = 1 }\n")],
        &["E1001", "circle.pml:2:11", "`A` is not declared"],
    );
    refuses(
        &[("call.pml", b"#define F(x) F(F(x))\nbyte y;\ninit { y = F(1) }\n")],
        &["E0322", "`F` is neither a macro nor an inline"],
    );
    let mut doubling = String::new();
    for level in 0..64 {
        doubling += &format!("#define M{level} M{next} M{next}\n", next = level + 1);
    }
    doubling += "init { M0 }\n";
    refuses(&[("doubling.pml", doubling.as_bytes())], &["E0111"]);
}

#[test]
fn inlines_that_call_themselves() {
    refuses(&[("self.pml", b"inline f() { f() }\ninit { f() }\n")], &["E0205", "self.pml:1:14"]);
}

#[test]
fn files_that_include_each_other() {
    refuses(&[("itself.pml", b"#include \"itself.pml\"\ninit { skip }\n")], &["E0104"]);
    refuses(
        &[("b.h", b"#include \"a.pml\"\n"), ("a.pml", b"#include \"b.h\"\ninit { skip }\n")],
        &["E0104", "again and again"],
    );
}

#[test]
fn what_is_never_closed() {
    refuses(&[("comment.pml", b"init { skip }\n/* no end\n")], &["E0002", "comment.pml:2:1"]);
    refuses(&[("if.pml", b"#if 1\ninit { skip }\n")], &["E0105", "if.pml:1:1"]);
    refuses(&[("text.pml", b"init { printf(\"no end) }\n")], &["E0003", "text.pml:1:15"]);
    refuses(&[("brace.pml", b"init { skip\n")], &["E0303", "brace.pml"]);
}

#[test]
fn a_hundred_thousand_levels() {
    let deep = |open: &str, close: &str| {
        let levels = 100_000;
        format!("init {{ byte x; x = {}1{} }}\n", open.repeat(levels), close.repeat(levels))
    };
    refuses(&[("parentheses.pml", deep("(", ")").as_bytes())], &["E0010"]);
    refuses(&[("unclosed.pml", deep("(", "").as_bytes())], &["E0010"]);
    refuses(&[("negations.pml", deep("!", "").as_bytes())], &["E0010"]);
    refuses(&[("sum.pml", deep("1+", "").as_bytes())], &["E0307"]);
    let blocks = format!("init {{ {} skip {} }}\n", "{".repeat(100_000), "}".repeat(100_000));
    refuses(&[("blocks.pml", blocks.as_bytes())], &["E0010"]);
    let loops = format!("init {{ {} skip {} }}\n", "do :: ".repeat(100_000), "od ".repeat(100_000));
    refuses(&[("loops.pml", loops.as_bytes())], &["E0010"]);
}

#[test]
fn ten_megabytes() {
    let megabytes = 10 << 20;
    refuses(&[("letters.pml", "x".repeat(megabytes).as_bytes())], &["letters.pml:1:1"]);
    refuses(&[("zeros.pml", &vec![0; megabytes])], &["E0004", "zeros.pml:1:1"]);
    let comment = format!("/* {} */\ninit {{ x = }}\n", "all is well\n".repeat(megabytes / 12));
    refuses(&[("comment.pml", comment.as_bytes())], &["E0301"]);
    // Less of what is wrong at every word: a debug build has to read it as well.
    let words = "byte ; ".repeat(megabytes / 140);
    refuses(&[("words.pml", words.as_bytes())], &["E0301", "more"]);
    let lines = "init { skip }\n".to_owned() + &"goto x;\n".repeat(megabytes / 80);
    refuses(&[("lines.pml", lines.as_bytes())], &["E0319"]);
    let jumps = format!("init {{\n{}skip }}\n", "goto nowhere;\n".repeat(megabytes / 140));
    refuses(&[("jumps.pml", jumps.as_bytes())], &["E1020", "more"]);
}

#[test]
fn bytes_that_are_no_text() {
    refuses(&[("latin1.pml", b"byte gr\xfc\xdfe;\ninit { skip }\n")], &["W0009", "E0004"]);
    let random: Vec<u8> =
        (0..100_000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    refuses(&[("noise.pml", &random)], &["W0009"]);
    refuses(&[("utf16.pml", b"\xff\xfei\0n\0i\0t\0")], &["W0009", "E0004"]);
}

#[test]
fn nothing_to_run() {
    refuses(&[("empty.pml", b"")], &["is empty", "init { skip }"]);
    refuses(&[("blank.pml", b"  \n\n")], &["E1038", "no process runs from the start"]);
    refuses(&[("comments.pml", b"/* nothing */\n// at all\n")], &["E1038"]);
    refuses(&[("data.pml", b"byte x;\n")], &["E1038", "data.pml:1:1"]);
}

#[test]
fn what_is_no_file() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::create_dir(folder.path().join("models")).expect("a folder in it");
    refuses_path(folder.path(), "models", &["is a folder"]);
    refuses_path(folder.path(), "missing.pml", &["there is no file"]);
    refuses(
        &[("include.pml", b"#include \".\"\ninit { skip }\n")],
        &["include.pml:1:1", "include"],
    );
}

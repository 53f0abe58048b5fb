//! Rules about Rust: the first sentence, and words that belong to some crates only.

use super::Finding;
use super::code::{code_only, without_tests};
use super::files::SourceFile;

/// A word that may stand only in some places.
struct Banned {
    /// What is looked for, in code (not in comments or strings), at the start of a word.
    words: &'static [&'static str],
    /// Path prefixes under which it may stand.
    allowed: &'static [&'static str],
    /// Whether tests and benches may use it anyway.
    allowed_in_tests: bool,
    /// Why not.
    reason: &'static str,
}

const BANNED: &[Banned] = &[
    Banned {
        words: &["println!", "eprintln!", "print!", "eprint!", "stdout()", "stderr()"],
        allowed: &["crates/cli/", "xtask/"],
        allowed_in_tests: true,
        reason: "only cli and xtask print",
    },
    Banned {
        words: &["std::fs", "fs::", "File::open"],
        allowed: &["crates/cli/", "xtask/"],
        allowed_in_tests: true,
        reason: "only cli and xtask touch files",
    },
    Banned {
        words: &["std::env", "env::var", "env::args"],
        allowed: &["crates/cli/", "xtask/"],
        allowed_in_tests: true,
        reason: "only cli and xtask read the environment",
    },
    Banned {
        words: &["Instant::now", "SystemTime::now"],
        allowed: &["crates/cli/", "xtask/"],
        allowed_in_tests: true,
        reason: "only cli and xtask read clocks",
    },
    Banned {
        words: &["process::exit"],
        allowed: &[],
        allowed_in_tests: false,
        reason: "the exit status is decided in crates/cli/src/exit.rs, by returning",
    },
    Banned {
        words: &["serde_json::", "serde::"],
        allowed: &["crates/report/", "xtask/"],
        allowed_in_tests: true,
        reason: "only report serialises",
    },
    Banned {
        words: &["anyhow"],
        allowed: &["crates/cli/", "xtask/"],
        allowed_in_tests: false,
        reason: "libraries have error enums of their own",
    },
    Banned {
        words: &["unsafe"],
        allowed: &["crates/store/", "crates/native/src/machine.rs"],
        allowed_in_tests: false,
        reason: "unsafe is for crates/store and the calls of crates/native alone",
    },
    Banned {
        words: &["dbg!", "todo!", "unimplemented!"],
        allowed: &[],
        allowed_in_tests: false,
        reason: "unfinished work is not committed",
    },
    Banned {
        words: &["#[ignore"],
        allowed: &[],
        allowed_in_tests: false,
        reason: "tests run always",
    },
    Banned {
        words: &["thread::sleep"],
        // It waits for another program, which nothing else can tell the end of in time.
        allowed: &["xtask/src/agree/process.rs"],
        allowed_in_tests: false,
        reason: "nothing sleeps",
    },
];

/// Every rule about a file of Rust.
pub(crate) fn check(file: &SourceFile) -> Vec<Finding> {
    let mut findings: Vec<_> = first_sentence(file).into_iter().collect();
    let code = code_only(&file.text);
    let without_tests = if is_test(&file.path) { String::new() } else { without_tests(&code) };
    for banned in BANNED {
        if banned.allowed.iter().any(|prefix| file.path.starts_with(prefix)) {
            continue;
        }
        let code = if banned.allowed_in_tests { &without_tests } else { &code };
        for (at, line) in code.lines().enumerate() {
            for word in banned.words.iter().filter(|word| has_word(line, word)) {
                let text = format!("`{word}` may not stand here: {}", banned.reason);
                findings.push(Finding::new(&file.path, at + 1, text));
            }
        }
    }
    findings
}

/// A file opens with `//!` and a sentence.
fn first_sentence(file: &SourceFile) -> Option<Finding> {
    let doc: Vec<_> =
        file.text.lines().map_while(|line| line.strip_prefix("//!")).map(str::trim).collect();
    // The first sentence may run over several lines, up to the first empty one.
    let paragraph: Vec<_> = doc.into_iter().take_while(|line| !line.is_empty()).collect();
    let problem = match paragraph.last() {
        None => "the file must open with `//!` and one sentence that says what it is",
        Some(last) if !last.ends_with(['.', '?', '!', ':']) => {
            "the sentence at the head of the file must end like one"
        }
        Some(_) => return None,
    };
    Some(Finding::new(&file.path, 1, problem))
}

/// Tests of the program from outside, benches, and modules that hold nothing but tests.
fn is_test(path: &str) -> bool {
    path.split('/').any(|part| matches!(part, "tests" | "benches" | "tests.rs"))
}

/// Whether a word stands in a line and is not the end of a longer one.
fn has_word(line: &str, word: &str) -> bool {
    let part_of_name = |letter: char| letter.is_alphanumeric() || letter == '_';
    line.match_indices(word).any(|(at, _)| {
        let behind = &line[at + word.len()..];
        let starts = !line[..at].ends_with(part_of_name) || word.starts_with('#');
        let ends = !word.ends_with(part_of_name) || !behind.starts_with(part_of_name);
        starts && ends
    })
}

#[cfg(test)]
mod tests {
    use super::super::files::file;
    use super::*;

    fn check_rust(path: &str, text: &str, expected: &[(usize, &str)]) {
        let text = format!("//! A file.\n{text}");
        let found: Vec<_> =
            check(&file(path, &text)).into_iter().map(|one| (one.line, one.text)).collect();
        assert_eq!(found.len(), expected.len(), "{path}: {found:?}");
        for ((line, text), (expected_line, word)) in found.iter().zip(expected) {
            assert_eq!(line, expected_line);
            assert!(text.contains(word), "{text} does not speak of {word}");
        }
    }

    #[test]
    fn a_file_opens_with_a_sentence() {
        let first = |text| first_sentence(&file("a.rs", text)).map(|one| one.text);
        assert_eq!(first("//! Says it.\n"), None);
        assert_eq!(first("//! Says it over\n//! two lines.\n//!\n//! And more\n"), None);
        assert!(first("// Says it.\n").is_some());
        assert!(first("use x;\n//! Late.\n").is_some());
        assert!(first("//! no end\n").is_some());
        assert!(first("//!\n//! Late.\n").is_some());
    }

    #[test]
    fn each_banned_word_is_found() {
        for banned in BANNED {
            for word in banned.words {
                let text = format!("fn f() {{ {word} }}\n");
                let found = check(&file("crates/model/src/a.rs", &format!("//! A.\n{text}")));
                assert!(!found.is_empty(), "{word} is not found");
                for prefix in banned.allowed {
                    let path = format!("{prefix}src/a.rs");
                    let found = check(&file(&path, &format!("//! A.\n{text}")));
                    assert!(found.iter().all(|one| !one.text.contains(banned.reason)), "{word}");
                }
            }
        }
    }

    #[test]
    fn words_in_comments_strings_and_longer_words_pass() {
        check_rust("crates/model/src/a.rs", "// println!() is not for us\n", &[]);
        check_rust("crates/model/src/a.rs", "const A: &str = \"unsafe todo!\";\n", &[]);
        check_rust("crates/model/src/a.rs", "fn unsafely() { my_dbg!() }\n", &[]);
    }

    #[test]
    fn tests_may_read_files_but_not_be_skipped() {
        let text = "fn f() {}\n#[cfg(test)]\nmod tests {\n    #[ignore]\n    use std::fs;\n}\n";
        check_rust("crates/model/src/a.rs", text, &[(5, "#[ignore")]);
        check_rust("crates/model/tests/a.rs", "use std::fs;\n", &[]);
        check_rust("crates/model/src/a/tests.rs", "use std::fs;\nunsafe {}\n", &[(3, "unsafe")]);
        let behind = "#[cfg(test)]\nmod tests {\n}\nfn f() { println!() }\n";
        check_rust("crates/model/src/a.rs", behind, &[(5, "println!")]);
    }
}

//! What the documentation says is tried: every command, every link, and that no page is forgotten.
//!
//! Commands stand in `console` blocks: lines that begin with `$`, each with what it prints below. They
//! are run in a folder that has the files of `docs/models` and `protocols`. Times are not compared, and a
//! line `…` stands for any lines. `DOCS=overwrite cargo test --test docs` writes down what is printed;
//! then read the difference.

#![cfg(unix)]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::mpsc;
use std::time::Duration;

/// Far more than any command of a page should take in a debug build.
const LIMIT: Duration = Duration::from_secs(120);

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Every page for people, README first.
fn pages() -> Vec<PathBuf> {
    let mut pages = vec![root().join("README.md")];
    let mut folders = vec![root().join("docs")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("docs").map(|entry| entry.expect("docs")) {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                pages.push(path);
            }
        }
    }
    pages.sort();
    pages
}

/// A folder with all models, for one page: pages do not see each other's files.
fn folder(page: &Path) -> PathBuf {
    let name: String = page.display().to_string().replace(['/', '.'], "_");
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    let copy = |from: PathBuf, to: &Path| {
        std::fs::create_dir_all(to).expect("a folder");
        for entry in std::fs::read_dir(from).expect("models").map(|entry| entry.expect("models")) {
            std::fs::copy(entry.path(), to.join(entry.file_name())).expect("a copy");
        }
    };
    copy(root().join("docs/models"), &folder);
    copy(root().join("protocols"), &folder.join("protocols"));
    folder
}

/// What a command prints, errors too.
fn run(command: &str, folder: &Path) -> (String, Option<i32>) {
    let program = Path::new(env!("CARGO_BIN_EXE_pverify"));
    let places = std::env::var("PATH").unwrap_or_default();
    let places = format!("{}:{places}", program.parent().expect("a folder").display());
    let command = command.replace("cargo run --release -- ", "pverify ");
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("exec 2>&1; {command}")]).current_dir(folder).env("PATH", places);
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || sender.send(shell.output()));
    let output = receiver.recv_timeout(LIMIT);
    let output = output.unwrap_or_else(|_| panic!("{command} takes too long")).expect("a shell");
    (String::from_utf8_lossy(&output.stdout).into_owned(), output.status.code())
}

/// Without the time it took, and without blanks at the end of lines.
fn timeless(text: &str) -> Vec<String> {
    let line = |line: &str| match line.trim_end().rsplit_once(", ") {
        Some((before, time)) if is_time(time) => format!("{before}, … s"),
        _ => line.trim_end().to_owned(),
    };
    let lines: Vec<String> = text.lines().map(line).collect();
    let end = lines.iter().rposition(|line| !line.is_empty()).map_or(0, |last| last + 1);
    lines[..end].to_vec()
}

fn is_time(text: &str) -> bool {
    let number = text.strip_suffix(" s").unwrap_or_default();
    !number.is_empty() && number.chars().all(|letter| letter.is_ascii_digit() || letter == '.')
}

/// Whether lines are as expected, where `…` alone on a line stands for any.
fn fits(expected: &[String], found: &[String]) -> bool {
    match expected.split_first() {
        None => found.is_empty(),
        Some((line, rest)) if line.trim() == "…" => {
            (0..=found.len()).any(|skipped| fits(rest, &found[skipped..]))
        }
        Some((line, rest)) => found.first() == Some(line) && fits(rest, &found[1..]),
    }
}

#[test]
fn commands_print_what_the_pages_say() {
    let overwrite = std::env::var("DOCS").is_ok_and(|value| value == "overwrite");
    let mut wrong = Vec::new();
    let mut count = 0;
    for page in pages() {
        let text = std::fs::read_to_string(&page).expect("a page");
        let folder = folder(&page);
        let mut written = String::new();
        let mut lines = text.lines().peekable();
        let mut inside = false;
        while let Some(line) = lines.next() {
            let _ = writeln!(written, "{line}");
            if line.starts_with("```") {
                inside = !inside && line == "```console";
            }
            let Some(first) = line.strip_prefix("$ ").filter(|_| inside) else { continue };
            let mut command = first.to_owned();
            while command.ends_with('\\') {
                let next = lines.next().unwrap_or_default();
                let _ = writeln!(written, "{next}");
                command.pop();
                command += next.trim_start();
            }
            let mut expected = String::new();
            while let Some(next) = lines.next_if(|next| !next.starts_with("$ ") && *next != "```") {
                expected = expected + next + "\n";
            }
            let (found, _) = run(&command, &folder);
            count += 1;
            if fits(&timeless(&expected), &timeless(&found)) {
                written += &expected;
                continue;
            }
            for line in found.trim_end().lines() {
                let _ = writeln!(written, "{}", line.trim_end());
            }
            let page = page.display();
            wrong.push(format!("{page}: $ {command}\n--- says\n{expected}--- prints\n{found}"));
        }
        if overwrite && written != text {
            std::fs::write(&page, written).expect("a page");
        }
    }
    assert!(count > 0, "no command was found");
    assert!(wrong.is_empty() || overwrite, "{}", wrong.join("\n"));
}

/// Commands of blocks that do not say what they print must at least be good ones.
#[test]
fn commands_without_output_are_accepted() {
    let mut count = 0;
    for page in pages() {
        let text = std::fs::read_to_string(&page).expect("a page");
        let folder = folder(&page.join("sh"));
        for block in text.split("```sh\n").skip(1) {
            let block = block.split("```").next().unwrap_or_default().replace("\\\n", " ");
            let ours = |line: &&str| {
                line.starts_with("pverify ") || line.starts_with("cargo run --release -- ")
            };
            for command in block.lines().filter(ours) {
                let (found, status) = run(command, &folder);
                let is_good = status.is_some_and(|status| [0, 1, 3].contains(&status));
                assert!(is_good, "{}: {command}: {status:?}\n{found}", page.display());
                count += 1;
            }
        }
    }
    assert!(count > 0, "no command was found");
}

/// The places that a text links to: `](place)`. Formulas look like links, too, but have blanks.
fn links(text: &str) -> Vec<&str> {
    let links = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    links.filter(|link| !link.contains([' ', ':']) && !link.starts_with('#')).collect()
}

#[test]
fn links_lead_somewhere() {
    let more = ["ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "protocols/README.md"];
    let mut wrong = Vec::new();
    for page in pages().into_iter().chain(more.map(|name| root().join(name))) {
        let text = std::fs::read_to_string(&page).expect("a page");
        for link in links(&text) {
            let place = link.split('#').next().unwrap_or(link);
            if !page.parent().expect("a folder").join(place).exists() {
                wrong.push(format!("{}: {link}", page.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_page_is_in_the_summary() {
    let summary = std::fs::read_to_string(root().join("docs/SUMMARY.md")).expect("a summary");
    let chapters = links(&summary);
    let docs = root().join("docs");
    for page in pages().iter().filter_map(|page| page.strip_prefix(&docs).ok()) {
        let page = page.display().to_string();
        let is_there = page == "SUMMARY.md" || chapters.contains(&&*page);
        assert!(is_there, "docs/{page} is not in docs/SUMMARY.md");
    }
}

/// Whoever comes from SPIN finds every flag that `spin --help` and `pan --help` of 6.5.2 name, each in the
/// table of its program.
#[test]
fn every_flag_of_spin_has_a_line() {
    let page = std::fs::read_to_string(root().join("docs/from-spin.md")).expect("a page");
    let part = |from: &str, to: &str| {
        let behind = page.split(from).nth(1).expect("a heading");
        behind.split(to).next().expect("a part").to_owned()
    };
    let spin = "-A -a -B -b -C -c -d -D -E -e -f -F -g -h -i -I -J -j -k -L -l -M -m -N -n -O -o1 -o2 -o3 \
                -o4 -o5 -o6 -o7 -P -p -pp -q -r -replay -run -search -S1 -S2 -s -T -t -U -u -v -w -X -Y -Z -V";
    let search = "-bfs -bfspar -dfspar -bcs -bitstate -bit -biterate -swarm -link -collapse -noreduce -hc \
                  -noclaim -p_permute -p_rotate -p_reverse -rhash -ltl -safety -i -a -l";
    let pan = "-a -A -b -c -C -D -d -E -e -F -f -G -g -h -hash -I -i -J -k -L -l -M -m -N -n -P -p \
               -p_permute -p_reverse -p_rotate -Q -q -R -RS -r -rhash -S -T -t_reverse -tsuf -u -V -v -w -x -z";
    let tables = [
        (spin, part("## Flags of `spin`", "After `-run`")),
        (search, part("After `-run`", "## Flags of `pan`")),
        (pan, part("## Flags of `pan`", "What SPIN decides")),
    ];
    for (flags, table) in tables {
        // The first column alone: what pverify has instead does not count.
        let column: String = table.lines().filter_map(|line| line.split('|').nth(1)).collect();
        for flag in flags.split_whitespace() {
            assert!(column.contains(&format!("`{flag}")), "{flag} is missing");
        }
    }
}

#[test]
fn comparison_knows_times_and_left_out_lines() {
    let check = |expected: &str, found: &str, fit: bool| {
        assert_eq!(fits(&timeless(expected), &timeless(found)), fit, "{expected} / {found}");
    };
    check("a, 0.01 s\nb", "a, 12.34 s\nb\n\n", true);
    check("a\n…\nd", "a\nb\nc\nd", true);
    check("a\n…", "a", true);
    check("a\nb", "a", false);
    check("a, 1 states", "a, 2 states", false);
}

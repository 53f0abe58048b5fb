//! The pages that the browser looks at: reports of models of the gallery, and of two that are written
//! for it.

use anyhow::{Context as _, Result, ensure};
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// What each page is of; each of these answers is «violated».
const REPORTS: [(&str, &[&str]); 5] = [
    ("safety", &["protocols/alternating-bit-unchecked.pml", "--shortest"]),
    ("lasso", &["protocols/sliding-window.pml", "--check", "ltl", "--ltl", "[]<> (len(back) > 0)"]),
    ("unbounded", &["protocols/transfer-alternating-bit.pml", "--check", "unbounded"]),
    (
        "equivalence",
        &[
            "protocols/transfer-go-back-n.pml",
            "--check",
            "equivalence",
            "--against",
            "protocols/buffer.pml",
            "--observe",
            "put!_",
            "--observe",
            "get!_",
        ],
    ),
    ("stuck", &["tests/cli/beginner.in/rendezvous.pml"]),
];

/// Eight processes that hand a token round, each with steps of its own in between.
const LONG: &str = "\
chan link[8] = [1] of { byte };
byte rounds, held[8];
active [8] proctype Station() {
    byte token, mine;
    if
    :: _pid == 0 -> link[0]!0
    :: else
    fi;
    do
    :: link[_pid]?token;
        held[_pid] = token + 1;
        mine = mine + 1;
        mine = mine + held[_pid];
        if
        :: _pid == 0 -> rounds = rounds + 1; assert(rounds < 9)
        :: else
        fi;
        link[(_pid + 1) % 8]!token + 1
    od
}
";

/// Texts that would like to be something else.
const HOSTILE: &str = "\
#include \"<img src=x onerror=owned=1>.pml\"
chan c = [2] of { byte };
byte x;
active proctype P() { c!1; printf(\"</script><script>owned=1</script><b class=owned>\"); c!2; shown() }
active proctype Q() { byte y; c?y; c?y; x = y; assert(x < 2) }
";
const INCLUDED: &str = "inline shown() { printf(\"<!-- ${x} `]]> &lt; \\\" '\") }\n";

/// Names of which each alone is wider than a window.
const NAMES: &str = "\
mtype = { MESSAGE };
chan CHANNEL = [2] of { mtype, byte };
byte VARIABLE;
active proctype SENDER() { CHANNEL!MESSAGE(1); CHANNEL!MESSAGE(2); VARIABLE = 3 }
active proctype RECEIVER() { byte got; CHANNEL?MESSAGE(got); CHANNEL?MESSAGE(got); assert(VARIABLE != 3) }
";

/// A counterexample of 20,001 steps, and no shorter one.
const DEEP: &str = "\
chan line = [1] of { short };
short count;
active proctype Sender() { do :: count < 5000 -> line!count; count++ :: else -> assert(false) od }
active proctype Receiver() { short got; do :: line?got od }
";

/// Sixty processes, and what each says in another script.
const MANY: &str = "\
chan link[60] = [1] of { byte };
byte n;
active [60] proctype Station() {
    byte token;
    if
    :: _pid == 0 -> link[0]!0
    :: else
    fi;
    do
    :: link[_pid]?token; n = n + 1; printf(\"駅 %d\\n\", n); assert(n < 59); link[(_pid + 1) % 60]!token
    od
}
";

/// A folder of pages.
pub(super) struct Pages {
    folder: TempDir,
}

impl Pages {
    /// Asks pverify for all of them.
    pub(super) fn write(pverify: Option<&Path>) -> Result<Self> {
        let pverify = match pverify {
            Some(path) => std::fs::canonicalize(path)?,
            None => built()?,
        };
        let pages = Self { folder: tempfile::tempdir()? };
        let root = root();
        for (name, arguments) in REPORTS {
            pages.ask(&pverify, &root, name, "--report", arguments)?;
        }
        pages.ask(&pverify, &root, "chart", "--msc", REPORTS[0].1)?;
        let folder = pages.folder.path();
        std::fs::write(folder.join("long.pml"), LONG)?;
        std::fs::write(folder.join("<hostile> & 'quoted'.pml"), HOSTILE)?;
        std::fs::write(folder.join("<img src=x onerror=owned=1>.pml"), INCLUDED)?;
        let names = ["MESSAGE", "CHANNEL", "VARIABLE", "SENDER", "RECEIVER"];
        let long = |text: String, name: &str| text.replace(name, &name.to_lowercase().repeat(40));
        std::fs::write(folder.join("names.pml"), names.into_iter().fold(NAMES.to_owned(), long))?;
        std::fs::write(folder.join("deep.pml"), DEEP)?;
        std::fs::write(folder.join("many.pml"), MANY)?;
        for name in ["names", "deep", "many"] {
            pages.ask(&pverify, folder, name, "--report", &[&format!("{name}.pml")])?;
        }
        pages.ask(&pverify, folder, "long", "--report", &["long.pml"])?;
        pages.ask(&pverify, folder, "hostile", "--report", &["<hostile> & 'quoted'.pml"])?;
        Ok(pages)
    }

    fn ask(
        &self,
        pverify: &Path,
        at: &Path,
        name: &str,
        flag: &str,
        arguments: &[&str],
    ) -> Result<()> {
        let file = self.file(name);
        let answer = Command::new(pverify)
            .current_dir(at)
            .args(arguments)
            .args([flag, &file.to_string_lossy(), "--quiet", "--threads", "1"])
            .output()
            .with_context(|| format!("{} does not start", pverify.display()))?;
        ensure!(
            answer.status.code() == Some(1) && file.exists(),
            "{name}: {arguments:?} gives no page: {}{}",
            String::from_utf8_lossy(&answer.stdout),
            String::from_utf8_lossy(&answer.stderr)
        );
        Ok(())
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(format!("{name}.html"))
    }

    /// The address of a page.
    pub(super) fn page(&self, name: &str) -> String {
        format!("file://{}", self.file(name).display())
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The program, built from what is there.
fn built() -> Result<PathBuf> {
    let done = Command::new("cargo").current_dir(root()).args(["build", "--quiet"]).status()?;
    ensure!(done.success(), "pverify cannot be built");
    let own = std::env::current_exe()?;
    let folder = own.parent().context("no folder")?;
    let target = folder.parent().context("no folder")?;
    std::fs::canonicalize(target.join("debug/pverify")).context("pverify was not built")
}

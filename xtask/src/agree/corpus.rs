//! The models to ask about: the rows of `models.tsv`, and where each file is on this machine.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail};

use super::mutate::tokens;

/// Beside the project, not in it: the models belong to others.
pub(crate) const DEFAULT_FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/corpus");

/// Rows with this prefix come with Debian's package and are not in the folder.
const DEBIAN_PREFIX: &str = "debian+spin-6.5.2/";
const DEBIAN_FOLDER: &str = "/usr/share/doc/spin/examples";

/// The words that begin embedded C.
const EMBEDDED_C: [&str; 5] = ["c_code", "c_expr", "c_decl", "c_state", "c_track"];

/// One model, with the options that it needs.
#[derive(Clone, Debug)]
pub(crate) struct Model {
    /// The name in `models.tsv`.
    pub(crate) name: String,
    pub(crate) file: PathBuf,
    /// For SPIN: `-o7`, `-DN=3`.
    pub(crate) flags: Vec<String>,
}

/// All models that can be found, and the names of those that cannot.
pub(crate) struct Corpus {
    pub(crate) models: Vec<Model>,
    pub(crate) missing: Vec<String>,
    /// Holds the files that had to be unpacked.
    _unpacked: tempfile::TempDir,
}

impl Corpus {
    /// Reads `models.tsv` of `folder`, keeping the models whose name contains `only`.
    pub(crate) fn read(folder: &Path, only: Option<&str>) -> anyhow::Result<Corpus> {
        let table = folder.join("models.tsv");
        let text = std::fs::read_to_string(&table)
            .with_context(|| format!("no corpus: {} (choose with --corpus)", table.display()))?;
        let unpacked = tempfile::tempdir()?;
        let mut models = Vec::new();
        let mut missing = Vec::new();
        for (name, flags) in rows(&text) {
            if only.is_some_and(|part| !name.contains(part)) {
                continue;
            }
            match locate(folder, &name, unpacked.path())? {
                Some(file) => models.push(Model { name, file, flags }),
                None => missing.push(name),
            }
        }
        if models.is_empty() {
            bail!("no model of {} matches", table.display());
        }
        Ok(Corpus { models, missing, _unpacked: unpacked })
    }
}

impl Model {
    /// The text, with anything that is not UTF-8 replaced.
    pub(crate) fn text(&self) -> anyhow::Result<String> {
        Ok(String::from_utf8_lossy(&std::fs::read(&self.file)?).into_owned())
    }

    /// The text has one of the words that begin embedded C.
    pub(crate) fn has_embedded_c(&self) -> anyhow::Result<bool> {
        Ok(embeds_c(&self.text()?))
    }
}

/// As a whole word: `proc_state` is somebody's variable.
fn embeds_c(text: &str) -> bool {
    tokens(text).iter().any(|(start, end)| EMBEDDED_C.contains(&&text[*start..*end]))
}

/// Name and options of each row after the heading; further columns do not matter.
fn rows(text: &str) -> impl Iterator<Item = (String, Vec<String>)> {
    text.lines().skip(1).filter(|line| !line.is_empty()).map(|line| {
        let mut columns = line.split('\t');
        let name = columns.next().unwrap_or_default().to_owned();
        let flags = columns.next().unwrap_or_default();
        (name, flags.split_whitespace().map(str::to_owned).collect())
    })
}

/// Where the file is; a compressed one (Debian may compress documentation) is unpacked.
fn locate(folder: &Path, name: &str, unpacked: &Path) -> anyhow::Result<Option<PathBuf>> {
    let file = match name.strip_prefix(DEBIAN_PREFIX) {
        Some(inner) => Path::new(DEBIAN_FOLDER).join(inner),
        None => std::path::absolute(folder.join(name))?,
    };
    if file.is_file() {
        return Ok(Some(file));
    }
    let packed = PathBuf::from(format!("{}.gz", file.display()));
    if !packed.is_file() {
        return Ok(None);
    }
    let output = Command::new("gzip").arg("-dc").arg(&packed).output()?;
    if !output.status.success() {
        bail!("cannot unpack {}", packed.display());
    }
    let target = unpacked.join(name);
    std::fs::create_dir_all(target.parent().unwrap_or(unpacked))?;
    std::fs::write(&target, output.stdout)?;
    Ok(Some(target))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn embedded_c_is_a_whole_word() {
        assert!(embeds_c("init { c_code { x } }"));
        assert!(!embeds_c("mtype:proc_state s; /* c_code */"));
    }

    #[test]
    fn rows_have_names_and_options() {
        let text = "model\tspin_flags\tlines\na/b.pml\t\t3\nc.pml\t-DN=3 -DM=2\t9\n";
        let rows: Vec<_> = rows(text).collect();
        assert_eq!(rows[0], ("a/b.pml".to_owned(), vec![]));
        assert_eq!(rows[1].1, ["-DN=3", "-DM=2"]);
    }
}

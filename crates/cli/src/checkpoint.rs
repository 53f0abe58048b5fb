//! The file that a search is saved in: what it belongs to in lines of text, the numbers of a
//! snapshot, and a hash of all that (XXH3, 64 bits: the same on every machine).
//!
//! It is written beside and renamed when it is complete, so that a process that is killed while it
//! writes leaves the last one.

use anyhow::{Context as _, Result, bail};
use pverify_search::snapshot::Snapshot;
use std::fs::{self, File};
use std::io::{self, BufRead as _, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use xxhash_rust::xxh3::Xxh3;

/// The first line of every file; another number is another format.
const FIRST: &str = "pverify checkpoint 1";

/// What a search belongs to: files of others are refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Belonging {
    /// The fingerprint of the model.
    pub(crate) model: String,
    /// The check, and the settings that its answer depends on.
    pub(crate) settings: String,
}

impl Belonging {
    fn to_text(&self) -> String {
        let version = env!("CARGO_PKG_VERSION");
        let Self { model, settings } = self;
        format!("{FIRST}\nversion {version}\nmodel {model}\nsettings {settings}\n\n")
    }
}

/// Saves a search now and then.
#[derive(Debug)]
pub(crate) struct Keeper {
    path: PathBuf,
    belonging: Belonging,
    every: Duration,
    next: Instant,
    /// Why the last one could not be written.
    pub(crate) problem: Option<String>,
}

impl Keeper {
    pub(crate) fn new(path: PathBuf, belonging: Belonging, every: Duration) -> Self {
        Self { path, belonging, every, next: Instant::now() + every, problem: None }
    }

    /// Whether it is time.
    pub(crate) fn is_due(&self, now: Instant) -> bool {
        now >= self.next
    }

    /// Saves it. What goes wrong is told when the search is over: it does not end a search.
    pub(crate) fn save(&mut self, snapshot: &Snapshot<'_>) {
        let started = Instant::now();
        let written = write(&self.path, &self.belonging, |put| snapshot.write(put));
        self.problem = written.err().map(|error| {
            let path = self.path.display();
            format!(
                "--checkpoint: `{path}` could not be written: {error}\n\
                 help: an older one, if there is one, is still whole"
            )
        });
        // A tenth of the time at most is spent on it.
        let now = Instant::now();
        self.next = now + self.every.max((now - started) * 9);
    }
}

/// Writes a file whose numbers are given one by one.
fn write(
    path: &Path,
    belonging: &Belonging,
    numbers: impl FnOnce(&mut dyn FnMut(u64)),
) -> io::Result<()> {
    let beside = beside(path);
    let mut file = Hashing { file: BufWriter::new(File::create(&beside)?), hash: Xxh3::new() };
    let mut result = file.write(belonging.to_text().as_bytes());
    numbers(&mut |number| {
        if result.is_ok() {
            result = file.write(&number.to_le_bytes());
        }
    });
    let written = result.and_then(|()| file.finish()).and_then(|()| fs::rename(&beside, path));
    if written.is_err() {
        // It is of no use to anybody; that it cannot be removed either does not matter.
        let _ = fs::remove_file(&beside);
    }
    written
}

/// The file that is written, until it is complete.
fn beside(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".new");
    PathBuf::from(name)
}

/// A file, and the hash of what was written to it.
struct Hashing {
    file: BufWriter<File>,
    hash: Xxh3,
}

impl Hashing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.hash.update(bytes);
        self.file.write_all(bytes)
    }

    fn finish(mut self) -> io::Result<()> {
        self.file.write_all(&self.hash.digest().to_le_bytes())?;
        self.file.flush()?;
        self.file.get_ref().sync_all()
    }
}

/// The numbers of a file, one by one.
#[derive(Debug)]
pub(crate) struct Numbers(BufReader<File>);

impl Numbers {
    /// The next one; the file was found whole, so that there is one.
    pub(crate) fn take(&mut self) -> u64 {
        let mut bytes = [0; 8];
        if self.0.read_exact(&mut bytes).is_ok() { u64::from_le_bytes(bytes) } else { 0 }
    }
}

/// Opens a file that is whole and belongs to this search.
pub(crate) fn open(path: &Path, belonging: &Belonging) -> Result<Numbers> {
    let refuse = |why: &str, help: &str| {
        anyhow::anyhow!("--resume: `{}` {why}\nhelp: {help}", path.display())
    };
    let cannot = || refuse("cannot be read", "give the file that --checkpoint has written");
    let mut reader = BufReader::new(File::open(path).with_context(cannot)?);
    let mut lines = Vec::new();
    for _ in 0..5 {
        let mut line = Vec::new();
        reader.by_ref().take(1000).read_until(b'\n', &mut line).with_context(cannot)?;
        lines.push(String::from_utf8_lossy(line.strip_suffix(b"\n").unwrap_or(&line)).into_owned());
    }
    if !lines[0].starts_with("pverify checkpoint ") {
        bail!(refuse("is no checkpoint of pverify", "give the file that --checkpoint has written"));
    }
    let version = lines[1].strip_prefix("version ").unwrap_or("?");
    if lines[0] != FIRST || version != env!("CARGO_PKG_VERSION") {
        let why = format!("was written by another version of pverify ({version})");
        bail!(refuse(&why, "use that version, or begin anew"));
    }
    if !is_whole(path).with_context(cannot)? {
        bail!(refuse("is damaged or not complete", "use an older one, or begin anew"));
    }
    if lines[2].strip_prefix("model ") != Some(&belonging.model) {
        let help = "give the model and the -D that it was written with, or begin anew";
        bail!(refuse("belongs to another model, or to another text of this one", help));
    }
    let settings = lines[3].strip_prefix("settings ").unwrap_or("?");
    if settings != belonging.settings {
        let why = format!(
            "belongs to a search with other settings ({settings}; here: {})",
            belonging.settings
        );
        bail!(refuse(&why, "give the same, or begin anew"));
    }
    Ok(Numbers(reader))
}

/// Whether the hash at the end of a file is that of the rest.
fn is_whole(path: &Path) -> io::Result<bool> {
    let mut file = File::open(path)?;
    let Some(length) = file.metadata()?.len().checked_sub(8) else { return Ok(false) };
    let mut hash = Xxh3::new();
    io::copy(&mut Read::by_ref(&mut file).take(length), &mut Updating(&mut hash))?;
    let mut at_the_end = Vec::new();
    file.read_to_end(&mut at_the_end)?;
    Ok(at_the_end == hash.digest().to_le_bytes())
}

struct Updating<'h>(&'h mut Xxh3);

impl Write for Updating<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn belonging(model: &str, settings: &str) -> Belonging {
        Belonging { model: model.into(), settings: settings.into() }
    }

    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Self {
            let folder = format!("pverify-checkpoint-{name}-{}", std::process::id());
            let folder = std::env::temp_dir().join(folder);
            fs::create_dir_all(&folder).expect("a folder");
            Self(folder)
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    fn written(folder: &Folder) -> PathBuf {
        let path = folder.0.join("file");
        let put = |put: &mut dyn FnMut(u64)| (0..100).for_each(|number| put(number * number));
        write(&path, &belonging("m", "s"), put).expect("written");
        assert!(!beside(&path).exists());
        path
    }

    #[test]
    fn numbers_come_back() {
        let folder = Folder::new("back");
        let mut numbers = open(&written(&folder), &belonging("m", "s")).expect("whole");
        assert!((0..100).all(|number| numbers.take() == number * number));
    }

    #[test]
    fn what_is_foreign_or_damaged_is_refused_with_a_reason() {
        let folder = Folder::new("refused");
        let path = written(&folder);
        let check = |belonging: Belonging, part: &str| {
            let why = format!("{:#}", open(&path, &belonging).expect_err("refused"));
            assert!(why.contains(part), "{why}");
        };
        check(belonging("n", "s"), "another model");
        check(belonging("m", "t"), "other settings (s; here: t)");
        let bytes = fs::read(&path).expect("a file");
        for at in 0..bytes.len() {
            fs::write(&path, &bytes[..at]).expect("written");
            assert!(open(&path, &belonging("m", "s")).is_err(), "cut off at {at}");
            let mut wrong = bytes.clone();
            wrong[at] ^= 1;
            fs::write(&path, wrong).expect("written");
            assert!(open(&path, &belonging("m", "s")).is_err(), "damaged at {at}");
        }
        fs::write(&path, "byte x; init { skip }").expect("written");
        check(belonging("m", "s"), "no checkpoint");
        fs::write(&path, bytes.split_at(bytes.len() - 1).0).expect("written");
        check(belonging("m", "s"), "not complete");
        fs::remove_file(&path).expect("removed");
        check(belonging("m", "s"), "cannot be read");
    }

    #[test]
    fn an_older_file_stays_where_a_new_one_cannot_be_written() {
        let folder = Folder::new("older");
        let path = written(&folder);
        fs::create_dir(beside(&path)).expect("a folder in the way");
        assert!(write(&path, &belonging("m", "s"), |_| {}).is_err());
        assert!(open(&path, &belonging("m", "s")).is_ok());
    }
}

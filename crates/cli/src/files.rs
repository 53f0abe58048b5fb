//! Reads models, what they include, automata and saved counterexamples, and says plainly why one cannot be read.

use crate::arguments;
use crate::nearest::nearest;
use anyhow::{Result, bail};
use pverify_syntax::options::{LoadError, Loader};
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

/// Larger files are refused: places in a file are counted in 32 bits, and an endless device must
/// not fill the memory.
const LARGEST: u64 = 1 << 30;

/// The files of this machine.
#[derive(Debug, Default)]
pub(crate) struct Disk;

impl Loader for Disk {
    fn load(&mut self, path: &str) -> Result<Vec<u8>, LoadError> {
        let file = File::open(path).map_err(|error| reason(&error))?;
        // Opening a folder succeeds on Linux; reading it is what fails.
        if file.metadata().is_ok_and(|data| data.is_dir()) {
            return Err(LoadError::IsDirectory);
        }
        read_all(file)
    }
}

/// Standard input, which has no path.
#[derive(Debug, Default)]
struct StandardInput;

impl Loader for StandardInput {
    fn load(&mut self, _: &str) -> Result<Vec<u8>, LoadError> {
        read_all(std::io::stdin().lock())
    }
}

fn read_all(source: impl Read) -> Result<Vec<u8>, LoadError> {
    let mut bytes = Vec::new();
    match source.take(LARGEST + 1).read_to_end(&mut bytes) {
        Ok(length) if length as u64 > LARGEST => {
            Err(LoadError::Other(format!("it is larger than {} MiB", LARGEST >> 20)))
        }
        Ok(_) => Ok(bytes),
        Err(error) => Err(reason(&error)),
    }
}

fn reason(error: &std::io::Error) -> LoadError {
    match error.kind() {
        ErrorKind::NotFound => LoadError::NotFound,
        ErrorKind::IsADirectory => LoadError::IsDirectory,
        ErrorKind::PermissionDenied => LoadError::Other("no permission to read it".to_owned()),
        ErrorKind::NotADirectory => {
            LoadError::Other("a part of the path is a file, not a folder".to_owned())
        }
        _ => LoadError::Other(error.to_string()),
    }
}

/// The file that was given, read once (a pipe can be read only once), and the disk for the files
/// it includes.
#[derive(Debug)]
pub(crate) struct Given {
    /// The name that diagnostics show.
    pub(crate) name: String,
    bytes: Vec<u8>,
}

impl Loader for Given {
    fn load(&mut self, path: &str) -> Result<Vec<u8>, LoadError> {
        if path == self.name { Ok(self.bytes.clone()) } else { Disk.load(path) }
    }
}

/// Reads the file that was given; `-` is standard input.
pub(crate) fn read_given(path: &str) -> Result<Given> {
    if path == "-" { read("<stdin>", &mut StandardInput) } else { read(path, &mut Disk) }
}

/// The text of a model, with a sign in place of what is no text.
pub(crate) fn read_text(path: &str) -> Result<String> {
    Ok(String::from_utf8_lossy(&read(path, &mut Disk)?.bytes).into_owned())
}

/// The models of a folder and of all folders in it, by name; links to folders are not followed.
pub(crate) fn models_below(folder: &str) -> Result<Vec<String>> {
    let cannot = |path: &Path, why| format!("the folder {} cannot be read: {why}", path.display());
    let mut models = Vec::new();
    let mut folders = vec![PathBuf::from(folder)];
    while let Some(folder) = folders.pop() {
        let entries = folder.read_dir().map_err(|why| anyhow::anyhow!(cannot(&folder, why)))?;
        for entry in entries {
            let entry = entry.map_err(|why| anyhow::anyhow!(cannot(&folder, why)))?;
            let path = entry.path();
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                folders.push(path);
            } else if is_model(&path) {
                let Some(name) = path.to_str() else {
                    bail!("the name of {} is no text\nhelp: rename it", path.display())
                };
                models.push(name.to_owned());
            }
        }
    }
    models.sort();
    Ok(models)
}

fn is_model(path: &Path) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str()).map(str::to_ascii_lowercase);
    matches!(ending.as_deref(), Some("pml" | "prom" | "pm")) && !path.is_dir()
}

/// Reads a saved counterexample.
pub(crate) fn read_trace(path: &str) -> Result<String> {
    let bytes = match Disk.load(path) {
        Ok(bytes) => bytes,
        Err(LoadError::NotFound) => bail!(
            "there is no file `{path}`\nhelp: `pverify FILE --trace {path}` saves a counterexample, \
             if there is one"
        ),
        Err(LoadError::IsDirectory) => {
            bail!("`{path}` is a folder\nhelp: give the file of a counterexample in it")
        }
        Err(LoadError::Other(why)) => bail!("{path} cannot be read: {why}"),
    };
    String::from_utf8(bytes).map_err(|_| {
        anyhow::anyhow!(
            "`{path}` is no trace: it is not text\nhelp: give a file that --trace or --trail saved"
        )
    })
}

/// Reads automata, which are text; `-` is standard input. An error is a reason and a help.
pub(crate) fn read_automata(path: &str) -> Result<String, (String, &'static str)> {
    let loaded = if path == "-" { StandardInput.load(path) } else { Disk.load(path) };
    let bytes = loaded.map_err(|error| match error {
        LoadError::NotFound => {
            (format!("there is no file `{path}`"), "check the name and the folder")
        }
        LoadError::IsDirectory => {
            (format!("`{path}` is a folder"), "give the file of an automaton in it")
        }
        LoadError::Other(why) => (format!("{path} cannot be read: {why}"), "give another file"),
    })?;
    String::from_utf8(bytes).map_err(|_| {
        (format!("`{path}` is no automaton: it is not text"), "give a file in the Hanoi format")
    })
}

/// Anything that keeps a file from being a model is said with a help.
fn read(name: &str, loader: &mut dyn Loader) -> Result<Given> {
    match loader.load(name) {
        Ok(bytes) if bytes.is_empty() => bail!(
            "{name} is empty\nhelp: a model needs at least one process, such as `init {{ skip }}`"
        ),
        Ok(bytes) => Ok(Given { name: name.to_owned(), bytes }),
        Err(LoadError::NotFound) => match near_command(name) {
            Some(command) => {
                bail!("there is no file `{name}`\nhelp: did you mean the command `{command}`?")
            }
            None => bail!("there is no file `{name}`\nhelp: check the name and the folder"),
        },
        Err(LoadError::IsDirectory) => {
            bail!("`{name}` is a folder\nhelp: give the file of a model in it")
        }
        Err(LoadError::Other(why)) => bail!("{name} cannot be read: {why}"),
    }
}

/// The command whose name is mistyped, if it looks like that; a path is meant as a path.
fn near_command(path: &str) -> Option<String> {
    if path.contains(['/', '.']) {
        return None;
    }
    let program = arguments::program();
    nearest(path, program.get_subcommands().map(clap::Command::get_name)).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Answers the same whatever is asked for.
    struct Fixed(Result<Vec<u8>, LoadError>);

    impl Loader for Fixed {
        fn load(&mut self, _: &str) -> Result<Vec<u8>, LoadError> {
            self.0.clone()
        }
    }

    fn check(path: &str, loaded: Result<&str, LoadError>, expected: Result<&str, &str>) {
        let loaded = loaded.map(|text| text.as_bytes().to_vec());
        let read = read(path, &mut Fixed(loaded))
            .map(|given| given.bytes)
            .map_err(|error| error.to_string());
        let expected = expected.map(|text| text.as_bytes().to_vec()).map_err(str::to_owned);
        assert_eq!(read, expected);
    }

    #[test]
    fn what_keeps_a_file_from_being_a_model_is_said() {
        let no_file =
            |name| format!("there is no file `{name}`\nhelp: check the name and the folder");
        check("a.pml", Ok("init { skip }"), Ok("init { skip }"));
        check(
            "a.pml",
            Ok(""),
            Err("a.pml is empty\nhelp: a model needs at least one process, such as \
                 `init { skip }`"),
        );
        check(
            "explian",
            Err(LoadError::NotFound),
            Err("there is no file `explian`\nhelp: did you mean the command `explain`?"),
        );
        check("a.pml", Err(LoadError::NotFound), Err(&no_file("a.pml")));
        check("./explain", Err(LoadError::NotFound), Err(&no_file("./explain")));
        check(
            "models",
            Err(LoadError::IsDirectory),
            Err("`models` is a folder\nhelp: give the file of a model in it"),
        );
        check(
            "a.pml",
            Err(LoadError::Other("no permission to read it".into())),
            Err("a.pml cannot be read: no permission to read it"),
        );
    }

    #[test]
    fn the_disk_tells_folders_and_missing_files_apart() {
        let folder = env!("CARGO_MANIFEST_DIR");
        assert_eq!(Disk.load(folder), Err(LoadError::IsDirectory));
        assert_eq!(Disk.load(&format!("{folder}/no such file")), Err(LoadError::NotFound));
        let below = Disk.load(&format!("{folder}/Cargo.toml/x"));
        assert!(matches!(below, Err(LoadError::Other(_))), "{below:?}");
        assert!(Disk.load(&format!("{folder}/Cargo.toml")).is_ok_and(|text| !text.is_empty()));
    }
}

//! Reads models and what they include from the disk, and says plainly why one cannot be read.

use crate::arguments;
use crate::nearest::nearest;
use anyhow::{Result, bail};
use std::fs::File;
use std::io::{ErrorKind, Read};

/// Larger files are refused: places in a file are counted in 32 bits, and an endless device must
/// not fill the memory.
const LARGEST: u64 = 1 << 30;

/// Why a file cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum LoadError {
    /// There is none of this name.
    Missing,
    /// It is a folder.
    Directory,
    /// It is larger than a model can be.
    TooLarge,
    /// The system refuses, for this reason.
    Refused(String),
}

/// Where the preprocessor gets its files from.
pub(crate) trait Loader {
    /// The bytes of a file.
    fn load(&mut self, path: &str) -> Result<Vec<u8>, LoadError>;
}

/// The files of this machine; `-` is standard input.
#[derive(Debug, Default)]
pub(crate) struct Disk;

impl Loader for Disk {
    fn load(&mut self, path: &str) -> Result<Vec<u8>, LoadError> {
        if path == "-" {
            return read_all(std::io::stdin().lock());
        }
        let file = File::open(path).map_err(|error| reason(&error))?;
        // Opening a folder succeeds on Linux; reading it is what fails.
        if file.metadata().is_ok_and(|data| data.is_dir()) {
            return Err(LoadError::Directory);
        }
        read_all(file)
    }
}

fn read_all(source: impl Read) -> Result<Vec<u8>, LoadError> {
    let mut bytes = Vec::new();
    match source.take(LARGEST + 1).read_to_end(&mut bytes) {
        Ok(length) if length as u64 > LARGEST => Err(LoadError::TooLarge),
        Ok(_) => Ok(bytes),
        Err(error) => Err(reason(&error)),
    }
}

fn reason(error: &std::io::Error) -> LoadError {
    match error.kind() {
        ErrorKind::NotFound => LoadError::Missing,
        ErrorKind::IsADirectory => LoadError::Directory,
        ErrorKind::PermissionDenied => LoadError::Refused("no permission to read it".to_owned()),
        ErrorKind::NotADirectory => {
            LoadError::Refused("a part of the path is a file, not a folder".to_owned())
        }
        _ => LoadError::Refused(error.to_string()),
    }
}

/// Reads the file that was given; anything that keeps it from being a model is said with a help.
pub(crate) fn read_given(path: &str, loader: &mut impl Loader) -> Result<Vec<u8>> {
    let name = if path == "-" { "standard input" } else { path };
    match loader.load(path) {
        Ok(bytes) if bytes.is_empty() => {
            bail!(
                "{name} is empty\nhelp: a model needs at least one process, such as `init {{ skip }}`"
            )
        }
        Ok(bytes) => Ok(bytes),
        Err(LoadError::Missing) => match near_command(path) {
            Some(command) => {
                bail!("there is no file `{path}`\nhelp: did you mean the command `{command}`?")
            }
            None => bail!("there is no file `{path}`\nhelp: check the name and the folder"),
        },
        Err(LoadError::Directory) => {
            bail!("`{path}` is a folder\nhelp: give the file of a model in it")
        }
        Err(LoadError::TooLarge) => {
            bail!("{name} is larger than {} MiB\nhelp: is it a model?", LARGEST >> 20)
        }
        Err(LoadError::Refused(why)) => bail!("{name} cannot be read: {why}"),
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
        let read = read_given(path, &mut Fixed(loaded)).map_err(|error| error.to_string());
        let expected = expected.map(|text| text.as_bytes().to_vec()).map_err(str::to_owned);
        assert_eq!(read, expected);
    }

    #[test]
    fn what_keeps_a_file_from_being_a_model_is_said() {
        check("a.pml", Ok("init { skip }"), Ok("init { skip }"));
        check(
            "-",
            Ok(""),
            Err("standard input is empty\nhelp: a model needs at least one process, such as \
                 `init { skip }`"),
        );
        check(
            "explian",
            Err(LoadError::Missing),
            Err("there is no file `explian`\nhelp: did you mean the command `explain`?"),
        );
        check(
            "a.pml",
            Err(LoadError::Missing),
            Err("there is no file `a.pml`\nhelp: check the name and the folder"),
        );
        check(
            "./explain",
            Err(LoadError::Missing),
            Err("there is no file `./explain`\nhelp: check the name and the folder"),
        );
        check(
            "models",
            Err(LoadError::Directory),
            Err("`models` is a folder\nhelp: give the file of a model in it"),
        );
        check(
            "/dev/zero",
            Err(LoadError::TooLarge),
            Err("/dev/zero is larger than 1024 MiB\nhelp: is it a model?"),
        );
        check(
            "a.pml",
            Err(LoadError::Refused("no permission to read it".into())),
            Err("a.pml cannot be read: no permission to read it"),
        );
    }

    #[test]
    fn the_disk_tells_folders_and_missing_files_apart() {
        let folder = env!("CARGO_MANIFEST_DIR");
        assert_eq!(Disk.load(folder), Err(LoadError::Directory));
        assert_eq!(Disk.load(&format!("{folder}/no such file")), Err(LoadError::Missing));
        let below = Disk.load(&format!("{folder}/Cargo.toml/x"));
        assert!(matches!(below, Err(LoadError::Refused(_))), "{below:?}");
        assert!(Disk.load(&format!("{folder}/Cargo.toml")).is_ok_and(|text| !text.is_empty()));
    }
}

//! What a caller decides about reading a model: definitions, include folders, where files are.

use std::collections::BTreeMap;

/// How to read a model.
#[derive(Clone, Debug)]
pub struct Options {
    /// `-D NAME=VALUE`; the value is `1` where the person gave none.
    pub defines: Vec<(String, String)>,
    /// `-I DIR`, in the order in which they are tried.
    pub include_directories: Vec<String>,
    /// Whether the end of a line may stand for a semicolon; `false` is SPIN's `-o7`.
    pub optional_semicolons: bool,
    /// A formula that is read as if it stood in an `ltl` block at the end of the file, so that the
    /// macros and names of the file mean what they mean there.
    pub formula: Option<String>,
    /// Propositions of an automaton, read likewise, each in a block of its own behind the formula.
    pub propositions: Vec<String>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            defines: Vec::new(),
            include_directories: Vec::new(),
            optional_semicolons: true,
            formula: None,
            propositions: Vec::new(),
        }
    }
}

/// Why a file could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LoadError {
    /// There is none at this path.
    NotFound,
    /// The path is a folder.
    IsDirectory,
    /// Anything else, in the words of the operating system.
    Other(String),
}

/// How the front end gets at files; only `cli` reads real ones.
pub trait Loader {
    /// The bytes of the file at this path.
    ///
    /// # Errors
    /// When there is no such file, or it cannot be read.
    fn load(&mut self, path: &str) -> Result<Vec<u8>, LoadError>;
}

/// Files that exist in memory only, for tests.
#[derive(Clone, Debug, Default)]
pub struct MemoryLoader {
    files: BTreeMap<String, Vec<u8>>,
}

impl MemoryLoader {
    /// With one more file.
    #[must_use]
    pub fn with(mut self, path: &str, text: impl Into<Vec<u8>>) -> Self {
        self.files.insert(path.to_owned(), text.into());
        self
    }
}

impl Loader for MemoryLoader {
    fn load(&mut self, path: &str) -> Result<Vec<u8>, LoadError> {
        self.files.get(path).cloned().ok_or(LoadError::NotFound)
    }
}

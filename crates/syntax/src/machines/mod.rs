//! Systems of communicating machines: the formats of the tools that analyse FIFO systems.
//!
//! Three formats say the same: machines with states, and transitions that send a message to a FIFO
//! channel, receive one from it, or do nothing to channels. [`scm`] numbers its channels (McScM,
//! ReSCu); [`fsa`] (GMC, ChorGram) and [`kmc`] (session types) have one channel for each ordered pair
//! of machines. Channels have no capacity.
//!
//! In reading order: this tree; `words`, text to words; one file a format.

pub mod fsa;
pub mod kmc;
pub mod scm;
mod words;

use crate::codes;
use crate::diagnostic::Diagnostic;
use crate::options::{LoadError, Loader};
use crate::source::{FileId, Sources, Span};
use crate::token::Name;

/// A format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// `.scm`
    Scm,
    /// `.fsa`, `.fsm`
    Fsa,
    /// Session types
    Kmc,
}

/// A word and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// The word.
    pub text: Name,
    /// Its place.
    pub span: Span,
}

/// A system of machines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct System {
    /// How channels are named.
    pub channels: Channels,
    /// The messages, where they are declared.
    pub messages: Option<Vec<Word>>,
    /// The machines.
    pub machines: Vec<Machine>,
    /// Groups of states that must not be reached together.
    pub bad: Vec<Bad>,
}

/// How transitions name a channel.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Channels {
    /// By the machine at its other end: its name, or its number from 0.
    #[default]
    Partners,
    /// By its number from 0.
    Numbered {
        /// How many there are, as written.
        count: Word,
        /// Those that may lose messages.
        lossy: Vec<Word>,
    },
}

/// A machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Machine {
    /// Its name; its number from 0 where it has none.
    pub name: Word,
    /// Where it starts.
    pub initial: Vec<Word>,
    /// Where it may stop; where nothing is said, wherever it has no transition.
    pub finals: Option<Vec<Word>>,
    /// Its states, where they are declared.
    pub states: Option<Vec<Word>>,
    /// What it can do.
    pub transitions: Vec<Transition>,
}

/// A transition of a machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transition {
    /// Where it starts.
    pub from: Word,
    /// Where it leads.
    pub to: Word,
    /// What it does to a channel; `None` for nothing.
    pub action: Option<Communication>,
    /// Its place.
    pub span: Span,
}

/// A message is sent or received.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Communication {
    /// Whether it is sent.
    pub sends: bool,
    /// The channel, or the machine at its other end.
    pub channel: Word,
    /// The message.
    pub message: Word,
}

/// States that must not be reached together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bad {
    /// For each machine the states, any of which counts.
    pub states: Vec<(Word, Vec<Word>)>,
    /// What the channels must hold for it to count, as written.
    pub contents: Option<Span>,
    /// Its place.
    pub span: Span,
}

/// A file that was read.
#[derive(Debug)]
pub struct Parsed {
    /// The file.
    pub sources: Sources,
    /// The system; empty where there are errors.
    pub system: System,
    /// What is wrong with the text.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads a file.
pub fn read(path: &str, loader: &mut dyn Loader, format: Format) -> Parsed {
    let mut sources = Sources::default();
    let (text, file, missing) = open(path, loader, &mut sources);
    if let Some(missing) = missing {
        return Parsed { sources, system: System::default(), diagnostics: vec![missing] };
    }
    let mut diagnostics = Vec::new();
    let system = match format {
        Format::Scm => scm::parse(&text, file, &mut diagnostics),
        Format::Fsa => fsa::parse(&text, file, &mut diagnostics),
        // The session types of kmc's own tests are partly machines.
        Format::Kmc if fsa::looks_like(&text) => fsa::parse(&text, file, &mut diagnostics),
        Format::Kmc => kmc::parse(&text, file, &mut diagnostics),
    };
    Parsed { sources, system, diagnostics }
}

/// The text of a file, its number, and what is wrong if it cannot be read.
pub(crate) fn open(
    path: &str,
    loader: &mut dyn Loader,
    sources: &mut Sources,
) -> (String, FileId, Option<Diagnostic>) {
    let (bytes, missing) = match loader.load(path) {
        Ok(bytes) => (bytes, None),
        Err(LoadError::NotFound) => (Vec::new(), Some("there is no such file".to_owned())),
        Err(LoadError::IsDirectory) => (Vec::new(), Some("it is a folder".to_owned())),
        Err(LoadError::Other(why)) => (Vec::new(), Some(why)),
    };
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let file = sources.add_file(path.to_owned(), text.clone(), None);
    let missing = missing.map(|why| {
        let span = Span { file, ..Span::default() };
        let message = format!("{path} cannot be read: {why}");
        Diagnostic::new(&codes::CANNOT_READ_FILE, span, message).help("check the path")
    });
    (text, file, missing)
}

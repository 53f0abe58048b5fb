//! Which file is read, and how its preprocessor is set up.

use super::values::Define;
use clap::{Args, ValueEnum};
use pverify_syntax::options::Options;
use std::path::Path;

/// A file, and how to read it.
#[derive(Clone, Debug, Args)]
pub(crate) struct Reading {
    /// The model; `-` reads standard input.
    ///
    /// Promela (.pml, .prom, .pm, and any other ending), a system of communicating machines
    /// (.scm, .fsa, .fsm), or a labelled transition system (.aut). A file that has the name of a
    /// command is given with its folder, as in `./graph`.
    #[arg(value_name = "FILE")]
    pub(crate) file: String,

    /// Define a macro, as `#define NAME VALUE` at the top of the file would.
    ///
    /// Without a value it is 1. Can be given several times.
    #[arg(short = 'D', value_name = "NAME[=VALUE]", help_heading = "Reading the model")]
    pub(crate) define: Vec<Define>,

    /// Look for included files in this folder too.
    ///
    /// The folder of the including file comes first, then these in the order given.
    #[arg(short = 'I', value_name = "DIR", help_heading = "Reading the model")]
    pub(crate) include: Vec<String>,

    /// Read a model written for SPIN 5 and older: every semicolon must be written.
    ///
    /// Since SPIN 6 the end of a line stands for one where a statement ends; this is SPIN's -o7.
    #[arg(long, help_heading = "Reading the model")]
    pub(crate) old_semicolons: bool,

    /// The language of the file, where its name does not tell.
    #[arg(long, value_name = "LANGUAGE", help_heading = "Reading the model")]
    pub(crate) language: Option<Language>,
}

/// A language that models are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Language {
    /// Promela, as SPIN 6 reads it, without embedded C
    Promela,
    /// Communicating machines with numbered channels, as McScM and ReSCu read them
    Scm,
    /// Communicating machines with a channel for each pair, as GMC and ChorGram read them
    Fsa,
    /// Session types, as kmc reads them
    Kmc,
    /// A labelled transition system in the format of Aldebaran
    Aut,
}

impl Reading {
    /// As the front end wants to know it.
    pub(crate) fn options(&self) -> Options {
        Options {
            defines: self.define.iter().map(|d| (d.name.clone(), d.value.clone())).collect(),
            include_directories: self.include.clone(),
            optional_semicolons: !self.old_semicolons,
            formula: None,
            propositions: Vec::new(),
        }
    }

    /// The language asked for, or the one that the file's ending stands for.
    pub(crate) fn language(&self) -> Language {
        self.language.unwrap_or_else(|| {
            let extension = Path::new(&self.file).extension().and_then(|ending| ending.to_str());
            match extension.map(str::to_ascii_lowercase).as_deref() {
                Some("scm") => Language::Scm,
                Some("fsa" | "fsm") => Language::Fsa,
                Some("aut") => Language::Aut,
                _ => Language::Promela,
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(file: &str, language: Option<Language>, expected: Language) {
        let reading = Reading {
            file: file.into(),
            define: vec![],
            include: vec![],
            old_semicolons: false,
            language,
        };
        assert_eq!(reading.language(), expected, "{file}");
    }

    #[test]
    fn the_ending_tells_the_language_unless_told() {
        check("a.pml", None, Language::Promela);
        check("a", None, Language::Promela);
        check("-", None, Language::Promela);
        check("dir.aut/a.SCM", None, Language::Scm);
        check("a.fsm", None, Language::Fsa);
        check("a.aut", None, Language::Aut);
        check("a.aut", Some(Language::Promela), Language::Promela);
    }
}

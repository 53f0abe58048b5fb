//! What is printed, and how.

use anyhow::{Result, bail};
use clap::{Args, ValueEnum};

/// How answers are printed.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct Colors {
    /// When to use colours.
    ///
    /// `auto` uses them on a terminal, unless the variable NO_COLOR is set or TERM is `dumb`.
    #[arg(long, value_name = "WHEN", default_value = "auto", help_heading = "Output")]
    pub(crate) color: When,
}

/// When to use colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum When {
    /// On a terminal
    Auto,
    /// Even into a file or a pipe
    Always,
    /// Not at all
    Never,
}

/// How answers are printed, and how much of them.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct Output {
    /// Text for people, or one JSON object, JUnit XML or SARIF on standard output for programs.
    #[arg(long, value_name = "FORMAT", default_value = "text", help_heading = "Output")]
    pub(crate) format: Format,

    /// Print errors and verdicts only: no warnings, no progress, no statistics.
    #[arg(long, short, help_heading = "Output")]
    pub(crate) quiet: bool,

    #[command(flatten)]
    pub(crate) colors: Colors,
}

/// How answers are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people
    Text,
    /// For programs
    Json,
    /// For servers of continuous integration: JUnit XML, where a file is verified
    Junit,
    /// For code scanners and editors: SARIF 2.1.0, where a file is verified
    Sarif,
}

impl Output {
    /// Refuses the forms that only verifying has.
    pub(crate) fn refuse_junit(&self) -> Result<()> {
        self.refuse_sarif()?;
        if self.format == Format::Junit {
            bail!("--format junit is for verifying a file\nhelp: use --format json here");
        }
        Ok(())
    }

    /// Refuses what is about one model only.
    pub(crate) fn refuse_sarif(&self) -> Result<()> {
        if self.format == Format::Sarif {
            bail!("--format sarif is for verifying a file\nhelp: use --format json here");
        }
        Ok(())
    }
}

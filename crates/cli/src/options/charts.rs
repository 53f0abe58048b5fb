//! How counterexamples are drawn.

use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use std::path::{Path, PathBuf};

/// Charts of counterexamples.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct Charts {
    /// When to draw the counterexample in the terminal, as a message sequence chart.
    ///
    /// `auto` draws short ones with several processes, where they fit.
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub(crate) chart: When,

    /// Save the counterexample as a message sequence chart.
    ///
    /// The ending says how: .svg is a drawing, .html a page to look at in a browser, .mmd and .puml
    /// are for Mermaid and PlantUML.
    #[arg(long, value_name = "FILE.html|svg|mmd|puml")]
    pub(crate) msc: Option<PathBuf>,

    /// Save the whole answer as one page for a browser: verdicts, charts, states and the source.
    ///
    /// It needs nothing else, no network either.
    #[arg(long, value_name = "FILE.html")]
    pub(crate) report: Option<PathBuf>,
}

/// When to draw a chart in the terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum When {
    /// Where it is short
    Auto,
    /// However long it is
    Always,
    /// Not at all
    Never,
}

/// What a chart is written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// A drawing.
    Svg,
    /// A page.
    Html,
    /// For Mermaid.
    Mermaid,
    /// For PlantUML.
    PlantUml,
}

impl Form {
    /// The form that a file's ending asks for.
    pub(crate) fn of(path: &Path) -> Option<Self> {
        let ending = path.extension()?.to_str()?.to_ascii_lowercase();
        match ending.as_str() {
            "svg" => Some(Self::Svg),
            "html" | "htm" => Some(Self::Html),
            "mmd" | "mermaid" => Some(Self::Mermaid),
            "puml" | "plantuml" => Some(Self::PlantUml),
            _ => None,
        }
    }
}

impl Charts {
    /// Refuses files whose endings say nothing.
    pub(crate) fn are_known(&self) -> Result<()> {
        if let Some(path) = self.msc.as_ref().filter(|path| Form::of(path).is_none()) {
            bail!(
                "--msc: the ending of `{}` does not say how to draw\n\
                 help: use .html, .svg, .mmd (Mermaid) or .puml (PlantUML)",
                path.display()
            );
        }
        match &self.report {
            Some(path) if Form::of(path) != Some(Form::Html) => bail!(
                "--report: `{}` is to be a page\nhelp: give a file that ends in .html",
                path.display()
            ),
            _ => Ok(()),
        }
    }
}

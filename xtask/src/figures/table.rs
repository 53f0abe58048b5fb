//! Tables of measurements: what they are, the names of the columns, then a row a line.

use std::fmt::{Display, Write as _};
use std::path::Path;

/// A table in the making.
#[derive(Debug)]
pub(crate) struct Table(String);

impl Table {
    /// A table; `about` says how it was measured, in lines.
    pub(crate) fn new(about: &str, columns: &[&str]) -> Self {
        let mut text = String::new();
        for line in about.lines() {
            let _ = writeln!(text, "# {line}");
        }
        Self(text + &columns.join("\t") + "\n")
    }

    /// Adds a row.
    pub(crate) fn row(&mut self, cells: &[&dyn Display]) {
        let cells: Vec<_> = cells.iter().map(ToString::to_string).collect();
        self.0 += &(cells.join("\t") + "\n");
    }

    /// Adds a row of ratios behind some first cells.
    pub(crate) fn ratios(&mut self, first: &[&dyn Display], values: &[Option<f64>]) {
        let values: Vec<_> = values.iter().map(|&value| ratio(value)).collect();
        let cells = first.iter().copied().chain(values.iter().map(|value| value as &dyn Display));
        self.row(&cells.collect::<Vec<_>>());
    }

    /// Writes it beside the drawing of the same name.
    pub(crate) fn write(&self, folder: &Path, name: &str) -> std::io::Result<()> {
        std::fs::write(folder.join(name).with_extension("tsv"), &self.0)
    }
}

/// A ratio in three figures; `-` where there is none.
pub(crate) fn ratio(value: Option<f64>) -> String {
    value.map_or_else(|| "-".to_owned(), |value| format!("{value:.3}"))
}

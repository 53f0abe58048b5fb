//! The figures that SPIN gave once, as recorded in `expected.tsv` of the corpus.

use std::collections::HashMap;
use std::path::Path;

use anyhow::{Context, bail};

use super::figures::{Figures, Kind};

/// The columns that are read; their order in the file does not matter.
const COLUMNS: [&str; 9] = [
    "model",
    "mode",
    "property",
    "complete",
    "states",
    "transitions",
    "errors",
    "verdict",
    "pan_cpu_s",
];

/// What SPIN found in one model.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Recorded {
    pub(crate) figures: Figures,
    /// CPU seconds of `pan`, compilation not included.
    pub(crate) seconds: f64,
}

/// The finished raw safety searches by the model's name.
pub(crate) fn read(folder: &Path) -> anyhow::Result<HashMap<String, Recorded>> {
    let file = folder.join("expected.tsv");
    let text = std::fs::read_to_string(&file)
        .with_context(|| format!("no recorded figures: {}", file.display()))?;
    parse(&text).with_context(|| format!("in {}", file.display()))
}

fn parse(text: &str) -> anyhow::Result<HashMap<String, Recorded>> {
    let mut lines = text.lines();
    let heading: Vec<&str> = lines.next().unwrap_or_default().split('\t').collect();
    let position = |name: &str| {
        heading.iter().position(|column| *column == name).with_context(|| format!("no `{name}`"))
    };
    let positions = COLUMNS.map(position);
    let mut columns = [0; COLUMNS.len()];
    for (column, position) in columns.iter_mut().zip(positions) {
        *column = position?;
    }
    let mut recorded = HashMap::new();
    for line in lines.filter(|line| !line.is_empty()) {
        let row: Vec<&str> = line.split('\t').collect();
        let fields = columns.map(|column| row.get(column).copied().unwrap_or_default());
        let [model, mode, property, complete, states, transitions, errors, verdict, seconds] =
            fields;
        if (mode, property, complete) != ("raw", "safety", "yes") {
            continue;
        }
        let number =
            |text: &str| text.parse::<u64>().with_context(|| format!("no number in: {line}"));
        let kinds = match verdict {
            "ok" => Default::default(),
            kinds => kinds.split('+').map(Kind::of).collect(),
        };
        let errors = number(errors)?;
        let figures = Figures {
            states: number(states)?,
            transitions: number(transitions)?.saturating_sub(1),
            errors: Some(errors),
            kinds,
            all_kinds: true,
            violated: errors > 0,
            complete: true,
        };
        let seconds = seconds.parse().unwrap_or(0.0);
        if recorded.insert(model.to_owned(), Recorded { figures, seconds }).is_some() {
            bail!("two raw safety searches of {model}");
        }
    }
    Ok(recorded)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADING: &str =
        "model\tmode\tproperty\tcomplete\tstates\ttransitions\terrors\tverdict\tpan_cpu_s\n";

    #[test]
    fn finished_raw_safety_searches_are_read() {
        let text = format!(
            "{HEADING}a\traw\tsafety\tyes\t5\t7\t2\tassertion+invalid end state\t0.5\n\
             a\tdefault\tsafety\tyes\t4\t5\t0\tok\t0.1\nb\traw\tsafety\tno\t5\t7\t0\tunknown\t5\n"
        );
        let recorded = parse(&text).expect("a table");
        assert_eq!(recorded.len(), 1);
        let line = recorded["a"].figures.to_string();
        assert_eq!(line, "states=5 transitions=6 verdict=assertion+invalid end state errors=2");
    }

    #[test]
    fn a_bad_table_is_refused() {
        assert!(parse("model\tmode\n").is_err());
        assert!(parse(&format!("{HEADING}a\traw\tsafety\tyes\tx\t7\t2\tok\t0.5\n")).is_err());
    }
}

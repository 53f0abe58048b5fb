//! How large buffers must be: a line for each declaration of channels.

use crate::trace::Story;
use serde_json::{Value, json};
use std::fmt::Write as _;

/// Capacities that are not enough.
#[derive(Clone, Debug)]
pub struct Less {
    /// The capacity.
    pub capacity: u32,
    /// Why it is not enough, in a few words.
    pub why: String,
    /// The way to what goes wrong, if something does.
    pub story: Option<Story>,
}

/// A least capacity.
#[derive(Clone, Debug)]
pub struct Least {
    /// This one is enough.
    pub capacity: u32,
    /// Whether all smaller ones are known not to be.
    pub proven: bool,
    /// Why not one less, if there is one.
    pub less: Option<Less>,
}

impl Least {
    fn to_text(&self) -> String {
        let sign = if self.proven { "" } else { "<= " };
        format!("{sign}{}", self.capacity)
    }

    fn to_json(&self) -> Value {
        let less = self.less.as_ref().map(|less| {
            json!({
                "capacity": less.capacity, "why": less.why,
                "trace": less.story.as_ref().map(Story::to_json),
            })
        });
        json!({ "capacity": self.capacity, "proven": self.proven, "not_less": less })
    }
}

/// The channels of a declaration.
#[derive(Clone, Debug, Default)]
pub struct BufferReport {
    /// Its name.
    pub name: String,
    /// Its capacity, if it has one.
    pub declared: Option<u32>,
    /// The most messages it ever holds without capacities, if that is known.
    pub most: Option<u64>,
    /// Whether it grows without bound.
    pub grows: bool,
    /// The capacity it has while that of another is made smaller.
    pub reference: Option<u32>,
    /// The least capacity while the others have that of the reference.
    pub alone: Option<Least>,
    /// The least capacity while all are small.
    pub together: Option<Least>,
}

/// What is known of all of them.
#[derive(Clone, Debug, Default)]
pub struct CapacitiesReport {
    /// One for each declaration.
    pub buffers: Vec<BufferReport>,
    /// What the declared capacities are worth, in a few words; `None` if not all are declared.
    pub declared: Option<String>,
    /// What capacities are compared with, in words.
    pub reference: &'static str,
    /// If none that are enough were found: the last that were tried, and why they are not.
    pub failed: Option<(Vec<u32>, Less)>,
    /// Statements that the declared capacities lose.
    pub lost: Vec<String>,
}

impl CapacitiesReport {
    /// The first words behind the verdict.
    pub fn summary(&self) -> String {
        if self.buffers.is_empty() {
            return "the model has no buffered channel".to_owned();
        }
        let mut parts: Vec<String> = self.declared.iter().cloned().collect();
        let together: Option<Vec<&Least>> =
            self.buffers.iter().map(|one| one.together.as_ref()).collect();
        if let Some(together) = together {
            let each = together.iter().map(|least| least.capacity.to_string());
            let least = if together.iter().all(|one| one.proven) { "least" } else { "small" };
            let number = each.collect::<Vec<_>>().join(" + ");
            parts.push(format!("{least} together: {number}"));
        }
        parts.join("; ")
    }

    /// A line for each declaration.
    pub fn to_text(&self) -> String {
        let mut rows =
            vec![["channel", "declared", "longest", "alone", "together"].map(String::from)];
        for one in &self.buffers {
            let number = |value: Option<String>| value.unwrap_or_else(|| "?".to_owned());
            rows.push([
                one.name.clone(),
                one.declared.map_or_else(|| "-".to_owned(), |declared| declared.to_string()),
                number(
                    one.most.map(|most| most.to_string()).or(one.grows.then(|| "no end".into())),
                ),
                number(one.alone.as_ref().map(Least::to_text)),
                number(one.together.as_ref().map(Least::to_text)),
            ]);
        }
        let width = |column: usize| {
            rows.iter().map(|row| row[column].chars().count()).max().unwrap_or_default()
        };
        let widths: [usize; 5] = std::array::from_fn(width);
        let mut text = String::new();
        for (at, row) in rows.iter().enumerate() {
            let cells = row.iter().zip(widths).map(|(cell, width)| format!("  {cell:<width$}"));
            let mut line: String = cells.collect();
            if let Some(one) = at.checked_sub(1).map(|at| &self.buffers[at]) {
                line += &why_not_less(one);
            }
            text.push_str(line.trim_end());
            text.push('\n');
        }
        if let Some((capacities, less)) = &self.failed {
            let each: Vec<String> = capacities.iter().map(u32::to_string).collect();
            let _ = writeln!(text, "  tried up to {}: {}", each.join(" + "), less.why);
        }
        let grows: Vec<&str> =
            self.buffers.iter().filter(|one| one.grows).map(|one| one.name.as_str()).collect();
        if !grows.is_empty() {
            let _ = writeln!(text, "  no finite capacity keeps every run: {}", grows.join(", "));
        }
        for statement in self.lost.iter().take(LISTED) {
            let _ = writeln!(text, "  lost: {statement}");
        }
        if self.lost.len() > LISTED {
            let _ = writeln!(text, "  lost: {} more", self.lost.len() - LISTED);
        }
        if !self.reference.is_empty() && !self.buffers.is_empty() {
            let _ = writeln!(text, "  compared with {}; {NOT}", self.reference);
        }
        text
    }

    /// The member `capacities`.
    pub fn to_json(&self) -> Value {
        let each = self.buffers.iter().map(|one| {
            json!({
                "name": one.name, "declared": one.declared, "greatest_length": one.most,
                "unbounded": one.grows, "reference": one.reference,
                "alone": one.alone.as_ref().map(Least::to_json),
                "together": one.together.as_ref().map(Least::to_json),
            })
        });
        json!({
            "failed": self.failed.as_ref().map(|(capacities, less)| json!({
                "capacities": capacities, "why": less.why,
                "trace": less.story.as_ref().map(Story::to_json),
            })),
            "declared": self.declared, "lost": self.lost, "compared_with": self.reference,
            "channels": each.collect::<Vec<_>>(),
        })
    }
}

/// What is not compared.
const NOT: &str = "not compared: orders of steps, values, endless runs";

/// More lost statements are counted, not listed.
const LISTED: usize = 10;

/// Why neither capacity is less.
fn why_not_less(one: &BufferReport) -> String {
    let why = |least: &Option<Least>| {
        let less = least.as_ref().and_then(|least| least.less.as_ref())?;
        Some(format!("with {}: {}", less.capacity, less.why))
    };
    let same = one.alone.as_ref().map(|least| least.capacity)
        == one.together.as_ref().map(|least| least.capacity);
    match (why(&one.alone), why(&one.together)) {
        (Some(alone), Some(_)) if same => format!("  {alone}"),
        (alone, together) => {
            let alone = alone.map(|why| format!("alone {why}"));
            let together = together.map(|why| format!("together {why}"));
            let both: Vec<String> = alone.into_iter().chain(together).collect();
            format!("  {}", both.join("; "))
        }
    }
}

//! A line for each property that was checked, and the same as data.

use crate::capacities::CapacitiesReport;
use crate::channels::ChannelsReport;
use crate::chart::Chart;
use crate::comparison::Comparison;
use crate::coverage::{self, Unreached};
use crate::excerpt::{clipped, printable};
use crate::trace::Story;
use serde_json::{Value, json};
use std::fmt::Write as _;

/// The answer to one check.
#[derive(Clone, Debug, Default)]
pub struct Answered {
    /// The kind of check.
    pub check: String,
    /// The property, where a kind has several.
    pub property: Option<String>,
    /// `holds`, `violated` or `inconclusive`.
    pub verdict: &'static str,
    /// Why, where it is not plain.
    pub reason: Option<String>,
    /// The kind of fault, where it is violated.
    pub fault: Option<&'static str>,
    /// Insertions into the store: distinct states, unless some gave way to others and came again.
    pub states: u64,
    /// States that gave way to others.
    pub replacements: u64,
    /// Steps between them.
    pub transitions: u64,
    /// Steps to known states.
    pub matched: u64,
    /// The longest path.
    pub max_depth: u64,
    /// Faults met.
    pub errors: u64,
    /// Bytes of the largest state.
    pub state_bytes: usize,
    /// Bytes of the visited states.
    pub store_bytes: usize,
    /// Peak resident memory of the process.
    pub peak_memory_bytes: u64,
    /// Time it took.
    pub seconds: f64,
    /// Threads that searched.
    pub threads: usize,
    /// Whether every state was seen, for sure.
    pub complete: bool,
    /// How many states were probably omitted, where they were remembered by bits only.
    pub omitted: Option<f64>,
    /// What was never executed; `None` if not every state was seen.
    pub unreached: Option<Vec<Unreached>>,
    /// The counterexample.
    pub story: Option<Story>,
    /// The counterexample as a chart.
    pub chart: Option<Chart>,
    /// The charts of the counterexample as the terminal shows them, if it does.
    pub drawing: String,
    /// The actions of the counterexample, for a formula over actions.
    pub actions: Option<Vec<String>>,
    /// What was taken for granted, in words.
    pub scope: Option<&'static str>,
    /// How it was looked for, for checks that have several ways.
    pub route: Option<String>,
    /// The automaton that moved along.
    pub automaton: Option<Size>,
    /// Why a formula that holds says less than it seems to, if that is so.
    pub vacuous: Option<String>,
    /// What is known of channels, where that was the question.
    pub channels: Option<ChannelsReport>,
    /// How large channels must be, where that was the question.
    pub capacities: Option<CapacitiesReport>,
    /// Whether states are pairs, of two models.
    pub pairs: bool,
    /// Why two models are not related.
    pub comparison: Option<Comparison>,
}

/// How large an automaton is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Size {
    /// States.
    pub states: usize,
    /// Edges, where these count.
    pub edges: Option<usize>,
    /// Acceptance sets, where there are several.
    pub sets: Option<u32>,
    /// Letters that can be told apart, for one over actions.
    pub letters: Option<usize>,
}

/// So many actions of a counterexample are shown; of more, the last.
const MOST_ACTIONS: usize = 40;

/// Of a longer formula, the beginning is its name.
const LONGEST_PROPERTY: usize = 200;

impl Answered {
    /// One line, then the counterexample; counts and what was never executed between them, unless
    /// it is to be `quiet`.
    pub fn to_text(&self, quiet: bool) -> String {
        let mut text = format!("{}: {}", self.name(), self.verdict);
        match (self.verdict, &self.story) {
            _ if self.channels.is_some() => {
                let summary = self.channels.as_ref().map(ChannelsReport::summary);
                let _ = write!(text, ": {}", summary.unwrap_or_default());
            }
            _ if self.capacities.is_some() => {
                let summary = self.capacities.as_ref().map(CapacitiesReport::summary);
                if let Some(summary) = summary.filter(|summary| !summary.is_empty()) {
                    let _ = write!(text, ": {summary}");
                }
            }
            _ if self.comparison.is_some() => {
                let summary = self.comparison.as_ref().map(Comparison::summary);
                let _ = write!(text, ": {}", summary.unwrap_or_default());
            }
            ("holds", _) if self.omitted.is_some() => {
                let _ = write!(text, " for the {} states that were seen", grouped(self.states));
            }
            ("holds", _) => {
                let what = self.unit().1;
                text += &match self.distinct() {
                    Some(1) if !self.pairs => " for the only state there is".to_owned(),
                    Some(states) => format!(" for all {} {what}", grouped(states)),
                    None => {
                        format!(
                            " for all {what} (memory was full: they were visited more than once)"
                        )
                    }
                };
                if let Some(scope) = self.scope {
                    let _ = write!(text, " ({scope})");
                }
            }
            (_, Some(story)) => {
                let steps = story.left_out + story.steps.len() as u64;
                let told = counted(steps, "step", "steps");
                let fault = story.fault.as_deref().unwrap_or("nothing is wrong");
                let _ = match story.cycle_from {
                    None if steps == 0 => write!(text, " in the first state"),
                    None => write!(text, " after {told}"),
                    Some(from) if from as u64 == steps => {
                        write!(text, " by a run that ends after {told}")
                    }
                    Some(from) if from as u64 + 1 == steps => {
                        write!(text, " by a run that repeats its step {}", grouped(steps))
                    }
                    Some(from) => {
                        let (from, to) = (grouped(from as u64 + 1), grouped(steps));
                        write!(text, " by a run that repeats its steps {from} to {to}")
                    }
                };
                if let Some(before) = story.shortened_from {
                    let _ = write!(text, " (shortened from {} steps)", grouped(before));
                }
                let _ = write!(text, ": {fault}");
                if self.errors > 1 {
                    let scope = if self.reason.is_some() { "so far" } else { "in all" };
                    let _ = write!(text, " ({} faults {scope})", grouped(self.errors));
                }
            }
            _ => {}
        }
        match (&self.reason, &self.story) {
            (Some(reason), _) if self.capacities.is_some() => {
                let _ = write!(text, "\n  {reason}");
            }
            (Some(reason), Some(_)) => {
                let _ = write!(text, "\n  there may be more: {reason}");
            }
            (Some(reason), None) => {
                let _ = write!(text, ": {reason}");
            }
            (None, _) => {}
        }
        if self.states > 0 && !quiet {
            let _ = write!(
                text,
                "\n  {}, {}, {:.2} s",
                match self.replacements {
                    0 => counted(self.states, self.unit().0, self.unit().1),
                    _ => format!("{} visits of {}", grouped(self.states), self.unit().1),
                },
                counted(self.transitions, "transition", "transitions"),
                self.seconds
            );
        }
        if let Some(route) = self.route.as_deref().filter(|_| self.verdict != "inconclusive") {
            let _ = write!(text, "\n  {route}");
        }
        if let Some(vacuous) = self.vacuous.as_deref().filter(|_| !quiet) {
            let vacuous: String = vacuous.chars().map(printable).collect();
            let _ = write!(text, "\n  vacuous: {vacuous}");
        }
        text.push('\n');
        if let Some(channels) = &self.channels {
            text += &channels.to_text();
        }
        if let Some(capacities) = &self.capacities {
            text += &capacities.to_text();
        }
        if !quiet {
            text += &coverage::to_text(self.unreached.as_deref().unwrap_or_default());
        }
        text += &self.drawing;
        if let Some(actions) = &self.actions {
            text += &computation(actions);
        }
        match (&self.comparison, &self.story) {
            (Some(comparison), _) => text += &comparison.to_text(),
            (None, Some(story)) => text += &story.summary(),
            (None, None) => {}
        }
        text
    }

    /// The check and its property.
    pub fn name(&self) -> String {
        match &self.property {
            Some(property) => format!("{} {}", self.check, clipped(property, LONGEST_PROPERTY)),
            None => self.check.clone(),
        }
    }

    /// What is counted: one, and several.
    fn unit(&self) -> (&'static str, &'static str) {
        if self.pairs { ("pair of states", "pairs of states") } else { ("state", "states") }
    }

    /// How many states there are, where that is known.
    fn distinct(&self) -> Option<u64> {
        (self.replacements == 0).then_some(self.states)
    }

    /// As a member of `checks`.
    pub fn to_json(&self) -> Value {
        let mut answer = json!({
            "check": self.check, "property": self.property, "verdict": self.verdict,
            "reason": self.reason, "fault": self.fault,
            "states": self.distinct(), "transitions": self.transitions, "matched": self.matched,
            "max_depth": self.max_depth, "errors": self.errors,
            "insertions": self.states, "replacements": self.replacements,
            "state_bytes": self.state_bytes, "store_bytes": self.store_bytes,
            "peak_memory_bytes": self.peak_memory_bytes, "seconds": self.seconds,
            "threads": self.threads, "reduction": "none", "complete": self.complete,
            "omitted_estimate": self.omitted,
            "unreached": self.unreached.as_deref().map(coverage::to_json),
            "trace": null,
            "actions": self.actions, "scope": self.scope, "route": self.route,
            "automaton": self.automaton.map(|size| json!({
                "states": size.states, "edges": size.edges, "sets": size.sets,
                "letters": size.letters,
            })),
            "vacuous": self.vacuous,
        });
        // The macro would copy it, and it may be long.
        if let Some(story) = &self.story {
            answer["trace"] = story.to_json();
        }
        if let (Some(channels), Some(members)) = (&self.channels, answer.as_object_mut()) {
            members.insert("channels".to_owned(), channels.to_json());
        }
        if let (Some(capacities), Some(members)) = (&self.capacities, answer.as_object_mut()) {
            members.insert("capacities".to_owned(), capacities.to_json());
        }
        if let (Some(comparison), Some(members)) = (&self.comparison, answer.as_object_mut()) {
            members.insert("comparison".to_owned(), comparison.to_json());
        }
        answer
    }
}

/// The actions of a computation, on one line.
fn computation(actions: &[String]) -> String {
    if actions.is_empty() {
        return "  computation: the empty one\n".to_owned();
    }
    let hidden = actions.len().saturating_sub(MOST_ACTIONS);
    let before =
        if hidden == 0 { String::new() } else { format!("({} before) ", grouped(hidden as u64)) };
    let shown = actions[hidden..].iter().map(|one| one.chars().map(printable).collect::<String>());
    format!("  computation: {before}{}\n", shown.collect::<Vec<_>>().join(" "))
}

/// So many things, in words.
pub fn counted(number: u64, one: &str, several: &str) -> String {
    format!("{} {}", grouped(number), if number == 1 { one } else { several })
}

/// A number with its thousands apart.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_by_thousands() {
        for (number, text) in [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567")] {
            assert_eq!(grouped(number), text);
        }
    }
}

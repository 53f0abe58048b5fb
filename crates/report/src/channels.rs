//! What is known of channels: a line for each, and for those that grow a loop that shows it.

use crate::answers::counted;
use crate::chart::Chart;
use crate::trace::Story;
use serde_json::{Value, json};
use std::fmt::Write as _;

/// What is known of one channel.
#[derive(Clone, Debug, Default)]
pub struct ChannelReport {
    /// Its name.
    pub name: String,
    /// `unbounded`, `bounded` or `unknown`.
    pub verdict: &'static str,
    /// The most messages it ever holds, where that is known.
    pub bound: Option<u64>,
    /// The greatest length met.
    pub greatest: u32,
    /// Why, in a few words.
    pub evidence: String,
    /// The greatest length by depth.
    pub by_depth: Vec<u32>,
    /// The loop that makes it grow, among [`ChannelsReport::loops`].
    pub grows_by: Option<usize>,
    /// Weights of places that no step increases, and what they are to be divided by.
    pub weights: Option<(Vec<(String, i64)>, i64)>,
}

/// A loop that can be repeated for ever.
#[derive(Clone, Debug)]
pub struct LoopReport {
    /// The way to it.
    pub prefix: Story,
    /// One round.
    pub round: Story,
    /// What each round adds: the channel and its messages.
    pub adds: Vec<(String, String)>,
    /// The way to it and one round, as a chart.
    pub chart: Option<Chart>,
}

/// What is known of all channels.
#[derive(Clone, Debug, Default)]
pub struct ChannelsReport {
    /// The channels.
    pub channels: Vec<ChannelReport>,
    /// Loops.
    pub loops: Vec<LoopReport>,
}

/// Shown of a longer way: so many steps.
const MOST_STEPS: usize = 200;

impl ChannelsReport {
    /// The first words behind the verdict.
    pub fn summary(&self) -> String {
        let count = |verdict| self.channels.iter().filter(|one| one.verdict == verdict).count();
        let (unbounded, bounded) = (count("unbounded"), count("bounded"));
        let (unknown, all) = (count("unknown"), self.channels.len());
        let mut parts = Vec::new();
        if unbounded > 0 {
            let verb = if unbounded == 1 { "grows" } else { "grow" };
            parts.push(format!("{unbounded} of {all} channels {verb} without bound"));
        }
        match bounded {
            0 if all == 0 => parts.push("the model has no buffered channel".to_owned()),
            0 => {}
            _ if bounded == all => parts.push("every channel is bounded".to_owned()),
            _ => parts.push(format!("{bounded} bounded")),
        }
        if unknown > 0 {
            parts.push(format!("{unknown} unknown"));
        }
        format!("{} (capacities are lifted)", parts.join(", "))
    }

    /// A line for each channel.
    pub fn lines(&self) -> String {
        let mut text = String::new();
        let width = self.channels.iter().map(|one| one.name.chars().count()).max().unwrap_or(0);
        for channel in &self.channels {
            let verdict = match (channel.verdict, channel.bound) {
                ("bounded", Some(bound)) => format!("bounded by {bound}"),
                (verdict, _) => verdict.to_owned(),
            };
            let _ = writeln!(
                text,
                "  {:<width$}  {verdict:<14} greatest length met {:<4} {}",
                channel.name, channel.greatest, channel.evidence
            );
        }
        text
    }

    /// A line for each channel, then the loops and the weights.
    pub fn to_text(&self) -> String {
        let mut text = self.lines();
        for (number, one) in self.loops.iter().enumerate() {
            let _ = writeln!(text, "  loop {}:", number + 1);
            steps(&mut text, &one.prefix, "begins in the initial state", "begins after");
            let rounds = one.round.steps.len();
            let _ = writeln!(
                text,
                "    and can be repeated for ever, {} a round:",
                counted(rounds as u64, "step", "steps")
            );
            for (at, step) in one.round.steps.iter().take(MOST_STEPS).enumerate() {
                let _ = writeln!(text, "  {}", step.to_text(at + 1).trim_end());
            }
            for (channel, messages) in &one.adds {
                let _ = writeln!(text, "    each round adds to {channel}: {messages}");
            }
        }
        for channel in &self.channels {
            if let Some((weights, divisor)) = &channel.weights {
                let shown: Vec<String> = weights
                    .iter()
                    .filter(|(_, weight)| *weight > 0)
                    .map(|(place, weight)| match divisor {
                        1 => format!("{place} {weight}"),
                        _ => format!("{place} {weight}/{divisor}"),
                    })
                    .collect();
                let _ = writeln!(
                    text,
                    "  weights for {}: no step increases their sum: {}",
                    channel.name,
                    shown.join(", ")
                );
            }
        }
        text
    }

    /// The member `channels`.
    pub fn to_json(&self) -> Value {
        let channels = self.channels.iter().map(|channel| {
            let round = channel.grows_by.and_then(|at| self.loops.get(at));
            let weights = channel.weights.as_ref().map(|(weights, divisor)| {
                let of: Vec<Value> =
                    weights.iter().map(|(place, weight)| json!([place, weight])).collect();
                json!({ "divisor": divisor, "of": of })
            });
            json!({
                "name": channel.name, "verdict": channel.verdict, "bound": channel.bound,
                "greatest_length": channel.greatest, "evidence": channel.evidence,
                "length_by_depth": channel.by_depth,
                "loop": round.map(|round| json!({
                    "prefix": round.prefix.to_json(), "round": round.round.to_json(),
                    "adds": round.adds.iter().map(|(channel, messages)| {
                        json!({ "channel": channel, "messages": messages })
                    }).collect::<Vec<_>>(),
                })),
                "weights": weights,
            })
        });
        Value::Array(channels.collect())
    }
}

fn steps(text: &mut String, story: &Story, none: &str, some: &str) {
    let count = story.steps.len();
    if count == 0 {
        let _ = writeln!(text, "    {none}");
        return;
    }
    let plural = if count == 1 { "" } else { "s" };
    let _ = writeln!(text, "    {some} {count} step{plural}:");
    for (at, step) in story.steps.iter().take(MOST_STEPS).enumerate() {
        let _ = writeln!(text, "  {}", step.to_text(at + 1).trim_end());
    }
    if count > MOST_STEPS {
        let _ = writeln!(text, "    … and {} more", count - MOST_STEPS);
    }
}

//! Why two models are not related: the run that tells them apart, as text and as data.

use crate::answers::grouped;
use crate::chart::Chart;
use crate::excerpt::printable;
use crate::trace::Story;
use pverify_verdict::distinguishing::{Attempt, Distinguishing, Last, Round, Which};
use serde_json::{Value, json};
use std::fmt::Write as _;

/// Two models that are not related.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The files of both.
    pub files: [String; 2],
    /// The relation.
    pub relation: String,
    /// Why they are not.
    pub told: Distinguishing,
    /// What each of them does on the way, in words.
    pub runs: [Option<Story>; 2],
    /// The same as charts.
    pub charts: [Option<Chart>; 2],
}

/// So many shared actions are shown; of more, the last.
const MOST_SHARED: usize = 40;
/// So many attempts are shown.
const MOST_ATTEMPTS: usize = 5;
/// Of so many actions of one move all are shown.
const MOST_ACTS: usize = 12;

impl Comparison {
    fn file(&self, which: Which) -> String {
        shown(&self.files[which as usize])
    }

    /// What it comes to, in one line.
    pub fn summary(&self) -> String {
        let shared = self.told.rounds.len();
        let plural = if shared == 1 { "" } else { "s" };
        let Last { by, action, .. } = &self.told.last;
        format!(
            "after {} shared action{plural} {} can do `{}`, and {} cannot",
            grouped(shared as u64),
            self.file(*by),
            shown(action),
            self.file(by.other())
        )
    }

    /// The run, and what would have become of other answers.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        let shared = actions(&self.told.rounds, MOST_SHARED);
        let _ = match self.told.rounds.is_empty() {
            true => writeln!(text, "  in their initial states:"),
            false => writeln!(text, "  both do: {shared}"),
        };
        text += &self.end("  ", &self.told.last);
        let attempts = &self.told.attempts;
        for attempt in attempts.iter().take(MOST_ATTEMPTS) {
            let round = &self.told.rounds[attempt.round];
            let who = self.file(round.by.other());
            let _ = writeln!(
                text,
                "  if {who} does action {} (`{}`) in another way, {}:",
                attempt.round + 1,
                shown(&round.action),
                path(&attempt.answer)
            );
            if !attempt.rounds.is_empty() {
                let _ = writeln!(text, "    both do: {}", actions(&attempt.rounds, MOST_SHARED));
            }
            text += &self.end("    ", &attempt.last);
        }
        let more = attempts.len().saturating_sub(MOST_ATTEMPTS) as u64 + self.told.left_out;
        if more > 0 {
            let _ = writeln!(text, "  {} more ways to answer end like these", grouped(more));
        }
        text
    }

    /// A challenge that has no answer.
    fn end(&self, indent: &str, last: &Last) -> String {
        let (who, other) = (self.file(last.by), self.file(last.by.other()));
        let mut text = format!("{indent}then {who} can do `{}`", shown(&last.action));
        if last.challenge.len() > 1 {
            let _ = write!(text, ", by {}", path(&last.challenge));
        }
        let can: Vec<String> = last.can.iter().take(MOST_ACTS).map(|one| shown(one)).collect();
        let more = if last.can.len() > MOST_ACTS { ", …" } else { "" };
        let _ = match can.is_empty() {
            true => writeln!(text, "\n{indent}{other} cannot: it can do nothing that is seen"),
            false => writeln!(text, "\n{indent}{other} cannot: it can do {}{more}", can.join(", ")),
        };
        text
    }

    /// As a member of a check.
    pub fn to_json(&self) -> Value {
        let attempts: Vec<Value> = self.told.attempts.iter().map(attempt_to_json).collect();
        let run = |which: Which| self.runs[which as usize].as_ref().map(Story::to_json);
        json!({
            "relation": self.relation, "left": self.files[0], "right": self.files[1],
            "rounds": self.told.rounds.iter().map(round_to_json).collect::<Vec<_>>(),
            "last": last_to_json(&self.told.last),
            "attempts": attempts, "attempts_left_out": self.told.left_out,
            "runs": { "left": run(Which::Left), "right": run(Which::Right) },
        })
    }
}

fn name(which: Which) -> &'static str {
    match which {
        Which::Left => "left",
        Which::Right => "right",
    }
}

fn round_to_json(round: &Round) -> Value {
    json!({
        "by": name(round.by), "action": round.action, "challenge": round.challenge,
        "answer": round.answer, "answers": round.answers,
    })
}

fn last_to_json(last: &Last) -> Value {
    json!({
        "by": name(last.by), "action": last.action, "challenge": last.challenge, "can": last.can,
    })
}

fn attempt_to_json(attempt: &Attempt) -> Value {
    json!({
        "round": attempt.round, "answer": attempt.answer,
        "rounds": attempt.rounds.iter().map(round_to_json).collect::<Vec<_>>(),
        "last": last_to_json(&attempt.last),
    })
}

/// The actions of rounds, on one line.
fn actions(rounds: &[Round], most: usize) -> String {
    let all: Vec<&str> = rounds.iter().map(|round| round.action.as_str()).collect();
    counted(&all, most)
}

/// The actions of one move.
fn path(acts: &[String]) -> String {
    if acts.is_empty() {
        return "doing nothing".to_owned();
    }
    let all: Vec<&str> = acts.iter().map(String::as_str).collect();
    counted(&all, MOST_ACTS)
}

/// Actions on one line, the last ones of many; what comes again and again is counted.
fn counted(names: &[&str], most: usize) -> String {
    let runs: Vec<&[&str]> = names.chunk_by(|one, two| one == two).collect();
    let left_out = runs.len().saturating_sub(most);
    let mut parts = Vec::new();
    if left_out > 0 {
        let before: usize = runs[..left_out].iter().map(|run| run.len()).sum();
        parts.push(format!("({} before)", grouped(before as u64)));
    }
    for run in &runs[left_out..] {
        match run {
            [one] => parts.push(quoted(one)),
            [one, two] => parts.extend([quoted(one), quoted(two)]),
            _ => parts.push(format!("{} ({} times)", quoted(run[0]), grouped(run.len() as u64))),
        }
    }
    parts.join(" ")
}

/// A name, in quotes if it has spaces.
fn quoted(name: &str) -> String {
    let name = shown(name);
    if name.contains(char::is_whitespace) { format!("\"{name}\"") } else { name }
}

fn shown(name: &str) -> String {
    name.chars().map(printable).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_again_and_again_is_counted() {
        let check = |names: &[&str], most, text| assert_eq!(counted(names, most), text);
        check(&["a", "tau", "tau", "tau", "b"], 9, "a tau (3 times) b");
        check(&["a", "a", "b c"], 9, "a a \"b c\"");
        check(&["a", "a", "a", "b", "c"], 2, "(3 before) b c");
        check(&[], 2, "");
    }
}

//! Chooses diverse models and writes them with SPIN's figures, as tests that need no SPIN.

use std::collections::HashMap;
use std::path::Path;

use super::{Outcome, write};
use crate::agree::figures::Figures;

/// Smaller ones show nothing, bigger ones take long in a debug build.
const STATES: std::ops::RangeInclusive<u64> = 8..=3000;
const LONGEST_TEXT: usize = 1600;

/// What a model may have; pairs of these are what the choice spreads over.
const FEATURES: [&str; 34] = [
    "atomic {",
    "d_step {",
    "unless {",
    "timeout",
    "else",
    "goto L",
    "break",
    "run Child(",
    "assert(",
    "!!",
    "??",
    "?<",
    "eval(",
    "?[",
    "typedef",
    "[0] of",
    "[1] of",
    "[2] of",
    "priority",
    "provided",
    "select (",
    "for (",
    "end0:",
    "full(",
    "empty(",
    "_nr_pr",
    "byte t",
    "bit t",
    "chan q",
    "init {",
    "[2] proctype",
    "short s",
    "unsigned u",
    "->",
];

struct Candidate {
    seed: u64,
    text: String,
    figures: Figures,
    /// Numbers of features; those behind the last one stand for verdicts.
    features: Vec<usize>,
}

/// Writes `keep` of the models into `folder`, each with its expectation in the first line.
pub(super) fn write(
    folder: &Path,
    seeds: &[u64],
    outcomes: &[Outcome],
    keep: usize,
) -> anyhow::Result<()> {
    let candidates: Vec<Candidate> = seeds
        .iter()
        .zip(outcomes)
        .filter_map(|(seed, outcome)| candidate(*seed, outcome))
        .collect();
    let chosen = choose(&candidates, keep);
    std::fs::create_dir_all(folder)?;
    for Candidate { seed, text, figures, .. } in &chosen {
        let file = folder.join(format!("seed-{seed}.pml"));
        std::fs::write(file, format!("// recorded: {figures}\n{text}"))?;
    }
    println!(
        "recorded {} of {} fitting models in {}",
        chosen.len(),
        candidates.len(),
        folder.display()
    );
    Ok(())
}

fn candidate(seed: u64, outcome: &Outcome) -> Option<Candidate> {
    let Outcome::Searched { spin, .. } = outcome else { return None };
    let text = write::model(seed).text();
    if !spin.counts_mean_something() || !STATES.contains(&spin.states) || text.len() > LONGEST_TEXT
    {
        return None;
    }
    let mut features: Vec<usize> =
        (0..FEATURES.len()).filter(|index| text.contains(FEATURES[*index])).collect();
    features.push(FEATURES.len() + spin.kinds.len());
    Some(Candidate { seed, text, figures: spin.clone(), features })
}

/// One after the other, the model whose pairs of features are the rarest among those chosen.
fn choose(candidates: &[Candidate], keep: usize) -> Vec<&Candidate> {
    let mut left: Vec<&Candidate> = candidates.iter().collect();
    let mut seen: HashMap<(usize, usize), u32> = HashMap::new();
    let mut chosen = Vec::new();
    while chosen.len() < keep && !left.is_empty() {
        let score = |candidate: &Candidate| -> f64 {
            pairs(&candidate.features)
                .map(|pair| 0.3_f64.powi(seen.get(&pair).copied().unwrap_or(0).cast_signed()))
                .sum()
        };
        let scores: Vec<f64> = left.iter().map(|candidate| score(candidate)).collect();
        let best = (0..left.len()).max_by(|a, b| scores[*a].total_cmp(&scores[*b])).unwrap_or(0);
        let best = left.swap_remove(best);
        for pair in pairs(&best.features) {
            *seen.entry(pair).or_default() += 1;
        }
        chosen.push(best);
    }
    chosen
}

fn pairs(features: &[usize]) -> impl Iterator<Item = (usize, usize)> + '_ {
    features
        .iter()
        .enumerate()
        .flat_map(|(index, first)| features[index..].iter().map(move |second| (*first, *second)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_choice_prefers_what_is_new() {
        let candidate = |seed, features: &[usize]| Candidate {
            seed,
            text: String::new(),
            figures: Figures::default(),
            features: features.to_vec(),
        };
        let candidates = [candidate(1, &[0, 1]), candidate(2, &[0, 1]), candidate(3, &[2])];
        let mut seeds: Vec<u64> = choose(&candidates, 2).iter().map(|chosen| chosen.seed).collect();
        seeds.sort_unstable();
        assert_eq!(seeds.len(), 2);
        assert!(seeds.contains(&3));
    }
}

//! What is asked of one formula, and the sum of all answers.

use super::row::Row;
use anyhow::{Context as _, Result};
use pverify_temporal::automaton::Size;
use pverify_temporal::automaton::degeneralize::degeneralize;
use pverify_temporal::classify::{Class, Classifier};
use pverify_temporal::formula::parse::parse;
use pverify_temporal::formula::{Atom, Formulas, Vocabulary};
use pverify_temporal::lasso::{Lasso, Valuation};
use pverify_temporal::tableau::{Options, Tableau};
use pverify_temporal::translate::{are_disjoint, translate_both};
use rand::rngs::StdRng;
use rand::{Rng as _, RngExt as _, SeedableRng as _};
use std::time::{Duration, Instant};

/// The answers about one formula.
pub(crate) struct Outcome {
    small: Size,
    buchi: Size,
    improved: (usize, usize),
    plain: (usize, usize),
    translation: Duration,
    class: Option<Class>,
    stutter_invariant: Option<bool>,
    deterministic: Option<usize>,
    deterministic_buchi: Option<usize>,
    satisfied: usize,
    wrong: Vec<String>,
}

/// Translates a formula and checks the automata against its meaning.
pub(crate) fn check(row: &Row<'_>, runs: usize, seed: u64) -> Result<Outcome> {
    let (mut formulas, mut vocabulary) = (Formulas::default(), Vocabulary::default());
    let formula = parse(row.formula, &mut formulas, &mut vocabulary)?;
    let start = Instant::now();
    let both = translate_both(&mut formulas, formula, &vocabulary)?;
    let translation = start.elapsed();
    let buchi = degeneralize(&both.positive);
    let mut count = |improved| -> Result<(usize, usize)> {
        let options = Options {
            merge_nodes: improved,
            repeated_identity: improved,
            promises_by_until: true,
            ..Options::default()
        };
        let tableau = Tableau::new(&mut formulas, formula, &vocabulary, options)?;
        let size = tableau.automaton()?.size();
        Ok((size.states, size.edges))
    };
    let (improved, plain) = (count(true)?, count(false)?);
    let mut wrong = Vec::new();
    let disjoint = are_disjoint(&both.positive, &both.negative).context("too many letters")?;
    if !disjoint {
        wrong.push("the automata of the formula and its negation share a run".to_owned());
    }
    let mut random = StdRng::seed_from_u64(seed);
    let mut satisfied = 0;
    for case in 0..runs {
        // Runs along a path of an automaton, some but for one letter: blind ones are seldom of
        // interest to a formula.
        let followed = match case % 6 {
            0 | 1 => both.positive.walk(|ways| random.random_range(0..ways)),
            2 | 3 => both.negative.walk(|ways| random.random_range(0..ways)),
            _ => None,
        };
        let mut lasso = followed.unwrap_or_else(|| random_lasso(&mut random, vocabulary.len()));
        if case % 4 == 0 && !vocabulary.is_empty() {
            let atom = Atom(random.random_range(0..vocabulary.len()) as u32);
            lasso = lasso.flipped(random.random_range(0..lasso.len()), atom);
        }
        let holds = lasso.satisfies(&formulas, formula);
        satisfied += usize::from(holds);
        for (name, automaton, expected) in [
            ("automaton", &both.positive, holds),
            ("negation", &both.negative, !holds),
            ("Büchi automaton", &buchi, holds),
        ] {
            if automaton.accepts(&lasso) != expected {
                wrong.push(format!("the {name} is wrong on {lasso:?}"));
            }
        }
    }
    let classifier = Classifier::new(&both).context("too many letters")?;
    let class = classifier.class();
    let stutter_invariant = classifier.is_stutter_invariant(&mut formulas, formula);
    let deterministic_buchi = classifier.deterministic_buchi();
    if let Some(automaton) = &deterministic_buchi
        && classifier.is_equivalent(automaton) != Some(true)
    {
        wrong.push("the deterministic automaton is not equivalent".to_owned());
    }
    if class.is_none() {
        wrong.push("the class was not decided".to_owned());
    }
    if class.is_some_and(Class::is_recurrence) != deterministic_buchi.is_some() {
        wrong.push(format!("class {class:?} and deterministic automaton do not agree"));
    }
    if let Some(class) = class
        && !row.class.starts_with([class.letter(), '?'])
    {
        wrong.push(format!("the class is {class}, not {}", row.class));
    }
    if let (Some(found), Some(recorded)) = (stutter_invariant, row.stutter_invariant)
        && found != recorded
    {
        wrong.push(format!("stutter invariance is {found}, not {recorded}"));
    }
    Ok(Outcome {
        class,
        stutter_invariant,
        deterministic: classifier.deterministic().map(|automaton| automaton.size().states),
        deterministic_buchi: deterministic_buchi.map(|automaton| automaton.size().states),
        small: both.positive.size(),
        buchi: buchi.size(),
        improved,
        plain,
        translation,
        satisfied,
        wrong,
    })
}

fn random_lasso(random: &mut StdRng, atoms: usize) -> Lasso {
    let mask = if atoms >= 64 { u64::MAX } else { (1 << atoms) - 1 };
    let mut letters = |least: usize| -> Vec<Valuation> {
        let length = random.random_range(least..8);
        (0..length)
            // Few true atoms make the letters of protocols likelier.
            .map(|_| random.next_u64() & if random.random() { u64::MAX } else { random.next_u64() })
            .map(|bits| Valuation::from_bits(bits & mask))
            .collect()
    };
    loop {
        let (stem, cycle) = (letters(0), letters(1));
        if let Some(lasso) = Lasso::new(stem, cycle) {
            return lasso;
        }
    }
}

/// Deterministic automata of recurrence formulas, side by side with Spot's.
#[derive(Default)]
struct Recurrence {
    rows: usize,
    /// Spot has one with acceptance on edges, and ours is not larger.
    edges: (usize, usize),
    /// Spot has one with acceptance on states, and ours is not larger.
    states: (usize, usize),
    /// Ours is not larger than what Spot made when it was asked for a deterministic one, though in
    /// some rows that is none: on edges, and on states.
    asked: (usize, usize),
}

impl Recurrence {
    fn add(&mut self, row: &Row<'_>, outcome: &Outcome) {
        self.rows += 1;
        for (count, ours, theirs) in [
            (&mut self.edges, outcome.deterministic, row.spot_deterministic),
            (&mut self.states, outcome.deterministic_buchi, row.spot_buchi),
        ] {
            if let (Some(ours), Some(theirs)) = (ours, theirs) {
                count.0 += 1;
                count.1 += usize::from(ours <= theirs);
            }
        }
        if let Some((edges, states)) = row.spot_asked {
            let fits = |ours: Option<usize>, theirs| ours.is_some_and(|ours| ours <= theirs);
            self.asked.0 += usize::from(fits(outcome.deterministic, edges));
            self.asked.1 += usize::from(fits(outcome.deterministic_buchi, states));
        }
    }
}

/// The sums.
#[derive(Default)]
pub(crate) struct Total {
    rows: usize,
    ours: usize,
    spot: usize,
    ltl3ba: usize,
    buchi: usize,
    spot_buchi: usize,
    improved: usize,
    same_improved: usize,
    same_plain: usize,
    translation: Duration,
    all: Duration,
    classes: usize,
    stutter: usize,
    both_ways: usize,
    recurrence: Recurrence,
    /// How many answers were wrong.
    pub(crate) wrong: usize,
}

impl Total {
    /// Adds a row and shows it, if that is wanted or it says something.
    pub(crate) fn add(&mut self, row: &Row<'_>, outcome: &Outcome, show: bool, time: Duration) {
        self.rows += 1;
        self.ours += outcome.small.states;
        self.spot += row.spot;
        self.ltl3ba += row.ltl3ba;
        self.buchi += outcome.buchi.states;
        self.spot_buchi += row.spot_buchi_small;
        self.improved += outcome.improved.0;
        self.same_improved += usize::from(row.improved == Some(outcome.improved));
        self.same_plain += usize::from(row.plain == Some(outcome.plain));
        self.translation += outcome.translation;
        self.all += time;
        self.wrong += outcome.wrong.len();
        self.both_ways += usize::from(outcome.satisfied > 0);
        self.classes += usize::from(outcome.class.is_some());
        self.stutter += usize::from(outcome.stutter_invariant.is_some());
        if row.class == "R" {
            self.recurrence.add(row, outcome);
        }
        let larger = outcome.small.states > row.spot
            || row.class == "R"
                && row.spot_buchi < outcome.deterministic_buchi
                && row.spot_buchi.is_some();
        if show || !outcome.wrong.is_empty() || larger {
            let number = |one: Option<usize>| one.map_or("-".to_owned(), |one| one.to_string());
            let text: String = row.formula.chars().take(60).collect();
            println!(
                "{:8} {:4} {:1} states {:4} (Spot {:4}) Büchi {:4} (Spot {:4}) deterministic {:4} {:4} (Spot {:4} {:4}) {:6.3} s  {text}",
                row.set,
                row.id,
                row.class,
                outcome.small.states,
                row.spot,
                outcome.buchi.states,
                row.spot_buchi_small,
                number(outcome.deterministic),
                number(outcome.deterministic_buchi),
                number(row.spot_deterministic),
                number(row.spot_buchi),
                time.as_secs_f64(),
            );
        }
        for problem in outcome.wrong.iter().take(3) {
            println!("    WRONG: {problem}");
        }
    }

    /// Shows the sums.
    pub(crate) fn show(&self) {
        let ratio = |ours: usize, theirs: usize| ours as f64 / theirs.max(1) as f64;
        println!("{} formulas, {} wrong answers", self.rows, self.wrong);
        println!(
            "translation (with the negation) {:.2} s, with all checks {:.2} s",
            self.translation.as_secs_f64(),
            self.all.as_secs_f64()
        );
        println!(
            "generalized: {} states; Spot {} ({:.3}); ltl3ba {}",
            self.ours,
            self.spot,
            ratio(self.ours, self.spot),
            self.ltl3ba
        );
        println!(
            "Büchi: {} states; Spot {} ({:.3})",
            self.buchi,
            self.spot_buchi,
            ratio(self.buchi, self.spot_buchi)
        );
        println!("formulas that held on some of the runs: {}", self.both_ways);
        println!("classes decided: {}, stutter invariance: {}", self.classes, self.stutter);
        let Recurrence { rows, edges, states, asked } = &self.recurrence;
        println!(
            "recurrence: {rows} formulas; not larger than Spot where it is deterministic: \
             {} of {} on edges, {} of {} on states; than what it makes when asked for a \
             deterministic one, be it one or not: {} on edges, {} on states",
            edges.1, edges.0, states.1, states.0, asked.0, asked.1
        );
        println!(
            "tableau alone: {} nodes; nodes and transitions as recorded: plain {}, improved {}",
            self.improved, self.same_plain, self.same_improved
        );
    }
}

//! The line that shows how far a long search has come, and disappears when it is over.

use crate::memory;
use crate::options::output::{Format, Output};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use pverify_search::control::Progress;
use std::collections::VecDeque;
use std::fmt::Write as _;
use std::io::{IsTerminal as _, stderr, stdout};
use std::time::{Duration, Instant};

/// Shorter searches show nothing.
const FIRST: Duration = Duration::from_secs(1);
/// A few times a second.
const EVERY: Duration = Duration::from_millis(250);
/// Rates are those of the last two seconds.
const SAMPLES: usize = 8;

/// The line.
#[derive(Debug)]
pub(crate) struct Line {
    bar: Option<ProgressBar>,
    started: Instant,
    next: Instant,
    samples: VecDeque<Sample>,
    /// The memory that the search may use.
    limit: usize,
}

/// What was counted at a time.
#[derive(Clone, Copy, Debug)]
struct Sample {
    time: Instant,
    states: u64,
    replacements: u64,
}

impl Line {
    /// A line for a search with so much memory; none where nobody would see it, or where it would
    /// stand between a program and what it reads.
    pub(crate) fn new(output: &Output, started: Instant, limit: usize) -> Option<Self> {
        let json_to_terminal = output.format != Format::Text && stdout().is_terminal();
        let shown = stderr().is_terminal() && !output.quiet && !json_to_terminal;
        let samples = VecDeque::from([Sample { time: started, states: 0, replacements: 0 }]);
        shown.then(|| Self { bar: None, started, next: started + FIRST, samples, limit })
    }

    /// Draws it, if it is time to.
    pub(crate) fn show(&mut self, now: Instant, progress: &Progress) {
        if now < self.next {
            return;
        }
        self.next = now + EVERY;
        let sample = Sample {
            time: now,
            states: progress.counts.states,
            replacements: progress.counts.replacements,
        };
        let text = Moment {
            progress,
            elapsed: now - self.started,
            per_second: self.samples.front().map_or((0.0, 0.0), |first| first.rates(&sample)),
            limit: self.limit,
            resident: memory::resident(),
        }
        .to_text();
        if self.samples.len() == SAMPLES {
            self.samples.pop_front();
        }
        self.samples.push_back(sample);
        self.bar.get_or_insert_with(bar).set_message(text);
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// One line, as wide as the terminal at most; nothing on a terminal that cannot erase.
fn bar() -> ProgressBar {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    bar.with_style(
        ProgressStyle::with_template("{wide_msg}")
            .unwrap_or_else(|_| ProgressStyle::default_spinner()),
    )
}

impl Sample {
    /// States and replacements per second from here to a later sample.
    fn rates(&self, later: &Self) -> (f64, f64) {
        let seconds = (later.time - self.time).as_secs_f64().max(1e-3);
        let rate = |from: u64, to: u64| to.saturating_sub(from) as f64 / seconds;
        (rate(self.states, later.states), rate(self.replacements, later.replacements))
    }
}

/// Everything that the line says.
struct Moment<'a> {
    progress: &'a Progress,
    elapsed: Duration,
    /// States and replacements.
    per_second: (f64, f64),
    limit: usize,
    resident: u64,
}

impl Moment<'_> {
    /// The most important first: a narrow terminal shows the beginning.
    fn to_text(&self) -> String {
        let counts = &self.progress.counts;
        let mut text = format!("{}  {} states", time(self.elapsed), short(counts.states));
        let (states, replacements) = self.per_second;
        let _ = write!(
            text,
            " ({}/s), {} matched, depth {}, store {} of {}",
            short(states as u64),
            percent(counts.matched, counts.transitions),
            short(counts.max_depth),
            percent(self.progress.bytes as u64, self.limit as u64),
            bytes(self.limit as u64),
        );
        if counts.replacements > 0 {
            let _ = write!(
                text,
                ", {} replaced ({}/s)",
                short(counts.replacements),
                short(replacements as u64)
            );
        }
        if self.resident > 0 {
            let _ = write!(text, ", process {}", bytes(self.resident));
        }
        text + &by_thread(&self.progress.by_worker)
    }
}

/// What each thread did; of many the least and the most.
fn by_thread(states: &[u64]) -> String {
    const MANY: usize = 8;
    match (states, states.iter().min(), states.iter().max()) {
        ([_, _, ..], Some(&least), Some(&most)) if states.len() > MANY => {
            format!(", {} threads {} to {} each", states.len(), short(least), short(most))
        }
        ([_, _, ..], ..) => {
            let each: Vec<_> = states.iter().map(|&states| short(states)).collect();
            format!(", by thread {}", each.join(" "))
        }
        _ => String::new(),
    }
}

/// A number in at most five places.
fn short(number: u64) -> String {
    scaled(number, 1000, &["", "k", "M", "G", "T"])
}

fn bytes(number: u64) -> String {
    scaled(number, 1024, &[" B", " KiB", " MiB", " GiB", " TiB"])
}

/// Three figures that count, and the unit.
fn scaled(number: u64, step: u64, units: &[&str]) -> String {
    let mut scale = 1;
    let mut at = 0;
    // A step below, so that 999,999 is not written as 1000k.
    while at + 1 < units.len() && number >= (step * scale).saturating_sub(scale / 2) {
        scale *= step;
        at += 1;
    }
    let value = number as f64 / scale as f64;
    let places = match value {
        _ if at == 0 => 0,
        value if value < 9.995 => 2,
        value if value < 99.95 => 1,
        _ => 0,
    };
    format!("{value:.places$}{}", units[at])
}

fn percent(part: u64, whole: u64) -> String {
    format!("{}%", (u128::from(part) * 100).checked_div(u128::from(whole)).unwrap_or(0))
}

fn time(elapsed: Duration) -> String {
    let seconds = elapsed.as_secs();
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 {
        format!("{hours}:{minutes:02}:{seconds:02}")
    } else {
        format!("{minutes}:{seconds:02}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pverify_search::control::Counts;

    fn check(progress: &Progress, seconds: u64, per_second: (f64, f64), expected: &str) {
        let elapsed = Duration::from_secs(seconds);
        let moment = Moment { progress, elapsed, per_second, limit: 2 << 30, resident: 300 << 20 };
        assert_eq!(moment.to_text(), expected);
    }

    #[test]
    fn a_search_with_room() {
        let counts = Counts {
            states: 12_345_678,
            transitions: 40_000_000,
            matched: 27_654_323,
            max_depth: 8192,
            ..Counts::default()
        };
        let by_worker = vec![6_100_000, 6_245_678];
        let progress = Progress { counts, bytes: 280 << 20, by_worker, ..Progress::default() };
        check(
            &progress,
            12,
            (1_234_000.0, 0.0),
            "0:12  12.3M states (1.23M/s), 69% matched, depth 8.19k, store 13% of 2.00 GiB, \
             process 300 MiB, by thread 6.10M 6.25M",
        );
    }

    #[test]
    fn a_search_that_replaces() {
        let counts = Counts { states: 999, replacements: 500_000, ..Counts::default() };
        let progress = Progress {
            counts,
            bytes: 2 << 30,
            by_worker: (0..64).map(|worker| 10 + worker).collect(),
            ..Progress::default()
        };
        check(
            &progress,
            3725,
            (0.0, 20_000.0),
            "1:02:05  999 states (0/s), 0% matched, depth 0, store 100% of 2.00 GiB, 500k replaced \
             (20.0k/s), process 300 MiB, 64 threads 10 to 73 each",
        );
    }

    #[test]
    fn numbers_have_three_figures() {
        for (number, expected) in [
            (0, "0"),
            (999, "999"),
            (1000, "1.00k"),
            (9_994, "9.99k"),
            (9_996, "10.0k"),
            (99_960, "100k"),
            (999_499, "999k"),
            (999_500, "1.00M"),
            (u64::MAX, "18446744T"),
        ] {
            assert_eq!(short(number), expected);
        }
        assert_eq!(bytes(1536), "1.50 KiB");
    }

    #[test]
    fn rates_are_those_of_the_last_samples() {
        let time = Instant::now();
        let first = Sample { time, states: 100, replacements: 0 };
        let later = Sample { time: time + Duration::from_secs(2), states: 300, replacements: 10 };
        assert_eq!(first.rates(&later), (100.0, 5.0));
        assert_eq!(later.rates(&Sample { time: later.time, ..first }), (0.0, 0.0));
    }
}

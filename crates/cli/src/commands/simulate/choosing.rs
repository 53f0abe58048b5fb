//! Who chooses the next step of a simulation: chance, or a person.

use crate::output;
use anyhow::{Context as _, Result};
use pverify_report::trace::StoryStep;
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};
use std::fmt::Write as _;
use std::io::BufRead;

/// Chooses among steps; a rendezvous is one of them.
pub(super) trait Chooser {
    /// One of the options, of which there is at least one.
    fn choose(&mut self, options: &[Vec<StoryStep>]) -> Result<Chosen>;
}

/// What was chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Chosen {
    /// The option at this place.
    Step(usize),
    /// To stop here.
    Quit,
    /// Nothing more can be asked.
    EndOfInput,
}

/// Chance, with every option as likely.
pub(super) struct Random {
    source: StdRng,
}

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Self { source: StdRng::seed_from_u64(seed) }
    }
}

impl Chooser for Random {
    fn choose(&mut self, options: &[Vec<StoryStep>]) -> Result<Chosen> {
        Ok(Chosen::Step(self.source.random_range(0..options.len())))
    }
}

/// A person, who is asked only where there is a choice.
pub(super) struct Person<R> {
    input: R,
}

impl<R: BufRead> Person<R> {
    pub(super) fn new(input: R) -> Self {
        Self { input }
    }

    /// The next answer that makes sense.
    fn answer(&mut self, count: usize, mut say: impl FnMut(&str) -> Result<()>) -> Result<Chosen> {
        loop {
            say(&format!("choose 1 to {count}, or q to quit: "))?;
            let mut line = Vec::new();
            let read = self.input.read_until(b'\n', &mut line);
            if read.context("standard input cannot be read")? == 0 {
                say("\n")?;
                return Ok(Chosen::EndOfInput);
            }
            let line = String::from_utf8_lossy(&line);
            match (line.trim(), line.trim().parse::<usize>()) {
                ("q" | "quit", _) => return Ok(Chosen::Quit),
                (_, Ok(number)) if (1..=count).contains(&number) => {
                    return Ok(Chosen::Step(number - 1));
                }
                _ => say("that is none of them; ")?,
            }
        }
    }
}

impl<R: BufRead> Chooser for Person<R> {
    fn choose(&mut self, options: &[Vec<StoryStep>]) -> Result<Chosen> {
        if options.len() == 1 {
            return Ok(Chosen::Step(0));
        }
        output::print(&list(options))?;
        self.answer(options.len(), output::print)
    }
}

/// The options, numbered; the receiving half of a rendezvous stands behind the sending one.
fn list(options: &[Vec<StoryStep>]) -> String {
    let mut text = String::new();
    for (at, halves) in options.iter().enumerate() {
        let _ = write!(text, "  {:>5})", at + 1);
        for (half, StoryStep { process, pid, line, statement, .. }) in halves.iter().enumerate() {
            let with = if half > 0 { "  with" } else { "" };
            let _ = write!(text, "{with} {process}({pid}) line {line}  {statement}");
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(input: &[u8], expected: Chosen, questions: usize) {
        let mut said = String::new();
        let mut person = Person::new(input);
        let chosen = person.answer(3, |text| {
            said += text;
            Ok(())
        });
        assert_eq!(chosen.expect("reading bytes does not fail"), expected);
        assert_eq!(said.matches("choose 1 to 3, or q to quit").count(), questions, "{said}");
    }

    #[test]
    fn a_person_is_asked_until_the_answer_makes_sense() {
        check(b"2\n", Chosen::Step(1), 1);
        check(b" 3 \r\n", Chosen::Step(2), 1);
        check(b"1", Chosen::Step(0), 1);
        check(b"0\n4\n-1\nx\n\n\xff\n1\n", Chosen::Step(0), 7);
        check(b"99999999999999999999999\nq\n", Chosen::Quit, 2);
        check(b"quit\n", Chosen::Quit, 1);
        check(b"", Chosen::EndOfInput, 1);
        check(b"5\n", Chosen::EndOfInput, 2);
    }

    #[test]
    fn the_same_seed_chooses_the_same() {
        let options = vec![Vec::new(); 5];
        let run = |seed| {
            let mut random = Random::new(seed);
            (0..20).map(|_| random.choose(&options).expect("chance is there")).collect::<Vec<_>>()
        };
        assert_eq!(run(7), run(7));
        assert_ne!(run(7), run(8));
    }
}

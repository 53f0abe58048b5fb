//! Questions about a state that no process asks: propositions of formulas, conditions of claims,
//! and where processes stand.
//!
//! SPIN's rules: a variable of a process that does not live is 0; `timeout` is true where no
//! process could move without it.

use crate::code::Address;
use crate::compile;
use crate::engine::Engine;
use crate::fault::FaultKind;
use crate::run::Outcome;
use crate::successors::{NO_STEP, Path, Visitor};
use pverify_model::machine::{Expression, Location};
use pverify_model::walk;

/// A question, compiled for one engine: another engine of the model must compile it anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Question {
    code: Address,
    /// Whether it mentions `timeout`.
    timeout: bool,
}

impl Engine<'_> {
    /// Compiles a question.
    ///
    /// # Errors
    /// When the expression needs more registers than there are.
    pub fn question(&mut self, expression: &Expression) -> Result<Question, FaultKind> {
        let mut timeout = false;
        walk::expressions(expression, &mut |inner| timeout |= *inner == Expression::Timeout);
        Ok(Question { code: compile::question(self, expression)?, timeout })
    }

    /// The answer in a state, which is as before afterwards.
    ///
    /// # Errors
    /// What goes wrong in the expression, such as a division by zero.
    pub fn ask(&mut self, question: Question, words: &mut Vec<u64>) -> Result<bool, FaultKind> {
        let shape = self.shape_of(words);
        if self.shapes.len() <= shape.0 as usize {
            self.catch_up(shape);
        }
        let timeout = question.timeout && self.is_stuck_without_timeout(words);
        self.begin(shape);
        self.run.timeout = timeout;
        self.run.observed = true;
        self.run.offer = 0;
        let outcome = self.execute(question.code, words);
        self.run.timeout = false;
        self.run.observed = false;
        match self.run.faults.pop() {
            Some(fault) => {
                self.run.faults.clear();
                Err(fault)
            }
            None => Ok(outcome == Outcome::Done),
        }
    }

    /// Whether some process stands at a location of a kind.
    pub fn any_stands(&self, words: &[u64], kind: impl Fn(&Location) -> bool) -> bool {
        let shape = &self.shapes[self.shape_of(words).0 as usize];
        shape.processes.iter().any(|id| {
            let process = &self.instances[id.0 as usize];
            let graph = &self.model.processes[process.kind as usize].graph;
            kind(&graph.locations[process.location.get(words) as usize])
        })
    }

    /// Whether no process can move as long as it is not time for `timeout`.
    fn is_stuck_without_timeout(&mut self, words: &[u64]) -> bool {
        let count = self.shape(self.shape_of(words)).processes.len();
        let mut after = words.to_vec();
        self.begin_walk(false);
        let moved =
            (0..count).any(|pid| self.moves(words, &mut after, pid, NO_STEP, 0, &mut Indifferent));
        self.begin_walk(false);
        self.run.faults.clear();
        !moved
    }
}

/// Does not care where steps lead.
struct Indifferent;

impl Visitor for Indifferent {
    fn next(&mut self, _: &[u64], _: u32, _: Path<'_>) {}

    fn fault(&mut self, _: FaultKind, _: Path<'_>) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use pverify_model::load::load_text;

    /// A model with one formula: the answer to each of its propositions after some steps, each
    /// the choice with this number. Propositions are told in the order of the text.
    fn check(model: &str, steps: &[usize], expected: &[bool]) {
        let loaded = load_text(model);
        assert!(!loaded.has_errors(), "{:?}", loaded.diagnostics);
        let mut engine = Engine::new(&loaded.model);
        let mut state = engine.initial().to_vec();
        for &step in steps {
            let choice = engine.choices(&state, None).swap_remove(step);
            state = choice.performed.words.expect("a step that is possible");
        }
        let mut answers = Vec::new();
        for proposition in &loaded.model.formulas[0].propositions {
            let question = engine.question(&proposition.value).expect("a small question");
            answers.push(engine.ask(question, &mut state).expect("nothing goes wrong"));
        }
        assert_eq!(answers, expected, "{model}");
    }

    #[test]
    fn propositions_see_variables_channels_and_places() {
        let text = "byte x = 2; chan c = [2] of { byte };
            active proctype P() { byte y = 7; A: x = 3; B: c!1; C: y = 8 }
            ltl { (x == 3) && (len(c) == 1) && empty(c) && P@B && P[0]:y == 7 && _nr_pr == 1 }";
        check(text, &[], &[false, false, true, false, true, true]);
        check(text, &[0], &[true, false, true, true, true, true]);
        check(text, &[0, 0], &[true, true, false, false, true, true]);
    }

    #[test]
    fn who_does_not_live_has_zeros() {
        let text = "active proctype P() { byte y = 7; skip }
            ltl { P[3]:y == 0 && P[3]@end && P[0]:y == 0 }";
        // A label that does not exist is refused, so name one.
        let text = text.replace("skip }", "end: skip }");
        check(&text, &[], &[true, false, false]);
    }

    #[test]
    fn timeout_enabled_last_and_progress() {
        let text = "byte x; active proctype P() { progress: x == 1; timeout }
            active proctype Q() { x = 1; x == 2 }
            ltl { timeout && np_ && enabled(0) && _last == 1 }";
        check(text, &[], &[false, false, false, false]);
        check(text, &[0], &[false, false, true, true]);
        check(text, &[0, 0], &[true, true, false, false]);
    }

    #[test]
    fn what_goes_wrong_in_a_question_is_said() {
        let loaded = load_text(
            "byte a[2]; byte i = 2; active proctype P() { i = 1 } ltl { a[i] == 0 || 1 / (2 - i) }",
        );
        let mut engine = Engine::new(&loaded.model);
        let mut state = engine.initial().to_vec();
        let faults: Vec<_> = loaded.model.formulas[0]
            .propositions
            .iter()
            .map(|proposition| {
                let question = engine.question(&proposition.value).expect("a small question");
                engine.ask(question, &mut state).expect_err("it fails")
            })
            .collect();
        let index = FaultKind::ArrayIndex { index: 2, length: 2 };
        assert_eq!(faults, [index, FaultKind::DivisionByZero]);
    }
}

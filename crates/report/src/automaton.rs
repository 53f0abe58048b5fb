//! What there is to say about an automaton and its formula: a few lines, and the same as data.

use crate::excerpt::printable;
use crate::json::diagnostics_to_json;
use pverify_syntax::diagnostic::Diagnostic;
use pverify_syntax::source::Sources;
use pverify_temporal::automaton::Automaton;
use pverify_temporal::classify::Class;
use pverify_temporal::finite::dfa::{Dfa, DfaState};
use pverify_temporal::formula::Vocabulary;
use serde_json::{Value, json};
use std::fmt::Write as _;

/// An automaton, and what is known about it.
#[derive(Clone, Debug, Default)]
pub struct Described {
    /// The formula as it was understood.
    pub formula: Option<String>,
    /// The name that a file gives it.
    pub name: Option<String>,
    /// Its size and what kind of automaton it is; none where only the class was asked for.
    pub shape: Option<Shape>,
    /// The class of the formula, where it was decided.
    pub class: Option<Class>,
    /// Whether deciding the class takes too long.
    pub class_undecided: bool,
    /// Whether the formula cannot tell stuttering, where it was decided.
    pub stutter_invariant: Option<bool>,
    /// The automaton in the form that was asked for: the form's name, and the text.
    pub text: Option<(&'static str, String)>,
}

/// Size and kind of an automaton.
#[derive(Clone, Debug)]
pub struct Shape {
    /// The propositions or actions.
    pub atoms: Vec<String>,
    /// States.
    pub states: usize,
    /// Edges: one per source, marks and target.
    pub edges: usize,
    /// What it means to accept.
    pub acceptance: Acceptance,
    /// Whether every letter leads to at most one state.
    pub deterministic: bool,
    /// Whether every letter leads to at least one.
    pub complete: bool,
}

/// What it means to accept.
#[derive(Clone, Copy, Debug)]
pub enum Acceptance {
    /// Infinite runs that meet each of so many sets for ever.
    Sets(u32),
    /// Finite computations that end in one of so many states.
    States(usize),
}

impl Shape {
    /// Of an automaton over infinite runs.
    pub fn of(automaton: &Automaton) -> Self {
        let size = automaton.size();
        Self {
            atoms: automaton.vocabulary.names().to_vec(),
            states: size.states,
            edges: size.edges,
            acceptance: Acceptance::Sets(size.sets),
            deterministic: automaton.is_deterministic(),
            complete: automaton.is_complete(),
        }
    }

    /// Of an automaton over finite computations.
    pub fn of_finite(dfa: &Dfa, actions: &Vocabulary) -> Self {
        let states = || (0..dfa.len() as u32).map(DfaState);
        let arrows: Vec<_> = states().flat_map(|state| dfa.arrows(state)).collect();
        let steps: usize = arrows.iter().map(|(_, actions)| actions.len()).sum();
        Self {
            atoms: actions.names().to_vec(),
            states: dfa.len(),
            edges: arrows.len(),
            acceptance: Acceptance::States(states().filter(|&one| dfa.accepts_in(one)).count()),
            deterministic: true,
            complete: !dfa.is_empty() && steps == dfa.len() * dfa.actions(),
        }
    }

    /// «2 states, 4 edges, 1 acceptance set; deterministic, complete».
    fn to_text(&self) -> String {
        let acceptance = match self.acceptance {
            Acceptance::Sets(sets) => count(sets as usize, "acceptance set"),
            Acceptance::States(states) => count(states, "accepting state"),
        };
        let determinism = if self.deterministic { "deterministic" } else { "nondeterministic" };
        let complete = if self.complete { "complete" } else { "not complete" };
        let (states, edges) = (count(self.states, "state"), count(self.edges, "edge"));
        format!("{states}, {edges}, {acceptance}; {determinism}, {complete}")
    }

    fn is_finite(&self) -> bool {
        matches!(self.acceptance, Acceptance::States(_))
    }
}

fn count(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

impl Described {
    /// One line, for beside the automaton itself.
    pub fn summary(&self) -> String {
        let shape = self.shape.as_ref().map_or_else(String::new, Shape::to_text);
        let class = self.class.map_or_else(String::new, |class| format!("; class: {class}"));
        clean(&format!("{shape}{class}\n"))
    }

    /// What is known, one line each.
    pub fn to_text(&self) -> String {
        let mut lines: Vec<(&str, String)> = Vec::new();
        lines.extend(self.formula.clone().map(|formula| ("formula", formula)));
        lines.extend(self.name.clone().map(|name| ("name", name)));
        if let Some(shape) = &self.shape {
            lines.push(("automaton", shape.to_text()));
            if shape.is_finite() {
                lines.push(("actions", shape.atoms.join(", ")));
            }
        }
        if let Some(class) = self.class {
            lines.push(("class", format!("{class}: {}", meaning(class))));
            lines.push(("check", route(class).sentence.to_owned()));
        }
        if self.class_undecided {
            lines.push(("class", "not decided: that takes too long".to_owned()));
        }
        if let Some(invariant) = self.stutter_invariant {
            let answer = if invariant {
                "does not matter: repeating a state changes nothing"
            } else {
                "matters: repeating a state may change the answer"
            };
            lines.push(("stuttering", answer.to_owned()));
        }
        let mut text = String::new();
        for (name, content) in lines {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{name:<11} {}", content.replace('\n', " "));
        }
        clean(&text)
    }

    fn to_json(&self) -> Value {
        let shape = self.shape.as_ref();
        let acceptance = shape.map(|shape| shape.acceptance);
        let (sets, accepting) = match acceptance {
            Some(Acceptance::Sets(sets)) => (Some(sets), None),
            Some(Acceptance::States(states)) => (None, Some(states)),
            None => (None, None),
        };
        json!({
            "formula": self.formula,
            "name": self.name,
            "finite": shape.map(Shape::is_finite),
            "atoms": shape.map(|shape| &shape.atoms),
            "states": shape.map(|shape| shape.states),
            "edges": shape.map(|shape| shape.edges),
            "acceptance_sets": sets,
            "accepting_states": accepting,
            "deterministic": shape.map(|shape| shape.deterministic),
            "complete": shape.map(|shape| shape.complete),
            "class": self.class.map(|class| class.to_string()),
            "check": self.class.map(|class| route(class).check),
            "route": self.class.map(|class| route(class).name),
            "stutter_invariant": self.stutter_invariant,
            "form": self.text.as_ref().map(|(form, _)| form),
            "text": self.text.as_ref().map(|(_, text)| text),
        })
    }
}

/// The class in one sentence.
pub fn meaning(class: Class) -> &'static str {
    match class {
        Class::Bounded => "a bounded number of steps decides it, either way",
        Class::Safety => "nothing bad ever happens; a violation shows after finitely many steps",
        Class::Guarantee => "something good happens once; that shows after finitely many steps",
        Class::Obligation => "a boolean combination of safety and guarantee",
        Class::Recurrence => "something good happens again and again",
        Class::Persistence => {
            "from some moment on something holds for ever; \
             there is a deterministic Büchi automaton of its negation only"
        }
        Class::Reactivity => {
            "a boolean combination of recurrence and persistence; \
             neither it nor its negation has a deterministic Büchi automaton"
        }
    }
}

/// How formulas of a class are checked.
struct Route {
    check: &'static str,
    name: &'static str,
    sentence: &'static str,
}

fn route(class: Class) -> Route {
    if class.is_safety() {
        let sentence = "--check ltl, by plain reachability of a violation";
        Route { check: "ltl", name: "reachability", sentence }
    } else if class.is_recurrence() {
        let sentence = "--check buchi, by deterministic Büchi acceptance; or --check ltl";
        Route { check: "buchi", name: "deterministic", sentence }
    } else {
        let sentence = "--check ltl, by the emptiness check of its negation";
        Route { check: "ltl", name: "emptiness", sentence }
    }
}

/// What `automaton` shows.
#[derive(Debug)]
pub struct Answer<'a> {
    /// The version of pverify.
    pub version: &'a str,
    /// The formula or the file, as the person gave it.
    pub given: Given<'a>,
    /// The automata.
    pub automata: &'a [Described],
    /// What is wrong with the text.
    pub diagnostics: &'a [Diagnostic],
    /// The text itself.
    pub sources: &'a Sources,
    /// Why there is no automaton, or not all of them.
    pub error: Option<&'a str>,
    /// What to do about it.
    pub help: Option<&'a str>,
}

/// Where automata come from.
#[derive(Clone, Copy, Debug)]
pub enum Given<'a> {
    /// A formula.
    Formula(&'a str),
    /// A file.
    File(&'a str),
}

impl Answer<'_> {
    /// The object, on lines that a person can read too.
    pub fn to_json(&self) -> String {
        let (formula, file) = match self.given {
            Given::Formula(text) => (Some(text), None),
            Given::File(path) => (None, Some(path)),
        };
        let answer = json!({
            "pverify": self.version, "formula": formula, "file": file,
            "automata": self.automata.iter().map(Described::to_json).collect::<Vec<_>>(),
            "diagnostics": diagnostics_to_json(self.diagnostics, self.sources),
            "error": self.error,
            "help": self.help,
        });
        format!("{answer:#}\n")
    }
}

/// Text that is safe to print: names may hold anything.
pub fn clean(text: &str) -> String {
    text.chars().map(|letter| if letter == '\n' { letter } else { printable(letter) }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_safe_to_print() {
        let described =
            Described { formula: Some("\"a\u{1b}[31m\n\"".to_owned()), ..Described::default() };
        let text = described.to_text();
        assert!(text.chars().all(|letter| letter == '\n' || !letter.is_control()), "{text:?}");
        assert_eq!(text.lines().count(), 1);
    }
}

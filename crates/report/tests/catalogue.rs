//! What a person sees of every diagnostic: a tiny model for each code, and its drawing.

#[path = "catalogue/automata.rs"]
mod automata;
#[path = "catalogue/machines.rs"]
mod machines;
#[path = "catalogue/systems.rs"]
mod systems;
#[path = "catalogue/texts.rs"]
mod texts;
#[path = "catalogue/transitions.rs"]
mod transitions;

use pverify_model::load::{Loaded, load};
use pverify_model::transitions::load_transitions_text;
use pverify_report::diagnostics::{Style, draw};
use pverify_syntax::diagnostic::Diagnostic;
use pverify_syntax::options::{LoadError, Loader, Options};
use std::collections::BTreeSet;

/// A code, and a model that brings it about.
struct Example {
    code: &'static str,
    text: Vec<u8>,
}

/// An example from plain text.
fn example(code: &'static str, text: impl Into<Vec<u8>>) -> Example {
    Example { code, text: text.into() }
}

fn examples() -> Vec<Example> {
    let mut all = texts::examples();
    all.extend(machines::examples());
    all
}

/// The model itself, and a few files that it may include.
struct Files(Vec<u8>);

impl Loader for Files {
    fn load(&mut self, path: &str) -> Result<Vec<u8>, LoadError> {
        match path {
            "model.pml" => Ok(self.0.clone()),
            "circle.h" => Ok(b"#include \"circle.h\"\n".to_vec()),
            "secret.h" => Err(LoadError::Other("no permission to read it".to_owned())),
            _ => Err(LoadError::NotFound),
        }
    }
}

/// On a stack as large as that of the program: the deepest examples are deeper than a test's.
fn read(text: &[u8]) -> Loaded {
    let mut files = Files(text.to_vec());
    let work = move || load("model.pml", &mut files, &Options::default());
    let thread = std::thread::Builder::new().stack_size(256 << 20).spawn(work);
    thread.expect("a thread").join().expect("no panic")
}

#[test]
fn every_code_is_drawn() {
    for Example { code, text } in examples() {
        let loaded = read(&text);
        let of_code = |one: &&Diagnostic| one.code.id == code;
        let shown: Vec<_> = loaded.diagnostics.iter().filter(of_code).cloned().collect();
        let drawn = draw(&loaded.diagnostics, &loaded.sources, Style::default());
        assert!(!shown.is_empty(), "{code} is not what this gives:\n{drawn}");
        check_drawing(code, &drawn);
    }
    for &(code, name, text) in automata::EXAMPLES {
        let (diagnostics, sources) = automata::read(name, text);
        let codes: Vec<_> = diagnostics.iter().map(|one| one.code.id).collect();
        assert_eq!(codes, [code], "{text}");
        check_drawing(code, &draw(&diagnostics, &sources, Style::default()));
    }
}

#[test]
fn every_code_of_systems_is_drawn() {
    for &(code, text) in systems::EXAMPLES.iter().chain([&systems::LARGE]) {
        let loaded = systems::read(code, text);
        let drawn = draw(&loaded.diagnostics, &loaded.sources, Style::default());
        assert!(loaded.diagnostics.iter().any(|one| one.code.id == code), "{code}:\n{drawn}");
        assert!(loaded.diagnostics.iter().all(|one| one.help.is_some()), "{code}: no help");
        check_drawing(code, &drawn);
    }
}

#[test]
fn every_code_of_transition_systems_is_drawn() {
    for &(code, text) in transitions::EXAMPLES {
        let loaded = load_transitions_text(text);
        let codes: Vec<_> = loaded.diagnostics.iter().map(|one| one.code.id).collect();
        assert_eq!(codes, [code], "{text}");
        assert!(loaded.diagnostics.iter().all(|one| one.help.is_some()), "{code}: no help");
        check_drawing(code, &draw(&loaded.diagnostics, &loaded.sources, Style::default()));
    }
}

fn check_drawing(code: &str, drawn: &str) {
    insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, {
        insta::assert_snapshot!(code, drawn);
    });
}

#[test]
fn every_code_has_one_example() {
    let models = pverify_syntax::codes::ALL.iter().chain(pverify_model::codes::ALL);
    let all = models.chain(pverify_temporal::codes::ALL);
    let known: BTreeSet<_> = all.map(|code| code.id).collect();
    let mut shown: Vec<_> = examples().into_iter().map(|example| example.code).collect();
    shown.extend(automata::EXAMPLES.iter().map(|&(code, _, _)| code));
    shown.extend(systems::EXAMPLES.iter().chain([&systems::LARGE]).map(|&(code, _)| code));
    shown.extend(transitions::EXAMPLES.iter().map(|&(code, _)| code));
    let distinct: BTreeSet<_> = shown.iter().copied().collect();
    assert_eq!(shown.len(), distinct.len(), "an example stands twice");
    let missing: Vec<_> = known.difference(&distinct).collect();
    assert!(missing.is_empty(), "codes without an example: {missing:?}");
    let unknown: Vec<_> = distinct.difference(&known).collect();
    assert!(unknown.is_empty(), "examples of codes that do not exist: {unknown:?}");
}

#[test]
fn every_diagnostic_says_what_to_do() {
    for Example { code, text } in examples() {
        for diagnostic in read(&text).diagnostics {
            assert!(diagnostic.help.is_some(), "{code}: no help in {diagnostic:#?}");
            assert!(diagnostic.message.len() > 10, "{code}: too short: {diagnostic:#?}");
        }
    }
}

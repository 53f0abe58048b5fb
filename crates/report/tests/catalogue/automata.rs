//! Formulas and automata that cannot be read.

use pverify_syntax::diagnostic::Diagnostic;
use pverify_syntax::source::Sources;
use pverify_temporal::formula::{Formulas, Vocabulary, parse::parse};
use pverify_temporal::{diagnose, hoa};

/// One for each code of `temporal`: the code, the name of the text, and the text.
pub(crate) const EXAMPLES: &[(&str, &str, &str)] = &[
    ("E1201", "formula", "[] (x > 1 -> <> y)"),
    ("E1202", "request.hoa", "HOA: v1\nStates: two\n--BODY--\n--END--\n"),
    (
        "E1203",
        "request.hoa",
        "HOA: v1\nStates: 1\nStart: 0\nAP: 1 \"p\"\nAcceptance: 1 Fin(0)\n--BODY--\nState: 0\n[0] 0\n--END--\n",
    ),
];

/// What is wrong with a text, by its name.
pub(crate) fn read(name: &str, text: &str) -> (Vec<Diagnostic>, Sources) {
    let mut sources = Sources::default();
    let file = sources.add_file(name.to_owned(), text, None);
    let diagnostics = if name.ends_with(".hoa") {
        let errors = hoa::read(text).into_iter().filter_map(Result::err);
        errors.map(|error| diagnose::automaton(&error, file)).collect()
    } else {
        let error = parse(text, &mut Formulas::default(), &mut Vocabulary::default()).err();
        error.map(|error| diagnose::formula(&error, file)).into_iter().collect()
    };
    (diagnostics, sources)
}

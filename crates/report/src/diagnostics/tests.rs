//! What a person sees, as snapshots.

use super::*;
use insta::assert_snapshot;
use pverify_syntax::diagnostic::Code;
use pverify_syntax::source::{Expansion, ExpansionId};

static ERROR: Code = Code { id: "E9998", title: "a test error", explanation: "" };
static WARNING: Code = Code { id: "W9999", title: "a test warning", explanation: "" };

/// The span of the first occurrence of some words in a file.
fn find(sources: &Sources, file: FileId, words: &str) -> Span {
    let start = sources.file(file).text.find(words).expect("the words stand in the text") as u32;
    Span { file, start, end: start + words.len() as u32, expansion: ExpansionId::NONE }
}

/// A model of one file.
fn model(text: &str) -> (Sources, FileId) {
    let mut sources = Sources::default();
    let file = sources.add_file("model.pml".into(), text, None);
    (sources, file)
}

fn drawn(diagnostics: &[Diagnostic], sources: &Sources) -> String {
    draw(diagnostics, sources, Style::default())
}

#[test]
fn nothing_wrong_draws_nothing() {
    assert_eq!(drawn(&[], &Sources::default()), "");
}

#[test]
fn an_error_with_a_label_and_help() {
    let (sources, file) =
        model("chan c = [1] of { byte };\n\nactive proctype P() {\n\tc!1, 2\n}\n");
    let error = Diagnostic::new(&ERROR, find(&sources, file, "1, 2"), "two values are sent")
        .here("two values")
        .label(find(&sources, file, "{ byte }"), "a message has one field")
        .help("send one value, or declare a second field");
    assert_snapshot!(drawn(&[error], &sources));
}

#[test]
fn by_place_with_a_count() {
    let (sources, file) = model("byte a;\nbyte b;\nbyte c;\n");
    let at = |code, words: &str| Diagnostic::new(code, find(&sources, file, words), words);
    let given = [at(&ERROR, "c"), at(&WARNING, "b;"), at(&ERROR, "a")];
    assert_snapshot!(drawn(&given, &sources));
    assert_eq!(summary(&given), "2 errors, 1 warning");
    assert_eq!(summary(&given[1..2]), "1 warning");
    assert_eq!(summary(&[]), "no errors");
}

#[test]
fn text_of_a_macro_in_an_inline_leads_back_to_what_was_typed() {
    let (mut sources, file) =
        model("#define SEND c!x\ninline twice() {\n  SEND;\n}\ninit {\n  twice()\n}\n");
    let inline = sources.add_expansion(Expansion {
        kind: ExpansionKind::Inline,
        name: "twice".into(),
        call: find(&sources, file, "twice()\n"),
        definition: find(&sources, file, "twice() {"),
    });
    let using = sources.add_expansion(Expansion {
        kind: ExpansionKind::Macro,
        name: "SEND".into(),
        call: Span { expansion: inline, ..find(&sources, file, "SEND;") },
        definition: find(&sources, file, "SEND c"),
    });
    let span = Span { expansion: using, ..find(&sources, file, "c!x") };
    let error = Diagnostic::new(&ERROR, span, "`c` is not declared").here("not declared");
    assert_snapshot!(drawn(&[error], &sources));
}

#[test]
fn an_included_file_names_its_include() {
    let (mut sources, main) = model("#include \"channels.h\"\ninit { skip }\n");
    let include = find(&sources, main, "\"channels.h\"");
    let file = sources.add_file("channels.h".into(), "chan c = [-1] of { byte }\n", Some(include));
    let error = Diagnostic::new(&ERROR, find(&sources, file, "-1"), "a negative capacity")
        .label(find(&sources, main, "skip"), "used here");
    assert_snapshot!(drawn(&[error], &sources));
}

#[test]
fn the_end_of_the_file_has_a_line_of_its_own() {
    let (sources, file) = model("init {\n");
    let end = Span { file, start: 7, end: 7, ..Span::default() };
    let error = Diagnostic::new(&ERROR, end, "the file ends inside `init`")
        .label(find(&sources, file, "{"), "opened here");
    assert_snapshot!(drawn(&[error], &sources));
}

#[test]
fn an_empty_span_at_the_end_of_a_line() {
    let (sources, file) = model("byte a\nbyte b;\n");
    let span = Span { file, start: 6, end: 6, ..Span::default() };
    assert_snapshot!(drawn(&[Diagnostic::new(&ERROR, span, "a missing `;`")], &sources));
}

#[test]
fn a_span_over_many_lines() {
    let (sources, file) = model("init {\n  skip;\n  skip;\n  skip\n}\n");
    let error = Diagnostic::new(
        &WARNING,
        find(&sources, file, "{\n  skip;\n  skip;\n  skip\n}"),
        "all of it",
    );
    assert_snapshot!(drawn(&[error], &sources));
}

#[test]
fn ascii_for_terminals_that_have_nothing_else() {
    let (sources, file) = model("init { skip }\n");
    let error = Diagnostic::new(&ERROR, find(&sources, file, "skip"), "a word");
    let style = Style { unicode: false, ..Style::default() };
    assert_snapshot!(draw(&[error], &sources, style));
}

#[test]
fn colours_only_on_request() {
    let (sources, file) = model("init { skip }\n");
    let error = Diagnostic::new(&ERROR, find(&sources, file, "skip"), "a word");
    let style = Style { color: true, ..Style::default() };
    assert!(draw(std::slice::from_ref(&error), &sources, style).contains('\u{1b}'));
    assert!(!drawn(&[error], &sources).contains('\u{1b}'));
}

#[test]
fn a_line_of_ten_megabytes_is_cut_and_keeps_its_column() {
    let (sources, file) =
        model(&format!("{}wrong{}", "x ".repeat(2_500_000), "y".repeat(5_000_000)));
    let error = Diagnostic::new(&ERROR, find(&sources, file, "wrong"), "a word");
    assert_snapshot!(drawn(&[error], &sources));
}

#[test]
fn the_limit_counts_what_it_hides() {
    let (sources, file) = model("byte a;\n");
    let error = Diagnostic::new(&ERROR, find(&sources, file, "a"), "again");
    let given = vec![error; 60];
    let text = drawn(&given, &sources);
    assert_eq!(text.matches("Error: again").count(), 50);
    assert!(text.ends_with("and 10 more\n60 errors\n"), "{text}");
}

#[test]
fn many_errors_on_one_long_line_are_cut_each_for_itself() {
    let (sources, file) = model(&"wrong ".repeat(100_000));
    let given: Vec<_> = (0..100_000)
        .map(|at| Span { file, start: at * 6, end: at * 6 + 5, ..Span::default() })
        .map(|span| Diagnostic::new(&ERROR, span, "a word"))
        .collect();
    let text = drawn(&given, &sources);
    assert!(text.lines().all(|line| line.chars().count() < 200), "{text}");
}

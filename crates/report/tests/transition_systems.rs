//! Labelled transition systems in files, good and broken: what is read of each, or why it is not.

use pverify_model::machine::Action;
use pverify_model::transitions::load_transitions;
use pverify_report::diagnostics::{Style, draw};
use pverify_syntax::options::MemoryLoader;
use std::fmt::Write as _;
use std::path::Path;

/// All files, what was read of them, and what a person sees where they are refused.
#[test]
fn every_file_is_read_or_refused_with_a_place_and_a_reason() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/aut");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .expect("the folder")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    files.sort();
    assert!(files.len() >= 30);
    let mut text = String::new();
    for path in files {
        let name = path.file_name().and_then(|name| name.to_str()).expect("a name");
        let bytes = std::fs::read(&path).expect("a file");
        let loaded = load_transitions(name, &mut MemoryLoader::default().with(name, bytes));
        let _ = writeln!(text, "== {name}");
        if loaded.has_errors() {
            assert!(loaded.model.processes.is_empty());
            text += &draw(&loaded.diagnostics, &loaded.sources, Style::default());
            continue;
        }
        let locations = &loaded.model.processes[0].graph.locations;
        let _ = writeln!(text, "{} states", locations.len());
        for location in locations {
            for edge in &location.edges {
                let label = match &edge.action {
                    Action::Named(name) => format!("«{name}»"),
                    _ => "tau".to_owned(),
                };
                let to = edge.target.map_or(0, |target| locations[target.index()].number);
                let _ = writeln!(text, "{} {label} {to}", location.number);
            }
        }
    }
    insta::assert_snapshot!(text);
}

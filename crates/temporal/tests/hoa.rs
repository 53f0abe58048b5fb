//! Files in the style of other tools: what is read, what it means, and what is said of broken ones.

use pverify_temporal::formula::parse::parse;
use pverify_temporal::formula::{FormulaId, Formulas, Vocabulary};
use pverify_temporal::hoa::{Hoa, read, read_one, write};
use pverify_temporal::translate::{are_disjoint, translate_both};
use std::fs;
use std::path::Path;

/// The last comment of a file says what to expect; two broken files cannot hold one.
fn expectation(name: &str, text: &str) -> String {
    match name {
        "b26-string-never-ends.hoa" => "error: 4:7 this string never ends".to_owned(),
        "b27-comment-never-ends.hoa" => "error: 6:1 this comment never ends".to_owned(),
        _ => {
            let start = text.rfind("/* ").expect("an expectation") + 3;
            let length = text[start..].find(" */").unwrap_or(text.len() - start);
            text[start..start + length].to_owned()
        }
    }
}

fn check(name: &str, text: &str) -> Result<(), String> {
    let expected = expectation(name, text);
    let results = read(text);
    assert_eq!(results.len(), 1, "{name}: one automaton");
    match (&results[0], expected.strip_prefix("error: ")) {
        (Err(error), Some(expected)) => {
            let (place, message) = expected.split_once(' ').expect("a place and a message");
            let found = format!("{}:{}", error.line, error.column);
            if found != place || !error.message.contains(message) {
                return Err(format!("{name}: {error}, not {expected}"));
            }
        }
        (Ok(hoa), None) => check_automaton(name, hoa, &expected),
        (Ok(_), Some(_)) => return Err(format!("{name} is read, though it is broken")),
        (Err(error), None) => return Err(format!("{name}: {error}")),
    }
    Ok(())
}

fn check_automaton(name: &str, hoa: &Hoa, expected: &str) {
    let (size, formula) = expected.split_once(" language: ").expect("a size and a language");
    let found = hoa.automaton.size();
    let text = format!("{} states {} edges {} sets", found.states, found.edges, found.sets);
    assert_eq!(text, size, "{name}");
    check_language(name, hoa, formula);
    let written = write(hoa);
    let again = read_one(&written).unwrap_or_else(|error| panic!("{name}: {error}\n{written}"));
    assert_eq!(again.automaton, hoa.automaton, "{name} written and read\n{written}");
    assert_eq!((&again.name, &again.state_names), (&hoa.name, &hoa.state_names), "{name}");
    assert_eq!(write(&again), written, "{name}: written twice");
}

/// Both products must be empty: what the automaton accepts is what the formula says.
fn check_language(name: &str, hoa: &Hoa, formula: &str) {
    let mut formulas = Formulas::default();
    let mut vocabulary = hoa.automaton.vocabulary.clone();
    let formula = parse(formula, &mut formulas, &mut vocabulary).expect("a formula");
    assert_eq!(vocabulary, hoa.automaton.vocabulary, "{name}: the formula's atoms");
    let both = translate_both(&mut formulas, formula, &vocabulary).expect("a small formula");
    assert_eq!(are_disjoint(&hoa.automaton, &both.negative), Some(true), "{name} accepts too much");
    // What is not accepted: a run of the formula that the automaton misses would show here.
    let missed = missing_run(hoa, &mut formulas, formula, &vocabulary);
    assert_eq!(missed, None, "{name} accepts too little");
}

/// All runs of up to three letters and a cycle of up to two, over the first two atoms.
fn missing_run(
    hoa: &Hoa,
    formulas: &mut Formulas,
    formula: FormulaId,
    vocabulary: &Vocabulary,
) -> Option<String> {
    use pverify_temporal::lasso::{Lasso, Valuation};
    let count = vocabulary.len().min(2);
    let wide = vocabulary.len() > 2;
    let letters: Vec<Valuation> = (0..1_u64 << count)
        .map(Valuation::from_bits)
        .chain(wide.then(|| Valuation::from_bits((1 << vocabulary.len()) - 1)))
        .collect();
    let words = |length: u32| {
        let base = letters.len();
        (0..base.pow(length)).map(move |mut code| {
            let mut word = Vec::new();
            for _ in 0..length {
                word.push(code % base);
                code /= base;
            }
            word
        })
    };
    let spell = |word: &[usize]| word.iter().map(|&at| letters[at].clone()).collect::<Vec<_>>();
    for stem in (0..=3).flat_map(words) {
        for cycle in (1..=2).flat_map(words) {
            let lasso = Lasso::new(spell(&stem), spell(&cycle))?;
            if lasso.satisfies(formulas, formula) != hoa.automaton.accepts(&lasso) {
                return Some(format!("{stem:?} {cycle:?}"));
            }
        }
    }
    None
}

#[test]
fn files_in_the_style_of_other_tools() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hoa");
    let mut names: Vec<_> = fs::read_dir(&folder)
        .expect("the folder of automata")
        .map(|entry| entry.expect("a file").file_name().into_string().expect("a plain name"))
        .collect();
    names.sort_unstable();
    assert!(names.len() > 80, "only {} files", names.len());
    let mut problems = Vec::new();
    for name in names {
        let text = fs::read_to_string(folder.join(&name)).expect("a readable file");
        problems.extend(check(&name, &text).err());
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn every_automaton_of_a_stream_is_read() {
    let one =
        "HOA: v1 States: 1 Start: 0 AP: 1 \"a\" Acceptance: 0 t --BODY-- State: 0 [0] 0 --END--";
    let stream = format!("{one}\n{}\nHOA: v1 --ABORT-- {one}", one.replace("[0]", "[7]"));
    let results = read(&stream);
    assert_eq!(results.len(), 3);
    assert!(results[0].is_ok() && results[2].is_ok());
    let error = results[1].as_ref().expect_err("atom 7 is not there");
    assert_eq!(error.to_string(), "2:73: there is no atom 7, only 1 atoms");
    assert!(read_one(&stream).is_err());
    let windows = format!("{one}\n").replace(' ', "\r\n");
    assert_eq!(read_one(&windows).map(|hoa| hoa.automaton.size().edges), Ok(1));
}

/// A parity has no short sum of products; its label is written with aliases.
#[test]
fn long_labels_are_written_with_aliases() {
    let (mut formulas, mut vocabulary) = (Formulas::default(), Vocabulary::default());
    let text = (0..40).map(|at| format!("a{at}")).collect::<Vec<_>>().join(" xor ");
    let formula = parse(&format!("G({text})"), &mut formulas, &mut vocabulary).expect("a formula");
    let both = translate_both(&mut formulas, formula, &vocabulary).expect("a small automaton");
    let text = write(&Hoa::new(both.positive.clone()));
    assert!(text.contains("Alias: @") && text.len() < 10_000, "{text}");
    assert_eq!(read_one(&text).map(|hoa| hoa.automaton), Ok(both.positive));
}

#[test]
fn no_text_makes_it_panic() {
    let text =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hoa/05-aliases.hoa"))
            .expect("a file");
    for cut in (0..text.len()).filter(|&at| text.is_char_boundary(at)) {
        drop(read(&text[..cut]));
        drop(read(&format!("{}{}", &text[..cut], &text[(cut + 3).min(text.len())..])));
        drop(read(&format!("{}]{}", &text[..cut], &text[cut..])));
    }
}

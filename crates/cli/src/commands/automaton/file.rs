//! Automata in a file of the Hanoi format: read, checked, and written again in another form.

use super::infinite::describe;
use super::{Arguments, Form, Made, Refusal};
use crate::files;
use pverify_report::automaton::Described;
use pverify_temporal::{diagnose, hoa};

/// How writers of the format say that words are finite.
const FINITE_WORDS: &str = "finite-words";

/// Reads all automata of the file; what is wrong with one does not keep others from being written.
pub(super) fn make(arguments: &Arguments) -> Result<Made, Refusal> {
    refuse_what_needs_a_formula(arguments)?;
    let path = arguments.formula.as_str();
    let text = files::read_automata(path).map_err(|(why, help)| Refusal::impossible(why, help))?;
    let read = hoa::read(&text);
    let name = if path == "-" { "<stdin>" } else { path };
    let mut made = Made::default();
    let file = made.sources.add_file(name.to_owned(), text, None);
    let never = arguments.to == Some(Form::Never);
    match read.len() {
        0 => {
            let why = format!("{name} holds no automaton: the writer gave it up (--ABORT--)");
            return Err(Refusal::impossible(why, "let it be written again"));
        }
        count if never && count > 1 => {
            let why = format!("a model has one never claim, and {name} holds {count} automata");
            let help = "put the one that is meant into a file of its own";
            return Err(Refusal::impossible(why, help));
        }
        _ => {}
    }
    for automaton in read {
        let hoa = match automaton {
            Ok(hoa) => hoa,
            Err(error) => {
                made.diagnostics.push(diagnose::automaton(&error, file));
                continue;
            }
        };
        if never && hoa.properties.iter().any(|property| property == FINITE_WORDS) {
            let why = "a never claim is about infinite runs, this automaton about finite \
                       computations (finite-words)";
            return Err(Refusal::impossible(why, "choose --to text, hoa or dot"));
        }
        let mut described = Described { name: hoa.name.clone(), ..Described::default() };
        describe(arguments.form(), &hoa, &mut described).map_err(|why| Refusal {
            help: "choose --to hoa, where labels may be of any length".to_owned(),
            ..why.into()
        })?;
        made.automata.push(described);
    }
    Ok(made)
}

fn refuse_what_needs_a_formula(arguments: &Arguments) -> Result<(), Refusal> {
    let flags = [
        (arguments.finite, "--finite"),
        (arguments.classify, "--classify"),
        (arguments.deterministic, "--deterministic"),
    ];
    match flags.iter().find(|(given, _)| *given) {
        Some((_, flag)) => {
            let why = format!("{flag} is about a formula, not about an automaton in a file");
            Err(Refusal::impossible(why, "leave it out"))
        }
        None => Ok(()),
    }
}

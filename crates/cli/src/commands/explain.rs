//! `pverify explain`: what an error code, a verdict or a kind of fault means.

use crate::exit::Exit;
use crate::nearest::nearest;
use crate::output;
use crate::wrap::wrap;
use anyhow::{Result, bail};
use clap::Args;
use pverify_report::kinds::{self, KINDS};
use pverify_syntax::codes;
use pverify_syntax::diagnostic::{Code, Severity};
use std::fmt::Write as _;

const EXAMPLES: &str = "\
Examples:
  pverify explain             list all codes, verdicts and kinds of fault
  pverify explain E0301       explain one; small letters will do
  pverify explain deadlock    a verdict, or a kind of fault";

/// Explain an error, a warning, a verdict or a kind of fault, or list them all.
#[derive(Clone, Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// A code such as E0301, or a name such as deadlock, memory or "acceptance cycle" [default: list
    /// them all].
    #[arg(value_name = "CODE|NAME")]
    code: Vec<String>,
}

/// Every code of every crate, by number.
fn all_codes() -> Vec<&'static Code> {
    let mut all = [codes::ALL, pverify_model::codes::ALL, pverify_temporal::codes::ALL].concat();
    all.sort_by_key(|code| code.id);
    all
}

/// Explains one code, or lists them.
pub(crate) fn run(arguments: &Arguments) -> Result<Exit> {
    let asked = arguments.code.join(" ");
    let text = if asked.is_empty() { list(&all_codes()) } else { explain(&asked, &all_codes())? };
    output::print(&text)?;
    Ok(Exit::Holds)
}

fn explain(asked: &str, all: &[&Code]) -> Result<String> {
    let wanted = asked.trim().trim_matches(['[', ']']).to_ascii_uppercase();
    if let Some(code) = all.iter().find(|code| code.id == wanted) {
        let kind = match code.severity() {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        let explanation = wrap(code.explanation);
        return Ok(format!("{} ({kind}): {}\n\n{explanation}", code.id, code.title));
    }
    if let Some(kind) = kinds::named(asked) {
        return Ok(format!("{}: {}\n\n{}", kind.name, kind.title, wrap(kind.explanation)));
    }
    let lower = asked.to_ascii_lowercase();
    let near = nearest(&wanted, all.iter().map(|code| code.id))
        .or_else(|| nearest(&lower, KINDS.iter().map(|kind| kind.name)));
    let help = near.map_or_else(String::new, |near| format!("did you mean {near}? "));
    bail!("there is no code or kind `{asked}`\nhelp: {help}`pverify explain` lists all of them")
}

fn list(all: &[&Code]) -> String {
    let mut text = String::new();
    for code in all {
        let _ = writeln!(text, "{}  {}", code.id, code.title);
    }
    text += "\nVerdicts, kinds of fault, and reasons for not knowing:\n";
    let width = KINDS.iter().map(|kind| kind.name.len()).max().unwrap_or(0);
    for kind in KINDS {
        let _ = writeln!(text, "{:width$}  {}", kind.name, kind.title);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wrap::WIDTH;

    static SOME: Code =
        Code { id: "E0301", title: "unexpected word", explanation: "It does not fit.\n" };
    static OTHER: Code = Code { id: "W1204", title: "lost message", explanation: "Lost." };

    fn check(asked: &str, expected: Result<&str, &str>) {
        let found = explain(asked, &[&SOME, &OTHER]).map_err(|error| error.to_string());
        assert_eq!(found, expected.map(str::to_owned).map_err(str::to_owned), "{asked}");
    }

    #[test]
    fn a_code_is_found_however_it_is_written() {
        let expected = "E0301 (error): unexpected word\n\nIt does not fit.\n";
        check("E0301", Ok(expected));
        check("e0301", Ok(expected));
        check("[E0301]", Ok(expected));
        check("w1204", Ok("W1204 (warning): lost message\n\nLost.\n"));
    }

    #[test]
    fn an_unknown_code_leads_to_a_known_one() {
        check(
            "E0302",
            Err(
                "there is no code or kind `E0302`\nhelp: did you mean E0301? `pverify explain` lists \
                 all of them",
            ),
        );
        check(
            "dedlock",
            Err(
                "there is no code or kind `dedlock`\nhelp: did you mean deadlock? `pverify explain` \
                 lists all of them",
            ),
        );
    }

    #[test]
    fn codes_are_listed_with_their_titles() {
        let text = list(&[&SOME, &OTHER]);
        assert!(text.starts_with("E0301  unexpected word\nW1204  lost message\n\n"), "{text}");
        assert!(KINDS.iter().all(|kind| text.contains(kind.title)), "{text}");
    }

    #[test]
    fn no_number_is_used_twice() {
        let all = all_codes();
        assert!(all.windows(2).all(|pair| pair[0].id < pair[1].id));
        assert!(all.iter().all(|code| !code.explanation.trim().is_empty()));
    }

    #[test]
    fn every_explanation_fits_a_terminal() {
        let names = all_codes().into_iter().map(|code| code.id);
        for name in names.chain(KINDS.iter().map(|kind| kind.name)) {
            let text = explain(name, &all_codes()).expect("it is known");
            let long = text.lines().find(|line| line.chars().count() > WIDTH);
            assert_eq!(long, None, "{name}");
        }
    }
}

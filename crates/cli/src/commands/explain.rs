//! `pverify explain`: what an error code means.

use crate::exit::Exit;
use crate::nearest::nearest;
use crate::output;
use crate::wrap::wrap;
use anyhow::{Result, bail};
use clap::Args;
use pverify_syntax::codes;
use pverify_syntax::diagnostic::{Code, Severity};
use std::fmt::Write as _;

const EXAMPLES: &str = "\
Examples:
  pverify explain          list all codes
  pverify explain E0301    explain one; small letters will do";

/// Explain an error or warning by its code, or list them all.
#[derive(Clone, Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The code, such as E0301 [default: list all codes].
    #[arg(value_name = "CODE")]
    code: Option<String>,
}

/// Every code of every crate, by number.
fn all_codes() -> Vec<&'static Code> {
    let mut all = [codes::ALL, pverify_model::codes::ALL, pverify_temporal::codes::ALL].concat();
    all.sort_by_key(|code| code.id);
    all
}

/// Explains one code, or lists them.
pub(crate) fn run(arguments: &Arguments) -> Result<Exit> {
    let text = match &arguments.code {
        Some(code) => explain(code, &all_codes())?,
        None => list(&all_codes()),
    };
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
    let help = match nearest(&wanted, all.iter().map(|code| code.id)) {
        Some(near) => format!("did you mean {near}? "),
        None => String::new(),
    };
    bail!("there is no code `{asked}`\nhelp: {help}`pverify explain` lists all codes")
}

fn list(all: &[&Code]) -> String {
    all.iter().fold(String::new(), |mut text, code| {
        let _ = writeln!(text, "{}  {}", code.id, code.title);
        text
    })
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
                "there is no code `E0302`\nhelp: did you mean E0301? `pverify explain` lists all codes",
            ),
        );
        check(
            "deadlock",
            Err("there is no code `deadlock`\nhelp: `pverify explain` lists all codes"),
        );
    }

    #[test]
    fn codes_are_listed_with_their_titles() {
        assert_eq!(list(&[&SOME, &OTHER]), "E0301  unexpected word\nW1204  lost message\n");
    }

    #[test]
    fn no_number_is_used_twice() {
        let all = all_codes();
        assert!(all.windows(2).all(|pair| pair[0].id < pair[1].id));
        assert!(all.iter().all(|code| !code.explanation.trim().is_empty()));
    }

    #[test]
    fn every_explanation_fits_a_terminal() {
        for code in all_codes() {
            let text = explain(code.id, &all_codes()).expect("the code is known");
            let long = text.lines().find(|line| line.chars().count() > WIDTH);
            assert_eq!(long, None, "{}", code.id);
        }
    }
}

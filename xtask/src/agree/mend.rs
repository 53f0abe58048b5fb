//! A mistake of SPIN in the verifiers that it writes, and the same verifier without it.
//!
//! Nobody but a possible receiver can take a step between the two halves of a rendezvous, so each
//! case of `pan.m` first asks `boq == -1`: no offer waits for an answer. A `d_step` whose first
//! statement prints or asserts does not ask (SPIN 6.5.2), and then moves in the middle of a
//! handshake that perhaps nobody completes: states that no run has are counted, ends are reported
//! where something can move, states behind them are missed. A difference that goes away when the
//! question is added is SPIN's.

use std::path::Path;

use anyhow::Context;

/// What the mended verifier is told to do where a `d_step` begins.
const QUESTION: &str = "\t\tIfNotBlocked\n";

/// Adds the missing questions to the `pan.m` in `directory`; whether any was missing.
pub(crate) fn ask_for_offers(directory: &Path) -> anyhow::Result<bool> {
    let file = directory.join("pan.m");
    let text = std::fs::read_to_string(&file)
        .with_context(|| format!("cannot read {}", file.display()))?;
    let (mended, missing) = with_questions(&text);
    if missing > 0 {
        std::fs::write(&file, mended)
            .with_context(|| format!("cannot write {}", file.display()))?;
    }
    Ok(missing > 0)
}

/// The text with a question in each `d_step` that had none, and how many these are.
fn with_questions(text: &str) -> (String, usize) {
    let (mut mended, mut missing) = (String::with_capacity(text.len()), 0);
    // Inside the head of a case of a `d_step`, from `case` to the end of its conditions.
    let (mut in_head, mut asked) = (false, false);
    for line in text.lines() {
        let begins = line.trim_start();
        if begins.starts_with("case ") {
            (in_head, asked) = (line.contains("[D_STEP"), false);
        }
        asked |= begins.starts_with("IfNotBlocked") || line.contains("boq");
        if in_head && begins.starts_with("if (TstOnly)") {
            if !asked {
                mended.push_str(QUESTION);
                missing += 1;
            }
            in_head = false;
        }
        mended.push_str(line);
        mended.push('\n');
    }
    (mended, missing)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PRINTS: &str = "\tcase 6: // STATE 2 - m.pml:4 - [D_STEP4]\n\t\treached[0][2] = 1;\n\n\
                          \t\tif (TstOnly) return 1;\n\n\t\tsv_save();\n";

    #[test]
    fn a_d_step_that_prints_is_made_to_ask() {
        let (mended, missing) = with_questions(PRINTS);
        assert_eq!(missing, 1);
        assert!(mended.contains("\t\tIfNotBlocked\n\t\tif (TstOnly) return 1;\n"), "{mended}");
        assert_eq!(with_questions(&mended), (mended.clone(), 0));
    }

    #[test]
    fn who_asks_already_or_is_no_d_step_stays_as_it_is() {
        let condition = PRINTS.replace("reached[0][2] = 1;", "if (!(boq == -1 && now.x == 1))");
        assert_eq!(with_questions(&condition), (condition.clone(), 0));
        let other = PRINTS.replace("[D_STEP4]", "[printf]");
        assert_eq!(with_questions(&other), (other.clone(), 0));
    }
}

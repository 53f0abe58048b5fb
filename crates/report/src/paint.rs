//! Colours of an answer on a terminal: the verdict is seen first, what to do about it next, and figures
//! last.

use crate::answers::Answered;

const GOOD: &str = "\x1b[1;32m";
const WRONG: &str = "\x1b[1;31m";
const OPEN: &str = "\x1b[1;33m";
const HELP: &str = "\x1b[1;36m";
const WARNING: &str = "\x1b[33m";
const FAINT: &str = "\x1b[2m";
const PLAIN: &str = "\x1b[0m";

/// The text of an answer with colours.
pub fn to_text(answer: &Answered, quiet: bool) -> String {
    let text = answer.to_text(quiet);
    let mut lines = text.lines();
    let first = lines.next().unwrap_or_default();
    let mut painted = verdict(answer, first);
    let fault = answer.story.as_ref().and_then(|story| story.fault.as_deref());
    let mut told = false;
    for line in lines {
        painted.push('\n');
        let words = line.trim_start();
        // Figures and how it was looked for stand before everything else that begins so.
        let is_figure = !told && line.starts_with("  ") && !line.starts_with("   ");
        let colour = if let Some(rest) = line.strip_prefix("  help:") {
            painted += &format!("  {HELP}help:{PLAIN}{rest}");
            continue;
        } else if line.starts_with("  never ") {
            WARNING
        } else if line.starts_with("       ") && Some(words) == fault {
            WRONG
        } else if words.ends_with("again and again:") {
            OPEN
        } else if is_figure && !words.starts_with("there may be more") {
            FAINT
        } else {
            told |= !line.starts_with("  ") || line.starts_with("   ");
            painted += line;
            continue;
        };
        painted += &format!("{colour}{line}{PLAIN}");
    }
    painted.push('\n');
    painted
}

/// The first line, with its verdict in colour.
fn verdict(answer: &Answered, line: &str) -> String {
    let name = answer.name();
    let rest = line.strip_prefix(&format!("{name}: {}", answer.verdict));
    let colour = match answer.verdict {
        "holds" => GOOD,
        "violated" => WRONG,
        _ => OPEN,
    };
    match rest {
        Some(rest) => format!("{name}: {colour}{}{PLAIN}{rest}", answer.verdict),
        None => line.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::Story;

    fn answer() -> Answered {
        let story = Story {
            fault: Some("an assertion fails".to_owned()),
            left_out: 0,
            steps: Vec::new(),
            end: vec!["x = 1".to_owned()],
            waiting: Vec::new(),
            help: vec!["mend it".to_owned()],
            cycle_from: None,
            shortened_from: None,
        };
        let check = "safety".to_owned();
        let story = Some(story);
        Answered { check, verdict: "violated", states: 2, story, ..Answered::default() }
    }

    #[test]
    fn the_verdict_the_fault_and_the_help_are_seen() {
        let painted = to_text(&answer(), false);
        assert!(painted.starts_with("safety: \x1b[1;31mviolated\x1b[0m in the first state"));
        assert!(painted.contains("\n\x1b[2m  2 states, 0 transitions"), "{painted:?}");
        assert!(painted.contains("\n\x1b[1;31m       an assertion fails\x1b[0m\n"), "{painted:?}");
        assert!(painted.contains("\n  \x1b[1;36mhelp:\x1b[0m mend it\n"), "{painted:?}");
    }

    #[test]
    fn without_its_colours_it_is_the_same_text() {
        let mut plain = to_text(&answer(), false);
        for colour in [GOOD, WRONG, OPEN, HELP, WARNING, FAINT, PLAIN] {
            plain = plain.replace(colour, "");
        }
        assert_eq!(plain, answer().to_text(false));
    }
}

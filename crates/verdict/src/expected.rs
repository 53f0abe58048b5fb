//! What the head of a model says that its checks must answer: the lines ` * expect: …`.
//!
//! docs/testing.md describes the format for people. What looks like such a line and is none is a
//! mistake: nobody may believe that something is tested which is not.

use std::fmt;

/// What begins such a line.
const MARK: &str = " * expect: ";

/// What `safety` can find, as headers call it: names of faults without blanks, and one name for the
/// two ways in which a trace of events can fail.
const KINDS: &[&str] = &[
    "assertion",
    "deadlock",
    "trace",
    "array-index",
    "division-by-zero",
    "too-many-processes",
    "too-many-channels",
    "blocked-d_step",
    "endless-d_step",
    "message-shape",
    "no-channel",
    "polled-rendezvous",
    "bad-priority",
    "enabled-of-itself",
    "no-such-process",
    "atomic-cycle",
    "choice-in-D_proctype",
];

/// One line: a check and what it must answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expectation {
    /// The question.
    pub check: Check,
    /// Only under weak fairness.
    pub fair: bool,
    /// What it must answer.
    pub answer: Answer,
}

/// A question about a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Check {
    /// Everything that one look at each reachable state and step can tell.
    Safety,
    /// Invalid end states alone.
    Deadlock,
    /// The `never` claim of the model.
    Never,
    /// A named formula of the model.
    Ltl(String),
    /// Cycles through `accept` labels of the processes.
    Accept,
    /// Cycles that avoid `progress` labels for ever.
    Progress,
}

/// What a check answers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// Whether something is wrong.
    pub violated: bool,
    /// What is violated, for `safety`: `assertion`, `deadlock`, …, sorted.
    pub kinds: Vec<String>,
    /// States and transitions of the full raw search, for `safety`.
    pub size: Option<(u64, u64)>,
}

/// A line that cannot be understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong.
    pub why: String,
}

impl fmt::Display for Mistake {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "line {}: {}", self.line, self.why)
    }
}

impl std::error::Error for Mistake {}

/// Every expectation that the text of a model states, in its order; a text that does not begin with a
/// comment states none.
///
/// # Errors
/// A line that is, or may be meant as, an expectation and cannot be understood.
pub fn read(text: &str) -> Result<Vec<Expectation>, Mistake> {
    let mut header = text.starts_with("/*");
    let mut found: Vec<Expectation> = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let mistake = |why: String| Mistake { line: at + 1, why };
        if let Some(rest) = line.strip_prefix(MARK).filter(|_| header) {
            let rest = rest.split("*/").next().unwrap_or_default();
            let read = expectation(rest).map_err(mistake)?;
            let same = |one: &Expectation| one.check == read.check && one.fair == read.fair;
            if found.iter().any(same) {
                return Err(mistake(format!("`expect: {}` answers a check twice", rest.trim())));
            }
            found.push(read);
        } else if is_meant(line, header) {
            let place = if header { "" } else { " in the comment that the file begins with" };
            let why = format!("an expectation is a line `{MARK}CHECK VERDICT`{place}");
            return Err(mistake(why));
        }
        header &= !line.contains("*/");
    }
    Ok(found)
}

/// Whether a line of a comment that is no expectation may be meant as one.
fn is_meant(line: &str, header: bool) -> bool {
    let line = line.trim_start();
    let comment = header || ["//", "/*", "*"].iter().any(|begin| line.starts_with(begin));
    let mut words = line.trim_start_matches(['/', '*', ' ', '\t']).split_whitespace();
    let first = words.next().unwrap_or_default().to_ascii_lowercase();
    let check = words.next().is_some_and(|word| check(word).is_some());
    let verdict = words.next().is_some_and(|word| matches!(word, "holds" | "violated"));
    let named = first.starts_with("expect") && first.ends_with(':');
    let near = first.starts_with(['e', 'x']);
    comment && (named || near && (check && verdict || first.ends_with(':') && (check || verdict)))
}

/// The text with its expectations replaced by `new`, in the same order.
pub fn rewrite(text: &str, new: &[Expectation]) -> String {
    let mut new = new.iter();
    let mut rewritten = String::with_capacity(text.len());
    for line in text.lines() {
        match line.strip_prefix(MARK).and_then(|_| new.next()) {
            Some(expectation) => rewritten += &format!("{MARK}{expectation}"),
            None => rewritten += line,
        }
        rewritten.push('\n');
    }
    rewritten
}

/// What headers call a fault that is called `fault` elsewhere.
pub fn kind(fault: &str) -> String {
    if fault.starts_with("event trace") { "trace".to_owned() } else { fault.replace(' ', "-") }
}

fn check(word: &str) -> Option<Check> {
    Some(match word {
        "safety" => Check::Safety,
        "deadlock" => Check::Deadlock,
        "never" => Check::Never,
        "accept" => Check::Accept,
        "progress" => Check::Progress,
        _ => match word.strip_prefix("ltl:") {
            Some(name) if !name.is_empty() => Check::Ltl(name.to_owned()),
            _ => return None,
        },
    })
}

fn expectation(line: &str) -> Result<Expectation, String> {
    let line = line.trim();
    let mut words = line.split_whitespace();
    let Some(check) = words.next().and_then(check) else {
        return Err(format!("no check is named in `expect: {line}`"));
    };
    let violated = match words.next() {
        Some("holds") => false,
        Some("violated") => true,
        _ => return Err(format!("neither `holds` nor `violated` in `expect: {line}`")),
    };
    let (mut fair, mut kinds) = (false, Vec::new());
    let (mut states, mut transitions) = (None, None);
    for word in words {
        let number = |text: &str, before: Option<u64>| match (text.parse::<u64>(), before) {
            (Ok(number), None) => Ok(Some(number)),
            _ => Err(format!("`{word}` is no number, or the second, in `expect: {line}`")),
        };
        match word.split_once('=') {
            None if KINDS.contains(&word) => kinds.push(word.to_owned()),
            Some(("fairness", "weak")) => fair = true,
            Some(("states", text)) => states = number(text, states)?,
            Some(("transitions", text)) => transitions = number(text, transitions)?,
            _ => return Err(format!("`{word}` means nothing in `expect: {line}`")),
        }
    }
    kinds.sort();
    kinds.dedup();
    let expectation = Expectation {
        check,
        fair,
        answer: Answer { violated, kinds, size: states.zip(transitions) },
    };
    match contradiction(&expectation, states.is_some() != transitions.is_some()) {
        Some(why) => Err(format!("{why} in `expect: {line}`")),
        None => Ok(expectation),
    }
}

/// What is missing in a line, or would never be looked at.
fn contradiction(expectation: &Expectation, half: bool) -> Option<&'static str> {
    let Expectation { check, fair, answer } = expectation;
    let safety = *check == Check::Safety;
    if half {
        Some("one of `states` and `transitions` is missing")
    } else if !safety && (answer.size.is_some() || !answer.kinds.is_empty()) {
        Some("only `safety` has kinds of violation and numbers, which stand")
    } else if safety && answer.violated && answer.kinds.is_empty() {
        Some("it is not said what is violated")
    } else if !answer.violated && !answer.kinds.is_empty() {
        Some("what holds has no kind of violation, but there is one")
    } else if *fair && matches!(check, Check::Safety | Check::Deadlock) {
        Some("fairness is about infinite runs, but stands")
    } else {
        None
    }
}

impl fmt::Display for Check {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Safety => write!(out, "safety"),
            Self::Deadlock => write!(out, "deadlock"),
            Self::Never => write!(out, "never"),
            Self::Ltl(name) => write!(out, "ltl:{name}"),
            Self::Accept => write!(out, "accept"),
            Self::Progress => write!(out, "progress"),
        }
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", if self.violated { "violated" } else { "holds" })?;
        for kind in &self.kinds {
            write!(out, " {kind}")?;
        }
        if let Some((states, transitions)) = self.size {
            write!(out, " states={states} transitions={transitions}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Expectation {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fairness = if self.fair { " fairness=weak" } else { "" };
        write!(out, "{} {}{fairness}", self.check, self.answer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pverify_semantics::fault::FaultKind;

    /// A line is read, and written again as it was.
    fn check_line(line: &str) {
        let text = format!("/* A model.\n{MARK}{line}\n */\nint x;\n");
        let read = read(&text).expect("a header");
        assert_eq!(read.len(), 1);
        assert_eq!(rewrite(&text, &read), text);
    }

    fn check_error(text: &str, expected: &str) {
        assert_eq!(read(text).expect_err(text).to_string(), expected);
    }

    #[test]
    fn every_check_is_read_and_written() {
        check_line("safety holds states=1306 transitions=4075");
        check_line("safety violated assertion deadlock states=7 transitions=9");
        check_line("deadlock violated");
        check_line("ltl:enters holds fairness=weak");
        check_line("never violated");
        check_line("accept holds");
        check_line("progress violated");
    }

    #[test]
    fn faults_have_names_in_headers() {
        let faults = [
            FaultKind::Assertion,
            FaultKind::InvalidEndState,
            FaultKind::NoMatchingEvent,
            FaultKind::TraceMatched,
            FaultKind::ArrayIndex { index: 1, length: 1 },
            FaultKind::DivisionByZero,
            FaultKind::TooManyProcesses,
            FaultKind::TooManyChannels,
            FaultKind::BlockedDStep,
            FaultKind::EndlessDStep,
            FaultKind::MessageShape { given: 1, wanted: 2 },
            FaultKind::NoChannel,
            FaultKind::PolledRendezvous,
            FaultKind::BadPriority(0),
            FaultKind::EnabledOfItself,
            FaultKind::NoProcess(1),
            FaultKind::AtomicCycle,
            FaultKind::Choice,
        ];
        for fault in faults {
            check_line(&format!("safety violated {}", kind(fault.name())));
        }
    }

    #[test]
    fn a_text_without_expectations_states_none() {
        for text in ["", "int x;\n", "/* A.\n * As one may expect: much.\n */\n", "/* Only this"] {
            assert_eq!(read(text), Ok(Vec::new()), "{text}");
        }
        let label = "/* A. */\nactive proctype P() {\nexpect: skip\n}\n";
        assert_eq!(read(label), Ok(Vec::new()));
    }

    #[test]
    fn mistakes_are_found() {
        for (line, why) in [
            ("love holds", "no check is named"),
            ("ltl: holds", "no check is named"),
            ("safety", "neither `holds` nor `violated`"),
            ("safety hold", "neither `holds` nor `violated`"),
            ("safety holds edges=3", "`edges=3` means nothing"),
            ("ltl:p holds fairness=strong", "`fairness=strong` means nothing"),
            ("safety violated asertion", "`asertion` means nothing"),
            ("safety violated", "it is not said what is violated"),
            ("safety holds states=3", "one of `states` and `transitions` is missing"),
            (
                "safety holds states=3 states=4 transitions=4",
                "`states=4` is no number, or the second,",
            ),
            (
                "deadlock violated deadlock",
                "only `safety` has kinds of violation and numbers, which stand",
            ),
            ("safety holds assertion", "what holds has no kind of violation, but there is one"),
            ("deadlock holds fairness=weak", "fairness is about infinite runs, but stands"),
        ] {
            let text = format!("/* A.\n{MARK}{line}\n */\n");
            check_error(&text, &format!("line 2: {why} in `expect: {line}`"));
        }
        check_error(
            "/* A.\n * expect: never holds\n * expect: never violated\n */\n",
            "line 3: `expect: never violated` answers a check twice",
        );
    }

    #[test]
    fn what_is_meant_as_an_expectation_is_not_passed_over() {
        for line in [
            "expect: safety holds",
            " * expct: safety holds",
            " *  expect: safety holds",
            " * expect safety holds",
            " * Expect: safety holds",
            " * expects: love",
            " * xpect: ltl:p violated",
        ] {
            let why = "line 2: an expectation is a line ` * expect: CHECK VERDICT`";
            check_error(&format!("/* A.\n{line}\n */\n"), why);
        }
        let outside = "line 2: an expectation is a line ` * expect: CHECK VERDICT` in the comment that \
                       the file begins with";
        check_error("/* A. */\n// expect: safety holds\n", outside);
        check_error("/* A. */\n/* expect: safety holds */\n", outside);
        check_error("int x;\n * expect: safety holds\n", outside);
    }
}

//! Writing to the person: colours where they are wanted, and pipes that may close.

use crate::options::output::{Colors, When};
use anyhow::{Context as _, Result};
use pverify_report::diagnostics::Style;
use std::io::{BufWriter, ErrorKind, IsTerminal as _, StdoutLock, Write as _, stderr, stdout};

/// Writes to standard output; a reader that has seen enough (`| head`) is no error.
pub(crate) fn print(text: &str) -> Result<()> {
    let mut out = stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        result => result.context("standard output cannot be written"),
    }
}

/// Standard output for long texts, written piece by piece.
#[derive(Debug)]
pub(crate) struct Sink {
    out: BufWriter<StdoutLock<'static>>,
    closed: bool,
}

impl Sink {
    /// Nothing has been written.
    pub(crate) fn new() -> Self {
        Self { out: BufWriter::with_capacity(1 << 16, stdout().lock()), closed: false }
    }

    /// Writes a piece.
    pub(crate) fn write(&mut self, text: &str) -> Result<()> {
        let result = self.out.write_all(text.as_bytes());
        self.judge(result)
    }

    /// Writes what has been kept back.
    pub(crate) fn finish(&mut self) -> Result<()> {
        let result = self.out.flush();
        self.judge(result)
    }

    /// Whether the reader has seen enough.
    pub(crate) fn is_closed(&self) -> bool {
        self.closed
    }

    fn judge(&mut self, result: std::io::Result<()>) -> Result<()> {
        match result {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => {
                self.closed = true;
                Ok(())
            }
            result => result.context("standard output cannot be written"),
        }
    }
}

/// Writes to standard error.
pub(crate) fn note(text: &str) {
    // There is nobody left to tell when this fails.
    let _ = stderr().lock().write_all(text.as_bytes());
}

/// Shows why a command failed; further lines of the message (a help) stand below.
pub(crate) fn error(error: &anyhow::Error) {
    // Names of files are in it, and names may hold what steers a terminal.
    let plain =
        |letter: char| if letter.is_control() && letter != '\n' { '\u{fffd}' } else { letter };
    let text: String = format!("pverify: {error:#}\n").chars().map(plain).collect();
    note(&text);
}

/// Whether answers on standard output have colours.
pub(crate) fn colored(colors: Colors) -> bool {
    use_color(colors.color, stdout().is_terminal(), |name| std::env::var(name).ok())
}

/// How diagnostics are drawn on standard error.
pub(crate) fn style(colors: Colors) -> Style {
    let variable = |name: &str| std::env::var(name).ok();
    Style {
        color: use_color(colors.color, stderr().is_terminal(), variable),
        unicode: use_unicode(variable),
        ..Style::default()
    }
}

/// Whether charts may be drawn with more than ASCII.
pub(crate) fn unicode() -> bool {
    use_unicode(|name| std::env::var(name).ok())
}

/// How many columns there are: those of the terminal, or a hundred where nobody says.
pub(crate) fn width() -> usize {
    let terminal = stdout().is_terminal().then(terminal_size::terminal_size).flatten();
    terminal.map_or(100, |(width, _)| usize::from(width.0)).max(20)
}

fn use_color(when: When, terminal: bool, variable: impl Fn(&str) -> Option<String>) -> bool {
    match when {
        When::Always => true,
        When::Never => false,
        // https://no-color.org: set and not empty.
        When::Auto => {
            terminal
                && variable("NO_COLOR").is_none_or(|value| value.is_empty())
                && variable("TERM").is_none_or(|value| value != "dumb")
        }
    }
}

/// Unless the locale asks for plain ASCII by name.
fn use_unicode(variable: impl Fn(&str) -> Option<String>) -> bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"]
        .into_iter()
        .find_map(|name| variable(name).filter(|value| !value.is_empty()));
    !matches!(locale.as_deref(), Some("C" | "POSIX"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn environment(pairs: &[(&str, &str)]) -> impl Fn(&str) -> Option<String> {
        let pairs: Vec<_> =
            pairs.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect();
        move |asked| pairs.iter().find(|(name, _)| name == asked).map(|(_, value)| value.clone())
    }

    #[test]
    fn colours_follow_flag_terminal_and_environment() {
        let check = |when, terminal, pairs: &[(&str, &str)], expected| {
            assert_eq!(use_color(when, terminal, environment(pairs)), expected, "{pairs:?}");
        };
        check(When::Auto, true, &[], true);
        check(When::Auto, false, &[], false);
        check(When::Auto, true, &[("NO_COLOR", "1")], false);
        check(When::Auto, true, &[("NO_COLOR", "")], true);
        check(When::Auto, true, &[("TERM", "dumb")], false);
        check(When::Always, false, &[("NO_COLOR", "1")], true);
        check(When::Never, true, &[], false);
    }

    #[test]
    fn ascii_only_where_the_locale_says_so() {
        let check = |pairs: &[(&str, &str)], expected| {
            assert_eq!(use_unicode(environment(pairs)), expected, "{pairs:?}");
        };
        check(&[], true);
        check(&[("LANG", "C")], false);
        check(&[("LANG", "de_DE.UTF-8")], true);
        check(&[("LC_ALL", "C.UTF-8"), ("LANG", "C")], true);
        check(&[("LC_ALL", ""), ("LANG", "POSIX")], false);
    }
}

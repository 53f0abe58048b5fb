//! Draws what is wrong with a model: each diagnostic with excerpts of the text it speaks of.
//!
//! Text that a macro or an `inline` brought to another place is shown where it was typed, and a
//! remark at each use leads from there to the place the person is working on.

use crate::excerpt::{Excerpt, Excerpts, printable};
use crate::order::by_place;
use ariadne::{CharSet, Color, Config, IndexType, Label, Report, ReportKind, Source};
use pverify_syntax::diagnostic::{Diagnostic, Severity};
use pverify_syntax::source::{ExpansionKind, FileId, Sources, Span};
use std::collections::BTreeMap;
use std::ops::Range;

/// How diagnostics are drawn.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// With the colours of a terminal.
    pub color: bool,
    /// With box-drawing characters rather than ASCII signs.
    pub unicode: bool,
    /// How many are drawn; the rest is only counted.
    pub limit: usize,
}

impl Default for Style {
    fn default() -> Self {
        Self { color: false, unicode: true, limit: 50 }
    }
}

/// How many uses of macros and inlines around a place are shown, the innermost first.
const SHOWN_EXPANSIONS: usize = 4;

/// Draws diagnostics by place, and a line that counts them; nothing where there are none.
pub fn draw(diagnostics: &[Diagnostic], sources: &Sources, style: Style) -> String {
    if diagnostics.is_empty() {
        return String::new();
    }
    let shown = by_place(diagnostics, sources, style.limit);
    let mut excerpts = Excerpts::default();
    let mut text = String::new();
    for diagnostic in &shown {
        let remarks = remarks(diagnostic, sources);
        let excerpts = excerpts.around(sources, remarks.iter().map(|remark| remark.span));
        text.push_str(&Page::new(sources, &excerpts, style).draw(diagnostic, &remarks));
        text.push('\n');
    }
    if diagnostics.len() > shown.len() {
        text.push_str(&format!("and {} more\n", diagnostics.len() - shown.len()));
    }
    text.push_str(&summary(diagnostics));
    text.push('\n');
    text
}

/// «3 errors, 1 warning».
pub fn summary(diagnostics: &[Diagnostic]) -> String {
    let errors = diagnostics.iter().filter(|diagnostic| diagnostic.is_error()).count();
    let warnings = diagnostics.len() - errors;
    let count = |number: usize, noun: &str| match number {
        0 => None,
        1 => Some(format!("1 {noun}")),
        _ => Some(format!("{number} {noun}s")),
    };
    let parts: Vec<_> =
        [count(errors, "error"), count(warnings, "warning")].into_iter().flatten().collect();
    if parts.is_empty() { "no errors".to_owned() } else { parts.join(", ") }
}

/// What is drawn at one place.
struct Remark {
    span: Span,
    text: String,
    role: Role,
}

/// Why something is drawn at a place.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    /// It is the place itself.
    Primary,
    /// It is another place that matters.
    Secondary,
    /// A macro or inline is used there.
    Use,
}

/// Everything a diagnostic draws, the place itself first.
fn remarks(diagnostic: &Diagnostic, sources: &Sources) -> Vec<Remark> {
    // Without words of its own the place gets the title: what kind of thing is wrong here.
    let here = match diagnostic.here.as_str() {
        "" if diagnostic.code.title.is_empty() => "here",
        "" => diagnostic.code.title,
        here => here,
    };
    let mut remarks =
        vec![Remark { span: diagnostic.span, text: one_line(here), role: Role::Primary }];
    for label in &diagnostic.labels {
        let text = one_line(&label.text);
        remarks.push(Remark { span: label.span, text, role: Role::Secondary });
    }
    for expansion in sources.trace(diagnostic.span).take(SHOWN_EXPANSIONS) {
        let kind = expansion_kind(expansion.kind);
        let text = format!("in the expansion of {kind} `{}` used here", one_line(&expansion.name));
        remarks.push(Remark { span: expansion.call, text, role: Role::Use });
    }
    remarks
}

/// What a person calls it.
pub(crate) fn expansion_kind(kind: ExpansionKind) -> &'static str {
    match kind {
        ExpansionKind::Macro => "macro",
        ExpansionKind::Inline => "inline",
    }
}

/// What a drawing looks at.
struct Page<'a> {
    sources: &'a Sources,
    excerpts: &'a BTreeMap<FileId, Excerpt>,
    style: Style,
    /// The files as ariadne reads them, with the names it shows.
    files: BTreeMap<FileId, (String, Source<&'a str>)>,
}

/// A place as ariadne knows it: characters of the excerpt of a file.
type Place = (FileId, Range<usize>);

impl<'a> Page<'a> {
    fn new(sources: &'a Sources, excerpts: &'a BTreeMap<FileId, Excerpt>, style: Style) -> Self {
        let named = |(&id, excerpt): (&FileId, &'a Excerpt)| {
            (id, (one_line(&sources.file(id).name), Source::from(excerpt.text.as_str())))
        };
        Self { sources, excerpts, style, files: excerpts.iter().map(named).collect() }
    }

    /// One diagnostic.
    fn draw(&mut self, diagnostic: &Diagnostic, remarks: &[Remark]) -> String {
        let severity = diagnostic.code.severity();
        let (kind, color) = match severity {
            Severity::Error => (ReportKind::Error, Color::Red),
            Severity::Warning => (ReportKind::Warning, Color::Yellow),
        };
        let config = Config::default()
            .with_color(self.style.color)
            .with_index_type(IndexType::Char)
            .with_char_set(if self.style.unicode { CharSet::Unicode } else { CharSet::Ascii });
        let mut report = Report::build(kind, self.place(diagnostic.span))
            .with_config(config)
            .with_code(diagnostic.code.id)
            .with_message(one_line(&diagnostic.message));
        for (order, remark) in self.in_order(diagnostic, remarks).into_iter().enumerate() {
            let color = match remark.role {
                Role::Primary => color,
                Role::Secondary => Color::Blue,
                Role::Use => Color::Cyan,
            };
            let label = Label::new(self.place(remark.span))
                .with_message(&remark.text)
                .with_order(order as i32);
            report.add_label(if self.style.color { label.with_color(color) } else { label });
        }
        for note in self.notes(diagnostic) {
            report.add_note(note);
        }
        if let Some(help) = &diagnostic.help {
            report.add_help(clean(help));
        }
        let mut drawn = Vec::new();
        // Writing to a vector does not fail; were it to, an empty drawing is all there could be.
        let _ = report.finish().write(&mut *self, &mut drawn);
        let mut text = String::from_utf8_lossy(&drawn).into_owned();
        for remark in remarks {
            self.correct_column(&mut text, remark.span);
        }
        text
    }

    /// ariadne draws a file in one piece only if the remarks on it come by line; the file of the
    /// place itself is drawn first.
    fn in_order<'r>(&self, diagnostic: &Diagnostic, remarks: &'r [Remark]) -> Vec<&'r Remark> {
        let mut ordered: Vec<_> = remarks.iter().collect();
        ordered.sort_by_key(|remark| {
            let span = remark.span;
            (span.file != diagnostic.span.file, span.file, self.place(span).1.end, span.start)
        });
        ordered
    }

    /// What no excerpt can show: the includes around the place, and expansions that were left out.
    fn notes(&self, diagnostic: &Diagnostic) -> Vec<String> {
        let mut notes = Vec::new();
        let hidden = self.sources.trace(diagnostic.span).skip(SHOWN_EXPANSIONS).count();
        if hidden > 0 {
            let outermost = self.sources.outermost(diagnostic.span);
            let levels = if hidden == 1 { "expansion" } else { "expansions" };
            let place = self.position(outermost);
            notes.push(format!("{hidden} more {levels} around it, the outermost at {place}"));
        }
        if let Some(include) = self.sources.file(diagnostic.span.file).included_from {
            let file = one_line(&self.sources.file(diagnostic.span.file).name);
            notes.push(format!("`{file}` is included from {}", self.position(include)));
        }
        notes
    }

    /// `file:line:column`
    fn position(&self, span: Span) -> String {
        let position = self.sources.position(span);
        let file = one_line(&self.sources.file(span.file).name);
        format!("{file}:{}:{}", position.line, position.column)
    }

    fn place(&self, span: Span) -> Place {
        let text = &self.sources.file(span.file).text;
        let range = self.excerpts.get(&span.file).map_or(0..0, |one| one.range(span, text));
        (span.file, range)
    }

    /// Where a long line was cut, ariadne counts columns in what is left of it; says the file's.
    fn correct_column(&self, drawn: &mut String, span: Span) {
        let (file, range) = self.place(span);
        let Some(excerpt) = self.excerpts.get(&file) else { return };
        let position = self.sources.position(span);
        let shown = excerpt.column(range.start);
        if shown != position.column as usize {
            let name = one_line(&self.sources.file(file).name);
            let wrong = format!(" {name}:{}:{shown} ", position.line);
            let right = format!(" {name}:{}:{} ", position.line, position.column);
            *drawn = drawn.replacen(&wrong, &right, 1);
        }
    }
}

impl<'a> ariadne::Cache<FileId> for &mut Page<'a> {
    type Storage = &'a str;

    fn fetch(&mut self, id: &FileId) -> Result<&Source<&'a str>, impl std::fmt::Debug> {
        self.files.get(id).map(|(_, source)| source).ok_or("no such file")
    }

    fn display<'b>(&self, id: &'b FileId) -> Option<impl std::fmt::Display + 'b> {
        self.files.get(id).map(|(name, _)| name.clone())
    }
}

/// Longer messages are cut: a message may quote what the person wrote.
const LONGEST_MESSAGE: usize = 400;

/// Text that is safe to print, on one line.
fn one_line(text: &str) -> String {
    clean(text).replace('\n', " ")
}

/// Text that is safe to print.
fn clean(text: &str) -> String {
    let mut letters = text.chars();
    let mut cleaned: String = letters
        .by_ref()
        .take(LONGEST_MESSAGE)
        .map(|letter| if letter == '\n' { letter } else { printable(letter) })
        .collect();
    if letters.next().is_some() {
        cleaned.push('…');
    }
    cleaned
}

#[cfg(test)]
mod tests;

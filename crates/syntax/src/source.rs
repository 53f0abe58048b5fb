//! The files of a model, and places in them that remember how the text got where it is.
//!
//! A [`Span`] names the characters a person typed. Text that a macro or an `inline` brought to
//! another place carries an [`ExpansionId`] beside its own characters; following the expansions
//! leads to the call, and from there to the call around it, up to text that stands in a file.

use std::sync::Arc;

/// A file of the model: the one given, or one it includes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct FileId(pub u32);

/// How a piece of text came to stand where the parser met it; `NONE` for text typed in place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct ExpansionId(pub u32);

impl ExpansionId {
    /// Text that stands in a file itself.
    pub const NONE: Self = Self(0);
}

/// A run of characters that a person typed, and the expansion that brought them here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Span {
    /// The file the characters stand in.
    pub file: FileId,
    /// Byte offset of the first character.
    pub start: u32,
    /// Byte offset behind the last character.
    pub end: u32,
    /// The expansion that put a copy of them where the parser met them.
    pub expansion: ExpansionId,
}

/// One file and its text.
#[derive(Debug)]
pub struct SourceFile {
    /// The path as the person (or the `#include`) wrote it.
    pub name: String,
    /// The text; invalid UTF-8 has been refused before it gets here.
    pub text: Arc<str>,
    /// The `#include` that asked for the file; `None` for the file given.
    pub included_from: Option<Span>,
    /// Byte offset of the start of each line.
    line_starts: Vec<u32>,
}

/// What brought text from its definition to another place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExpansionKind {
    /// A `#define`.
    Macro,
    /// An `inline`.
    Inline,
}

/// One use of a macro or an inline.
#[derive(Clone, Debug)]
pub struct Expansion {
    /// Macro or inline.
    pub kind: ExpansionKind,
    /// The name that was used.
    pub name: Arc<str>,
    /// The place of the use; it may itself stand in an expansion.
    pub call: Span,
    /// The place of the definition.
    pub definition: Span,
}

/// All files and expansions of one model.
#[derive(Debug, Default)]
pub struct Sources {
    files: Vec<SourceFile>,
    expansions: Vec<Expansion>,
}

/// A line and a column, both counted from 1; columns count characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

impl Sources {
    /// Adds a file and gives it its number.
    pub fn add_file(
        &mut self,
        name: String,
        text: impl Into<Arc<str>>,
        included_from: Option<Span>,
    ) -> FileId {
        let text = text.into();
        let line_starts = std::iter::once(0)
            .chain(text.match_indices('\n').map(|(at, _)| at as u32 + 1))
            .collect();
        self.files.push(SourceFile { name, text, included_from, line_starts });
        FileId(self.files.len() as u32 - 1)
    }

    /// Records a use of a macro or an inline.
    pub fn add_expansion(&mut self, expansion: Expansion) -> ExpansionId {
        self.expansions.push(expansion);
        ExpansionId(self.expansions.len() as u32)
    }

    /// The file with this number.
    pub fn file(&self, id: FileId) -> &SourceFile {
        &self.files[id.0 as usize]
    }

    /// All files, the one given first.
    pub fn files(&self) -> impl Iterator<Item = (FileId, &SourceFile)> {
        self.files.iter().enumerate().map(|(at, file)| (FileId(at as u32), file))
    }

    /// The use of a macro or inline that a span stands in, if any.
    pub fn expansion(&self, id: ExpansionId) -> Option<&Expansion> {
        (id != ExpansionId::NONE).then(|| &self.expansions[id.0 as usize - 1])
    }

    /// The characters of a span.
    pub fn text(&self, span: Span) -> &str {
        self.file(span.file).text.get(span.start as usize..span.end as usize).unwrap_or("")
    }

    /// Line and column of a span's first character.
    pub fn position(&self, span: Span) -> Position {
        let file = self.file(span.file);
        let line = file.line_starts.partition_point(|&start| start <= span.start).max(1);
        let start = file.line_starts[line - 1] as usize;
        let before = file.text.get(start..span.start as usize).unwrap_or("");
        Position { line: line as u32, column: before.chars().count() as u32 + 1 }
    }

    /// The place in a file, outside every expansion, that a span comes from.
    pub fn outermost(&self, mut span: Span) -> Span {
        while let Some(expansion) = self.expansion(span.expansion) {
            span = expansion.call;
        }
        span
    }

    /// The expansions around a span, innermost first.
    pub fn trace(&self, span: Span) -> impl Iterator<Item = &Expansion> {
        let mut next = span.expansion;
        std::iter::from_fn(move || {
            let expansion = self.expansion(next)?;
            next = expansion.call.expansion;
            Some(expansion)
        })
    }

    /// Whether the body of an inline brought this text, directly or through a macro.
    pub fn in_inline(&self, span: Span) -> bool {
        self.trace(span).any(|expansion| expansion.kind == ExpansionKind::Inline)
    }

    /// Whether two places were typed on the same line of the same file.
    pub fn on_one_line(&self, first: Span, last: Span) -> bool {
        let (first, last) = (self.outermost(first), self.outermost(last));
        first.file == last.file && self.position(first).line == self.position(last).line
    }

    /// Whether the characters of a span are decimal digits and nothing else.
    pub fn is_decimal(&self, span: Span) -> bool {
        let text = self.text(span);
        !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
    }

    /// The smallest span that covers both, climbing out of expansions until they meet.
    pub fn join(&self, first: Span, last: Span) -> Span {
        if first.file == last.file && first.expansion == last.expansion {
            return Span {
                start: first.start.min(last.start),
                end: first.end.max(last.end),
                ..first
            };
        }
        // Every expansion is younger than the one its call stands in, so stepping out of the
        // younger of the two cannot miss the place where they meet.
        let (mut a, mut b) = (first, last);
        while a.expansion != b.expansion {
            let side = if a.expansion > b.expansion { &mut a } else { &mut b };
            match self.expansion(side.expansion) {
                Some(expansion) => *side = expansion.call,
                None => break,
            }
        }
        if a.file == b.file {
            Span { start: a.start.min(b.start), end: a.end.max(b.end), ..a }
        } else {
            a
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_lines_and_characters_from_one() {
        let mut sources = Sources::default();
        let file = sources.add_file("a.pml".into(), "ab\nçd\n", None);
        let at = |start, end| Span { file, start, end, ..Span::default() };
        assert_eq!(sources.position(at(0, 1)), Position { line: 1, column: 1 });
        assert_eq!(sources.position(at(5, 6)), Position { line: 2, column: 2 });
        assert_eq!(sources.text(at(3, 5)), "ç");
    }

    #[test]
    fn joining_climbs_out_of_a_macro() {
        let mut sources = Sources::default();
        let file = sources.add_file("a.pml".into(), "#define M x\nM + y\n", None);
        let at = |start, end| Span { file, start, end, ..Span::default() };
        let id = sources.add_expansion(Expansion {
            kind: ExpansionKind::Macro,
            name: "M".into(),
            call: at(12, 13),
            definition: at(8, 9),
        });
        let x = Span { expansion: id, ..at(10, 11) };
        assert_eq!(sources.join(x, at(16, 17)), at(12, 17));
        assert_eq!(sources.outermost(x), at(12, 13));
    }
}

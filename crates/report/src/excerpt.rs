//! The lines of a file that a report shows, safe to print: long lines cut, control characters
//! replaced.
//!
//! ariadne wants the whole file and copies each line it shows; a model of 10 MB on one line would
//! be printed with every diagnostic. It also ends a line at a form feed or a lone carriage
//! return, which no editor does, so that its line numbers would not be ours. An [`Excerpt`] is a
//! stand-in for the file with the same line numbers: only lines that a span starts or ends in
//! have text, and of a long one only what is near such a place.

use pverify_syntax::source::{FileId, Sources, Span};
use std::collections::BTreeMap;
use std::ops::Range;

/// Longer lines (in bytes) are cut.
const LONGEST_LINE: usize = 240;
/// How much of a long line is shown before and behind a place.
const CONTEXT: Range<usize> = 40..80;
/// Stands for what was cut out of a line.
const CUT: char = '…';

/// The text that stands for one file, and how offsets in the file map to it.
#[derive(Debug, Default)]
pub(crate) struct Excerpt {
    /// The stand-in.
    pub(crate) text: String,
    /// Pieces copied from the file, in its order; offsets between them lie in no shown line.
    pieces: Vec<Piece>,
    /// The length of the stand-in in characters.
    characters: usize,
}

/// A run of the file's text that the stand-in shows.
#[derive(Debug)]
struct Piece {
    /// Its bytes in the file.
    bytes: Range<usize>,
    /// The character of the stand-in at which it starts.
    character: usize,
}

/// Makes excerpts; finds the lines of a file once, for all diagnostics that show it.
#[derive(Debug, Default)]
pub(crate) struct Excerpts {
    /// Byte offset of the end of each line, its newline left out.
    line_ends: BTreeMap<FileId, Vec<usize>>,
}

impl Excerpts {
    /// The excerpts of all files that the spans touch.
    pub(crate) fn around(
        &mut self,
        sources: &Sources,
        spans: impl Iterator<Item = Span>,
    ) -> BTreeMap<FileId, Excerpt> {
        let mut places: BTreeMap<FileId, Vec<usize>> = BTreeMap::new();
        for span in spans {
            let of_file = places.entry(span.file).or_default();
            of_file.push(span.start as usize);
            of_file.push((span.end.max(span.start.saturating_add(1)) - 1) as usize);
        }
        let mut excerpts = BTreeMap::new();
        for (file, mut places) in places {
            places.sort_unstable();
            places.dedup();
            let text = &*sources.file(file).text;
            let line_ends = self.line_ends.entry(file).or_insert_with(|| {
                // A last line stands behind a final newline: «unexpected end» stands there.
                text.match_indices('\n').map(|(at, _)| at).chain([text.len()]).collect()
            });
            excerpts.insert(file, Excerpt::new(text, line_ends, &places));
        }
        excerpts
    }
}

impl Excerpt {
    /// The excerpt of a text around sorted places, up to the line of the last.
    fn new(text: &str, line_ends: &[usize], places: &[usize]) -> Self {
        let mut excerpt = Self::default();
        let mut places = places.iter().map(|&place| place.min(text.len())).peekable();
        let mut start = 0;
        for &end in line_ends {
            let mut here = Vec::new();
            while let Some(place) = places.next_if(|&place| place <= end) {
                here.push(place);
            }
            if here.is_empty() {
                // Only the line's number matters.
            } else if end - start <= LONGEST_LINE {
                excerpt.copy(text, start..end);
            } else {
                excerpt.copy_parts(text, start..end, &here);
            }
            excerpt.push(if end == text.len() { ' ' } else { '\n' });
            if places.peek().is_none() {
                break;
            }
            start = end + 1;
        }
        excerpt
    }

    /// Copies what is near the places of a long line.
    fn copy_parts(&mut self, text: &str, line: Range<usize>, places: &[usize]) {
        let mut windows: Vec<Range<usize>> = Vec::new();
        for &place in places {
            let start = floor(text, place.saturating_sub(CONTEXT.start).max(line.start));
            let end = floor(text, (place + CONTEXT.end).min(line.end));
            match windows.last_mut() {
                Some(last) if start <= last.end => last.end = last.end.max(end),
                _ => windows.push(start..end),
            }
        }
        let mut behind = line.start;
        for window in windows {
            if window.start > behind {
                self.push(CUT);
            }
            behind = window.end;
            self.copy(text, window);
        }
        if behind < line.end {
            self.push(CUT);
        }
    }

    fn copy(&mut self, text: &str, bytes: Range<usize>) {
        let character = self.characters;
        for letter in text.get(bytes.clone()).unwrap_or("").chars() {
            self.push(printable(letter));
        }
        self.pieces.push(Piece { bytes, character });
    }

    fn push(&mut self, letter: char) {
        self.text.push(letter);
        self.characters += 1;
    }

    /// The characters of the stand-in that show a span of the file.
    pub(crate) fn range(&self, span: Span, text: &str) -> Range<usize> {
        let start = self.character(span.start as usize, text);
        let last = self.character(span.end.max(span.start.saturating_add(1)) as usize - 1, text);
        // An empty span is drawn on the character behind it: ariadne would put it a line too high.
        start..last.max(start) + 1
    }

    /// The character of the stand-in that shows a byte of the file.
    fn character(&self, byte: usize, text: &str) -> usize {
        let behind = self.pieces.partition_point(|piece| piece.bytes.start <= byte);
        let Some(piece) = behind.checked_sub(1).and_then(|at| self.pieces.get(at)) else {
            return 0;
        };
        let byte = floor(text, byte.min(piece.bytes.end));
        let before = text.get(piece.bytes.start..byte).unwrap_or("");
        (piece.character + before.chars().count()).min(self.characters.saturating_sub(1))
    }

    /// The column of a character of the stand-in, from 1; the file's own unless its line was cut.
    pub(crate) fn column(&self, character: usize) -> usize {
        let start_of_line = |column, letter| if letter == '\n' { 1 } else { column + 1 };
        self.text.chars().take(character).fold(1, start_of_line)
    }
}

/// The start of the character that a byte belongs to.
fn floor(text: &str, mut byte: usize) -> usize {
    byte = byte.min(text.len());
    while !text.is_char_boundary(byte) {
        byte -= 1;
    }
    byte
}

/// A character as it may be printed: text of a model must not steer the terminal.
pub(crate) fn printable(letter: char) -> char {
    match letter {
        '\t' => '\t',
        '\r' => ' ',
        '\u{2028}' | '\u{2029}' => '\u{fffd}',
        // Marks that reorder text, or that nobody sees, would make it lie about what is written.
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{61c}' => '\u{fffd}',
        '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{2064}' | '\u{feff}' => '\u{fffd}',
        letter if letter.is_control() => '\u{fffd}',
        letter => letter,
    }
}

/// A text as it may be printed, and of a very long one the beginning.
pub(crate) fn clipped(text: &str, most: usize) -> String {
    let mut letters = text.chars().map(printable);
    let mut short: String = letters.by_ref().take(most).collect();
    if letters.next().is_some() {
        short.pop();
        short.push(CUT);
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, span: Range<u32>, expected_text: &str, expected_marked: &str) {
        let mut sources = Sources::default();
        let file = sources.add_file("a.pml".into(), text, None);
        let span = Span { file, start: span.start, end: span.end, ..Span::default() };
        let excerpts = Excerpts::default().around(&sources, std::iter::once(span));
        let excerpt = &excerpts[&file];
        assert_eq!(excerpt.text, expected_text);
        let range = excerpt.range(span, text);
        let marked: String = excerpt.text.chars().skip(range.start).take(range.len()).collect();
        assert_eq!(marked, expected_marked);
    }

    #[test]
    fn only_lines_with_a_place_have_text() {
        check("one\ntwo\nthree\n", 4..7, "\ntwo\n", "two");
        check("one\ntwo\nthree", 2..5, "one\ntwo\n", "e\nt");
    }

    #[test]
    fn places_at_and_behind_the_end_are_kept_inside() {
        check("ab\n", 3..3, "\n ", " ");
        check("ab\nc", 2..2, "ab\n", "\n");
        check("ab", 9..12, "ab ", " ");
        check("", 0..0, " ", " ");
    }

    #[test]
    fn characters_that_steer_a_terminal_are_replaced() {
        check("a\u{1b}[31mb\u{c}c\r\n", 7..8, "a\u{fffd}[31mb\u{fffd}c \n", "\u{fffd}");
    }

    #[test]
    fn a_text_is_cut_behind_its_beginning() {
        assert_eq!(clipped("abc", 3), "abc");
        assert_eq!(clipped("abcd", 3), "ab…");
        assert_eq!(clipped("a\u{200e}b\u{1b}", 9), "a\u{fffd}b\u{fffd}");
    }

    #[test]
    fn a_long_line_is_cut_around_its_places() {
        let text = format!("{}here{}", "ä".repeat(5000), "z".repeat(5000));
        let expected = format!("…{}here{}… ", "ä".repeat(20), "z".repeat(79));
        check(&text, 10_000..10_004, &expected, "here");
    }

    #[test]
    fn a_long_span_shows_both_ends() {
        let text = "x".repeat(10_000);
        let shown = format!("…{}…{}… ", "x".repeat(120), "x".repeat(120));
        check(&text, 1000..9000, &shown, &shown[43..shown.len() - 83]);
    }
}

//! The order in which diagnostics are shown: by place, as a person reads the files.

use pverify_syntax::diagnostic::Diagnostic;
use pverify_syntax::source::{Sources, Span};

/// No chain of includes is longer; a guard against a cycle, which the preprocessor refuses.
const DEEPEST_INCLUDE: usize = 1000;

/// Sorts by place and keeps the first `limit`; errors are kept before warnings.
///
/// A warning that stands early in a file must not push the error that matters off the screen,
/// so the limit takes errors first; what is kept is then shown by place, whatever its severity.
pub(crate) fn by_place<'a>(
    diagnostics: &'a [Diagnostic],
    sources: &Sources,
    limit: usize,
) -> Vec<&'a Diagnostic> {
    let mut all: Vec<_> = diagnostics
        .iter()
        .map(|diagnostic| (place(diagnostic.span, sources), diagnostic))
        .collect();
    all.sort_by(|a, b| a.0.cmp(&b.0));
    if all.len() > limit {
        all.sort_by_key(|(_, diagnostic)| diagnostic.code.severity());
        all.truncate(limit);
        all.sort_by(|a, b| a.0.cmp(&b.0));
    }
    all.into_iter().map(|(_, diagnostic)| diagnostic).collect()
}

/// The way from the file given to a span: the offset of each `#include`, then its own; text of a
/// macro counts where the macro is used.
fn place(span: Span, sources: &Sources) -> Vec<u32> {
    let mut at = sources.outermost(span);
    let mut way = vec![span.start, at.start];
    while let Some(include) = sources.file(at.file).included_from {
        at = sources.outermost(include);
        way.push(at.start);
        if way.len() > DEEPEST_INCLUDE {
            break;
        }
    }
    way.reverse();
    way
}

#[cfg(test)]
mod tests {
    use super::*;
    use pverify_syntax::diagnostic::Code;

    static ERROR: Code = Code { id: "E9999", title: "", explanation: "" };
    static WARNING: Code = Code { id: "W9999", title: "", explanation: "" };

    /// Diagnostics at offsets of a main file that includes another at offset 10.
    fn check(given: &[(&'static Code, u32, u32)], limit: usize, expected: &[&str]) {
        let mut sources = Sources::default();
        let main = sources.add_file("main.pml".into(), "x".repeat(40), None);
        let include = Span { file: main, start: 10, end: 12, ..Span::default() };
        let other = sources.add_file("other.pml".into(), "y".repeat(40), Some(include));
        let diagnostics: Vec<_> = given
            .iter()
            .map(|&(code, file, start)| {
                let file = if file == 0 { main } else { other };
                let span = Span { file, start, end: start + 1, ..Span::default() };
                Diagnostic::new(code, span, format!("{}:{start}", file.0))
            })
            .collect();
        let shown: Vec<_> = by_place(&diagnostics, &sources, limit)
            .iter()
            .map(|diagnostic| diagnostic.message.as_str())
            .collect();
        assert_eq!(shown, expected);
    }

    #[test]
    fn included_text_stands_where_it_is_included() {
        check(
            &[(&ERROR, 0, 30), (&ERROR, 1, 35), (&WARNING, 1, 3), (&ERROR, 0, 2)],
            9,
            &["0:2", "1:3", "1:35", "0:30"],
        );
    }

    #[test]
    fn the_limit_drops_warnings_first() {
        check(&[(&WARNING, 0, 1), (&ERROR, 0, 30), (&WARNING, 0, 3)], 2, &["0:1", "0:30"]);
        check(&[(&WARNING, 0, 1), (&ERROR, 0, 30), (&ERROR, 0, 3)], 2, &["0:3", "0:30"]);
    }
}

//! Prose for a terminal: paragraphs are filled, examples are left as they are.

/// Lines of prose are no longer than this, in characters.
pub(crate) const WIDTH: usize = 80;

/// Fills every paragraph; lines that begin with four spaces are examples and stay.
pub(crate) fn wrap(text: &str) -> String {
    let mut wrapped = String::new();
    let mut column = 0;
    for line in text.trim().lines() {
        if line.trim().is_empty() || line.starts_with("    ") {
            if column > 0 {
                wrapped.push('\n');
                column = 0;
            }
            wrapped.push_str(line.trim_end());
            wrapped.push('\n');
            continue;
        }
        for word in line.split_whitespace() {
            let length = word.chars().count();
            if column > 0 && column + 1 + length > WIDTH {
                wrapped.push('\n');
                column = 0;
            }
            if column > 0 {
                wrapped.push(' ');
                column += 1;
            }
            wrapped.push_str(word);
            column += length;
        }
    }
    if column > 0 {
        wrapped.push('\n');
    }
    wrapped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_are_filled_and_examples_kept() {
        assert_eq!(
            wrap("one\ntwo\n\n    a   b\n    c\nthree\n"),
            "one two\n\n    a   b\n    c\nthree\n"
        );
        let long = "word ".repeat(40);
        assert!(wrap(&long).lines().all(|line| line.len() <= WIDTH));
        assert_eq!(wrap(&long).split_whitespace().count(), 40);
    }
}

//! Names with holes: a `_` that stands alone takes any one field of a name.
//!
//! It stands alone if no letter, digit or other `_` is beside it, so `send_all` has no hole and
//! `send !_` has one. What it takes is a run of characters without spaces and the signs that stand
//! between fields.

/// What the holes of a pattern take of a name, in their order; `None` if the name is another.
pub fn taken<'n>(pattern: &str, name: &'n str) -> Option<Vec<&'n str>> {
    let mut fields = Vec::new();
    let mut rest = name;
    for (at, piece) in pieces(pattern).into_iter().enumerate() {
        if at > 0 {
            let end = rest.find(is_separator).unwrap_or(rest.len());
            let (field, behind) = rest.split_at(end);
            if field.is_empty() {
                return None;
            }
            fields.push(field);
            rest = behind;
        }
        rest = rest.strip_prefix(piece)?;
    }
    rest.is_empty().then_some(fields)
}

/// A pattern with its holes filled, from the first on; those that nothing is left for stay.
pub fn filled(pattern: &str, fields: &[&str]) -> String {
    let mut text = String::new();
    for (at, piece) in pieces(pattern).into_iter().enumerate() {
        if let Some(hole) = at.checked_sub(1) {
            text.push_str(fields.get(hole).copied().unwrap_or("_"));
        }
        text.push_str(piece);
    }
    text
}

/// How many holes a pattern has.
pub fn holes(pattern: &str) -> usize {
    pieces(pattern).len() - 1
}

/// The texts between the holes: one more than there are holes.
fn pieces(pattern: &str) -> Vec<&str> {
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    let mut pieces = Vec::new();
    let mut from = 0;
    for (at, _) in pattern.match_indices('_') {
        let before = pattern[..at].chars().next_back().is_some_and(is_word);
        let after = pattern[at + 1..].chars().next().is_some_and(is_word);
        if !before && !after {
            pieces.push(&pattern[from..at]);
            from = at + 1;
        }
    }
    pieces.push(&pattern[from..]);
    pieces
}

fn is_separator(letter: char) -> bool {
    letter.is_whitespace() || matches!(letter, ',' | '!' | '?' | '(' | ')' | '[' | ']' | ':')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(pattern: &str, name: &str, expected: Option<&[&str]>) {
        assert_eq!(taken(pattern, name).as_deref(), expected, "{pattern} and {name}");
    }

    #[test]
    fn a_hole_takes_one_field() {
        check("a!_", "a!1", Some(&["1"]));
        check("a!_", "a!", None);
        check("a!_", "a!1,2", None);
        check("a!_,_", "a!1,22", Some(&["1", "22"]));
        check("put !_", "put !x", Some(&["x"]));
        check("_", "tick", Some(&["tick"]));
        check("in(_)", "in(3)", Some(&["3"]));
    }

    #[test]
    fn what_is_part_of_a_word_is_no_hole() {
        check("send_all", "send_all", Some(&[]));
        check("send_all", "send3all", None);
        check("c?__", "c?__", Some(&[]));
    }

    #[test]
    fn holes_are_filled_in_their_order() {
        assert_eq!(filled("put?_,_", &["1", "2"]), "put?1,2");
        assert_eq!(filled("put", &["1"]), "put");
        assert_eq!(filled("put?_,_", &["1"]), "put?1,_");
        assert_eq!(holes("a_b!_"), 1);
    }
}

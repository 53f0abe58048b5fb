//! Breaks a model at one seeded random token: deleted, doubled, swapped or replaced.
//!
//! The tokens here are coarse and know nothing of the grammar; what lies between them (blanks,
//! comments, directives) is kept as it is, so that a variant differs from its model in one place.

use rand::RngExt;
use rand::rngs::StdRng;

/// A broken variant and what was done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mutant {
    pub(crate) text: String,
    /// For people: `line 3: deleted "fi"`.
    pub(crate) description: String,
}

/// One variant of `text`; `None` if it has too few tokens, or the place drawn changes nothing.
pub(crate) fn mutate(text: &str, random: &mut StdRng) -> Option<Mutant> {
    let tokens = tokens(text);
    if tokens.len() < 2 {
        return None;
    }
    let index = random.random_range(0..tokens.len());
    let (start, end) = tokens[index];
    let token = &text[start..end];
    let (place, words, rest) = match random.random_range(0..4) {
        0 => (end, String::new(), format!("deleted {token:?}")),
        1 => (end, format!("{token} {token}"), format!("doubled {token:?}")),
        2 => {
            let (next_start, next_end) = *tokens.get(index + 1)?;
            let (between, next) = (&text[end..next_start], &text[next_start..next_end]);
            (
                next_end,
                format!("{next}{between} {token}"),
                format!("swapped {token:?} and {next:?}"),
            )
        }
        _ => {
            let (other_start, other_end) = tokens[random.random_range(0..tokens.len())];
            let other = &text[other_start..other_end];
            (end, other.to_owned(), format!("replaced {token:?} by {other:?}"))
        }
    };
    let before = &text[..start];
    let line = 1 + before.matches('\n').count();
    // Blanks around it, or `a` deleted in `-a-` would make another token of its neighbours.
    let mutated = format!("{before} {words} {}", &text[place..]);
    let same = words.trim() == text[start..place].trim();
    (!same).then(|| Mutant { text: mutated, description: format!("line {line}: {rest}") })
}

/// Where the tokens of `text` begin and end. Comments and directives are none, except for what
/// a `#define` stands for.
pub(crate) fn tokens(text: &str) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut at = 0;
    let mut line_start = true;
    while let Some(character) = text[at..].chars().next() {
        let rest = &text[at..];
        let length = if character == '\n' {
            line_start = true;
            at += 1;
            continue;
        } else if character.is_whitespace() {
            at += character.len_utf8();
            continue;
        } else if character == '\\'
            && rest[1..].trim_start_matches([' ', '\t', '\r']).starts_with('\n')
        {
            // A continued directive: the next line is no beginning.
            at += rest.find('\n').map_or(rest.len(), |length| length + 1);
            continue;
        } else if let Some(length) = comment(rest) {
            at += length;
            continue;
        } else if character == '#' && line_start {
            at += directive(rest);
            line_start = false;
            continue;
        } else {
            token(rest)
        };
        line_start = false;
        found.push((at, at + length));
        at += length;
    }
    found
}

fn comment(rest: &str) -> Option<usize> {
    if let Some(body) = rest.strip_prefix("/*") {
        Some(body.find("*/").map_or(rest.len(), |length| length + 4))
    } else if rest.starts_with("//") {
        Some(rest.find('\n').unwrap_or(rest.len()))
    } else {
        None
    }
}

/// How much of a directive to leave alone: `#define NAME(a, b)`, of others all lines.
fn directive(rest: &str) -> usize {
    let word_start = 1 + rest[1..].len() - rest[1..].trim_start_matches([' ', '\t']).len();
    if let Some(tail) = rest[word_start..].strip_prefix("define") {
        let name_start = rest.len() - tail.trim_start_matches([' ', '\t']).len();
        let name_end = name_start + identifier(&rest[name_start..]);
        let parameters = rest[name_end..].starts_with('(');
        let line_end = rest.find('\n').unwrap_or(rest.len());
        let close = rest[name_end..line_end.max(name_end)].find(')');
        return match close {
            Some(length) if parameters => name_end + length + 1,
            _ => name_end,
        };
    }
    let mut end = 0;
    for line in rest.split_inclusive('\n') {
        end += line.len();
        if !line.trim_end().ends_with('\\') {
            break;
        }
    }
    // The line break itself tells the caller that a line begins.
    rest[..end].trim_end_matches('\n').len()
}

fn identifier(rest: &str) -> usize {
    rest.find(|c: char| c != '_' && !c.is_alphanumeric()).unwrap_or(rest.len())
}

const OPERATORS: [&str; 21] = [
    "<->", "->", "::", "..", "!!", "??", "++", "--", "==", "!=", "<=", ">=", "&&", "||", "<<",
    ">>", "[]", "<>", "/\\", "\\/", "##",
];

fn token(rest: &str) -> usize {
    let Some(first) = rest.chars().next() else { return 0 };
    if first == '_' || first.is_alphanumeric() {
        return identifier(rest);
    }
    if first == '"' || first == '\'' {
        let mut escaped = false;
        for (index, character) in rest.char_indices().skip(1) {
            match character {
                '\n' => return index,
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                _ if character == first => return index + 1,
                _ => {}
            }
        }
        return rest.len();
    }
    OPERATORS
        .iter()
        .find(|operator| rest.starts_with(**operator))
        .map_or(first.len_utf8(), |operator| operator.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;

    fn check(text: &str, expected: &[&str]) {
        let words: Vec<&str> =
            tokens(text).iter().map(|(start, end)| &text[*start..*end]).collect();
        assert_eq!(words, expected, "{text:?}");
    }

    #[test]
    fn tokens_leave_layout_comments_and_directives() {
        check("a->b // c\n/* d */ ::x!!1", &["a", "->", "b", "::", "x", "!!", "1"]);
        check("#define N(a, b) a \\\n + b\n#if N\nx#y\n", &["a", "+", "b", "x", "#", "y"]);
        check("# define M\n#include \"f\" \\\n z\ny", &["y"]);
        check("printf(\"a\\\"b\", 'c')", &["printf", "(", "\"a\\\"b\"", ",", "'c'", ")"]);
        check("\"open\nx /* open", &["\"open", "x"]);
        check("é\\ü", &["é", "\\", "ü"]);
        check("", &[]);
    }

    #[test]
    fn the_same_seed_breaks_the_same_place() {
        let text = "init {\n  if :: x = 1 :: else fi\n}\n";
        for seed in 0..200 {
            let once = mutate(text, &mut StdRng::seed_from_u64(seed));
            assert_eq!(once, mutate(text, &mut StdRng::seed_from_u64(seed)));
            if let Some(mutant) = once {
                assert_ne!(mutant.text, text);
                assert_eq!(mutant.text.lines().count(), 3);
            }
        }
    }

    #[test]
    fn any_text_has_tokens() {
        let mut random = StdRng::seed_from_u64(1);
        let alphabet: Vec<char> = "#\\\n/*\"'aé0 <->definINCLUDE()".chars().collect();
        for _ in 0..5_000 {
            let length = random.random_range(0..30);
            let text: String =
                (0..length).map(|_| alphabet[random.random_range(0..alphabet.len())]).collect();
            let _ = mutate(&text, &mut random);
        }
    }
}

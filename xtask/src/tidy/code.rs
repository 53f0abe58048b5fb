//! Blanks out what is not code, so that a rule about words looks at code alone.
//!
//! Line numbers stay. This is no lexer of Rust: it knows comments, strings, raw strings and
//! characters, which is what a search for words needs.

/// The text with comments and the insides of strings blanked out.
pub(crate) fn code_only(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let length = skipped(rest, code.chars().next_back());
        if length == 0 {
            code.push(letter);
            rest = &rest[letter.len_utf8()..];
        } else {
            let (blank, behind) = rest.split_at(length);
            code.extend(blank.chars().map(|letter| if letter == '\n' { '\n' } else { ' ' }));
            rest = behind;
        }
    }
    code
}

/// How many bytes at the start are a comment or a string; 0 for code.
fn skipped(rest: &str, before: Option<char>) -> usize {
    let to = |end: Option<usize>| end.unwrap_or(rest.len());
    if rest.starts_with("//") {
        to(rest.find('\n'))
    } else if rest.starts_with("/*") {
        block_comment(rest)
    } else if rest.starts_with('"') {
        string(rest)
    } else if rest.starts_with('r')
        && !before.is_some_and(|one| one.is_alphanumeric() || one == '_')
    {
        let hashes = rest[1..].bytes().take_while(|&byte| byte == b'#').count();
        if rest[1 + hashes..].starts_with('"') {
            let close = format!("\"{}", "#".repeat(hashes));
            let start = hashes + 2;
            to(rest[start..].find(&close).map(|at| start + at + close.len()))
        } else {
            0
        }
    } else if rest.starts_with('\'') {
        character(rest)
    } else {
        0
    }
}

fn string(rest: &str) -> usize {
    let mut escaped = false;
    for (at, letter) in rest.char_indices().skip(1) {
        match letter {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

/// `'x'`, `'\n'`, `'\u{1b}'`; a lifetime is code.
fn character(rest: &str) -> usize {
    let mut letters = rest.char_indices().skip(1);
    match letters.next() {
        // The sign behind the backslash may itself be a quote.
        Some((_, '\\')) => {
            letters.next();
            letters.find(|&(_, letter)| letter == '\'').map_or(0, |(at, _)| at + 1)
        }
        Some(_) => letters.next().filter(|&(_, end)| end == '\'').map_or(0, |(at, _)| at + 1),
        None => 0,
    }
}

/// Block comments nest.
fn block_comment(rest: &str) -> usize {
    let mut depth = 0usize;
    let mut at = 0;
    while at < rest.len() {
        let here = &rest.as_bytes()[at..];
        if here.starts_with(b"/*") {
            depth += 1;
            at += 2;
        } else if here.starts_with(b"*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += 1;
        }
    }
    rest.len()
}

/// Code without what stands in braces behind `#[cfg(test)]`; lines stay.
pub(crate) fn without_tests(code: &str) -> String {
    let mut kept = String::with_capacity(code.len());
    let mut rest = code;
    while let Some(at) = rest.find("#[cfg(test)]") {
        let (before, tests) = rest.split_at(at);
        kept.push_str(before);
        let length = item_length(tests);
        kept.extend(tests[..length].chars().filter(|&letter| letter == '\n'));
        rest = &tests[length..];
    }
    kept.push_str(rest);
    kept
}

/// The length of an item: up to its closing brace, or a semicolon before any brace.
fn item_length(item: &str) -> usize {
    let mut depth = 0usize;
    for (at, letter) in item.char_indices() {
        match letter {
            ';' if depth == 0 => return at + 1,
            '{' => depth += 1,
            '}' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return at + 1;
                }
            }
            _ => {}
        }
    }
    item.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let squeezed = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let code = code_only(text);
        assert_eq!(squeezed(&code), expected, "{text}");
        assert_eq!(code.matches('\n').count(), text.matches('\n').count(), "{text}");
    }

    #[test]
    fn comments_and_strings_are_blanked() {
        check("a // b\nc", "a c");
        check("a /* b /* c */ d\n */ e", "a e");
        check("a \"b \\\" c\" d", "a d");
        check("a r#\"b \" c\"# d", "a d");
        check("for\"b\" bar\"c\"", "for bar");
        check("a '\"' b '\\'' c '\\u{1b}' d", "a b c d");
        check("fn f<'a>(x: &'a str)", "fn f<'a>(x: &'a str)");
        check("a \"never closed\n b", "a");
    }

    #[test]
    fn tests_are_left_out_and_what_follows_is_not() {
        let code = "a\n#[cfg(test)]\nmod t {\n { b }\n}\nc\n#[cfg(test)]\nmod tests;\nd\n";
        let kept = without_tests(code);
        assert_eq!(kept.split_whitespace().collect::<Vec<_>>(), ["a", "c", "d"]);
        assert_eq!(kept.lines().count(), code.lines().count());
    }
}

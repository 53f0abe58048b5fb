//! A limit on nesting, so that the grammar may recurse without fear of the stack.

use crate::codes;
use crate::diagnostic::Diagnostic;
use crate::token::{Keyword, Sign, Temporal, Token};
use crate::words::Word;

/// How deep brackets, `if` and `do` may be nested.
const DEPTH: usize = 200;
/// How many operators or labels may stand in a row before one operand.
const RUN: usize = 200;

/// Whether the words are shallow enough; says so where they are not.
pub(crate) fn is_shallow(words: &[Word], diagnostics: &mut Vec<Diagnostic>) -> bool {
    let mut depth = 0_usize;
    let mut run = 0_usize;
    let mut labels = 0_usize;
    for word in words {
        match &word.token {
            Token::Sign(Sign::LeftParen | Sign::LeftBracket | Sign::LeftBrace)
            | Token::Keyword(Keyword::If | Keyword::Do) => depth += 1,
            Token::Sign(Sign::RightParen | Sign::RightBracket | Sign::RightBrace)
            | Token::Keyword(Keyword::Fi | Keyword::Od) => depth = depth.saturating_sub(1),
            _ => {}
        }
        run = if is_prefix(&word.token) { run + 1 } else { 0 };
        labels = match word.token {
            Token::Sign(Sign::Colon) => labels + 1,
            Token::Name(_) => labels,
            _ => 0,
        };
        let what = if depth > DEPTH {
            "brackets are nested too deep"
        } else if run > RUN {
            "too many operators in a row"
        } else if labels > RUN {
            "too many labels in a row"
        } else {
            continue;
        };
        diagnostics.push(
            Diagnostic::new(&codes::TOO_DEEP, word.span, format!("{what}: more than {DEPTH} here"))
                .here("gave up here")
                .help("give a part of it a name: a variable, a macro or an inline"),
        );
        return false;
    }
    true
}

fn is_prefix(token: &Token) -> bool {
    matches!(
        token,
        Token::Sign(Sign::Bang | Sign::BangBang | Sign::Minus | Sign::Decrement | Sign::Tilde)
            | Token::Temporal(Temporal::Always | Temporal::Eventually | Temporal::Next)
            | Token::Keyword(Keyword::Unless | Keyword::Run | Keyword::Return)
    )
}

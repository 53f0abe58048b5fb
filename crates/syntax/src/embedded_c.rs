//! Embedded C, which pverify does not run: explained once for each use, then stepped over.

use crate::codes;
use crate::diagnostic::Diagnostic;
use crate::scanner::{Kind, Lexeme};
use crate::token::{Keyword, Sign, Token};
use crate::words::Splitter;

impl Splitter<'_> {
    /// Steps over the C text behind a keyword and leaves a word that fits in its place.
    pub(crate) fn embedded_c(&mut self, lexeme: &Lexeme, keyword: Keyword) {
        let help = match keyword {
            Keyword::CCode => "write what the C text does as Promela statements in a d_step",
            Keyword::CExpr => "write the condition as a Promela expression",
            _ => "declare the data the model needs as Promela variables",
        };
        self.diagnostics.push(
            Diagnostic::new(
                &codes::EMBEDDED_C,
                lexeme.span,
                format!("`{}`: pverify does not run C", keyword.text()),
            )
            .here("embedded C")
            .help(help),
        );
        match keyword {
            Keyword::CState | Keyword::CTrack => {
                while self.lexemes.get(self.at).is_some_and(|next| next.kind == Kind::Text) {
                    self.at += 1;
                }
            }
            _ => {
                self.skip_brackets(Sign::LeftBracket, Sign::RightBracket);
                self.skip_brackets(Sign::LeftBrace, Sign::RightBrace);
            }
        }
        match keyword {
            Keyword::CCode => self.push(lexeme, Token::Keyword(Keyword::Skip)),
            Keyword::CExpr => self.push(lexeme, Token::Number(1)),
            _ => {}
        }
    }

    /// Steps over a bracketed piece of C, if one stands here; to the end if it is never closed.
    fn skip_brackets(&mut self, open: Sign, close: Sign) {
        let is = |lexeme: Option<&Lexeme>, sign| {
            lexeme.is_some_and(|lexeme| lexeme.kind == Kind::Sign(sign))
        };
        if !is(self.lexemes.get(self.at), open) {
            return;
        }
        let mut depth = 0_usize;
        while let Some(lexeme) = self.lexemes.get(self.at) {
            self.at += 1;
            if is(Some(lexeme), open) {
                depth += 1;
            } else if is(Some(lexeme), close) {
                depth -= 1;
                if depth == 0 {
                    return;
                }
            }
        }
    }
}

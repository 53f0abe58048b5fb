//! Text to tree: Promela and LTL formulas are read here, and what is wrong with them is said.
//!
//! The stages, in reading order; each is a function of the one before:
//!
//! 1. [`source`]: the files, and places in them that survive macro expansion
//! 2. [`diagnostic`], [`codes`]: what is wrong, as data
//! 3. [`options`]: how to read a model, and where its files come from
//! 4. [`token`]: the words of the language
//! 5. [`mod@tokenize`]: text to words, through `scanner` (characters to lexemes), `preprocessor`
//!    (directives and macros), `words` and `embedded_c` (lexemes to words), `formula_words`,
//!    `inlines`, `semicolons`, and `nesting`
//! 6. [`ast`]: the tree
//! 7. [`grammar`]: words to tree
//! 8. [`mod@read`]: all of these in a row
//! 9. [`mod@print`]: tree to text
//! 10. [`machines`]: the formats of communicating machines
//! 11. [`transitions`]: labelled transition systems

pub mod ast;
pub mod codes;
pub mod diagnostic;
mod embedded_c;
mod formula_words;
pub mod grammar;
mod inlines;
mod interner;
pub mod machines;
mod nesting;
pub mod options;
mod preprocessor;
pub mod print;
pub mod read;
mod scanner;
mod semicolons;
pub mod source;
pub mod token;
pub mod tokenize;
pub mod transitions;
mod words;

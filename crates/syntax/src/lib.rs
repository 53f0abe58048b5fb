//! Text to tree: Promela and LTL formulas are read here, and what is wrong with them is said.
//!
//! The stages, in reading order; each is a function of the one before:
//!
//! 1. [`source`]: the files, and places in them that survive macro expansion
//! 2. [`diagnostic`], [`codes`]: what is wrong, as data
//! 3. [`token`]: the words of the language
//! 4. [`ast`]: the tree
//! 5. [`grammar`]: tokens to tree
//! 6. [`mod@print`]: tree to text

pub mod ast;
pub mod codes;
pub mod diagnostic;
pub mod grammar;
pub mod print;
pub mod source;
#[cfg(test)]
mod test_support;
pub mod token;

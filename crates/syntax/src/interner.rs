//! Names as numbers: each spelling is stored once, and reserved words have the first numbers.

use crate::token::{Keyword, Name};
use ahash::AHashMap;

/// A spelling.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub(crate) struct Symbol(u32);

/// All spellings of one run.
#[derive(Debug)]
pub(crate) struct Interner {
    names: Vec<Name>,
    symbols: AHashMap<Name, Symbol>,
}

impl Interner {
    /// With the reserved words.
    pub(crate) fn new() -> Self {
        let mut interner = Self { names: Vec::new(), symbols: AHashMap::new() };
        for keyword in Keyword::ALL {
            interner.intern(keyword.text());
        }
        interner
    }

    /// The number of a spelling.
    pub(crate) fn intern(&mut self, text: &str) -> Symbol {
        if let Some(&symbol) = self.symbols.get(text) {
            return symbol;
        }
        let name = Name::from(text);
        let symbol = Symbol(self.names.len() as u32);
        self.names.push(name.clone());
        self.symbols.insert(name, symbol);
        symbol
    }

    /// The spelling with this number.
    pub(crate) fn name(&self, symbol: Symbol) -> &Name {
        &self.names[symbol.0 as usize]
    }

    /// The reserved word with this spelling.
    pub(crate) fn keyword(symbol: Symbol) -> Option<Keyword> {
        Keyword::ALL.get(symbol.0 as usize).copied()
    }
}

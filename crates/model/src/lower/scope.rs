//! Which declaration a name means: SPIN 6's scopes.
//!
//! A name belongs to a process (or to none, for globals) and to the block it was first met in; it
//! is visible in that block and in those inside it. A name that is visible cannot be declared
//! again, not even in an inner block.

use crate::control::flow::ScopePath;
use crate::machine::{Owner, ProcessId, VariableId};
use ahash::AHashMap;
use pverify_syntax::source::Span;
use pverify_syntax::token::Name;

/// What a name means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// Met, but never declared.
    Nothing,
    /// A label, met in `goto` or set.
    Label,
    /// A variable.
    Variable(Owner, VariableId),
}

/// One name in one place of the text.
#[derive(Clone, Debug)]
pub(super) struct Symbol {
    pub(super) scope: ScopePath,
    pub(super) process: Option<ProcessId>,
    pub(super) meaning: Meaning,
    pub(super) span: Span,
}

/// All names met so far, and the block the reader is in.
#[derive(Debug, Default)]
pub(super) struct Scopes {
    symbols: AHashMap<Name, Vec<Symbol>>,
    current: ScopePath,
    blocks: u32,
}

impl Scopes {
    /// Enters a block.
    pub(super) fn enter(&mut self) {
        self.blocks += 1;
        self.current.push(self.blocks);
    }

    /// Leaves it.
    pub(super) fn leave(&mut self) {
        self.current.pop();
    }

    /// The blocks around the reader.
    pub(super) fn path(&self) -> &ScopePath {
        &self.current
    }

    /// The symbol a name means here; it is made, without meaning, if there is none.
    pub(super) fn lookup(
        &mut self,
        name: &Name,
        process: Option<ProcessId>,
        span: Span,
    ) -> &mut Symbol {
        let symbols = self.symbols.entry(name.clone()).or_default();
        let visible = |s: &Symbol| s.process == process && self.current.starts_with(&s.scope);
        let at = symbols
            .iter()
            .rposition(visible)
            .or_else(|| symbols.iter().rposition(|s| process.is_some() && s.process.is_none()));
        let at = at.unwrap_or_else(|| {
            let scope = self.current.clone();
            symbols.push(Symbol { scope, process, meaning: Meaning::Nothing, span });
            symbols.len() - 1
        });
        &mut symbols[at]
    }

    /// What a name means here, without leaving a trace of the question.
    pub(super) fn find(&self, name: &Name, process: Option<ProcessId>) -> Option<&Symbol> {
        let symbols = self.symbols.get(name)?;
        let visible = |s: &&Symbol| s.process == process && self.current.starts_with(&s.scope);
        let global = |s: &&Symbol| process.is_some() && s.process.is_none();
        symbols.iter().rfind(visible).or_else(|| symbols.iter().rfind(global))
    }

    /// Every name that a variable visible here has, for suggestions.
    pub(super) fn variables(&self, process: Option<ProcessId>) -> impl Iterator<Item = &Name> {
        self.symbols.iter().filter_map(move |(name, symbols)| {
            let seen = |s: &Symbol| {
                matches!(s.meaning, Meaning::Variable(..))
                    && (s.process.is_none()
                        || s.process == process && self.current.starts_with(&s.scope))
            };
            symbols.iter().any(seen).then_some(name)
        })
    }

    /// A variable of a process by name, wherever in it it is declared (for remote references).
    pub(super) fn of_process(&self, name: &Name, process: ProcessId) -> Option<VariableId> {
        let symbols = self.symbols.get(name)?;
        symbols.iter().filter(|s| s.process == Some(process)).find_map(|s| match s.meaning {
            Meaning::Variable(_, id) => Some(id),
            _ => None,
        })
    }
}

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
    /// Whether it was met outside all processes.
    pub(super) global: bool,
    pub(super) meaning: Meaning,
    pub(super) span: Span,
}

/// The names of one process, or the global ones.
type Key = (Option<ProcessId>, Name);

/// The names that are visible, and the block the reader is in.
///
/// No block is entered twice, so what it declares is put away when it is left: a look-up never
/// passes by the same name in a thousand blocks that are long closed.
#[derive(Debug, Default)]
pub(super) struct Scopes {
    symbols: AHashMap<Key, Symbol>,
    /// For each block around the reader, the names first met in it.
    met: Vec<Vec<Key>>,
    /// The first variable of a name in the blocks of a process that were left.
    left: AHashMap<(ProcessId, Name), VariableId>,
    current: ScopePath,
    blocks: u32,
}

impl Scopes {
    /// Enters a block.
    pub(super) fn enter(&mut self) {
        self.blocks += 1;
        self.current.push(self.blocks);
        self.met.push(Vec::new());
    }

    /// Leaves it.
    pub(super) fn leave(&mut self) {
        self.current.pop();
        for (process, name) in self.met.pop().unwrap_or_default() {
            let key = (process, name);
            let symbol = self.symbols.remove(&key);
            if let Some(Symbol { meaning: Meaning::Variable(_, id), .. }) = symbol
                && let (Some(process), name) = key
            {
                self.left.entry((process, name)).or_insert(id);
            }
        }
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
        let mut key = (process, name.clone());
        if !self.symbols.contains_key(&key) {
            let global = (None, key.1.clone());
            // One that was met outside but never declared is no variable to share.
            let declared = |symbol: &Symbol| symbol.meaning != Meaning::Nothing;
            if self.symbols.get(&global).is_some_and(declared) {
                key = global;
            } else if let Some(met) = self.met.last_mut() {
                met.push(key.clone());
            }
        }
        let (scope, global) = (&self.current, key.0.is_none());
        let made = || Symbol { scope: scope.clone(), global, meaning: Meaning::Nothing, span };
        self.symbols.entry(key).or_insert_with(made)
    }

    /// What a name means here, without leaving a trace of the question.
    pub(super) fn find(&self, name: &Name, process: Option<ProcessId>) -> Option<&Symbol> {
        let of = |process| self.symbols.get(&(process, name.clone()));
        of(process).or_else(|| of(None))
    }

    /// Every name that a variable visible here has, for suggestions.
    pub(super) fn variables(&self, process: Option<ProcessId>) -> impl Iterator<Item = &Name> {
        self.symbols.iter().filter_map(move |((owner, name), symbol)| {
            let here = owner.is_none() || *owner == process;
            (here && matches!(symbol.meaning, Meaning::Variable(..))).then_some(name)
        })
    }

    /// A variable of a process by name, wherever in it it is declared (for remote references).
    pub(super) fn of_process(&self, name: &Name, process: ProcessId) -> Option<VariableId> {
        if let Some(&id) = self.left.get(&(process, name.clone())) {
            return Some(id);
        }
        match self.symbols.get(&(Some(process), name.clone()))?.meaning {
            Meaning::Variable(_, id) => Some(id),
            _ => None,
        }
    }
}

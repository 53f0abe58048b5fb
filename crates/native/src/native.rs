//! A model whose steps are machine code once they have been asked for often enough.

use crate::machine::{ALONE, ATOMIC, Calls, HEADER, Part, TAKER_SHIFT};
use crate::table::Tables;
use pverify_semantics::Engine;
use pverify_semantics::program::Arrival;
use pverify_semantics::successors::{Step, Visitor};

/// A model, ready to run fast.
#[derive(Debug)]
pub struct Native<'m> {
    engine: Engine<'m>,
    /// States that are left to the interpreter before code is made.
    patience: u64,
    tables: Option<Tables>,
    calls: Calls,
    parts: Vec<Part>,
}

/// So many states are explored before it is worth making code: a few thousandths of a second.
const PATIENCE: u64 = 10_000;

impl<'m> Native<'m> {
    /// Makes code when so many states have been explored that it is worth it.
    pub fn new(engine: Engine<'m>) -> Self {
        Self::after(engine, PATIENCE)
    }

    /// Makes code after so many states.
    pub fn after(engine: Engine<'m>, patience: u64) -> Self {
        let patience = if engine.is_plain() { patience } else { u64::MAX };
        Self { engine, patience, tables: None, calls: Calls::default(), parts: Vec::new() }
    }

    /// The engine that says what is right.
    pub fn engine(&self) -> &Engine<'m> {
        &self.engine
    }

    /// The engine that says what is right.
    pub fn engine_mut(&mut self) -> &mut Engine<'m> {
        &mut self.engine
    }

    /// The engine alone.
    pub fn into_engine(self) -> Engine<'m> {
        self.engine
    }

    /// The same model for another worker.
    pub fn fork(&self) -> Self {
        Self::after(self.engine.fork(), self.patience)
    }

    /// Gives every next state of a state, and everything that is wrong in it or on the way.
    #[inline]
    pub fn successors<V: Visitor>(&mut self, words: &[u64], visitor: &mut V) {
        if self.patience > 0 {
            self.wait();
            self.engine.successors(words, visitor);
        } else if !self.run(words, visitor) {
            self.engine.successors(words, visitor);
        }
    }

    fn wait(&mut self) {
        if self.patience != u64::MAX {
            self.patience -= 1;
        }
        if self.patience == 0 {
            self.tables = Tables::new();
            if self.tables.is_none() {
                self.patience = u64::MAX;
            }
        }
    }

    /// Does it by machine code; if it cannot, nothing has been given to the visitor.
    #[inline]
    fn run<V: Visitor>(&mut self, words: &[u64], visitor: &mut V) -> bool {
        let Self { engine, tables, calls, parts, .. } = self;
        let Some(tables) = tables else { return false };
        let shape = engine.shape_of(words);
        let Some(table) = tables.get(engine, shape) else { return false };
        parts.clear();
        // If nothing moves, the engine must say whether it is time for a timeout, or a deadlock.
        if !calls.run(table, words, |part| parts.push(part))
            || !parts.iter().any(|part| part.end.is_some())
        {
            return false;
        }
        engine.begin_parts();
        let (records, size) = (calls.records(), table.record());
        let mut at = 0;
        for part in parts.iter() {
            let Some(end) = part.end else {
                engine.steps_of(words, usize::from(part.pid), visitor);
                continue;
            };
            let kind = table.seats[usize::from(part.pid)].kind;
            while at < end {
                let record = &records[at..at + size];
                let edge = record[0] as u32;
                let taker = record[1] as u32;
                let position = engine.program().edges[edge as usize].position;
                let (pid, location) = (part.pid, part.location);
                let alone = u64::from(taker) == ALONE;
                let step = Step { pid, kind, location, edge: position, offers: !alone };
                let taken = if alone {
                    None
                } else {
                    let pid = (record[1] >> TAKER_SHIFT) as u8;
                    let seat = &table.seats[usize::from(pid)];
                    let location = seat.location.get(words) as u32;
                    let edge = engine.program().edges[taker as usize].position;
                    Some((taker, Step { pid, kind: seat.kind, location, edge, offers: false }))
                };
                let arrival = Arrival {
                    words: &record[HEADER..],
                    bits: table.bits,
                    step: (edge, step),
                    taken,
                    atomic: record[1] & ATOMIC != 0,
                };
                engine.arrive_by(&arrival, visitor);
                at += size;
            }
        }
        engine.finish_parts(visitor);
        true
    }
}

//! A model whose steps are machine code once they have been asked for often enough.

use crate::machine::{ALONE, ATOMIC, Calls, HEADER, Part, TAKER_SHIFT};
use crate::table::{Table, Tables};
use pverify_semantics::Engine;
use pverify_semantics::program::{Arrival, Inside};
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
    answered: u64,
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
        let patience = if engine.is_plain() { patience.saturating_add(1) } else { u64::MAX };
        Self {
            engine,
            patience,
            tables: None,
            calls: Calls::default(),
            parts: Vec::new(),
            answered: 0,
        }
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
        Self::after(self.engine.fork(), self.patience.saturating_sub(1))
    }

    /// How many states were answered by machine code.
    pub fn answered(&self) -> u64 {
        self.answered
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
        self.answered += 1;
        engine.begin_parts();
        let mut at = 0;
        for part in parts.iter() {
            let Some(end) = part.end else {
                engine.steps_of(words, usize::from(part.pid), visitor);
                continue;
            };
            let records = Records { table, words, part, records: &calls.records()[at..end] };
            records.give(engine, None, visitor);
            at = end;
        }
        self.finish_atomic(visitor);
        true
    }

    /// Goes on inside atomic blocks until they end or block.
    #[inline]
    fn finish_atomic<V: Visitor>(&mut self, visitor: &mut V) {
        let Self { engine, tables, calls, .. } = self;
        let Some(tables) = tables else { return };
        while let Some(inside) = engine.take_inside() {
            let words = inside.words();
            let shape = engine.shape_of(words);
            let table = tables.get(engine, shape);
            let found = table.and_then(|table| {
                calls.run_one(table, words, inside.pid()).map(|part| (table, part))
            });
            let Some((table, part)) = found else {
                engine.go_on_inside(inside, visitor);
                continue;
            };
            match part.end {
                Some(end) if end > 0 => {
                    let records = &calls.records()[..end];
                    let records = Records { table, words, part: &part, records };
                    records.give(engine, Some(&inside), visitor);
                }
                _ => engine.stay_inside(&inside, visitor),
            }
            engine.give_back(inside);
        }
        engine.finish_parts(visitor);
    }
}

/// What machine code has written for one process.
struct Records<'r> {
    table: &'r Table,
    words: &'r [u64],
    part: &'r Part,
    records: &'r [u64],
}

impl Records<'_> {
    /// Gives all of it away.
    #[inline]
    fn give<V: Visitor>(&self, engine: &mut Engine<'_>, before: Option<&Inside>, visitor: &mut V) {
        let Self { table, words, part, records } = *self;
        let kind = table.seats[usize::from(part.pid)].kind;
        for record in records.chunks_exact(table.record()) {
            let (edge, taker) = (record[0] as u32, record[1] as u32);
            let alone = u64::from(taker) == ALONE;
            let position = engine.program().edges[edge as usize].position;
            let Part { pid, location, .. } = *part;
            let step = Step { pid, kind, location, edge: position, offers: !alone };
            let taken = (!alone).then(|| {
                let pid = (record[1] >> TAKER_SHIFT) as u8;
                let seat = &table.seats[usize::from(pid)];
                let location = seat.location.get(words) as u32;
                let edge = engine.program().edges[taker as usize].position;
                (taker, Step { pid, kind: seat.kind, location, edge, offers: false })
            });
            let arrival = Arrival {
                words: &record[HEADER..],
                bits: table.bits,
                step: (edge, step),
                taken,
                atomic: record[1] & ATOMIC != 0,
            };
            engine.arrive_behind(&arrival, before, visitor);
        }
    }
}

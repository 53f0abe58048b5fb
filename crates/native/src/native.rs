//! A model whose steps are machine code once they have been asked for often enough.

use crate::machine::{ALONE, ATOMIC, Calls, LOCATION_SHIFT, Left, PID_SHIFT, TAKER_SHIFT};
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
    /// Processes whose steps the interpreter must find.
    left: Vec<Left>,
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
            left: Vec::new(),
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
        let Self { engine, tables, calls, left, .. } = self;
        let Some(tables) = tables else { return false };
        let shape = engine.shape_of(words);
        let Some(table) = tables.get(engine, shape) else { return false };
        left.clear();
        // If nothing moves, the engine must say whether it is time for a timeout, or a deadlock.
        let end = match calls.run(table, words, |process| left.push(process)) {
            None | Some(0) => return false,
            Some(end) => end,
        };
        self.answered += 1;
        engine.begin_parts();
        let mut at = 0;
        for process in left.iter() {
            let records = Records { table, words, records: &calls.records()[at..process.end] };
            records.give(engine, None, visitor);
            engine.steps_of(words, usize::from(process.pid), visitor);
            at = process.end;
        }
        let records = Records { table, words, records: &calls.records()[at..end] };
        records.give(engine, None, visitor);
        if engine.is_inside() {
            self.finish_atomic(visitor);
        }
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
                calls.run_one(table, words, inside.pid()).map(|end| (table, end))
            });
            match found {
                None => {
                    engine.go_on_inside(inside, visitor);
                    continue;
                }
                Some((_, 0)) => engine.stay_inside(&inside, visitor),
                Some((table, end)) => {
                    let records = Records { table, words, records: &calls.records()[..end] };
                    records.give(engine, Some(&inside), visitor);
                }
            }
            engine.give_back(inside);
        }
        engine.finish_parts(visitor);
    }
}

/// What machine code has written.
struct Records<'r> {
    table: &'r Table,
    words: &'r [u64],
    records: &'r [u64],
}

impl Records<'_> {
    /// Gives all of it away.
    #[inline(always)] // For each state.
    fn give<V: Visitor>(&self, engine: &mut Engine<'_>, before: Option<&Inside>, visitor: &mut V) {
        let size = self.table.record();
        let mut rest = self.records;
        while let Some((record, behind)) = rest.split_at_checked(size)
            && let [first, second, next @ ..] = record
        {
            rest = behind;
            if second & ATOMIC == 0 && before.is_none() {
                engine.arrive_behind(&self.arrival(*first, *second, next, engine), visitor);
            } else {
                self.give_inside((*first, *second, next), engine, before, visitor);
            }
        }
    }

    /// Gives a step away that begins or ends inside an atomic block.
    #[inline(never)]
    fn give_inside<V: Visitor>(
        &self,
        (first, second, next): (u64, u64, &[u64]),
        engine: &mut Engine<'_>,
        before: Option<&Inside>,
        visitor: &mut V,
    ) {
        let arrival = self.arrival(first, second, next, engine);
        engine.arrive_inside(&arrival, before, second & ATOMIC != 0, visitor);
    }

    #[inline(always)] // Most of it is not asked for.
    fn arrival<'n>(
        &self,
        first: u64,
        second: u64,
        next: &'n [u64],
        engine: &Engine<'_>,
    ) -> Arrival<'n> {
        let Self { table, words, .. } = self;
        let (edge, taker) = (first as u32, second as u32);
        let alone = u64::from(taker) == ALONE;
        let (pid, location) = ((first >> PID_SHIFT) as u8, (first >> LOCATION_SHIFT) as u32);
        let (kind, position) = (table.kind(pid), engine.position(edge));
        let step = Step { pid, kind, location, edge: position, offers: !alone };
        let taken = (!alone).then(|| {
            let pid = (second >> TAKER_SHIFT) as u8;
            let (kind, location) = (table.kind(pid), table.location(pid, words));
            let position = engine.position(taker);
            (taker, Step { pid, kind, location, edge: position, offers: false })
        });
        Arrival { words: next, bits: table.bits, step: (edge, step), taken }
    }
}

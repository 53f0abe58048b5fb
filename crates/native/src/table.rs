//! The code of all processes of a shape, by the locations they stand at.

use crate::machine::{Function3, HEADER, Maker};
use crate::translate::{self, Made, Purpose};
use ahash::AHashMap;
use pverify_model::layout::Field;
use pverify_semantics::Engine;
use pverify_semantics::shape::{EdgeKind, InstanceId, Shape, ShapeId};
use std::sync::Arc;

/// What a location leads to.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Code {
    /// Nothing.
    Nothing,
    /// Machine code knows.
    Native {
        /// The code.
        function: Function3,
        /// Records that it writes at most, by itself.
        records: u32,
        /// Whether it asks the context who hears offers.
        listens: bool,
    },
    /// The interpreter knows.
    Interpreted,
    /// The end of the process, possible for the youngest; the interpreter does it.
    End,
}

/// A process.
#[derive(Clone, Debug)]
pub(crate) struct Seat {
    /// Where it stands.
    pub(crate) location: Field,
    /// Its type.
    pub(crate) kind: u32,
    /// By the location: its steps.
    pub(crate) steps: Arc<[Code]>,
    /// By the location: how it takes offers, and the channels it hears, as bits.
    pub(crate) takes: Arc<[(Code, u64)]>,
}

/// A process, as far as its own steps ask for it: every state comes by here.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Desk {
    /// Where it stands.
    pub(crate) location: Field,
    /// Where the code of its locations begins, in [`Table::codes`].
    pub(crate) first: u32,
    pub(crate) pid: u8,
    pub(crate) youngest: bool,
}

/// All processes of a shape.
#[derive(Debug)]
pub(crate) struct Table {
    /// Words and bits of a state.
    pub(crate) words: usize,
    pub(crate) bits: u32,
    /// Records that all processes together write at most, without rendezvous.
    pub(crate) records: usize,
    /// The processes, youngest first; those that can never move by themselves are left out.
    pub(crate) desks: Vec<Desk>,
    /// The code of all locations.
    pub(crate) codes: Vec<Code>,
    /// The processes, by their number.
    pub(crate) seats: Vec<Seat>,
}

impl Table {
    /// Words of a record.
    #[inline]
    pub(crate) fn record(&self) -> usize {
        HEADER + self.words
    }

    /// The type of a process.
    #[inline]
    pub(crate) fn kind(&self, pid: u8) -> u32 {
        self.seats.get(usize::from(pid)).map_or(0, |seat| seat.kind)
    }

    /// Where a process stands.
    #[inline]
    pub(crate) fn location(&self, pid: u8, words: &[u64]) -> u32 {
        let seat = self.seats.get(usize::from(pid));
        seat.map_or(0, |seat| seat.location.get(words) as u32)
    }

    /// The channels that somebody can receive from.
    #[inline]
    pub(crate) fn heard(&self, words: &[u64]) -> u64 {
        let heard = self.seats.iter().map(|seat| seat.takes[seat.location.get(words) as usize].1);
        heard.fold(0, |all, one| all | one)
    }
}

/// A process that was translated, with the length of the states.
type Key = (InstanceId, usize);

/// Tables and everything they are made of.
#[derive(Debug)]
pub(crate) struct Tables {
    maker: Maker,
    /// By the shape; `None` if it was not asked for yet.
    tables: Vec<Option<Option<Table>>>,
    known: AHashMap<Key, Seat>,
    /// Functions that may still be made.
    left: usize,
}

/// More functions than this are not made: a model that comes to so many places would spend its time
/// on translating them.
const MOST_FUNCTIONS: usize = 20_000;
/// Longer states are left to the interpreter, as it is copying them that takes the time.
const MOST_WORDS: usize = 64;

impl Tables {
    /// None yet; `None` on machines for which no code can be made.
    pub(crate) fn new() -> Option<Self> {
        Some(Self {
            maker: Maker::new()?,
            tables: Vec::new(),
            known: AHashMap::new(),
            left: MOST_FUNCTIONS,
        })
    }

    /// The table of a shape, unless the interpreter must do it all.
    #[inline]
    pub(crate) fn get(&mut self, engine: &mut Engine<'_>, shape: ShapeId) -> Option<&Table> {
        let at = shape.0 as usize;
        if !matches!(self.tables.get(at), Some(Some(_))) {
            self.add(engine, shape);
        }
        self.tables.get(at)?.as_ref()?.as_ref()
    }

    #[cold]
    fn add(&mut self, engine: &mut Engine<'_>, id: ShapeId) {
        if engine.known_shape(id).is_none() {
            return;
        }
        let table = self.make(engine, engine.shape(id));
        let at = id.0 as usize;
        if self.tables.len() <= at {
            self.tables.resize_with(at + 1, || None);
        }
        self.tables[at] = Some(table);
    }

    fn make(&mut self, engine: &Engine<'_>, shape: &Shape) -> Option<Table> {
        if shape.words > MOST_WORDS || shape.seats.iter().any(|s| s.conditional || s.deterministic)
        {
            return None;
        }
        let mut seats = Vec::new();
        for pid in 0..shape.seats.len() {
            let key = (shape.processes[pid], shape.words);
            let seat = match self.known.get(&key) {
                Some(seat) => seat.clone(),
                None => {
                    let seat = self.translate(engine, shape, pid)?;
                    self.known.insert(key, seat.clone());
                    seat
                }
            };
            seats.push(seat);
        }
        let records = |code: &Code| match code {
            Code::Native { records, .. } => *records as usize,
            _ => 0,
        };
        let most = |seat: &Seat| seat.steps.iter().map(records).max().unwrap_or(0);
        let (mut desks, mut codes) = (Vec::new(), Vec::new());
        for (pid, seat) in seats.iter().enumerate().rev() {
            if seat.steps.iter().all(|code| matches!(code, Code::Nothing)) {
                continue;
            }
            let (first, youngest) = (codes.len() as u32, pid + 1 == seats.len());
            desks.push(Desk { location: seat.location, first, pid: pid as u8, youngest });
            codes.extend_from_slice(&seat.steps);
        }
        let records = seats.iter().map(most).sum();
        Some(Table { words: shape.words, bits: shape.end, records, desks, codes, seats })
    }

    /// Translates all locations of a process.
    fn translate(&mut self, engine: &Engine<'_>, shape: &Shape, pid: usize) -> Option<Seat> {
        let seat = shape.seats[pid];
        let program = engine.program();
        let places = engine.model.processes[seat.kind as usize].graph.locations.len() as u32;
        if self.left < 2 * places as usize {
            return None;
        }
        self.left -= 2 * places as usize;
        let mut added = Vec::new();
        for location in 0..places {
            let range = program.ranges[(seat.ranges + location) as usize];
            let edges = &program.edges[range.first as usize..range.last as usize];
            for purpose in [Purpose::Step, Purpose::Take] {
                let (building, module) = self.maker.building();
                let translated = if matches!(edges, [only] if only.kind == EdgeKind::End) {
                    match purpose {
                        Purpose::Step => Translated::Ready(Code::End),
                        Purpose::Take => Translated::Ready(Code::Nothing),
                    }
                } else {
                    let source =
                        translate::Source { program, shape, pid, location, range, purpose };
                    match source.translate(building, module) {
                        Ok(Some(Made { function, records, listens })) => {
                            match self.maker.add(function) {
                                Some(id) => Translated::Added(id, records, listens),
                                None => Translated::Ready(Code::Interpreted),
                            }
                        }
                        Ok(None) => Translated::Ready(Code::Nothing),
                        Err(translate::Unsupported) => Translated::Ready(Code::Interpreted),
                    }
                };
                added.push(translated);
            }
        }
        self.maker.finish()?;
        let mut codes = added.into_iter().map(|translated| match translated {
            Translated::Ready(code) => code,
            Translated::Added(id, records, listens) => {
                Code::Native { function: self.maker.function(id), records, listens }
            }
        });
        let (mut steps, mut takes) = (Vec::new(), Vec::new());
        for location in 0..places {
            let hears = program.ranges[(seat.ranges + location) as usize].hears;
            steps.extend(codes.next());
            takes.extend(codes.next().map(|code| (code, hears)));
        }
        let (steps, takes) = (steps.into(), takes.into());
        Some(Seat { location: seat.location, kind: seat.kind, steps, takes })
    }
}

/// Code that is there, or will be when the maker has finished.
enum Translated {
    Ready(Code),
    Added(cranelift_module::FuncId, u32, bool),
}

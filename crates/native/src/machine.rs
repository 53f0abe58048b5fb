//! Machine code and its callers: the only file here that is `unsafe`.
//!
//! The code of a location is a function of three pointers: the words of a state, the place where
//! its next states are to be written, and a [`Context`]. It gives back the place behind what it has
//! written, or null if the state must be left to the interpreter. What is written is a run of
//! records: [`HEADER`] words that say which edges were taken, and the words of a next state.
//!
//! Why calling it is sound: the code comes from [`crate::translate`], which reads `words` of the
//! state and the context, and writes whole records and the `scratch` of the context, nothing else.
//! Addresses inside a state are fixed fields of it, or were compared with the length of an array.
//! [`Calls`] sees to it that a state has as many words as the code was made for, and that there
//! is room for every record that the code can write.

use crate::table::{Code, Table};
use cranelift_codegen::ir::Function;
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::FunctionBuilderContext;
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{FuncId, Module, default_libcall_names};
use std::mem::ManuallyDrop;

/// Words in front of a next state: the edge, with its process and location; and the other half of a
/// rendezvous, with flags.
pub(crate) const HEADER: usize = 2;
/// In the first word: where the number of the process lies, and where its location does.
pub(crate) const PID_SHIFT: u32 = 32;
pub(crate) const LOCATION_SHIFT: u32 = 40;
/// In the second word: the step was not a rendezvous.
pub(crate) const ALONE: u64 = 0xffff_ffff;
/// In the second word: the process keeps control, inside an atomic block.
pub(crate) const ATOMIC: u64 = 1 << 63;
/// In the second word: where the number of the process that takes an offer lies.
pub(crate) const TAKER_SHIFT: u32 = 32;
/// The most fields of a message.
pub(crate) const FIELDS: usize = 64;

/// The code of a location.
pub(crate) type Function3 =
    unsafe extern "C" fn(words: *const u64, out: *mut u64, context: *mut Context) -> *mut u64;

/// What code needs besides the state.
#[repr(C)]
#[derive(Debug)]
pub(crate) struct Context {
    /// Channels that somebody can receive from, as bits; for code that [listens](Code::Native).
    pub(crate) heard: u64,
    /// The number of processes.
    pub(crate) processes: u64,
    /// The channel on which a message is offered, who offers it, and the first word of the records.
    pub(crate) offer: u64,
    pub(crate) sender: u64,
    pub(crate) edge: u64,
    /// Somebody must take the offer: called by the code of the sender.
    handshake: unsafe extern "C" fn(out: *mut u64, context: *mut Context) -> *mut u64,
    /// The state after an offer.
    pub(crate) scratch: *mut u64,
    /// The table in use.
    table: *const Table,
    /// The first address behind the room for records.
    limit: *mut u64,
    /// The message offered.
    pub(crate) message: [i32; FIELDS],
}

/// Offsets of the context's members, for the code.
pub(crate) mod offset {
    use super::Context;
    use std::mem::offset_of;

    pub(crate) const HEARD: i32 = offset_of!(Context, heard) as i32;
    pub(crate) const PROCESSES: i32 = offset_of!(Context, processes) as i32;
    pub(crate) const OFFER: i32 = offset_of!(Context, offer) as i32;
    pub(crate) const SENDER: i32 = offset_of!(Context, sender) as i32;
    pub(crate) const EDGE: i32 = offset_of!(Context, edge) as i32;
    pub(crate) const HANDSHAKE: i32 = offset_of!(Context, handshake) as i32;
    pub(crate) const SCRATCH: i32 = offset_of!(Context, scratch) as i32;
    pub(crate) const MESSAGE: i32 = offset_of!(Context, message) as i32;
}

/// Everybody but the sender may take the offer, youngest first.
#[allow(unsafe_code, reason = "called by machine code, with pointers")]
unsafe extern "C" fn handshake(out: *mut u64, context: *mut Context) -> *mut u64 {
    // SAFETY: machine code hands on the context that `Calls::call` gave it, and holds no other
    // reference to it; the table outlives the call, and `scratch` has as many words as it says.
    let (table, words, limit, sender, offer) = unsafe {
        let context = &*context;
        let table = &*context.table;
        let words = std::slice::from_raw_parts(context.scratch.cast_const(), table.words);
        (table, words, context.limit, context.sender, context.offer)
    };
    let mut out = out;
    for (pid, seat) in table.seats.iter().enumerate().rev() {
        if pid as u64 == sender {
            continue;
        }
        let location = seat.location.get(words) as usize;
        let (code, hears) = seat.takes[location];
        if hears >> (offer % 64) & 1 == 0 {
            continue;
        }
        match code {
            Code::Nothing => {}
            Code::Native { function, records, .. } => {
                let room = (records as usize + table.records) * table.record() * 8;
                if (limit as usize).saturating_sub(out as usize) < room {
                    return std::ptr::null_mut();
                }
                // SAFETY: as in `Calls::call`; there is room for the records, which was just asked.
                out = unsafe { function(words.as_ptr(), out, context) };
                if out.is_null() {
                    return out;
                }
            }
            Code::Interpreted | Code::End => return std::ptr::null_mut(),
        }
    }
    out
}

/// Room for what code reads and writes.
#[derive(Debug)]
pub(crate) struct Calls {
    context: Box<Context>,
    /// Whether the context knows who hears offers in the state at hand.
    listened: bool,
    records: Vec<u64>,
    scratch: Vec<u64>,
}

#[allow(unsafe_code, reason = "the pointers in the context are into what the same value owns")]
// SAFETY: they are set anew before every call.
unsafe impl Send for Calls {}

impl Default for Calls {
    fn default() -> Self {
        let context = Context {
            heard: 0,
            processes: 0,
            offer: 0,
            sender: 0,
            edge: 0,
            handshake,
            scratch: std::ptr::null_mut(),
            table: std::ptr::null(),
            limit: std::ptr::null_mut(),
            message: [0; FIELDS],
        };
        Self {
            context: Box::new(context),
            listened: false,
            records: Vec::new(),
            scratch: Vec::new(),
        }
    }
}

/// Records more than a table asks for: room for what rendezvous multiply.
const SPARE_RECORDS: usize = 1 << 10;

impl Calls {
    /// Runs the code for a state: the records of each process, youngest first, one behind the
    /// other; `leave` is told of those whose steps the interpreter must find. Where the records end,
    /// if all went well.
    #[inline]
    pub(crate) fn run(
        &mut self,
        table: &Table,
        words: &[u64],
        mut leave: impl FnMut(Left),
    ) -> Option<usize> {
        if !self.prepare(table, words) {
            return None;
        }
        let mut end = 0;
        for desk in &table.desks {
            let location = desk.location.get(words) as usize;
            match table.codes[desk.first as usize + location] {
                Code::Nothing => {}
                Code::Native { function, listens, .. } => {
                    if listens {
                        self.listen(table, words);
                    }
                    end = self.call(function, words, end)?;
                }
                Code::End if !desk.youngest => {}
                Code::End | Code::Interpreted => leave(Left { pid: desk.pid, end }),
            }
        }
        Some(end)
    }

    /// Runs the code of one process; where its records end. `None` if the interpreter must do it.
    pub(crate) fn run_one(&mut self, table: &Table, words: &[u64], pid: usize) -> Option<usize> {
        let seat = table.seats.get(pid)?;
        if !self.prepare(table, words) {
            return None;
        }
        match seat.steps[seat.location.get(words) as usize] {
            Code::Nothing => Some(0),
            Code::Native { function, listens, .. } => {
                if listens {
                    self.listen(table, words);
                }
                self.call(function, words, 0)
            }
            Code::End | Code::Interpreted => None,
        }
    }

    /// Sets everything that code needs to know of a state; whether it is one of the table's.
    #[inline]
    fn prepare(&mut self, table: &Table, words: &[u64]) -> bool {
        if words.len() != table.words {
            return false;
        }
        let room = (table.records * 2 + SPARE_RECORDS) * table.record();
        if self.records.len() < room {
            self.records.resize(room, 0);
        }
        if self.scratch.len() < table.words {
            self.scratch.resize(table.words, 0);
        }
        self.listened = false;
        let context = &mut *self.context;
        context.processes = table.seats.len() as u64;
        context.scratch = self.scratch.as_mut_ptr();
        context.table = table;
        context.limit = self.records.as_mut_ptr().wrapping_add(self.records.len());
        true
    }

    /// Finds out who hears offers, once for each state.
    #[inline]
    fn listen(&mut self, table: &Table, words: &[u64]) {
        if !self.listened {
            self.context.heard = table.heard(words);
            self.listened = true;
        }
    }

    /// Calls code that writes its records from a place on; the place behind them, or `None` if the
    /// interpreter must do it.
    #[inline]
    fn call(&mut self, function: Function3, words: &[u64], from: usize) -> Option<usize> {
        let first = self.records.as_mut_ptr();
        #[allow(unsafe_code, reason = "this is what the crate is for")]
        // SAFETY: see the head of the file. `prepare` has seen to it that the state has the words of
        // the table, and that there is room for twice the records that all locations of the table
        // write by themselves; `handshake` leaves that much when it lets others write theirs. So
        // `from`, where the last call ended, is inside the records.
        let behind = unsafe { function(words.as_ptr(), first.add(from), &mut *self.context) };
        (!behind.is_null()).then(|| (behind as usize - first as usize) / 8)
    }

    /// What was written by the last run.
    #[inline]
    pub(crate) fn records(&self) -> &[u64] {
        &self.records
    }
}

/// A process whose steps the interpreter must find.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Left {
    pub(crate) pid: u8,
    /// Where the records of those before it end.
    pub(crate) end: usize,
}

/// Makes machine code, and keeps it.
pub(crate) struct Maker {
    module: ManuallyDrop<JITModule>,
    context: FunctionBuilderContext,
}

impl std::fmt::Debug for Maker {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Maker")
    }
}

impl Maker {
    /// For this machine; `None` if there is no code for it.
    pub(crate) fn new() -> Option<Self> {
        let mut flags = settings::builder();
        for (name, value) in [
            ("opt_level", "speed"),
            ("use_colocated_libcalls", "false"),
            ("is_pic", "false"),
            ("enable_verifier", if cfg!(debug_assertions) { "true" } else { "false" }),
        ] {
            flags.set(name, value).ok()?;
        }
        let isa = cranelift_native::builder().ok()?.finish(settings::Flags::new(flags)).ok()?;
        let builder = JITBuilder::with_isa(isa, default_libcall_names());
        let module = ManuallyDrop::new(JITModule::new(builder));
        Some(Self { module, context: FunctionBuilderContext::new() })
    }

    /// Room for building functions.
    pub(crate) fn building(&mut self) -> (&mut FunctionBuilderContext, &JITModule) {
        (&mut self.context, &self.module)
    }

    /// Compiles a function; it can be had after [`Maker::finish`].
    pub(crate) fn add(&mut self, function: Function) -> Option<FuncId> {
        let mut context = self.module.make_context();
        context.func = function;
        let id = self.module.declare_anonymous_function(&context.func.signature).ok()?;
        self.module.define_function(id, &mut context).ok()?;
        Some(id)
    }

    /// Makes what was added executable.
    pub(crate) fn finish(&mut self) -> Option<()> {
        self.module.finalize_definitions().ok()
    }

    /// A function that was added before the last [`Maker::finish`].
    pub(crate) fn function(&self, id: FuncId) -> Function3 {
        let code = self.module.get_finalized_function(id);
        #[allow(unsafe_code, reason = "machine code is known by its address")]
        // SAFETY: every function that is added has the signature of `Function3`
        // (`translate::signature`).
        unsafe {
            std::mem::transmute::<*const u8, Function3>(code)
        }
    }
}

impl Drop for Maker {
    fn drop(&mut self) {
        #[allow(unsafe_code, reason = "the memory of the code is given back")]
        // SAFETY: the module is not used again. Functions are called only through tables, which
        // stand beside their maker in `Native` and are gone when it is.
        unsafe {
            ManuallyDrop::take(&mut self.module).free_memory();
        }
    }
}

//! The edges of a location to one function of machine code.
//!
//! Edges are tried in their order. The conditions of an edge are asked of the state as it is; only
//! when they hold (see [`Flow::split`]) is the state copied to the place of its next record, and the
//! rest of the code works on the copy. An edge that is done completes the record; one that turns out
//! impossible leaves it to the next.

use crate::flow::{Flow, Otherwise};
use crate::machine::{ALONE, ATOMIC, HEADER, LOCATION_SHIFT, PID_SHIFT, TAKER_SHIFT, offset};
use crate::value::Words;
use cranelift_codegen::ir::{
    AbiParam, Block, Function, InstBuilder, MemFlags, Signature, UserFuncName, Value, types,
};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext, Variable};
use cranelift_jit::JITModule;
use cranelift_module::Module;
use pverify_semantics::code::{Op, Register};
use pverify_semantics::program::Program;
use pverify_semantics::shape::{ChannelFrame, EdgeCode, EdgeKind, Range, Shape};
use std::ops;

/// The interpreter must do it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Unsupported;

/// What a function is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// All steps of the process.
    Step,
    /// The ways to take an offer on a rendezvous channel.
    Take,
}

/// What is translated.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Source<'a> {
    pub(crate) program: Program<'a>,
    pub(crate) shape: &'a Shape,
    pub(crate) pid: usize,
    pub(crate) location: u32,
    /// The edges.
    pub(crate) range: Range,
    pub(crate) purpose: Purpose,
}

/// A jump back in a `d_step` may be taken so often before the interpreter looks at it.
const MOST_ROUNDS: i64 = 1 << 16;

impl<'a> Source<'a> {
    /// The function; `None` if there is nothing to do.
    pub(crate) fn translate(
        self,
        building: &mut FunctionBuilderContext,
        module: &JITModule,
    ) -> Result<Option<Made>, Unsupported> {
        if u64::from(self.location) >> (u64::BITS - LOCATION_SHIFT) != 0 {
            return Err(Unsupported);
        }
        let edges = self.edges()?;
        if edges.is_empty() {
            return Ok(None);
        }
        let mut function =
            Function::with_name_signature(UserFuncName::default(), signature(module));
        let builder = FunctionBuilder::new(&mut function, building);
        let mut translator = Translator::new(self, builder, signature(module));
        for &(number, edge) in &edges {
            if let Err(unsupported) = translator.edge(number, edge) {
                drop(translator);
                // What was begun cannot be finished.
                *building = FunctionBuilderContext::new();
                return Err(unsupported);
            }
        }
        let listens = translator.finish();
        Ok(Some(Made { function, records: edges.len() as u32, listens }))
    }

    /// The edges that can be meant, with their numbers.
    fn edges(&self) -> Result<Vec<(u32, &'a EdgeCode)>, Unsupported> {
        let mut found = Vec::new();
        for number in self.range.first..self.range.last {
            let edge = &self.program.edges[number as usize];
            // Escapes make steps depend on others, which is for the interpreter.
            if edge.escape > 0 || edge.kind == EdgeKind::End {
                return Err(Unsupported);
            }
            let wanted = match self.purpose {
                Purpose::Step => !self.waits_for_offer(edge),
                Purpose::Take => edge.receives,
            };
            if wanted && self.purpose == Purpose::Take && (edge.channel == 0 || edge.d_step) {
                return Err(Unsupported);
            }
            if wanted {
                found.push((number, edge));
            }
        }
        Ok(found)
    }

    /// Whether an edge only ever takes offers.
    fn waits_for_offer(&self, edge: &EdgeCode) -> bool {
        let channel = usize::from(edge.channel).checked_sub(1);
        let frame = channel.and_then(|at| self.shape.channels.get(at));
        edge.receives && !edge.d_step && frame.is_some_and(|frame| frame.capacity == 0)
    }
}

/// What translating a location gives.
pub(crate) struct Made {
    pub(crate) function: Function,
    /// How many records it writes at most by itself.
    pub(crate) records: u32,
    /// Whether it asks who hears offers.
    pub(crate) listens: bool,
}

fn signature(module: &JITModule) -> Signature {
    let mut signature = module.make_signature();
    signature.params = vec![AbiParam::new(types::I64); 3];
    signature.returns = vec![AbiParam::new(types::I64)];
    signature
}

/// One function in the making.
pub(crate) struct Translator<'a, 'b> {
    pub(crate) builder: FunctionBuilder<'b>,
    signature: Signature,
    pub(crate) source: Source<'a>,
    pub(crate) frames: &'a [ChannelFrame],
    /// The channels that are the same in all shapes with this process.
    pub(crate) channels: [ops::Range<usize>; 2],
    pub(crate) context: Value,
    /// The state, and the copy that is changed.
    state: Value,
    copy: Option<Value>,
    /// Whether the code before the change is being translated.
    changing: bool,
    out: Variable,
    pub(crate) other: Variable,
    pub(crate) rounds: Variable,
    registers: Vec<Option<Variable>>,
    bail: Block,
    /// The edge that is being translated.
    pub(crate) edge: u32,
    target: u32,
    atomic: bool,
    /// The channel whose message was found.
    pub(crate) found: Option<&'a ChannelFrame>,
    /// Whether what comes next is not reached.
    ended: bool,
    /// Whether it was asked who hears offers.
    listens: bool,
}

impl<'a, 'b> Translator<'a, 'b> {
    fn new(source: Source<'a>, mut builder: FunctionBuilder<'b>, signature: Signature) -> Self {
        let start = builder.create_block();
        builder.append_block_params_for_function_params(start);
        builder.switch_to_block(start);
        let parameters = builder.block_params(start).to_vec();
        let out = builder.declare_var(types::I64);
        let other = builder.declare_var(types::I8);
        let rounds = builder.declare_var(types::I32);
        builder.def_var(out, parameters[1]);
        let zero = builder.ins().iconst(types::I8, 0);
        builder.def_var(other, zero);
        let bail = builder.create_block();
        let shape = source.shape;
        let brought = |id: &pverify_semantics::shape::InstanceId| {
            source.program.instances[id.0 as usize].channels.len()
        };
        let all: usize = shape.processes.iter().map(brought).sum();
        let globals = shape.channels.len() - all;
        let own = globals + shape.processes[..source.pid].iter().map(brought).sum::<usize>();
        let own = own..own + brought(&shape.processes[source.pid]);
        Self {
            builder,
            signature,
            source,
            frames: &shape.channels,
            channels: [0..globals, own],
            context: parameters[2],
            state: parameters[0],
            copy: None,
            changing: false,
            out,
            other,
            rounds,
            registers: vec![None; 256],
            bail,
            edge: 0,
            target: 0,
            atomic: false,
            found: None,
            ended: false,
            listens: false,
        }
    }

    /// Closes the function; whether it asks who hears offers.
    fn finish(mut self) -> bool {
        if !self.ended {
            let out = self.builder.use_var(self.out);
            self.builder.ins().return_(&[out]);
        }
        self.builder.switch_to_block(self.bail);
        let null = self.builder.ins().iconst(types::I64, 0);
        self.builder.ins().return_(&[null]);
        self.builder.seal_all_blocks();
        self.builder.finalize();
        self.listens
    }

    fn edge(&mut self, number: u32, edge: &EdgeCode) -> Result<(), Unsupported> {
        let program = self.source.program;
        let all = &program.code[edge.code as usize..];
        let length = all.iter().position(|op| *op == Op::Done).ok_or(Unsupported)? + 1;
        let code = &all[..length];
        self.edge = number;
        self.target = edge.target;
        self.atomic = edge.atomic;
        self.found = None;
        self.changing = false;
        self.copy = None;
        let next = self.builder.create_block();
        let result = self.body(edge, code, next);
        if !self.ended {
            self.builder.ins().jump(next, &[]);
        }
        self.builder.switch_to_block(next);
        self.ended = false;
        result
    }

    fn body(&mut self, edge: &EdgeCode, code: &[Op], next: Block) -> Result<(), Unsupported> {
        self.ended = false;
        if edge.kind == EdgeKind::Else {
            let other = self.builder.use_var(self.other);
            self.go_if(other, next);
        }
        self.quick_no(code, next);
        let flow = Flow::of(code, edge.code);
        let offers = self.offers(code)?;
        if offers && edge.d_step {
            return Err(Unsupported);
        }
        let zero = self.builder.ins().iconst(types::I32, MOST_ROUNDS);
        self.builder.def_var(self.rounds, zero);
        let copying = self.builder.create_block();
        let mut blocks = Vec::new();
        for at in 0..code.len() {
            blocks.push(flow.targets[at].then(|| self.builder.create_block()));
        }
        let place = |from: usize, to: usize| {
            if from < flow.split && to == flow.split {
                copying
            } else {
                blocks[to].unwrap_or(copying)
            }
        };
        for (at, op) in code.iter().enumerate() {
            if at == flow.split {
                if !self.ended {
                    self.builder.ins().jump(copying, &[]);
                }
                self.builder.switch_to_block(copying);
                self.ended = false;
                self.begin_copy(offers);
            }
            if let Some(block) = blocks[at] {
                if !self.ended {
                    self.builder.ins().jump(block, &[]);
                }
                self.builder.switch_to_block(block);
                self.ended = false;
            }
            if self.ended {
                continue;
            }
            if flow.otherwise[at] == Otherwise::Unreached {
                self.builder.ins().jump(next, &[]);
                self.end();
                continue;
            }
            let blocked = match flow.otherwise[at] {
                Otherwise::Option(to) => Some(place(at, to)),
                Otherwise::Unclear => None,
                _ => Some(next),
            };
            let jump = |address: u32| {
                let to = address.wrapping_sub(edge.code) as usize;
                (place(at, to), to <= at)
            };
            self.instruction(op, blocked, next, &jump)?;
        }
        Ok(())
    }

    /// An offer that nobody hears is not worth the trouble.
    fn quick_no(&mut self, code: &[Op], next: Block) {
        let [.., Op::Send { channel, .. }, Op::Done] = code else { return };
        let Ok((number, frame)) = self.frame(*channel) else { return };
        let plain = code.iter().all(|op| {
            matches!(
                op,
                Op::Constant { .. }
                    | Op::Load { .. }
                    | Op::GuardCompare { .. }
                    | Op::Send { .. }
                    | Op::Done
            )
        });
        if frame.capacity > 0 || !plain {
            return;
        }
        self.listens = true;
        let heard = self.load_context(offset::HEARD);
        let bit = pverify_semantics::shape::channel_bit(number);
        let heard = self.builder.ins().band_imm(heard, bit as i64);
        self.go_unless(heard, next);
    }

    /// Whether the code offers a message on a rendezvous channel.
    fn offers(&self, code: &[Op]) -> Result<bool, Unsupported> {
        let mut offers = false;
        for op in code {
            if let Op::Send { channel, .. } = op {
                offers |= self.frame(*channel)?.1.capacity == 0;
            }
        }
        Ok(offers)
    }

    /// Copies the state: to its record, or where the others look for the offer.
    fn begin_copy(&mut self, offers: bool) {
        let base = if offers {
            self.load_context(offset::SCRATCH)
        } else {
            let out = self.builder.use_var(self.out);
            self.builder.ins().iadd_imm(out, HEADER as i64 * 8)
        };
        let (from, to) = (self.state, base);
        let reading = MemFlags::trusted().with_readonly().with_can_move();
        for word in 0..self.source.shape.words as i32 {
            let value = self.builder.ins().load(types::I64, reading, from, word * 8);
            self.builder.ins().store(MemFlags::trusted(), value, to, word * 8);
        }
        self.copy = Some(base);
        self.changing = true;
    }

    /// The words to work on.
    pub(crate) fn words(&self) -> Words {
        match self.copy {
            Some(base) if self.changing => Words { base, constant: false },
            _ => Words { base: self.state, constant: true },
        }
    }

    /// The process moves on.
    pub(crate) fn arrive(&mut self) {
        let location = self.source.shape.seats[self.source.pid].location;
        let (keep, set) = location.patch(self.target as i32);
        let words = self.words();
        words.patch(&mut self.builder, u32::from(location.word), keep, set);
    }

    /// The step is done: the record is complete.
    pub(crate) fn done(&mut self, next: Block) {
        self.arrive();
        let out = self.builder.use_var(self.out);
        let flags = if self.atomic { ATOMIC } else { 0 };
        let (first, second) = match self.source.purpose {
            Purpose::Step => {
                let first = self.first_word();
                (self.builder.ins().iconst(types::I64, first as i64), ALONE | flags)
            }
            Purpose::Take => {
                let taker = (self.source.pid as u64) << TAKER_SHIFT;
                (self.load_context(offset::EDGE), u64::from(self.edge) | taker | flags)
            }
        };
        let second = self.builder.ins().iconst(types::I64, second as i64);
        self.builder.ins().store(MemFlags::trusted(), first, out, 0);
        self.builder.ins().store(MemFlags::trusted(), second, out, 8);
        let size = (HEADER + self.source.shape.words) as i64 * 8;
        let behind = self.builder.ins().iadd_imm(out, size);
        self.builder.def_var(self.out, behind);
        let yes = self.builder.ins().iconst(types::I8, 1);
        self.builder.def_var(self.other, yes);
        self.builder.ins().jump(next, &[]);
        self.end();
    }

    /// The first word of the records of this edge: who does it, from where.
    pub(crate) fn first_word(&self) -> u64 {
        let Source { pid, location, .. } = self.source;
        u64::from(self.edge) | (pid as u64) << PID_SHIFT | u64::from(location) << LOCATION_SHIFT
    }

    /// The builder, for what is translated elsewhere.
    pub(crate) fn b(&mut self) -> &mut FunctionBuilder<'b> {
        &mut self.builder
    }

    pub(crate) fn bail(&self) -> Block {
        self.bail
    }

    pub(crate) fn module_signature(&self) -> Signature {
        self.signature.clone()
    }

    pub(crate) fn out(&mut self) -> Value {
        self.builder.use_var(self.out)
    }

    pub(crate) fn set_out(&mut self, value: Value) {
        self.builder.def_var(self.out, value);
    }

    /// Another edge was possible if the condition holds.
    pub(crate) fn other_if(&mut self, condition: Value) {
        let other = self.builder.use_var(self.other);
        let either = self.builder.ins().bor(other, condition);
        self.builder.def_var(self.other, either);
    }

    pub(crate) fn load_context(&mut self, place: i32) -> Value {
        self.builder.ins().load(types::I64, MemFlags::trusted(), self.context, place)
    }

    /// Goes elsewhere if the condition is not zero.
    pub(crate) fn go_if(&mut self, condition: Value, block: Block) {
        let on = self.builder.create_block();
        self.builder.ins().brif(condition, block, &[], on, &[]);
        self.builder.switch_to_block(on);
    }

    /// Goes elsewhere if the condition is zero.
    pub(crate) fn go_unless(&mut self, condition: Value, block: Block) {
        let on = self.builder.create_block();
        self.builder.ins().brif(condition, on, &[], block, &[]);
        self.builder.switch_to_block(on);
    }

    pub(crate) fn register(&mut self, register: Register) -> Value {
        let variable = self.variable(register);
        self.builder.use_var(variable)
    }

    pub(crate) fn set_register(&mut self, register: Register, value: Value) {
        let variable = self.variable(register);
        self.builder.def_var(variable, value);
    }

    fn variable(&mut self, register: Register) -> Variable {
        match self.registers[usize::from(register)] {
            Some(variable) => variable,
            None => {
                let variable = self.builder.declare_var(types::I32);
                self.registers[usize::from(register)] = Some(variable);
                variable
            }
        }
    }

    /// What follows is not reached from here.
    pub(crate) fn unreachable(&mut self) {
        self.end();
    }

    pub(crate) fn end(&mut self) {
        self.ended = true;
    }
}

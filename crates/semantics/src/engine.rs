//! States, and everything that is needed to say what comes after one.

use crate::code::{Match, Op, REGISTERS};
use crate::compile;
use crate::events::Events;
use crate::fault::FaultKind;
use crate::guard::Guard;
use crate::registry::Registry;
use crate::shape::{
    ChannelFrame, EdgeCode, Gate, Instance, InstanceId, Range, Seat, Shape, ShapeId, Slot,
};
use ahash::AHashMap;
use pverify_model::channels;
use pverify_model::layout::{Allocator, Bits, Field};
use pverify_model::machine::{
    Action, ChannelShape, Expression, Model, ProcessId, ProcessKind, VariableId,
};
use pverify_model::ranges::{Interval, Ranges};
use pverify_model::walk;
use std::sync::Arc;

/// A shape number has this many bits in models that start processes while they run.
const SHAPE_BITS: u8 = 20;

/// A model, ready to run.
#[derive(Debug)]
pub struct Engine<'m> {
    /// The model.
    pub model: &'m Model,
    pub(crate) code: Vec<Op>,
    pub(crate) matches: Vec<Match>,
    /// The edges of all locations of all instances, by [`Range`].
    pub(crate) edges: Vec<EdgeCode>,
    /// One for each of them.
    pub(crate) gates: Vec<Gate>,
    pub(crate) guards: Vec<Guard>,
    pub(crate) ranges: Vec<Range>,
    /// Which of the edges have been executed; see [`crate::coverage`].
    pub(crate) executed: Vec<bool>,
    /// What other engines of the model have executed.
    pub(crate) elsewhere: Option<crate::coverage::Executed>,
    pub(crate) shapes: Vec<Shape>,
    pub(crate) instances: Vec<Instance>,
    known: AHashMap<(u32, u8, u32, u8), InstanceId>,
    pub(crate) registry: Arc<Registry>,
    /// What variables and messages can hold.
    variable_ranges: Arc<Ranges>,
    /// Words of hidden variables, in front of the state proper.
    pub hidden: usize,
    /// The number of the shape.
    pub(crate) shape_field: Field,
    /// `_last`, in models that use it.
    pub(crate) last: Option<Field>,
    pub(crate) events: Option<Events>,
    pub(crate) globals: Vec<Slot>,
    /// Channel variables that always hold the channel they start with.
    constant_channels: Vec<Vec<bool>>,
    pub(crate) uses_timeout: bool,
    pub(crate) registers: [i32; REGISTERS],
    pub(crate) run: crate::run::RunState,
    pub(crate) walk: crate::successors::Walk,
    initial: Vec<u64>,
    /// What is sent to channels without capacity, while somebody listens.
    pub(crate) sent: Option<Vec<crate::tail::Sent>>,
    /// What went wrong in the initial state.
    pub initial_faults: Vec<FaultKind>,
}

impl<'m> Engine<'m> {
    /// Compiles a model.
    pub fn new(model: &'m Model) -> Self {
        Self::with_ranges(model, Ranges::of(model))
    }

    /// Compiles a model for which these ranges are known; where they are not, types decide.
    pub fn with_ranges(model: &'m Model, ranges: Ranges) -> Self {
        Self::with(model, Arc::new(Registry::default()), Arc::new(ranges))
    }

    /// Another engine for the same model, which understands the states of this one.
    pub fn fork(&self) -> Self {
        let (registry, ranges) = (Arc::clone(&self.registry), Arc::clone(&self.variable_ranges));
        let mut fork = Self::with(self.model, registry, ranges);
        if self.listens() {
            fork.listen();
        }
        fork
    }

    fn with(model: &'m Model, registry: Arc<Registry>, ranges: Arc<Ranges>) -> Self {
        let mut engine = Self {
            model,
            code: Vec::new(),
            matches: Vec::new(),
            edges: Vec::new(),
            gates: Vec::new(),
            guards: Vec::new(),
            ranges: Vec::new(),
            executed: Vec::new(),
            elsewhere: None,
            shapes: Vec::new(),
            instances: Vec::new(),
            known: AHashMap::new(),
            registry,
            variable_ranges: ranges,
            hidden: 0,
            shape_field: Field::default(),
            last: None,
            events: None,
            globals: Vec::new(),
            constant_channels: channels::constant(model),
            uses_timeout: false,
            registers: [0; REGISTERS],
            run: crate::run::RunState::default(),
            walk: crate::successors::Walk::default(),
            initial: Vec::new(),
            sent: None,
            initial_faults: Vec::new(),
        };
        engine.find_timeouts();
        engine.lay_out_globals();
        engine.make_initial();
        engine
    }

    /// The initial state, hidden words included.
    pub fn initial(&self) -> &[u64] {
        &self.initial
    }

    /// The part of a state that tells it from others.
    pub fn visible<'w>(&self, words: &'w [u64]) -> &'w [u64] {
        &words[self.hidden..]
    }

    /// The shape of a state.
    pub fn shape_of(&self, words: &[u64]) -> ShapeId {
        ShapeId(self.shape_field.get(words) as u32)
    }

    /// A shape by its number.
    pub fn shape(&self, id: ShapeId) -> &Shape {
        &self.shapes[id.0 as usize]
    }

    /// A process by its number in a state.
    pub fn process(&self, words: &[u64], pid: usize) -> Option<&Instance> {
        let shape = &self.shapes[self.shape_field.get(words) as usize];
        shape.processes.get(pid).map(|id| &self.instances[id.0 as usize])
    }

    /// Where a global variable lies.
    pub fn global(&self, id: VariableId) -> &Slot {
        &self.globals[id.index()]
    }

    /// How many bits a state has, without the hidden words, by its first visible word.
    #[inline]
    pub fn bits(&mut self, first: u64) -> u32 {
        let shape = first & self.shape_field.bits.mask();
        if self.shapes.len() as u64 <= shape {
            self.catch_up(ShapeId(shape as u32));
        }
        self.shapes[shape as usize].end - self.hidden as u32 * 64
    }

    /// How many bits a state of a known shape has, without the hidden words.
    #[inline]
    pub(crate) fn bits_of(&self, words: &[u64]) -> u32 {
        self.shapes[self.shape_of(words).0 as usize].end - self.hidden as u32 * 64
    }

    /// The greatest number of bytes that a state has had so far.
    pub fn state_bytes(&self) -> usize {
        let bits = self.shapes.iter().map(|shape| shape.end as usize).max().unwrap_or(0);
        bits.div_ceil(8).saturating_sub(self.hidden * 8)
    }

    /// The shape after the youngest process is gone.
    pub(crate) fn parent(&self, shape: ShapeId) -> ShapeId {
        self.shapes[shape.0 as usize].parent.unwrap_or(shape)
    }

    /// The shape with one more process of a type.
    pub(crate) fn child(&mut self, shape: ShapeId, kind: u32) -> Result<ShapeId, FaultKind> {
        if let Some(child) = self.shapes[shape.0 as usize].children[kind as usize] {
            return Ok(child);
        }
        // What cannot be built is not registered.
        self.grown(shape, kind)?;
        let most = self.shape_field.bits.mask();
        let Some(number) = self.registry.number(shape.0, kind, most) else {
            return Err(FaultKind::Limit("different sets of processes"));
        };
        let child = ShapeId(number);
        self.catch_up(child);
        Ok(child)
    }

    /// Builds the shapes that other engines have met, up to this one.
    pub(crate) fn catch_up(&mut self, id: ShapeId) {
        while self.shapes.len() <= id.0 as usize {
            let next = self.shapes.len() as u32;
            let Some((parent, kind)) = self.registry.made_of(next) else { break };
            let Ok(shape) = self.grown(ShapeId(parent), kind) else { break };
            self.shapes.push(shape);
            self.shapes[parent as usize].children[kind as usize] = Some(ShapeId(next));
        }
    }

    /// Builds all shapes that any engine of the model has met.
    pub fn catch_up_with_all(&mut self) {
        self.catch_up(ShapeId(u32::MAX));
    }

    /// A shape with one more process.
    pub(crate) fn extended(&mut self, shape: ShapeId, kind: u32) -> Result<Shape, FaultKind> {
        let parent = &self.shapes[shape.0 as usize];
        let (pid, base, channels) = (parent.processes.len(), parent.end, parent.channels.len());
        if pid >= 255 {
            return Err(FaultKind::TooManyProcesses);
        }
        let instance = self.instance(kind, pid as u8, base, channels)?;
        let compiled = &self.instances[instance.0 as usize];
        let (end, new) = (compiled.end, compiled.channels.clone());
        if end.div_ceil(64) > u32::from(u16::MAX) {
            return Err(FaultKind::Limit("words in a state"));
        }
        let seat = Seat {
            location: compiled.location,
            kind,
            ranges: compiled.ranges,
            conditional: compiled.provided.is_some() || compiled.priority.is_some(),
            deterministic: self.model.processes[kind as usize].deterministic,
        };
        let parent = &self.shapes[shape.0 as usize];
        let channels = [parent.channels.as_slice(), &new].concat();
        if channels.len() > 255 {
            return Err(FaultKind::TooManyChannels);
        }
        Ok(Shape {
            processes: [parent.processes.as_slice(), &[instance]].concat(),
            seats: [parent.seats.as_slice(), &[seat]].concat(),
            channels,
            words: end.div_ceil(64) as usize,
            tail: 0,
            end,
            parent: Some(shape),
            children: vec![None; self.model.processes.len() + 1],
        })
    }

    /// A process at a place of the layout; compiled when it is first met.
    fn instance(
        &mut self,
        kind: u32,
        pid: u8,
        base: u32,
        channels: usize,
    ) -> Result<InstanceId, FaultKind> {
        let key = (kind, pid, base, channels as u8);
        if let Some(&id) = self.known.get(&key) {
            return Ok(id);
        }
        let process = &self.model.processes[kind as usize];
        let mut allocator = Allocator::new(&self.model.structs, base);
        let places = process.graph.locations.len().max(2) as u32;
        let location = allocator.field(Bits::for_values_up_to(places - 1));
        let priority = self.model.uses.priorities.then(|| allocator.field(Bits::unsigned(8)));
        let constant = &self.constant_channels[kind as usize + 1];
        let numbered = channels::numbered(self.model, &process.locals, channels);
        let mut locals = Vec::new();
        for (at, variable) in process.locals.iter().enumerate() {
            locals.push(if constant[at] {
                let first = numbered.first[at].min(255) as u8;
                Slot::Channels { first, length: variable.length.unwrap_or(1) }
            } else {
                let ranges = self.variable_ranges.local(ProcessId(kind), VariableId(at as u32));
                let mut ranges = ranges.iter().copied();
                Slot::Stored(allocator.variable(variable.kind, variable.length, &mut ranges))
            });
        }
        let mut frames = Vec::new();
        for (at, shape) in numbered.shapes.into_iter().enumerate() {
            let ranges = self.variable_ranges.local_channel(ProcessId(kind), at);
            frames.push(channel_frame(&mut allocator, shape, ranges));
        }
        let end = allocator.next;
        let id = InstanceId(self.instances.len() as u32);
        self.instances.push(Instance {
            kind,
            pid,
            location,
            priority,
            locals,
            channels: frames,
            end,
            ranges: 0,
            provided: None,
            start: 0,
        });
        self.known.insert(key, id);
        compile::instance(self, id, channels)?;
        Ok(id)
    }

    fn lay_out_globals(&mut self) {
        let structs = &self.model.structs;
        let mut hidden = Allocator::new(structs, 0);
        let mut slots: Vec<Option<Slot>> = Vec::new();
        for variable in &self.model.globals {
            let is_hidden = variable.visibility == Some(pverify_syntax::ast::Visibility::Hidden);
            slots.push(is_hidden.then(|| {
                let mut unknown = std::iter::empty();
                Slot::Stored(hidden.variable(variable.kind, variable.length, &mut unknown))
            }));
        }
        self.hidden = hidden.next.div_ceil(64) as usize;
        let mut allocator = Allocator::new(structs, self.hidden as u32 * 64);
        self.shape_field = allocator.field(self.shape_bits());
        self.last = self.model.uses.last.then(|| allocator.field(Bits::unsigned(8)));
        let event_field = Events::room(self.model, &mut allocator);
        let numbered = channels::numbered(self.model, &self.model.globals, 0);
        for (at, variable) in self.model.globals.iter().enumerate() {
            if slots[at].is_some() {
                continue;
            }
            slots[at] = Some(if self.constant_channels[0][at] {
                let first = numbered.first[at].min(255) as u8;
                Slot::Channels { first, length: variable.length.unwrap_or(1) }
            } else {
                let ranges = self.variable_ranges.global(VariableId(at as u32));
                let mut ranges = ranges.iter().copied();
                Slot::Stored(allocator.variable(variable.kind, variable.length, &mut ranges))
            });
        }
        self.globals = slots.into_iter().flatten().collect();
        self.events = event_field.and_then(|field| Events::new(self.model, &self.globals, field));
        let shapes = numbered.shapes.into_iter().enumerate();
        let frames: Vec<ChannelFrame> = shapes
            .map(|(at, shape)| {
                let ranges = self.variable_ranges.global_channel(at);
                channel_frame(&mut allocator, shape, ranges)
            })
            .collect();
        self.shapes.push(Shape {
            processes: Vec::new(),
            seats: Vec::new(),
            channels: frames,
            words: allocator.next.div_ceil(64) as usize,
            tail: 0,
            end: allocator.next,
            parent: None,
            children: vec![None; self.model.processes.len() + 1],
        });
    }

    /// Models that start no processes while they run have one shape for each number of those that
    /// still live.
    fn shape_bits(&self) -> Bits {
        // A channel without capacity gives a state a tail, whose length is part of its shape.
        let mut runs = crate::tail::has_tail(self.model);
        let mut active = 0;
        for process in &self.model.processes {
            active += process.active;
            for edge in process.graph.locations.iter().flat_map(|location| &location.edges) {
                walk::action_expressions(&edge.action, &mut |expression| {
                    runs |= matches!(expression, Expression::Run { .. });
                });
            }
        }
        if runs { Bits::unsigned(SHAPE_BITS) } else { Bits::for_values_up_to(active.max(1)) }
    }

    fn find_timeouts(&mut self) {
        for process in &self.model.processes {
            for edge in process.graph.locations.iter().flat_map(|location| &location.edges) {
                self.uses_timeout |= mentions_timeout(&edge.action);
            }
            if let Some(provided) = &process.provided {
                walk::expressions(provided, &mut |e| {
                    self.uses_timeout |= *e == Expression::Timeout;
                });
            }
        }
    }

    fn make_initial(&mut self) {
        let mut words = vec![0u64; self.shapes[0].words];
        let mut faults = Vec::new();
        let start = compile::globals(self);
        if let Err(fault) = start.and_then(|start| self.start_globals(start, &mut words)) {
            faults.push(fault);
        }
        for kind in 0..self.model.processes.len() {
            let process = &self.model.processes[kind];
            if !matches!(process.kind, ProcessKind::Proctype | ProcessKind::Init) {
                continue;
            }
            for _ in 0..process.active {
                if let Err(fault) = self.start_process(kind as u32, &mut words, process.priority) {
                    faults.push(fault);
                }
            }
        }
        self.initial = words;
        self.initial_faults = faults;
    }
}

/// Room for a channel.
fn channel_frame(
    allocator: &mut Allocator<'_>,
    shape: &ChannelShape,
    ranges: &[Interval],
) -> ChannelFrame {
    let capacity = shape.capacity;
    let mut offset = Allocator::new(&[], 0);
    let mut parts = Vec::new();
    for (at, &kind) in shape.fields.iter().enumerate() {
        let range = ranges.get(at).copied().unwrap_or(Interval::of(kind));
        let bits = Bits::for_range(kind, range);
        // No bits at all lie at the start, where there is a word of the state for sure.
        let start = if bits.count() == 0 { 0 } else { offset.take(bits.count()) };
        parts.push((start, bits, kind));
    }
    let size = offset.next.max(1);
    if capacity == 0 {
        return ChannelFrame {
            capacity,
            length: Field::default(),
            base: 0,
            stride: size,
            fields: parts,
        };
    }
    let length = allocator.field(Bits::for_values_up_to(capacity.min(ChannelShape::MOST)));
    if capacity == ChannelShape::UNBOUNDED {
        let stride = pverify_model::layout::stride(size);
        return ChannelFrame { capacity, length, base: 0, stride, fields: parts };
    }
    let (base, stride) = allocator.block(size, capacity);
    ChannelFrame { capacity, length, base, stride, fields: parts }
}

fn mentions_timeout(action: &Action) -> bool {
    let mut found = false;
    walk::action_expressions(action, &mut |e| found |= *e == Expression::Timeout);
    found
}

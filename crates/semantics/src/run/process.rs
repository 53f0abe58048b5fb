//! Processes: starting them, and what one can know of another.

use super::Outcome;
use crate::code::{NO_REGISTER, Register};
use crate::engine::Engine;
use crate::fault::FaultKind;
use crate::shape::{EdgeKind, Instance, InstanceId, Range, ShapeId, Slot};
use pverify_model::layout::{Element, Field};

impl Engine<'_> {
    /// Starts a process with values for its parameters; gives its number.
    pub(super) fn start(
        &mut self,
        kind: u32,
        arguments: &[i32],
        priority: u8,
        words: &mut Vec<u64>,
    ) -> Result<i32, FaultKind> {
        let tail = self.detach(words);
        let child = self.child(ShapeId(self.run.shape), kind)?;
        let shape = &self.shapes[child.0 as usize];
        let pid = shape.processes.len() - 1;
        words.resize(shape.words, 0);
        self.shape_field.set(words, child.0 as i32);
        let instance = &self.instances[shape.processes[pid].0 as usize];
        let start = instance.start;
        instance.location.set(words, 0);
        if let Some(field) = instance.priority {
            field.set(words, i32::from(priority));
        }
        self.run.shape = child.0;
        self.attach(&tail, words)?;
        let saved = self.registers;
        self.registers[..arguments.len()].copy_from_slice(arguments);
        let outcome = self.execute(start, words);
        self.registers = saved;
        match outcome {
            Outcome::Done => Ok(pid as i32),
            _ => Err(self.run.faults.pop().unwrap_or(FaultKind::TooManyProcesses)),
        }
    }

    /// Starts a process that runs from the beginning.
    pub(crate) fn start_process(
        &mut self,
        kind: u32,
        words: &mut Vec<u64>,
        priority: u8,
    ) -> Result<(), FaultKind> {
        let shape = self.shape_of(words);
        self.begin(shape);
        // Its parameters, which nobody gives it, are zero.
        self.registers.fill(0);
        self.start(kind, &[], priority, words)?;
        Ok(())
    }

    /// A living process by its number.
    fn living(&self, pid: i32) -> Option<&Instance> {
        let shape = &self.shapes[self.run.shape as usize];
        let id = shape.processes.get(usize::try_from(pid).ok()?)?;
        Some(&self.instances[id.0 as usize])
    }

    pub(super) fn priority(&self, pid: i32, words: &[u64]) -> i32 {
        self.living(pid).and_then(|process| process.priority).map_or(0, |field| field.get(words))
    }

    pub(super) fn set_priority(
        &mut self,
        pid: i32,
        priority: i32,
        words: &mut [u64],
    ) -> Result<(), FaultKind> {
        let Some(process) = self.living(pid) else { return Ok(()) };
        if !(1..=255).contains(&priority) {
            return Err(FaultKind::BadPriority(priority));
        }
        if let Some(field) = process.priority {
            field.set(words, priority);
        }
        Ok(())
    }

    pub(super) fn pc_value(&self, pid: i32, words: &[u64]) -> i32 {
        let Some(process) = self.living(pid) else { return 0 };
        let graph = &self.model.processes[process.kind as usize].graph;
        graph.locations[process.location.get(words) as usize].number as i32
    }

    pub(super) fn any_progress(&self, words: &[u64]) -> bool {
        let shape = &self.shapes[self.run.shape as usize];
        shape.processes.iter().any(|id| {
            let process = &self.instances[id.0 as usize];
            let graph = &self.model.processes[process.kind as usize].graph;
            graph.locations[process.location.get(words) as usize].progress
        })
    }

    /// The process a remote reference means: by number, or the first of its type.
    fn referred(&self, register: Register, kind: u32) -> Option<&Instance> {
        if register != NO_REGISTER {
            return self.living(self.registers[register as usize]);
        }
        let shape = &self.shapes[self.run.shape as usize];
        let processes = shape.processes.iter().map(|id| &self.instances[id.0 as usize]);
        processes.into_iter().find(|process| process.kind == kind)
    }

    pub(super) fn stands_at(
        &self,
        register: Register,
        kind: u32,
        location: u32,
        words: &[u64],
    ) -> bool {
        self.referred(register, kind).is_some_and(|process| {
            process.kind == kind && process.location.get(words) as u32 == location
        })
    }

    pub(super) fn remote(
        &self,
        register: Register,
        kind: u32,
        variable: u32,
        index: Register,
        words: &[u64],
    ) -> Result<i32, FaultKind> {
        let process = self.referred(register, kind).filter(|process| process.kind == kind);
        let Some(process) = process else {
            let pid = if register == NO_REGISTER { -1 } else { self.get(register) };
            return Err(FaultKind::NoProcess(pid));
        };
        let index = if index == NO_REGISTER { 0 } else { self.get(index) };
        match &process.locals[variable as usize] {
            Slot::Channels { first, .. } => Ok(i32::from(*first) + index),
            Slot::Stored(storage) => {
                let length = storage.length;
                if index < 0 || index as u32 >= length {
                    return Err(FaultKind::ArrayIndex { index, length });
                }
                match storage.element {
                    Element::Scalar(bits) => {
                        let at = storage.base + index as u32 * storage.stride;
                        Ok(Field::at(at, bits).get(words))
                    }
                    Element::Constant(value) => Ok(value),
                    Element::Structure(_) => Ok(0),
                }
            }
        }
    }

    /// `provided` and priorities.
    pub(crate) fn may_move(
        &mut self,
        words: &[u64],
        shape: ShapeId,
        id: InstanceId,
        pid: usize,
    ) -> bool {
        let process = &self.instances[id.0 as usize];
        let (provided, priority) = (process.provided, process.priority);
        if provided.is_none() && priority.is_none() {
            return true;
        }
        if !self.is_provided(words, shape, id) {
            return false;
        }
        let Some(own) = priority.map(|field| field.get(words)) else { return true };
        self.begin(shape);
        let count = self.shapes[shape.0 as usize].processes.len();
        for other in (0..count).filter(|&other| other != pid) {
            let id = self.shapes[shape.0 as usize].processes[other];
            let higher = self.instances[id.0 as usize].priority;
            let higher = higher.is_some_and(|field| field.get(words) > own);
            let higher = higher && self.is_provided(words, shape, id);
            self.begin(shape);
            if higher && self.enabled(other as i32, words) {
                return false;
            }
        }
        true
    }

    /// Whether the `provided` clause of a process holds.
    fn is_provided(&mut self, words: &[u64], shape: ShapeId, id: InstanceId) -> bool {
        let Some(code) = self.instances[id.0 as usize].provided else { return true };
        let mut copy = words.to_vec();
        self.begin(shape);
        let offer = std::mem::take(&mut self.run.offer);
        let outcome = self.execute(code, &mut copy);
        self.run.offer = offer;
        outcome == Outcome::Done
    }

    /// Whether a process has a step that it could do now, alone.
    pub(crate) fn enabled(&mut self, pid: i32, words: &[u64]) -> bool {
        // Processes may ask about each other in a circle, to which there is no answer.
        const DEEPEST: u32 = 16;
        if self.run.asking >= DEEPEST {
            return false;
        }
        let Some(process) = self.living(pid) else { return false };
        let location = process.location.get(words) as u32;
        let Range { first, last, .. } = self.ranges[(process.ranges + location) as usize];
        let youngest = self.shapes[self.run.shape as usize].processes.len() as i32 - 1;
        let registers = self.registers;
        let (shape, other) = (self.run.shape, self.run.other_possible);
        let faults = self.run.faults.len();
        let mut possible = false;
        self.run.other_possible = false;
        self.run.asking += 1;
        for at in first..last {
            let edge = self.edges[at as usize];
            let outcome = match edge.kind {
                EdgeKind::End if pid != youngest => Outcome::Blocked,
                _ => {
                    let mut copy = words.to_vec();
                    self.execute(edge.code, &mut copy)
                }
            };
            self.run.shape = shape;
            self.run.offer = 0;
            self.run.fatal = false;
            if outcome != Outcome::Blocked {
                possible = true;
                break;
            }
        }
        self.run.asking -= 1;
        self.run.faults.truncate(faults);
        self.run.other_possible = other;
        self.registers = registers;
        possible
    }
}

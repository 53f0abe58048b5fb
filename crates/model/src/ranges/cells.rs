//! Cells: what the analysis keeps one interval for.
//!
//! A cell is a scalar variable, a scalar field of a structure, or all elements of an array together;
//! for each process type also what its parameters are given, and for each channel each field of its
//! messages. Their numbers are dense, so that a table of intervals is a vector.

use crate::channels::{Numbered, numbered};
use crate::machine::{ChannelShape, Initial, Model, Owner, Place, Variable};
use crate::types::Type;
use pverify_syntax::ast::Visibility;
use std::ops::Range;

/// Models with more cells than this are not analysed.
const MOST: usize = 1 << 20;

/// The number of a cell.
pub(super) type Cell = u32;

/// A channel, as one declaration makes it.
#[derive(Debug)]
pub(super) struct Channel<'m> {
    pub(super) shape: &'m ChannelShape,
    /// The cell of its first field; the others follow.
    pub(super) first: Cell,
}

/// The cells of a model.
#[derive(Debug)]
pub(super) struct Cells<'m> {
    model: &'m Model,
    /// The type of what each cell holds.
    pub(super) kinds: Vec<Type>,
    /// Whether something can be known of a cell at a place of the control: it is one number, and
    /// stored in every state.
    pub(super) single: Vec<bool>,
    /// How many cells a structure has.
    leaves: Vec<usize>,
    globals: Vec<Cell>,
    locals: Vec<Vec<Cell>>,
    /// By process type: the cells of what parameters are given lie so far behind those of the
    /// parameters themselves.
    arguments: Vec<Cell>,
    /// First the global ones by their numbers, then those of each process type.
    pub(super) channels: Vec<Channel<'m>>,
    /// The channels of each process type among them.
    local_channels: Vec<Range<usize>>,
    /// The numbers of the channels of global variables, and of those of each process type, which
    /// count from 1 here.
    numbers: Vec<Numbered<'m>>,
}

impl<'m> Cells<'m> {
    /// Numbers the cells; `None` if there are too many of them.
    pub(super) fn new(model: &'m Model) -> Option<Self> {
        let mut leaves: Vec<usize> = Vec::new();
        for structure in &model.structs {
            let fields = structure.fields.iter().map(|field| count(&leaves, field.kind));
            let total = fields.fold(0usize, usize::saturating_add);
            leaves.push(total);
        }
        let variables = model.processes.iter().flat_map(|process| &process.locals);
        let total = variables.chain(&model.globals).map(|variable| count(&leaves, variable.kind));
        if total.fold(0usize, usize::saturating_add) > MOST {
            return None;
        }
        let mut cells = Self {
            model,
            kinds: Vec::new(),
            single: Vec::new(),
            leaves,
            globals: Vec::new(),
            locals: Vec::new(),
            arguments: Vec::new(),
            channels: Vec::new(),
            local_channels: Vec::new(),
            numbers: Vec::new(),
        };
        cells.globals = cells.variables(&model.globals);
        cells.channels_of(&model.globals);
        for process in &model.processes {
            let locals = cells.variables(&process.locals);
            cells.arguments.push(cells.kinds.len() as Cell - locals[0]);
            cells.variables(&process.locals[..process.parameters as usize]);
            cells.locals.push(locals);
            let channels = cells.channels_of(&process.locals);
            cells.local_channels.push(channels);
        }
        (cells.kinds.len() <= MOST).then_some(cells)
    }

    /// The cells of some variables: where each begins, and where the last ends.
    fn variables(&mut self, variables: &[Variable]) -> Vec<Cell> {
        let mut starts = vec![self.kinds.len() as Cell];
        for variable in variables {
            let stored = variable.visibility != Some(Visibility::Hidden);
            self.leaf(variable, stored);
            starts.push(self.kinds.len() as Cell);
        }
        starts
    }

    fn leaf(&mut self, variable: &Variable, single: bool) {
        let single = single && variable.length.is_none();
        match variable.kind {
            Type::Struct(id) => {
                let model = self.model;
                for field in &model.structs[id.index()].fields {
                    self.leaf(field, single);
                }
            }
            kind => {
                self.kinds.push(kind.in_array(variable.length.is_some()));
                self.single.push(single);
            }
        }
    }

    fn channels_of(&mut self, variables: &'m [Variable]) -> Range<usize> {
        let numbers = numbered(self.model, variables, 0);
        let begin = self.channels.len();
        for &shape in &numbers.shapes {
            self.channels.push(Channel { shape, first: self.kinds.len() as Cell });
            self.kinds.extend_from_slice(&shape.fields);
            self.single.resize(self.kinds.len(), false);
        }
        self.numbers.push(numbers);
        begin..self.channels.len()
    }

    /// How many channels are global.
    pub(super) fn global_channels(&self) -> usize {
        self.numbers[0].shapes.len()
    }

    /// The channels of a process type.
    pub(super) fn local_channels(&self, process: usize) -> Range<usize> {
        self.local_channels[process].clone()
    }

    /// The channels that a variable starts with; without a process it is a global one.
    pub(super) fn own_channels(&self, process: Option<usize>, variable: usize) -> Range<usize> {
        let numbers = &self.numbers[process.map_or(0, |process| process + 1)];
        let before = process.map_or(0, |process| self.local_channels[process].start);
        let first = before + numbers.first[variable] - 1;
        let variable = match process {
            Some(process) => &self.model.processes[process].locals[variable],
            None => &self.model.globals[variable],
        };
        match (&variable.initial, variable.kind) {
            (Initial::Channel(_), _) => first..first + variable.length.unwrap_or(1) as usize,
            // Which of them are whose is not worth knowing.
            _ => before..before + numbers.shapes.len(),
        }
    }

    /// The cells of a variable; without a process it is a global one.
    pub(super) fn of(&self, process: Option<usize>, variable: usize) -> Range<Cell> {
        let starts = process.map_or(&self.globals, |process| &self.locals[process]);
        starts[variable]..starts[variable + 1]
    }

    /// The cells of all variables of the model, or of a process type.
    pub(super) fn all_of(&self, process: Option<usize>) -> Range<Cell> {
        let starts = process.map_or(&self.globals, |process| &self.locals[process]);
        starts[0]..starts[starts.len() - 1]
    }

    /// Whether a cell belongs to a global variable.
    pub(super) fn is_global(&self, cell: Cell) -> bool {
        self.all_of(None).contains(&cell)
    }

    /// The global variable that a cell belongs to.
    pub(super) fn global_of(&self, cell: Cell) -> usize {
        self.globals.partition_point(|&start| start <= cell).saturating_sub(1)
    }

    /// The cell of a place in a process.
    pub(super) fn at(&self, process: Option<usize>, place: &Place) -> Cell {
        let (starts, variables) = match (place.owner, process) {
            (Owner::Local, Some(process)) => {
                (&self.locals[process], &self.model.processes[process].locals)
            }
            _ => (&self.globals, &self.model.globals),
        };
        let mut cell = starts[place.variable.index()];
        let mut kind = variables[place.variable.index()].kind;
        for step in &place.fields {
            let Type::Struct(id) = kind else { break };
            let fields = &self.model.structs[id.index()].fields;
            let before = fields[..step.field as usize].iter();
            cell += before.map(|field| count(&self.leaves, field.kind) as Cell).sum::<Cell>();
            kind = fields[step.field as usize].kind;
        }
        cell
    }

    /// The cells of the parameters of a process type.
    pub(super) fn all_parameters(&self, process: usize) -> Range<Cell> {
        let starts = &self.locals[process];
        starts[0]..starts[self.model.processes[process].parameters as usize]
    }

    /// The cell of what a parameter is given, by the cell of the parameter.
    pub(super) fn argument(&self, process: usize, parameter: Cell) -> Cell {
        parameter + self.arguments[process]
    }

    /// The cells that the values of a `run` go to, in their order: an array in a structure takes
    /// one for each of its elements.
    pub(super) fn parameters(&self, process: usize, values: usize) -> Vec<Cell> {
        let mut found = Vec::new();
        let parameters = self.model.processes[process].parameters as usize;
        for variable in 0..parameters {
            let first = self.of(Some(process), variable).start;
            let declared = &self.model.processes[process].locals[variable];
            self.parameter(declared, first, values, &mut found);
        }
        found
    }

    fn parameter(&self, variable: &Variable, first: Cell, most: usize, found: &mut Vec<Cell>) {
        for _ in 0..variable.length.unwrap_or(1) {
            if found.len() >= most {
                return;
            }
            match variable.kind {
                Type::Struct(id) => {
                    let mut cell = first;
                    for field in &self.model.structs[id.index()].fields {
                        self.parameter(field, cell, most, found);
                        cell += count(&self.leaves, field.kind) as Cell;
                    }
                }
                _ => found.push(first),
            }
        }
    }
}

fn count(leaves: &[usize], kind: Type) -> usize {
    match kind {
        Type::Struct(id) => leaves.get(id.index()).copied().unwrap_or(0),
        _ => 1,
    }
}

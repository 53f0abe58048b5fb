//! Variables, elements and fields: from a place in the model to bits of the state.

use super::Compiler;
use crate::code::{Op, Register};
use crate::fault::FaultKind;
use crate::shape::Slot;
use pverify_model::layout::{Bits, Element, Field, Storage};
use pverify_model::machine::{Expression, Place};

/// What a place comes down to.
#[derive(Clone, Copy, Debug)]
pub(super) enum Target {
    /// Always the same bits.
    Field(Field),
    /// Bits at an address that a register holds.
    At(Register, Bits),
    /// A channel that is never assigned, by its number.
    Channel(i32),
    /// One of an array of such channels: the register holds its number.
    ChannelIn(Register),
    /// A number that is always the same.
    Constant(i32),
}

impl Compiler<'_, '_> {
    /// The bits of a place that needs no calculation.
    pub(super) fn fixed(&mut self, place: &Place) -> Result<Option<Field>, FaultKind> {
        let constant = |index: &Option<Box<Expression>>| {
            matches!(index.as_deref(), None | Some(Expression::Constant(..)))
        };
        if !constant(&place.index) || !place.fields.iter().all(|step| constant(&step.index)) {
            return Ok(None);
        }
        match self.target(place)? {
            Target::Field(field) => Ok(Some(field)),
            _ => Ok(None),
        }
    }

    /// Finds the bits of a place; indices that are not constant become instructions.
    pub(super) fn target(&mut self, place: &Place) -> Result<Target, FaultKind> {
        let mut storage: Storage = match self.place_slot(place) {
            Slot::Channels { first, length } => return self.channel_target(place, first, length),
            Slot::Stored(storage) => storage,
        };
        let mut fixed = 0u32;
        let mut address: Option<Register> = None;
        let mut index = place.index.as_deref();
        let mut fields = place.fields.iter();
        loop {
            fixed += storage.base;
            match index {
                None => {}
                Some(&Expression::Constant(value, _))
                    if value >= 0 && (value as u32) < storage.length =>
                {
                    fixed += value as u32 * storage.stride;
                }
                Some(index) => {
                    let address = match address {
                        Some(address) => address,
                        None => {
                            let register = self.register()?;
                            self.emit(Op::Constant { to: register, value: 0 });
                            *address.insert(register)
                        }
                    };
                    let keep = self.used;
                    let index = self.expression(index)?;
                    let (stride, length) = (storage.stride, storage.length);
                    self.emit(Op::Index { address, index, stride, length });
                    self.used = keep;
                }
            }
            match storage.element {
                Element::Scalar(bits) => {
                    return Ok(match address {
                        None => Target::Field(Field::at(fixed, bits)),
                        Some(address) => {
                            let keep = self.used;
                            let base = self.register()?;
                            self.emit(Op::Constant { to: base, value: fixed as i32 });
                            self.emit(Op::Binary {
                                operator: pverify_syntax::ast::BinaryOperator::Add,
                                to: address,
                                left: address,
                                right: base,
                            });
                            self.used = keep;
                            Target::At(address, bits)
                        }
                    });
                }
                // Its indices are looked at all the same: one may be outside.
                Element::Constant(value) => return Ok(Target::Constant(value)),
                Element::Structure(mut parts) => match fields.next() {
                    Some(step) => {
                        storage = parts.swap_remove(step.field as usize);
                        index = step.index.as_deref();
                    }
                    None => return Err(FaultKind::Limit("fields of a structure")),
                },
            }
        }
    }

    /// The number that a place without indices always holds.
    pub(super) fn always(&self, place: &Place) -> Option<i32> {
        let Slot::Stored(storage) = self.slot(place.owner, place.variable) else { return None };
        let indices = place.fields.iter().map(|step| &step.index).chain([&place.index]);
        if indices.into_iter().any(Option::is_some) {
            return None;
        }
        let (mut storage, mut fields) = (storage, place.fields.iter());
        loop {
            match &storage.element {
                Element::Constant(value) => return Some(*value),
                Element::Scalar(_) => return None,
                Element::Structure(parts) => {
                    storage = parts.get(fields.next()?.field as usize)?;
                }
            }
        }
    }

    fn channel_target(
        &mut self,
        place: &Place,
        first: u8,
        length: u32,
    ) -> Result<Target, FaultKind> {
        match place.index.as_deref() {
            None => Ok(Target::Channel(i32::from(first))),
            Some(&Expression::Constant(value, _)) if value >= 0 && (value as u32) < length => {
                Ok(Target::Channel(i32::from(first) + value))
            }
            Some(index) => {
                let address = self.register()?;
                self.emit(Op::Constant { to: address, value: i32::from(first) });
                let keep = self.used;
                let index = self.expression(index)?;
                self.emit(Op::Index { address, index, stride: 1, length });
                self.used = keep;
                Ok(Target::ChannelIn(address))
            }
        }
    }

    /// The value of a place, in a register.
    pub(super) fn load(&mut self, place: &Place) -> Result<Register, FaultKind> {
        let to = self.register()?;
        match self.target(place)? {
            Target::Field(field) => self.emit(Op::Load { to, field }),
            Target::At(address, bits) => self.emit(Op::LoadAt { to, address, bits }),
            Target::Channel(value) | Target::Constant(value) => {
                self.emit(Op::Constant { to, value });
            }
            Target::ChannelIn(register) => self.copy(to, register)?,
        }
        self.used = usize::from(to) + 1;
        Ok(to)
    }

    fn copy(&mut self, to: Register, from: Register) -> Result<(), FaultKind> {
        let keep = self.used;
        let zero = self.register()?;
        self.emit(Op::Constant { to: zero, value: 0 });
        let operator = pverify_syntax::ast::BinaryOperator::Add;
        self.emit(Op::Binary { operator, to, left: from, right: zero });
        self.used = keep;
        Ok(())
    }

    /// Stores a register in a field.
    pub(super) fn store_field(&mut self, field: Field, from: Register) {
        self.emit(if field.bits.is_narrowed() {
            Op::StoreNarrow { field, from }
        } else {
            Op::Store { field, from }
        });
    }

    /// Stores a constant in a field; one that does not fit is left to be found at run time, because
    /// control may never get there.
    pub(super) fn store_constant(&mut self, field: Field, value: i32) -> Result<(), FaultKind> {
        if !field.bits.is_narrowed() || field.bits.hold(value) {
            self.emit(Op::StoreConstant { field, value });
            return Ok(());
        }
        let keep = self.used;
        let from = self.register()?;
        self.emit(Op::Constant { to: from, value });
        self.emit(Op::StoreNarrow { field, from });
        self.used = keep;
        Ok(())
    }

    /// Stores a register in a place.
    pub(super) fn store(&mut self, place: &Place, from: Register) -> Result<(), FaultKind> {
        let keep = self.used;
        match self.target(place)? {
            Target::Field(field) => self.store_field(field, from),
            Target::At(address, bits) if bits.is_narrowed() => {
                self.emit(Op::StoreNarrowAt { address, from, bits });
            }
            Target::At(address, bits) => self.emit(Op::StoreAt { address, from, bits }),
            Target::Constant(value) => self.emit(Op::Expect { from, value }),
            Target::Channel(_) | Target::ChannelIn(_) => {
                return Err(FaultKind::Limit("room for a channel that is never assigned"));
            }
        }
        self.used = keep;
        Ok(())
    }
}

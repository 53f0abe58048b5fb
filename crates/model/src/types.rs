//! The types of Promela: their ranges, structures, and the `mtype` constants.

use crate::machine::{StructId, Variable};
use ahash::AHashMap;
use pverify_syntax::source::Span;
use pverify_syntax::token::Name;

/// The type of a variable, field or message part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// `bit`, `bool`
    Bit,
    /// `byte`, `pid`
    Byte,
    /// `short`
    Short,
    /// `int`
    Int,
    /// `unsigned : n`
    Unsigned(u8),
    /// `mtype`, by its subtype (0 is the one without a name)
    Mtype(u32),
    /// `chan`
    Chan,
    /// A `typedef`
    Struct(StructId),
}

impl Type {
    /// The value that a variable of this type holds after it is given `value`.
    pub const fn truncate(self, value: i32) -> i32 {
        match self {
            Self::Bit => value & 1,
            Self::Byte | Self::Mtype(_) | Self::Chan => value & 0xff,
            Self::Short => value as i16 as i32,
            Self::Int | Self::Struct(_) => value,
            Self::Unsigned(bits) => value & ((1 << bits) - 1),
        }
    }

    /// The type of an element of an array of it: SPIN keeps an array of bits as bytes, and does not
    /// cut what is stored there to one bit.
    pub fn in_array(self, array: bool) -> Self {
        if array && self == Self::Bit { Self::Byte } else { self }
    }

    /// Its name as a person writes it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bit => "bit",
            Self::Byte => "byte",
            Self::Short => "short",
            Self::Int => "int",
            Self::Unsigned(_) => "unsigned",
            Self::Mtype(_) => "mtype",
            Self::Chan => "chan",
            Self::Struct(_) => "typedef",
        }
    }
}

/// A `typedef`.
#[derive(Clone, Debug)]
pub struct Struct {
    /// Its name.
    pub name: Name,
    /// Its fields.
    pub fields: Vec<Variable>,
    /// Where it is declared.
    pub span: Span,
}

/// All `mtype` constants. Within a subtype the last declared of a list gets the smallest number:
/// SPIN numbers `mtype = { a, b, c }` as a = 3, b = 2, c = 1, and a later list goes on above.
#[derive(Clone, Debug, Default)]
pub struct Mtypes {
    /// The subtypes' names; the first is the one without a name.
    pub subtypes: Vec<Option<Name>>,
    constants: AHashMap<Name, Mtype>,
    totals: Vec<i32>,
}

/// An `mtype` constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mtype {
    /// Its subtype.
    pub subtype: u32,
    /// Its number.
    pub value: i32,
    /// Where it is declared.
    pub span: Span,
}

impl Mtypes {
    /// The number of a subtype, which is made if it is new.
    pub fn subtype(&mut self, name: Option<&Name>) -> u32 {
        if self.subtypes.is_empty() {
            self.subtypes.push(None);
            self.totals.push(0);
        }
        let at = self.subtypes.iter().position(|known| known.as_ref() == name);
        at.unwrap_or_else(|| {
            self.subtypes.push(name.cloned());
            self.totals.push(0);
            self.subtypes.len() - 1
        }) as u32
    }

    /// Adds one list of constants; gives those that were declared before.
    pub fn declare(&mut self, subtype: u32, names: &[(Name, Span)]) -> Vec<(usize, Mtype)> {
        let mut known = Vec::new();
        for (at, (name, span)) in names.iter().enumerate() {
            let value = self.totals[subtype as usize] + (names.len() - at) as i32;
            if let Some(&before) = self.constants.get(name) {
                known.push((at, before));
            } else {
                self.constants.insert(name.clone(), Mtype { subtype, value, span: *span });
            }
        }
        self.totals[subtype as usize] += names.len() as i32;
        known
    }

    /// How many constants a subtype has.
    pub fn count(&self, subtype: u32) -> i32 {
        self.totals.get(subtype as usize).copied().unwrap_or(0)
    }

    /// The constant of this name.
    pub fn get(&self, name: &str) -> Option<Mtype> {
        self.constants.get(name).copied()
    }

    /// The name of a value of a subtype.
    pub fn name(&self, subtype: u32, value: i32) -> Option<&Name> {
        self.constants
            .iter()
            .find(|(_, constant)| constant.subtype == subtype && constant.value == value)
            .map(|(name, _)| name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_counts_down_and_the_next_goes_on_above() {
        let mut mtypes = Mtypes::default();
        let names = |text: &str| -> Vec<(Name, Span)> {
            text.chars().map(|c| (c.to_string().into(), Span::default())).collect()
        };
        let plain = mtypes.subtype(None);
        assert!(mtypes.declare(plain, &names("abc")).is_empty());
        assert!(mtypes.declare(plain, &names("de")).is_empty());
        let values: Vec<_> = ["a", "b", "c", "d", "e"]
            .iter()
            .filter_map(|n| mtypes.get(n))
            .map(|m| m.value)
            .collect();
        assert_eq!(values, [3, 2, 1, 5, 4]);
        assert_eq!(mtypes.declare(plain, &names("a")).len(), 1);
    }

    #[test]
    fn storing_truncates_like_c() {
        assert_eq!(Type::Bit.truncate(3), 1);
        assert_eq!(Type::Byte.truncate(257), 1);
        assert_eq!(Type::Short.truncate(0x18000), -32768);
        assert_eq!(Type::Unsigned(3).truncate(9), 1);
    }
}

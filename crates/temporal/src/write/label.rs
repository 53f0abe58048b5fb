//! The label of an edge as a boolean expression over the names of its atoms.

use crate::automaton::Automaton;
use crate::boolean::Function;
use crate::cubes::cubes;

/// How the operators are spelt.
pub(super) struct Spelling {
    pub(super) and: &'static str,
    pub(super) or: &'static str,
    pub(super) always: &'static str,
    pub(super) never: &'static str,
    /// Brackets round every product and every atom that is not a plain name.
    pub(super) brackets: bool,
}

/// A label with the names of atoms; none if it would be too long.
pub(super) fn label(
    automaton: &Automaton,
    function: &Function,
    spelling: &Spelling,
) -> Option<String> {
    let products = cubes(&automaton.space, function)?;
    if products.is_empty() {
        return Some(spelling.never.to_owned());
    }
    let names = automaton.vocabulary.names();
    let several = products.len() > 1;
    let texts: Vec<String> = products
        .into_iter()
        .map(|cube| {
            if cube.is_empty() {
                return spelling.always.to_owned();
            }
            let literal = |&(atom, value): &(usize, bool)| {
                let name = names.get(atom).map_or("", String::as_str);
                let plain = name.chars().all(|one| one.is_ascii_alphanumeric() || one == '_');
                let sign = if value { "" } else { "!" };
                if plain || !spelling.brackets {
                    format!("{sign}{name}")
                } else {
                    format!("{sign}({name})")
                }
            };
            let product = cube.iter().map(literal).collect::<Vec<_>>().join(spelling.and);
            let bracket = spelling.brackets && several && cube.len() > 1;
            if bracket { format!("({product})") } else { product }
        })
        .collect();
    Some(texts.join(spelling.or))
}

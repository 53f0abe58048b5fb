//! Tree to machines: names are resolved, types checked, and every process becomes a control graph.
//!
//! The promise of this crate: a model that it accepts without an error has the locations, edges
//! and numbers that `spin -a -o1 -o2 -o3` gives it, and one that SPIN cannot run is not accepted.
//!
//! In reading order:
//!
//! 1. [`machine`]: the result, a model as machines
//! 2. [`types`]: ranges, structures, `mtype` constants; [`layout`]: bits and words
//! 3. `lower`: the tree is read in the order of the text
//! 4. `control`: statements become control graphs, by SPIN's own stages
//! 5. [`describe`]: statements in words, as people know them
//! 6. `lint`: warnings before any search
//! 7. [`mod@load`]: from a file to its machines; [`machines`]: from the formats of communicating machines;
//!    [`transitions`]: from a labelled transition system
//! 8. [`channels`]: their numbers; [`lift`]: their capacities; [`ranges`]: what variables and messages can ever hold
//! 9. [`codes`]: what can be wrong

pub mod channels;
pub mod codes;
mod control;
pub mod describe;
pub mod layout;
pub mod lift;
mod lint;
pub mod load;
mod lower;
pub mod machine;
pub mod machines;
pub mod ranges;
pub mod transitions;
pub mod types;
pub mod walk;

pub use lower::lower;

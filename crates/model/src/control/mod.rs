//! From statements to control graphs, by the way SPIN goes, because its numbers are our oracle.
//!
//! SPIN turns a body into *elements* (one for each statement, plus joints for choices, loops and
//! `unless`) linked in sequences, numbers them in the order its parser finishes them, then makes a
//! table of transitions out of them and folds away what is no step. We follow the same three
//! stages, so that locations, edges, their order and their numbers are those of `./pan -d`:
//!
//! 1. [`flow`]: elements and sequences, labels, escapes, atomic marks
//! 2. [`table`]: a transition table with one row an element
//! 3. [`fold`]: choices flattened, guards pulled up, escapes put in front
//!
//! [`block`] gives the inside of a `d_step`, which SPIN compiles into one step, [`guards`] what it
//! asks before it takes that step, and [`written`] whether SPIN can write it as C.

pub(crate) mod block;
pub(crate) mod flow;
pub(crate) mod fold;
pub(crate) mod guards;
pub(crate) mod jumps;
mod marks;
pub(crate) mod table;
mod written;

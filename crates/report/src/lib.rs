//! What pverify found, as text and as JSON; nothing else in the project serialises.
//!
//! Everything here turns data into a `String`; `cli` decides where it is written. In reading
//! order:
//!
//! 1. [`diagnostics`]: what is wrong with a model, drawn with excerpts of its text
//! 2. [`declarations`]: what a model declares, in a few lines
//! 3. [`graph`]: control graphs for Graphviz, as JSON, as `.aut`
//! 4. [`trace`]: a run, step by step; [`trace_file`] and [`trail`]: in a file, in our form and SPIN's
//! 5. [`coverage`]: what was never executed
//! 6. [`answers`]: a line for each property that was checked
//! 7. [`channels`]: a line for each channel; [`plot`]: their lengths by depth
//! 8. [`automaton`]: automata and the classes of formulas
//! 9. [`json`]: the one object that `--format json` prints

pub mod answers;
pub mod automaton;
pub mod channels;
pub mod coverage;
pub mod declarations;
pub mod diagnostics;
mod excerpt;
pub mod graph;
pub mod json;
mod order;
pub mod plot;
pub mod trace;
pub mod trace_file;
pub mod trail;

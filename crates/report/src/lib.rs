//! What pverify found, as text and as JSON; nothing else in the project serialises.
//!
//! Everything here turns data into a `String`; `cli` decides where it is written. In reading
//! order:
//!
//! 1. [`diagnostics`]: what is wrong with a model, drawn with excerpts of its text
//! 2. [`declarations`]: what a model declares, in a few lines
//! 3. [`graph`]: control graphs for Graphviz, as JSON, as `.aut`; [`state_graph`]: those of all states
//! 4. [`trace`]: a run, step by step; [`trace_file`] and [`trail`]: in a file, in our form and SPIN's
//!    `remedy`: what can be done about it
//! 5. [`chart`]: a run as a message sequence chart; [`page`]: all answers as a page for a browser
//! 6. [`coverage`]: what was never executed
//! 7. [`answers`]: a line for each property that was checked; [`paint`]: its colours on a terminal
//! 8. [`channels`]: a line for each channel; [`plot`]: their lengths by depth; [`capacities`]: how
//!    large they must be
//! 9. [`comparison`]: the run that tells two models apart
//! 10. [`automaton`]: automata and the classes of formulas
//! 11. [`kinds`]: what verdicts and faults mean, for `pverify explain`
//! 12. [`json`]: the one object that `--format json` prints; [`junit`]: answers as XML; [`sarif`]: for code scanners;
//!     [`expectations`]: what models promise beside what was found

pub mod answers;
pub mod automaton;
pub mod capacities;
pub mod channels;
pub mod chart;
pub mod comparison;
pub mod coverage;
pub mod declarations;
pub mod diagnostics;
mod escape;
mod excerpt;
pub mod expectations;
pub mod graph;
pub mod json;
pub mod junit;
pub mod kinds;
mod order;
pub mod page;
pub mod paint;
pub mod plot;
mod remedy;
pub mod sarif;
pub mod state_graph;
pub mod trace;
pub mod trace_file;
pub mod trail;

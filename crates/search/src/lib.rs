//! Searches through the states of a system.
//!
//! In reading order: [`system`], what can be searched; [`hooks`], what a check fills in; [`control`]
//! and [`way`], what a search is told and what it tells; `stack`, `hidden`, `ancestry` and
//! `own_path`, what a worker holds; `batch`, the next states of a state; `pool`, what workers share;
//! `base`, what every worker has; [`depth_first`], the search with replacement; [`partial`], the one
//! for cycles in which nothing accepts; [`breadth_first`]; [`companion`], [`marked`] and [`product`],
//! automata beside a system; [`random_graph`], systems for experiments.

mod ancestry;
mod base;
mod batch;
pub mod breadth_first;
pub mod companion;
pub mod control;
mod couvreur;
pub mod depth_first;
pub mod emptiness;
mod hidden;
pub mod hooks;
mod lasso;
pub mod marked;
mod offspring;
mod own_path;
pub mod partial;
mod partition;
mod pool;
pub mod product;
pub mod random_graph;
mod sharing;
mod stack;
pub mod system;
pub mod way;

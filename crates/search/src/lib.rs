//! Searches through the states of a system.
//!
//! In reading order: [`system`], what can be searched; [`hooks`], what a check fills in; [`control`]
//! and [`way`], what a search is told and what it tells; `stack`, `hidden`, `ancestry`, `own_path`
//! and `holding`, what a worker holds; `batch`, the next states of a state; `pool`, what workers share;
//! `base`, what every worker has; [`depth_first`], the search with replacement; [`breadth_first`];
//! [`snapshot`], a search written down; [`random_graph`], systems for experiments.

mod ancestry;
mod base;
mod batch;
pub mod breadth_first;
pub mod control;
pub mod depth_first;
mod hidden;
mod holding;
pub mod hooks;
mod own_path;
mod pool;
pub mod random_graph;
pub mod snapshot;
mod stack;
pub mod system;
pub mod way;

//! Searches through the states of a system.
//!
//! In reading order: [`system`], what can be searched; [`hooks`], what a check fills in; [`control`]
//! and [`way`], what a search is told and what it tells; `stack`, `hidden`, `ancestry`, `own_path`
//! and `holding`, what a worker holds; `batch`, the next states of a state; `pool`, what workers share;
//! `base`, what every worker has; [`depth_first`], the search with replacement; [`partial`], the one
//! for cycles in which nothing accepts; [`breadth_first`]; [`snapshot`], a search written down;
//! [`random_graph`], systems for experiments.
//!
//! For infinite runs: [`marked`], systems with acceptance; [`companion`], what watches a model, and
//! [`product`], both as one system; [`emptiness`], the search for accepting runs, by one thread
//! (`couvreur`) or several (`sharing`, over `partition`); [`nested`], the same for stores of bits;
//! `lasso`, short runs; `offspring`, the steps from a state; `unrest`, which lets tests meet rare orders of events.
//!
//! For two systems side by side: [`game`], challenges and answers; [`related`], whether each has one.

mod ancestry;
mod base;
mod batch;
pub mod breadth_first;
pub mod companion;
pub mod control;
mod couvreur;
pub mod depth_first;
pub mod emptiness;
pub mod game;
mod hidden;
mod holding;
pub mod hooks;
mod lasso;
pub mod marked;
pub mod nested;
mod offspring;
mod own_path;
pub mod partial;
mod partition;
mod pool;
pub mod product;
pub mod random_graph;
pub mod related;
mod sharing;
pub mod snapshot;
mod stack;
pub mod system;
mod unrest;
pub mod way;

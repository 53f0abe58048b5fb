//! Searches through the states of a system.
//!
//! In reading order: [`system`], what can be searched; [`control`], what a search is told and
//! what it tells; `stack`, `hidden` and `ancestry`, what a worker holds; `batch`, the next states of
//! a state; `pool`, what workers share; [`depth_first`], the search with replacement;
//! [`breadth_first`]; [`random_graph`], systems for experiments.
//!
//! For infinite runs: [`marked`], systems with acceptance; [`companion`], what watches a model, and
//! [`product`], both as one system; [`emptiness`], the search for accepting runs, by one thread
//! (`couvreur`) or several (`sharing`, over `partition`); `lasso`, short runs; `offspring`, the steps
//! from a state.

mod ancestry;
mod batch;
pub mod breadth_first;
pub mod companion;
pub mod control;
mod couvreur;
pub mod depth_first;
pub mod emptiness;
mod hidden;
mod lasso;
pub mod marked;
mod offspring;
mod partition;
mod pool;
pub mod product;
pub mod random_graph;
mod sharing;
mod stack;
pub mod system;

//! Searches through the states of a system.
//!
//! In reading order: [`system`], what can be searched; [`control`], what a search is told and
//! what it tells; [`depth_first`]; [`breadth_first`].

pub mod breadth_first;
pub mod control;
pub mod depth_first;
pub mod system;

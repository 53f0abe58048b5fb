//! The options that several commands share, by heading.

pub(crate) mod channels;
pub(crate) mod charts;
pub(crate) mod checkpoints;
pub(crate) mod limits;
pub(crate) mod output;
pub(crate) mod reading;
pub(crate) mod search;
pub(crate) mod values;

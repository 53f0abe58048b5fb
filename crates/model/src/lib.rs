//! Tree to machines: names, types, control graphs and channels.

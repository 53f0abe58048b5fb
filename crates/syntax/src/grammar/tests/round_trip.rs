//! Random trees survive being printed and read.

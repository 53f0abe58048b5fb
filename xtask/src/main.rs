//! Every chore of the project, one subcommand each.

fn main() {}

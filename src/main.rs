//! The command line of pverify: flags in, verdicts out.

fn main() {}

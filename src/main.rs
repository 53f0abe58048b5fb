//! The program `pverify`; everything it does is in `crates/cli`.

use std::process::ExitCode;

fn main() -> ExitCode {
    pverify_cli::main()
}

//! The program from outside: what it prints and what it tells the shell.

#[test]
fn transcripts() {
    trycmd::TestCases::new().case("tests/cli/*.trycmd").case("tests/cli/*.toml");
}

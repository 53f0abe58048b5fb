//! Any bytes through the whole front end: it may complain, it must come back.
//!
//! `cargo fuzz run --fuzz-dir tests/fuzz front_end --sanitizer none` works with the stable toolchain too; without
//! cargo-fuzz there is `cargo xtask fuzz`.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    pverify_model::load::load_text(bytes);
});

//! Every kind of diagnostic of this crate, with the text `pverify explain` shows.
//!
//! Numbers are never reused: 00xx files and characters, 01xx preprocessor, 02xx inlines,
//! 03xx grammar, 04xx embedded C and other things outside the language. (1xxx belong to `model`.)

use crate::diagnostic::Code;

/// Declares codes as statics and collects them in [`ALL`].
macro_rules! codes {
    ($($name:ident = $id:literal, $title:literal, $explanation:literal;)*) => {
        $(#[doc = $title] pub static $name: Code = Code { id: $id, title: $title, explanation: $explanation };)*
        /// Every code of this crate, by number.
        pub static ALL: &[&Code] = &[$(&$name),*];
    };
}

codes! {
    UNEXPECTED_TOKEN = "E0301", "unexpected word or sign",
        "The text does not fit the grammar of Promela at this place. The message names what was \
         found and what could stand there instead.";
}

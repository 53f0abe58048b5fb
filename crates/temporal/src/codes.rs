//! Every kind of diagnostic of this crate, with the text `pverify explain` shows.
//!
//! Numbers are never reused: E12xx errors.

use pverify_syntax::diagnostic::Code;

/// Declares codes as statics and collects them in [`ALL`].
macro_rules! codes {
    ($($name:ident = $id:literal, $title:literal, $explanation:literal;)*) => {
        $(#[doc = $title] pub static $name: Code =
            Code { id: $id, title: $title, explanation: $explanation };)*
        /// Every code of this crate, by number.
        pub static ALL: &[&Code] = &[$(&$name),*];
    };
}

codes! {
    FORMULA = "E1201", "a formula that cannot be read",
        "A formula has operands (names, expressions in double quotes, true, false) and operators: in signs
`! && || -> <-> [] <> X U V W M`, or in words `not and or implies equivalent always eventually next until
release weakuntil strongrelease`. A word that begins with `F`, `G` or `X` begins with that operator, so that
`GFp` is `[]<>p`; put a name of that kind in quotes.

    [] x > 1                    // which part of this is the proposition?
    [] \"x > 1\"                  // now it is plain";
    AUTOMATON_FORM = "E1202", "a text that is no automaton in the Hanoi format",
        "The text has not the form that version 1 of the Hanoi Omega-Automata format describes
(https://adl.github.io/hoaf): headers, `--BODY--`, states with their edges, `--END--`.

    HOA: v1
    States: 1
    Start: 0
    AP: 1 \"p\"
    Acceptance: 1 Inf(0)
    --BODY--
    State: 0
    [0] 0 {0}
    [!0] 0
    --END--";
    AUTOMATON_MEANING = "E1203", "an automaton that contradicts itself or is not read",
        "The text has the right form, but its parts contradict each other (an edge to a state that is not there,
an alias that nobody defines), or it means what pverify does not read. It reads automata whose acceptance
is a conjunction of `Inf(n)`, which is Büchi or generalized Büchi acceptance, without alternation and with
at most 64 acceptance sets. Tools such as autfilt turn other automata into such ones.";
}

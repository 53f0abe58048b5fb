//! The pumping test on the contents of one channel (Jard, Jéron, Fernandez & Mounier 1993, §4.3).
//!
//! Steps w lead from a state where a channel holds x to one where it holds y, and send the word i to
//! it on the way. If control and variables are the same before and after, w can be repeated for ever
//! as far as this channel goes if and only if y = x·t, and t is empty or i is a prefix of t·t·t···.
//!
//! Why: what w receives is the same each time. The channel is a stream x·i·i·i···, of which each round
//! reads |i| - |t| messages. After one round it holds x·t; that the second round can read what the
//! first one read, and leaves x·t·t, and so on, says that the stream is x·t·t·t···, and so is i. (What
//! is printed, that the word *taken out* is a prefix, is wrong both ways.)

/// What a channel gains in each round; `None` if the steps cannot be repeated for ever.
pub fn growth<'y, M: PartialEq>(before: &[M], sent: &[M], after: &'y [M]) -> Option<&'y [M]> {
    let gained = after.strip_prefix(before)?;
    let repeats = || sent.iter().zip(gained.iter().cycle()).all(|(sent, gained)| sent == gained);
    (gained.is_empty() || repeats()).then_some(gained)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_round_gains() {
        let check = |before: &str, sent: &str, after: &str, expected: Option<&str>| {
            let found = growth(before.as_bytes(), sent.as_bytes(), after.as_bytes());
            assert_eq!(found, expected.map(str::as_bytes), "{before} {sent} {after}");
        };
        check("", "a", "a", Some("a"));
        check("a", "", "a", Some(""));
        check("a", "ab", "aab", Some("ab"));
        check("a", "ab", "ba", None); // What was there is gone.
        check("b", "abab", "bab", Some("ab"));
        check("", "oc", "c", None); // The next round would meet c first.
        check("ab", "c", "bc", None);
        check("ab", "ab", "ab", Some(""));
    }
}

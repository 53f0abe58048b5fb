//! Random trees survive being printed and read.

use super::{parse, trees};
use crate::print;
use proptest::prelude::*;

proptest! {
    // proptest prints the seed of a failure, and the smallest tree that fails.
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..Default::default() })]

    #[test]
    fn printing_and_reading_gives_the_same_tree(program in trees::program()) {
        let text = print::program(&program);
        let (again, diagnostics) = parse(&text);
        prop_assert!(diagnostics.is_empty(), "{text}\n{diagnostics:#?}");
        prop_assert_eq!(program, again, "{}", text);
    }
}

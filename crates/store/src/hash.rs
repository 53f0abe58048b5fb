//! The hash of a state: one multiplication a word, folded.

/// Odd constants with well mixed bits.
const SEED: u64 = 0x9e37_79b9_7f4a_7c15;
const MIX: u64 = 0xd6e8_feb8_6659_fd93;

/// A hash whose high and low bits can both be used.
#[inline]
pub fn hash(words: &[u64]) -> u64 {
    let mut state = SEED ^ words.len() as u64;
    for &word in words {
        state = fold(state ^ word, MIX);
    }
    fold(state, SEED)
}

/// The two halves of a 128-bit product, folded into one.
#[inline]
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64 ^ a.rotate_left(23)
}

#[cfg(test)]
mod tests {
    use super::hash;

    #[test]
    fn neighbours_do_not_collide() {
        let mut seen = std::collections::HashSet::new();
        for a in 0..200u64 {
            for b in 0..200u64 {
                assert!(seen.insert(hash(&[a, b])), "{a} {b}");
            }
        }
        assert_ne!(hash(&[0]), hash(&[0, 0]));
    }
}

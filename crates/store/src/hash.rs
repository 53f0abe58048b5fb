//! The hash of a key: two rounds of shift and multiply, every bit of which can be used.

/// A permutation of the 64-bit numbers (the finaliser of MurmurHash3, with Stafford's constants).
#[inline]
pub(crate) fn hash(key: u64) -> u64 {
    let mut mixed = key;
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use super::hash;

    #[test]
    fn neighbours_spread() {
        // Of n neighbours about 63 % of n places are met, from either end of the bits.
        let bits = if cfg!(miri) { 8 } else { 16 };
        for shift in [0, 64 - bits] {
            let mut seen = vec![false; 1 << bits];
            for key in 0..1u64 << bits {
                seen[((hash(key) >> shift) & ((1 << bits) - 1)) as usize] = true;
            }
            let percent = (seen.iter().filter(|&&seen| seen).count() * 100) >> bits;
            assert!((58..68).contains(&percent), "{percent} %");
        }
    }
}

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
        // Of 2^16 neighbours about 63 % of 2^16 places are met, from either end of the bits.
        for shift in [0, 48] {
            let mut seen = std::collections::HashSet::new();
            (0..1u64 << 16).for_each(|key| {
                seen.insert((hash(key) >> shift) & 0xffff);
            });
            assert!((40_000..43_000).contains(&seen.len()), "{}", seen.len());
        }
    }
}

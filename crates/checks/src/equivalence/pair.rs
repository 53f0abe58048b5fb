//! Two states, or one, in one run of bits.
//!
//! In front stands how many bits there are in all, in the bits that must say so
//! ([`pverify_store::LENGTH_BITS`]). Each state follows with one bit that says whether it is inside a
//! path, its bits, its hidden words, and the word that says where inside it is.

use super::side::Side;
use pverify_store::LENGTH_BITS;

/// Writes a pair; how many bits it has.
pub(crate) fn write(sides: [&mut Side<'_>; 2], states: [&[u64]; 2], out: &mut Vec<u64>) -> u32 {
    let ([left, right], [a, b]) = (sides, states);
    write_all([(left, a), (right, b)], out)
}

/// Writes one state in the same way.
pub(crate) fn write_one(side: &mut Side<'_>, state: &[u64], out: &mut Vec<u64>) -> u32 {
    write_all([(side, state)], out)
}

fn write_all<const N: usize>(states: [(&mut Side<'_>, &[u64]); N], out: &mut Vec<u64>) -> u32 {
    out.clear();
    let mut writer = Writer { out, bits: 0 };
    writer.put(0, LENGTH_BITS);
    for (side, state) in states {
        let hidden = side.hidden();
        let bits = side.bits(state[hidden]);
        let inside = state.get(hidden + bits.div_ceil(64) as usize);
        writer.put(u64::from(inside.is_some()), 1);
        writer.put_all(&state[hidden..], bits);
        writer.put_all(&state[..hidden], hidden as u32 * 64);
        if let Some(&word) = inside {
            writer.put(word, 64);
        }
    }
    let bits = writer.bits;
    out[0] |= u64::from(bits.min((1 << LENGTH_BITS) - 1));
    bits
}

/// How many bits a pair has, by its first word.
pub(crate) fn bits(first: u64) -> u32 {
    (first & ((1 << LENGTH_BITS) - 1)) as u32
}

/// Reads a pair.
pub(crate) fn read(sides: [&mut Side<'_>; 2], words: &[u64], out: [&mut Vec<u64>; 2]) {
    let ([left, right], [a, b]) = (sides, out);
    read_all([(left, a), (right, b)], words);
}

/// Reads one state.
pub(crate) fn read_one(side: &mut Side<'_>, words: &[u64], out: &mut Vec<u64>) {
    read_all([(side, out)], words);
}

fn read_all<const N: usize>(states: [(&mut Side<'_>, &mut Vec<u64>); N], words: &[u64]) {
    let mut at = LENGTH_BITS;
    for (side, state) in states {
        let inside = take(words, at, 1) == 1;
        at += 1;
        let hidden = side.hidden();
        let bits = side.bits(take(words, at, 64));
        let behind = at + bits;
        state.clear();
        state.extend((0..hidden as u32).map(|number| take(words, behind + number * 64, 64)));
        for start in (0..bits).step_by(64) {
            state.push(take(words, at + start, (bits - start).min(64)));
        }
        at = behind + hidden as u32 * 64;
        if inside {
            state.push(take(words, at, 64));
            at += 64;
        }
    }
}

struct Writer<'o> {
    out: &'o mut Vec<u64>,
    bits: u32,
}

impl Writer<'_> {
    fn put_all(&mut self, words: &[u64], bits: u32) {
        for (at, &word) in words.iter().enumerate().take(bits.div_ceil(64) as usize) {
            self.put(word, (bits - at as u32 * 64).min(64));
        }
    }

    fn put(&mut self, word: u64, bits: u32) {
        let word = if bits < 64 { word & ((1 << bits) - 1) } else { word };
        let shift = self.bits % 64;
        if shift == 0 {
            self.out.push(word);
        } else if let Some(last) = self.out.last_mut() {
            *last |= word << shift;
            if shift + bits > 64 {
                self.out.push(word >> (64 - shift));
            }
        }
        self.bits += bits;
    }
}

/// Some bits, at most 64; those behind the last word are zero.
fn take(words: &[u64], at: u32, bits: u32) -> u64 {
    let (word, shift) = (at as usize / 64, at % 64);
    let get = |at: usize| words.get(at).copied().unwrap_or(0);
    let mut value = get(word) >> shift;
    if shift > 0 {
        value |= get(word + 1) << (64 - shift);
    }
    if bits < 64 { value & ((1 << bits) - 1) } else { value }
}

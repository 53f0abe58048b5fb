//! The states of a path, indexed by what of them a loop must come back to.
//!
//! Of each state there is its root in the store, a hash of control and variables, the lengths of its
//! channels as eight bytes, and where the state before with the same place in the index is. So the
//! states that a new one could pump with are found without a walk along the path, and all but few of
//! them are ruled out without a look at their channels.

use pverify_store::Root;

/// A state of the path.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub(super) root: Root,
    /// Of control and variables.
    pub(super) hash: u64,
    pub(super) lengths: Lengths,
    /// The state before at the same place of the index.
    same: u32,
}

/// The lengths of channels, eight to a number: several channels may share a byte, and no byte says
/// more than [`MOST`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Lengths(u64);

const MOST: u64 = 0x7f;
const HIGH: u64 = 0x8080_8080_8080_8080;
const ONES: u64 = 0x0101_0101_0101_0101;

impl Lengths {
    /// Enters the length of the next channel.
    #[inline]
    pub(super) fn add(&mut self, channel: usize, length: u32) {
        let shift = channel % 8 * 8;
        let sum = ((self.0 >> shift & MOST) + u64::from(length)).min(MOST);
        self.0 = self.0 & !(MOST << shift) | sum << shift;
    }

    /// Whether channels may have grown since then, and none is shorter for sure.
    #[inline]
    fn may_have_grown(self, since: Self) -> bool {
        let saturated = (self.0 + ONES) & HIGH != 0;
        (self.0 != since.0 || saturated) && ((self.0 | HIGH) - since.0) & HIGH == HIGH
    }
}

/// A path.
#[derive(Debug)]
pub(super) struct Trail {
    pub(super) frames: Vec<Frame>,
    heads: Vec<u32>,
    /// So many of the frames belong to the path that was handed over.
    pub(super) handed: usize,
}

const NONE: u32 = u32::MAX;
const FIRST: usize = 1 << 10;

/// So many states at the same place of the index are looked at.
const LOOKS: usize = 32;

impl Default for Trail {
    fn default() -> Self {
        Self { frames: Vec::new(), heads: vec![NONE; FIRST], handed: 0 }
    }
}

impl Trail {
    /// Goes on to a state.
    #[inline]
    pub(super) fn push(&mut self, root: Root, hash: u64, lengths: Lengths) {
        if self.frames.len() == self.heads.len() {
            self.grow();
        }
        let place = self.place(hash);
        let same = std::mem::replace(&mut self.heads[place], self.frames.len() as u32);
        self.frames.push(Frame { root, hash, lengths, same });
    }

    /// Goes back from the last state.
    #[inline]
    pub(super) fn pop(&mut self) {
        if let Some(frame) = self.frames.pop() {
            let place = self.place(frame.hash);
            self.heads[place] = frame.same;
        }
    }

    pub(super) fn clear(&mut self) {
        while !self.frames.is_empty() {
            self.pop();
        }
        self.handed = 0;
    }

    /// The next state before one that the last could pump with, as far as this can be told.
    #[inline]
    pub(super) fn before(&self, at: usize, looks: &mut Looks) -> Option<usize> {
        let last = self.frames.last()?;
        let mut at = self.frames[at].same;
        while at != NONE && looks.0 > 0 {
            looks.0 -= 1;
            let frame = &self.frames[at as usize];
            if frame.hash == last.hash && last.lengths.may_have_grown(frame.lengths) {
                return Some(at as usize);
            }
            at = frame.same;
        }
        None
    }

    #[inline]
    fn place(&self, hash: u64) -> usize {
        (hash >> 32) as usize & (self.heads.len() - 1)
    }

    #[cold]
    fn grow(&mut self) {
        self.heads = vec![NONE; self.heads.len() * 4];
        for at in 0..self.frames.len() {
            let place = self.place(self.frames[at].hash);
            self.frames[at].same = std::mem::replace(&mut self.heads[place], at as u32);
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.frames.capacity() * size_of::<Frame>() + self.heads.len() * 4
    }
}

/// How many looks at earlier states are left.
pub(super) struct Looks(usize);

impl Default for Looks {
    fn default() -> Self {
        Self(LOOKS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_compared() {
        let of = |all: &[u32]| {
            let mut lengths = Lengths::default();
            all.iter().enumerate().for_each(|(channel, &length)| lengths.add(channel, length));
            lengths
        };
        let check = |then: &[u32], now: &[u32], expected: bool| {
            assert_eq!(of(now).may_have_grown(of(then)), expected, "{then:?} {now:?}");
        };
        check(&[0, 0], &[0, 0], false);
        check(&[0, 3], &[1, 3], true);
        check(&[1, 3], &[2, 2], false);
        check(&[0; 12], &[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7], true);
        // What cannot be told may be.
        check(&[300, 1], &[400, 1], true);
        check(&[300, 2], &[400, 1], false);
    }

    #[test]
    fn states_like_the_last_are_found() {
        let mut trail = Trail::default();
        let mut one = Lengths::default();
        one.add(0, 1);
        for at in 0..5000_u64 {
            trail.push(Root::from_bits(at), at << 32, Lengths::default());
        }
        for _ in 0..1500 {
            trail.pop();
        }
        trail.push(Root::from_bits(7), 3 << 32, one);
        let found = trail.before(3500, &mut Looks::default());
        assert_eq!(found, Some(3));
        trail.pop();
        trail.push(Root::from_bits(7), 3600 << 32, one);
        assert_eq!(trail.before(3500, &mut Looks::default()), None);
    }
}

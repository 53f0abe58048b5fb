//! A way through states, kept small: of each state only what differs from the one before.
//!
//! A counterexample may have millions of states; written out in words it would take more memory
//! than the search that found it. Here a step takes a few bytes.

/// States one behind the other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Way {
    /// For each state how many words it has; for each word that differs how many do not before it,
    /// and the difference; then [`END`]. In blocks: one large run would be copied when it grows.
    blocks: Vec<Vec<u8>>,
    last: Vec<u64>,
    length: u64,
}

/// Bytes of a block.
const BLOCK: usize = 1 << 16;
/// Behind the last word that differs; other places are written one higher.
const END: u64 = 0;

impl Way {
    /// How many states it has.
    pub fn len(&self) -> u64 {
        self.length
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// The last state.
    pub fn last(&self) -> Option<&[u64]> {
        (self.length > 0).then_some(&self.last)
    }

    /// The memory it takes, in bytes.
    pub fn bytes(&self) -> usize {
        self.blocks.iter().map(Vec::capacity).sum()
    }

    /// Goes on to a state.
    pub fn push(&mut self, state: &[u64]) {
        let mut block = match self.blocks.pop_if(|block| block.len() + state.len() * 20 < BLOCK) {
            Some(block) => block,
            None => Vec::with_capacity(BLOCK),
        };
        write(&mut block, state.len() as u64);
        let mut same = 0;
        for (at, &word) in state.iter().enumerate() {
            let difference = word ^ self.last.get(at).copied().unwrap_or(0);
            if difference == 0 {
                same += 1;
            } else {
                write(&mut block, same + 1);
                write(&mut block, difference);
                same = 0;
            }
        }
        write(&mut block, END);
        self.blocks.push(block);
        self.last.clear();
        self.last.extend_from_slice(state);
        self.length += 1;
    }

    /// The states, from the first on.
    pub fn states(&self) -> impl Iterator<Item = Vec<u64>> + '_ {
        let mut bytes = self.blocks.iter().flatten().copied();
        let mut state: Vec<u64> = Vec::new();
        (0..self.length).map(move |_| {
            state.resize(read(&mut bytes) as usize, 0);
            let mut at = 0;
            loop {
                match read(&mut bytes) {
                    END => break state.clone(),
                    place => {
                        at += place as usize - 1;
                        state[at] ^= read(&mut bytes);
                        at += 1;
                    }
                }
            }
        })
    }
}

impl<W: AsRef<[u64]>> FromIterator<W> for Way {
    fn from_iter<I: IntoIterator<Item = W>>(states: I) -> Self {
        let mut way = Self::default();
        states.into_iter().for_each(|state| way.push(state.as_ref()));
        way
    }
}

/// A number in as many bytes as it needs, seven bits each; the highest bit says that more come.
fn write(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn read(bytes: &mut impl Iterator<Item = u8>) -> u64 {
    let mut number = 0;
    for (at, byte) in bytes.enumerate() {
        number |= u64::from(byte & 0x7f) << (7 * at);
        if byte & 0x80 == 0 {
            break;
        }
    }
    number
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::rngs::StdRng;
    use rand::{RngExt, SeedableRng};

    #[test]
    fn a_way_gives_its_states_back() {
        for seed in 0..50 {
            let mut random = StdRng::seed_from_u64(seed);
            let mut states: Vec<Vec<u64>> = vec![vec![]];
            for _ in 0..random.random_range(0..2000) {
                let mut state = states[states.len() - 1].clone();
                state.resize(random.random_range(0..9), 0);
                for word in &mut state {
                    if random.random_range(0..3) == 0 {
                        *word ^= random.random::<u64>() >> random.random_range(0..64);
                    }
                }
                states.push(state);
            }
            let way: Way = states.iter().collect();
            assert!(way.states().eq(states.iter().cloned()), "seed {seed}");
            assert_eq!(way.len(), states.len() as u64, "seed {seed}");
            assert_eq!(way.last(), states.last().map(Vec::as_slice), "seed {seed}");
        }
    }

    #[test]
    fn neighbours_take_a_few_bytes() {
        let way: Way = (0..1_000_000u64).map(|at| [7, at << 20, 9]).collect();
        assert!(way.bytes() < 9_000_000, "{}", way.bytes());
    }
}

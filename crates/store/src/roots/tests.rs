//! The table of roots against a map: random operations, growing and shrinking.

use super::*;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use std::collections::HashMap;

/// A table, and what must be in it.
struct Pair {
    roots: Roots,
    map: HashMap<u64, (Standing, Colour)>,
    seed: u64,
    random: StdRng,
}

impl Pair {
    fn new(lines: usize, most: usize, seed: u64) -> Self {
        let random = StdRng::seed_from_u64(seed);
        Self { roots: Roots::new(lines, most), map: HashMap::new(), seed, random }
    }

    /// A root, of so many that there are.
    fn root(&mut self, of: u64) -> Root {
        Root::from_bits(hash(self.random.random_range(0..of)) | 1)
    }

    fn standing(&mut self) -> (Standing, Colour) {
        let standing = match self.random.random_range(0..10) {
            0 => Standing::Permanent,
            1..4 => Standing::Pinned,
            _ => Standing::Replaceable,
        };
        (standing, Colour(self.random.random_range(0..8)))
    }

    fn insert(&mut self, of: u64) {
        let (root, (standing, colour)) = (self.root(of), self.standing());
        let said = self.roots.insert(root, standing, colour);
        match self.map.get(&root.to_bits()) {
            Some(&(standing, colour)) => assert_eq!(said, Insert::Known(standing, colour)),
            None if said == Insert::NoRoom => {}
            None => {
                assert_eq!(said, Insert::New, "seed {}", self.seed);
                self.map.insert(root.to_bits(), (standing, colour));
            }
        }
    }

    fn replace(&mut self, of: u64) {
        let (root, (standing, colour)) = (self.root(of), self.standing());
        let room = self.random.random_range(0..4) == 0;
        let random = &mut self.random;
        let choose = |count| random.random_range(0..count) == 0;
        let said = self.roots.replace(root, standing, colour, room, choose);
        match self.map.get(&root.to_bits()) {
            Some(&(standing, colour)) => assert_eq!(said, Insert::Known(standing, colour)),
            None => {
                if said != Insert::NoRoom {
                    self.map.insert(root.to_bits(), (standing, colour));
                }
                assert_eq!(self.forget_replaced(), usize::from(said == Insert::Replaced));
            }
        }
    }

    fn change(&mut self, of: u64) {
        let (root, new) = (self.root(of), self.standing());
        let there = self.map.get_mut(&root.to_bits());
        let mut seen = None;
        let changed = self.roots.change(root, |standing, colour| {
            seen = Some((standing, colour));
            new
        });
        assert_eq!((changed, seen), (there.is_some(), there.as_deref().copied()));
        there.into_iter().for_each(|there| *there = new);
    }

    fn evict(&mut self) {
        let from = self.random.random();
        assert_eq!(self.forget_replaced(), 0);
        let gone = self.roots.evict(from);
        assert_eq!(self.forget_replaced(), usize::from(gone), "seed {}", self.seed);
    }

    /// Takes roots out of the map that are in the table no longer; how many. They were replaceable.
    fn forget_replaced(&mut self) -> usize {
        let there: std::collections::HashSet<u64> =
            self.roots.entries().map(|entry| entry & ROOT).collect();
        let before = self.map.len();
        self.map.retain(|root, &mut (standing, _)| {
            assert!(there.contains(root) || standing == Standing::Replaceable);
            there.contains(root)
        });
        before - self.map.len()
    }

    /// Everything is in the table once, and is found.
    fn check(&self) {
        let Self { roots, map, seed, .. } = self;
        assert_eq!(roots.entries().count(), map.len(), "seed {seed}");
        for (&root, &standing) in map {
            assert_eq!(roots.get(Root::from_bits(root)), Some(standing), "seed {seed}");
        }
        let unused = &roots.slots.slots()[(roots.lines + TAIL) * LINE..];
        assert!(unused.iter().all(|slot| slot.load(Relaxed) == 0), "seed {seed}");
    }
}

#[test]
fn the_table_holds_what_a_map_holds() {
    for seed in 0..if cfg!(miri) { 1 } else { 5 } {
        let most = if cfg!(miri) { 8 } else { 400 };
        let mut pair = Pair::new(1 + seed as usize * 7 % 40, most, seed);
        for _ in 0..if cfg!(miri) { 40 } else { 1500 } {
            match pair.random.random_range(0..20) {
                0 => {
                    let lines = pair.roots.lines() + pair.random.random_range(1..20);
                    let grows = pair.roots.lines() < most;
                    assert_eq!(pair.roots.grow(lines), grows, "seed {seed}");
                    pair.check();
                }
                1..5 => pair.change(3000),
                _ => (0..10).for_each(|_| pair.insert(3000)),
            }
        }
        pair.check();
        for _ in 0..if cfg!(miri) { 40 } else { 1000 } {
            match pair.random.random_range(0..100) {
                0 => {
                    let wanted = (pair.roots.lines() / 4 * 3).max(1);
                    let shrinks = wanted < pair.roots.lines();
                    let mut random = StdRng::seed_from_u64(seed);
                    let all = pair.roots.shrink(wanted, || random.random_range(0..3) == 0);
                    assert_eq!(all, shrinks, "seed {seed}");
                    pair.forget_replaced();
                    pair.check();
                }
                1 => {
                    let lines = pair.roots.lines() + pair.random.random_range(1..20);
                    let _ = pair.roots.grow(lines);
                    pair.check();
                }
                2..20 => pair.change(6000),
                20..40 => pair.evict(),
                _ => pair.replace(6000),
            }
        }
        pair.check();
    }
}

#[test]
fn a_crowded_table_grows_and_shrinks_by_any_number_of_lines() {
    for seed in 0..if cfg!(miri) { 1 } else { 40 } {
        let mut random = StdRng::seed_from_u64(seed);
        // Longer than the lines at the beginning that are emptied as a whole.
        let lines = random.random_range(1..if cfg!(miri) { 6 } else { 1500 });
        let mut pair = Pair::new(lines, lines * 4, seed);
        let crowd = |pair: &mut Pair| {
            let full = pair.roots.lines() * LINE * 19 / 20;
            while pair.map.len() < full {
                pair.insert(1 << 40);
            }
        };
        crowd(&mut pair);
        for step in [1, lines / 7, lines / 3, lines, lines / 2 + 1] {
            let new = pair.roots.lines() + step;
            assert_eq!(pair.roots.grow(new), step > 0, "seed {seed}");
            pair.check();
            crowd(&mut pair);
        }
        let mut most = pair.roots.lines();
        while most > 1 {
            most -= 1 + random.random_range(0..=most / 2).min(most - 2);
            let pinned = pair.map.values().filter(|there| there.0 != Standing::Replaceable).count();
            let all = pair.roots.shrink(most, || false);
            if !all {
                assert!(pinned * 3 > most * LINE, "seed {seed}: {pinned} in {most} lines");
                break;
            }
            pair.forget_replaced();
            pair.check();
        }
    }
}

#[test]
fn what_is_written_down_comes_back() {
    let mut pair = Pair::new(4, 40, 3);
    (0..100).for_each(|_| pair.insert(3000));
    let entries: Vec<u64> = pair.roots.entries().collect();
    let mut other = Roots::new(9, 9);
    assert!(entries.iter().all(|&entry| other.restore(entry)));
    assert!(!other.restore(0) && !other.restore(NOBODY) && !other.restore(WITHDRAWN));
    pair.roots = other;
    pair.check();
    pair.roots.set_all(Standing::Replaceable);
    for there in pair.map.values_mut().filter(|there| there.0 == Standing::Pinned) {
        there.0 = Standing::Replaceable;
    }
    pair.check();
}

#[test]
fn numbers_go_where_their_roots_go() {
    for seed in 0..if cfg!(miri) { 1 } else { 20 } {
        let mut random = StdRng::seed_from_u64(seed);
        let most = if cfg!(miri) { 8 } else { 300 };
        let mut roots = Roots::with_numbers(1, most);
        let mut map: HashMap<u64, u32> = HashMap::new();
        let check = |roots: &Roots, map: &HashMap<u64, u32>| {
            assert_eq!(roots.entries().count(), map.len(), "seed {seed}");
            for (&root, &number) in map {
                assert_eq!(roots.number(Root::from_bits(root)), Some(number), "seed {seed}");
            }
        };
        for round in 0..if cfg!(miri) { 200 } else { 6000 } {
            let root = Root::from_bits(hash(random.random_range(0..2500)) | 1);
            let number = random.random_range(0..5000);
            match random.random_range(0..100) {
                0 => {
                    let lines = roots.lines() + random.random_range(1..20);
                    let _ = roots.grow(lines);
                    check(&roots, &map);
                }
                1 if round % 7 == 0 => {
                    let lines = (roots.lines() / 4 * 3).max(1);
                    let _ = roots.shrink(lines, || false);
                    // Only who finds no room is lost.
                    let there: std::collections::HashSet<u64> =
                        roots.entries().map(|entry| entry & ROOT).collect();
                    map.retain(|root, _| there.contains(root));
                    check(&roots, &map);
                }
                2..30 => {
                    roots.renumber(root, number);
                    map.entry(root.to_bits()).and_modify(|there| *there = number);
                }
                30..40 => {
                    roots.remove(root);
                    map.remove(&root.to_bits());
                }
                _ => match roots.insert_numbered(root, number) {
                    Numbered::Known(known) => assert_eq!(map.get(&root.to_bits()), Some(&known)),
                    said => {
                        assert_eq!(map.get(&root.to_bits()), None, "seed {seed}");
                        if said == Numbered::New {
                            map.insert(root.to_bits(), number);
                        }
                    }
                },
            }
        }
        check(&roots, &map);
    }
}

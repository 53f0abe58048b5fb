//! Interleavings of a few threads on the table and on the nodes, tried by loom within bounds.
//!
//! What is shown, for two threads (and three where that ends soon): one root is new for exactly
//! one of them, and is in the table once; a pinned root stays; a number that is found leads to its
//! key, and no key has two numbers.

use crate::nodes::{Acquaintance, NodeId, Nodes};
use crate::roots::{Colour, Insert, LINE, Roots, Standing};
use crate::tree::Root;
use loom::sync::Arc;
use loom::thread;

/// Tries the interleavings with at most so many switches away from a thread that could go on.
fn explore(switches: usize, test: impl Fn() + Sync + Send + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(switches);
    builder.check(test);
}

/// Roots whose home is the only line there is.
fn root(number: u64) -> Root {
    Root::from_bits(number)
}

/// A table of one line, full of roots with this standing.
fn full(standing: Standing) -> Roots {
    let roots = Roots::new(1, 1);
    for number in 0..LINE as u64 {
        assert_eq!(roots.insert(root(100 + number), standing, Colour(0)), Insert::New);
    }
    roots
}

fn replace(roots: &Roots, new: Root, room: bool, choose: bool) -> Insert {
    roots.replace(new, Standing::Pinned, Colour(0), room, |_| choose)
}

fn is_new(inserted: Insert) -> bool {
    matches!(inserted, Insert::New | Insert::Replaced)
}

fn times(roots: &Roots, wanted: Root) -> usize {
    roots.entries().filter(|&entry| Root::from_bits(entry) == wanted).count()
}

/// Runs each of the two (and the third, if any) in a thread of its own, and gives what they say.
fn race<T: 'static>(jobs: Vec<Box<dyn FnOnce() -> T + Send>>) -> Vec<T>
where
    T: Send,
{
    let threads: Vec<_> = jobs.into_iter().map(thread::spawn).collect();
    threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
}

#[test]
fn loom_a_root_is_new_for_one() {
    explore(3, || {
        let roots = Arc::new(Roots::new(1, 1));
        let jobs = (0..3).map(|_| {
            let roots = Arc::clone(&roots);
            Box::new(move || roots.insert(root(7), Standing::Replaceable, Colour(0)))
                as Box<dyn FnOnce() -> Insert + Send>
        });
        let said = race(jobs.collect());
        assert_eq!(said.iter().filter(|&&said| said == Insert::New).count(), 1, "{said:?}");
        assert_eq!(times(&roots, root(7)), 1);
    });
}

#[test]
fn loom_different_roots_all_find_a_place() {
    explore(3, || {
        let roots = Arc::new(Roots::new(1, 1));
        let jobs = (0..2u64).map(|thread| {
            let roots = Arc::clone(&roots);
            Box::new(move || {
                let standing = Standing::Replaceable;
                // One of their own, and one that both insert.
                [10 + thread, 7].map(|number| roots.insert(root(number), standing, Colour(0)))
            }) as Box<dyn FnOnce() -> [Insert; 2] + Send>
        });
        let said = race(jobs.collect());
        let room = said.iter().flatten().filter(|&&said| said == Insert::New).count();
        assert_eq!(room, LINE.min(3), "{said:?}");
        for number in [7, 10, 11] {
            assert!(times(&roots, root(number)) <= 1);
        }
    });
}

/// Two threads put one root into a full table, the second at the first place that is found or at
/// the last.
fn two_replace(choices: [bool; 2]) {
    explore(4, move || {
        let roots = Arc::new(full(Standing::Replaceable));
        let jobs = choices.map(|choose| {
            let roots = Arc::clone(&roots);
            Box::new(move || replace(&roots, root(7), false, choose))
                as Box<dyn FnOnce() -> Insert + Send>
        });
        let said = race(jobs.into_iter().collect());
        assert_eq!(said.iter().filter(|&&said| is_new(said)).count(), 1, "{said:?}");
        assert_eq!(times(&roots, root(7)), 1, "{said:?}");
        assert_eq!(roots.get(root(7)), Some((Standing::Pinned, Colour(0))));
    });
}

#[test]
fn loom_a_root_that_replaces_is_new_for_one() {
    two_replace([false, false]);
    two_replace([false, true]);
    two_replace([true, true]);
}

#[test]
fn loom_a_root_that_three_replace_is_new_for_one() {
    explore(2, || {
        let roots = Arc::new(full(Standing::Replaceable));
        let jobs = [false, true, true].map(|choose| {
            let roots = Arc::clone(&roots);
            Box::new(move || replace(&roots, root(7), false, choose))
                as Box<dyn FnOnce() -> Insert + Send>
        });
        let said = race(jobs.into_iter().collect());
        assert_eq!(said.iter().filter(|&&said| is_new(said)).count(), 1, "{said:?}");
        assert_eq!(times(&roots, root(7)), 1, "{said:?}");
    });
}

#[test]
fn loom_a_root_that_two_replace_at_two_places_can_be_left() {
    explore(3, || {
        let roots = Arc::new(full(Standing::Replaceable));
        let jobs = [false, true].map(|choose| {
            let roots = Arc::clone(&roots);
            Box::new(move || {
                // Whoever inserts it explores it, and leaves it.
                if is_new(replace(&roots, root(7), false, choose)) {
                    roots.change(root(7), |_, colour| (Standing::Replaceable, colour));
                }
            }) as Box<dyn FnOnce() + Send>
        });
        race(jobs.into_iter().collect());
        assert!(times(&roots, root(7)) <= 1);
        assert!(!roots.entries().any(|entry| !crate::roots::is_replaceable(entry)), "a pin leaks");
    });
}

#[test]
fn loom_a_pinned_root_stays() {
    explore(4, || {
        let roots = Arc::new(full(Standing::Replaceable));
        let pinning = {
            let roots = Arc::clone(&roots);
            move || roots.change(root(100), |_, colour| (Standing::Pinned, colour))
        };
        let replacing = {
            let roots = Arc::clone(&roots);
            move || is_new(replace(&roots, root(7), false, false))
        };
        let evicting = {
            let roots = Arc::clone(&roots);
            move || roots.evict(0)
        };
        let said = race::<bool>(vec![Box::new(pinning), Box::new(replacing), Box::new(evicting)]);
        if said[0] {
            let there = roots.get(root(100));
            assert_eq!(there, Some((Standing::Pinned, Colour(0))));
        }
        assert!(said[1] && times(&roots, root(7)) == 1 || times(&roots, root(7)) == 0);
    });
}

#[test]
fn loom_what_is_pinned_gives_no_way() {
    explore(4, || {
        let roots = Arc::new(full(Standing::Pinned));
        let jobs = [7, 8].map(|number| {
            let roots = Arc::clone(&roots);
            Box::new(move || (replace(&roots, root(number), false, true), roots.evict(0)))
                as Box<dyn FnOnce() -> (Insert, bool) + Send>
        });
        let said = race(jobs.into_iter().collect());
        assert!(said.iter().all(|&said| said == (Insert::NoRoom, false)), "{said:?}");
    });
}

#[test]
fn loom_an_unused_slot_is_taken_once() {
    explore(3, || {
        let roots = full(Standing::Pinned);
        roots.remove(root(100));
        let roots = Arc::new(roots);
        let jobs = [7, 7, 8].map(|number| {
            let roots = Arc::clone(&roots);
            Box::new(move || replace(&roots, root(number), true, true))
                as Box<dyn FnOnce() -> Insert + Send>
        });
        let said = race(jobs.into_iter().collect());
        assert_eq!(said.iter().filter(|&&said| is_new(said)).count(), 1, "{said:?}");
        assert_eq!(times(&roots, root(7)) + times(&roots, root(8)), 1, "{said:?}");
    });
}

#[test]
fn loom_a_key_has_one_number_and_a_number_its_key() {
    explore(3, || {
        let nodes = Arc::new(Nodes::new(0));
        let jobs = (0..2u64).map(|thread| {
            let nodes = Arc::clone(&nodes);
            Box::new(move || {
                let mut mine = Acquaintance::new();
                // One of their own, and one that both have; whoever loses uses the number again.
                let keys = [1000, 2000 + thread, 1000 + thread];
                keys.map(|key| {
                    let id = nodes.intern(key, &mut mine).expect("room");
                    assert_eq!(nodes.key(id), key);
                    (key, id)
                })
            }) as Box<dyn FnOnce() -> [(u64, NodeId); 3] + Send>
        });
        let said = race(jobs.collect()).concat();
        for &(key, id) in &said {
            assert_eq!(nodes.key(id), key);
            assert!(said.iter().all(|&(other, number)| (other == key) == (number == id)));
        }
    });
}

#[test]
fn loom_a_number_is_given_out_once_though_room_ends() {
    explore(3, || {
        let nodes = Arc::new(Nodes::new(0));
        let mut first = Acquaintance::new();
        // All blocks but one are gone.
        let mut key = 1 << 40;
        while nodes.has_more_than_a_block() {
            nodes.intern(key, &mut first).expect("room");
            key += 1;
        }
        let jobs = (0..2u64).map(|thread| {
            let nodes = Arc::clone(&nodes);
            Box::new(move || nodes.intern(thread + 1, &mut Acquaintance::new()))
                as Box<dyn FnOnce() -> Result<NodeId, crate::nodes::NoRoom> + Send>
        });
        let said = race(jobs.collect());
        assert_eq!(said.iter().filter(|said| said.is_ok()).count(), 1, "{said:?}");
        for (thread, said) in said.iter().enumerate() {
            assert!(said.is_err() || said.map(|id| nodes.key(id)) == Ok(thread as u64 + 1));
        }
    });
}

//! The pumping test on one channel says what forty real repetitions say.

use pverify_verdict::unbounded::growth;
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

#[derive(Clone, Copy, Debug)]
enum Act {
    Send(u8),
    Receive(u8),
}

/// Does a round; whether it can be done.
fn round(queue: &mut Vec<u8>, acts: &[Act]) -> bool {
    acts.iter().all(|act| match *act {
        Act::Send(message) => {
            queue.push(message);
            true
        }
        Act::Receive(message) => {
            let fits = queue.first() == Some(&message);
            if fits {
                queue.remove(0);
            }
            fits
        }
    })
}

#[test]
fn the_test_is_forty_repetitions() {
    let seed = 7;
    let mut random = SmallRng::seed_from_u64(seed);
    let (mut endless, mut growing) = (0, 0);
    for _ in 0..100_000 {
        let letters = random.random_range(1..=2u8) + u8::from(random.random_bool(0.1));
        let before: Vec<u8> =
            (0..random.random_range(0..6)).map(|_| random.random_range(0..letters)).collect();
        let mut queue = before.clone();
        let mut acts = Vec::new();
        for _ in 0..random.random_range(1..10) {
            // What is received is what is there, so that the first round can be done.
            let act = match queue.first() {
                Some(&head) if random.random_bool(0.5) => Act::Receive(head),
                _ => Act::Send(random.random_range(0..letters)),
            };
            assert!(round(&mut queue, &[act]));
            acts.push(act);
        }
        let sent: Vec<u8> = acts
            .iter()
            .filter_map(|act| if let Act::Send(message) = act { Some(*message) } else { None })
            .collect();
        let test = growth(&before, &sent, &queue);
        let mut again = before.clone();
        let real = (0..40).all(|_| round(&mut again, &acts));
        assert_eq!(test.is_some(), real, "seed {seed}: {before:?} {acts:?}");
        if let Some(gained) = test {
            endless += 1;
            growing += u32::from(!gained.is_empty());
            let expected: Vec<u8> =
                before.iter().chain((0..40).flat_map(|_| gained)).copied().collect();
            assert_eq!(again, expected, "seed {seed}: {before:?} {acts:?}");
        }
    }
    assert!(endless > 10_000 && growing > 5_000 && growing < endless, "{endless} {growing}");
}

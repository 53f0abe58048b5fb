//! Many workers that hand work over: ways are real, searches end, limits of depth are kept.

use pverify_search::control::{Cut, Observer, Outcome, Progress, Settings, Wanted};
use pverify_search::depth_first;
use pverify_search::random_graph::{Kind, Old, RandomGraph};
use std::num::NonZeroUsize;

/// Remembers how many workers had something to do.
#[derive(Default)]
struct Watching {
    busy: usize,
}

impl Observer for Watching {
    fn go_on(&mut self, progress: &Progress) -> bool {
        self.busy = progress.by_worker.iter().filter(|&&states| states > 0).count();
        true
    }
}

fn settings(threads: usize, seed: u64) -> Settings {
    let wanted = Wanted { deadlocks: true, steps: true };
    let threads = NonZeroUsize::new(threads).expect("at least one");
    Settings { threads, seed, alone: 0, ..Settings::new(wanted) }
}

fn search(graph: &RandomGraph, settings: &Settings) -> (Outcome, usize) {
    let mut watching = Watching::default();
    let outcome = depth_first::search(&mut graph.clone(), settings, &mut watching);
    (outcome, watching.busy)
}

/// The way to what is wrong begins at the beginning, goes by steps and ends there.
fn check_way(graph: &RandomGraph, outcome: &Outcome, bad: u32) {
    let way = &outcome.violation.as_ref().expect("it is there").way;
    let way: Vec<u32> = way.states().map(|state| state[0] as u32).collect();
    assert_eq!((way.first(), way.last()), (Some(&0), Some(&bad)), "{way:?}");
    assert!(way.windows(2).all(|two| graph.leads(two[0], two[1])), "{way:?}");
}

/// A comb: a long back whose every node has a tooth, so that there is always something to give.
fn comb(teeth: u32, length: u32) -> RandomGraph {
    let node = |tooth: u32, at: u32| tooth * length + at;
    let mut successors = Vec::new();
    for tooth in 0..teeth {
        for at in 0..length {
            let mut next = Vec::new();
            next.extend((at + 1 < length).then(|| node(tooth, at + 1)));
            next.extend((at == 0 && tooth + 1 < teeth).then(|| node(tooth + 1, 0)));
            successors.push(next);
        }
    }
    RandomGraph::with(successors)
}

#[test]
fn ways_through_handed_over_work_are_real() {
    let mut busy = 0;
    for seed in 0..30 {
        let comb = comb(200, 50);
        let bad = comb.nodes() as u32 - 1 - seed as u32 * 50;
        let with_bad = comb.with_bad(bad);
        // All of it, so that everybody takes part.
        let settings = Settings { all_errors: true, ..settings(8, seed) };
        let (outcome, workers) = search(&with_bad, &settings);
        assert_eq!((outcome.cut, outcome.counts.states), (None, comb.nodes()), "seed {seed}");
        check_way(&comb, &outcome, bad);
        busy = busy.max(workers);

        let kind = Kind { degree: 6, most: 1500, old: Old::Last(300) };
        let graph = RandomGraph::new(kind, seed).expect("a graph");
        let bad = (graph.nodes() * 9 / 10) as u32;
        for most_states in [None, Some(graph.nodes() * 8 / 10)] {
            let settings = Settings { most_states, ..settings };
            let (outcome, _) = search(&graph.with_bad(bad), &settings);
            check_way(&graph, &outcome, bad);
        }
    }
    assert!(busy > 1, "nothing was handed over");
}

#[test]
fn many_workers_with_tiny_stores_end() {
    for seed in 0..60 {
        let kind = Kind { degree: 6, most: 400, old: Old::First(5) };
        let graph = RandomGraph::new(kind, seed).expect("a graph");
        let most_states = Some(graph.nodes() * (20 + seed % 5 * 10) / 100);
        let (outcome, _) = search(&graph, &Settings { most_states, ..settings(16, seed) });
        match outcome.cut {
            None => assert_eq!(graph.explored(), graph.nodes(), "seed {seed}"),
            // The paths of sixteen workers may be too long together.
            cut => assert_eq!(cut, Some(Cut::Memory), "seed {seed}"),
        }
    }
}

#[test]
fn a_limit_of_depth_is_kept_and_told() {
    for seed in 0..10 {
        let kind = Kind { degree: 5, most: 2000, old: Old::Any };
        let graph = RandomGraph::new(kind, seed).expect("a graph");
        for threads in [1, 4] {
            let settings = settings(threads, seed);
            let (whole, _) = search(&graph.again(), &settings);
            assert_eq!((whole.cut, whole.counts.states), (None, graph.nodes()));
            let most_states = Some(graph.nodes() * 8 / 10);
            for (depth, most_states) in [(20, None), (20, most_states), (0, None)] {
                let graph = graph.again();
                let limited = Settings { depth: Some(depth), most_states, ..settings };
                let (outcome, _) = search(&graph, &limited);
                let what = format!("seed {seed}, {threads} threads, {depth} deep: {outcome:?}");
                assert_eq!(outcome.cut, Some(Cut::Depth), "{what}");
                assert!(outcome.counts.max_depth <= depth + 1, "{what}");
                assert!(graph.explored() < graph.nodes(), "{what}");
            }
            let enough = Settings { depth: Some(graph.nodes()), ..settings };
            assert_eq!(search(&graph.again(), &enough).0.cut, None);
        }
    }
}

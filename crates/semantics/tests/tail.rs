//! Channels without capacity do what channels that are never full do.

use pverify_model::lift::lifted;
use pverify_model::load::load_text;
use pverify_semantics::Engine;
use pverify_semantics::fault::FaultKind;
use pverify_semantics::successors::{Path, Visitor};
use std::collections::{BTreeMap, BTreeSet};

#[derive(Default)]
struct Gather(Vec<Vec<u64>>);

impl Visitor for Gather {
    fn next(&mut self, words: &[u64], _: u32, _: Path<'_>) {
        self.0.push(words.to_vec());
    }

    fn fault(&mut self, _: FaultKind, _: Path<'_>) {}
}

/// A state in words that do not depend on where things lie.
fn told(engine: &Engine<'_>, words: &[u64]) -> String {
    let mut text = String::new();
    for pid in 0.. {
        let Some(process) = engine.process(words, pid) else { break };
        text += &format!("{}@{} ", process.kind, process.location.get(words));
    }
    for value in engine.values(words) {
        text += &format!("{:?}.{}={} ", value.pid, value.name, value.value);
    }
    for number in 1..=engine.channel_count(words) {
        text += &format!("{:?}", engine.messages(number as u8, words));
    }
    text
}

/// The graph of all states.
fn graph(engine: &mut Engine<'_>) -> BTreeMap<String, BTreeSet<String>> {
    let mut known = BTreeMap::new();
    let mut words_of = BTreeMap::new();
    let mut work = vec![engine.initial().to_vec()];
    while let Some(words) = work.pop() {
        let name = told(engine, &words);
        let same = words_of.insert(name.clone(), words.clone());
        assert!(same.is_none_or(|same| same == words), "equal situations are equal words");
        if known.contains_key(&name) {
            continue;
        }
        assert_eq!(engine.bits(words[0]).div_ceil(64) as usize, words.len());
        let mut gather = Gather::default();
        engine.successors(&words, &mut gather);
        let next = gather.0.iter().map(|next| told(engine, next)).collect();
        known.insert(name, next);
        work.extend(gather.0);
        assert!(known.len() < 100_000);
    }
    known
}

fn check(text: &str, least: usize) {
    let loaded = load_text(text);
    assert!(!loaded.has_errors(), "{:?}", loaded.diagnostics);
    let without = lifted(&loaded.model);
    let bounded = graph(&mut Engine::new(&loaded.model));
    let unbounded = graph(&mut Engine::new(&without));
    assert!(bounded.len() >= least, "{} states", bounded.len());
    assert_eq!(bounded, unbounded);
}

#[test]
fn they_hold_what_is_sent() {
    check("chan c = [9] of { byte }; active proctype P() { c!1; c!2; c!3; c?_; c?_; c!4 }", 7);
    check(
        "chan c = [9] of { byte, int }; chan d = [9] of { bool };
         active proctype P() { byte i; do :: i < 5 -> c!i,-i; i++ :: i >= 5 -> break od }
         active proctype Q() { int x; byte y; do :: c?y,x -> d!x < -2 :: d?true od }",
        50,
    );
}

#[test]
fn sorted_sends_random_receives_polls_and_lengths() {
    check(
        "chan c = [20] of { byte }; byte n;
         active proctype P() { byte i; do :: i < 6 -> c!!(i * 5 % 7); i++ :: i == 6 -> break od }
         active proctype Q() { do :: c??[3] -> c??3 :: len(c) > 2 -> n = len(c); c?_
            :: atomic { empty(c) -> n = 7 } :: d_step { c?<0> -> c?0; c!9 } od }",
        50,
    );
}

#[test]
fn processes_come_and_go_with_their_channels() {
    check(
        "chan back = [9] of { chan, byte };
         proctype Child(byte me) {
            chan own = [9] of { byte }; own!me; own!me + 1; back!own,me; own?_ }
         init { chan x; byte b; run Child(3); run Child(5);
            do :: back?x,b -> x!b; run Child(7); break od; back?_,_ }",
        60,
    );
}

#[test]
fn rendezvous_stays_rendezvous() {
    check(
        "chan r = [0] of { byte }; chan c = [9] of { byte };
         active proctype P() { byte x; r!3; c!3; r?x; c!x }
         active proctype Q() { byte y; r?y; c!y; r!y + 1; c?_; c?_ }",
        10,
    );
}

#[test]
fn a_channel_takes_a_thousand_messages() {
    let model = lifted(&load_text("chan c = [1] of { byte }; init { do :: c!1 od }").model);
    let mut engine = Engine::new(&model);
    let mut words = engine.initial().to_vec();
    for length in 0..1000 {
        assert_eq!(engine.length(1, &words), length);
        let mut gather = Gather::default();
        engine.successors(&words, &mut gather);
        words = gather.0.pop().expect("a send is always possible");
    }
    assert_eq!(engine.messages(1, &words), vec![vec![1]; 1000]);
}

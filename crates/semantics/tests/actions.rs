//! Names of actions on the models of the gallery: what is printed can be written, and means what it
//! was printed for; and every letter that occurs was foreseen.

use pverify_model::load::load_text;
use pverify_semantics::Engine;
use pverify_semantics::action::Deed;
use pverify_semantics::action::alphabet::Alphabet;
use pverify_semantics::action::names::{Names, TAU};
use pverify_semantics::action::pattern::Pattern;
use pverify_semantics::fault::FaultKind;
use pverify_semantics::successors::{Path, Visitor};
use std::collections::{BTreeMap, HashSet};

/// The next states of a state, and the actions on the way.
#[derive(Default)]
struct Listener {
    states: Vec<Vec<u64>>,
    deeds: Vec<Deed>,
    steps: usize,
    places: Vec<u32>,
}

impl Visitor for Listener {
    fn next(&mut self, words: &[u64], _: u32, path: Path<'_>) {
        let (before, deeds) = (self.deeds.len(), &mut self.deeds);
        path.actions(&mut self.places, |action| deeds.push(action.to_deed()));
        self.states.push(words.to_vec());
        let halves = path.steps().iter().filter(|step| step.offers).count();
        // Every step has an action, and both halves of a rendezvous have one.
        assert!(self.deeds.len() - before >= path.steps().len() - halves);
        self.steps += 1;
    }

    fn fault(&mut self, _: FaultKind, _: Path<'_>) {}
}

/// The actions of a model by their names, from its first so many states.
fn actions<'m>(
    engine: &mut Engine<'m>,
    names: &Names<'m>,
    most: usize,
) -> BTreeMap<String, Vec<Deed>> {
    let mut found: BTreeMap<String, Vec<Deed>> = BTreeMap::new();
    let mut seen = HashSet::from([engine.initial().to_vec()]);
    let mut work = vec![engine.initial().to_vec()];
    while let Some(state) = work.pop() {
        let mut listener = Listener::default();
        engine.successors(&state, &mut listener);
        for deed in listener.deeds {
            let known = found.entry(names.name(&deed.view())).or_default();
            if !known.contains(&deed) {
                known.push(deed);
            }
        }
        for next in listener.states {
            if seen.len() < most && seen.insert(next.clone()) {
                work.push(next);
            }
        }
    }
    found
}

/// An alphabet of these atoms foresees the letters of all actions.
fn check_alphabet(names: &Names<'_>, atoms: &[String], deeds: &[Deed], model: &str) {
    let observed = [vec![], atoms[..atoms.len() / 2].to_vec()];
    for observe in &observed {
        let alphabet = match Alphabet::new(names, atoms, observe, &[]) {
            Ok(alphabet) => alphabet,
            Err(error) => panic!("{model}: {atoms:?}: {error}"),
        };
        for deed in deeds {
            let letter = alphabet.letter(&deed.view());
            assert!(alphabet.letters().contains(&letter), "{model}: {atoms:?}: {deed:?}");
            for (at, atom) in atoms.iter().enumerate() {
                let pattern = Pattern::parse(names, atom).expect("it was read before");
                let visible = observe.is_empty()
                    || observe.iter().any(|text| {
                        Pattern::parse(names, text).expect("a pattern").matches(&deed.view())
                    });
                let expected = visible && pattern.matches(&deed.view());
                assert_eq!(letter.contains(at), expected, "{model}: {atom}: {deed:?}");
            }
        }
    }
}

#[test]
fn names_can_be_written_and_letters_are_foreseen() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../protocols");
    let (mut messages, mut labels) = (0, 0);
    for file in std::fs::read_dir(folder).expect("the gallery").flatten() {
        let model = file.file_name().to_string_lossy().into_owned();
        if !model.ends_with(".pml") {
            continue;
        }
        let loaded = load_text(std::fs::read_to_string(file.path()).expect("a model"));
        let names = Names::new(&loaded.model);
        let mut engine = Engine::new(&loaded.model);
        engine.listen();
        let found = actions(&mut engine, &names, 400);
        for (name, deeds) in found.iter().filter(|(name, _)| *name != TAU) {
            let pattern = Pattern::parse(&names, name)
                .unwrap_or_else(|error| panic!("{model}: `{name}`: {error}"));
            for deed in deeds {
                assert!(pattern.matches(&deed.view()), "{model}: `{name}` for {deed:?}");
                assert_eq!(deed.communication.is_some(), pattern.is_message(), "{model}: {name}");
            }
            // Nothing else has that name, but what also sends or takes a message from a label.
            for (other, deeds) in &found {
                let same = |deed: &Deed| pattern.matches(&deed.view());
                let both = |deed: &Deed| {
                    deed.communication.is_some() && !pattern.is_message()
                        || deed.communication.is_some() && name.contains('?')
                        || deed.partner.is_some()
                };
                assert!(
                    other == name || deeds.iter().all(|d| !same(d) || both(d)),
                    "{name} {other}"
                );
            }
            messages += usize::from(pattern.is_message());
            labels += usize::from(!pattern.is_message());
        }
        let all: Vec<Deed> = found.values().flatten().cloned().collect();
        let names_of: Vec<String> = found.keys().filter(|name| *name != TAU).cloned().collect();
        for few in names_of.chunks(4) {
            check_alphabet(&names, few, &all, &model);
            // Patterns that overlap with all of these.
            let channel = few.iter().find_map(|name| name.split_once('!'));
            let wide =
                channel.map(|(channel, _)| vec![format!("{channel}!"), format!("{channel}?")]);
            check_alphabet(&names, &[few, &wide.unwrap_or_default()].concat(), &all, &model);
        }
    }
    assert!(messages > 100 && labels > 20, "{messages} messages, {labels} labels");
}

//! Actions that are hidden and get other names: whatever a pattern fits has the new name, however the
//! pattern is written, and what could not have been meant is refused.

use crate::{load, roomy, verdict};
use pverify_checks::equivalence::Relation;
use pverify_checks::equivalence::view::{Wish, views};
use pverify_model::load::{Loaded, load_text};
use pverify_semantics::action::names::Names;

const MODEL: &str = "mtype = { ack, data };
chan meet = [0] of { byte }; chan line = [1] of { mtype, bit }; chan q[2] = [1] of { bit };
active [2] proctype P() { chan own = [1] of { bit, bit };
    meet!3; line!ack,1; q[1]!0; own!1,0; here: skip; there: meet!4 }
active proctype Q() { end: do :: meet?_ od }";

fn wish(rename: &[&str]) -> Wish {
    let halves = rename.iter().filter_map(|one| one.split_once('='));
    let rename = halves.map(|(from, to)| (from.to_owned(), to.to_owned())).collect();
    Wish { rename, ..Wish::default() }
}

/// Of an action of the model that is observed, the new name.
fn check(observe: &str, rename: &[&str], expected: &str) {
    let model = load_text(MODEL.to_owned());
    let other = load(format!("des (0, 1, 1)\n(0, \"{expected}\", 0)\n"));
    for loaded in [&model, &other] {
        assert!(!loaded.has_errors(), "{:?}", loaded.diagnostics);
    }
    // Only what has the new name is seen of the other model.
    let observe = vec![observe.to_owned(), format!("\"{expected}\"")];
    let wish = Wish { observe, ..wish(rename) };
    let related = |relation| verdict([&model, &other], &wish, relation, &roomy()).0;
    assert_eq!(related(Relation::SafetyPreorder), Some(true), "{rename:?} is not {expected}");
    // And something of it is seen.
    let nothing = load(format!("des (0, 2, 3)\n(0, tau, 1)\n(2, \"{expected}\", 2)\n"));
    let (found, _) = verdict([&model, &nothing], &wish, Relation::SafetyPreorder, &roomy());
    assert_eq!(found, Some(false), "{expected}");
}

#[test]
fn whatever_a_pattern_fits_gets_the_new_name() {
    // A rendezvous is called by its sending half; the receiving half fits it too.
    check("meet!3", &["meet?_=met!_"], "met!3");
    check("meet!3", &["meet?3=met"], "met");
    check("meet!3", &["meet!_=met!_"], "met!3");
    // Fields that are left out may be anything.
    check("line!_", &["line!ack=told"], "told");
    check("line!_", &["line!_=told!_"], "told!ack");
    check("line!_", &["line!!ack(_)=told!_"], "told!1");
    check("line!_", &["line!_,1=told!_"], "told!ack");
    check("q[_]!_", &["q[_]!_=q!_,_"], "q!1,0");
    check("q[_]!_", &["q[_]!0=q!_"], "q!1");
    // The process that brings a channel along has a number in the name, and labels have one.
    check("P:own!_", &["P:own!_,_=own(_,_)"], "own(1,0)");
    check("P:own!_", &["P:own!1,_=own(_)"], "own(0)");
    check("P:here", &["P:here=got"], "got");
    check("P:here", &["here=got"], "got");
    check("there", &["there=late"], "late");
    // The first that fits counts.
    check("meet!_", &["meet!3=one", "meet!_=one", "meet!4=two"], "one");
}

/// Whether what a person wishes is refused, for two transition systems.
fn refused(wish: &Wish) -> Option<String> {
    let systems = [(); 2].map(|()| load("des (0, 2, 2)\n(0, a, 1)\n(1, \"b=c\", 0)\n".to_owned()));
    let names = systems.each_ref().map(|one: &Loaded| Names::new(&one.model));
    views(names, wish).err().map(|error| error.message)
}

#[test]
fn what_could_not_have_been_meant_is_refused() {
    for good in ["a=b", "\"a\"=\"b\"", "a=tau", "\"b=c\"=d"] {
        let halves = good.rsplit_once('=').map(|(from, to)| (from.to_owned(), to.to_owned()));
        let wish = Wish { rename: halves.into_iter().collect(), ..Wish::default() };
        assert_eq!(refused(&wish), None, "{good}");
    }
    for bad in ["tau=a", "a=i", "a=\"i\"", "a=b !_", "no=a"] {
        assert!(refused(&wish(&[bad])).is_some(), "{bad}");
    }
    let observe = vec!["tau".to_owned()];
    assert!(refused(&Wish { observe, ..Wish::default() }).is_some());
}

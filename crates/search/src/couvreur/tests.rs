//! The table of the paper.

use super::*;
use crate::control::Wanted;
use crate::marked::{MarkedVisitor, Towards};
use crate::system::System;
use pverify_semantics::successors::{Path, Visitor};

/// The automaton of Couvreur's figure 4; the states A to H, the sets a = 1 and b = 2.
const EDGES: [&[(u64, u64)]; 8] = [
    &[(1, 0)],
    &[(2, 1)],
    &[(0, 0), (3, 0), (5, 2)],
    &[(4, 0)],
    &[(3, 2)],
    &[(6, 0)],
    &[(5, 1), (7, 0)],
    &[(5, 2)],
];

struct Figure4;

impl System for Figure4 {
    fn initial(&self) -> Vec<u64> {
        vec![0]
    }

    fn bits(&mut self, _: u64) -> u32 {
        20
    }

    fn successors<V: Visitor>(&mut self, _: &[u64], _: &mut V) {}

    fn fork(&self) -> Self {
        Self
    }
}

impl Marked for Figure4 {
    fn sets(&self) -> u32 {
        2
    }

    fn marked_successors<V: MarkedVisitor>(&mut self, words: &[u64], visitor: &mut V) {
        for &(target, marks) in EDGES[words[0] as usize] {
            let to = Towards { marks: Marks(marks), passes: false };
            visitor.next(&[target], 20, to, Path::NONE);
        }
    }
}

fn told(marks: Marks) -> String {
    let letters = ["a", "b"].into_iter().enumerate();
    letters.filter(|(set, _)| marks.contains(*set as u32)).map(|(_, letter)| letter).collect()
}

impl Check<'_, Figure4> {
    /// The stacks Root and Arc, and which states are alive with which order.
    fn row(&self) -> String {
        let root = |one: &Component| format!("{}.{}", one.number, told(one.marks));
        let roots: Vec<_> = self.components.iter().map(root).collect();
        let arcs: Vec<_> = self.components.iter().map(|one| told(one.arc)).collect();
        let name = |root: &Root| char::from(b'A' + (root.to_bits() & 7) as u8);
        let alive: String = self.order.iter().map(name).collect();
        format!("{} | {} | {alive}", roots.join(" "), arcs.join(","))
    }
}

#[test]
fn table_3_move_for_move() {
    let settings = Settings::new(Wanted::PROPERTY);
    let budget = Budget { bytes: settings.memory, states: None };
    let mut check = Check::new(Figure4, &settings, Store::numbering(budget));
    let root = check.store.fold(&mut check.hand, &[0], 20).expect("room");
    assert_eq!(check.follow(Arc::first(&check.system, root)), Ok(true));
    let mut rows = vec![check.row()];
    let mut found = false;
    while let (Some(visit), false) = (check.path.last(), found) {
        if check.arcs.len() <= visit.first_arc {
            check.leave();
        } else if let Some(arc) = check.arcs.pop() {
            // The paper follows one step after the other.
            check.unsettled = usize::MAX;
            match check.store.number(arc.root()) {
                Some(number) if number > 0 => found = check.join(number, arc.marks),
                _ => assert_eq!(check.follow(arc), Ok(true)),
            }
        }
        rows.push(check.row());
    }
    // Step 12 reads {a} in the table and {b} in the text; step 14 is H to F, as in table 4.
    let expected = [
        "1. |  | A",
        "1. 2. | , | AB",
        "1. 2. 3. | ,,a | ABC",
        "1.a |  | ABC",
        "1.a 4. | , | ABCD",
        "1.a 4. 5. | ,, | ABCDE",
        "1.a 4.b | , | ABCDE",
        "1.a 4.b | , | ABCDE",
        "1.a |  | ABC",
        "1.a 4. | ,b | ABCF",
        "1.a 4. 5. | ,b, | ABCFG",
        "1.a 4.a | ,b | ABCFG",
        "1.a 4.a 6. | ,b, | ABCFGH",
        "1.a 4.ab | ,b | ABCFGH",
    ];
    assert_eq!(rows, expected);
    assert!(found);
}

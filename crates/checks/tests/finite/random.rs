//! Random models of a few processes, and random formulas over their actions.

use pverify_temporal::formula::{Atom, FormulaId, Formulas};
use rand::RngExt as _;
use rand::rngs::StdRng;

/// The actions that formulas speak of; some mean several, some overlap.
pub(crate) const ATOMS: [&str; 7] = ["a!1", "a?1", "b!_", "b!2", "b?2", "P:here", "tau"];

/// A model: `a` holds nothing or one message, `b` two.
pub(crate) fn model(random: &mut StdRng) -> String {
    let capacity = random.random_range(0..2);
    let mut text =
        format!("chan a = [{capacity}] of {{ byte }}; chan b = [2] of {{ byte }}; byte g;\n");
    for name in ["P", "Q", "R"].into_iter().take(random.random_range(1..4)) {
        text += &format!("active proctype {name}() {{ byte x; ");
        let mut labels = 0;
        let count = random.random_range(1..5);
        let body = statements(random, count, 2, &mut labels);
        let ends = if random.random_range(0..2) == 0 { "" } else { "; do :: skip od" };
        // The label that formulas name is always there.
        let label = if labels == 0 && name == "P" { "; here: skip" } else { "" };
        text += &format!("{body}{label}{ends} }}\n");
    }
    text
}

fn statements(random: &mut StdRng, count: usize, depth: usize, labels: &mut u32) -> String {
    let parts: Vec<String> = (0..count).map(|_| statement(random, depth, labels)).collect();
    parts.join("; ")
}

fn statement(random: &mut StdRng, depth: usize, labels: &mut u32) -> String {
    let value = random.random_range(1..3);
    let label = if random.random_range(0..4) == 0 && *labels == 0 {
        *labels += 1;
        "skip; here: "
    } else {
        ""
    };
    let most = if depth == 0 { 8 } else { 13 };
    let text = match random.random_range(0..most) {
        0 => format!("a!{value}"),
        1 => format!("b!{value}"),
        2 => format!("a?{value}"),
        3 => format!("b?{value}"),
        4 => "a?x".to_owned(),
        5 => "b?x".to_owned(),
        6 => "g = 1 - g".to_owned(),
        7 => "skip".to_owned(),
        8 | 9 => {
            // A label in front of the first statement would mark no place.
            let first = statement(random, 0, &mut 1);
            let count = random.random_range(1..3);
            format!("atomic {{ {first}; {} }}", statements(random, count, 0, labels))
        }
        10 => format!("skip; d_step {{ len(b) == 0; b!{value}; g = 1; b!{} }}", 3 - value),
        11 => {
            let (one, two) = (options(random, depth, labels), options(random, depth, labels));
            format!("if :: {one} :: {two} fi")
        }
        _ => {
            let (one, two) = (options(random, depth, labels), options(random, depth, labels));
            format!("do :: {one} :: {two}; break od")
        }
    };
    format!("{label}{text}")
}

fn options(random: &mut StdRng, depth: usize, labels: &mut u32) -> String {
    let count = random.random_range(1..3);
    statements(random, count, depth - 1, labels)
}

/// A formula with about so many operators.
pub(crate) fn formula(
    random: &mut StdRng,
    formulas: &mut Formulas,
    atoms: u32,
    size: usize,
) -> FormulaId {
    let mut pool: Vec<FormulaId> =
        (0..=size / 2 + 1).map(|_| formulas.atom(Atom(random.random_range(0..atoms)))).collect();
    for _ in 0..size {
        let left = pool.swap_remove(random.random_range(0..pool.len()));
        let made = if pool.is_empty() || random.random_range(0..2) == 0 {
            match random.random_range(0..6) {
                0 | 1 => formulas.not(left),
                2 => formulas.next(left),
                3 => formulas.strong_next(left),
                4 => formulas.eventually(left),
                _ => formulas.always(left),
            }
        } else {
            let right = pool.swap_remove(random.random_range(0..pool.len()));
            match random.random_range(0..5) {
                0 => formulas.and([left, right]),
                1 => formulas.or([left, right]),
                2 => formulas.until(left, right),
                3 => formulas.release(left, right),
                _ => formulas.weak_until(left, right),
            }
        };
        pool.push(made);
    }
    let formula = pool[random.random_range(0..pool.len())];
    // Most formulas fail on the empty computation; every second one is made to be about what
    // follows.
    if random.random_range(0..2) == 0 { formulas.always(formula) } else { formula }
}

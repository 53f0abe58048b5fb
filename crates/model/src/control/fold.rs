//! Folding the transition table into locations: what is no step of its own disappears.

use super::flow::{ElementId, Flow, Node};
use super::table::{Entry, Table, Transition};
use crate::machine::Action;

/// Marks of labels on element numbers.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Marks {
    pub(crate) end: bool,
    pub(crate) accept: bool,
    pub(crate) progress: bool,
}

/// What SPIN's verifier refuses when it starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FoldError {
    /// A step that does nothing and leads back to itself.
    SelfLoop(ElementId),
    /// Several `else` at one place, gathered from nested choices.
    SeveralElse(ElementId),
}

/// Flattens choices, pulls guards up into them, and puts escapes in front.
pub(crate) fn fold(
    table: &mut Table,
    marks: &mut [Marks],
    flow: &Flow,
    claim: bool,
) -> Vec<FoldError> {
    flatten_choices(table, marks);
    pull_guards(table, marks);
    prepend_escapes(table);
    for number in 1..table.len() {
        if let [only] = table[number].as_slice()
            && let Entry::Step(element) = only.entry
            && matches!(flow.get(element).node, Node::Joint)
            && marks[number].end
        {
            marks[only.target as usize].end = true;
        }
    }
    check(table, flow, claim)
}

/// A choice whose option is again a choice (or block) offers the inner options itself.
fn flatten_choices(table: &mut Table, marks: &mut [Marks]) {
    loop {
        let mut changed = false;
        for number in 1..table.len() {
            let nested = table[number]
                .iter()
                .skip(1)
                .any(|option| option.target != 0 && table[option.target as usize].len() > 1);
            if !nested {
                continue;
            }
            let old = table[number].clone();
            let mut row = vec![old[0].clone()];
            for option in &old[1..] {
                let inner = &table[option.target as usize];
                if inner.len() <= 1 {
                    row.push(option.clone());
                    spread(marks, option.target, option.target);
                    continue;
                }
                for deeper in &inner[1..] {
                    spread(marks, option.target, deeper.target);
                    row.push(deeper.clone());
                }
                changed = true;
            }
            table[number] = row;
        }
        if !changed {
            return;
        }
    }
}

/// Each option of a choice becomes the step its guard does.
fn pull_guards(table: &mut Table, marks: &mut [Marks]) {
    for number in 1..table.len() {
        if table[number].len() <= 1 {
            continue;
        }
        let options = std::mem::take(&mut table[number]);
        let mut row: Vec<Transition> = Vec::new();
        for option in &options[1..] {
            if let Some(guard) = table[option.target as usize].first() {
                spread(marks, option.target, guard.target);
                row.push(guard.clone());
            } else if row.is_empty() {
                break; // As SPIN: without a first guard the choice stays as it was.
            }
        }
        table[number] = if row.is_empty() { options } else { row };
    }
}

/// The marks of a place that is passed through go to where the transition leads.
fn spread(marks: &mut [Marks], from: u32, to: u32) {
    let Marks { end, accept, progress } = marks[from as usize];
    let target = &mut marks[to as usize];
    target.end |= end;
    target.accept |= accept;
    target.progress |= progress;
}

/// Escapes of an `unless` are tried before the steps they guard, inner ones first.
fn prepend_escapes(table: &mut Table) {
    for number in 1..table.len() {
        let own = table[number].clone();
        let mut front: Vec<Transition> = Vec::new(); // the last added is tried first
        for transition in &own {
            for &escape in transition.escapes.iter().rev().filter(|&&escape| escape != 0) {
                for step in table[escape as usize].clone() {
                    let known = |t: &Transition| t.id == step.id;
                    if own.iter().any(known) || front.iter().any(known) {
                        continue;
                    }
                    front.push(Transition { escape: Some(escape), ..step });
                }
            }
        }
        if !front.is_empty() {
            front.reverse();
            front.extend(own);
            table[number] = front;
        }
    }
}

fn check(table: &Table, flow: &Flow, claim: bool) -> Vec<FoldError> {
    let mut errors = Vec::new();
    for (number, row) in table.iter().enumerate().skip(1) {
        let mut elses = 0;
        for transition in row {
            let Entry::Step(element) = transition.entry else { continue };
            let Node::Step(action) = &flow.get(element).node else { continue };
            if *action == Action::Skip && transition.target as usize == number && !claim {
                errors.push(FoldError::SelfLoop(element));
            }
            if *action == Action::Else {
                elses += 1;
                if elses == 2 {
                    errors.push(FoldError::SeveralElse(element));
                }
            }
        }
    }
    errors
}

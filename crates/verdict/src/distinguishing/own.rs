//! A model as a labelled transition system by the semantics alone, one elementary step at a time.
//!
//! A state is where a run stands: words, the process inside an atomic block, and the actions of the
//! last step that are still to be shown (a `d_step` can have several).

use super::Act;
use crate::trace::NotConfirmed;
use ahash::AHashSet;
use pverify_semantics::Engine;
use pverify_semantics::action::{Deed, Elementary};
use pverify_semantics::replay::Choice;

/// How an action is called; `None` for `tau`.
pub type Namer<'n> = &'n dyn Fn(&Elementary<'_>) -> Option<String>;

/// What nobody sees.
pub const TAU: &str = "tau";

/// Where a model stands.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Own {
    state: Vec<u64>,
    exclusive: Option<usize>,
    to_come: Vec<Option<String>>,
}

/// A move: how it is called, and where it leads.
type Move = (Option<String>, Own);

impl Own {
    /// Where a model begins.
    pub(super) fn initial(engine: &Engine<'_>) -> Self {
        Self { state: engine.initial().to_vec(), exclusive: None, to_come: Vec::new() }
    }

    /// Takes an action that is named by its steps.
    pub(super) fn take(
        &self,
        engine: &mut Engine<'_>,
        name: Namer<'_>,
        act: &Act,
    ) -> Result<(Self, Option<String>), NotConfirmed> {
        if act.before > 0 || !self.to_come.is_empty() {
            let Some((called, to_come)) = self.to_come.split_first().filter(|_| act.before > 0)
            else {
                return Err(NotConfirmed("an action inside a step is not possible".into()));
            };
            return Ok((Self { to_come: to_come.to_vec(), ..self.clone() }, called.clone()));
        }
        let choices = engine.choices(&self.state, self.exclusive);
        let Some(choice) = choices.into_iter().find(|choice| choice.steps == act.steps) else {
            return Err(NotConfirmed("a step is not possible".into()));
        };
        let found = Self::after(engine, name, choice)?;
        found.map(|(called, own)| (own, called)).ok_or_else(fails)
    }

    /// All moves.
    fn moves(&self, engine: &mut Engine<'_>, name: Namer<'_>) -> Result<Vec<Move>, NotConfirmed> {
        if let Some((called, to_come)) = self.to_come.split_first() {
            return Ok(vec![(called.clone(), Self { to_come: to_come.to_vec(), ..self.clone() })]);
        }
        let mut moves = Vec::new();
        for choice in engine.choices(&self.state, self.exclusive) {
            moves.extend(Self::after(engine, name, choice)?);
        }
        Ok(moves)
    }

    /// Where a choice leads.
    fn after(
        engine: &mut Engine<'_>,
        name: Namer<'_>,
        choice: Choice,
    ) -> Result<Option<Move>, NotConfirmed> {
        if choice.performed.faults.iter().any(|fault| !fault.is_survivable()) {
            return Err(fails());
        }
        let Some(words) = choice.performed.words else { return Ok(None) };
        let mut called: Vec<Option<String>> =
            choice.deeds.iter().map(Deed::view).map(|deed| name(&deed)).collect();
        let first = if called.is_empty() { None } else { called.remove(0) };
        let moved = choice.steps.last().map(|step| step.pid as usize);
        let inside = moved.filter(|_| choice.performed.atomic);
        // Whoever cannot go on inside an atomic block lets the others move.
        let goes_on = |pid: &usize| {
            let own = engine.choices(&words, Some(*pid));
            own.iter().any(|one| {
                one.performed.words.is_some()
                    && one.steps.first().is_some_and(|step| step.pid as usize == *pid)
            })
        };
        let exclusive = inside.filter(goes_on);
        Ok(Some((first, Self { state: words, exclusive, to_come: called })))
    }
}

fn fails() -> NotConfirmed {
    NotConfirmed("a step goes wrong".into())
}

/// Where one action leads.
pub(super) fn single(
    engine: &mut Engine<'_>,
    name: Namer<'_>,
    from: &Own,
    action: &Option<String>,
) -> Result<Vec<Own>, NotConfirmed> {
    let moves = from.moves(engine, name)?;
    Ok(moves.into_iter().filter(|(called, _)| called == action).map(|(_, own)| own).collect())
}

/// Where any number of `tau` leads, none included.
fn behind_tau(
    engine: &mut Engine<'_>,
    name: Namer<'_>,
    from: &Own,
) -> Result<Vec<Own>, NotConfirmed> {
    let mut seen = AHashSet::from([from.clone()]);
    let mut all = vec![from.clone()];
    let mut at = 0;
    while at < all.len() {
        for own in single(engine, name, &all[at].clone(), &None)? {
            if seen.insert(own.clone()) {
                all.push(own);
            }
        }
        at += 1;
    }
    Ok(all)
}

/// Where one action that is seen leads behind any number of `tau`.
pub(super) fn tau_star(
    engine: &mut Engine<'_>,
    name: Namer<'_>,
    from: &Own,
    action: &Option<String>,
) -> Result<Vec<Own>, NotConfirmed> {
    let mut found = Vec::new();
    for own in behind_tau(engine, name, from)? {
        found.extend(single(engine, name, &own, action)?);
    }
    Ok(found)
}

/// Where one action leads with any number of `tau` around it.
pub(super) fn weak(
    engine: &mut Engine<'_>,
    name: Namer<'_>,
    from: &Own,
    action: &Option<String>,
) -> Result<Vec<Own>, NotConfirmed> {
    if action.is_none() {
        return behind_tau(engine, name, from);
    }
    let mut found = Vec::new();
    for own in tau_star(engine, name, from, action)? {
        found.extend(behind_tau(engine, name, &own)?);
    }
    Ok(found)
}

/// What can be done: the actions that are seen, behind `tau` unless that counts by itself.
pub(super) fn visible(
    engine: &mut Engine<'_>,
    name: Namer<'_>,
    from: &Own,
    tau_counts: bool,
) -> Result<Vec<String>, NotConfirmed> {
    let all = if tau_counts { vec![from.clone()] } else { behind_tau(engine, name, from)? };
    let mut names = Vec::new();
    for own in all {
        for (called, _) in own.moves(engine, name)? {
            match called {
                Some(called) => names.push(called),
                None if tau_counts => names.push(TAU.to_owned()),
                None => {}
            }
        }
    }
    names.sort_unstable();
    names.dedup();
    Ok(names)
}

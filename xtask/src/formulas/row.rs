//! One line of the list: a formula and what other translators made of it.

use anyhow::{Context as _, Result};

/// A formula and other translators' sizes.
pub(crate) struct Row<'a> {
    /// Where the formula comes from.
    pub(crate) set: &'a str,
    /// Its number there.
    pub(crate) id: &'a str,
    /// Its text.
    pub(crate) formula: &'a str,
    /// States of Spot's smallest generalized automaton.
    pub(crate) spot: usize,
    /// States of Spot's deterministic generalized automaton, where it is deterministic.
    pub(crate) spot_deterministic: Option<usize>,
    /// States of Spot's deterministic Büchi automaton, where it is deterministic.
    pub(crate) spot_buchi: Option<usize>,
    /// States of the automata that Spot was asked to make deterministic, whether it did or not: with
    /// acceptance on edges, and on states.
    pub(crate) spot_asked: Option<(usize, usize)>,
    /// States of Spot's smallest Büchi automaton.
    pub(crate) spot_buchi_small: usize,
    /// States of ltl3ba's Büchi automaton.
    pub(crate) ltl3ba: usize,
    /// Nodes and transitions of the improved construction, where known.
    pub(crate) improved: Option<(usize, usize)>,
    /// Nodes and transitions of the plain construction, where known.
    pub(crate) plain: Option<(usize, usize)>,
    /// The letter of its class.
    pub(crate) class: &'a str,
    /// Whether it cannot tell stuttering, where known.
    pub(crate) stutter_invariant: Option<bool>,
}

/// Every row of the list, columns by their names.
pub(crate) fn read(text: &str) -> Result<Vec<Row<'_>>> {
    let mut lines = text.lines();
    let head: Vec<_> = lines.next().context("the list is empty")?.split('\t').collect();
    let column = |name: &str| {
        head.iter()
            .position(|head| head.starts_with(name))
            .with_context(|| format!("the list has no column {name}"))
    };
    let (set, id, formula) = (column("set")?, column("id")?, column("formula_spot")?);
    let (small, deterministic) = (column("spot_tgba_small")?, column("spot_tgba_det-D")?);
    let (buchi, buchi_small) = (column("spot_ba_det-BD")?, column("spot_ba_small-B")?);
    let (ltl3ba, plain, improved) =
        (column("ltl3ba")?, column("couv_plain")?, column("couv_improved")?);
    let (class, stutter) = (column("mp_class")?, column("stutter_inv")?);
    lines
        .map(|line| {
            let fields: Vec<_> = line.split('\t').collect();
            let field = |at: usize| fields.get(at).copied().unwrap_or("");
            let states = |at: usize| {
                let number = field(at).split('/').next().and_then(|text| text.parse().ok());
                number.with_context(|| format!("no number of states in {}", field(at)))
            };
            let if_deterministic =
                |at: usize| states(at).ok().filter(|_| field(at).ends_with("/1"));
            let pair = |at: usize| {
                let mut parts = field(at).split('/').map(|text| text.parse().ok());
                Some((parts.next()??, parts.next()??))
            };
            Ok(Row {
                set: field(set),
                id: field(id),
                formula: field(formula),
                spot: states(small)?,
                spot_deterministic: if_deterministic(deterministic),
                spot_buchi: if_deterministic(buchi),
                spot_asked: states(deterministic).ok().zip(states(buchi).ok()),
                spot_buchi_small: states(buchi_small)?,
                ltl3ba: states(ltl3ba)?,
                improved: pair(improved),
                plain: pair(plain),
                class: field(class),
                stutter_invariant: match field(stutter) {
                    "1" => Some(true),
                    "0" => Some(false),
                    _ => None,
                },
            })
        })
        .collect()
}

//! What is seen of a model from outside: the names of its actions, some hidden, some renamed.
//!
//! The names are those of `semantics::action`. An action is `tau` if it has no name, if it fits a
//! pattern that hides it, or if there are patterns to observe and it fits none; any other is called
//! by its name, which may be changed at the end. Two models are compared by these names alone.

use pverify_semantics::action::Elementary;
use pverify_semantics::action::names::{Names, TAU};
use pverify_semantics::action::pattern::{Pattern, PatternError};
use pverify_semantics::action::wildcard::{filled, holes, taken};
use std::sync::Arc;

/// What a person wants to see, in words.
#[derive(Clone, Debug, Default)]
pub struct Wish {
    /// Patterns of actions that are seen; all, if there are none.
    pub observe: Vec<String>,
    /// Patterns of actions that are not seen.
    pub hide: Vec<String>,
    /// Names to be changed, and what they become; a `_` of the first stands for one field, which
    /// takes the place of a `_` of the second.
    pub rename: Vec<(String, String)>,
}

/// What is seen of one model.
#[derive(Clone, Debug)]
pub struct View<'m> {
    names: Arc<Names<'m>>,
    observe: Vec<Pattern>,
    hide: Vec<Pattern>,
    observes: bool,
    rename: Arc<[(String, String)]>,
}

/// What is seen of one model or two. A pattern must be one of at least one of them, and so must a name
/// that is changed: a slip would go unnoticed otherwise.
///
/// # Errors
/// When a pattern is one of none.
pub fn views<'m, const N: usize>(
    names: [Names<'m>; N],
    wish: &Wish,
) -> Result<[View<'m>; N], PatternError> {
    for (from, to) in &wish.rename {
        if holes(to) > holes(from) {
            return Err(PatternError {
                message: format!("`{to}` has more fields to fill in than `{from}` gives"),
                help: "each `_` of the new name takes the place of one of the old name".to_owned(),
            });
        }
    }
    let rename: Arc<[(String, String)]> = wish.rename.clone().into();
    let view = |names: Names<'m>| View {
        names: Arc::new(names),
        observe: Vec::new(),
        hide: Vec::new(),
        observes: !wish.observe.is_empty(),
        rename: Arc::clone(&rename),
    };
    let mut views = names.map(view);
    for (from, _) in &wish.rename {
        known(&views, from)?;
    }
    for (texts, observes) in [(&wish.observe, true), (&wish.hide, false)] {
        for text in texts {
            known(&views, text)?;
            for view in &mut views {
                if let Ok(pattern) = Pattern::parse(&view.names, text) {
                    let list = if observes { &mut view.observe } else { &mut view.hide };
                    list.push(pattern);
                }
            }
        }
    }
    Ok(views)
}

/// Whether a text is a pattern of at least one of the models.
fn known(views: &[View<'_>], text: &str) -> Result<(), PatternError> {
    let mut first = None;
    for view in views {
        match Pattern::parse(&view.names, text) {
            Ok(_) => return Ok(()),
            Err(wrong) => first = first.or(Some(wrong)),
        }
    }
    first.map_or(Ok(()), Err)
}

impl<'m> View<'m> {
    /// The name of an action; `None` for `tau`.
    pub fn name(&self, action: &Elementary<'_>) -> Option<String> {
        let fits = |pattern: &Pattern| pattern.matches(action);
        if self.hide.iter().any(fits) || self.observes && !self.observe.iter().any(fits) {
            return None;
        }
        let name = self.names.name(action);
        let renamed = self.rename.iter().find_map(|(from, to)| {
            let fields = taken(from, &name)?;
            Some(filled(to, &fields))
        });
        Some(renamed.unwrap_or(name)).filter(|name| name != TAU)
    }
}

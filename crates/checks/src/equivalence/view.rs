//! What is seen of a model from outside: the names of its actions, some hidden, some renamed.
//!
//! The names are those of `semantics::action`. An action is `tau` if it has no name, if it fits a
//! pattern that hides it, or if there are patterns to observe and it fits none; any other is called
//! by its name, which may be changed at the end. Two models are compared by these names alone.

use pverify_semantics::action::Elementary;
use pverify_semantics::action::names::{Names, TAU};
use pverify_semantics::action::pattern::{Pattern, PatternError, taken_by};
use pverify_semantics::action::wildcard::{filled, holes};
use std::sync::Arc;

/// How `.aut` files of CADP call what nobody sees; in a model of processes it can be a name.
const SHORT_TAU: &str = "i";

/// What a person wants to see, in words.
#[derive(Clone, Debug, Default)]
pub struct Wish {
    /// Patterns of actions that are seen; all, if there are none.
    pub observe: Vec<String>,
    /// Patterns of actions that are not seen.
    pub hide: Vec<String>,
    /// Patterns of actions that get another name, and that name; a `_` of the first stands for one
    /// field, which takes the place of a `_` of the second.
    pub rename: Vec<(String, String)>,
}

/// What is seen of one model.
#[derive(Clone, Debug)]
pub struct View<'m> {
    names: Arc<Names<'m>>,
    observe: Vec<Pattern>,
    hide: Vec<Pattern>,
    observes: bool,
    rename: Vec<Renamed>,
}

/// Actions that get another name.
#[derive(Clone, Debug)]
struct Renamed {
    pattern: Pattern,
    from: String,
    to: String,
}

/// What is seen of one model or two. A pattern must be one of at least one of them, and none may be
/// about `tau`, which has no name: a slip would go unnoticed otherwise.
///
/// # Errors
/// When a pattern is one of none.
pub fn views<'m, const N: usize>(
    names: [Names<'m>; N],
    wish: &Wish,
) -> Result<[View<'m>; N], PatternError> {
    let view = |names: Names<'m>| View {
        names: Arc::new(names),
        observe: Vec::new(),
        hide: Vec::new(),
        observes: !wish.observe.is_empty(),
        rename: Vec::new(),
    };
    let mut views = names.map(view);
    for (from, to) in &wish.rename {
        let (from, to) = (unquoted(from), unquoted(to));
        check_rename(from, to)?;
        known(&views, from)?;
        for view in &mut views {
            if let Ok(pattern) = Pattern::parse(&view.names, from) {
                let (from, to) = (from.to_owned(), to.to_owned());
                view.rename.push(Renamed { pattern, from, to });
            }
        }
    }
    if wish.observe.iter().any(|text| text.trim() == TAU) {
        return Err(PatternError {
            message: format!("`{TAU}` cannot be observed: it is what is not seen"),
            help: "name the actions that are; without any, all that have names are".to_owned(),
        });
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

/// A label without the quotes that files have around it.
fn unquoted(text: &str) -> &str {
    let text = text.trim();
    text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(text)
}

/// Whether actions can get a new name; `tau` is one that hides them.
fn check_rename(from: &str, to: &str) -> Result<(), PatternError> {
    let (message, help) = if from == TAU {
        let help = "name the actions that get another name";
        (format!("`{TAU}` cannot be renamed: it is what is not seen"), help)
    } else if to == SHORT_TAU {
        let help = "hide the action with --hide, or give it another name";
        (format!("`{SHORT_TAU}` as a name would be taken for `{TAU}` in .aut files"), help)
    } else if holes(to) > holes(from) {
        let help = "each `_` of the new name takes the place of one of the old name";
        (format!("`{to}` has more fields to fill in than `{from}` gives"), help)
    } else {
        return Ok(());
    };
    Err(PatternError { message, help: help.to_owned() })
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
        let renamed = self.rename.iter().find(|one| one.pattern.matches(action));
        let called = match renamed {
            Some(Renamed { from, to, .. }) => filled(to, &taken_by(from, &name)),
            None => name,
        };
        Some(called).filter(|name| name != TAU)
    }
}

//! `--check safety` and its halves, with checkpoints.

use super::{Asking, Checked, open};
use crate::checkpoint::{self, Belonging, Keeper};
use crate::commands::channels;
use crate::commands::verify::{Arguments, Kind};
use crate::front_end::Model;
use crate::interrupt::Interrupt;
use crate::output;
use anyhow::{Result, bail};
use pverify_checks::safety;
use pverify_report::trace_file::fingerprint;
use pverify_search::control::{Settings, Visited, Wanted};
use pverify_search::snapshot::Unusable;
use pverify_semantics::Engine;
use std::path::Path;
use std::time::Duration;

/// Checks safety, or a half of it.
pub(in super::super) fn safety(
    arguments: &Arguments,
    model: &Model,
    kind: Kind,
    interrupt: &Interrupt,
) -> Result<Checked> {
    let check = match kind {
        Kind::Assert => "assert",
        Kind::Deadlock => "deadlock",
        _ => "safety",
    };
    let mut engine = Engine::new(&model.machines);
    let wanted = Wanted { deadlocks: kind != Kind::Assert, steps: kind != Kind::Deadlock };
    let mut asking = Asking::new(arguments, interrupt, &engine, wanted);
    if asking.is_too_late() {
        let answer = open(check, None, "interrupted before it began");
        return Ok(Checked { answer, saved: None });
    }
    asking.settings.snapshots = arguments.checkpoints.checkpoint.is_some();
    let belonging = belonging(check, model, &asking.settings);
    asking.watch.keeper = keeper(arguments, &belonging);
    let (settings, watch) = (&asking.settings, &mut asking.watch);
    let answer = match &arguments.checkpoints.resume {
        None => safety::safety(&mut engine, settings, arguments.search.shortest, watch),
        Some(path) => {
            let mut numbers = checkpoint::open(path, &belonging)?;
            let mut take = || numbers.take();
            match safety::resume(&mut engine, settings, &mut take, watch) {
                Ok(answer) => answer,
                Err(why) => bail!(cannot_go_on(path, why)),
            }
        }
    };
    if let Some(problem) = asking.watch.keeper.take().and_then(|keeper| keeper.problem) {
        output::error(&anyhow::anyhow!(problem));
    }
    let mut checked = asking.answered(model, &mut engine, check, None, answer);
    if let ("inconclusive", Some(reason)) = (checked.answer.verdict, &mut checked.answer.reason) {
        *reason += &channels::likely_reason(arguments, &model.machines, interrupt);
    }
    Ok(checked)
}

/// What a checkpoint of this search belongs to.
fn belonging(check: &str, model: &Model, settings: &Settings) -> Belonging {
    let store = match settings.visited {
        Visited::Exact => "exact".to_owned(),
        Visited::Bitstate { hashes } => format!("bitstate {hashes}"),
    };
    let depth = settings.depth.map_or_else(|| "any".to_owned(), |depth| depth.to_string());
    let all_errors = settings.all_errors;
    Belonging {
        model: fingerprint(&model.program),
        settings: format!("check {check}, depth {depth}, all errors {all_errors}, store {store}"),
    }
}

fn keeper(arguments: &Arguments, belonging: &Belonging) -> Option<Keeper> {
    const EVERY: Duration = Duration::from_secs(600);
    let path = arguments.checkpoints.checkpoint.clone()?;
    let every = arguments.checkpoints.checkpoint_every.as_ref().map_or(EVERY, |every| every.0);
    Some(Keeper::new(path, belonging.clone(), every))
}

fn cannot_go_on(path: &Path, why: Unusable) -> String {
    let path = path.display();
    match why {
        Unusable::Memory => format!(
            "--resume: there is too little memory for `{path}`\nhelp: give a larger --memory"
        ),
        Unusable::Foreign => {
            format!("--resume: `{path}` does not fit this model\nhelp: begin anew")
        }
    }
}

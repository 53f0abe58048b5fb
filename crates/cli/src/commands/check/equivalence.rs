//! `--check equivalence`: the model and another one, side by side.

use super::{Asking, Checked, open};
use crate::charts;
use crate::commands::channels;
use crate::commands::verify::Arguments;
use crate::front_end::{self, Model};
use crate::interrupt::Interrupt;
use crate::options::channels::Room;
use crate::options::reading::Reading;
use anyhow::{Result, bail};
use clap::ValueEnum;
use pverify_checks::equivalence::view::{Wish, views};
use pverify_checks::equivalence::{EquivalenceAnswer, Relation as Kind, Route, equivalence};
use pverify_model::codes::UNUSED_LABEL;
use pverify_report::chart::Run;
use pverify_report::comparison::Comparison;
use pverify_report::trace::story;
use pverify_search::control::Wanted;
use pverify_semantics::Engine;
use pverify_semantics::action::names::Names;
use pverify_verdict::distinguishing::Last;

const CHECK: &str = "equivalence";

/// How two models must be related.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Relation {
    /// Strong bisimulation: each does what the other does, tau too
    Strong,
    /// FILE2 does whatever FILE does, tau too
    StrongSimulation,
    /// As strong, where a move is one action that is seen with any number of tau before it
    Weak,
    /// The safety preorder in both directions
    Safety,
    /// FILE2 does whatever FILE does, with any number of tau before it
    SafetyPreorder,
    /// Milner's weak bisimulation: a tau may decide what can be done behind it
    Observational,
}

impl Relation {
    fn kind(self) -> Kind {
        match self {
            Self::Strong => Kind::Strong,
            Self::StrongSimulation => Kind::StrongSimulation,
            Self::Weak => Kind::Weak,
            Self::Safety => Kind::Safety,
            Self::SafetyPreorder => Kind::SafetyPreorder,
            Self::Observational => Kind::Observational,
        }
    }
}

/// The other model, or what is wrong with it.
pub(crate) struct Against {
    pub(crate) model: Model,
    file: String,
}

/// Reads the other model.
pub(crate) fn read(arguments: &Arguments) -> Result<Against> {
    let Some(file) = arguments.against.clone() else {
        bail!(
            "--check equivalence needs a second model\n\
             help: give one with --against, as in --against service.pml --relation safety"
        );
    };
    if file == "-" && arguments.reading.file == "-" {
        bail!(
            "standard input can be one of the models, not both\nhelp: save one of them in a file"
        );
    }
    let language = if file == "-" { arguments.reading.language } else { None };
    let reading = Reading { file: file.clone(), language, ..arguments.reading.clone() };
    let mut model = front_end::read(&reading)?;
    if !model.has_errors() {
        // What loses messages is the protocol, not the service it gives.
        let room = Room { lossy: Vec::new(), ..arguments.channels.room.clone() };
        model.machines = channels::prepared(&room, &model.machines)?;
    }
    Ok(Against { model, file })
}

/// Labels are names of actions: nothing is said about those that nothing else uses.
pub(crate) fn use_labels(model: &mut Model) {
    model.diagnostics.retain(|diagnostic| diagnostic.code.id != UNUSED_LABEL.id);
}

/// Checks that the models are related.
pub(crate) fn run(
    arguments: &Arguments,
    model: &Model,
    against: &Against,
    interrupt: &Interrupt,
) -> Result<Checked> {
    let relation = arguments.relation.unwrap_or(Relation::Safety).kind();
    let property = format!("{} against {}", relation.name(), against.file);
    let names = [Names::new(&model.machines), Names::new(&against.model.machines)];
    let rename = arguments.rename.iter().map(|one| (one.from.clone(), one.to.clone())).collect();
    let (observe, hide) = (arguments.observe.clone(), arguments.hide.clone());
    let views = match views(names, &Wish { observe, hide, rename }) {
        Ok(views) => views,
        Err(error) => bail!("{}\nhelp: {}", error.message, error.help),
    };
    let mut left = Engine::new(&model.machines);
    let mut right = Engine::new(&against.model.machines);
    let mut asking = Asking::new(arguments, interrupt, &left, Wanted::PROPERTY);
    if asking.is_too_late() {
        let answer = open(CHECK, Some(&property), "interrupted before it began");
        return Ok(Checked { answer, saved: None });
    }
    let shortest = arguments.search.shortest;
    let (settings, watch) = (&asking.settings, &mut asking.watch);
    let found = equivalence([&mut left, &mut right], views, relation, settings, shortest, watch);
    let EquivalenceAnswer { answer, distinguishing, second, route, state_bytes } = found;
    let mut checked = asking.answered(model, &mut left, CHECK, Some(&property), answer);
    let answer = &mut checked.answer;
    answer.pairs = true;
    answer.unreached = None;
    answer.threads = route.threads;
    answer.state_bytes = state_bytes;
    answer.route = (answer.verdict == "holds").then(|| told(route));
    let wish = charts::Wish::new(&arguments.charts, &arguments.output);
    let sources = &against.model.sources;
    let chart = second.as_ref().and_then(|two| wish.draw(&mut right, sources, &Run::of(two)));
    let mut drawn = [answer.chart.take(), chart];
    if let Some(Last { by, action, .. }) = distinguishing.as_ref().map(|told| &told.last) {
        let (able, unable) = (*by as usize, by.other() as usize);
        let mut ends = |side: usize, text: String| {
            if let Some(chart) = &mut drawn[side] {
                chart.fault = Some(text);
            }
        };
        ends(able, format!("can do `{action}`"));
        ends(unable, format!("cannot do `{action}`"));
    }
    answer.comparison = distinguishing.map(|told| Comparison {
        files: [arguments.reading.file.clone(), against.file.clone()],
        relation: relation.name().to_owned(),
        told,
        runs: [answer.story.clone(), second.map(|trace| story(&right, sources, &trace))],
        charts: drawn,
    });
    Ok(checked)
}

fn told(Route { searches, .. }: Route) -> String {
    match searches {
        0 => "no answer had to be chosen: all pairs that can be reached are related".to_owned(),
        1 => "answers were chosen, in one search by one thread".to_owned(),
        searches => format!("answers were chosen, in {searches} searches by one thread"),
    }
}

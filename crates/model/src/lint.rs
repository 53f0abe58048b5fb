//! Warnings before any search: what is legal, but hardly what its author meant.

use crate::codes;
use crate::control::flow::{ElementId, Flow, Jump, Node};
use crate::machine::{
    Action, Expression, Initial, Model, Owner, Pattern, Place, Process, ProcessKind, StructId,
    Variable, VariableId,
};
use crate::types::Type;
use crate::walk;
use ahash::{AHashMap, AHashSet};
use pverify_syntax::diagnostic::Diagnostic;
use pverify_syntax::source::Span;

/// Adds the warnings for a model without errors.
pub(crate) fn lint(
    model: &Model,
    flow: &Flow,
    reached: &[bool],
    remote_labels: &AHashSet<usize>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    unreachable_statements(flow, reached, diagnostics);
    unused_labels(flow, remote_labels, diagnostics);
    truncations(model, diagnostics);
    channels(model, diagnostics);
    forgotten_channels(model, diagnostics);
}

/// Each statement once: the first of a run of unreachable ones stands for the rest.
fn unreachable_statements(flow: &Flow, reached: &[bool], diagnostics: &mut Vec<Diagnostic>) {
    let mut before_was_dead = false;
    for (at, element) in flow.elements.iter().enumerate() {
        let Node::Step(action) = &element.node else { continue };
        // As SPIN, we drop a skip behind another one: it is not reached, and need not be.
        if flow.pruned.contains(&ElementId(at as u32)) {
            continue;
        }
        let dead = !reached[at] && *action != Action::Else && !is_false(action);
        if dead && !before_was_dead {
            diagnostics.push(
                Diagnostic::new(
                    &codes::UNREACHABLE,
                    element.span,
                    "control never reaches this statement",
                )
                .help("it stands behind a jump or a loop without a way out; remove it, or give it a way in"),
            );
        }
        before_was_dead = dead;
    }
}

fn is_false(action: &Action) -> bool {
    matches!(action, Action::Condition(Expression::Constant(0, _)))
}

fn unused_labels(flow: &Flow, remote: &AHashSet<usize>, diagnostics: &mut Vec<Diagnostic>) {
    let mut targets: AHashSet<(u32, &str)> = AHashSet::new();
    for element in &flow.elements {
        if let Node::Goto(Jump::Label { name, .. }) = &element.node {
            targets.insert((element.process, name));
        }
    }
    let mut said: AHashSet<Span> = AHashSet::new();
    for (at, label) in flow.labels.iter().enumerate() {
        let meaningful = ["end", "accept", "progress"].iter().any(|p| label.name.starts_with(p));
        let used = targets.contains(&(label.process, &*label.name));
        if !meaningful && !used && !remote.contains(&at) && said.insert(label.span) {
            diagnostics.push(
                Diagnostic::new(
                    &codes::UNUSED_LABEL,
                    label.span,
                    format!("nothing uses the label `{}`", label.name),
                )
                .help("remove it; only `end…`, `accept…` and `progress…` mean something by themselves"),
            );
        }
    }
}

/// SPIN counts a channel where a `typedef` mentions it, and describes it where a variable has it;
/// a verifier with a channel that was counted and not described does not compile.
fn forgotten_channels(model: &Model, diagnostics: &mut Vec<Diagnostic>) {
    let mut described: AHashSet<StructId> = AHashSet::new();
    let locals = model
        .processes
        .iter()
        .flat_map(|process| process.locals.iter().skip(process.parameters as usize));
    let mut work: Vec<Type> = model.globals.iter().chain(locals).map(|one| one.kind).collect();
    while let Some(kind) = work.pop() {
        let Type::Struct(id) = kind else { continue };
        if described.insert(id) {
            work.extend(model.structs[id.index()].fields.iter().map(|field| field.kind));
        }
    }
    for (at, structure) in model.structs.iter().enumerate() {
        if described.contains(&StructId(at as u32)) {
            continue;
        }
        let made = |field: &&Variable| matches!(field.initial, Initial::Channel(_));
        for field in structure.fields.iter().filter(made) {
            diagnostics.push(
                Diagnostic::new(
                    &codes::FORGOTTEN_CHANNEL,
                    field.span,
                    format!(
                        "SPIN cannot compile a model in which no variable has this channel of `{}`",
                        structure.name
                    ),
                )
                .help("pverify can; for SPIN, remove the field or declare a variable of the type"),
            );
        }
    }
}

fn truncations(model: &Model, diagnostics: &mut Vec<Diagnostic>) {
    let mut said: AHashSet<Span> = AHashSet::new();
    let mut warn = |kind: Type, value: &Expression, span: Span| {
        let Expression::Constant(given, None) = *value else { return };
        let stored = kind.truncate(given);
        if stored != given && !matches!(kind, Type::Chan | Type::Struct(_)) && said.insert(span) {
            diagnostics.push(
                Diagnostic::new(
                    &codes::TRUNCATED,
                    span,
                    format!("{given} does not fit a {}: {stored} is stored", kind.name()),
                )
                .help("declare the variable with a wider type, or store what is meant"),
            );
        }
    };
    let locals = model.processes.iter().flat_map(|process| &process.locals);
    for variable in model.globals.iter().chain(locals) {
        if let Initial::Value(value) = &variable.initial {
            warn(variable.kind, value, variable.span);
        }
    }
    each_action(model, &mut |_, action, span| {
        if let Action::Assign(place, value) = action {
            warn(place.kind, value, span);
        }
    });
}

/// What is known of the use of one global channel.
#[derive(Default)]
struct Use {
    sent: bool,
    received: bool,
    /// Constants in the first field of sends, with a place; `None` once anything can be sent.
    tags: Option<AHashMap<i32, Span>>,
    open_send: bool,
    /// Constants that receives ask for in the first field.
    taken: AHashSet<i32>,
    open_receive: bool,
}

/// Only channels that are never handed on can be judged: those whose name is used for sends,
/// receives and questions alone.
fn channels(model: &Model, diagnostics: &mut Vec<Diagnostic>) {
    let mut uses: AHashMap<VariableId, Use> = AHashMap::new();
    let mut escaped: AHashSet<VariableId> = AHashSet::new();
    each_action(model, &mut |_, action, span| {
        walk::action_expressions(action, &mut |expression| {
            if let Expression::Read(place) = expression
                && place.kind == Type::Chan
                && let Some(id) = global(place)
            {
                escaped.insert(id);
            }
        });
        match action {
            // A local channel variable holds one that was handed on: `escaped` has it.
            Action::Send { channel, message, .. } => {
                let Some(id) = global(channel) else { return };
                let entry = uses.entry(id).or_default();
                entry.sent = true;
                match message.first() {
                    Some(&Expression::Constant(tag, _)) => {
                        entry.tags.get_or_insert_default().entry(tag).or_insert(span);
                    }
                    _ => entry.open_send = true,
                }
            }
            Action::Receive { channel, pattern, .. } => {
                let Some(id) = global(channel) else { return };
                let entry = uses.entry(id).or_default();
                entry.received = true;
                match pattern.first() {
                    Some(Pattern::Match(Expression::Constant(tag, _))) => {
                        entry.taken.insert(*tag);
                    }
                    _ => entry.open_receive = true,
                }
            }
            _ => {}
        }
    });
    // `chan a = b` is a second name for `b`.
    let locals = model.processes.iter().flat_map(|process| &process.locals);
    for variable in model.globals.iter().chain(locals) {
        if let Initial::Value(Expression::Read(place)) = &variable.initial {
            escaped.extend(global(place));
        }
    }
    let mut ids: Vec<_> = uses.keys().copied().collect();
    ids.sort();
    for id in ids {
        let entry = &uses[&id];
        let made = matches!(model.globals[id.index()].initial, Initial::Channel(_));
        if escaped.contains(&id) || !made {
            continue;
        }
        judge(model, id, entry, diagnostics);
    }
}

fn judge(model: &Model, id: VariableId, entry: &Use, diagnostics: &mut Vec<Diagnostic>) {
    let variable = &model.globals[id.index()];
    let name = &variable.name;
    if entry.sent && !entry.received {
        diagnostics.push(
            Diagnostic::new(
                &codes::NEVER_READ,
                variable.span,
                format!("nobody receives from `{name}`"),
            )
            .help("add a receive, or remove the channel"),
        );
        return;
    }
    if entry.received && !entry.sent {
        diagnostics.push(
            Diagnostic::new(&codes::NEVER_SENT, variable.span, format!("nobody sends to `{name}`"))
                .help("add a send, or remove the channel"),
        );
        return;
    }
    if entry.open_receive {
        return;
    }
    let mut tags: Vec<_> = entry.tags.iter().flatten().collect();
    tags.sort_by_key(|(_, span)| (span.file, span.start));
    for (&tag, &span) in tags {
        if !entry.taken.contains(&tag) {
            diagnostics.push(
                Diagnostic::new(
                    &codes::NEVER_RECEIVED,
                    span,
                    format!("no receive from `{name}` takes this message"),
                )
                .label(variable.span, "the channel")
                .help("add a receive for it, or check the spelling of the message"),
            );
        }
    }
}

fn global(place: &Place) -> Option<VariableId> {
    (place.owner == Owner::Global && place.fields.is_empty()).then_some(place.variable)
}

/// Every action of every process, those inside a `d_step` too; the events of a trace are done by
/// others.
fn each_action<'a>(model: &'a Model, visit: &mut dyn FnMut(&'a Process, &'a Action, Span)) {
    let traces = [ProcessKind::Trace, ProcessKind::Notrace];
    for process in model.processes.iter().filter(|process| !traces.contains(&process.kind)) {
        for edge in process.graph.locations.iter().flat_map(|location| &location.edges) {
            walk::actions(&edge.action, edge.span, &mut |action, span| {
                visit(process, action, span);
            });
        }
    }
}

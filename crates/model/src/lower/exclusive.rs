//! `xr` and `xs`: the promise of one process that nobody else receives from, or sends to, a channel.

use super::Lowering;
use crate::codes;
use crate::machine::{Owner, ProcessId, StructId, VariableId};
use crate::types::Type;
use ahash::AHashMap;
use pverify_syntax::ast::VarRef;
use pverify_syntax::diagnostic::Diagnostic;
use pverify_syntax::source::Span;

/// Who promised to be the only one to send (or, with `false`, to receive), and where.
pub(super) type Promises = AHashMap<(bool, Promised), (ProcessId, Span)>;

/// What SPIN takes for one channel: an array is one, and so is a field in all variables of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Promised {
    Global(VariableId),
    Field(StructId, usize),
}

impl Lowering {
    pub(super) fn exclusive(&mut self, sends: bool, channels: &[VarRef]) {
        self.exclusive = true;
        for channel in channels {
            let Some(place) = self.scalar(channel) else { continue };
            let span = channel.span.0;
            let variables = match (place.owner, self.process) {
                (Owner::Local, Some(id)) => &self.model.processes[id.index()].locals,
                _ => &self.model.globals,
            };
            let Some(variable) = variables.get(place.variable.index()) else { continue };
            match variable.kind {
                Type::Struct(id) => {
                    for field in self.channel_fields(id) {
                        self.promise(sends, field, span);
                    }
                }
                // Nobody else can name a local one.
                Type::Chan if place.owner == Owner::Local => {}
                Type::Chan => self.promise(sends, Promised::Global(place.variable), span),
                _ => {
                    let message = "`xr` and `xs` are promises about channels";
                    let help = "name channels (`chan`) only";
                    self.error_help(&codes::NOT_A_CHANNEL, span, message, help);
                }
            }
        }
    }

    fn promise(&mut self, sends: bool, what: Promised, span: Span) {
        let Some(process) = self.process else { return };
        let before = self.promises.insert((sends, what), (process, span));
        let Some((_, first)) = before.filter(|&(other, _)| other != process) else { return };
        self.report(
            Diagnostic::new(
                &codes::BROKEN_PROMISE,
                span,
                "two processes claim this channel for themselves",
            )
            .label(first, "claimed here")
            .help("remove one of the promises, or both: they only serve the reduction"),
        );
    }

    /// The channels in a structure, and in the structures in it.
    fn channel_fields(&self, id: StructId) -> Vec<Promised> {
        let mut found = Vec::new();
        let mut work = vec![id];
        while let Some(id) = work.pop() {
            for (at, field) in self.model.structs[id.index()].fields.iter().enumerate() {
                match field.kind {
                    Type::Chan => found.push(Promised::Field(id, at)),
                    Type::Struct(inner) if inner < id => work.push(inner),
                    _ => {}
                }
            }
        }
        found
    }
}

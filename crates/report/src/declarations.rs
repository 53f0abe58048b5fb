//! What a model declares: its processes, its channels, and everything in it that can be checked.

use pverify_model::machine::Model;
use pverify_model::machines::MONITOR;
use pverify_syntax::ast::{
    Declaration, Initializer, ItemKind, Program, Sequence, StatementKind, StepKind,
};
use serde_json::{Value, json};

/// The declarations of a model, by name where they have one, in the order of the text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Declarations {
    /// Processes: proctypes by name, and `init`.
    pub processes: Vec<String>,
    /// Channels, global or local, by name.
    pub channels: Vec<String>,
    /// `ltl` blocks by name.
    pub formulas: Vec<String>,
    /// `never` claims by name.
    pub never_claims: Vec<String>,
    /// `assert` statements.
    pub assertions: usize,
    /// Labels that begin with `accept`.
    pub accept_labels: usize,
    /// Labels that begin with `progress`.
    pub progress_labels: usize,
    /// `trace` and `notrace` blocks.
    pub traces: usize,
}

impl Declarations {
    /// What a system of communicating machines declares.
    pub fn of_machines(model: &Model) -> Self {
        let mut found = Self::default();
        for process in &model.processes {
            if *process.name == *MONITOR {
                let edges = process.graph.locations.first().map_or(0, |first| first.edges.len());
                found.assertions += edges;
            } else {
                found.processes.push(process.name.to_string());
            }
        }
        found.channels = model.globals.iter().map(|channel| channel.name.to_string()).collect();
        found
    }

    /// Walks over a tree, without recursion: a model may nest as deep as it likes.
    pub fn of(program: &Program) -> Self {
        let mut found = Self::default();
        for item in &program.items {
            match &item.node {
                ItemKind::Proctype(proctype) => {
                    found.processes.push(proctype.name.node.to_string());
                    found.sequence(&proctype.body);
                }
                ItemKind::Init { body, .. } => {
                    found.processes.push("init".to_owned());
                    found.sequence(body);
                }
                ItemKind::Never { name, body } => {
                    let name = name.as_ref().map_or("never", |name| &name.node);
                    found.never_claims.push(name.to_owned());
                    // Labels and assertions of a claim are part of the claim.
                    let claim = Self::of_sequence(body);
                    found.assertions += claim.assertions;
                }
                ItemKind::Ltl { name, .. } => {
                    let name = name.as_ref().map_or("ltl", |name| &name.node);
                    found.formulas.push(name.to_owned());
                }
                ItemKind::Trace { .. } => found.traces += 1,
                ItemKind::Declaration(declaration) => found.declaration(declaration),
                ItemKind::Mtype { .. } | ItemKind::Typedef { .. } => {}
            }
        }
        found
    }

    fn of_sequence(sequence: &Sequence) -> Self {
        let mut found = Self::default();
        found.sequence(sequence);
        found
    }

    fn sequence(&mut self, sequence: &Sequence) {
        let mut pending = vec![sequence];
        while let Some(sequence) = pending.pop() {
            // Reversed where several wait, so that names come in the order of the text.
            let mut inner = Vec::new();
            for step in &sequence.steps {
                match &step.node {
                    StepKind::Declaration(declaration) => self.declaration(declaration),
                    StepKind::Exclusive { .. } => {}
                    StepKind::Statement(statement) => self.statement(statement, &mut inner),
                    StepKind::Unless { main, escape } => {
                        self.statement(&main.node, &mut inner);
                        self.statement(&escape.node, &mut inner);
                    }
                }
            }
            pending.extend(inner.into_iter().rev());
        }
    }

    fn statement<'a>(&mut self, mut statement: &'a StatementKind, pending: &mut Vec<&'a Sequence>) {
        while let StatementKind::Labelled { label, statement: inner } = statement {
            self.accept_labels += usize::from(label.node.starts_with("accept"));
            self.progress_labels += usize::from(label.node.starts_with("progress"));
            match inner {
                Some(inner) => statement = &inner.node,
                None => return,
            }
        }
        match statement {
            StatementKind::Assert(_) => self.assertions += 1,
            StatementKind::If(options) | StatementKind::Do(options) => pending.extend(options),
            StatementKind::ForRange { body, .. }
            | StatementKind::ForIn { body, .. }
            | StatementKind::Atomic(body)
            | StatementKind::DStep(body)
            | StatementKind::Block(body) => pending.push(body),
            _ => {}
        }
    }

    fn declaration(&mut self, declaration: &Declaration) {
        for variable in &declaration.variables {
            if let Some(Initializer::Channel { .. }) = variable.initial {
                self.channels.push(variable.name.node.to_string());
            }
        }
    }

    /// What can be checked, each as a person would say it.
    pub fn properties(&self) -> Vec<String> {
        let mut properties = vec!["no invalid end state".to_owned()];
        let mut count = |number: usize, noun: &str| match number {
            0 => {}
            1 => properties.push(format!("1 {noun}")),
            _ => properties.push(format!("{number} {noun}s")),
        };
        count(self.assertions, "assertion");
        count(self.accept_labels, "accept label");
        count(self.progress_labels, "progress label");
        count(self.traces, "trace assertion");
        properties.extend(self.never_claims.iter().map(|name| match name.as_str() {
            "never" => "never claim".to_owned(),
            name => format!("never claim {name}"),
        }));
        properties.extend(self.formulas.iter().map(|name| match name.as_str() {
            "ltl" => "ltl formula".to_owned(),
            name => format!("ltl {name}"),
        }));
        properties
    }

    /// A few lines of text.
    pub fn to_text(&self) -> String {
        format!(
            "processes:  {}\nchannels:   {}\nproperties: {}\n",
            listed(&self.processes),
            listed(&self.channels),
            listed(&self.properties()),
        )
    }

    /// The same as data.
    pub fn to_json(&self) -> Value {
        json!({
            "processes": self.processes,
            "channels": self.channels,
            "ltl": self.formulas,
            "never": self.never_claims,
            "assertions": self.assertions,
            "accept_labels": self.accept_labels,
            "progress_labels": self.progress_labels,
            "traces": self.traces,
        })
    }
}

/// How many names are listed.
const LISTED: usize = 12;

/// «a, b, c and 7 more»; «none».
fn listed(names: &[String]) -> String {
    match names.len() {
        0 => "none".to_owned(),
        count if count <= LISTED => names.join(", "),
        count => format!("{} and {} more", names[..LISTED].join(", "), count - LISTED),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pverify_syntax::ast::{
        Expr, ExprKind, Proctype, Spanned, Statement, Step, TypeName, Variable,
    };
    use pverify_syntax::source::Span;

    fn at<T>(node: T) -> Spanned<T> {
        Spanned::new(node, Span::default())
    }

    fn number() -> Expr {
        at(ExprKind::Number(1))
    }

    fn steps(statements: Vec<StatementKind>) -> Sequence {
        let steps: Vec<Step> =
            statements.into_iter().map(|one| at(StepKind::Statement(one))).collect();
        Sequence { steps, span: Default::default() }
    }

    fn labelled(label: &str, statement: StatementKind) -> StatementKind {
        let statement: Statement = at(statement);
        StatementKind::Labelled { label: at(label.into()), statement: Some(Box::new(statement)) }
    }

    fn proctype(name: &str, body: Sequence) -> ItemKind {
        ItemKind::Proctype(Box::new(Proctype {
            deterministic: false,
            active: None,
            name: at(name.into()),
            parameters: Vec::new(),
            priority: None,
            provided: None,
            body,
        }))
    }

    fn channel(name: &str) -> Declaration {
        let initial =
            Initializer::Channel { span: Default::default(), capacity: number(), fields: vec![] };
        Declaration {
            visibility: None,
            kind: at(TypeName::Chan),
            variables: vec![Variable {
                name: at(name.into()),
                width: None,
                size: None,
                initial: Some(initial),
            }],
            span: Default::default(),
        }
    }

    fn check(items: Vec<ItemKind>, expected: &str) {
        let program = Program { items: items.into_iter().map(at).collect() };
        assert_eq!(Declarations::of(&program).to_text(), expected);
    }

    #[test]
    fn an_empty_model_declares_nothing() {
        check(vec![], "processes:  none\nchannels:   none\nproperties: no invalid end state\n");
    }

    #[test]
    fn properties_are_found_however_deep_they_stand() {
        let assertion = || StatementKind::Assert(number());
        let mut deep = steps(vec![labelled("accept_1", assertion())]);
        for _ in 0..10_000 {
            deep = steps(vec![StatementKind::Atomic(deep)]);
        }
        let choice = StatementKind::Do(vec![deep, steps(vec![assertion()])]);
        let never = ItemKind::Never {
            name: None,
            body: steps(vec![labelled("accept_all", StatementKind::Break)]),
        };
        let program = vec![
            ItemKind::Declaration(channel("wire")),
            proctype("P", steps(vec![labelled("progress", choice)])),
            ItemKind::Init { priority: None, body: steps(vec![assertion()]) },
            never,
        ];
        // Dropping a tree this deep takes the stack that `cli` gives its worker.
        std::thread::Builder::new()
            .stack_size(64 << 20)
            .spawn(|| {
                check(
                    program,
                    "processes:  P, init\nchannels:   wire\nproperties: no invalid end state, \
                     3 assertions, 1 accept label, 1 progress label, never claim\n",
                );
            })
            .expect("a thread starts")
            .join()
            .expect("the check holds");
    }

    #[test]
    fn long_lists_are_cut() {
        let channels = (0..14).map(|at| ItemKind::Declaration(channel(&format!("c{at}"))));
        check(
            channels.collect(),
            "processes:  none\nchannels:   c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11 and 2 \
             more\nproperties: no invalid end state\n",
        );
    }
}

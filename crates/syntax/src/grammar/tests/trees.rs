//! Random trees: every kind of node, with names that mean nothing but fit their place.

use crate::ast::*;
use crate::source::Span;
use crate::token::Name;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

/// A model that declares the type `T` and the proctype `P` which the rest may use.
pub(super) fn program() -> impl Strategy<Value = Program> {
    let first = [
        at(ItemKind::Typedef { name: at("T".into()), fields: vec![plain_declaration("b0")] }),
        at(ItemKind::Proctype(Box::new(Proctype {
            deterministic: false,
            active: None,
            name: at("P".into()),
            parameters: Vec::new(),
            priority: None,
            provided: None,
            body: sequence_of(vec![at(StepKind::Statement(StatementKind::Break))]),
        }))),
    ];
    vec(item(), 1..5).prop_map(move |items| {
        let items = first.iter().cloned().chain(items.into_iter().map(at)).collect();
        Program { items }
    })
}

fn at<T>(node: T) -> Spanned<T> {
    Spanned::new(node, Span::default())
}

fn sequence_of(steps: Vec<Step>) -> Sequence {
    Sequence { steps, span: SpanOnly::default() }
}

fn plain_declaration(name: &str) -> Declaration {
    let name = at(Name::from(name));
    Declaration {
        visibility: None,
        kind: at(TypeName::Byte),
        variables: vec![Variable { name, width: None, size: None, initial: None }],
        span: SpanOnly::default(),
    }
}

/// Not `in`, which is a name or the word of a loop by what stands around it.
fn ident() -> impl Strategy<Value = Ident> + Clone {
    select(vec!["a", "b1", "long_name", "_pid", "_"]).prop_map(|name| at(Name::from(name)))
}

/// Names of processes and types: SPIN does not let variables and labels share them.
fn upper(names: &[&'static str]) -> impl Strategy<Value = Ident> + use<> {
    select(names.to_vec()).prop_map(|name| at(Name::from(name)))
}

fn one_of_types() -> impl Strategy<Value = Spanned<TypeName>> {
    let basic = select(vec![
        TypeName::Bit,
        TypeName::Bool,
        TypeName::Byte,
        TypeName::Pid,
        TypeName::Short,
        TypeName::Int,
        TypeName::Chan,
        TypeName::Mtype(None),
        TypeName::User(at("T".into())),
    ]);
    prop_oneof![
        9 => basic,
        1 => ident().prop_map(|name| TypeName::Mtype(Some(name))),
    ]
    .prop_map(at)
}

fn constant() -> impl Strategy<Value = Expr> + Clone {
    let number = (0..9).prop_map(|number| at(ExprKind::Number(number)));
    let leaf = prop_oneof![number, Just(at(ExprKind::True))];
    leaf.prop_recursive(2, 6, 2, |inner| {
        use BinaryOperator::{Add, Divide, Multiply, Remainder, Subtract};
        let operator = select(vec![Add, Divide, Multiply, Remainder, Subtract]);
        prop_oneof![
            (operator, inner.clone(), inner.clone()).prop_map(|(o, a, b)| binary(o, a, b)),
            inner.prop_map(|a| at(ExprKind::Unary(UnaryOperator::Minus, Box::new(a)))),
        ]
    })
}

fn binary(operator: BinaryOperator, left: Expr, right: Expr) -> Expr {
    at(ExprKind::Binary(operator, Box::new(left), Box::new(right)))
}

fn variable_over(inner: BoxedStrategy<Expr>) -> BoxedStrategy<VarRef> {
    let part = (ident(), option::weighted(0.2, inner))
        .prop_map(|(name, index)| VarPart { name, index: index.map(Box::new) });
    vec(part, 1..3).prop_map(|parts| VarRef { parts, span: SpanOnly::default() }).boxed()
}

fn variable() -> BoxedStrategy<VarRef> {
    variable_over(expression(true))
}

fn receive_argument_over(inner: BoxedStrategy<Expr>) -> BoxedStrategy<ReceiveArgument> {
    prop_oneof![
        variable_over(inner.clone()).prop_map(ReceiveArgument::Variable),
        inner.prop_map(ReceiveArgument::Eval),
        (0..9).prop_map(|number| ReceiveArgument::Constant(at(ExprKind::Number(number)))),
        (0..9).prop_map(|number| {
            let number = Box::new(at(ExprKind::Number(number)));
            ReceiveArgument::Constant(at(ExprKind::Unary(UnaryOperator::Minus, number)))
        }),
    ]
    .boxed()
}

/// An expression; `conditional` is missing in formulas, whose arrow is another.
fn expression(conditional: bool) -> BoxedStrategy<Expr> {
    let leaf = prop_oneof![
        (0..300).prop_map(ExprKind::Number),
        select(vec![
            ExprKind::True,
            ExprKind::False,
            ExprKind::Skip,
            ExprKind::Timeout,
            ExprKind::NonProgress
        ]),
        ident().prop_map(|name| {
            let parts = vec![VarPart { name, index: None }];
            ExprKind::Variable(VarRef { parts, span: SpanOnly::default() })
        }),
    ]
    .prop_map(at);
    leaf.prop_recursive(4, 20, 3, move |inner| {
        use BinaryOperator as B;
        use UnaryOperator as U;
        let boxed = || inner.clone().prop_map(Box::new);
        let binaries = select(vec![
            B::Add,
            B::Subtract,
            B::Multiply,
            B::Divide,
            B::Remainder,
            B::BitAnd,
            B::BitXor,
            B::BitOr,
            B::ShiftLeft,
            B::ShiftRight,
            B::Less,
            B::LessEqual,
            B::Greater,
            B::GreaterEqual,
            B::Equal,
            B::NotEqual,
            B::And,
            B::Or,
        ]);
        let unaries = select(vec![U::Minus, U::Complement, U::Not]);
        let process = || at(Name::from("P"));
        let part = (ident(), option::of(boxed()));
        let arguments = vec(receive_argument_over(inner.clone()), 1..3);
        prop_oneof![
            6 => (binaries, inner.clone(), inner.clone()).prop_map(|(o, a, b)| binary(o, a, b)),
            3 => (unaries, boxed()).prop_map(|(o, a)| at(ExprKind::Unary(o, a))),
            1 => [inner.clone(), inner.clone(), inner.clone()].prop_map(move |parts| {
                if conditional { at(ExprKind::Conditional(Box::new(parts))) } else { parts[0].clone() }
            }),
            1 => (ident(), vec(inner.clone(), 0..3), option::of(1..9)).prop_map(
                |(process, arguments, priority)| at(ExprKind::Run {
                    process, arguments, priority: priority.map(at)
                })
            ),
            1 => variable_over(inner.clone()).prop_map(|c| at(ExprKind::Probe(Probe::Len, c))),
            1 => boxed().prop_map(|a| at(ExprKind::Enabled(a))),
            1 => boxed().prop_map(|a| at(ExprKind::PcValue(a))),
            1 => boxed().prop_map(|a| at(ExprKind::GetPriority(a))),
            1 => (variable_over(inner.clone()), any::<bool>(), arguments).prop_map(
                |(channel, random, arguments)| at(ExprKind::Poll { channel, random, arguments })
            ),
            1 => (option::of(boxed()), ident()).prop_map(move |(pid, label)| {
                at(ExprKind::RemoteLabel { process: process(), pid, label })
            }),
            1 => (option::of(boxed()), part).prop_map(move |(pid, (name, index))| {
                let variable = VarPart { name, index };
                at(ExprKind::RemoteVariable { process: process(), pid, variable })
            }),
            2 => variable_over(inner.clone()).prop_map(|v| at(ExprKind::Variable(v))),
        ]
    })
    .boxed()
}

/// An expression that may hold `full(c)` and its like.
fn condition() -> BoxedStrategy<Expr> {
    let probes = select(vec![Probe::Empty, Probe::Full, Probe::Nempty, Probe::Nfull]);
    let probe = (probes, variable()).prop_map(|(probe, c)| at(ExprKind::Probe(probe, c)));
    prop_oneof![
        3 => expression(true),
        1 => probe.clone(),
        1 => (probe, any::<bool>(), expression(true)).prop_map(|(probe, and, other)| {
            binary(if and { BinaryOperator::And } else { BinaryOperator::Or }, other, probe)
        }),
    ]
    .boxed()
}

fn formula() -> BoxedStrategy<Formula> {
    let proposition = (expression(false), expression(false))
        .prop_map(|(a, b)| at(FormulaKind::Proposition(binary(BinaryOperator::Equal, a, b))));
    proposition
        .prop_recursive(4, 12, 2, |inner| {
            use FormulaOperator as F;
            use TemporalUnary::{Always, Eventually, Next};
            let boxed = || inner.clone().prop_map(Box::new);
            let operators = select(vec![
                F::And,
                F::Or,
                F::Implies,
                F::Equivalent,
                F::Until,
                F::Release,
                F::WeakUntil,
            ]);
            prop_oneof![
                boxed().prop_map(|f| at(FormulaKind::Not(f))),
                (select(vec![Always, Eventually, Next]), boxed())
                    .prop_map(|(o, f)| at(FormulaKind::Unary(o, f))),
                (operators, boxed(), boxed())
                    .prop_map(|(o, f, g)| at(FormulaKind::Binary(o, f, g))),
            ]
        })
        .boxed()
}

fn declaration(initial: bool) -> BoxedStrategy<Declaration> {
    let visibility = option::weighted(
        0.2,
        select(vec![Visibility::Hidden, Visibility::Show, Visibility::Local]).prop_map(at),
    );
    let channel = (constant(), vec(one_of_types(), 1..3)).prop_map(|(capacity, fields)| {
        Initializer::Channel { span: SpanOnly::default(), capacity, fields }
    });
    let values = vec((0..9).prop_map(|number| at(ExprKind::Number(number))), 1..3);
    let initializer = prop_oneof![
        expression(true).prop_map(Initializer::Expression),
        values.prop_map(Initializer::List),
        channel,
    ];
    let variable = (ident(), option::of(constant()), option::of(initializer)).prop_map(
        move |(name, size, value)| {
            let initial = value.filter(|_| initial);
            Variable { name, width: None, size, initial }
        },
    );
    let unsigned = (ident(), 1..9).prop_map(|(name, width)| Declaration {
        kind: at(TypeName::Unsigned),
        variables: vec![Variable { name, width: Some(at(width)), size: None, initial: None }],
        ..plain_declaration("a")
    });
    let typed = (visibility, one_of_types(), vec(variable, 1..3)).prop_map(
        |(visibility, kind, mut variables)| {
            // A brace ends the declaration, as in SPIN: only the last variable can have one.
            let before_last = variables.len() - 1;
            for variable in &mut variables[..before_last] {
                let plain = |value: &Initializer| matches!(value, Initializer::Expression(_));
                variable.initial = variable.initial.take().filter(plain);
            }
            Declaration { visibility, kind, variables, span: SpanOnly::default() }
        },
    );
    prop_oneof![8 => typed, 1 => unsigned].boxed()
}

fn simple_statement() -> BoxedStrategy<StatementKind> {
    use StatementKind as S;
    let arguments = || vec(receive_argument_over(expression(true)), 1..3);
    prop_oneof![
        (variable(), condition()).prop_map(|(target, value)| S::Assign { target, value }),
        variable().prop_map(S::Increment),
        variable().prop_map(S::Decrement),
        (expression(true), expression(true))
            .prop_map(|(process, priority)| S::SetPriority { process, priority }),
        vec(expression(true), 0..3)
            .prop_map(|arguments| S::Printf { format: at("x %d\\n".into()), arguments }),
        variable().prop_map(|v| S::Printm(at(ExprKind::Variable(v)))),
        condition().prop_map(S::Assert),
        (variable(), any::<bool>(), vec(expression(true), 1..3))
            .prop_map(|(channel, sorted, arguments)| S::Send { channel, sorted, arguments }),
        (variable(), any::<bool>(), any::<bool>(), arguments()).prop_map(
            |(channel, random, keep, arguments)| S::Receive { channel, random, keep, arguments }
        ),
        condition().prop_map(S::Expression),
        select(vec![S::Else, S::Break]),
        (ident(), 0..9, 0..9, any::<bool>()).prop_map(|(name, from, to, literal)| S::Select {
            literal: literal && name.node.bytes().all(|byte| byte.is_ascii_alphanumeric()),
            variable: VarRef {
                parts: vec![VarPart { name, index: None }],
                span: SpanOnly::default()
            },
            from: at(ExprKind::Number(from)),
            to: at(ExprKind::Number(to)),
        }),
        ident().prop_map(S::Goto),
    ]
    .boxed()
}

fn statement() -> BoxedStrategy<StatementKind> {
    use StatementKind as S;
    simple_statement()
        .prop_recursive(3, 16, 3, |inner| {
            let body = || vec(step(inner.clone()), 1..3).prop_map(sequence_of);
            let options = || vec(body(), 1..3);
            let labelled = option::of(inner.clone().prop_map(|one| Box::new(at(one))));
            prop_oneof![
                options().prop_map(S::If),
                options().prop_map(S::Do),
                body().prop_map(S::Atomic),
                body().prop_map(S::DStep),
                body().prop_map(S::Block),
                (variable(), expression(true), expression(true), body()).prop_map(
                    |(variable, from, to, body)| S::ForRange { variable, from, to, body }
                ),
                (variable(), variable(), body()).prop_map(|(variable, container, body)| S::ForIn {
                    variable,
                    container,
                    body
                }),
                (ident(), labelled).prop_map(|(label, statement)| S::Labelled { label, statement }),
            ]
        })
        .boxed()
}

fn step(statement: BoxedStrategy<StatementKind>) -> BoxedStrategy<Step> {
    prop_oneof![
        6 => statement.clone().prop_map(StepKind::Statement),
        1 => declaration(true).prop_map(StepKind::Declaration),
        1 => (any::<bool>(), vec(variable(), 1..3))
            .prop_map(|(sends, channels)| StepKind::Exclusive { sends, channels }),
        1 => (statement.clone(), statement).prop_map(|(main, escape)| {
            // A semicolon is read behind every `else`, as in SPIN, so `unless` cannot follow.
            let main = if ends_in_else(&main) { StatementKind::Break } else { main };
            StepKind::Unless { main: Box::new(at(main)), escape: Box::new(at(escape)) }
        }),
    ]
    .prop_map(at)
    .boxed()
}

fn ends_in_else(statement: &StatementKind) -> bool {
    match statement {
        StatementKind::Labelled { statement, .. } => {
            statement.as_ref().is_some_and(|inner| ends_in_else(&inner.node))
        }
        other => matches!(other, StatementKind::Else),
    }
}

fn item() -> BoxedStrategy<ItemKind> {
    let body = || vec(step(statement()), 1..4).prop_map(sequence_of);
    let priority = || option::of((1..9).prop_map(at));
    let head = (any::<bool>(), option::of(option::of(constant())), upper(&["Q", "R"]));
    let parameters = vec(declaration(false), 0..3);
    let proctype = (head, parameters, priority(), option::of(condition()), body()).prop_map(
        |((deterministic, active, name), parameters, priority, provided, body)| {
            ItemKind::Proctype(Box::new(Proctype {
                deterministic,
                active,
                name,
                parameters,
                priority,
                provided,
                body,
            }))
        },
    );
    prop_oneof![
        4 => proctype,
        1 => (priority(), body()).prop_map(|(priority, body)| ItemKind::Init { priority, body }),
        1 => (option::of(ident()), body()).prop_map(|(name, body)| ItemKind::Never { name, body }),
        1 => (any::<bool>(), body())
            .prop_map(|(negated, body)| ItemKind::Trace { negated, body }),
        3 => (option::of(ident()), formula())
            .prop_map(|(name, formula)| ItemKind::Ltl { name, formula }),
        2 => declaration(true).prop_map(ItemKind::Declaration),
        1 => (option::of(ident()), vec(ident(), 1..4)).prop_map(|(name, constants)| {
            ItemKind::Mtype { name, visibility: None, constants }
        }),
        1 => (upper(&["S", "T"]), vec(declaration(true), 1..3))
            .prop_map(|(name, fields)| ItemKind::Typedef { name, fields }),
    ]
    .boxed()
}

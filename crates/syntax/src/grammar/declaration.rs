//! Declarations of variables, channels and `mtype` constants.

use super::expression::expression;
use super::operand::Operand;
use super::problem::{Class, Kind, Problem};
use super::word::{in_braces, in_brackets, keyword, list, name, number, optional, sign, take_name};
use super::{Environment, Reader, Rule, position};
use crate::ast::{
    BinaryOperator, Declaration, Expr, ExprKind, Ident, Initializer, SpanOnly, Spanned, TypeName,
    UnaryOperator, VarPart, VarRef, Variable, Visibility,
};
use crate::token::{Keyword, Sign, Token};
use chumsky::prelude::*;

/// What `one_decl` of SPIN's grammar is.
pub(super) enum Declared {
    Variables(Declaration),
    Constants {
        name: Option<Ident>,
        visibility: Option<Spanned<Visibility>>,
        constants: Vec<Ident>,
    },
}

/// Whether a declaration begins here; a name begins one when it is declared as a type.
pub(super) fn begins<'a>(environment: Environment<'a>, reader: &Reader<'a, '_>) -> bool {
    match environment.peek(reader, 0) {
        Some(Token::Keyword(keyword)) => {
            basic_type(*keyword).is_some() || visibility(*keyword).is_some()
        }
        Some(Token::Name(name)) => {
            environment.declared.types.contains(&**name) && begins_user_type(environment, reader)
        }
        _ => false,
    }
}

/// Whether a name stands before a name: outside processes, nothing else can be meant.
pub(super) fn begins_user_type<'a>(environment: Environment<'a>, reader: &Reader<'a, '_>) -> bool {
    let is_name = |ahead| matches!(environment.peek(reader, ahead), Some(Token::Name(_)));
    is_name(0) && is_name(1)
}

/// One declaration.
pub(super) fn declared<'a>(
    environment: Environment<'a>,
    operand: Rule<'a, Operand>,
) -> Rule<'a, Declared> {
    let variables = list(Sign::Comma, variable(environment, operand));
    let constants = constants(environment);
    custom(move |reader: &mut Reader<'a, '_>| {
        let start = position(reader);
        let visibility = take_visibility(environment, reader);
        let at = position(reader);
        let mut kind = take_type(environment, reader)?;
        let mut subtype = None;
        // After `mtype : name` an `=` tells constants from variables.
        if matches!(reader.peek_ref(), Some(Token::Sign(Sign::Colon))) {
            if !matches!(kind.node, TypeName::Mtype(_)) {
                return Err(Problem::class(at + 1, Class::Name));
            }
            reader.skip();
            subtype = Some(take_name(environment, reader)?);
        }
        if matches!(reader.peek_ref(), Some(Token::Sign(Sign::Assign | Sign::LeftBrace))) {
            if subtype.is_some() || reader.peek_ref() == Some(&Token::Sign(Sign::Assign)) {
                reader.parse(sign(Sign::Assign))?;
            }
            let constants = reader.parse(&constants)?;
            if !matches!(kind.node, TypeName::Mtype(_)) {
                reader.emit(Problem::new(at, Kind::ConstantsOfOtherType));
            }
            return Ok(Declared::Constants { name: subtype, visibility, constants });
        }
        if let TypeName::Mtype(slot) = &mut kind.node {
            *slot = subtype;
            kind.span = environment.span(at, position(reader));
        }
        let variables = reader.parse(&variables)?;
        let span = SpanOnly(environment.span(start, position(reader)));
        Ok(Declared::Variables(Declaration { visibility, kind, variables, span }))
    })
    .boxed()
}

/// A declaration of variables where constants have no place.
pub(super) fn variables<'a>(
    environment: Environment<'a>,
    operand: Rule<'a, Operand>,
) -> Rule<'a, Declaration> {
    let declared = declared(environment, operand);
    custom(move |reader: &mut Reader<'a, '_>| {
        let at = position(reader);
        match reader.parse(&declared)? {
            Declared::Variables(declaration) => Ok(declaration),
            Declared::Constants { visibility, .. } => {
                reader.emit(Problem::new(at, Kind::LocalMtype));
                let span = environment.span(at, position(reader));
                let kind = Spanned::new(TypeName::Mtype(None), span);
                let span = SpanOnly(span);
                Ok(Declaration { visibility, kind, variables: Vec::new(), span })
            }
        }
    })
    .boxed()
}

/// A number, or arithmetic over numbers and constants; names are for `model` to judge.
pub(super) fn constant_expression<'a>(operand: Rule<'a, Operand>) -> Rule<'a, Expr> {
    custom(move |reader: &mut Reader<'a, '_>| {
        let at = position(reader);
        let (expr, _) = reader.parse(&operand)?.plain(|problem| reader.emit(problem));
        if !is_constant(&expr) {
            reader.emit(Problem::new(at, Kind::NotConstant));
        }
        Ok(expr)
    })
    .boxed()
}

fn is_constant(expr: &Expr) -> bool {
    use BinaryOperator::{Add, Divide, Multiply, Remainder, Subtract};
    match &expr.node {
        ExprKind::Number(_) | ExprKind::True | ExprKind::False | ExprKind::Skip => true,
        ExprKind::Variable(variable) => {
            matches!(variable.parts.as_slice(), [VarPart { index: None, .. }])
        }
        ExprKind::Unary(UnaryOperator::Minus, inner) => is_constant(inner),
        ExprKind::Binary(Add | Subtract | Multiply | Divide | Remainder, left, right) => {
            is_constant(left) && is_constant(right)
        }
        _ => false,
    }
}

fn variable<'a>(environment: Environment<'a>, operand: Rule<'a, Operand>) -> Rule<'a, Variable> {
    let size = in_brackets(constant_expression(operand.clone()));
    let width = sign(Sign::Colon).ignore_then(number(environment));
    let initial = sign(Sign::Assign).ignore_then(initializer(environment, operand));
    let initial = optional(Token::Sign(Sign::Assign), initial);
    let name = name(environment);
    custom(move |reader: &mut Reader<'a, '_>| {
        let name = reader.parse(name)?;
        let (mut bits, mut length) = (None, None);
        match reader.peek_ref() {
            Some(Token::Sign(Sign::Colon)) => bits = Some(reader.parse(width)?),
            Some(Token::Sign(Sign::LeftBracket)) => length = Some(reader.parse(&size)?),
            _ => {}
        }
        let initial = reader.parse(&initial)?;
        Ok(Variable { name, width: bits, size: length, initial })
    })
    .boxed()
}

fn initializer<'a>(
    environment: Environment<'a>,
    operand: Rule<'a, Operand>,
) -> Rule<'a, Initializer> {
    let values = in_braces(list(Sign::Comma, constant(environment))).map(Initializer::List);
    let channel = in_brackets(constant_expression(operand.clone()))
        .then_ignore(keyword(Keyword::Of))
        .then(in_braces(list(Sign::Comma, field(environment))))
        .map_with(move |(capacity, fields), extra| {
            let range: SimpleSpan<usize> = extra.span();
            let span = SpanOnly(environment.span(range.start, range.end));
            Initializer::Channel { span, capacity, fields }
        });
    choice((values, channel, expression(operand).map(Initializer::Expression))).boxed()
}

/// A number, `true`, `false`, `skip`, or the name of an `mtype` constant.
fn constant(environment: Environment<'_>) -> Rule<'_, Expr> {
    custom(move |reader: &mut Reader<'_, '_>| {
        let at = position(reader);
        let span = environment.span(at, at + 1);
        let kind = match reader.peek_ref() {
            Some(Token::Number(number)) => ExprKind::Number(*number),
            Some(Token::Keyword(Keyword::True)) => ExprKind::True,
            Some(Token::Keyword(Keyword::False)) => ExprKind::False,
            Some(Token::Keyword(Keyword::Skip)) => ExprKind::Skip,
            Some(Token::Name(_)) => {
                let name = take_name(environment, reader)?;
                let parts = vec![VarPart { name, index: None }];
                let variable = VarRef { parts, span: SpanOnly(span) };
                return Ok(Expr::new(ExprKind::Variable(variable), span));
            }
            _ => return Err(Problem::class(at, Class::Number)),
        };
        reader.skip();
        Ok(Expr::new(kind, span))
    })
    .boxed()
}

/// The type of a field of a message.
fn field(environment: Environment<'_>) -> Rule<'_, Spanned<TypeName>> {
    custom(move |reader: &mut Reader<'_, '_>| {
        let at = position(reader);
        let mut kind = take_type(environment, reader)?;
        if kind.node == TypeName::Unsigned {
            reader.emit(Problem::new(at, Kind::UnsignedField));
            if reader.peek_ref() == Some(&Token::Sign(Sign::Colon)) {
                reader.skip();
                reader.parse(number(environment))?;
            }
        }
        if let TypeName::Mtype(subtype) = &mut kind.node
            && reader.peek_ref() == Some(&Token::Sign(Sign::Colon))
        {
            reader.skip();
            *subtype = Some(take_name(environment, reader)?);
            kind.span = environment.span(at, position(reader));
        }
        Ok(kind)
    })
    .boxed()
}

/// `{ a, b c }`: commas are optional between names and may repeat.
fn constants(environment: Environment<'_>) -> Rule<'_, Vec<Ident>> {
    let comma = sign(Sign::Comma).repeated();
    in_braces(name(environment).then_ignore(comma).repeated().at_least(1).collect())
}

fn take_visibility<'a>(
    environment: Environment<'a>,
    reader: &mut Reader<'a, '_>,
) -> Option<Spanned<Visibility>> {
    let at = position(reader);
    let Some(Token::Keyword(keyword)) = reader.peek_ref() else { return None };
    let visibility = visibility(*keyword)?;
    reader.skip();
    Some(Spanned::new(visibility, environment.span(at, at + 1)))
}

fn take_type<'a>(
    environment: Environment<'a>,
    reader: &mut Reader<'a, '_>,
) -> Result<Spanned<TypeName>, Problem> {
    let at = position(reader);
    let kind = match reader.peek_ref() {
        Some(Token::Keyword(keyword)) => basic_type(*keyword),
        Some(Token::Name(_)) => {
            let name = take_name(environment, reader)?;
            let span = name.span;
            return Ok(Spanned::new(TypeName::User(name), span));
        }
        _ => None,
    };
    let Some(kind) = kind else { return Err(Problem::class(at, Class::Type)) };
    reader.skip();
    Ok(Spanned::new(kind, environment.span(at, at + 1)))
}

fn visibility(keyword: Keyword) -> Option<Visibility> {
    Some(match keyword {
        Keyword::Hidden => Visibility::Hidden,
        Keyword::Show => Visibility::Show,
        Keyword::Local => Visibility::Local,
        _ => return None,
    })
}

fn basic_type(keyword: Keyword) -> Option<TypeName> {
    Some(match keyword {
        Keyword::Bit => TypeName::Bit,
        Keyword::Bool => TypeName::Bool,
        Keyword::Byte => TypeName::Byte,
        Keyword::Pid => TypeName::Pid,
        Keyword::Short => TypeName::Short,
        Keyword::Int => TypeName::Int,
        Keyword::Unsigned => TypeName::Unsigned,
        Keyword::Chan => TypeName::Chan,
        Keyword::Mtype => TypeName::Mtype(None),
        _ => return None,
    })
}

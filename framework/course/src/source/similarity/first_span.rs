//! Where an expression begins: read from its first word, without making its tokens anew.

use proc_macro2::Span;
use syn::{BinOp, Expr, Macro, Path};

/// The place of the first word of an expression.
pub(super) fn first_span(expression: &Expr) -> Span {
    match expression {
        Expr::Array(inner) => inner.bracket_token.span.open(),
        Expr::Assign(inner) => first_span(&inner.left),
        Expr::Binary(inner) => first_span(&inner.left),
        Expr::Block(inner) => inner.block.brace_token.span.open(),
        Expr::Break(inner) => inner.break_token.span,
        Expr::Call(inner) => first_span(&inner.func),
        Expr::Cast(inner) => first_span(&inner.expr),
        Expr::Closure(inner) => inner.or1_token.span,
        Expr::Continue(inner) => inner.continue_token.span,
        Expr::Field(inner) => first_span(&inner.base),
        Expr::ForLoop(inner) => inner.for_token.span,
        Expr::Group(inner) => first_span(&inner.expr),
        Expr::If(inner) => inner.if_token.span,
        Expr::Index(inner) => first_span(&inner.expr),
        Expr::Let(inner) => inner.let_token.span,
        Expr::Lit(inner) => inner.lit.span(),
        Expr::Loop(inner) => inner.loop_token.span,
        Expr::Macro(inner) => of_macro(&inner.mac),
        Expr::Match(inner) => inner.match_token.span,
        Expr::MethodCall(inner) => inner.method.span(),
        Expr::Paren(inner) => inner.paren_token.span.open(),
        Expr::Path(inner) => of_path(&inner.path),
        Expr::Range(inner) => {
            inner.start.as_ref().or(inner.end.as_ref()).map_or_else(Span::call_site, |end| first_span(end))
        }
        Expr::Reference(inner) => inner.and_token.span,
        Expr::Repeat(inner) => inner.bracket_token.span.open(),
        Expr::Return(inner) => inner.return_token.span,
        Expr::Struct(inner) => of_path(&inner.path),
        Expr::Try(inner) => first_span(&inner.expr),
        Expr::Tuple(inner) => inner.paren_token.span.open(),
        Expr::Unary(inner) => first_span(&inner.expr),
        Expr::Unsafe(inner) => inner.unsafe_token.span,
        Expr::While(inner) => inner.while_token.span,
        _ => Span::call_site(),
    }
}

/// The place of a macro's name.
pub(super) fn of_macro(call: &Macro) -> Span {
    of_path(&call.path)
}

fn of_path(path: &Path) -> Span {
    path.segments.first().map_or_else(Span::call_site, |segment| segment.ident.span())
}

/// The place of an operator.
pub(super) fn of_operator(operator: &BinOp) -> Span {
    match operator {
        BinOp::Add(token) => token.spans[0],
        BinOp::Sub(token) => token.spans[0],
        BinOp::Mul(token) => token.spans[0],
        BinOp::Div(token) => token.spans[0],
        BinOp::Rem(token) => token.spans[0],
        BinOp::And(token) => token.spans[0],
        BinOp::Or(token) => token.spans[0],
        BinOp::BitXor(token) => token.spans[0],
        BinOp::BitAnd(token) => token.spans[0],
        BinOp::BitOr(token) => token.spans[0],
        BinOp::Shl(token) => token.spans[0],
        BinOp::Shr(token) => token.spans[0],
        BinOp::Eq(token) => token.spans[0],
        BinOp::Lt(token) => token.spans[0],
        BinOp::Le(token) => token.spans[0],
        BinOp::Ne(token) => token.spans[0],
        BinOp::Ge(token) => token.spans[0],
        BinOp::Gt(token) => token.spans[0],
        BinOp::AddAssign(token) => token.spans[0],
        BinOp::SubAssign(token) => token.spans[0],
        BinOp::MulAssign(token) => token.spans[0],
        BinOp::DivAssign(token) => token.spans[0],
        BinOp::RemAssign(token) => token.spans[0],
        BinOp::BitXorAssign(token) => token.spans[0],
        BinOp::BitAndAssign(token) => token.spans[0],
        BinOp::BitOrAssign(token) => token.spans[0],
        BinOp::ShlAssign(token) => token.spans[0],
        BinOp::ShrAssign(token) => token.spans[0],
        _ => Span::call_site(),
    }
}

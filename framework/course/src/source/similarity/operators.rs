//! Operators: their signs, and which of them may exchange their sides.

use syn::BinOp;

/// Whether the operator changes its left side.
pub(super) fn is_compound(operator: &BinOp) -> bool {
    compound_sign(operator).is_some()
}

pub(super) fn compound_sign(operator: &BinOp) -> Option<&'static str> {
    Some(match operator {
        BinOp::AddAssign(_) => "+",
        BinOp::SubAssign(_) => "-",
        BinOp::MulAssign(_) => "*",
        BinOp::DivAssign(_) => "/",
        BinOp::RemAssign(_) => "%",
        BinOp::BitXorAssign(_) => "^",
        BinOp::BitAndAssign(_) => "&",
        BinOp::BitOrAssign(_) => "|",
        BinOp::ShlAssign(_) => "<<",
        BinOp::ShrAssign(_) => ">>",
        _ => return None,
    })
}

/// The sign of an operator, and whether its sides change places: `a > b` is `b < a`.
pub(super) fn sign(operator: &BinOp) -> (&'static str, bool) {
    match operator {
        BinOp::Add(_) => ("+", false),
        BinOp::Sub(_) => ("-", false),
        BinOp::Mul(_) => ("*", false),
        BinOp::Div(_) => ("/", false),
        BinOp::Rem(_) => ("%", false),
        BinOp::And(_) => ("&&", false),
        BinOp::Or(_) => ("||", false),
        BinOp::BitXor(_) => ("^", false),
        BinOp::BitAnd(_) => ("&", false),
        BinOp::BitOr(_) => ("|", false),
        BinOp::Shl(_) => ("<<", false),
        BinOp::Shr(_) => (">>", false),
        BinOp::Eq(_) => ("==", false),
        BinOp::Ne(_) => ("!=", false),
        BinOp::Lt(_) => ("<", false),
        BinOp::Le(_) => ("<=", false),
        BinOp::Gt(_) => ("<", true),
        BinOp::Ge(_) => ("<=", true),
        _ => ("?", false),
    }
}

pub(super) fn is_commutative(sign: &str) -> bool {
    ["+", "*", "&&", "||", "==", "!=", "^", "&", "|"].contains(&sign)
}

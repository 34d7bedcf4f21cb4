//! Closures: where their parameters are, and to which method a closure is an argument.

use std::ops::Range;

use super::own_items::end_at_level;
use crate::token::{Token, TokenKind};

/// A closure.
pub(super) struct Closure {
    /// The tokens between the bars.
    pub(super) parameters: Range<usize>,
    /// The index of the dot before the method that has the closure as an argument.
    pub(super) method_dot: Option<usize>,
    /// The index after the body.
    end: usize,
}

impl Closure {
    /// The closure whose first bar is at `bar`.
    pub(super) fn at(tokens: &[Token], bar: usize) -> Option<Self> {
        let before = bar.checked_sub(1).filter(|_| tokens[bar].is_mark('|'))?;
        let before = if tokens[before].is_word("move") { before.checked_sub(1)? } else { before };
        let begins = match tokens[before].kind {
            TokenKind::Open(_) | TokenKind::Mark(',' | '=' | ';' | ':') | TokenKind::Close('}') => true,
            // `=>` of a `match`.
            TokenKind::Mark('>') => before > 0 && tokens[before - 1].is_mark('='),
            _ => tokens[before].is_word("return"),
        };
        let close = end_at_level(tokens, bar + 1, &|token| token.is_mark('|'));
        if !begins || !tokens.get(close)?.is_mark('|') {
            return None;
        }
        let end = end_at_level(tokens, close + 1, &|token| token.is_mark(',') || token.is_mark(';'));
        Some(Self { parameters: bar + 1..close, method_dot: method_dot(tokens, before), end })
    }

    /// The innermost closure around the token at `at` that has a parameter of this name without a type.
    pub(super) fn with_parameter(tokens: &[Token], at: usize, name: &str) -> Option<Self> {
        (0..at).rev().find_map(|bar| {
            let closure = Self::at(tokens, bar).filter(|closure| closure.end > at)?;
            let has_no_type = |parameter: usize| {
                tokens[parameter].is_word(name)
                    && tokens.get(parameter + 1).is_some_and(|next| !next.is_mark(':'))
            };
            (closure.parameters.end < at && closure.parameters.clone().any(has_no_type)).then_some(closure)
        })
    }
}

/// The dot of the method among whose arguments the token at `at` is.
fn method_dot(tokens: &[Token], mut at: usize) -> Option<usize> {
    while !matches!(tokens[at].kind, TokenKind::Open(_)) {
        at = tokens[at].partner.min(at).checked_sub(1)?;
    }
    tokens[at.checked_sub(1)?].word()?;
    at.checked_sub(2).filter(|dot| tokens[at].is_open('(') && tokens[*dot].is_mark('.'))
}

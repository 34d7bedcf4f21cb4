//! How many arguments a call has.
//!
//! Tokens do not show whether a comma between `<` and `>` separates arguments: `f(a < b, c > d)` has two, `f(g::<A, B>(c))` has one.
//! So a count is a range.

use super::own_items::angle_end;
use crate::token::{Token, TokenKind};

/// The least and the largest number of arguments that a call may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ArgumentCount {
    least: usize,
    most: usize,
}

impl ArgumentCount {
    /// Of the call whose brackets, or type arguments, begin at `at`; `None` where no call is.
    pub(super) fn of_call(tokens: &[Token], at: usize) -> Option<Self> {
        let open = match tokens.get(at)?.kind {
            TokenKind::PathSeparator => at + tokens[at..].iter().position(|token| token.is_open('('))?,
            // A macro's variable may be the brackets with all arguments.
            TokenKind::Mark('$') => return Some(Self { least: 0, most: usize::MAX }),
            _ => at,
        };
        tokens[open].is_open('(').then(|| Self::of_brackets(tokens, open))
    }

    /// Of the arguments in the brackets that open at `open`.
    pub(super) fn of_brackets(tokens: &[Token], open: usize) -> Self {
        let close = tokens[open].partner;
        // A macro's variable may be several arguments.
        if tokens[open + 1..close].iter().any(|token| token.is_mark('$')) {
            return Self { least: 0, most: usize::MAX };
        }
        Self { least: count(tokens, open, true), most: count(tokens, open, false) }
    }

    /// Whether the call may have this many arguments.
    pub(super) fn may_be(self, count: usize) -> bool {
        (self.least..=self.most).contains(&count)
    }
}

/// The number of parts between commas. With `skips_angles` the tokens from `<` to its `>` are one part.
fn count(tokens: &[Token], open: usize, skips_angles: bool) -> usize {
    let close = tokens[open].partner;
    let (mut count, mut at, mut is_empty) = (0, open + 1, true);
    while at < close {
        match tokens[at].kind {
            TokenKind::Mark(',') => {
                count += usize::from(!is_empty);
                is_empty = true;
                at += 1;
                continue;
            }
            TokenKind::Mark('<') if skips_angles => {
                at = angle_end(tokens, at).map_or(at, |end| end - 1);
            }
            // The parameters of a closure: the commas between them separate no arguments.
            TokenKind::Mark('|') if is_empty || tokens[at - 1].is_word("move") => {
                at += 1 + tokens[at + 1..close].iter().position(|token| token.is_mark('|')).unwrap_or(0);
            }
            _ => at = tokens[at].partner.max(at),
        }
        is_empty = false;
        at += 1;
    }
    count + usize::from(!is_empty)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_in_types_and_closures_are_known() {
        for (text, least, most) in [
            ("f()", 0, 0),
            ("f(a, (b, c), [d, e],)", 3, 3),
            ("f(|a, b| a, move |c, d| c)", 2, 2),
            ("f(g::<A, B>(c), d)", 2, 3),
            ("f(a < b, c > d)", 1, 2),
            ("f($($a),*)", 0, usize::MAX),
        ] {
            let tokens = crate::token::flatten(text.parse().expect("tokens"));
            let count = ArgumentCount::of_call(&tokens, 1);
            assert_eq!(count, Some(ArgumentCount { least, most }), "{text}");
        }
    }
}

//! The items of a file that decide what a method is: `impl` blocks, traits and signatures of functions.
//!
//! They are read from tokens, so those in the call of a macro and in `macro_rules!` are among them.

use std::ops::Range;

use crate::token::{Token, TokenKind};

/// An `impl` block or a trait.
pub(super) struct ItemBlock {
    /// The tokens between its braces.
    pub(super) body: Range<usize>,
    /// The tokens of the type that it is for; of a trait, its name.
    pub(super) self_type: Range<usize>,
    /// The last name of the trait that the block implements.
    pub(super) of_trait: Option<String>,
}

impl ItemBlock {
    /// The name of the type, without its path and its arguments.
    pub(super) fn type_name<'a>(&self, tokens: &'a [Token]) -> Option<&'a str> {
        let range = self.self_type.clone();
        let is_before = |at: &usize| {
            let is_lifetime = tokens[*at].is_mark('\'') || *at > range.start && tokens[*at - 1].is_mark('\'');
            is_lifetime
                || tokens[*at].is_mark('&')
                || ["dyn", "mut"].iter().any(|word| tokens[*at].is_word(word))
        };
        let is_path =
            |at: &usize| tokens[*at].word().is_some() || tokens[*at].kind == TokenKind::PathSeparator;
        let path = range.clone().skip_while(is_before).take_while(is_path);
        path.filter_map(|at| tokens[at].word()).last()
    }
}

/// The first line of a function.
pub(super) struct Signature {
    pub(super) name: String,
    /// The index of the word `fn`.
    pub(super) at: usize,
    /// Whether its first parameter is `self`.
    pub(super) is_method: bool,
    /// The tokens of the type of its result.
    pub(super) result: Range<usize>,
    /// The index after its body, or after its semicolon.
    pub(super) end: usize,
}

impl Signature {
    /// Whether the word is a type parameter of this function that need not implement anything.
    pub(super) fn is_free_parameter(&self, tokens: &[Token], word: &str) -> bool {
        let start = self.at + 2;
        let end = tokens.get(start).filter(|token| token.is_mark('<')).and_then(|_| angle_end(tokens, start));
        let mut parameters = start..end.unwrap_or(start);
        parameters.any(|at| tokens[at].is_word(word) && !tokens[at + 1].is_mark(':'))
            && !tokens[self.result.end..self.end]
                .iter()
                .take_while(|token| !token.is_open('{'))
                .any(|token| token.is_word(word))
    }

    /// The signature that begins at this word.
    pub(super) fn at(tokens: &[Token], at: usize) -> Option<Self> {
        let name = tokens.get(at + 1).filter(|_| tokens[at].is_word("fn"))?.word()?.to_owned();
        let open = if tokens.get(at + 2)?.is_mark('<') { angle_end(tokens, at + 2)? } else { at + 2 };
        let close = tokens.get(open).filter(|token| token.is_open('('))?.partner;
        let first = tokens[open + 1..close].split(|token| token.is_mark(',')).next().unwrap_or_default();
        let is_method = (0..first.len()).any(|at| {
            let is_path = first.get(at + 1).is_some_and(|next| next.kind == TokenKind::PathSeparator);
            first[at].is_word("self") && !is_path
        });
        let is_end = |token: &Token| token.is_open('{') || token.is_mark(';') || token.is_word("where");
        let end_of = |from: usize, is_end: &dyn Fn(&Token) -> bool| {
            tokens[from..].iter().position(is_end).map_or(tokens.len(), |end| from + end)
        };
        let result = close + 1..end_of(close + 1, &is_end);
        let body = end_of(result.end, &|token| token.is_open('{') || token.is_mark(';'));
        let end = tokens.get(body).map_or(tokens.len(), |last| last.partner.max(body) + 1);
        Some(Self { name, at, is_method, result, end })
    }
}

/// The items of one file.
pub(super) struct OwnItems {
    pub(super) blocks: Vec<ItemBlock>,
    pub(super) signatures: Vec<Signature>,
}

impl OwnItems {
    pub(super) fn new(tokens: &[Token]) -> Self {
        let words = || (0..tokens.len()).filter(|at| tokens[*at].word().is_some());
        let blocks = words().filter_map(|at| block(tokens, at)).collect();
        let signatures = words().filter_map(|at| Signature::at(tokens, at)).collect();
        Self { blocks, signatures }
    }

    /// The innermost block around this token.
    pub(super) fn block_around(&self, at: usize) -> Option<&ItemBlock> {
        let around = self.blocks.iter().filter(|block| block.body.contains(&at));
        around.min_by_key(|block| block.body.len())
    }
}

/// The block that begins at this word.
fn block(tokens: &[Token], at: usize) -> Option<ItemBlock> {
    let open = || {
        let end = tokens[at..].iter().position(|token| token.is_open('{') || token.is_mark(';'))? + at;
        tokens[end].is_open('{').then_some(end)
    };
    if tokens[at].is_word("trait") {
        tokens.get(at + 1)?.word()?;
        let open = open()?;
        return Some(ItemBlock {
            body: open + 1..tokens[open].partner,
            self_type: at + 1..at + 2,
            of_trait: None,
        });
    }
    if !tokens[at].is_word("impl") || !begins_item(tokens, at) {
        return None;
    }
    let open = open()?;
    let start = if tokens.get(at + 1)?.is_mark('<') { angle_end(tokens, at + 1)? } else { at + 1 };
    let outside = words_outside_brackets(tokens, start..open);
    let end = outside.iter().copied().find(|at| tokens[*at].is_word("where")).unwrap_or(open);
    let is_for = |at: &usize| tokens[*at].is_word("for") && !tokens[at + 1].is_mark('<');
    let split = outside.iter().copied().find(is_for);
    let of_trait = split.and_then(|split| {
        let mut inside = outside.iter().filter(|word| **word < split).filter_map(|word| tokens[*word].word());
        inside.next_back().map(str::to_owned)
    });
    let self_type = split.map_or(start, |split| split + 1)..end;
    Some(ItemBlock { body: open + 1..tokens[open].partner, self_type, of_trait })
}

/// Whether `impl` begins an item here and is not the type of a parameter or of a result.
fn begins_item(tokens: &[Token], at: usize) -> bool {
    at.checked_sub(1).is_none_or(|before| match &tokens[before].kind {
        TokenKind::Open('{') | TokenKind::Close('}' | ']') | TokenKind::Mark(';') => true,
        // The first token of a macro's call, or of a rule of a macro.
        TokenKind::Open(_) => before > 0 && tokens[before - 1].is_mark('!'),
        TokenKind::Word(word) => ["default", "unsafe"].contains(&word.as_str()),
        _ => false,
    })
}

/// The words of a range that are not between angle brackets.
pub(super) fn words_outside_brackets(tokens: &[Token], range: Range<usize>) -> Vec<usize> {
    let mut found = vec![];
    let mut at = range.start;
    while at < range.end {
        if tokens[at].is_mark('<') {
            at = angle_end(tokens, at).unwrap_or(range.end);
            continue;
        }
        if tokens[at].word().is_some() {
            found.push(at);
        }
        at = tokens[at].partner.max(at) + 1;
    }
    found
}

/// The index after the `>` that closes this `<`.
pub(super) fn angle_end(tokens: &[Token], open: usize) -> Option<usize> {
    let (mut depth, mut at) = (0, open);
    while at < tokens.len() {
        match tokens[at].kind {
            TokenKind::Mark('<') => depth += 1,
            // The end of an arrow `->` is not a bracket.
            TokenKind::Mark('>') if !tokens[at - 1].is_mark('-') => depth -= 1,
            TokenKind::Mark(';') | TokenKind::Close(_) => return None,
            _ => {}
        }
        at = tokens[at].partner.max(at) + 1;
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

/// The index of the `<` that this `>` closes.
pub(super) fn angle_start(tokens: &[Token], close: usize) -> Option<usize> {
    let mut at = close;
    while at > 0 {
        at = match tokens[at - 1].kind {
            TokenKind::Mark(';') | TokenKind::Open(_) => return None,
            TokenKind::Close(_) => tokens[at - 1].partner,
            _ => at - 1,
        };
        if tokens[at].is_mark('<') && angle_end(tokens, at) == Some(close + 1) {
            return Some(at);
        }
    }
    None
}

/// The index of the first token from `at` on, outside of brackets that begin there, at which a statement ends.
pub(super) fn end_at_level(tokens: &[Token], mut at: usize, is_end: &dyn Fn(&Token) -> bool) -> usize {
    while at < tokens.len() {
        if is_end(&tokens[at]) || matches!(tokens[at].kind, TokenKind::Close(_)) {
            return at;
        }
        at = tokens[at].partner.max(at) + 1;
    }
    tokens.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_and_signatures_are_read_through_macros() {
        let text = "as_is! { impl<'a, T: Fn(u8) -> u8> Own<T> for &'a W<T> where T: X { \
            fn a<F: Fn(u8)>(&self, b: HashMap<u8, u8>, f: F) -> Y; } } \
            fn f(x: impl Own) -> impl Iterator<Item = u8> { g(self::z) } trait H: A { fn b(x: u8); }";
        let tokens = crate::token::flatten(text.parse().expect("tokens"));
        let items = OwnItems::new(&tokens);
        let blocks = items.blocks.iter().map(|block| (block.type_name(&tokens), block.of_trait.as_deref()));
        assert_eq!(blocks.collect::<Vec<_>>(), [(Some("W"), Some("Own")), (Some("H"), None)]);
        let shown = |signature: &Signature| (signature.name.clone(), signature.is_method);
        let signatures: Vec<_> = items.signatures.iter().map(shown).collect();
        let expected = [("a", true), ("f", false), ("b", false)];
        assert_eq!(signatures, expected.map(|(name, is_method)| (name.to_owned(), is_method)));
    }
}

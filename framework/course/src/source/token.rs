//! The tokens of a source as one list in which brackets are tokens too: patterns of neighbours are found the same way inside of
//! macros as outside.

use proc_macro2::{Delimiter, LineColumn, Spacing, Span, TokenStream, TokenTree};

/// One token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    /// A name or a keyword, without `r#`.
    Word(String),
    /// `::`.
    PathSeparator,
    /// Any other mark.
    Mark(char),
    /// A number or a string, as it is written.
    Literal(String),
    /// `(`, `[` or `{`.
    Open(char),
    /// `)`, `]` or `}`.
    Close(char),
}

/// One token with its place.
#[derive(Clone, Debug)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) start: LineColumn,
    /// The index of the matching bracket of `Open`; its own index otherwise.
    pub(crate) partner: usize,
}

impl Token {
    fn new(kind: TokenKind, span: Span) -> Self {
        Self { kind, start: span.start(), partner: 0 }
    }

    /// The word, if it is one.
    pub(crate) fn word(&self) -> Option<&str> {
        match &self.kind {
            TokenKind::Word(word) => Some(word),
            _ => None,
        }
    }

    pub(crate) fn is_word(&self, word: &str) -> bool {
        self.word() == Some(word)
    }

    pub(crate) fn is_mark(&self, mark: char) -> bool {
        self.kind == TokenKind::Mark(mark)
    }

    pub(crate) fn is_open(&self, bracket: char) -> bool {
        self.kind == TokenKind::Open(bracket)
    }
}

/// All tokens in the order of the text.
pub(crate) fn flatten(stream: TokenStream) -> Vec<Token> {
    let mut tokens = vec![];
    append(stream, &mut tokens);
    tokens
}

fn append(stream: TokenStream, tokens: &mut Vec<Token>) {
    let mut is_half_separator = false;
    for tree in stream {
        let was_half = std::mem::take(&mut is_half_separator);
        let at = tokens.len();
        match tree {
            TokenTree::Ident(name) => {
                let word = name.to_string();
                let word = word.strip_prefix("r#").unwrap_or(&word).to_owned();
                tokens.push(Token::new(TokenKind::Word(word), name.span()));
            }
            TokenTree::Punct(mark) if mark.as_char() == ':' && was_half => {
                tokens.last_mut().expect("the first half").kind = TokenKind::PathSeparator;
                continue;
            }
            TokenTree::Punct(mark) => {
                is_half_separator = mark.as_char() == ':' && mark.spacing() == Spacing::Joint;
                tokens.push(Token::new(TokenKind::Mark(mark.as_char()), mark.span()));
            }
            TokenTree::Literal(literal) => {
                tokens.push(Token::new(TokenKind::Literal(literal.to_string()), literal.span()));
            }
            TokenTree::Group(group) => append_group(&group, tokens),
        }
        if let Some(token) = tokens.get_mut(at)
            && !matches!(token.kind, TokenKind::Open(_))
        {
            token.partner = at;
        }
    }
}

fn append_group(group: &proc_macro2::Group, tokens: &mut Vec<Token>) {
    let (open, close) = match group.delimiter() {
        Delimiter::Parenthesis => ('(', ')'),
        Delimiter::Bracket => ('[', ']'),
        Delimiter::Brace => ('{', '}'),
        Delimiter::None => return append(group.stream(), tokens),
    };
    let first = tokens.len();
    tokens.push(Token::new(TokenKind::Open(open), group.span_open()));
    append(group.stream(), tokens);
    let last = tokens.len();
    tokens.push(Token::new(TokenKind::Close(close), group.span_close()));
    tokens[first].partner = last;
    tokens[last].partner = first;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_know_their_partners_and_separators_are_one_token() {
        let tokens = flatten("r#a :: b(c, [1]) : :d".parse().expect("tokens"));
        let kinds: Vec<_> = tokens.iter().map(|token| token.kind.clone()).collect();
        assert_eq!(kinds[0], TokenKind::Word("a".into()));
        assert_eq!(kinds[1], TokenKind::PathSeparator);
        assert_eq!((tokens[3].partner, tokens[9].partner), (9, 3));
        assert_eq!((tokens[6].partner, tokens[8].partner), (8, 6));
        assert_eq!(kinds[10..12], [TokenKind::Mark(':'), TokenKind::Mark(':')]);
    }
}

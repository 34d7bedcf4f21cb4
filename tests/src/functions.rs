//! The functions of a source with their lengths, and the names that it uses, read from its tokens.
use std::collections::BTreeSet;

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// A function with a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionLength {
    /// Its name.
    pub name: String,
    /// The line of its keyword `fn`, from 1.
    pub line: usize,
    /// From that line to the line of the closing brace.
    pub lines: usize,
}

/// The tokens of a source.
///
/// # Panics
/// When it is not Rust.
pub fn tokens(source: &str) -> TokenStream {
    source.parse().unwrap_or_else(|error| panic!("not a Rust source: {error}"))
}

/// All functions with a body, those inside others among them, in the order of their ends.
///
/// # Panics
/// When the source is not Rust.
pub fn functions(source: &str) -> Vec<FunctionLength> {
    let mut found = vec![];
    collect(tokens(source), &mut found);
    found
}

fn collect(stream: TokenStream, found: &mut Vec<FunctionLength>) {
    // The name and the line of the function whose body is expected.
    let mut opened: Option<(String, usize)> = None;
    let mut is_after_fn = None;
    for token in stream {
        match &token {
            TokenTree::Ident(word) if word == "fn" => is_after_fn = Some(word.span().start().line),
            TokenTree::Ident(word) => {
                // In the type `fn(usize)` no name follows.
                if let Some(line) = is_after_fn.take() {
                    opened = Some((word.to_string(), line));
                }
            }
            TokenTree::Group(group) => {
                is_after_fn = None;
                collect(group.stream(), found);
                if group.delimiter() == Delimiter::Brace
                    && let Some((name, line)) = opened.take()
                {
                    let lines = group.span_close().end().line + 1 - line;
                    found.push(FunctionLength { name, line, lines });
                }
            }
            TokenTree::Punct(mark) if mark.as_char() == ';' => opened = None,
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}

/// Every word of the code: keywords and names, not those of comments, strings and documentation.
///
/// # Panics
/// When the source is not Rust.
pub fn used_names(source: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let mut open = vec![tokens(source)];
    while let Some(stream) = open.pop() {
        for token in stream {
            match token {
                TokenTree::Ident(name) => drop(names.insert(name.to_string())),
                TokenTree::Group(group) => open.push(group.stream()),
                TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
        }
    }
    names
}

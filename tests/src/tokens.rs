//! The tokens of a source, and the names that it uses.
use std::collections::BTreeSet;

use proc_macro2::{TokenStream, TokenTree};

/// The tokens of a source.
///
/// # Panics
/// When it is not Rust.
pub fn tokens(source: &str) -> TokenStream {
    source.parse().unwrap_or_else(|error| panic!("not a Rust source: {error}"))
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

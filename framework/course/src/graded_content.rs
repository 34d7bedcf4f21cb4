//! What a grade follows from in a task's files: two states are equal where they differ only in formatting and comments.
//!
//! | file | what counts |
//! |---|---|
//! | `*.rs` | the tokens, without comments and documentation, without a comma before a closing bracket; imports that follow each other as a set of paths with their new names |
//! | `*.md`, others | the words; text outside is chosen by the caller, such as a report without its generated blocks |
//! | `*.yaml`, `*.toml` | the lines without comments, blank lines and spaces at the end |
//!
//! ```
//! use wb_course::GradedContent;
//! let before = GradedContent::from_files([("src/seq.rs", "fn f(a: u8) -> u8 { a } // a")]);
//! let after = GradedContent::from_files([("src/seq.rs", "/// F.\nfn f(\n    a: u8,\n) -> u8 {\n    a\n}\n")]);
//! assert_eq!(before, after);
//! ```

use std::{collections::BTreeMap, str::FromStr};

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// The part of a task's files on which its grade depends.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GradedContent {
    files: BTreeMap<String, String>,
}

impl GradedContent {
    /// The content of these files, each a path and a text.
    pub fn from_files<P: Into<String>, T: AsRef<str>>(files: impl IntoIterator<Item = (P, T)>) -> Self {
        let file = |(path, text): (P, T)| {
            let path = path.into();
            let normal = normal_form(&path, text.as_ref());
            (path, normal)
        };
        Self { files: files.into_iter().map(file).collect() }
    }

    /// Whether a file differs from that of each of these states, also one that is missing here or there: what a commit with these parents
    /// adds itself. Without any other state, whether there is a file.
    ///
    /// ```
    /// use wb_course::GradedContent;
    /// let state = |a, b| GradedContent::from_files([("a.rs", a), ("b.rs", b)]);
    /// let (left, right) = (state("1", "0"), state("0", "2"));
    /// assert!(!state("1", "2").differs_from_each(&[left.clone(), right.clone()]), "each file is a parent's");
    /// assert!(state("1", "3").differs_from_each(&[left, right]));
    /// ```
    pub fn differs_from_each(&self, others: &[Self]) -> bool {
        let mut paths = others.iter().chain([self]).flat_map(|state| state.files.keys());
        paths.any(|path| others.iter().all(|other| other.files.get(path) != self.files.get(path)))
    }

    /// Whether there is no file.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }
}

fn normal_form(path: &str, text: &str) -> String {
    match path.rsplit_once('.').map(|(_, extension)| extension) {
        Some("rs") => rust(text),
        Some("yaml" | "yml" | "toml") => settings(text),
        _ => words(text),
    }
}

fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Comments at the end of a line stay: a `#` may be part of a value.
fn settings(text: &str) -> String {
    let lines = text
        .lines()
        .map(str::trim_end)
        .filter(|line| !line.trim_start().starts_with('#') && !line.is_empty());
    lines.collect::<Vec<_>>().join("\n")
}

/// A file that is not Rust is compared by its words.
fn rust(text: &str) -> String {
    match TokenStream::from_str(text) {
        Ok(tokens) => stream(tokens),
        Err(_) => words(text),
    }
}

/// The tokens in order; the paths of imports that follow each other are sorted, since the formatter changes their order.
fn stream(tokens: TokenStream) -> String {
    let tokens: Vec<TokenTree> = without_documentation(tokens.into_iter().collect());
    let mut parts: Vec<String> = Vec::new();
    let mut imports: Vec<String> = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let end = import_end(&tokens[at..]);
        if let Some(length) = end {
            import(&tokens[at..at + length], &mut imports);
            at += length;
            continue;
        }
        flush(&mut imports, &mut parts);
        let is_last_comma = at + 1 == tokens.len() && is_punct(&tokens[at], ',');
        if !is_last_comma {
            parts.push(token(&tokens[at]));
        }
        at += 1;
    }
    flush(&mut imports, &mut parts);
    parts.join(" ")
}

fn flush(imports: &mut Vec<String>, parts: &mut Vec<String>) {
    imports.sort();
    parts.append(imports);
}

/// The number of tokens of the import that begins here, its semicolon included.
fn import_end(tokens: &[TokenTree]) -> Option<usize> {
    let is_use = matches!(tokens.first(), Some(TokenTree::Ident(word)) if *word == "use");
    let semicolon = || tokens.iter().position(|token| is_punct(token, ';'));
    is_use.then(semicolon).flatten().map(|at| at + 1)
}

/// The paths of an import, each with its new name where it has one: those of `use a::{b as c, d};` are `a :: b as c` and `a :: d`.
fn import(tokens: &[TokenTree], paths: &mut Vec<String>) {
    // The last token is the semicolon.
    let tree = tokens.split_last().map_or(tokens, |(_, tree)| tree);
    collect_paths(tree, "", paths);
}

fn collect_paths(tree: &[TokenTree], prefix: &str, paths: &mut Vec<String>) {
    for item in tree.split(|token| is_punct(token, ',')).filter(|item| !item.is_empty()) {
        let words = |tokens: &[TokenTree]| {
            tokens.iter().fold(prefix.to_owned(), |path, token| format!("{path} {token}"))
        };
        match item {
            [path @ .., TokenTree::Group(group)] if group.delimiter() == Delimiter::Brace => {
                let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                collect_paths(&inner, &words(path), paths);
            }
            path => paths.push(words(path)),
        }
    }
}

fn token(token: &TokenTree) -> String {
    let TokenTree::Group(group) = token else { return token.to_string() };
    let inner = stream(group.stream());
    match group.delimiter() {
        Delimiter::Parenthesis => format!("( {inner} )"),
        Delimiter::Brace => format!("{{ {inner} }}"),
        Delimiter::Bracket => format!("[ {inner} ]"),
        Delimiter::None => inner,
    }
}

/// Without `#[doc ...]` and `#![doc ...]`, which documentation comments are.
fn without_documentation(tokens: Vec<TokenTree>) -> Vec<TokenTree> {
    let mut kept: Vec<TokenTree> = Vec::with_capacity(tokens.len());
    for token in tokens {
        let is_doc = matches!(&token, TokenTree::Group(group)
            if group.delimiter() == Delimiter::Bracket
                && matches!(group.stream().into_iter().next(), Some(TokenTree::Ident(word)) if word == "doc"));
        if is_doc && kept.last().is_some_and(|last| is_punct(last, '#') || is_punct(last, '!')) {
            if kept.last().is_some_and(|last| is_punct(last, '!')) {
                kept.pop();
            }
            kept.pop();
        } else {
            kept.push(token);
        }
    }
    kept
}

fn is_punct(token: &TokenTree, wanted: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BEFORE: &str = "use std::{fmt, io};\nuse a::b;\n#[inline]\nfn f(x: u64, y: u64) -> u64 { let v = vec![x, y]; v[0] + 1 }";

    fn is_same(path: &str, before: &str, after: &str) -> bool {
        GradedContent::from_files([(path, before)]) == GradedContent::from_files([(path, after)])
    }

    #[test]
    fn formatting_comments_and_the_order_of_imports_change_nothing() {
        let after = "//! Module.\nuse a::b;\nuse std::{io, fmt};\n\n/// Documentation.\n#[inline]\nfn f(\n    x: u64,\n    y: u64,\n) -> u64 {\n    // why\n    let v = vec![\n        x,\n        y,\n    ];\n    v[0] + 1 /* one */\n}\n";
        assert!(is_same("src/mpi.rs", BEFORE, after));
    }

    #[test]
    fn imports_in_another_order_or_grouping_are_the_same_and_exchanged_names_are_not() {
        let before = "use a::{b as x, c as y, d::{self, e}};\nuse f::*;\nfn g() {}";
        for same in [
            "use f::*;\nuse a::{c as y, d::{e, self}, b as x};\nfn g() {}",
            "use a::{b as x, c as y};\nuse a::d::{self, e};\nuse f::*;\nfn g() {}",
        ] {
            assert!(is_same("src/mpi.rs", before, same), "{same}");
        }
        for other in [
            "use a::{b as y, c as x, d::{self, e}};\nuse f::*;\nfn g() {}",
            "use a::{c as x, b as y, d::{self, e}};\nuse f::*;\nfn g() {}",
            "use f::{b as x, c as y, d::{self, e}};\nuse a::*;\nfn g() {}",
            "use a::{b as x, c as y, d, e};\nuse f::*;\nfn g() {}",
            "use a::{b as x, d::{self, e, c as y}};\nuse f::*;\nfn g() {}",
        ] {
            assert!(!is_same("src/mpi.rs", before, other), "{other}");
        }
    }

    #[test]
    fn every_other_token_is_a_change() {
        for (from, to) in [
            ("+ 1", "+ 2"),
            ("+ 1", "- 1"),
            ("#[inline]", "#[cold]"),
            ("#[inline]", ""),
            ("fmt", "fs"),
            ("use a::b;", ""),
            ("let v", "let mut v"),
            ("[x, y]", "[y, x]"),
            ("v[0]", "v(0)"),
            ("u64 {", "u64 { \"// x\";"),
        ] {
            assert!(BEFORE.contains(from), "{from}");
            assert!(!is_same("src/mpi.rs", BEFORE, &BEFORE.replacen(from, to, 1)), "{from} -> {to}");
        }
    }

    #[test]
    fn settings_prose_and_broken_sources_have_their_own_rules() {
        assert!(is_same("task.yaml", "a: 1\n", "# why\na: 1  \n\n"));
        assert!(!is_same("task.yaml", "a: 1", "a: 2"));
        assert!(!is_same("task.yaml", "a:\n  b: 1", "a:\n b: 1\nc: 2"));
        assert!(is_same("report.md", "one two\nthree", "one\ntwo   three\n"));
        assert!(!is_same("report.md", "one two", "one too"));
        assert!(is_same("src/seq.rs", "fn f( {", "fn f(\n{"));
        assert!(!is_same("src/seq.rs", "fn f( {", "fn g( {"));
    }

    #[test]
    fn a_file_that_is_added_removed_or_renamed_is_a_change() {
        let one = GradedContent::from_files([("src/a.rs", "fn a() {}")]);
        let both = GradedContent::from_files([("src/a.rs", "fn a() {}"), ("src/b.rs", "")]);
        assert_ne!(one, both);
        assert_ne!(one, GradedContent::from_files([("src/b.rs", "fn a() {}")]));
        assert!(GradedContent::default().is_empty() && !one.is_empty());
    }
}

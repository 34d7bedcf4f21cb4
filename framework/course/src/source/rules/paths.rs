//! Paths: to which modules of the standard library and to which crates the words of a source lead.
//!
//! A path is read from tokens, through the brackets of `use` and through the arguments of macros. It begins at a name with no
//! path before it.

use std::collections::BTreeSet;

use wb_text::source as text;

use super::{
    SourceFinding, SourceRule,
    finding::Place,
    standard_library::{self, ROOTS},
};
use crate::source::{
    source_file::ParsedFile,
    token::{Token, TokenKind},
};

/// Crates of the system's libraries. They cannot be used without a dependency; a path to one shows what is tried.
const FOREIGN: [&str; 6] = ["libc", "mpi_sys", "rsmpi", "nix", "rustix", "winapi"];

/// What `workbench` exports for its own macros and for programs without a task.
const INSIDE: [&str; 9] = [
    "backends",
    "in_one_process",
    "benchmark",
    "assignment_laws",
    "functional",
    "private_inputs",
    "ranks",
    "test_binary",
    "threads",
];

/// The end of a path.
struct PathLeaf {
    names: Vec<String>,
    /// Whether it ends with `*`.
    is_glob: bool,
    /// A part of it is a variable of a macro.
    has_variable: bool,
    /// The token that is named in a finding.
    at: usize,
}

/// The modules that the task declares itself.
pub(super) fn own_modules(files: &[ParsedFile<'_>]) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for file in files {
        for pair in file.tokens.windows(2) {
            if pair[0].is_word("mod") {
                names.extend(pair[1].word().map(str::to_owned));
            }
        }
    }
    names
}

/// Checks every path of the file.
pub(super) fn check(file: &ParsedFile<'_>, own_modules: &BTreeSet<String>, found: &mut Vec<SourceFinding>) {
    let tokens = &file.tokens;
    for at in 0..tokens.len() {
        let Some(root) = tokens[at].word() else { continue };
        let is_absolute = is_absolute(tokens, at);
        // `crate::workbench` is the same crate, if the word is a name of the task's root.
        let is_field = at > 0 && tokens[at - 1].is_mark('.') && !is_after_range(tokens, at);
        if root == "workbench" && !is_field {
            check_workbench(file, at, found);
        }
        if !is_absolute && !begins_path(tokens, at) {
            continue;
        }
        if ROOTS.contains(&root) && (is_absolute || root != "alloc" || !own_modules.contains(root)) {
            check_standard(file, at, found);
        }
        let is_foreign = FOREIGN.contains(&root) || root == "mpi";
        let is_path = is_absolute || follows(tokens, at, &TokenKind::PathSeparator);
        if is_foreign && is_path && (is_absolute || !own_modules.contains(root)) {
            let place = Place::of(file.source, &tokens[at]);
            found.push(place.finding(SourceRule::Crates, root, text::foreign_crate(root)));
        }
        if root == "extern" && tokens.get(at + 1).is_some_and(|next| next.is_word("crate")) {
            let name = tokens.get(at + 2).and_then(Token::word).unwrap_or_default();
            let place = Place::of(file.source, &tokens[at]);
            found.push(place.finding(SourceRule::HiddenPath, "extern crate", text::extern_crate(name)));
        }
    }
}

/// Whether a path may begin with this word: it is not the next part of a path, a field, a method or a macro's variable.
fn begins_path(tokens: &[Token], at: usize) -> bool {
    let Some(before) = at.checked_sub(1).map(|before| &tokens[before]) else { return true };
    !matches!(before.kind, TokenKind::PathSeparator | TokenKind::Mark('.' | '$'))
        || is_after_range(tokens, at)
}

/// Whether two dots, a range, are before the word.
fn is_after_range(tokens: &[Token], at: usize) -> bool {
    at >= 2 && tokens[at - 1].is_mark('.') && tokens[at - 2].is_mark('.')
}

/// Whether the word is the first of a path that begins with `::`.
fn is_absolute(tokens: &[Token], at: usize) -> bool {
    if at == 0 || tokens[at - 1].kind != TokenKind::PathSeparator {
        return false;
    }
    match at.checked_sub(2).map(|before| &tokens[before].kind) {
        Some(TokenKind::Word(word)) => is_keyword(word),
        Some(TokenKind::Mark('>') | TokenKind::Close(_)) => {
            ROOTS.contains(&tokens[at].word().unwrap_or_default())
        }
        _ => true,
    }
}

/// Keywords after which a path may begin.
fn is_keyword(word: &str) -> bool {
    const KEYWORDS: [&str; 22] = [
        "as", "break", "const", "dyn", "else", "extern", "for", "if", "impl", "in", "let", "loop", "match",
        "move", "mut", "pub", "ref", "return", "use", "where", "while", "yield",
    ];
    KEYWORDS.contains(&word)
}

fn follows(tokens: &[Token], at: usize, kind: &TokenKind) -> bool {
    tokens.get(at + 1).is_some_and(|next| next.kind == *kind)
}

/// Checks the paths that begin with `std`, `core` or `alloc` at this token.
fn check_standard(file: &ParsedFile<'_>, at: usize, found: &mut Vec<SourceFinding>) {
    let tokens = &file.tokens;
    let root = tokens[at].word().unwrap_or_default();
    if !follows(tokens, at, &TokenKind::PathSeparator) {
        // `use std as s;`: the word alone is a path only inside of `use`.
        if is_in_use(tokens, at) {
            let place = Place::of(file.source, &tokens[at]);
            found.push(place.finding(SourceRule::HiddenPath, root, text::hidden_alias(root)));
        }
        return;
    }
    for leaf in leaves(tokens, at) {
        let shown = shown(root, &leaf);
        let place = Place::of(file.source, &tokens[leaf.at]);
        let offence = match leaf.has_variable {
            true => Some((SourceRule::HiddenPath, text::hidden_variable(&*shown))),
            false => standard_library::offence(&leaf.names, leaf.is_glob, &shown),
        };
        if let Some((rule, reason)) = offence {
            found.push(place.finding(rule, &shown, reason));
        }
    }
}

/// Checks the paths into `workbench`.
fn check_workbench(file: &ParsedFile<'_>, at: usize, found: &mut Vec<SourceFinding>) {
    let tokens = &file.tokens;
    if !follows(tokens, at, &TokenKind::PathSeparator) {
        if is_in_use(tokens, at) && file.source.is_library() {
            let place = Place::of(file.source, &tokens[at]);
            found.push(place.finding(SourceRule::HiddenPath, "workbench", text::hidden_alias("workbench")));
        }
        return;
    }
    // Tests may run their own ranks; the library is what is measured.
    let denied = if file.source.is_library() { &INSIDE[..] } else { &INSIDE[..3] };
    for leaf in leaves(tokens, at) {
        let shown = shown("workbench", &leaf);
        let place = Place::of(file.source, &tokens[leaf.at]);
        match leaf.names.first() {
            Some(name) if denied.contains(&name.as_str()) => {
                found.push(place.finding(SourceRule::AroundWorld, &shown, text::around_world(&*shown)));
            }
            _ if leaf.has_variable => {
                found.push(place.finding(SourceRule::HiddenPath, &shown, text::hidden_variable(&*shown)));
            }
            None if leaf.is_glob && file.source.is_library() => {
                found.push(place.finding(SourceRule::HiddenPath, &shown, text::hidden_glob(&*shown)));
            }
            None if tokens.get(leaf.at + 1).is_some_and(|next| next.is_word("as")) => {
                found.push(place.finding(SourceRule::HiddenPath, &shown, text::hidden_alias(&*shown)));
            }
            _ => {}
        }
    }
}

fn shown(root: &str, leaf: &PathLeaf) -> String {
    let names = leaf.names.iter().map(String::as_str);
    let end = leaf.is_glob.then_some("*").into_iter().chain(leaf.has_variable.then_some("$"));
    [root].into_iter().chain(names).chain(end).collect::<Vec<_>>().join("::")
}

/// Whether the token lies in a `use` item.
pub(super) fn is_in_use(tokens: &[Token], at: usize) -> bool {
    for token in tokens[..at].iter().rev() {
        match &token.kind {
            TokenKind::Word(word) if word == "use" => return true,
            TokenKind::Word(_)
            | TokenKind::PathSeparator
            | TokenKind::Mark(',' | '*')
            | TokenKind::Open('{') => {}
            TokenKind::Close('}') => {}
            _ => return false,
        }
    }
    false
}

/// The ends of the paths that begin at this token.
fn leaves(tokens: &[Token], root: usize) -> Vec<PathLeaf> {
    let mut found = vec![];
    read_path(tokens, root + 1, root, &mut vec![], &mut found);
    found
}

/// Reads on after a name; `at` is the token after it.
fn read_path(tokens: &[Token], at: usize, last: usize, names: &mut Vec<String>, found: &mut Vec<PathLeaf>) {
    let leaf = |names: &[String], is_glob, has_variable, at| PathLeaf {
        names: names.to_vec(),
        is_glob,
        has_variable,
        at,
    };
    if tokens.get(at).map(|token| &token.kind) != Some(&TokenKind::PathSeparator) {
        found.push(leaf(names, false, false, last));
        return;
    }
    let Some(next) = tokens.get(at + 1) else { return };
    match &next.kind {
        TokenKind::Word(word) if word == "self" => found.push(leaf(names, false, false, at + 1)),
        TokenKind::Word(word) => {
            names.push(word.clone());
            read_path(tokens, at + 2, at + 1, names, found);
            names.pop();
        }
        TokenKind::Mark('*') => found.push(leaf(names, true, false, at + 1)),
        TokenKind::Mark('$') => found.push(leaf(names, false, true, at + 1)),
        TokenKind::Open('{') => read_group(tokens, at + 1, names, found),
        _ => found.push(leaf(names, false, false, last)),
    }
}

/// Reads the paths in the brackets of `use a::{b, c::d}`.
fn read_group(tokens: &[Token], open: usize, names: &mut Vec<String>, found: &mut Vec<PathLeaf>) {
    let close = tokens[open].partner;
    let mut at = open + 1;
    while at < close {
        let token = &tokens[at];
        let first = match &token.kind {
            TokenKind::Word(word) if word == "as" => {
                at += 2;
                continue;
            }
            TokenKind::Word(word) => Some(word.clone()),
            TokenKind::Mark('*') => None,
            TokenKind::Mark('$') => {
                found.push(PathLeaf { names: names.clone(), is_glob: false, has_variable: true, at });
                at += 2;
                continue;
            }
            _ => {
                at += 1;
                continue;
            }
        };
        match first {
            Some(word) if word == "self" => {
                found.push(PathLeaf { names: names.clone(), is_glob: false, has_variable: false, at });
            }
            Some(word) => {
                names.push(word);
                read_path(tokens, at + 1, at, names, found);
                names.pop();
            }
            None => found.push(PathLeaf { names: names.clone(), is_glob: true, has_variable: false, at }),
        }
        at = end_of_entry(tokens, at, close);
    }
}

/// The index after the comma that ends this entry of a group.
fn end_of_entry(tokens: &[Token], mut at: usize, close: usize) -> usize {
    while at < close {
        match tokens[at].kind {
            TokenKind::Mark(',') => return at + 1,
            TokenKind::Open(_) => at = tokens[at].partner + 1,
            _ => at += 1,
        }
    }
    close
}

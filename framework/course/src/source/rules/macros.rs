//! Macros: those that compile a file or the environment in, those that hide paths, assembler, and `static mut`.

use std::collections::BTreeSet;

use wb_text::{Text, source as text};

use super::{
    SourceFinding, SourceRule,
    finding::Place,
    paths::is_in_use,
    source_path::{code_offence, resolve},
    standard_library::ROOTS,
};
use crate::source::{
    source_file::ParsedFile,
    token::{Token, TokenKind},
};

/// Macros that compile the text of a file in.
const INCLUDING: [&str; 3] = ["include", "include_str", "include_bytes"];

/// Macros that are found by their names, so no `use` may give them another one.
const RENAMED: [&str; 9] = [
    "asm",
    "env",
    "global_asm",
    "include",
    "include_bytes",
    "include_str",
    "naked_asm",
    "option_env",
    "thread_local",
];

/// The macros that the task defines.
pub(super) fn own_macros(files: &[ParsedFile<'_>]) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for file in files {
        for three in file.tokens.windows(3) {
            if three[0].is_word("macro_rules") && three[1].is_mark('!') {
                names.extend(three[2].word().map(str::to_owned));
            }
        }
    }
    names
}

/// Checks keywords and calls of macros.
pub(super) fn check(file: &ParsedFile<'_>, own_macros: &BTreeSet<String>, found: &mut Vec<SourceFinding>) {
    let tokens = &file.tokens;
    for (at, token) in tokens.iter().enumerate() {
        let Some(word) = token.word() else { continue };
        let place = Place::of(file.source, token);
        let next = tokens.get(at + 1);
        match word {
            "unsafe" => found.push(place.finding(SourceRule::UnsafeCode, word, text::unsafe_keyword())),
            "extern" if !next.is_some_and(|next| next.is_word("crate")) => {
                found.push(place.finding(SourceRule::UnsafeCode, word, text::extern_block()));
            }
            "static" if next.is_some_and(|next| next.is_word("mut")) => {
                found.push(place.finding(SourceRule::UnsafeCode, "static mut", text::static_mut()));
            }
            _ if is_renamed(tokens, at, own_macros) => {
                found.push(place.finding(SourceRule::HiddenPath, word, text::hidden_alias(word)));
            }
            _ => {}
        }
        let is_call = next.is_some_and(|next| next.is_mark('!'));
        if let Some(arguments) = is_call.then(|| arguments(tokens, at + 2)).flatten() {
            found.extend(call_offence(word, arguments, place));
            // `$name!(...)` may be any macro of the task.
            if own_macros.contains(word) || at > 0 && tokens[at - 1].is_mark('$') {
                check_hidden(file, arguments, file.source.is_library(), found);
            }
        }
        if word == "macro_rules" && is_call {
            if tokens.get(at + 2).is_some_and(|name| name.is_mark('$')) {
                found.push(place.finding(SourceRule::HiddenPath, word, text::hidden_variable(word)));
            }
            // The body of the definition is behind the macro's name.
            check_hidden(file, self::arguments(tokens, at + 3).unwrap_or_default(), false, found);
        }
    }
}

/// Whether a `use` names the macro, not the module of the same name, or gives a macro of the task another name.
fn is_renamed(tokens: &[Token], at: usize, own_macros: &BTreeSet<String>) -> bool {
    let word = tokens[at].word().unwrap_or_default();
    let next_is = |kind: TokenKind| tokens.get(at + 1).is_some_and(|next| next.kind == kind);
    let is_alias = tokens.get(at + 1).is_some_and(|next| next.is_word("as"));
    let is_module = word == "env" && !is_alias || next_is(TokenKind::PathSeparator);
    let is_named = RENAMED.contains(&word) && !is_module && !next_is(TokenKind::Mark('!'));
    (is_named || is_alias && own_macros.contains(word)) && is_in_use(tokens, at)
}

/// The tokens in the brackets that begin at `at`.
fn arguments(tokens: &[Token], at: usize) -> Option<&[Token]> {
    match tokens.get(at)?.kind {
        TokenKind::Open(_) => tokens.get(at + 1..tokens[at].partner),
        _ => None,
    }
}

fn call_offence(name: &str, arguments: &[Token], place: Place<'_>) -> Option<SourceFinding> {
    let words = format!("{name}!");
    let (rule, reason) = match name {
        "asm" | "global_asm" | "naked_asm" => (SourceRule::UnsafeCode, text::assembler()),
        "thread_local" => (SourceRule::Threads, text::threads(&*words)),
        "env" | "option_env" if !names_package(arguments) => (SourceRule::System, text::environment(&*words)),
        _ if INCLUDING.contains(&name) => {
            (SourceRule::IncludedFiles, included_offence(name, arguments, place)?)
        }
        _ => return None,
    };
    Some(place.finding(rule, &words, reason))
}

/// Whether the only argument is a variable by which cargo describes the package.
fn names_package(arguments: &[Token]) -> bool {
    literal(arguments).is_some_and(|name| name.starts_with("CARGO_PKG_"))
}

/// The text of the only argument, if it is a string.
fn literal(arguments: &[Token]) -> Option<&str> {
    match arguments {
        [Token { kind: TokenKind::Literal(text), .. }] => text.strip_prefix('"')?.strip_suffix('"'),
        _ => None,
    }
}

/// Why a file must not be included, if it must not.
fn included_offence(name: &str, arguments: &[Token], place: Place<'_>) -> Option<Text> {
    match literal(arguments) {
        Some(path) if name == "include" => code_offence(place.file, path),
        Some(path) if resolve(&place.file.path, path).is_some() => None,
        Some(path) => Some(text::path_outside(path)),
        None => Some(text::path_not_literal()),
    }
}

/// A macro of the task that gets `std` alone, or forms a path from it, hides which module is meant. In its arguments (`is_taken_apart`)
/// it can divide and join whole paths, too, and it can call a macro or set an attribute whose name it gets.
fn check_hidden(
    file: &ParsedFile<'_>,
    tokens: &[Token],
    is_taken_apart: bool,
    found: &mut Vec<SourceFinding>,
) {
    for (at, token) in tokens.iter().enumerate() {
        let Some(word) = token.word() else { continue };
        let next_is = |kind: TokenKind| tokens.get(at + 1).is_some_and(|next| next.kind == kind);
        let is_root = ROOTS.contains(&word) || word == "workbench" && file.source.is_library();
        let is_attribute = word == "path" && next_is(TokenKind::Mark('='));
        let is_hidden = match is_taken_apart {
            true => is_root || RENAMED.contains(&word) || is_attribute,
            false => {
                let is_field = at > 0 && tokens[at - 1].is_mark('.');
                is_root && !next_is(TokenKind::PathSeparator) && !is_field
            }
        };
        if is_hidden {
            let place = Place::of(file.source, token);
            found.push(place.finding(SourceRule::HiddenPath, word, text::hidden_variable(word)));
        }
    }
}

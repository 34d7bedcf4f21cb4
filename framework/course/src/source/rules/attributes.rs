//! Attributes that change how a program is linked, or from which files it is made.

use wb_text::{Text, source as text};

use super::{SourceFinding, SourceRule, finding::Place, source_path::code_offence};
use crate::source::{
    source_file::ParsedFile,
    token::{Token, TokenKind},
};

/// Attributes of the linker and of the runtime.
const LINKING: [&str; 11] = [
    "ctor",
    "export_name",
    "global_allocator",
    "link",
    "link_name",
    "link_section",
    "naked",
    "no_main",
    "no_mangle",
    "panic_handler",
    "used",
];

/// Checks every attribute, those inside of `cfg_attr` and of macros too.
pub(super) fn check(file: &ParsedFile<'_>, found: &mut Vec<SourceFinding>) {
    let tokens = &file.tokens;
    for at in 0..tokens.len() {
        if !tokens[at].is_mark('#') {
            continue;
        }
        let open = if tokens.get(at + 1).is_some_and(|next| next.is_mark('!')) { at + 2 } else { at + 1 };
        if tokens.get(open).is_some_and(|next| next.is_open('[')) {
            check_attribute(file, &tokens[open + 1..tokens[open].partner], found);
        }
    }
}

fn check_attribute(file: &ParsedFile<'_>, tokens: &[Token], found: &mut Vec<SourceFinding>) {
    for (at, token) in tokens.iter().enumerate() {
        let Some(word) = token.word() else { continue };
        let place = Place::of(file.source, token);
        if LINKING.contains(&word) && is_attribute_name(tokens, at) {
            found.push(place.finding(SourceRule::UnsafeCode, word, text::attribute(word)));
        }
        let value = match tokens.get(at + 1..at + 3) {
            Some([mark, Token { kind: TokenKind::Literal(text), .. }]) if mark.is_mark('=') => Some(text),
            _ => None,
        };
        let has_value = tokens.get(at + 1).is_some_and(|next| next.is_mark('='));
        if word == "path" && has_value {
            let path = value.and_then(|text| text.strip_prefix('"')?.strip_suffix('"'));
            found.extend(
                path_offence(file, path).map(|why| place.finding(SourceRule::IncludedFiles, word, why)),
            );
        }
        // `#[files("...")]` of rstest compiles the paths of files in.
        if word == "files" && tokens.get(at + 1).is_some_and(|next| next.is_open('(')) {
            found.push(place.finding(SourceRule::IncludedFiles, word, text::path_not_literal()));
        }
    }
}

/// Why a module must not be read from this path, if it must not.
fn path_offence(file: &ParsedFile<'_>, path: Option<&str>) -> Option<Text> {
    match path {
        None => Some(text::path_not_literal()),
        Some(path) => code_offence(file.source, path),
    }
}

/// Whether the word is an attribute: the first one, or one of a list such as `cfg_attr(all(), no_mangle)`.
fn is_attribute_name(tokens: &[Token], at: usize) -> bool {
    let before = at.checked_sub(1).map(|before| &tokens[before].kind);
    matches!(before, None | Some(TokenKind::Mark(',') | TokenKind::Open('(') | TokenKind::PathSeparator))
}

//! Files that a task opens: none, or those of its assignment, to be read.
//!
//! Syntax sees a path and a mode where they are written. What is put together at run time is refused when it is opened, by the same names.

use wb_text::source as text;

use super::{SourceFinding, SourceRule, finding::Place};
use crate::{
    source_file::ParsedFile,
    token::{Token, TokenKind},
};

/// The verb that opens a file.
const VERB: &str = "file_open";

/// The modes in which a file of an assignment is not opened.
const OTHER_MODES: [&str; 5] = ["write_only", "read_write", "create", "exclusive", "delete_on_close"];

/// Uses of files that the assignment does not allow; it allows to read those with these names.
pub(super) fn check(file: &ParsedFile<'_>, allowed: &[String], found: &mut Vec<SourceFinding>) {
    let tokens = &file.tokens;
    for at in 1..tokens.len() {
        let is_part = matches!(tokens[at - 1].kind, TokenKind::Mark('.') | TokenKind::PathSeparator);
        if !is_part || !tokens[at].is_word(VERB) {
            continue;
        }
        if allowed.is_empty() {
            let place = Place::of(file.source, &tokens[at]);
            found.push(place.finding(SourceRule::System, VERB, text::system(VERB)));
            continue;
        }
        let Some(arguments) = arguments(tokens, at + 1) else { continue };
        // As a function the verb has the world as its first argument.
        let path = usize::from(tokens[at - 1].kind == TokenKind::PathSeparator);
        let literal = arguments.get(path).and_then(|path| literal(path));
        if let Some((token, name)) = literal.filter(|(_, name)| !allowed.contains(name)) {
            let why = text::not_input_file(&*name, allowed.join(", "));
            found.push(Place::of(file.source, token).finding(SourceRule::System, VERB, why));
        }
        for token in arguments.iter().skip(path + 1).flat_map(|mode| mode.iter()) {
            if let Some(mode) = token.word().filter(|word| OTHER_MODES.contains(word)) {
                let why = text::input_file_mode(mode);
                found.push(Place::of(file.source, token).finding(SourceRule::System, mode, why));
            }
        }
    }
}

/// The arguments of the call whose brackets begin at `at`.
fn arguments(tokens: &[Token], at: usize) -> Option<Vec<&[Token]>> {
    let open = tokens.get(at).filter(|token| token.is_open('('))?;
    let (mut parts, mut start, mut here) = (vec![], at + 1, at + 1);
    while here < open.partner {
        if tokens[here].is_mark(',') {
            parts.push(&tokens[start..here]);
            start = here + 1;
        }
        here = tokens[here].partner.max(here) + 1;
    }
    parts.push(&tokens[start..open.partner]);
    Some(parts)
}

/// The text of an argument that is one string.
fn literal(argument: &[Token]) -> Option<(&Token, String)> {
    let [token] = argument else { return None };
    let TokenKind::Literal(written) = &token.kind else { return None };
    let text = syn::parse_str::<syn::LitStr>(written).ok()?;
    Some((token, text.value()))
}

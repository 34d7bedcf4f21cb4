//! The versions of a task are plain `impl` items of its library.
//!
//! The other rules find a version by its `impl Task for` a type. A macro that makes the item, another name of the trait or of the
//! type, and an item outside of the library would hide it from them.

use std::{collections::BTreeSet, ops::Range};

use syn::{
    GenericParam, ItemImpl, Type, TypePath,
    visit::{self, Visit},
};
use wb_text::source as text;

use super::{
    SourceFinding, SourceRule, finding::Place, macros::own_macros, paths::is_in_use,
    sequential::measured_arguments, world_names::COMMUNICATORS, world_verbs::WORLD_VERBS,
};
use crate::{
    source_file::{ParsedFile, SourceFile},
    token::{Token, TokenKind},
};

/// The traits of `workbench` that a task implements.
const TRAITS: [&str; 3] = ["Communication", "Problem", "Task"];

/// The last name of the trait of an `impl` item.
pub(super) fn trait_name(item: &ItemImpl) -> Option<String> {
    let (_, path, _) = item.trait_.as_ref()?;
    path.segments.last().map(|segment| segment.ident.to_string())
}

/// File and line of the parallel version: of `impl Task` for the second type that the benchmark measures.
pub fn parallel_version(files: &[SourceFile]) -> Option<(String, usize)> {
    let parsed: Vec<_> =
        files.iter().filter(|file| file.is_rust()).filter_map(|file| ParsedFile::parse(file).ok()).collect();
    let mut arguments = parsed.iter().flat_map(measured_arguments);
    let name = arguments.find(|argument| argument.position == 1)?.name;
    parsed.iter().filter(|file| file.source.is_library()).find_map(|file| {
        let mut finder = VersionFinder { name: &name, line: None };
        finder.visit_file(&file.syntax);
        finder.line.map(|line| (file.source.path.clone(), line))
    })
}

/// Finds `impl Task` for a type of this name.
struct VersionFinder<'a> {
    name: &'a str,
    line: Option<usize>,
}

impl<'ast> Visit<'ast> for VersionFinder<'_> {
    fn visit_item_impl(&mut self, item: &'ast ItemImpl) {
        let is_type = |path: &TypePath| path.path.segments.last().is_some_and(|last| last.ident == self.name);
        let is_meant = trait_name(item).is_some_and(|name| name == "Task")
            && matches!(&*item.self_ty, Type::Path(path) if is_type(path));
        if is_meant {
            self.line.get_or_insert(item.impl_token.span.start().line);
        }
        visit::visit_item_impl(self, item);
    }
}

/// Checks the library and the benchmark. Tests may have versions of their own, which are not graded.
pub(super) fn check(files: &[ParsedFile<'_>], found: &mut Vec<SourceFinding>) {
    let measured: BTreeSet<String> = files
        .iter()
        .flat_map(measured_arguments)
        .map(|argument| argument.name)
        .filter(|name| !name.is_empty())
        .collect();
    let own_macros = own_macros(files);
    for file in files {
        let is_benchmark = file.source.path.starts_with("benches/");
        if !file.source.is_library() && !is_benchmark {
            continue;
        }
        check_names(file, &measured, found);
        check_macros(file, &own_macros, found);
        ImplementationFinder { file, is_benchmark, found }.visit_file(&file.syntax);
    }
}

/// No trait of a version and no measured type has a second name.
fn check_names(file: &ParsedFile<'_>, measured: &BTreeSet<String>, found: &mut Vec<SourceFinding>) {
    let tokens = &file.tokens;
    for argument in measured_arguments(file).iter().filter(|argument| argument.name.is_empty()) {
        let place = Place::of(file.source, &tokens[argument.at]);
        found.push(place.finding(
            SourceRule::PlainImplementation,
            "performance!",
            text::other_name("performance!"),
        ));
    }
    for (at, pair) in tokens.windows(2).enumerate() {
        let (Some(first), Some(second)) = (pair[0].word(), pair[1].word()) else { continue };
        let is_alias =
            second == "as" && TRAITS.contains(&first) || first == "as" && measured.contains(second);
        let (name, token) = match first {
            _ if is_alias && is_in_use(tokens, at) => (if second == "as" { first } else { second }, &pair[0]),
            "trait" if TRAITS.contains(&second) => (second, &pair[1]),
            "const" | "fn" | "let" | "static" | "type" if measured.contains(second) => (second, &pair[1]),
            _ => continue,
        };
        let place = Place::of(file.source, token);
        found.push(place.finding(SourceRule::PlainImplementation, name, text::other_name(name)));
    }
}

/// No macro makes an implementation of these traits, or composes the name of a method.
fn check_macros(file: &ParsedFile<'_>, own_macros: &BTreeSet<String>, found: &mut Vec<SourceFinding>) {
    let tokens = &file.tokens;
    for (name, range) in macro_ranges(tokens) {
        let is_own = own_macros.contains(name);
        let is_world = |at: usize| {
            tokens[at].word().is_some_and(|word| COMMUNICATORS.contains(&word)) && stands_alone(tokens, at)
        };
        let has_world = range.clone().any(is_world);
        for at in range.clone() {
            if tokens[at].is_word("impl")
                && let Some(name) = hidden_trait(&tokens[at + 1..range.end])
            {
                let place = Place::of(file.source, &tokens[at]);
                found.push(place.finding(SourceRule::PlainImplementation, "impl", text::made_by_macro(name)));
            }
            if let Some(name) = hidden_method(tokens, at, (is_own, has_world)) {
                let place = Place::of(file.source, &tokens[at]);
                found.push(place.finding(SourceRule::HiddenPath, &name, text::hidden_method(&*name)));
            }
        }
    }
}

/// The names and insides of the macros of a file: definitions and calls, the outermost ones.
fn macro_ranges(tokens: &[Token]) -> Vec<(&str, Range<usize>)> {
    let mut ranges = vec![];
    let mut at = 0;
    while at < tokens.len() {
        let is_macro =
            tokens[at].word().is_some() && tokens.get(at + 1).is_some_and(|next| next.is_mark('!'));
        let named = usize::from(is_macro && tokens.get(at + 2).is_some_and(|next| next.word().is_some()));
        let open = at + 2 + named;
        match tokens.get(open).map(|token| &token.kind) {
            Some(TokenKind::Open(_)) if is_macro => {
                ranges.push((tokens[at].word().unwrap_or_default(), open + 1..tokens[open].partner));
                at = tokens[open].partner;
            }
            _ => at += 1,
        }
    }
    ranges
}

/// The trait that an `impl` in a macro may implement, if it is one of a version: its name, or the macro's variable. `header` begins
/// after `impl`.
fn hidden_trait(header: &[Token]) -> Option<&str> {
    let end = header.iter().position(|token| token.is_open('{')).unwrap_or(header.len());
    let mut depth = 0;
    for (at, token) in header[..end].iter().enumerate() {
        match &token.kind {
            TokenKind::Mark('<') => depth += 1,
            // The end of an arrow `->` is not a bracket.
            TokenKind::Mark('>') if at > 0 && !header[at - 1].is_mark('-') => depth -= 1,
            TokenKind::Word(word) if word == "for" && depth == 0 => return None,
            TokenKind::Word(word) if TRAITS.contains(&word.as_str()) => return Some(word),
            // `impl $trait for`; in `impl $type { }` there is no trait.
            TokenKind::Mark('$')
                if depth == 0 && header[at..end].iter().any(|token| token.is_word("for")) =>
            {
                return Some("$");
            }
            _ => {}
        }
    }
    None
}

/// `.$name(`, or a verb of `World` that is handed to a macro of the task by its name alone. A verb with the name of another method counts
/// if the macro also gets the type.
fn hidden_method(tokens: &[Token], at: usize, (is_own, has_world): (bool, bool)) -> Option<String> {
    let (before, next) = (at.checked_sub(1).map(|before| &tokens[before].kind), tokens.get(at + 1));
    if tokens[at].is_mark('$') && matches!(before, Some(TokenKind::Mark('.'))) {
        let is_call = tokens.get(at + 2).is_some_and(|after| after.is_open('(') || after.is_mark('$'));
        return next.and_then(Token::word).filter(|_| is_call).map(|name| format!("${name}"));
    }
    let word = tokens[at].word()?;
    let is_verb = WORLD_VERBS.iter().any(|verb| verb.name == word && (has_world || !verb.is_ambiguous));
    (is_own && is_verb && stands_alone(tokens, at)).then(|| word.to_owned())
}

/// Whether the token is a whole argument.
fn stands_alone(tokens: &[Token], at: usize) -> bool {
    let before = at.checked_sub(1).map(|before| &tokens[before].kind);
    let next = tokens.get(at + 1).map(|next| &next.kind);
    matches!(before, Some(TokenKind::Mark(',') | TokenKind::Open(_)))
        && matches!(next, None | Some(TokenKind::Mark(',') | TokenKind::Close(_)))
}

/// Finds implementations where they must not be.
struct ImplementationFinder<'a, 'b> {
    file: &'a ParsedFile<'a>,
    is_benchmark: bool,
    found: &'b mut Vec<SourceFinding>,
}

impl<'ast> Visit<'ast> for ImplementationFinder<'_, '_> {
    fn visit_item_impl(&mut self, item: &'ast ItemImpl) {
        if let Some(name) = trait_name(item).filter(|name| TRAITS.contains(&name.as_str())) {
            let reason = match self.is_benchmark {
                true => Some(text::outside_library(&*name)),
                false => (!is_named_type(item)).then(|| text::other_type(&*name)),
            };
            let place = Place::of_span(self.file.source, item.impl_token.span);
            self.found.extend(reason.map(|why| place.finding(SourceRule::PlainImplementation, "impl", why)));
        }
        visit::visit_item_impl(self, item);
    }
}

/// Whether the type of an `impl` item is named, and not a parameter of the item.
fn is_named_type(item: &ItemImpl) -> bool {
    let Type::Path(path) = &*item.self_ty else { return false };
    let is_parameter = |parameter: &GenericParam| matches!(parameter, GenericParam::Type(parameter) if path.path.is_ident(&parameter.ident));
    !item.generics.params.iter().any(is_parameter)
}

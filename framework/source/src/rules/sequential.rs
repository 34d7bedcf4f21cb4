//! The sequential version does not communicate, neither itself nor in what it calls.
//!
//! Calls are followed by name: a function to every function of that name, a method to the type of its receiver where that is
//! written there, else to every method of that name. So more is reached than runs, never less; a task that
//! shares a function with its parallel version must keep the communication out of it.

use std::collections::{BTreeMap, VecDeque};

use wb_text::source as text;

use super::{SourceFinding, SourceRule, finding::Place, functions::Function, world_names::WorldNames};
use crate::{
    source_file::ParsedFile,
    token::{Token, TokenKind},
};

/// The stages of a `Task`.
const STAGES: [&str; 4] = ["validation", "preprocessing", "run", "postprocessing"];

pub(super) fn check(files: &[ParsedFile<'_>], world: &WorldNames, found: &mut Vec<SourceFinding>) {
    let functions = &world.all_functions;
    let is_stage = |function: &Function| function.of_trait.as_deref() == Some("Task");
    if !functions.iter().any(is_stage) {
        return;
    }
    let mut roots = vec![];
    for (name, place) in sequential_types(files) {
        let is_root = |function: &&usize| {
            let function = &functions[**function];
            is_stage(function) && function.owner.as_deref() == Some(&name)
        };
        let all: Vec<usize> = (0..functions.len()).collect();
        let of_type: Vec<usize> = all.iter().filter(is_root).copied().collect();
        if of_type.is_empty() {
            let place = place.unwrap_or(Place { file: files[functions[0].file].source, line: 1, column: 1 });
            let why = text::no_sequential_version(&*name);
            found.push(place.finding(SourceRule::SequentialVersion, &name, why));
        }
        roots.extend(of_type);
    }
    // Bodies overlap, and a place is one finding: with the shortest path to it.
    let mut calls: BTreeMap<(usize, usize), (&str, Vec<String>)> = BTreeMap::new();
    for (index, path) in reached(files, functions, &roots) {
        let file = functions[index].file;
        let bodies = functions[index].body.iter().cloned();
        for call in bodies.flat_map(|body| world.calls(world.view(files, file), body)) {
            let known = calls.entry((file, call.at)).or_insert_with(|| (call.verb.name, path.clone()));
            if path.len() < known.1.len() {
                known.1.clone_from(&path);
            }
        }
    }
    for ((file, at), (verb, path)) in calls {
        let place = Place::of(files[file].source, &files[file].tokens[at]);
        let reason = text::sequential_communicates(verb, path.join(" -> "));
        found.push(place.finding(SourceRule::SequentialVersion, verb, reason));
    }
}

/// One of the types that a benchmark measures.
pub(super) struct MeasuredArgument {
    /// The type with which it begins, `Mpi` of `Mpi(By::Put)`; empty if it is not written there.
    pub(super) name: String,
    /// Its position among the arguments of `performance!`.
    pub(super) position: usize,
    /// The index of the word `performance`.
    pub(super) at: usize,
}

/// The types that the benchmarks of this file measure: of each `performance!` the first two arguments.
pub(super) fn measured_arguments(file: &ParsedFile<'_>) -> Vec<MeasuredArgument> {
    let tokens = &file.tokens;
    let is_call = |at: &usize| {
        tokens[*at].is_word("performance") && tokens.get(at + 1).is_some_and(|next| next.is_mark('!'))
    };
    let is_benchmark = file.source.path.starts_with("benches/");
    let calls = (0..tokens.len()).filter(|at| is_benchmark && is_call(at));
    let arguments = |at: usize| {
        let inside = tokens.get(at + 3..).unwrap_or_default();
        let inside = &inside[..tokens.get(at + 2).map_or(0, |open| open.partner.saturating_sub(at + 3))];
        let parts = inside.split(|token| token.is_mark(',')).take(2).enumerate();
        let name = |part: &[Token]| {
            let is_path = |token: &&Token| token.word().is_some() || token.kind == TokenKind::PathSeparator;
            let words = part.iter().take_while(is_path).filter_map(Token::word);
            words.filter(|word| word.starts_with(char::is_uppercase)).last().unwrap_or_default().to_owned()
        };
        let argument = move |(position, part)| MeasuredArgument { name: name(part), position, at };
        parts.map(argument).collect::<Vec<_>>()
    };
    calls.flat_map(arguments).collect()
}

/// The types of the sequential version: the first argument of each `performance!`, else `Seq`.
fn sequential_types<'a>(files: &[ParsedFile<'a>]) -> Vec<(String, Option<Place<'a>>)> {
    let mut found = vec![];
    for file in files {
        let first = measured_arguments(file).into_iter().filter(|argument| argument.position == 0);
        let named = first.filter(|argument| !argument.name.is_empty());
        found.extend(
            named.map(|argument| (argument.name, Some(Place::of(file.source, &file.tokens[argument.at])))),
        );
    }
    if found.is_empty() {
        found.push(("Seq".to_owned(), None));
    }
    found
}

/// Every function that the roots may call, with the calls that lead there.
fn reached(
    files: &[ParsedFile<'_>],
    functions: &[Function],
    roots: &[usize],
) -> BTreeMap<usize, Vec<String>> {
    let shown = |function: &Function| match &function.owner {
        Some(owner) => format!("{owner}::{}", function.name),
        None => function.name.clone(),
    };
    let mut paths: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    let mut open: VecDeque<usize> = roots.iter().copied().collect();
    for root in roots {
        paths.insert(*root, vec![shown(&functions[*root])]);
    }
    while let Some(caller) = open.pop_front() {
        for callee in callees(files, functions, &functions[caller]) {
            if !paths.contains_key(&callee) {
                let mut path = paths[&caller].clone();
                path.push(shown(&functions[callee]));
                paths.insert(callee, path);
                open.push_back(callee);
            }
        }
    }
    paths
}

/// The functions that the body of `caller` may call.
fn callees(files: &[ParsedFile<'_>], functions: &[Function], caller: &Function) -> Vec<usize> {
    let tokens = &files[caller.file].tokens;
    let imports = Imports::new(tokens);
    let mut found = vec![];
    for at in caller.body_tokens() {
        let Some(word) = tokens[at].word() else { continue };
        let before = at.checked_sub(1).map(|before| &tokens[before].kind);
        let owner = at.checked_sub(2).and_then(|owner| tokens[owner].word());
        let is_macro = tokens.get(at + 1).is_some_and(|next| next.is_mark('!'));
        let matching = functions.iter().enumerate().filter(|(_, function)| match before {
            _ if is_macro => function.name.strip_suffix('!') == Some(word),
            Some(TokenKind::Mark('.')) => {
                function.name == word && is_method(function, owner, caller, functions)
            }
            Some(TokenKind::PathSeparator) => {
                function.name == word && is_associated(function, owner, caller, functions)
            }
            _ => function.owner.is_none() && imports.may_name(word, function, caller),
        });
        found.extend(matching.map(|(index, _)| index));
    }
    found
}

/// The names that the `use` items of a file bring in.
struct Imports<'a> {
    /// The name in this file, and the name where it is declared.
    names: BTreeMap<&'a str, &'a str>,
    has_glob: bool,
}

impl<'a> Imports<'a> {
    fn new(tokens: &'a [Token]) -> Self {
        let mut imports = Self { names: BTreeMap::new(), has_glob: false };
        let mut is_in_use = false;
        for (at, token) in tokens.iter().enumerate() {
            match &token.kind {
                TokenKind::Word(word) if word == "use" => is_in_use = true,
                TokenKind::Mark(';') => is_in_use = false,
                TokenKind::Mark('*') if is_in_use => imports.has_glob = true,
                // The alias is read with the name before it.
                TokenKind::Word(_) if is_in_use && tokens[at - 1].is_word("as") => {}
                TokenKind::Word(word) if is_in_use => {
                    let alias = tokens.get(at + 2).filter(|_| tokens[at + 1].is_word("as"));
                    imports.names.insert(alias.and_then(Token::word).unwrap_or(word), word);
                }
                _ => {}
            }
        }
        imports
    }

    /// Whether `word` alone may be this function.
    fn may_name(&self, word: &str, function: &Function, caller: &Function) -> bool {
        let imported = self.names.get(word).is_some_and(|name| *name == function.name);
        imported || word == function.name && (function.file == caller.file || self.has_glob)
    }
}

/// Whether `receiver.name(...)` may be this function.
fn is_method(function: &Function, receiver: Option<&str>, caller: &Function, functions: &[Function]) -> bool {
    let Some(owner) = &function.owner else { return function.is_generated };
    match receiver {
        Some("self") if caller.owner.is_some() => Some(owner) == caller.owner.as_ref() || !is_stage(function),
        Some(name) if is_type(name, functions) => owner == name,
        // A value of unknown type: the stages of another version, and all other methods of that name.
        _ => !is_stage(function) || caller.owner.as_ref() != Some(owner),
    }
}

/// Whether `owner::name` may be this function.
fn is_associated(
    function: &Function,
    owner: Option<&str>,
    caller: &Function,
    functions: &[Function],
) -> bool {
    match owner {
        Some("Self") => function.owner == caller.owner,
        Some(name) if is_type(name, functions) => function.owner.as_deref() == Some(name),
        // `<Mpi as Task>::run`, `Task::run(&Mpi, ...)`, an alias of a type, or a function of a module.
        _ => !is_stage(function) || function.owner != caller.owner,
    }
}

fn is_stage(function: &Function) -> bool {
    function.of_trait.as_deref() == Some("Task") && STAGES.contains(&function.name.as_str())
}

fn is_type(name: &str, functions: &[Function]) -> bool {
    functions.iter().any(|function| function.owner.as_deref() == Some(name))
}

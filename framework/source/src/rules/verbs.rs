//! Calls of `World`'s verbs, by name, receiver and number of arguments.
//!
//! Syntax knows no types. A verb whose name no other library has (`bcast`) is a call of `World` wherever it is, unless the task
//! defines a function of that name. A name that iterators and strings have too (`reduce`, `split`) is one if its receiver is a
//! `World`, or if it has as many arguments as the verb.

use std::collections::BTreeSet;

use wb_text::source as text;

use super::{
    SourceFinding, SourceRule,
    finding::Place,
    functions::{Function, functions},
    world_verbs::{WORLD_VERBS, WorldVerb},
};
use crate::{
    source_file::ParsedFile,
    token::{Token, TokenKind},
};

/// Methods of `World` that only the framework calls.
pub(super) const INTERNAL: [&str; 7] =
    ["transport", "traced", "traced_with", "record_stage", "stage_barrier", "take_in_calls_ns", "rank_trace"];

/// Functions of MPI that make a communicator with a topology.
const TOPOLOGIES: [&str; 24] = [
    "MPI_Cart_create",
    "MPI_Dist_graph_create",
    "MPI_Dist_graph_create_adjacent",
    "MPI_Graph_create",
    "cart_create",
    "cart_sub",
    "create_cartesian_communicator",
    "create_graph_communicator",
    "dist_graph_create",
    "dist_graph_create_adjacent",
    "graph_create",
    "into_topology",
    "ineighbor_allgather",
    "ineighbor_allgatherv",
    "ineighbor_alltoall",
    "ineighbor_alltoallv",
    "neighbor_allgather",
    "neighbor_allgather_init",
    "neighbor_allgatherv",
    "neighbor_allgatherv_init",
    "neighbor_alltoall",
    "neighbor_alltoall_init",
    "neighbor_alltoallv",
    "neighbor_alltoallv_init",
];

/// The names by which the sources of a task know `World`, its values and its own functions.
pub(super) struct WorldNames {
    types: BTreeSet<String>,
    values: BTreeSet<String>,
    functions: BTreeSet<String>,
    pub(super) all_functions: Vec<Function>,
}

/// A call of a verb.
pub(super) struct VerbCall {
    pub(super) verb: &'static WorldVerb,
    /// The index of the token with the name.
    pub(super) at: usize,
}

impl WorldNames {
    pub(super) fn new(files: &[ParsedFile<'_>]) -> Self {
        let all_functions = functions(files);
        let functions = all_functions.iter().map(|function| function.name.clone()).collect();
        let mut names = Self {
            types: BTreeSet::from(["World".to_owned()]),
            values: BTreeSet::from(["world".to_owned()]),
            functions,
            all_functions,
        };
        // An alias may be of an alias: look until no name is new.
        loop {
            let before = names.types.len() + names.values.len();
            files.iter().for_each(|file| names.learn(&file.tokens));
            if names.types.len() + names.values.len() == before {
                return names;
            }
        }
    }

    fn learn(&mut self, tokens: &[Token]) {
        for (at, token) in tokens.iter().enumerate() {
            let Some(word) = token.word() else { continue };
            if self.types.contains(word) {
                if tokens.get(at + 1).is_some_and(|next| next.is_word("as")) {
                    self.types.extend(tokens.get(at + 2).and_then(Token::word).map(str::to_owned));
                }
                self.learn_declared(tokens, at);
            }
            if word == "let" {
                self.learn_binding(tokens, at);
            }
        }
    }

    /// `type Name = World`, `name: &World`.
    fn learn_declared(&mut self, tokens: &[Token], at: usize) {
        let is_part = |token: &Token| match &token.kind {
            TokenKind::Word(_) | TokenKind::PathSeparator | TokenKind::Mark('&' | '<' | '\'') => true,
            TokenKind::Literal(_) | TokenKind::Mark(_) | TokenKind::Open(_) | TokenKind::Close(_) => false,
        };
        let Some(before) = tokens[..at].iter().rposition(|token| !is_part(token)) else { return };
        let Some(name) = before.checked_sub(1).and_then(|name| tokens[name].word()) else { return };
        if tokens[before].is_mark('=') && before >= 2 && tokens[before - 2].is_word("type") {
            self.types.insert(name.to_owned());
        } else if tokens[before].is_mark(':') {
            self.values.insert(name.to_owned());
        }
    }

    /// `let name = world;`, `let name = world.dup()?;`.
    fn learn_binding(&mut self, tokens: &[Token], at: usize) {
        let end =
            tokens[at..].iter().position(|token| token.is_mark(';')).map_or(tokens.len(), |end| at + end);
        let statement = &tokens[at..end];
        let Some(equals) = statement.iter().position(|token| token.is_mark('=')) else { return };
        let (pattern, value) = statement.split_at(equals);
        let plain = |token: &&Token| !token.is_mark('&') && !token.is_mark('=');
        let words: Vec<_> = value.iter().filter(plain).take(3).collect();
        let known = |token: &Token| token.word().is_some_and(|word| self.values.contains(word));
        let is_world = match words[..] {
            [value] => known(value),
            [value, dot, method] => {
                let is_new = [
                    "dup",
                    "split",
                    "clone",
                    "cart_create",
                    "cart_sub",
                    "dist_graph_create_adjacent",
                    "graph_create",
                    "intercomm_create",
                    "comm_create",
                    "comm_create_group",
                    "split_type_shared",
                ]
                .iter()
                .any(|name| method.is_word(name));
                known(value) && dot.is_mark('.') && is_new
            }
            _ => false,
        };
        if is_world {
            let bound = pattern.iter().filter_map(Token::word);
            let bound = bound.filter(|word| !["let", "mut", "Some", "Ok", "ref"].contains(word));
            let bound: Vec<_> = bound.map(str::to_owned).collect();
            self.values.extend(bound);
        }
    }

    /// The calls of verbs among these tokens.
    pub(super) fn calls(&self, tokens: &[Token], range: std::ops::Range<usize>) -> Vec<VerbCall> {
        let at_call = |at: usize| {
            let name = tokens[at].word()?;
            let verb = WORLD_VERBS.iter().find(|verb| verb.name == name)?;
            self.is_call(tokens, at, verb).then_some(VerbCall { verb, at })
        };
        range.filter_map(at_call).collect()
    }

    fn is_call(&self, tokens: &[Token], at: usize, verb: &WorldVerb) -> bool {
        let Some(before) = at.checked_sub(1) else { return false };
        let is_own = self.functions.contains(verb.name);
        let owner = before.checked_sub(1).map(|owner| &tokens[owner]);
        match tokens[before].kind {
            TokenKind::Mark('.') => {
                let Some(arguments) = argument_count(tokens, at + 1) else { return false };
                let is_known = owner.and_then(Token::word).is_some_and(|name| self.values.contains(name));
                let fits = verb.ambiguous_arguments.is_none_or(|expected| expected == arguments);
                // A chained call of an ambiguous name without arguments says nothing.
                fits && (is_known || !is_own && verb.ambiguous_arguments != Some(0))
            }
            TokenKind::PathSeparator => {
                let is_world = owner.is_some_and(|owner| match &owner.kind {
                    TokenKind::Word(name) => self.types.contains(name),
                    kind => *kind == TokenKind::Mark('>'),
                });
                let is_path = tokens.get(at + 1).is_some_and(|next| next.kind == TokenKind::PathSeparator);
                let is_generic = is_path && tokens.get(at + 2).is_some_and(|next| next.is_mark('<'));
                let is_type =
                    owner.and_then(Token::word).is_some_and(|name| name.starts_with(char::is_uppercase));
                let is_only_one = !is_own && is_type && verb.ambiguous_arguments.is_none();
                (!is_path || is_generic) && (is_world || is_only_one)
            }
            _ => false,
        }
    }
}

/// The number of arguments of a call whose brackets, or type arguments, begin at `at`.
fn argument_count(tokens: &[Token], at: usize) -> Option<usize> {
    let open = match tokens.get(at)?.kind {
        TokenKind::PathSeparator => at + tokens[at..].iter().position(|token| token.is_open('('))?,
        _ => at,
    };
    tokens[open].is_open('(').then_some(())?;
    let close = tokens[open].partner;
    let (mut count, mut at, mut is_empty) = (0, open + 1, true);
    while at < close {
        match tokens[at].kind {
            TokenKind::Mark(',') => {
                count += usize::from(!is_empty);
                is_empty = true;
                at += 1;
                continue;
            }
            // The parameters of a closure: the commas between them separate no arguments.
            TokenKind::Mark('|') if is_empty || tokens[at - 1].is_word("move") => {
                at += 1 + tokens[at + 1..close].iter().position(|token| token.is_mark('|')).unwrap_or(0);
            }
            _ => at = tokens[at].partner.max(at),
        }
        is_empty = false;
        at += 1;
    }
    Some(count + usize::from(!is_empty))
}

/// Uses of files, which are as much outside of the input as those of `std`.
pub(super) fn check_files(file: &ParsedFile<'_>, found: &mut Vec<SourceFinding>) {
    for pair in file.tokens.windows(2) {
        let is_part = matches!(pair[0].kind, TokenKind::Mark('.') | TokenKind::PathSeparator);
        if is_part && pair[1].is_word("file_open") {
            let place = Place::of(file.source, &pair[1]);
            found.push(place.finding(SourceRule::System, "file_open", text::system("file_open")));
        }
    }
}

/// Uses of what only the framework calls.
pub(super) fn check_bypass(files: &[ParsedFile<'_>], world: &WorldNames, found: &mut Vec<SourceFinding>) {
    for file in files {
        for at in 1..file.tokens.len() {
            let Some(name) = file.tokens[at].word() else { continue };
            let is_part = matches!(file.tokens[at - 1].kind, TokenKind::Mark('.') | TokenKind::PathSeparator);
            let is_new = name == "new"
                && at >= 2
                && file.tokens[at - 1].kind == TokenKind::PathSeparator
                && { file.tokens[at - 2].word().is_some_and(|owner| world.types.contains(owner)) };
            let is_internal = INTERNAL.contains(&name) && !world.functions.contains(name);
            // A version that knows its backend may be another one where it is tested.
            let is_backend = name == "backend"
                && file.source.is_library()
                && file.tokens.get(at + 1).is_some_and(|next| next.is_open('('));
            if is_new || is_part && (is_internal || is_backend) {
                let place = Place::of(file.source, &file.tokens[at]);
                found.push(place.finding(SourceRule::AroundWorld, name, text::around_world(name)));
            }
        }
    }
}

/// Calls that are neither sends nor receives. The library's own call beside which a communication task is measured, in
/// `impl Communication`, is not part of the solution.
pub(super) fn check_point_to_point(
    files: &[ParsedFile<'_>],
    world: &WorldNames,
    found: &mut Vec<SourceFinding>,
) {
    let is_library = |function: &Function| {
        function.of_trait.as_deref() == Some("Communication") && function.name == "library"
    };
    let is_solution = |function: &&Function| !is_library(function);
    for function in world.all_functions.iter().filter(is_solution) {
        let file = &files[function.file];
        for call in world.calls(&file.tokens, function.body.clone()) {
            if call.verb.verb.is_collective() {
                let place = Place::of(file.source, &file.tokens[call.at]);
                let reason = text::not_point_to_point(call.verb.name);
                found.push(place.finding(SourceRule::SendAndReceiveOnly, call.verb.name, reason));
            }
        }
        for at in function.body.clone().filter(|at| is_library_call(&file.tokens, *at)) {
            let place = Place::of(file.source, &file.tokens[at]);
            found.push(place.finding(
                SourceRule::SendAndReceiveOnly,
                "library",
                text::not_point_to_point("library"),
            ));
        }
    }
}

/// Whether the library's own call of a communication task is called here.
fn is_library_call(tokens: &[Token], at: usize) -> bool {
    let is_part = at > 0 && matches!(tokens[at - 1].kind, TokenKind::Mark('.') | TokenKind::PathSeparator);
    is_part && tokens[at].is_word("library")
}

/// Calls that make a communicator with a topology.
pub(super) fn check_topologies(files: &[ParsedFile<'_>], found: &mut Vec<SourceFinding>) {
    for file in files.iter().filter(|file| file.source.is_library()) {
        for token in &file.tokens {
            if let Some(name) = token.word().filter(|name| TOPOLOGIES.contains(name)) {
                let reason = text::topology(name);
                found.push(Place::of(file.source, token).finding(
                    SourceRule::NoTopologyCommunicators,
                    name,
                    reason,
                ));
            }
        }
    }
}

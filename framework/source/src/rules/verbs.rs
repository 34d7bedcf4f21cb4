//! Calls of `World`'s verbs, by name, receiver and number of arguments.
//!
//! Syntax knows no types. A verb whose name no other library has (`bcast`) is a call of `World` wherever it is, unless its receiver
//! has a type of the task with a method of that name. A name that iterators and strings have too (`reduce`, `split`) is one if it
//! also has as many arguments as the verb. A free function of the task does not excuse a method call.

use std::ops::Range;

use wb_comm::Verb;
use wb_text::source as text;

use super::{
    SourceFinding, SourceRule,
    call_arguments::ArgumentCount,
    finding::Place,
    solution::solution_tokens,
    world_names::{NamedType, SourceView, WorldNames},
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

/// A call of a verb.
pub(super) struct VerbCall {
    pub(super) verb: &'static WorldVerb,
    /// The index of the token with the name.
    pub(super) at: usize,
}

impl WorldNames {
    /// The calls of verbs among these tokens.
    pub(super) fn calls(&self, view: SourceView<'_>, range: Range<usize>) -> Vec<VerbCall> {
        let at_call = |at: usize| {
            let name = view.tokens[at].word()?;
            let verb = WORLD_VERBS.iter().find(|verb| verb.name == name)?;
            let is_silent = self.reads_files && verb.verb == Verb::FileOpen;
            (!is_silent && self.is_call(view, at, verb)).then_some(VerbCall { verb, at })
        };
        range.filter_map(at_call).collect()
    }

    fn is_call(&self, view: SourceView<'_>, at: usize, verb: &WorldVerb) -> bool {
        let tokens = view.tokens;
        let Some(before) = at.checked_sub(1) else { return false };
        match tokens[before].kind {
            // After a range there is a function, not a method.
            TokenKind::Mark('.') if before > 0 && tokens[before - 1].is_mark('.') => false,
            TokenKind::Mark('.') => self.is_method_call(view, at, verb),
            TokenKind::PathSeparator => self.is_path(view, at, verb),
            _ => false,
        }
    }

    /// Whether `receiver.verb(...)` is a call of the verb.
    fn is_method_call(&self, view: SourceView<'_>, at: usize, verb: &WorldVerb) -> bool {
        let Some(arguments) = ArgumentCount::of_call(view.tokens, at + 1) else { return false };
        let fits = arguments.may_be(verb.arguments);
        match self.of_value(view, at - 1) {
            NamedType::World => fits || !verb.is_ambiguous,
            own if self.has_function(&own, verb.name) => false,
            _ if !self.has_method(verb.name) => fits || !verb.is_ambiguous,
            // A method of the task with so few arguments may be meant.
            _ => fits && (verb.arguments > 1 || !verb.is_ambiguous),
        }
    }

    /// Whether `owner::verb` is the verb.
    fn is_path(&self, view: SourceView<'_>, at: usize, verb: &WorldVerb) -> bool {
        let tokens = view.tokens;
        let is_path = tokens.get(at + 1).is_some_and(|next| next.kind == TokenKind::PathSeparator);
        let is_generic = is_path && tokens.get(at + 2).is_some_and(|next| next.is_mark('<'));
        if is_path && !is_generic {
            return false;
        }
        let Some(owner) = at.checked_sub(2).map(|owner| &tokens[owner]) else { return false };
        let is_variable = at >= 3 && tokens[at - 3].is_mark('$');
        let is_type = owner.word().is_none_or(|name| name.starts_with(char::is_uppercase)) || is_variable;
        // As a function the verb has the world as its first argument.
        let arguments = ArgumentCount::of_call(tokens, at + 1);
        let fits = arguments.is_none_or(|arguments| arguments.may_be(verb.arguments + 1));
        match self.of_owner(view, at - 1) {
            NamedType::World => true,
            own if self.has_function(&own, verb.name) => false,
            // A variable of a macro, or `Self` in a macro, may be a type of the task.
            NamedType::Unknown if self.has_associated(verb.name) => false,
            _ if is_variable || owner.is_mark('>') => fits,
            _ => is_type && !verb.is_ambiguous,
        }
    }

    /// Whether a method or a path of this name is one of the task.
    fn is_own_part(&self, view: SourceView<'_>, at: usize) -> bool {
        let name = view.tokens[at].word().unwrap_or_default();
        let is_method = view.tokens[at - 1].is_mark('.');
        let owner = if is_method { self.of_value(view, at - 1) } else { self.of_owner(view, at - 1) };
        match owner {
            NamedType::World => false,
            NamedType::Own(_) => self.has_function(&owner, name),
            NamedType::Unknown if is_method => self.has_method(name),
            NamedType::Unknown => self.all_functions.iter().any(|function| function.name == name),
        }
    }
}

/// Uses of what only the framework calls, and of what a macro's variable names in `World`.
pub(super) fn check_bypass(files: &[ParsedFile<'_>], world: &WorldNames, found: &mut Vec<SourceFinding>) {
    for (index, file) in files.iter().enumerate() {
        let view = world.view(files, index);
        for at in 1..file.tokens.len() {
            let is_path = file.tokens[at - 1].kind == TokenKind::PathSeparator;
            if is_path && file.tokens[at].is_mark('$') && world.of_owner(view, at - 1) == NamedType::World {
                let variable = file.tokens.get(at + 1).and_then(Token::word).unwrap_or_default();
                let (place, name) = (Place::of(file.source, &file.tokens[at]), format!("${variable}"));
                found.push(place.finding(SourceRule::HiddenPath, &name, text::hidden_method(&*name)));
            }
            let Some(name) = file.tokens[at].word() else { continue };
            let is_part = is_path || file.tokens[at - 1].is_mark('.');
            let is_new = name == "new" && is_path && world.of_owner(view, at - 1) == NamedType::World;
            let is_internal = is_part && INTERNAL.contains(&name) && !world.is_own_part(view, at);
            // A version that knows its backend may be another one where it is tested.
            let is_backend = is_part
                && name == "backend"
                && file.source.is_library()
                && file.tokens.get(at + 1).is_some_and(|next| next.is_open('('));
            if is_new || is_internal || is_backend {
                let place = Place::of(file.source, &file.tokens[at]);
                found.push(place.finding(SourceRule::AroundWorld, name, text::around_world(name)));
            }
        }
    }
}

/// Calls that are neither sends nor receives, in functions and in values. The library's own call beside which a communication task is
/// measured, in `impl Communication`, is not part of the solution.
pub(super) fn check_point_to_point(
    files: &[ParsedFile<'_>],
    world: &WorldNames,
    found: &mut Vec<SourceFinding>,
) {
    let rule = SourceRule::SendAndReceiveOnly;
    for (index, file) in files.iter().enumerate().filter(|(_, file)| file.source.is_library()) {
        let is_solution = solution_tokens(file);
        let mut add = |at: usize, name: &str| {
            let place = Place::of(file.source, &file.tokens[at]);
            found.push(place.finding(rule, name, text::not_point_to_point(name)));
        };
        for call in world.calls(world.view(files, index), 0..file.tokens.len()) {
            if is_solution[call.at] && call.verb.verb.is_collective() {
                add(call.at, call.verb.name);
            }
        }
        for at in (0..file.tokens.len()).filter(|at| is_solution[*at] && is_library_call(&file.tokens, *at)) {
            add(at, "library");
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

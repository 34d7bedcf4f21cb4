//! The types of expressions and of the owners of paths, as far as their last parts show them.

use std::collections::BTreeSet;

use super::{
    closures::Closure,
    own_items::{angle_start, words_outside_brackets},
    world_names::{NamedType, OwnFunction, SourceView, WorldNames, merged},
};
use crate::token::{Token, TokenKind};

/// Methods of `World` that make a communicator.
const MAKERS: [&str; 12] = [
    "cart_create",
    "cart_sub",
    "comm_create",
    "comm_create_group",
    "dist_graph_create_adjacent",
    "dup",
    "graph_create",
    "intercomm_create",
    "into_topology",
    "merge",
    "split",
    "split_type_shared",
];

/// Methods of the standard library whose result is their receiver, or a part of it.
const PASSING: [&str; 18] = [
    "as_deref",
    "as_mut",
    "as_ref",
    "clone",
    "expect",
    "first",
    "get",
    "into_iter",
    "iter",
    "iter_mut",
    "last",
    "next",
    "ok",
    "ok_or",
    "ok_or_else",
    "to_owned",
    "unwrap",
    "unwrap_or_else",
];

impl WorldNames {
    /// What a word means where a type is expected.
    pub(super) fn of_type_name(&self, word: &str) -> NamedType {
        let is_upper = word.starts_with(char::is_uppercase);
        // A type parameter is a declared name: `T: AsRef<World>`.
        if self.types.contains(word) || is_upper && self.values.contains(word) {
            return NamedType::World;
        }
        if self.own_types.contains(word) {
            return NamedType::Own(BTreeSet::from([word.to_owned()]));
        }
        let own = is_upper.then(|| self.own_values.get(word)).flatten();
        own.map_or(NamedType::Unknown, |types| NamedType::Own(types.clone()))
    }

    /// The type of `self` at this token.
    pub(super) fn of_self(&self, view: SourceView<'_>, at: usize) -> NamedType {
        let Some(block) = view.items.block_around(at) else { return NamedType::Unknown };
        let of_name = self.of_type_name(block.type_name(view.tokens).unwrap_or_default());
        if of_name != NamedType::Unknown {
            return of_name;
        }
        let words = view.tokens[block.self_type.clone()].iter().filter_map(Token::word);
        merged(words.map(|word| self.of_type_name(word)))
    }

    /// The owner of a path: the word, or the `>`, before `::` at `separator`.
    pub(super) fn of_owner(&self, view: SourceView<'_>, separator: usize) -> NamedType {
        let Some(owner) = separator.checked_sub(1) else { return NamedType::Unknown };
        match &view.tokens[owner].kind {
            TokenKind::Word(word) if word == "Self" => self.of_self(view, owner),
            TokenKind::Word(word) => self.of_type_name(word),
            TokenKind::Mark('>') => {
                let Some(open) = angle_start(view.tokens, owner) else { return NamedType::Unknown };
                match open.checked_sub(1).map(|before| &view.tokens[before].kind) {
                    // `Name::<T>::`.
                    Some(TokenKind::PathSeparator) => self.of_owner(view, open - 1),
                    // `<Name as Trait>::`.
                    _ => merged(words_outside_brackets(view.tokens, open + 1..owner).into_iter().map(|at| {
                        match view.tokens[at].word() {
                            Some("Self") => self.of_self(view, at),
                            word => self.of_type_name(word.unwrap_or_default()),
                        }
                    })),
                }
            }
            _ => NamedType::Unknown,
        }
    }

    /// The type of the expression that ends before `end`, as far as its last parts show it.
    pub(super) fn of_value(&self, view: SourceView<'_>, end: usize) -> NamedType {
        let tokens = view.tokens;
        let Some(last) = tokens[..end].iter().rposition(|token| !token.is_mark('?')) else {
            return NamedType::Unknown;
        };
        let open = tokens[last].partner;
        match &tokens[last].kind {
            TokenKind::Close(')') => self.of_call(view, open, last),
            // An element of a list.
            TokenKind::Close(']') => self.of_value(view, open),
            TokenKind::Close('}') => {
                let name = open.checked_sub(1).and_then(|name| tokens[name].word()).unwrap_or_default();
                self.of_type_name(name)
            }
            TokenKind::Word(word) => self.of_name(view, last, word),
            _ => NamedType::Unknown,
        }
    }

    fn of_name(&self, view: SourceView<'_>, at: usize, word: &str) -> NamedType {
        if word == "self" || word == "Self" {
            return self.of_self(view, at);
        }
        if at > 0 && view.tokens[at - 1].kind == TokenKind::PathSeparator {
            return self.of_owner(view, at - 1);
        }
        if self.values.contains(word) {
            return NamedType::World;
        }
        let Some(own) = self.own_values.get(word) else { return self.of_type_name(word) };
        // A variable of a macro may be anything; the parameter of a closure is what its method passes.
        let is_variable = at > 0 && view.tokens[at - 1].is_mark('$');
        let is_field = at > 0 && view.tokens[at - 1].is_mark('.');
        match Closure::with_parameter(view.tokens, at, word).filter(|_| !is_field) {
            _ if is_variable => NamedType::Unknown,
            Some(Closure { method_dot: None, .. }) => NamedType::Unknown,
            Some(Closure { method_dot: Some(dot), .. }) => self.of_value(view, dot),
            None => NamedType::Own(own.clone()),
        }
    }

    /// The type of `name(...)`, of `x.name(...)`, or of an expression in brackets.
    fn of_call(&self, view: SourceView<'_>, open: usize, close: usize) -> NamedType {
        let tokens = view.tokens;
        let Some(name_at) = called_name(tokens, open) else { return self.of_inside(view, open, close) };
        let name = tokens[name_at].word().unwrap_or_default();
        match name_at.checked_sub(1).map(|before| &tokens[before].kind) {
            Some(TokenKind::Mark('.')) => {
                let mut own = self.own_functions.iter().filter(|own| own.is_method && own.name == name);
                if own.clone().next().is_some() {
                    return merged(own.by_ref().map(|own| own.result.clone()));
                }
                let receiver = || self.of_value(view, name_at - 1);
                match PASSING.contains(&name) {
                    true => receiver(),
                    false if MAKERS.contains(&name) && receiver() == NamedType::World => NamedType::World,
                    false => NamedType::Unknown,
                }
            }
            Some(TokenKind::PathSeparator) => {
                let owner = self.of_owner(view, name_at - 1);
                let is_its = |own: &&OwnFunction| own.name == name && self.belongs_to(own, &owner);
                let mut results = self.own_functions.iter().filter(is_its).map(|own| own.result.clone());
                match (&owner, results.next()) {
                    (_, Some(first)) => merged(std::iter::once(first).chain(results)),
                    (NamedType::World, None) if !MAKERS.contains(&name) => NamedType::Unknown,
                    (_, None) => owner,
                }
            }
            _ if ["Box", "Ok", "Rc", "Some"].contains(&name) => self.of_inside(view, open, close),
            _ => {
                let is_it = |own: &&OwnFunction| own.name == name && !own.is_method;
                let results = self.own_functions.iter().filter(is_it).map(|own| own.result.clone());
                merged(results.chain([self.of_type_name(name)]))
            }
        }
    }

    /// The type of the expression in these brackets.
    fn of_inside(&self, view: SourceView<'_>, open: usize, close: usize) -> NamedType {
        let is_dereferenced = view.tokens[open + 1..close]
            .iter()
            .take_while(|token| token.is_mark('&') || token.is_mark('*'))
            .any(|token| token.is_mark('*'));
        match self.of_value(view, close) {
            // The target of a type of the task may be a `World`.
            NamedType::Own(_) if is_dereferenced => NamedType::Unknown,
            known => known,
        }
    }

    /// Whether a function belongs to one of these types, or to a trait that one of them implements.
    fn belongs_to(&self, function: &OwnFunction, types: &NamedType) -> bool {
        match (types, &function.owner) {
            (NamedType::Own(types), Some(owner)) => types
                .iter()
                .any(|name| name == owner || self.implemented.contains(&(owner.clone(), name.clone()))),
            // A function in a macro has no block there.
            (NamedType::Own(_), None) => function.is_method,
            (NamedType::Unknown, owner) => owner.is_none(),
            (NamedType::World, _) => false,
        }
    }

    /// Whether one of these types of the task has a function of this name.
    pub(super) fn has_function(&self, types: &NamedType, name: &str) -> bool {
        matches!(types, NamedType::Own(_))
            && self.own_functions.iter().any(|own| own.name == name && self.belongs_to(own, types))
    }

    /// Whether the task has a method of this name.
    pub(super) fn has_method(&self, name: &str) -> bool {
        self.own_functions.iter().any(|own| own.is_method && own.name == name)
    }

    /// Whether a trait or a type of the task has a function of this name.
    pub(super) fn has_associated(&self, name: &str) -> bool {
        self.own_functions.iter().any(|own| own.owner.is_some() && own.name == name)
    }
}

/// The index of the name before the brackets of a call, or before its type arguments.
fn called_name(tokens: &[Token], open: usize) -> Option<usize> {
    const KEYWORDS: [&str; 7] = ["else", "if", "in", "match", "move", "return", "while"];
    let mut before = open.checked_sub(1)?;
    if tokens[before].is_mark('>') {
        before = angle_start(tokens, before)?.checked_sub(2)?;
    }
    tokens[before].word().filter(|word| !KEYWORDS.contains(word)).map(|_| before)
}

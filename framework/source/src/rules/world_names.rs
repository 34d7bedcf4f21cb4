//! What the names of a task mean: types and values that are a `World`, and those of types of its own.
//!
//! Names have no scopes here: a name that is a `World` somewhere is one everywhere.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    closures::Closure,
    functions::{Function, functions},
    own_items::{OwnItems, Signature, angle_start, end_at_level},
};
use crate::{
    source_file::ParsedFile,
    token::{Token, TokenKind},
};

/// The communicators of the workbench.
pub(super) const COMMUNICATORS: [&str; 4] = ["CartesianWorld", "GraphWorld", "InterWorld", "World"];

/// What is known about the type of a name or of an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum NamedType {
    /// A communicator.
    World,
    /// One of these types or traits of the task.
    Own(BTreeSet<String>),
    /// Nothing is known.
    Unknown,
}

/// The tokens of a file with its items.
#[derive(Clone, Copy)]
pub(super) struct SourceView<'a> {
    pub(super) tokens: &'a [Token],
    pub(super) items: &'a OwnItems,
}

/// The names by which the sources of a task know `World`, its values and its own types and functions.
pub(super) struct WorldNames {
    pub(super) types: BTreeSet<String>,
    pub(super) values: BTreeSet<String>,
    pub(super) own_types: BTreeSet<String>,
    /// Values, fields and type parameters, with the types of the task that they may have.
    pub(super) own_values: BTreeMap<String, BTreeSet<String>>,
    pub(super) own_functions: Vec<OwnFunction>,
    /// A trait of the task, and a type of the task that implements it.
    pub(super) implemented: BTreeSet<(String, String)>,
    items: Vec<OwnItems>,
    pub(super) all_functions: Vec<Function>,
    /// Whether files may be read: what is only read carries nothing from rank to rank.
    pub(super) reads_files: bool,
}

/// A function of the task.
pub(super) struct OwnFunction {
    /// The type of its block, or the trait that has it.
    pub(super) owner: Option<String>,
    pub(super) name: String,
    pub(super) is_method: bool,
    pub(super) result: NamedType,
}

impl WorldNames {
    pub(super) fn new(files: &[ParsedFile<'_>], reads_files: bool) -> Self {
        let mut names = Self {
            types: BTreeSet::from(COMMUNICATORS.map(str::to_owned)),
            values: BTreeSet::from(["world".to_owned()]),
            own_types: BTreeSet::new(),
            own_values: BTreeMap::new(),
            own_functions: vec![],
            implemented: BTreeSet::new(),
            items: vec![],
            all_functions: functions(files),
            reads_files,
        };
        let items: Vec<_> = files.iter().map(|file| OwnItems::new(&file.tokens)).collect();
        // An alias may be of an alias: look until no name is new.
        loop {
            let before = names.size();
            for (file, items) in files.iter().zip(&items) {
                names.learn(SourceView { tokens: &file.tokens, items });
            }
            names.own_functions.clear();
            for (file, items) in files.iter().zip(&items) {
                names.learn_functions(SourceView { tokens: &file.tokens, items });
            }
            if names.size() == before {
                names.items = items;
                return names;
            }
        }
    }

    fn size(&self) -> usize {
        let own: usize = self.own_values.values().map(BTreeSet::len).sum();
        let functions = self.own_functions.iter().filter(|own| own.result != NamedType::Unknown).count();
        self.types.len() + self.values.len() + self.own_types.len() + own + functions
    }

    /// A file as the rules on calls read it.
    pub(super) fn view<'a>(&'a self, files: &'a [ParsedFile<'_>], file: usize) -> SourceView<'a> {
        SourceView { tokens: &files[file].tokens, items: &self.items[file] }
    }

    fn learn(&mut self, view: SourceView<'_>) {
        let SourceView { tokens, items } = view;
        for block in &items.blocks {
            let Some(name) = block.type_name(tokens).filter(|name| !self.types.contains(*name)) else {
                continue;
            };
            self.own_types.insert(name.to_owned());
            let of_trait = block.of_trait.iter().map(|of_trait| (of_trait.clone(), name.to_owned()));
            self.implemented.extend(of_trait);
        }
        for (at, token) in tokens.iter().enumerate() {
            let Some(word) = token.word() else { continue };
            match word {
                "let" => self.learn_let(view, at),
                "for" => self.learn_loop(view, at),
                "enum" | "struct" | "union" => {
                    let name = tokens.get(at + 1).and_then(Token::word);
                    let name = name.filter(|name| !self.types.contains(*name));
                    self.own_types.extend(name.map(str::to_owned));
                }
                _ => {
                    let meaning = self.of_type_name(word);
                    if meaning != NamedType::Unknown {
                        self.learn_declared(tokens, at, &meaning);
                    }
                }
            }
        }
        let bars = (1..tokens.len()).filter(|at| tokens[*at].is_mark('|'));
        bars.for_each(|at| self.learn_parameters(view, at));
    }

    /// `Type as Name`, `type Name = Type`, `name: &Type`.
    fn learn_declared(&mut self, tokens: &[Token], at: usize, meaning: &NamedType) {
        if tokens.get(at + 1).is_some_and(|next| next.is_word("as")) {
            self.add_type(tokens.get(at + 2).and_then(Token::word), meaning);
        }
        let is_part = |token: &Token| match &token.kind {
            TokenKind::Word(_)
            | TokenKind::PathSeparator
            | TokenKind::Mark('&' | '<' | '\'')
            | TokenKind::Open('[') => true,
            TokenKind::Literal(_) | TokenKind::Mark(_) | TokenKind::Open(_) | TokenKind::Close(_) => false,
        };
        let Some(before) = tokens[..at].iter().rposition(|token| !is_part(token)) else { return };
        // `type Name<'a> = Type`.
        let name_end = match before.checked_sub(1) {
            Some(last) if tokens[last].is_mark('>') => angle_start(tokens, last).unwrap_or(last),
            _ => before,
        };
        let Some(name_at) = name_end.checked_sub(1) else { return };
        let Some(name) = tokens[name_at].word() else { return };
        if tokens[before].is_mark('=') && name_at > 0 && tokens[name_at - 1].is_word("type") {
            self.add_type(Some(name), meaning);
        } else if tokens[before].is_mark(':') {
            self.add_value(name, meaning);
        }
    }

    fn add_type(&mut self, name: Option<&str>, meaning: &NamedType) {
        match (name, meaning) {
            (Some(name), NamedType::World) => drop(self.types.insert(name.to_owned())),
            (Some(name), _) => self.add_value(name, meaning),
            (None, _) => {}
        }
    }

    fn add_value(&mut self, name: &str, meaning: &NamedType) {
        match meaning {
            NamedType::World => drop(self.values.insert(name.to_owned())),
            NamedType::Own(types) => {
                self.own_values.entry(name.to_owned()).or_default().extend(types.iter().cloned());
            }
            NamedType::Unknown => {}
        }
    }

    /// `let name = world;`, `let name = world.dup()?;`, `if let Some(name) = &self.tree {`.
    fn learn_let(&mut self, view: SourceView<'_>, at: usize) {
        let tokens = view.tokens;
        let is_condition = at > 0
            && (["if", "while"].iter().any(|word| tokens[at - 1].is_word(word))
                || tokens[at - 1].is_mark('&'));
        let is_end =
            |token: &Token| token.is_mark(';') || token.is_word("else") || is_condition && token.is_open('{');
        let end = end_at_level(tokens, at, &is_end);
        let Some(equals) = tokens[at..end].iter().position(|token| token.is_mark('=')) else { return };
        self.bind(view, at..at + equals, end);
    }

    /// `for name in trees {`.
    fn learn_loop(&mut self, view: SourceView<'_>, at: usize) {
        let end = end_at_level(view.tokens, at, &|token| token.is_open('{') || token.is_mark(';'));
        if let Some(inside) = view.tokens[at..end].iter().position(|token| token.is_word("in")) {
            self.bind(view, at..at + inside, end);
        }
    }

    /// `trees.iter().for_each(|name| ...)`: `at` is the first bar.
    fn learn_parameters(&mut self, view: SourceView<'_>, at: usize) {
        let Some(closure) = Closure::at(view.tokens, at) else { return };
        if let Some(dot) = closure.method_dot {
            self.bind(view, closure.parameters, dot);
        }
    }

    /// Gives the names of a pattern the type of the expression that ends before `end`.
    fn bind(&mut self, view: SourceView<'_>, pattern: std::ops::Range<usize>, end: usize) {
        let meaning = self.of_value(view, end);
        if meaning == NamedType::Unknown {
            return;
        }
        for word in view.tokens[pattern].iter().filter_map(Token::word) {
            if !["let", "for", "mut", "Some", "Ok", "ref"].contains(&word) {
                self.add_value(word, &meaning);
            }
        }
    }

    fn learn_functions(&mut self, view: SourceView<'_>) {
        for signature in &view.items.signatures {
            let Signature { name, is_method, at, .. } = signature;
            let block = view.items.block_around(*at);
            let owner = block.and_then(|block| block.type_name(view.tokens)).map(str::to_owned);
            let result = self.of_result(view, signature);
            self.own_functions.push(OwnFunction { owner, name: name.clone(), is_method: *is_method, result });
        }
    }

    fn of_result(&self, view: SourceView<'_>, signature: &Signature) -> NamedType {
        let words = view.tokens[signature.result.clone()].iter().filter_map(Token::word);
        let of_word = |word: &str| match word {
            "Self" => self.of_self(view, signature.at),
            // What a caller passes may be a `World`.
            _ if signature.is_free_parameter(view.tokens, word) => NamedType::Unknown,
            _ => self.of_type_name(word),
        };
        merged(words.map(of_word))
    }
}

/// One meaning of several: a `World` if one is, else all types of the task.
pub(super) fn merged(parts: impl Iterator<Item = NamedType>) -> NamedType {
    parts.fold(NamedType::Unknown, |all, part| match (all, part) {
        (NamedType::World, _) | (_, NamedType::World) => NamedType::World,
        (NamedType::Own(all), NamedType::Own(part)) => NamedType::Own(&all | &part),
        (NamedType::Unknown, known) | (known, NamedType::Unknown) => known,
    })
}

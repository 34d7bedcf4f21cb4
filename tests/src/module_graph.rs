//! Which module files of one crate use which others, read from their tokens: `use` declarations and paths that begin with
//! `crate`, `self`, `super` or the name of a module. A name that a module hands on (`pub use`) belongs to the file that
//! declares it, and handing on is not a use. Code under `#[cfg(test)]` is left out.
use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

use crate::tokens::tokens;

/// Segments of a path: `crate::plan::Step` without its first one.
type Segments = Vec<String>;

/// The keywords that declare an item with the name that follows.
const KEYWORDS: [&str; 9] =
    ["fn", "struct", "enum", "trait", "type", "const", "static", "union", "macro_rules"];

/// What one module file declares and uses.
#[derive(Default)]
struct ModuleFile {
    path: PathBuf,
    /// The names of its items.
    items: BTreeSet<String>,
    /// The paths that `use` declarations give names, and those names; `*` for all names.
    imports: Vec<(String, UsedPath)>,
    /// All paths that it uses itself.
    used: Vec<UsedPath>,
}

/// A path as it is written in a module.
#[derive(Clone)]
struct UsedPath {
    /// The module that it is written in.
    module: Segments,
    segments: Segments,
}

/// The module files of one crate, by their module paths.
pub struct ModuleGraph(BTreeMap<Segments, ModuleFile>);

/// A file, and a file that it uses.
pub type Edge<'a> = (&'a Path, &'a Path);

impl ModuleGraph {
    /// Reads the files below a crate's folder `src`; the others are passed over.
    pub fn new<'a>(src: &Path, sources: impl IntoIterator<Item = (&'a Path, &'a str)>) -> Self {
        let mut files = BTreeMap::new();
        for (path, text) in sources {
            let Some(module) = path.strip_prefix(src).ok().map(module_path) else { continue };
            let mut file = ModuleFile { path: path.to_owned(), ..ModuleFile::default() };
            file.read(tokens(text), &module);
            files.insert(module, file);
        }
        Self(files)
    }

    /// Every use of a file by another, except the use of a module by its own submodules: they are parts of one subject.
    pub fn edges(&self) -> BTreeSet<Edge<'_>> {
        let mut edges = BTreeSet::new();
        for (module, file) in &self.0 {
            for used in &file.used {
                if let Some((target, used)) = self.resolve(used, 0)
                    && !module.starts_with(target)
                {
                    edges.insert((file.path.as_path(), used.path.as_path()));
                }
            }
        }
        edges
    }

    /// The largest sets of files of which each uses each other, directly or through others of the set.
    pub fn circles(&self) -> BTreeSet<BTreeSet<&Path>> {
        let edges = self.edges();
        let reached: BTreeMap<&Path, BTreeSet<&Path>> =
            edges.iter().map(|(user, _)| (*user, reachable(&edges, user))).collect();
        let in_circle_with = |file: &Path| -> BTreeSet<&Path> {
            let is_back = |other: &&&Path| reached.get(**other).is_some_and(|files| files.contains(file));
            reached[file].iter().filter(is_back).copied().collect()
        };
        reached.keys().map(|file| in_circle_with(file)).filter(|circle| circle.len() > 1).collect()
    }

    /// The file that declares what a path names; `None` for another crate's or an unknown name.
    fn resolve(&self, used: &UsedPath, depth: usize) -> Option<(&Segments, &ModuleFile)> {
        let mut rest = used.segments.as_slice();
        let mut module = match rest.first()?.as_str() {
            "crate" => vec![],
            "self" => used.module.clone(),
            "super" => used.module.split_last()?.1.to_vec(),
            child => {
                let child = [used.module.as_slice(), &[child.to_owned()]].concat();
                self.0.contains_key(&child).then_some(child)?
            }
        };
        rest = &rest[1..];
        while let Some((first, others)) = rest.split_first() {
            let child = [module.as_slice(), std::slice::from_ref(first)].concat();
            if first == "super" {
                module.pop();
            } else if self.0.contains_key(&child) {
                module = child;
            } else {
                return self.declaring(&module, first, depth);
            }
            rest = others;
        }
        self.0.get_key_value(&module)
    }

    /// The file that declares the name that `module` has.
    fn declaring(&self, module: &[String], name: &str, depth: usize) -> Option<(&Segments, &ModuleFile)> {
        let found = self.file_of(module)?;
        let file = found.1;
        if file.items.contains(name) || depth > 8 {
            return Some(found);
        }
        let named = file.imports.iter().filter(|(alias, _)| alias == name);
        let all = file.imports.iter().filter(|(alias, _)| alias == "*");
        named
            .filter_map(|(_, path)| self.resolve(path, depth + 1))
            .next()
            .or_else(|| {
                all.filter_map(|(_, path)| self.resolve(path, depth + 1))
                    .find(|(_, target)| target.items.contains(name))
            })
            .or(Some(found))
    }

    /// The file of a module: its own, or that of the module around it.
    fn file_of(&self, module: &[String]) -> Option<(&Segments, &ModuleFile)> {
        (0..=module.len()).rev().find_map(|length| self.0.get_key_value(&module[..length]))
    }
}

/// The files that one file uses, directly or through others.
fn reachable<'a>(edges: &BTreeSet<Edge<'a>>, file: &'a Path) -> BTreeSet<&'a Path> {
    let (mut reached, mut open) = (BTreeSet::new(), vec![file]);
    while let Some(at) = open.pop() {
        let next = edges.iter().filter(|(user, _)| *user == at).map(|(_, used)| *used);
        open.extend(next.filter(|used| reached.insert(*used)));
    }
    reached
}

/// The module path of a file below `src`.
fn module_path(file: &Path) -> Segments {
    let mut path: Segments =
        file.with_extension("").iter().map(|part| part.to_string_lossy().into_owned()).collect();
    if path.last().is_some_and(|last| ["lib", "main", "mod"].contains(&last.as_str())) {
        path.pop();
    }
    path
}

impl ModuleFile {
    /// Reads tokens that are in `module`.
    fn read(&mut self, stream: TokenStream, module: &[String]) {
        let all: Vec<TokenTree> = stream.into_iter().collect();
        let mut at = 0;
        while at < all.len() {
            if is_cfg_test(&all[at..]) {
                at = end_of_item(&all, at + 2);
            } else if is_word(&all[at], "use") {
                let end = end_of_item(&all, at);
                self.read_use(&all[at + 1..end], module, is_public(&all[..at]));
                at = end;
            } else if let [TokenTree::Ident(word), TokenTree::Ident(name), TokenTree::Group(body), ..] =
                &all[at..]
                && word == "mod"
            {
                self.read(body.stream(), &[module, &[name.to_string()]].concat());
                at += 3;
            } else {
                at += self.read_token(&all[at..], module);
            }
        }
    }

    /// Reads a name, a path or a group at the beginning of `rest`; gives the number of tokens that were read.
    fn read_token(&mut self, rest: &[TokenTree], module: &[String]) -> usize {
        match &rest[0] {
            TokenTree::Group(group) => {
                self.read(group.stream(), module);
                1
            }
            TokenTree::Ident(_) => {
                if let [TokenTree::Ident(keyword), TokenTree::Ident(name), ..] = rest
                    && KEYWORDS.iter().any(|known| keyword == known)
                {
                    self.items.insert(name.to_string());
                    return 2;
                }
                let (segments, read) = path_at(rest);
                if segments.len() > 1 {
                    self.used.push(UsedPath { module: module.to_vec(), segments });
                }
                read
            }
            TokenTree::Punct(_) | TokenTree::Literal(_) => 1,
        }
    }

    /// Reads the tokens between `use` and the semicolon.
    fn read_use(&mut self, tree: &[TokenTree], module: &[String], is_public: bool) {
        let mut paths = vec![];
        expand(tree, &[], &mut paths);
        for (alias, segments) in paths {
            let path = UsedPath { module: module.to_vec(), segments };
            if !is_public {
                self.used.push(path.clone());
            }
            self.imports.push((alias, path));
        }
    }
}

fn is_word(token: &TokenTree, word: &str) -> bool {
    matches!(token, TokenTree::Ident(ident) if ident == word)
}

fn is_mark(token: &TokenTree, mark: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == mark)
}

/// Whether the tokens begin with `#[cfg(test)]` or a condition that has `test` among others.
fn is_cfg_test(tokens: &[TokenTree]) -> bool {
    let [mark, TokenTree::Group(attribute), ..] = tokens else { return false };
    let text = attribute.stream().to_string().replace(' ', "");
    is_mark(mark, '#') && (text == "cfg(test)" || text.starts_with("cfg(all(test,"))
}

/// Where the item that begins at `at` ends: after its semicolon or its body.
fn end_of_item(all: &[TokenTree], at: usize) -> usize {
    let is_use = all[at..].iter().find(|token| matches!(token, TokenTree::Ident(word) if word != "pub"));
    let is_use = is_use.is_some_and(|token| is_word(token, "use"));
    let is_end = |token: &TokenTree| match token {
        TokenTree::Group(group) => !is_use && group.delimiter() == Delimiter::Brace,
        other => is_mark(other, ';'),
    };
    all[at..].iter().position(is_end).map_or(all.len(), |end| at + end + 1)
}

/// Whether the item after these tokens is public, in the crate or beyond it.
fn is_public(before: &[TokenTree]) -> bool {
    match before {
        [.., word, TokenTree::Group(group)] if group.delimiter() == Delimiter::Parenthesis => {
            is_word(word, "pub")
        }
        [.., word] => is_word(word, "pub"),
        [] => false,
    }
}

/// The path at the beginning of the tokens, and how many tokens it has.
fn path_at(tokens: &[TokenTree]) -> (Segments, usize) {
    let mut segments = vec![];
    let mut read = 0;
    while let Some(TokenTree::Ident(word)) = tokens.get(read) {
        segments.push(word.to_string());
        read += 1;
        match &tokens[read..] {
            [first, second, TokenTree::Ident(_), ..] if is_mark(first, ':') && is_mark(second, ':') => {
                read += 2;
            }
            _ => break,
        }
    }
    (segments, read.max(1))
}

/// The paths of a `use` declaration, each with the name that it gives.
fn expand(tree: &[TokenTree], prefix: &[String], paths: &mut Vec<(String, Segments)>) {
    let is_comma = |token: &TokenTree| is_mark(token, ',');
    for part in tree.split(is_comma) {
        let mut segments = prefix.to_vec();
        let mut alias = None;
        let mut group: Option<&Group> = None;
        let mut words = part.iter();
        while let Some(token) = words.next() {
            match token {
                TokenTree::Ident(word) if word == "as" => alias = words.next().map(ToString::to_string),
                TokenTree::Ident(word) => segments.push(word.to_string()),
                TokenTree::Group(inner) => group = Some(inner),
                TokenTree::Punct(mark) if mark.as_char() == '*' => alias = Some("*".to_owned()),
                TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
        }
        match group {
            Some(group) => {
                let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                expand(&inner, &segments, paths);
            }
            None if segments.len() > prefix.len() || alias.is_some() => {
                if segments.len() > 1 && segments.last().is_some_and(|last| last == "self") {
                    segments.pop();
                }
                let alias = alias.or_else(|| segments.last().cloned()).unwrap_or_default();
                paths.push((alias, segments));
            }
            None => {}
        }
    }
}

//! The functions of a task: whose they are, and the tokens of their bodies.

use std::{collections::BTreeSet, ops::Range};

use proc_macro2::{LineColumn, Span};
use syn::{
    Attribute, Block, ImplItemFn, ImplItemMacro, ItemFn, ItemImpl, ItemMacro, ItemMod, ItemTrait, Macro,
    TraitItemFn, TraitItemMacro, Type,
    visit::{self, Visit},
};

use crate::{source_file::ParsedFile, token::Token};

/// One function with a body, or a macro of the task.
#[derive(Clone, Debug)]
pub(super) struct Function {
    pub(super) name: String,
    /// The type of its `impl` block.
    pub(super) owner: Option<String>,
    /// The trait of its `impl` block.
    pub(super) of_trait: Option<String>,
    /// The index of its file.
    pub(super) file: usize,
    /// Whether it is a name in the call of a macro that makes items: the macro may give it a body.
    pub(super) is_generated: bool,
    /// The tokens of its body.
    pub(super) body: Range<usize>,
}

/// All functions of the library, without those of `#[cfg(test)]`.
pub(super) fn functions(files: &[ParsedFile<'_>]) -> Vec<Function> {
    let mut found = vec![];
    for (index, file) in files.iter().enumerate().filter(|(_, file)| file.source.is_library()) {
        let mut collector = Collector { file, index, owner: None, of_trait: None, found: &mut found };
        collector.visit_file(&file.syntax);
    }
    found
}

/// Whether the item is compiled for tests only.
pub(crate) fn is_test_only(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let is_test = |list: &syn::MetaList| list.path.is_ident("cfg") && list.tokens.to_string() == "test";
        attribute.path().is_ident("test") || attribute.meta.require_list().is_ok_and(is_test)
    })
}

struct Collector<'a, 'b> {
    file: &'a ParsedFile<'a>,
    index: usize,
    owner: Option<String>,
    of_trait: Option<String>,
    found: &'b mut Vec<Function>,
}

impl Collector<'_, '_> {
    fn add(&mut self, name: String, body: &Block) {
        let body = self.tokens_between(body.brace_token.span.open(), body.brace_token.span.close());
        let (owner, of_trait) = (self.owner.clone(), self.of_trait.clone());
        self.found.push(Function { name, owner, of_trait, file: self.index, is_generated: false, body });
    }

    /// A macro that makes items: each name in its call may be a function with the macro's body, which the call reaches.
    fn add_generated(&mut self, call: &Macro) {
        let Some(name) = call.path.segments.last() else { return };
        let delimiter = call.delimiter.span();
        let first = self.tokens_between(name.ident.span(), delimiter.close());
        let body = first.start - 1..first.end;
        let words: BTreeSet<String> =
            self.file.tokens[body.clone()].iter().filter_map(Token::word).map(str::to_owned).collect();
        for name in words {
            let (owner, of_trait) = (None, None);
            let body = body.clone();
            self.found.push(Function { name, owner, of_trait, file: self.index, is_generated: true, body });
        }
    }

    fn tokens_between(&self, open: Span, close: Span) -> Range<usize> {
        let index = |at: LineColumn| self.file.tokens.partition_point(|token| token.start < at);
        index(open.start()) + 1..index(close.start())
    }
}

impl<'ast> Visit<'ast> for Collector<'_, '_> {
    fn visit_item_fn(&mut self, item: &'ast ItemFn) {
        if !is_test_only(&item.attrs) {
            self.add(item.sig.ident.to_string(), &item.block);
            visit::visit_item_fn(self, item);
        }
    }

    fn visit_impl_item_fn(&mut self, item: &'ast ImplItemFn) {
        self.add(item.sig.ident.to_string(), &item.block);
        visit::visit_impl_item_fn(self, item);
    }

    fn visit_trait_item_fn(&mut self, item: &'ast TraitItemFn) {
        if let Some(body) = &item.default {
            self.add(item.sig.ident.to_string(), body);
        }
        visit::visit_trait_item_fn(self, item);
    }

    fn visit_item_trait(&mut self, item: &'ast ItemTrait) {
        let outer = self.owner.replace(item.ident.to_string());
        visit::visit_item_trait(self, item);
        self.owner = outer;
    }

    fn visit_item_impl(&mut self, item: &'ast ItemImpl) {
        if is_test_only(&item.attrs) {
            return;
        }
        let last = |path: &syn::Path| path.segments.last().map(|segment| segment.ident.to_string());
        let outer = (self.owner.take(), self.of_trait.take());
        self.owner = match &*item.self_ty {
            Type::Path(path) => last(&path.path),
            _ => None,
        };
        self.of_trait = item.trait_.as_ref().and_then(|(_, path, _)| last(path));
        visit::visit_item_impl(self, item);
        (self.owner, self.of_trait) = outer;
    }

    fn visit_item_macro(&mut self, item: &'ast ItemMacro) {
        let Some(name) = &item.ident else { return self.add_generated(&item.mac) };
        let delimiter = item.mac.delimiter.span();
        let body = self.tokens_between(delimiter.open(), delimiter.close());
        let name = format!("{name}!");
        let (owner, of_trait) = (None, None);
        self.found.push(Function { name, owner, of_trait, file: self.index, is_generated: false, body });
    }

    fn visit_impl_item_macro(&mut self, item: &'ast ImplItemMacro) {
        self.add_generated(&item.mac);
    }

    fn visit_trait_item_macro(&mut self, item: &'ast TraitItemMacro) {
        self.add_generated(&item.mac);
    }

    fn visit_item_mod(&mut self, item: &'ast ItemMod) {
        if !is_test_only(&item.attrs) {
            visit::visit_item_mod(self, item);
        }
    }
}

//! The functions of a task: whose they are, and the tokens of their bodies. Constants are among them: they may be functions.

use std::{collections::BTreeSet, ops::Range};

use proc_macro2::{LineColumn, Span};
use syn::{
    Attribute, Block, Expr, ImplItemConst, ImplItemFn, ImplItemMacro, ItemConst, ItemFn, ItemImpl, ItemMacro,
    ItemMod, ItemStatic, ItemTrait, Macro, TraitItemConst, TraitItemFn, TraitItemMacro, Type,
    spanned::Spanned,
    visit::{self, Visit},
};

use super::own_items::Signature;
use crate::{source_file::ParsedFile, token::Token};

/// One function with a body, a constant, or a macro of the task.
#[derive(Clone, Debug)]
pub(super) struct Function {
    pub(super) name: String,
    /// The type of its `impl` block.
    pub(super) owner: Option<String>,
    /// The trait of its `impl` block.
    pub(super) of_trait: Option<String>,
    /// The index of its file.
    pub(super) file: usize,
    /// Whether a macro makes it.
    pub(super) is_generated: bool,
    /// The tokens of its body. A function in the call of a macro also has the name of the macro, which it reaches.
    pub(super) body: Vec<Range<usize>>,
}

impl Function {
    /// The indices of the tokens of its body.
    pub(super) fn body_tokens(&self) -> impl Iterator<Item = usize> {
        self.body.iter().flat_map(Clone::clone)
    }
}

/// All functions of the library, without those of `#[cfg(test)]`.
pub(super) fn functions(files: &[ParsedFile<'_>]) -> Vec<Function> {
    let mut found = vec![];
    let names_functions = files.iter().any(|file| names_functions(&file.tokens));
    for (index, file) in files.iter().enumerate().filter(|(_, file)| file.source.is_library()) {
        let mut collector =
            Collector { file, index, owner: None, of_trait: None, names_functions, found: &mut found };
        collector.visit_file(&file.syntax);
    }
    found
}

/// Whether a macro of the task gives a function a name from its call: `fn $name`.
fn names_functions(tokens: &[Token]) -> bool {
    tokens.windows(2).any(|pair| pair[0].is_word("fn") && pair[1].is_mark('$'))
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
    /// Whether a macro of the task takes the name of a function from its call.
    names_functions: bool,
    found: &'b mut Vec<Function>,
}

impl Collector<'_, '_> {
    fn add(&mut self, name: String, body: &Block) {
        let body = self.tokens_between(body.brace_token.span.open(), body.brace_token.span.close());
        self.add_owned(name, body);
    }

    /// A constant: its value may be a function, or a closure.
    fn add_value(&mut self, name: String, value: &Expr) {
        let index = |at: LineColumn| self.file.tokens.partition_point(|token| token.start < at);
        self.add_owned(name, index(value.span().start())..index(value.span().end()));
    }

    fn add_owned(&mut self, name: String, body: Range<usize>) {
        let (owner, of_trait) = (self.owner.clone(), self.of_trait.clone());
        let body = vec![body];
        self.found.push(Function { name, owner, of_trait, file: self.index, is_generated: false, body });
    }

    fn add_generated(&mut self, name: String, body: Vec<Range<usize>>) {
        let (owner, of_trait) = (None, None);
        self.found.push(Function { name, owner, of_trait, file: self.index, is_generated: true, body });
    }

    /// A macro that makes items. Each function in its call has its own body, and what the macro adds. Where a macro of the task takes the
    /// name of a function from its call, each name there may be a function with the macro's body.
    fn add_call(&mut self, call: &Macro) {
        let Some(name) = call.path.segments.last() else { return };
        let inside = self.tokens_between(name.ident.span(), call.delimiter.span().close());
        let (start, end) = (inside.start - 1, inside.end);
        self.add_declared(&inside, Some(&(start..start + 2)));
        if self.names_functions {
            let words = self.file.tokens[start..end].iter().filter_map(Token::word);
            let words: BTreeSet<String> = words.map(str::to_owned).collect();
            let body = start..end;
            words.into_iter().for_each(|name| self.add_generated(name, vec![body.clone()]));
        }
    }

    /// The functions among these tokens of a macro. `with` is part of the body of each.
    fn add_declared(&mut self, inside: &Range<usize>, with: Option<&Range<usize>>) {
        let file = self.file;
        for at in inside.clone() {
            let Some(signature) = Signature::at(&file.tokens, at) else { continue };
            let body = at + 2..signature.end.min(inside.end);
            self.add_generated(signature.name, with.cloned().into_iter().chain([body]).collect());
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
        let Some(name) = &item.ident else { return self.add_call(&item.mac) };
        let delimiter = item.mac.delimiter.span();
        let inside = self.tokens_between(delimiter.open(), delimiter.close());
        self.add_declared(&inside, None);
        let (name, body) = (format!("{name}!"), vec![inside]);
        let (owner, of_trait) = (None, None);
        self.found.push(Function { name, owner, of_trait, file: self.index, is_generated: false, body });
    }

    fn visit_item_const(&mut self, item: &'ast ItemConst) {
        if !is_test_only(&item.attrs) {
            self.add_value(item.ident.to_string(), &item.expr);
            visit::visit_item_const(self, item);
        }
    }

    fn visit_item_static(&mut self, item: &'ast ItemStatic) {
        if !is_test_only(&item.attrs) {
            self.add_value(item.ident.to_string(), &item.expr);
            visit::visit_item_static(self, item);
        }
    }

    fn visit_impl_item_const(&mut self, item: &'ast ImplItemConst) {
        self.add_value(item.ident.to_string(), &item.expr);
        visit::visit_impl_item_const(self, item);
    }

    fn visit_trait_item_const(&mut self, item: &'ast TraitItemConst) {
        if let Some((_, value)) = &item.default {
            self.add_value(item.ident.to_string(), value);
        }
        visit::visit_trait_item_const(self, item);
    }

    fn visit_impl_item_macro(&mut self, item: &'ast ImplItemMacro) {
        self.add_call(&item.mac);
    }

    fn visit_trait_item_macro(&mut self, item: &'ast TraitItemMacro) {
        self.add_call(&item.mac);
    }

    fn visit_item_mod(&mut self, item: &'ast ItemMod) {
        if !is_test_only(&item.attrs) {
            visit::visit_item_mod(self, item);
        }
    }
}

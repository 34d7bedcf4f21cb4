//! Which tokens of a file are the solution: not those that are compiled for tests, and not the library's own call.

use std::ops::Range;

use proc_macro2::{LineColumn, Span};
use syn::{
    Attribute, ImplItem, ImplItemFn, Item, ItemImpl, Macro,
    spanned::Spanned,
    visit::{self, Visit},
};

use super::{functions::is_test_only, implementations::trait_name};
use crate::{source_file::ParsedFile, token::Token};

/// For each token whether it is part of the solution.
///
/// `Communication::library` is the library's own call beside which a task is measured. Items inside of it can be used outside of it, so
/// they are part of the solution.
pub(super) fn solution_tokens(file: &ParsedFile<'_>) -> Vec<bool> {
    let mut finder = SolutionFinder { file, is_solution: vec![true; file.tokens.len()], in_library: false };
    finder.visit_file(&file.syntax);
    finder.is_solution
}

struct SolutionFinder<'a> {
    file: &'a ParsedFile<'a>,
    is_solution: Vec<bool>,
    /// Whether the items that are visited are inside of `Communication::library`.
    in_library: bool,
}

impl SolutionFinder<'_> {
    fn set(&mut self, span: Span, value: bool) {
        let range = self.tokens_of(span);
        self.is_solution[range].fill(value);
    }

    fn tokens_of(&self, span: Span) -> Range<usize> {
        let index = |at: LineColumn| self.file.tokens.partition_point(|token| token.start < at);
        index(span.start())..index(span.end())
    }
}

impl<'ast> Visit<'ast> for SolutionFinder<'_> {
    fn visit_item(&mut self, item: &'ast Item) {
        if is_test_only(item_attributes(item)) {
            return self.set(item.span(), false);
        }
        let outer = std::mem::take(&mut self.in_library);
        if outer {
            self.set(item.span(), true);
        }
        visit::visit_item(self, item);
        self.in_library = outer;
    }

    fn visit_item_impl(&mut self, item: &'ast ItemImpl) {
        let is_communication = trait_name(item).is_some_and(|name| name == "Communication");
        for part in &item.items {
            match part {
                ImplItem::Fn(function) if is_communication && function.sig.ident == "library" => {
                    self.set(function.block.span(), false);
                    self.in_library = true;
                    self.visit_block(&function.block);
                    self.in_library = false;
                }
                part => self.visit_impl_item(part),
            }
        }
    }

    fn visit_macro(&mut self, call: &'ast Macro) {
        // An `impl` from a macro can be used outside of the function, too.
        let is_impl = |token: &Token| token.is_word("impl");
        let range = self.tokens_of(call.span());
        if self.in_library && self.file.tokens[range.clone()].iter().any(is_impl) {
            self.is_solution[range].fill(true);
        }
    }

    fn visit_impl_item_fn(&mut self, item: &'ast ImplItemFn) {
        if is_test_only(&item.attrs) {
            return self.set(item.span(), false);
        }
        visit::visit_impl_item_fn(self, item);
    }
}

/// The attributes of an item.
fn item_attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

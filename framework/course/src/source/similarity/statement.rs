//! What a statement names, changes and causes: which statements are unused, and which may change places.

use std::collections::{BTreeMap, BTreeSet};

use syn::{
    Expr, Ident, Local, Pat, Stmt,
    visit::{self, Visit},
};
use wb_comm::Verb;

use super::vocabulary::is_transparent;

/// The names in a statement.
#[derive(Clone, Debug, Default)]
pub(super) struct StatementNames {
    /// Each name with the number of times that it occurs.
    pub(super) used: BTreeMap<String, usize>,
    /// Names that are bound, assigned, borrowed for a change, or the receiver of a method.
    pub(super) changed: BTreeSet<String>,
    /// It communicates, or may leave the function.
    pub(super) has_effect: bool,
}

impl StatementNames {
    pub(super) fn new(statement: &Stmt) -> Self {
        let mut names = Self::default();
        names.visit_stmt(statement);
        names
    }

    /// Whether the two may change places.
    pub(super) fn commutes_with(&self, other: &Self) -> bool {
        let is_free =
            |one: &Self, other: &Self| !one.changed.iter().any(|name| other.used.contains_key(name));
        !(self.has_effect && other.has_effect) && is_free(self, other) && is_free(other, self)
    }

    fn change(&mut self, target: &Expr) {
        if let Some(name) = root_name(target) {
            self.changed.insert(name);
        }
    }
}

/// Whether a method of this name leaves its receiver as it is, in all libraries.
fn is_reading(method: &str) -> bool {
    const CHANGING: [&str; 8] =
        ["as_deref_mut", "as_mut", "as_mut_slice", "borrow_mut", "by_ref", "flatten", "iter_mut", "here"];
    const READING: [&str; 16] = [
        "abs",
        "all",
        "any",
        "chunks",
        "chunks_exact",
        "filter",
        "for_each",
        "get",
        "is_empty",
        "is_here",
        "len",
        "map",
        "max",
        "min",
        "sum",
        "windows",
    ];
    is_transparent(method) && !CHANGING.contains(&method) || READING.contains(&method)
}

/// The variable in which a place lies: `a` of `a.b[c]`.
fn root_name(expression: &Expr) -> Option<String> {
    match expression {
        Expr::Path(path) => path.path.get_ident().map(ToString::to_string),
        Expr::Field(field) => root_name(&field.base),
        Expr::Index(index) => root_name(&index.expr),
        Expr::Unary(unary) => root_name(&unary.expr),
        Expr::Paren(inner) => root_name(&inner.expr),
        Expr::Reference(inner) => root_name(&inner.expr),
        Expr::MethodCall(call) => root_name(&call.receiver),
        _ => None,
    }
}

/// The names that a pattern binds.
pub(super) fn bound_names(pattern: &Pat) -> BTreeSet<String> {
    struct Bound(BTreeSet<String>);
    impl<'ast> Visit<'ast> for Bound {
        fn visit_pat_ident(&mut self, pattern: &'ast syn::PatIdent) {
            self.0.insert(pattern.ident.to_string());
            visit::visit_pat_ident(self, pattern);
        }
    }
    let mut bound = Bound(BTreeSet::new());
    bound.visit_pat(pattern);
    bound.0
}

impl<'ast> Visit<'ast> for StatementNames {
    fn visit_ident(&mut self, name: &'ast Ident) {
        *self.used.entry(name.to_string()).or_default() += 1;
    }

    fn visit_local(&mut self, local: &'ast Local) {
        self.changed.extend(bound_names(&local.pat));
        visit::visit_local(self, local);
    }

    fn visit_expr(&mut self, expression: &'ast Expr) {
        match expression {
            Expr::Assign(assign) => self.change(&assign.left),
            Expr::Binary(binary) if super::operators::is_compound(&binary.op) => self.change(&binary.left),
            Expr::Reference(reference) if reference.mutability.is_some() => self.change(&reference.expr),
            Expr::MethodCall(call) => {
                if !is_reading(&call.method.to_string()) {
                    self.change(&call.receiver);
                }
                self.has_effect |= communicates(&call.method.to_string());
            }
            Expr::Try(_) | Expr::Return(_) | Expr::Break(_) | Expr::Continue(_) => self.has_effect = true,
            Expr::Macro(call) => self.has_effect |= !call.mac.path.is_ident("vec"),
            _ => {}
        }
        visit::visit_expr(self, expression);
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        // The arguments of a macro are tokens: every word may be a name.
        for token in crate::source::token::flatten(call.tokens.clone()) {
            if let Some(word) = token.word() {
                *self.used.entry(word.to_owned()).or_default() += 1;
            }
        }
    }
}

/// The first line and column of each `let` whose names are not used in the function, and which has no effect otherwise.
pub(super) fn unused_bindings(block: &syn::Block) -> BTreeSet<(usize, usize)> {
    struct Locals<'a>(Vec<&'a Local>);
    impl<'ast> Visit<'ast> for Locals<'ast> {
        fn visit_local(&mut self, local: &'ast Local) {
            self.0.push(local);
            visit::visit_local(self, local);
        }
    }
    let mut locals = Locals(vec![]);
    locals.visit_block(block);
    let mut all = StatementNames::default();
    all.visit_block(block);
    let mut unused = BTreeSet::new();
    loop {
        let before = unused.len();
        for local in &locals.0 {
            let start = local.let_token.span.start();
            let place = (start.line, start.column);
            let mut own = StatementNames::default();
            own.visit_local(local);
            let is_used = |name: &String| all.used.get(name).copied().unwrap_or(0) > 1;
            if unused.contains(&place) || own.has_effect || bound_names(&local.pat).iter().any(is_used) {
                continue;
            }
            unused.insert(place);
            for (name, count) in own.used {
                all.used.entry(name).and_modify(|total| *total = total.saturating_sub(count));
            }
        }
        if unused.len() == before {
            return unused;
        }
    }
}

/// Whether a method of this name communicates: strings have a `split`, too.
fn communicates(method: &str) -> bool {
    let endings = ["", "_at", "_by", "_in_place", "_layout", "_vec"];
    let verbs = endings.iter().filter_map(|ending| Verb::from_name(method.strip_suffix(ending)?));
    let is_message = |verb: Verb| verb.sends() || verb.receives() || verb.name().starts_with("sendrecv");
    verbs.into_iter().any(|verb| verb != Verb::Split && (verb.is_collective() || is_message(verb)))
}

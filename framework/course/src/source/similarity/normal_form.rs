//! The normal form: a function as a sequence of codes, without what a disguise can change for nothing.

mod chains;

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::Span;
use syn::{
    Block, Expr, ExprBinary, ExprCall, ExprClosure, ExprMethodCall, Macro, Stmt, UnOp, parse::Parser,
    punctuated::Punctuated,
};

use super::{
    fingerprints::{LineRange, PlacedCode},
    first_span::{self, first_span},
    node::{Node, append, in_order, is_atom, sequence},
    operators::{compound_sign, is_commutative, sign},
    statement::{StatementNames, unused_bindings},
    vocabulary::{
        ARRAY, ASSIGN, ATOM, BREAK, CALL, IF, INDEX, LOOP, MATCH, NEGATIVE, NOT, PUSH, RECURSION, code_of,
        is_empty_container, is_silent_macro, is_transparent,
    },
};

/// Calls of calls of the task's own functions that are put in.
const MAX_DEPTH: usize = 6;

/// Codes of one function, after which calls are not put in any more.
const MAX_CODES: usize = 20_000;

/// A function of the task.
#[derive(Clone, Copy)]
pub(super) struct OwnFunction<'a> {
    pub(super) block: &'a Block,
    pub(super) file: u16,
}

/// Makes normal forms of the functions of one task.
pub(super) struct Normaliser<'a> {
    /// The functions that are put in where they are called.
    functions: &'a BTreeMap<String, OwnFunction<'a>>,
    file: u16,
    /// The functions that are being put in.
    open: Vec<String>,
    unused: Vec<BTreeSet<(usize, usize)>>,
    count: usize,
    /// Whether statements that may change places are put into one order.
    is_ordered: bool,
    /// The functions that were put in.
    pub(super) called: BTreeSet<String>,
}

impl<'a> Normaliser<'a> {
    pub(super) fn new(functions: &'a BTreeMap<String, OwnFunction<'a>>, is_ordered: bool) -> Self {
        Self {
            is_ordered,
            functions,
            file: 0,
            open: vec![],
            unused: vec![],
            count: 0,
            called: BTreeSet::new(),
        }
    }

    /// The codes of a function's body.
    pub(super) fn codes(&mut self, function: OwnFunction<'_>, name: &str) -> Vec<PlacedCode> {
        self.count = 0;
        self.file = function.file;
        self.open = vec![name.to_owned()];
        self.unused = vec![unused_bindings(function.block)];
        let nodes = self.block(function.block);
        let mut codes = vec![];
        nodes.iter().for_each(|node| append(node, &mut codes));
        codes
    }

    fn node(&mut self, code: u32, span: Span, below: Vec<Node>) -> Node {
        self.count += 1;
        // The lines of a node are those of its first word: those of what is below it are covered by that.
        let line = u32::try_from(span.start().line).unwrap_or(u32::MAX);
        Node { code, place: LineRange { file: self.file, first: line, last: line }, below }
    }

    fn atom(&mut self, span: Span) -> Vec<Node> {
        vec![self.node(ATOM, span, vec![])]
    }

    /// The statements; if they are ordered, those that may change places in the order of their codes.
    fn block(&mut self, block: &Block) -> Vec<Node> {
        let (mut waiting, mut written) = (vec![], vec![]);
        for statement in &block.stmts {
            let nodes = self.statement(statement);
            if self.is_ordered && !nodes.is_empty() {
                waiting.push((nodes, StatementNames::new(statement)));
            } else {
                written.extend(nodes);
            }
        }
        if !self.is_ordered {
            return written;
        }
        in_order(waiting)
    }

    fn statement(&mut self, statement: &Stmt) -> Vec<Node> {
        match statement {
            Stmt::Local(local) => {
                let start = local.let_token.span.start();
                let is_unused =
                    self.unused.last().is_some_and(|all| all.contains(&(start.line, start.column)));
                let Some(init) = local.init.as_ref().filter(|_| !is_unused) else { return vec![] };
                let value = self.expression(&init.expr);
                let otherwise =
                    init.diverge.as_ref().map_or(vec![], |(_, otherwise)| self.expression(otherwise));
                match is_atom(&value) && otherwise.is_empty() {
                    true => vec![],
                    false => vec![self.node(ASSIGN, local.let_token.span, [value, otherwise].concat())],
                }
            }
            Stmt::Expr(expression, _) => {
                let nodes = self.expression(expression);
                if is_atom(&nodes) { vec![] } else { nodes }
            }
            Stmt::Macro(call) => self.macro_call(&call.mac),
            Stmt::Item(_) => vec![],
        }
    }

    fn expression(&mut self, expression: &Expr) -> Vec<Node> {
        let span = first_span(expression);
        match expression {
            Expr::Paren(inner) => self.expression(&inner.expr),
            Expr::Group(inner) => self.expression(&inner.expr),
            Expr::Reference(inner) => self.expression(&inner.expr),
            Expr::Try(inner) => self.expression(&inner.expr),
            Expr::Cast(inner) => self.expression(&inner.expr),
            Expr::Let(inner) => self.expression(&inner.expr),
            Expr::Field(inner) => self.expression(&inner.base),
            Expr::Return(inner) => inner.expr.as_ref().map_or(vec![], |value| self.expression(value)),
            Expr::Unary(inner) => self.unary(inner),
            Expr::Binary(binary) => self.binary(binary),
            Expr::Assign(assign) => {
                let target = self.target(&assign.left);
                let value = self.expression(&assign.right);
                vec![self.node(ASSIGN, span, [target, value].concat())]
            }
            Expr::Block(block) => self.block(&block.block),
            Expr::Unsafe(block) => self.block(&block.block),
            Expr::Closure(closure) => self.closure(closure),
            Expr::If(_) | Expr::Match(_) => self.branches(expression),
            Expr::ForLoop(_) | Expr::While(_) | Expr::Loop(_) => self.repetition(expression),
            Expr::Break(_) | Expr::Continue(_) => vec![self.node(BREAK, span, vec![])],
            Expr::Index(index) => self.index(index),
            Expr::Array(array) => self.list(ARRAY, span, array.elems.iter()),
            Expr::Repeat(repeat) => self.list(ARRAY, span, [&*repeat.expr, &*repeat.len].into_iter()),
            Expr::Tuple(tuple) => self.several(tuple.elems.iter()),
            Expr::Range(range) => self.several(range.start.iter().chain(&range.end).map(|end| &**end)),
            Expr::Struct(made) => self.structure(made),
            Expr::Call(call) => self.call(call),
            Expr::MethodCall(call) => self.method(call),
            Expr::Macro(call) => self.macro_call(&call.mac),
            _ => self.atom(span),
        }
    }

    /// What is assigned to: only an element whose index is computed is seen.
    fn target(&mut self, expression: &Expr) -> Vec<Node> {
        let nodes = self.expression(expression);
        if is_atom(&nodes) { vec![] } else { nodes }
    }

    fn unary(&mut self, unary: &syn::ExprUnary) -> Vec<Node> {
        let value = self.expression(&unary.expr);
        match unary.op {
            UnOp::Not(_) => vec![self.node(NOT, first_span(&unary.expr), value)],
            UnOp::Neg(_) if !is_atom(&value) => vec![self.node(NEGATIVE, first_span(&unary.expr), value)],
            _ => value,
        }
    }

    fn binary(&mut self, binary: &ExprBinary) -> Vec<Node> {
        let span = first_span::of_operator(&binary.op);
        let (mut left, mut right) = (self.expression(&binary.left), self.expression(&binary.right));
        if let Some(sign) = compound_sign(&binary.op) {
            let target = if is_atom(&left) { vec![] } else { left.clone() };
            let changed = self.operation(sign, span, left, right);
            return vec![self.node(ASSIGN, span, [target, vec![changed]].concat())];
        }
        let (sign, is_swapped) = sign(&binary.op);
        if is_swapped {
            std::mem::swap(&mut left, &mut right);
        }
        vec![self.operation(sign, span, left, right)]
    }

    fn operation(&mut self, sign: &str, span: Span, mut left: Vec<Node>, mut right: Vec<Node>) -> Node {
        if is_commutative(sign) && sequence(&right) < sequence(&left) {
            std::mem::swap(&mut left, &mut right);
        }
        self.node(code_of(sign), span, [left, right].concat())
    }

    fn closure(&mut self, closure: &ExprClosure) -> Vec<Node> {
        let nodes = self.expression(&closure.body);
        if is_atom(&nodes) { vec![] } else { nodes }
    }

    /// `if`, `if let` and a `match` of two arms have the same form.
    fn branches(&mut self, expression: &Expr) -> Vec<Node> {
        let (code, below) = match expression {
            Expr::If(branch) => {
                let condition = self.several([&*branch.cond].into_iter());
                let yes = self.block(&branch.then_branch);
                let no = branch.else_branch.as_ref().map_or(vec![], |(_, no)| self.expression(no));
                let no = if is_atom(&no) { vec![] } else { no };
                (IF, [condition, yes, no].concat())
            }
            Expr::Match(choice) => {
                let mut below = self.several([&*choice.expr].into_iter());
                for arm in &choice.arms {
                    below.extend(arm.guard.as_ref().map_or(vec![], |(_, guard)| self.expression(guard)));
                    below.extend(self.several([&*arm.body].into_iter()));
                }
                (if choice.arms.len() == 2 { IF } else { MATCH }, below)
            }
            _ => (IF, vec![]),
        };
        vec![self.node(code, first_span(expression), below)]
    }

    fn repetition(&mut self, expression: &Expr) -> Vec<Node> {
        let below = match expression {
            Expr::ForLoop(repeat) => {
                let over = self.several([&*repeat.expr].into_iter());
                // `for x in chain.map(...)`: the body belongs to the loop of the chain.
                let body = self.block(&repeat.body);
                [over, body].concat()
            }
            Expr::While(repeat) => {
                let condition = self.several([&*repeat.cond].into_iter());
                [condition, self.block(&repeat.body)].concat()
            }
            Expr::Loop(repeat) => self.block(&repeat.body),
            _ => vec![],
        };
        vec![self.node(LOOP, first_span(expression), below)]
    }

    fn index(&mut self, index: &syn::ExprIndex) -> Vec<Node> {
        let (base, at) = (self.expression(&index.expr), self.expression(&index.index));
        match (is_atom(&base), is_atom(&at) || at.iter().all(|node| node.code == ATOM)) {
            (true, true) => base,
            _ => {
                let base = if is_atom(&base) { vec![] } else { base };
                vec![self.node(INDEX, first_span(&index.expr), [base, at].concat())]
            }
        }
    }

    /// Several expressions; those that are atoms are left out.
    fn several<'b>(&mut self, expressions: impl Iterator<Item = &'b Expr>) -> Vec<Node> {
        let mut found = vec![];
        for expression in expressions {
            let nodes = self.expression(expression);
            if !is_atom(&nodes) {
                found.extend(nodes);
            }
        }
        found
    }

    fn list<'b>(&mut self, code: u32, span: Span, expressions: impl Iterator<Item = &'b Expr>) -> Vec<Node> {
        match self.several(expressions) {
            below if below.is_empty() => self.atom(span),
            below => vec![self.node(code, span, below)],
        }
    }

    /// The fields, in the order of their codes.
    fn structure(&mut self, made: &syn::ExprStruct) -> Vec<Node> {
        let mut fields: Vec<_> = made.fields.iter().map(|field| self.expression(&field.expr)).collect();
        fields.retain(|field| !is_atom(field));
        fields.sort_by_cached_key(|field| sequence(field));
        match fields.concat() {
            below if below.is_empty() => self.atom(made.path.segments[0].ident.span()),
            below => below,
        }
    }

    fn call(&mut self, call: &ExprCall) -> Vec<Node> {
        let name = match &*call.func {
            Expr::Path(path) => path.path.segments.last().map(|segment| segment.ident.to_string()),
            _ => None,
        };
        let name = name.unwrap_or_default();
        if let Some(body) = self.own(&name) {
            return [self.several(call.args.iter()), body].concat();
        }
        let arguments = self.several(call.args.iter());
        if name.starts_with(char::is_uppercase) || is_empty_container(&name) {
            return if arguments.is_empty() { self.atom(first_span(&call.func)) } else { arguments };
        }
        vec![self.node(code_of(&name), first_span(&call.func), arguments)]
    }

    /// The body of a function of the task, put in where it is called.
    fn own(&mut self, name: &str) -> Option<Vec<Node>> {
        let function = *self.functions.get(name)?;
        self.called.insert(name.to_owned());
        if self.open.iter().any(|open| open == name) || self.open.len() > MAX_DEPTH || self.count > MAX_CODES
        {
            return Some(vec![self.node(RECURSION, function.block.brace_token.span.open(), vec![])]);
        }
        let file = std::mem::replace(&mut self.file, function.file);
        self.open.push(name.to_owned());
        self.unused.push(unused_bindings(function.block));
        let nodes = self.block(function.block);
        self.unused.pop();
        self.open.pop();
        self.file = file;
        Some(nodes)
    }

    fn method(&mut self, call: &ExprMethodCall) -> Vec<Node> {
        let name = call.method.to_string();
        let span = call.method.span();
        if is_transparent(&name) {
            let receiver = self.expression(&call.receiver);
            let arguments = self.several(call.args.iter());
            return if arguments.is_empty() { receiver } else { [receiver, arguments].concat() };
        }
        if let Some(repeated) = self.chain(&name, call) {
            return repeated;
        }
        let receiver = self.several([&*call.receiver].into_iter());
        if let Some(body) = self.own(&name) {
            return [receiver, self.several(call.args.iter()), body].concat();
        }
        let arguments = self.several(call.args.iter());
        let code = if name == "push" { PUSH } else { code_of(&name) };
        vec![self.node(code, span, [receiver, arguments].concat())]
    }

    fn macro_call(&mut self, call: &Macro) -> Vec<Node> {
        let name = call.path.segments.last().map(|segment| segment.ident.to_string()).unwrap_or_default();
        if is_silent_macro(&name) {
            return vec![];
        }
        let comma = Punctuated::<Expr, syn::Token![,]>::parse_terminated.parse2(call.tokens.clone());
        let list = comma.or_else(|_| {
            Punctuated::<Expr, syn::Token![;]>::parse_terminated
                .parse2(call.tokens.clone())
                .map(|list| list.into_iter().collect())
        });
        let below = list.map_or(vec![], |list| self.several(list.iter()));
        match (name.as_str(), below.is_empty()) {
            ("vec", true) => self.atom(first_span::of_macro(call)),
            ("vec", false) => vec![self.node(ARRAY, first_span::of_macro(call), below)],
            _ => vec![self.node(CALL, first_span::of_macro(call), below)],
        }
    }
}

//! Methods of iterators as the loops that they are.

use proc_macro2::Span;
use syn::ExprMethodCall;

use super::{
    super::{
        node::Node,
        vocabulary::{ASSIGN, IF, LOOP, PUSH},
    },
    Normaliser,
};

impl Normaliser<'_> {
    /// A method of iterators as the loop that it is.
    pub(super) fn chain(&mut self, name: &str, call: &ExprMethodCall) -> Option<Vec<Node>> {
        let span = call.method.span();
        let inner = match name {
            "map" | "for_each" | "flat_map" | "filter_map" | "inspect" | "try_for_each" => {
                self.several(call.args.iter())
            }
            "filter" | "take_while" | "skip_while" | "any" | "all" | "position" | "find" => {
                let condition = self.several(call.args.iter());
                vec![self.node(IF, span, condition)]
            }
            "fold" if call.args.len() == 2 => {
                let next = self.several(call.args.iter().skip(1));
                vec![self.node(ASSIGN, span, next)]
            }
            "sum" | "product" => return Some(self.accumulated(if name == "sum" { "+" } else { "*" }, call)),
            "collect" => return Some(self.collected(call)),
            _ => return None,
        };
        let receiver = self.several([&*call.receiver].into_iter());
        Some(self.within(receiver, inner, span))
    }

    /// `inner` at the end of the loop that the receiver is, or in a loop of its own.
    fn within(&mut self, mut receiver: Vec<Node>, inner: Vec<Node>, span: Span) -> Vec<Node> {
        match receiver.last_mut() {
            Some(last) if last.code == LOOP => last.below.extend(inner),
            _ => {
                let repeated = self.node(LOOP, span, inner);
                receiver.push(repeated);
            }
        }
        receiver
    }

    /// `sum` as the loop that adds to a variable.
    fn accumulated(&mut self, sign: &str, call: &ExprMethodCall) -> Vec<Node> {
        let span = call.method.span();
        let mut receiver = self.several([&*call.receiver].into_iter());
        let mut terms = match receiver.last_mut() {
            Some(last) if last.code == LOOP => std::mem::take(&mut last.below),
            _ => vec![],
        };
        // The last node of the loop is what is added; an atom if there is none.
        let term = terms.pop().map_or_else(|| self.atom(span), |term| vec![term]);
        let total = self.atom(span);
        let sum = self.operation(sign, span, total, term);
        let assigned = self.node(ASSIGN, span, vec![sum]);
        terms.push(assigned);
        self.within(receiver, terms, span)
    }

    /// `collect` as the loop that pushes.
    fn collected(&mut self, call: &ExprMethodCall) -> Vec<Node> {
        let span = call.method.span();
        let mut receiver = self.several([&*call.receiver].into_iter());
        match receiver.last_mut() {
            Some(last) if last.code == LOOP => {
                let below = std::mem::take(&mut last.below);
                let pushed = self.node(PUSH, span, below);
                last.below.push(pushed);
            }
            None => return self.atom(span),
            Some(_) => {}
        }
        receiver
    }
}

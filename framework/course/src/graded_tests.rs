//! Whether the tests of a task use the graded inputs of an assignment.

use std::str::FromStr;

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// Whether a Rust file calls the method `graded()`, with which a functional test uses the inputs, the oracle and the reference of an
/// assignment. Comments and texts do not count. A file that is not Rust calls nothing.
///
/// ```
/// use wb_course::runs_graded_inputs;
/// assert!(runs_graded_inputs("#[test] fn f() { functional(Mpi).against_reference().graded(); }"));
/// assert!(!runs_graded_inputs("#[test] fn f() { functional(Mpi).check(inputs); } // .graded()"));
/// ```
pub fn runs_graded_inputs(source: &str) -> bool {
    TokenStream::from_str(source).is_ok_and(calls_graded)
}

fn calls_graded(tokens: TokenStream) -> bool {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let is_call = |window: &[TokenTree]| {
        matches!(window, [TokenTree::Punct(dot), TokenTree::Ident(name), TokenTree::Group(arguments)]
            if dot.as_char() == '.' && *name == "graded" && arguments.delimiter() == Delimiter::Parenthesis)
    };
    let inner = |token: TokenTree| matches!(token, TokenTree::Group(group) if calls_graded(group.stream()));
    tokens.windows(3).any(is_call) || tokens.into_iter().any(inner)
}

#[cfg(test)]
mod tests {
    use super::runs_graded_inputs;

    #[test]
    fn only_a_call_of_the_method_counts() {
        assert!(runs_graded_inputs("mod a { fn f() { if x { functional(Seq).ranks([1]).graded(); } } }"));
        for other in [
            "fn graded() {} fn f() { graded(); }",
            "fn f() { let _ = \".graded()\"; }",
            "/// `.graded()`\nfn f() { x.graded; }",
            "fn f( { x.graded()",
        ] {
            assert!(!runs_graded_inputs(other), "{other}");
        }
    }
}

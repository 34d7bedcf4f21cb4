//! The codes of the normal form, and the methods that have no code of their own.

use std::hash::Hasher;

use rustc_hash::FxHasher;

/// A value whose making does not matter: a name, a literal, a field, an element.
pub(super) const ATOM: u32 = 1;
pub(super) const ASSIGN: u32 = 2;
pub(super) const LOOP: u32 = 3;
pub(super) const IF: u32 = 4;
pub(super) const MATCH: u32 = 5;
pub(super) const PUSH: u32 = 6;
pub(super) const BREAK: u32 = 7;
pub(super) const INDEX: u32 = 8;
pub(super) const ARRAY: u32 = 9;
pub(super) const RECURSION: u32 = 10;
pub(super) const NOT: u32 = 11;
pub(super) const NEGATIVE: u32 = 12;
pub(super) const CALL: u32 = 13;

/// The code of a library call or of an operator.
pub(super) fn code_of(name: &str) -> u32 {
    let mut hasher = FxHasher::default();
    hasher.write(name.as_bytes());
    // The codes below 256 are those above.
    (hasher.finish() >> 32) as u32 | 256
}

/// Methods that pass their receiver on: conversions, borrows, copies, and what an error or a missing value is made of.
pub(super) fn is_transparent(method: &str) -> bool {
    const NAMES: [&str; 38] = [
        "as_bytes",
        "as_deref",
        "as_deref_mut",
        "as_mut",
        "as_mut_slice",
        "as_ref",
        "as_slice",
        "as_str",
        "borrow",
        "borrow_mut",
        "by_ref",
        "bytes",
        "chars",
        "clone",
        "cloned",
        "copied",
        "enumerate",
        "expect",
        "flatten",
        "into",
        "into_iter",
        "iter",
        "iter_mut",
        "map_err",
        "ok",
        "ok_or",
        "ok_or_else",
        "rev",
        "to_owned",
        "to_string",
        "to_vec",
        "try_into",
        "unwrap",
        "unwrap_or",
        "unwrap_or_default",
        "into_boxed_slice",
        "here",
        "zip",
    ];
    NAMES.contains(&method)
}

/// Functions that make an empty container.
pub(super) fn is_empty_container(function: &str) -> bool {
    ["new", "with_capacity", "default"].contains(&function)
}

/// Macros that only print or check.
pub(super) fn is_silent_macro(name: &str) -> bool {
    const NAMES: [&str; 11] = [
        "assert",
        "assert_eq",
        "assert_ne",
        "dbg",
        "debug_assert",
        "debug_assert_eq",
        "debug_assert_ne",
        "eprint",
        "eprintln",
        "print",
        "println",
    ];
    NAMES.contains(&name)
}

//! The standard library as a task may use it: a closed list of modules that only compute.

use wb_text::{Text, source as text};

use super::SourceRule;

/// Modules of which everything may be used. The macros that are named like paths (`std::println!`) are among them.
const ALLOWED: &[&str] = &[
    "any",
    "array",
    "ascii",
    "assert",
    "assert_eq",
    "assert_ne",
    "borrow",
    "boxed",
    "cell",
    "char",
    "clone",
    "cmp",
    "collections",
    "concat",
    "convert",
    "dbg",
    "debug_assert",
    "debug_assert_eq",
    "debug_assert_ne",
    "default",
    "eprint",
    "eprintln",
    "error",
    "f32",
    "f64",
    "fmt",
    "format",
    "hash",
    "hint",
    "i128",
    "i16",
    "i32",
    "i64",
    "i8",
    "isize",
    "iter",
    "marker",
    "matches",
    "mem",
    "num",
    "ops",
    "option",
    "pin",
    "prelude",
    "primitive",
    "print",
    "println",
    "ptr",
    "range",
    "rc",
    "result",
    "slice",
    "str",
    "string",
    "stringify",
    "u128",
    "u16",
    "u32",
    "u64",
    "u8",
    "unreachable",
    "usize",
    "vec",
    "write",
    "writeln",
];

/// Items of other modules that only compute.
const ALLOWED_ITEMS: &[(&str, &str)] = &[("time", "Duration"), ("sync", "Arc"), ("panic", "Location")];

/// Names of the roots of the standard library.
pub(super) const ROOTS: [&str; 3] = ["std", "core", "alloc"];

/// The rule that the path breaks, and why; `None` if it only computes. `path` begins with the module below the root.
pub(super) fn offence(path: &[String], is_glob: bool, shown: &str) -> Option<(SourceRule, Text)> {
    let Some(module) = path.first().map(String::as_str) else {
        let reason = if is_glob { text::hidden_glob(shown) } else { text::hidden_alias(shown) };
        return Some((SourceRule::HiddenPath, reason));
    };
    if ALLOWED.contains(&module) {
        return None;
    }
    let item = path.get(1).map(String::as_str);
    if item.is_some_and(|item| ALLOWED_ITEMS.contains(&(module, item))) {
        return None;
    }
    Some(match module {
        "thread" | "sync" | "thread_local" => (SourceRule::Threads, text::threads(shown)),
        "time" => (SourceRule::Clock, text::clock(shown)),
        "arch" | "intrinsics" | "ffi" | "alloc" => (SourceRule::UnsafeCode, text::foreign_code(shown)),
        // Macros, which are checked where they are called.
        "include" | "include_str" | "include_bytes" | "option_env" => return None,
        _ => (SourceRule::System, text::system(shown)),
    })
}

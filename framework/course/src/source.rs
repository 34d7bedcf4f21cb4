//! The sources of a task as data: rules that are checked by syntax, and similarity to other tasks.
//!
//! Both parts are pure functions: texts of files in, findings or pairs out. Nothing here reads a file or runs a program.
//!
//! * [`rules`]: what a task must not contain, each finding with file, line, reason and remedy.
//! * [`similarity`]: how much of one task occurs in another, after names, types, literals and formatting were removed.
//!
//! Syntax cannot decide everything. Rules that need a run (does the parallel version communicate, does every rank compute) are
//! decided by the counters of functional tests and by records.
//!
//! ```
//! use wb_course::source::{SourceFile, rules};
//! let text = "use std::{fs as f, cmp};\nfn read() { f::read(\"answer\"); }\n";
//! let found = rules::check(&[SourceFile::new("src/seq.rs", text)], &[], false);
//! assert_eq!((found[0].rule, found[0].line), (rules::SourceRule::System, 1));
//! ```

pub mod rules;
pub mod similarity;
mod source_file;
mod token;

pub use source_file::{SourceFile, SourcePart};

#[cfg(test)]
#[path = "../tests/source/mod.rs"]
mod interface;

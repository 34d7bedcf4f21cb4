//! The text of the repository keeps its rules: dependencies, sizes, names, prose, tables that are made from the code.

mod architecture;
mod documents;
mod features;
mod named_tests;
mod names;
mod prose;
mod tidy;
mod variables;
mod workflows;

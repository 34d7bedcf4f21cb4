//! The tests of the crate's interface.

mod examples;
mod golden;
mod gradebook;
mod grading;
mod json_schemas;
mod laws;
mod variants;

//! The laws of verbs, windows, files, traces and tasks, on every backend.

mod conformance;
mod lines;
mod orders;
mod selection;
mod tasks;
mod traces;
mod windows;

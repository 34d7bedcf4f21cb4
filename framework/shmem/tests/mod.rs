//! The tests of the crate's interface.

mod access;
mod partial;
mod support;
mod teams;

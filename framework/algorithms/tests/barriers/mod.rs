//! The tests of the crate's interface.

mod ascend;
mod barriers;
mod completion;
mod exploration;
#[path = "loom/main.rs"]
mod loom;
mod proofs;

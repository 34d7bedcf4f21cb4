//! The tests of the crate's interface.

mod ascend;
mod barriers;
mod completion;
mod exploration;
#[path = "loom/main.rs"]
pub(crate) mod loom;
mod proofs;

//! Algorithms of collective calls. None names a backend.
//!
//! | module | what it is |
//! |---|---|
//! | [`barriers`] | the catalogue of barriers, plans, proofs, the explorer, and the code for messages, memory and windows |
//! | [`collectives`] | the other collectives over messages; the catalogue of broadcasts and their proof |
#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod barriers;
pub mod collectives;

//! Backends inside one process.
//!
//! | module | what it is |
//! |---|---|
//! | [`fabric`] | the state that the ranks share: matching of messages, agreements, windows, exact deadlock detection |
//! | [`threads`] | ranks are threads |
//! | [`sim`] | ranks are coroutines in virtual time on the model of a machine, or in every order that MPI allows |
#![deny(unsafe_code)]
#![deny(missing_docs)]

pub mod fabric;
pub mod sim;
pub mod threads;

// The tests of windows are those of real MPI, which name this module from the root.
#[cfg(test)]
use threads::sample;

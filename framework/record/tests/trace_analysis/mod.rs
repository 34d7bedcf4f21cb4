//! The tests of the crate's interface.

mod matching;
mod replays;
mod states;
mod synthetic;

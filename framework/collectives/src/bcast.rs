//! Broadcasts: the root's data reaches everybody. One file an algorithm, and each file's `ENTRIES` are rows of
//! [`broadcast::all`](crate::broadcast::all); nobody keeps a list.
include!(concat!(env!("OUT_DIR"), "/broadcasts.rs"));

pub use binomial::binomial;

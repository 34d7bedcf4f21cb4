//! The calls of every rank of MPI, in order: recorded while it runs, by a transport that forwards every call.
pub(crate) mod call_action;
mod collectives;
mod file;
mod pending;
mod persistent;
pub(crate) mod trace;
pub(crate) mod transport;
mod window;

//! Replays the calls of MPI ranks on ranks that share a process, to find mistakes that MPI does not report.
pub(crate) mod call_trace;
pub(crate) mod communicator_map;
pub(crate) mod replay_input;
mod replay_rank;

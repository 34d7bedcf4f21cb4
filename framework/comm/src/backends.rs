//! The backends that a program is linked with, each behind its trait.
use crate::{ModelChecker, ProcessRanks, ThreadRanks, VirtualRanks};

/// The backends that can run ranks in this program. The facade, which links them, constructs it.
#[derive(Clone, Copy)]
pub struct Backends {
    /// Real MPI, if linked.
    pub processes: Option<&'static dyn ProcessRanks>,
    /// Ranks as threads, always available.
    pub threads: &'static dyn ThreadRanks,
    /// The same with race detection of window accesses: for runs that are not measured.
    pub watched_threads: &'static dyn ThreadRanks,
    /// Ranks as threads that buffer messages up to the given number of bytes: for the replay of recorded calls.
    pub replay_threads: fn(usize) -> Box<dyn ThreadRanks>,
    /// Ranks in virtual time, always available.
    pub virtual_time: &'static dyn VirtualRanks,
    /// The backend in virtual time with race detection.
    pub watched_virtual_time: &'static dyn VirtualRanks,
    /// The model checker: ranks in every order that MPI allows, always available.
    pub orders: &'static dyn ModelChecker,
}

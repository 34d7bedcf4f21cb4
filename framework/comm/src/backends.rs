//! The backends that a program is linked with, each behind its trait.
use crate::{ModelChecker, ProcessRanks, ThreadRanks, VirtualRanks};

/// What can run ranks in this program. One function makes it: that of the facade, which is linked with them.
#[derive(Clone, Copy)]
pub struct Backends {
    /// Real MPI, when linked.
    pub processes: Option<&'static dyn ProcessRanks>,
    /// Ranks as threads, always there.
    pub threads: &'static dyn ThreadRanks,
    /// The same, with all accesses of windows held against each other: for runs that are not measured.
    pub watched_threads: &'static dyn ThreadRanks,
    /// Ranks as threads that buffer messages up to the given number of bytes: for the replay of recorded calls.
    pub retelling: fn(usize) -> Box<dyn ThreadRanks>,
    /// Ranks in virtual time, always there.
    pub virtual_time: &'static dyn VirtualRanks,
    /// The same, watched in the same way.
    pub watched_virtual_time: &'static dyn VirtualRanks,
    /// Ranks in every order that MPI allows, always there.
    pub orders: &'static dyn ModelChecker,
}

//! What can run ranks in this program.
use wb_comm::{Processes, Threads};

/// The backends that this program is linked with.
#[derive(Clone, Copy)]
pub struct Backends {
    /// Real MPI, when linked.
    pub processes: Option<&'static dyn Processes>,
    /// Ranks as threads, always there.
    pub threads: &'static dyn Threads,
}

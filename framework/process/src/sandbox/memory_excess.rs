//! The reason why a sandbox was ended: its memory.
use std::sync::{Arc, OnceLock};

/// The memory of the processes of a sandbox that was ended for its memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryExcess {
    /// The memory of all processes together, in bytes.
    pub used: u64,
    /// The limit in bytes.
    pub limit: u64,
    /// The process that used most, by its number outside.
    pub largest: u32,
    /// The memory of that process, in bytes.
    pub used_by_largest: u64,
}

/// Where the reason is left, before the sandbox is ended.
pub type ExcessReport = Arc<OnceLock<MemoryExcess>>;

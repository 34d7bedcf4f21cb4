//! Why a job was ended from outside: its memory, which the judge does not watch itself.
use std::sync::Arc;

/// Why a job was ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndCause {
    /// The reason, for the user.
    pub reason: String,
    /// The process that used most memory.
    pub process: u32,
    /// What it used, in bytes.
    pub used: u64,
}

/// Asks why a job was ended; nothing if no one but the judge and the ranks has ended it.
pub type AskEndCause = Arc<dyn Fn() -> Option<EndCause> + Send + Sync>;

//! The seed of oracles that sample.
//!
//! Only the judge sets it, before anything runs: a task cannot, because the facade does not export that. A number that a task could set
//! would be a memory between its passes, and shared by its virtual ranks.
use std::sync::atomic::{AtomicU64, Ordering};

/// The seed of oracles in this process.
static ORACLE_SEED: AtomicU64 = AtomicU64::new(0x5eed);

/// The seed for an oracle that samples: a fixed one in a student's own runs, and under a judge one that is not known in advance.
pub fn oracle_seed() -> u64 {
    ORACLE_SEED.load(Ordering::Relaxed)
}

/// Lets the oracles of this process sample from another seed.
pub fn set_oracle_seed(seed: u64) {
    ORACLE_SEED.store(seed, Ordering::Relaxed);
}

//! What the machine itself allows: a kernel that computes on every rank and never communicates.

use crate::ElapsedFrom;
use crate::fields::{COUNT, NS, RANKS, fields};
use serde::{Deserialize, Serialize};

/// The spin kernel at `ranks` ranks in one launch, the **same amount of work on every rank** at every rank count.
///
/// A perfect machine takes the same time at any `ranks`. The ceiling of the speed-up is therefore
/// `S_box(p) = p * T(1) / T(p)` with `T` the median of the samples: shared cores, turbo steps and quotas show in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ceiling {
    /// The number of ranks that spun at the same time.
    pub ranks: u32,
    /// The number of the launch, from 0.
    pub launch: u32,
    /// The clocks from which the times were computed.
    #[serde(default, skip_serializing_if = "ElapsedFrom::is_common_clock")]
    pub elapsed_from: ElapsedFrom,
    /// Times of the kernel, each the maximum over the ranks.
    pub samples_ns: Vec<u64>,
}

fields! {
    Ceiling { ranks: RANKS, launch: COUNT, elapsed_from, samples_ns: NS }
}

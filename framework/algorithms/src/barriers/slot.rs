//! The values of the single slot of OpenSHMEM's barriers.
//!
//! One slot is enough only because these values, round numbers and PE numbers are disjoint, and because a PE first
//! reads whether the partner of the next round is ready. A put must also not arrive later than the next get of its
//! sender from there; if a transport does not guarantee that, a quiet at the end does.
use wb_comm::CellIndex;

/// The slot's cell.
pub(crate) const SLOT: CellIndex = 0;

/// No PE is here (`_SHMEM_SYNC_VALUE`).
pub(crate) const UNUSED: i64 = -1;

/// This PE has arrived and waits.
pub(crate) const WAITING: i64 = -2;

/// This PE may continue.
pub(crate) const RELEASED: i64 = -3;

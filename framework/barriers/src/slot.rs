//! What OpenSHMEM's barriers write into their one slot.
//!
//! One slot is enough only because these values, round numbers and PE numbers are disjoint, and because the partner of
//! the next round is asked first whether it is ready. What is put must also not arrive later than the next thing that its
//! sender gets from there; where no transport promises that, a quiet at the end does as well.
use wb_comm::CellIndex;

/// The slot.
pub(crate) const SLOT: CellIndex = 0;

/// No PE is here (`_SHMEM_SYNC_VALUE`).
pub(crate) const UNUSED: i64 = -1;

/// I have come and wait.
pub(crate) const WAITING: i64 = -2;

/// Go on.
pub(crate) const RELEASED: i64 = -3;

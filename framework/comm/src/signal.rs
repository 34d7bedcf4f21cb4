//! Two verbs for barriers: *tell* a peer, *hear* from a peer.
//!
//! A barrier is who tells whom, and who must hear from whom. An algorithm written in these two verbs runs over anything
//! that can signal: zero-byte messages, flags in memory, a recorder that only writes down who tells whom.
use crate::{Rank, Result};

/// Which of several signals between the same two ranks, e.g. the round's number.
pub type Slot = u32;

/// What can carry signals between the ranks of a group.
pub trait Signal {
    /// This participant's number.
    fn rank(&self) -> Rank;

    /// How many participate.
    fn size(&self) -> usize;

    /// Signals `peer` on `slot`; never waits for the peer to listen.
    ///
    /// # Errors
    /// What the substrate can meet.
    fn signal(&mut self, peer: Rank, slot: Slot) -> Result<()>;

    /// As [`tell`](Self::signal), but where signals are messages the sender's part is over only when the peer has begun
    /// to receive (`MPI_Ssend`), so nobody leaves with a message undelivered. Elsewhere there is no difference.
    ///
    /// # Errors
    /// What the substrate can meet.
    fn signal_synchronously(&mut self, peer: Rank, slot: Slot) -> Result<()> {
        self.signal(peer, slot)
    }

    /// Returns once `peer` has told us `slot` as often as we have asked.
    ///
    /// # Errors
    /// What the substrate can meet.
    fn wait_signal(&mut self, peer: Rank, slot: Slot) -> Result<()>;
}

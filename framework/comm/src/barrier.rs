//! The interface of every barrier: [`Barrier`], and [`SplitBarrier`] for those that can overlap with work.
//!
//! All of them guarantee: no member leaves episode b before every member has entered it. Whether memory operations are
//! complete then as well is a second guarantee, which a barrier's catalogue entry states (OpenSHMEM's *barrier* has it,
//! its *sync* does not).
use crate::Result;

/// One participant's handle of a barrier.
pub trait Barrier {
    /// Enters an episode and returns once every member has entered it.
    ///
    /// # Errors
    /// The errors of the substrate; the barrier cannot be used afterwards.
    fn wait(&mut self) -> Result<()>;
}

/// A split-phase barrier: the wait can be interleaved with work (`MPI_Ibarrier`).
pub trait SplitBarrier: Barrier {
    /// Enters an episode; does not wait.
    ///
    /// # Errors
    /// As [`Barrier::wait`]; also if the last episode is not complete.
    fn arrive(&mut self) -> Result<()>;

    /// Advances as far as possible without waiting; true once every member has entered the episode of the last
    /// [`arrive`](Self::arrive).
    ///
    /// # Errors
    /// As [`Barrier::wait`].
    fn poll(&mut self) -> Result<bool>;
}

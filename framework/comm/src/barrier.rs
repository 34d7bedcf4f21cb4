//! What every barrier can do, whatever carries it: [`Barrier`], and [`SplitBarrier`] for those that need not stand still.
//!
//! The guarantee of all of them: no member leaves episode b before every member has entered it. Whether memory operations
//! are complete then as well is a second promise, which a barrier's catalogue entry states (OpenSHMEM's *barrier*
//! promises it, its *sync* does not).
use crate::Result;

/// One participant's handle of a barrier.
pub trait Barrier {
    /// Enters an episode and returns once every member has entered it.
    ///
    /// # Errors
    /// What the substrate can meet; the barrier is of no use afterwards.
    fn wait(&mut self) -> Result<()>;
}

/// A barrier whose waiting can be interleaved with work (`MPI_Ibarrier`).
pub trait SplitBarrier: Barrier {
    /// Enters an episode; does not wait.
    ///
    /// # Errors
    /// As [`Barrier::wait`]; also when the last episode is not over.
    fn arrive(&mut self) -> Result<()>;

    /// Advances as far as it can without waiting; true once every member has entered the episode of the last
    /// [`arrive`](Self::arrive).
    ///
    /// # Errors
    /// As [`Barrier::wait`].
    fn poll(&mut self) -> Result<bool>;
}

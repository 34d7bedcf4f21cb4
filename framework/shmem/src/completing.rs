//! OpenSHMEM's *barrier* made from its *sync*: complete the memory operations, then synchronise.
use wb_comm::{Barrier, Result};

/// A barrier that completes all memory operations of its participants first.
///
/// ```
/// # use wb_comm::{Barrier, Result};
/// # struct Sync;
/// # impl Barrier for Sync { fn wait(&mut self) -> Result<()> { Ok(()) } }
/// let quiet = || Ok(()); // completes what this participant has put
/// wb_shmem::CompletingBarrier { quiet, sync: Sync }.wait()?;
/// # Ok::<(), wb_comm::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct CompletingBarrier<Q, B> {
    /// Returns once all memory operations of this participant are complete everywhere.
    pub quiet: Q,
    /// The rendezvous.
    pub sync: B,
}

impl<Q: FnMut() -> Result<()>, B: Barrier> Barrier for CompletingBarrier<Q, B> {
    fn wait(&mut self) -> Result<()> {
        (self.quiet)()?;
        self.sync.wait()
    }
}

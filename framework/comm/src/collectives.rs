//! MPI's collective operations with the element types erased.
//!
//! There are two kinds of implementors: a backend with a library (MPI's own calls) and the algorithms of
//! `wb-collectives` over any [`Transport`](crate::Transport). `World` calls the one that is available; the conformance
//! tests compare them. All buffers are contiguous and in rank order; the block of rank `r` starts where the blocks of
//! the ranks before it end. All ranks of the communicator must start the same operations with matching arguments, in the same order.
use crate::{
    BorrowedBuffers, CallSite, CollectiveKind, Operation, OwnedBuffers, Pending, Result, View, ViewMut,
};

/// The collective operations. Callers have checked ranks, lengths and operations. A buffer that the operation does not use on this rank is
/// empty, and has the element type of the other one. In a broadcast the receive buffer has the data, on the root, too.
#[allow(clippy::missing_errors_doc, reason = "all: what the backend can meet, see Error")]
pub trait Collectives {
    /// Runs an operation; returns when this rank's part of it is complete (`MPI_Bcast` and so on).
    fn run(&self, kind: CollectiveKind<'_>, buffers: BorrowedBuffers<'_>, site: CallSite) -> Result<()>;

    /// Starts an operation that owns its buffers until it is waited for (`MPI_Ibcast` and so on). The wait returns the receive buffer.
    fn start(
        &self,
        kind: CollectiveKind<'_>,
        buffers: OwnedBuffers,
        site: CallSite,
    ) -> Result<Box<dyn Pending>>;

    /// Combines `left` with `into`, which gets the result, without communication (`MPI_Reduce_local`).
    fn reduce_local(&self, left: View<'_>, into: ViewMut<'_>, operation: Operation) -> Result<()> {
        operation.fold(left, into)
    }

    /// The library's non-blocking barrier, followed immediately by its wait (`MPI_Ibarrier`, `MPI_Wait`).
    ///
    /// # Errors
    /// [`Error::Setup`](crate::Error::Setup) if there is none.
    fn ibarrier_and_wait(&self, site: CallSite) -> Result<()> {
        let _ = site;
        Err(crate::Error::Setup(crate::text::barrier::no_nonblocking()))
    }
}

impl dyn Collectives + '_ {
    /// No rank returns before every rank has entered (`MPI_Barrier`).
    ///
    /// # Errors
    /// What the backend can meet.
    pub fn barrier(&self, site: CallSite) -> Result<()> {
        self.run(CollectiveKind::Barrier, BorrowedBuffers::none(), site)
    }
}

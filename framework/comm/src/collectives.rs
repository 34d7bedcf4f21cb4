//! MPI's collective operations with the element types erased.
//!
//! There are two kinds of implementors: a backend with a library (MPI's own calls) and the algorithms of
//! `wb_algorithms::collectives` over any [`Transport`](crate::Transport). `World` calls the one that is available; the conformance
//! tests compare them. All buffers are contiguous and in rank order; the block of rank `r` starts where the blocks of
//! the ranks before it end. All ranks of the communicator must start the same operations with matching arguments, in the same order.
use crate::{
    BorrowedBuffers, CallSite, CollectiveKind, LayoutView, LayoutViewMut, Operation, OwnedBuffers, Pending,
    Rank, Result, View, ViewMut,
};

/// The buffers of an operation, one of them with a layout. In a scatter and a gather it has the blocks of all ranks
/// ([`Layout::of_ranks`](crate::Layout::of_ranks)).
#[derive(Debug)]
pub enum LayoutBuffers<'a> {
    /// The root's data, which the other ranks receive.
    Bcast(LayoutViewMut<'a>),
    /// The blocks, and the one of the root.
    Scatter(LayoutView<'a>, ViewMut<'a>),
    /// The block of the root, and all of them.
    Gather(View<'a>, LayoutViewMut<'a>),
}

impl LayoutBuffers<'_> {
    /// The size of the elements in bytes.
    pub fn byte_count(&self) -> usize {
        match self {
            Self::Bcast(data) | Self::Gather(_, data) => data.byte_count(),
            Self::Scatter(data, _) => data.byte_count(),
        }
    }
}

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

    /// Runs an operation in which the contribution of this rank is in the buffer that gets the result (`MPI_IN_PLACE`). The buffer of a rank that
    /// gets no result has its contribution. In an operation with equal blocks of all ranks the own block is at its place among them; the
    /// result of a reduction that is scattered is at the start.
    fn run_in_place(&self, kind: CollectiveKind<'_>, data: ViewMut<'_>, site: CallSite) -> Result<()>;

    /// Runs a broadcast, or the part of the root in a scatter or a gather, with a buffer whose elements a layout names.
    fn run_layout(&self, root: Rank, buffers: LayoutBuffers<'_>, site: CallSite) -> Result<()>;

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

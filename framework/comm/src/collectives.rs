//! MPI's collective verbs with the element types erased.
//!
//! There are two kinds of implementors: a backend with a library (MPI's own calls) and the algorithms of
//! `wb-collectives` over any [`Transport`](crate::Transport). `World` calls the one that is available; the conformance
//! tests compare them. All buffers are contiguous and in rank order; the block of rank `r` starts where the blocks of
//! the ranks before it end. All ranks of the communicator must call the same verb with matching arguments.
use std::fmt;

use crate::{CallSite, Datatype, OwnedBuffers, Pending, Rank, Result, Verb, View, ViewMut, wire};

/// MPI's predefined reductions. Integer sums and products wrap; `Min` and `Max` of floats follow `f64::min`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "each is MPI's own operation")]
pub enum Operation {
    Sum,
    Prod,
    Min,
    Max,
    BitAnd,
    BitOr,
    BitXor,
}

impl Operation {
    /// Every operation, for tests that cover all of them.
    pub const ALL: [Self; 7] =
        [Self::Sum, Self::Prod, Self::Min, Self::Max, Self::BitAnd, Self::BitOr, Self::BitXor];

    /// Whether the operation is defined for elements of `layout`. Bitwise ones are for integers only, none is for 128
    /// bits.
    pub fn is_defined_for(self, layout: Datatype) -> bool {
        let wide = matches!(layout, Datatype::I128 | Datatype::U128);
        let float = matches!(layout, Datatype::F32 | Datatype::F64);
        let bitwise = matches!(self, Self::BitAnd | Self::BitOr | Self::BitXor);
        !(wide || float && bitwise)
    }

    /// `into[i] = left[i] (op) into[i]` for all elements, where `left` comes from the lower ranks.
    ///
    /// # Panics
    /// If the views differ in layout or length, or the operation is not defined for the layout: the caller checks.
    pub fn fold(self, left: View<'_>, into: ViewMut<'_>) {
        assert!(self.is_defined_for(into.datatype()), "{self} is not defined for {}", into.datatype());
        wire::fold(self, left, into);
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Sum => "sum",
            Self::Prod => "prod",
            Self::Min => "min",
            Self::Max => "max",
            Self::BitAnd => "band",
            Self::BitOr => "bor",
            Self::BitXor => "bxor",
        })
    }
}

/// A collective operation with its arguments, without its buffers. Counts are in elements, by rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "each is MPI's own operation, with MPI's arguments")]
pub enum CollectiveKind<'a> {
    Barrier,
    /// The receive buffer has the data, on the root, too.
    Bcast {
        root: Rank,
    },
    Scatter {
        root: Rank,
    },
    /// The counts are there on the root only.
    Scatterv {
        counts: Option<&'a [usize]>,
        root: Rank,
    },
    Gather {
        root: Rank,
    },
    /// The counts are there on the root only.
    Gatherv {
        counts: Option<&'a [usize]>,
        root: Rank,
    },
    Allgather,
    Allgatherv {
        counts: &'a [usize],
    },
    Reduce {
        operation: Operation,
        root: Rank,
    },
    Allreduce {
        operation: Operation,
    },
    ReduceScatter {
        counts: &'a [usize],
        operation: Operation,
    },
    ReduceScatterBlock {
        operation: Operation,
    },
    Scan {
        operation: Operation,
    },
    Exscan {
        operation: Operation,
    },
    Alltoall,
    Alltoallv {
        send_counts: &'a [usize],
        recv_counts: &'a [usize],
    },
}

impl CollectiveKind<'_> {
    /// The verb that starts the operation and returns a request.
    pub fn nonblocking_verb(&self) -> Verb {
        match self {
            Self::Barrier => Verb::Ibarrier,
            Self::Bcast { .. } => Verb::Ibcast,
            Self::Scatter { .. } => Verb::Iscatter,
            Self::Scatterv { .. } => Verb::Iscatterv,
            Self::Gather { .. } => Verb::Igather,
            Self::Gatherv { .. } => Verb::Igatherv,
            Self::Allgather => Verb::Iallgather,
            Self::Allgatherv { .. } => Verb::Iallgatherv,
            Self::Reduce { .. } => Verb::Ireduce,
            Self::Allreduce { .. } => Verb::Iallreduce,
            Self::ReduceScatter { .. } => Verb::IreduceScatter,
            Self::ReduceScatterBlock { .. } => Verb::IreduceScatterBlock,
            Self::Scan { .. } => Verb::Iscan,
            Self::Exscan { .. } => Verb::Iexscan,
            Self::Alltoall => Verb::Ialltoall,
            Self::Alltoallv { .. } => Verb::Ialltoallv,
        }
    }
}

/// The collective verbs. Counts are in elements. Callers have checked ranks, lengths and operations.
#[allow(clippy::missing_errors_doc, reason = "all: what the backend can meet, see Error")]
pub trait Collectives {
    /// No rank returns before every rank has entered.
    fn barrier(&self, site: CallSite) -> Result<()>;

    /// The library's non-blocking barrier, followed immediately by its wait (`MPI_Ibarrier`, `MPI_Wait`).
    ///
    /// # Errors
    /// [`Error::Setup`](crate::Error::Setup) if there is none.
    fn ibarrier_and_wait(&self, site: CallSite) -> Result<()> {
        let _ = site;
        Err(crate::Error::Setup(crate::text::barrier::no_nonblocking()))
    }

    /// `root`'s `data` is copied to every rank's `data` (same length on all ranks).
    fn bcast(&self, data: ViewMut<'_>, root: Rank, site: CallSite) -> Result<()>;

    /// `send` (root only, `size * recv.count()`) is scattered in equal blocks.
    fn scatter(&self, send: Option<View<'_>>, recv: ViewMut<'_>, root: Rank, site: CallSite) -> Result<()>;

    /// `send` is scattered in blocks of the lengths `counts` (root only); `recv` has this rank's length.
    fn scatterv(
        &self,
        send: Option<(View<'_>, &[usize])>,
        recv: ViewMut<'_>,
        root: Rank,
        site: CallSite,
    ) -> Result<()>;

    /// Equal blocks `send` are gathered in `recv` (root only, `size * send.count()`).
    fn gather(&self, send: View<'_>, recv: Option<ViewMut<'_>>, root: Rank, site: CallSite) -> Result<()>;

    /// Blocks of any length are gathered in `recv` with lengths `counts` (root only).
    fn gatherv(
        &self,
        send: View<'_>,
        recv: Option<(ViewMut<'_>, &[usize])>,
        root: Rank,
        site: CallSite,
    ) -> Result<()>;

    /// Equal blocks are gathered in every rank's `recv` (`size * send.count()`).
    fn allgather(&self, send: View<'_>, recv: ViewMut<'_>, site: CallSite) -> Result<()>;

    /// Blocks of any length are gathered in every rank's `recv` with lengths `counts` (the same on all ranks).
    fn allgatherv(&self, send: View<'_>, recv: ViewMut<'_>, counts: &[usize], site: CallSite) -> Result<()>;

    /// Element-wise reduction of every rank's `send` into `recv` (root only).
    fn reduce(
        &self,
        send: View<'_>,
        recv: Option<ViewMut<'_>>,
        operation: Operation,
        root: Rank,
        site: CallSite,
    ) -> Result<()>;

    /// Element-wise reduction into every rank's `recv`.
    fn allreduce(
        &self,
        send: View<'_>,
        recv: ViewMut<'_>,
        operation: Operation,
        site: CallSite,
    ) -> Result<()>;

    /// Element-wise reduction of every rank's `send`; the block of rank r, of `counts[r]` elements, goes to its `recv`.
    fn reduce_scatter(
        &self,
        send: View<'_>,
        recv: ViewMut<'_>,
        counts: &[usize],
        operation: Operation,
        site: CallSite,
    ) -> Result<()>;

    /// As [`reduce_scatter`](Self::reduce_scatter) with equal blocks.
    fn reduce_scatter_block(
        &self,
        send: View<'_>,
        recv: ViewMut<'_>,
        operation: Operation,
        site: CallSite,
    ) -> Result<()>;

    /// `recv` of rank r = reduction over ranks `0..=r`.
    fn scan(&self, send: View<'_>, recv: ViewMut<'_>, operation: Operation, site: CallSite) -> Result<()>;

    /// `recv` of rank r = reduction over ranks `0..r`; untouched on rank 0.
    fn exscan(&self, send: View<'_>, recv: ViewMut<'_>, operation: Operation, site: CallSite) -> Result<()>;

    /// Equal blocks: block `j` of `send` goes to rank `j`, block `i` of `recv` comes from rank `i`.
    fn alltoall(&self, send: View<'_>, recv: ViewMut<'_>, site: CallSite) -> Result<()>;

    /// Blocks of any length, `send_counts[j]` to rank `j`, `recv_counts[i]` from rank `i`.
    fn alltoallv(
        &self,
        send: View<'_>,
        send_counts: &[usize],
        recv: ViewMut<'_>,
        recv_counts: &[usize],
        site: CallSite,
    ) -> Result<()>;

    /// Starts an operation that owns its buffers until it is waited for (`MPI_Ibcast` and so on). The wait returns the receive buffer.
    fn start(
        &self,
        kind: CollectiveKind<'_>,
        buffers: OwnedBuffers,
        site: CallSite,
    ) -> Result<Box<dyn Pending>>;
}

//! MPI's collective verbs with the element types erased.
//!
//! Two kinds of implementors: a backend that has a library (MPI's own calls) and the algorithms of `wb-collectives`
//! over any [`Transport`](crate::Transport). `World` calls whichever there is; the conformance tests hold one against
//! the other. All buffers are contiguous and in rank order; a block of rank `r` starts where the blocks of the ranks
//! before it end. All ranks of the communicator must call the same verb with matching arguments.
use std::fmt;

use crate::{CallSite, Datatype, Rank, Result, View, ViewMut, wire};

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
    /// Every operation, for tests that sweep them.
    pub const ALL: [Self; 7] =
        [Self::Sum, Self::Prod, Self::Min, Self::Max, Self::BitAnd, Self::BitOr, Self::BitXor];

    /// Is the operation defined for elements of `layout`? Bitwise ones are for integers only, none is for 128 bits.
    pub fn is_defined_for(self, layout: Datatype) -> bool {
        let wide = matches!(layout, Datatype::I128 | Datatype::U128);
        let float = matches!(layout, Datatype::F32 | Datatype::F64);
        let bitwise = matches!(self, Self::BitAnd | Self::BitOr | Self::BitXor);
        !(wide || float && bitwise)
    }

    /// `into[i] = left[i] (op) into[i]` for all elements, where `left` comes from the lower ranks.
    ///
    /// # Panics
    /// When the views differ in layout or length, or the operation is not defined for the layout: the caller checks.
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

/// The collective verbs. Counts are in elements. Callers have checked ranks, lengths and operations.
#[allow(clippy::missing_errors_doc, reason = "all: what the backend can meet, see Error")]
pub trait Collectives {
    /// Nobody returns before everybody has entered.
    fn barrier(&self, site: CallSite) -> Result<()>;

    /// The library's non-blocking barrier, waited for at once (`MPI_Ibarrier`, `MPI_Wait`).
    ///
    /// # Errors
    /// [`Error::Setup`](crate::Error::Setup) where there is none.
    fn ibarrier_and_wait(&self, site: CallSite) -> Result<()> {
        let _ = site;
        Err(crate::Error::Setup(crate::text::barrier::no_nonblocking()))
    }

    /// `root`'s `data` reaches everybody's `data` (same length everywhere).
    fn bcast(&self, data: ViewMut<'_>, root: Rank, site: CallSite) -> Result<()>;

    /// `send` (root only, `size * recv.count()`) is dealt out in equal blocks.
    fn scatter(&self, send: Option<View<'_>>, recv: ViewMut<'_>, root: Rank, site: CallSite) -> Result<()>;

    /// `send` and its block lengths `counts` (root only) are dealt out; `recv` has this rank's length.
    fn scatterv(
        &self,
        send: Option<(View<'_>, &[usize])>,
        recv: ViewMut<'_>,
        root: Rank,
        site: CallSite,
    ) -> Result<()>;

    /// Equal blocks `send` meet in `recv` (root only, `size * send.count()`).
    fn gather(&self, send: View<'_>, recv: Option<ViewMut<'_>>, root: Rank, site: CallSite) -> Result<()>;

    /// Blocks of any length meet in `recv` with lengths `counts` (root only).
    fn gatherv(
        &self,
        send: View<'_>,
        recv: Option<(ViewMut<'_>, &[usize])>,
        root: Rank,
        site: CallSite,
    ) -> Result<()>;

    /// Equal blocks meet in everybody's `recv` (`size * send.count()`).
    fn allgather(&self, send: View<'_>, recv: ViewMut<'_>, site: CallSite) -> Result<()>;

    /// Blocks of any length meet in everybody's `recv` with lengths `counts` (the same everywhere).
    fn allgatherv(&self, send: View<'_>, recv: ViewMut<'_>, counts: &[usize], site: CallSite) -> Result<()>;

    /// Element-wise reduction of everybody's `send` into `recv` (root only).
    fn reduce(
        &self,
        send: View<'_>,
        recv: Option<ViewMut<'_>>,
        operation: Operation,
        root: Rank,
        site: CallSite,
    ) -> Result<()>;

    /// Element-wise reduction into everybody's `recv`.
    fn allreduce(
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
}

//! The collective operations of MPI as values: one table for all forms of a verb.
use crate::{Neighbours, Operation, Rank, Verb};

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
    NeighborAllgather {
        neighbours: &'a Neighbours,
    },
    /// The counts of the sources.
    NeighborAllgatherv {
        neighbours: &'a Neighbours,
        counts: &'a [usize],
    },
    NeighborAlltoall {
        neighbours: &'a Neighbours,
    },
    NeighborAlltoallv {
        neighbours: &'a Neighbours,
        send_counts: &'a [usize],
        recv_counts: &'a [usize],
    },
}

impl<'a> CollectiveKind<'a> {
    /// The verb that returns when the operation is complete.
    pub fn verb(&self) -> Verb {
        self.verbs().0
    }

    /// The verb that starts the operation and returns a request.
    pub fn nonblocking_verb(&self) -> Verb {
        self.verbs().1
    }

    fn verbs(&self) -> (Verb, Verb) {
        match self {
            Self::Barrier => (Verb::Barrier, Verb::Ibarrier),
            Self::Bcast { .. } => (Verb::Bcast, Verb::Ibcast),
            Self::Scatter { .. } => (Verb::Scatter, Verb::Iscatter),
            Self::Scatterv { .. } => (Verb::Scatterv, Verb::Iscatterv),
            Self::Gather { .. } => (Verb::Gather, Verb::Igather),
            Self::Gatherv { .. } => (Verb::Gatherv, Verb::Igatherv),
            Self::Allgather => (Verb::Allgather, Verb::Iallgather),
            Self::Allgatherv { .. } => (Verb::Allgatherv, Verb::Iallgatherv),
            Self::Reduce { .. } => (Verb::Reduce, Verb::Ireduce),
            Self::Allreduce { .. } => (Verb::Allreduce, Verb::Iallreduce),
            Self::ReduceScatter { .. } => (Verb::ReduceScatter, Verb::IreduceScatter),
            Self::ReduceScatterBlock { .. } => (Verb::ReduceScatterBlock, Verb::IreduceScatterBlock),
            Self::Scan { .. } => (Verb::Scan, Verb::Iscan),
            Self::Exscan { .. } => (Verb::Exscan, Verb::Iexscan),
            Self::Alltoall => (Verb::Alltoall, Verb::Ialltoall),
            Self::Alltoallv { .. } => (Verb::Alltoallv, Verb::Ialltoallv),
            Self::NeighborAllgather { .. } => (Verb::NeighborAllgather, Verb::IneighborAllgather),
            Self::NeighborAllgatherv { .. } => (Verb::NeighborAllgatherv, Verb::IneighborAllgatherv),
            Self::NeighborAlltoall { .. } => (Verb::NeighborAlltoall, Verb::IneighborAlltoall),
            Self::NeighborAlltoallv { .. } => (Verb::NeighborAlltoallv, Verb::IneighborAlltoallv),
        }
    }

    /// The root argument.
    pub fn root(&self) -> Option<Rank> {
        match *self {
            Self::Bcast { root }
            | Self::Scatter { root }
            | Self::Scatterv { root, .. }
            | Self::Gather { root }
            | Self::Gatherv { root, .. }
            | Self::Reduce { root, .. } => Some(root),
            _ => None,
        }
    }

    /// The reduction.
    pub fn operation(&self) -> Option<Operation> {
        match *self {
            Self::Reduce { operation, .. }
            | Self::Allreduce { operation }
            | Self::ReduceScatter { operation, .. }
            | Self::ReduceScatterBlock { operation }
            | Self::Scan { operation }
            | Self::Exscan { operation } => Some(operation),
            _ => None,
        }
    }

    /// The neighbours of this rank, in a neighbourhood collective.
    pub fn neighbours(&self) -> Option<&'a Neighbours> {
        match *self {
            Self::NeighborAllgather { neighbours }
            | Self::NeighborAllgatherv { neighbours, .. }
            | Self::NeighborAlltoall { neighbours }
            | Self::NeighborAlltoallv { neighbours, .. } => Some(neighbours),
            _ => None,
        }
    }

    /// Whether `rank` gets a result.
    pub fn gives_result_to(&self, rank: Rank) -> bool {
        match *self {
            Self::Barrier => false,
            Self::Gather { root } | Self::Gatherv { root, .. } | Self::Reduce { root, .. } => rank == root,
            Self::Exscan { .. } => rank > 0,
            _ => true,
        }
    }
}

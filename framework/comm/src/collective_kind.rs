//! The collective operations of MPI as values: one table for all forms of a verb.
use crate::{Neighbours, Operation, Rank, RankBlocks, Verb};

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
    /// The blocks are there on the root only.
    Scatterv {
        blocks: Option<RankBlocks<'a>>,
        root: Rank,
    },
    Gather {
        root: Rank,
    },
    /// The blocks are there on the root only.
    Gatherv {
        blocks: Option<RankBlocks<'a>>,
        root: Rank,
    },
    Allgather,
    Allgatherv {
        blocks: RankBlocks<'a>,
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
        send_blocks: RankBlocks<'a>,
        recv_blocks: RankBlocks<'a>,
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
    #[inline]
    pub fn verb(&self) -> Verb {
        self.verbs().0
    }

    /// The verb that starts the operation and returns a request.
    #[inline]
    pub fn nonblocking_verb(&self) -> Verb {
        self.verbs().1
    }

    /// The verb that makes a persistent request.
    #[inline]
    pub fn persistent_verb(&self) -> Verb {
        self.verbs().2
    }

    #[inline]
    fn verbs(&self) -> (Verb, Verb, Verb) {
        match self {
            Self::Barrier => (Verb::Barrier, Verb::Ibarrier, Verb::BarrierInit),
            Self::Bcast { .. } => (Verb::Bcast, Verb::Ibcast, Verb::BcastInit),
            Self::Scatter { .. } => (Verb::Scatter, Verb::Iscatter, Verb::ScatterInit),
            Self::Scatterv { .. } => (Verb::Scatterv, Verb::Iscatterv, Verb::ScattervInit),
            Self::Gather { .. } => (Verb::Gather, Verb::Igather, Verb::GatherInit),
            Self::Gatherv { .. } => (Verb::Gatherv, Verb::Igatherv, Verb::GathervInit),
            Self::Allgather => (Verb::Allgather, Verb::Iallgather, Verb::AllgatherInit),
            Self::Allgatherv { .. } => (Verb::Allgatherv, Verb::Iallgatherv, Verb::AllgathervInit),
            Self::Reduce { .. } => (Verb::Reduce, Verb::Ireduce, Verb::ReduceInit),
            Self::Allreduce { .. } => (Verb::Allreduce, Verb::Iallreduce, Verb::AllreduceInit),
            Self::ReduceScatter { .. } => {
                (Verb::ReduceScatter, Verb::IreduceScatter, Verb::ReduceScatterInit)
            }
            Self::ReduceScatterBlock { .. } => {
                (Verb::ReduceScatterBlock, Verb::IreduceScatterBlock, Verb::ReduceScatterBlockInit)
            }
            Self::Scan { .. } => (Verb::Scan, Verb::Iscan, Verb::ScanInit),
            Self::Exscan { .. } => (Verb::Exscan, Verb::Iexscan, Verb::ExscanInit),
            Self::Alltoall => (Verb::Alltoall, Verb::Ialltoall, Verb::AlltoallInit),
            Self::Alltoallv { .. } => (Verb::Alltoallv, Verb::Ialltoallv, Verb::AlltoallvInit),
            Self::NeighborAllgather { .. } => {
                (Verb::NeighborAllgather, Verb::IneighborAllgather, Verb::NeighborAllgatherInit)
            }
            Self::NeighborAllgatherv { .. } => {
                (Verb::NeighborAllgatherv, Verb::IneighborAllgatherv, Verb::NeighborAllgathervInit)
            }
            Self::NeighborAlltoall { .. } => {
                (Verb::NeighborAlltoall, Verb::IneighborAlltoall, Verb::NeighborAlltoallInit)
            }
            Self::NeighborAlltoallv { .. } => {
                (Verb::NeighborAlltoallv, Verb::IneighborAlltoallv, Verb::NeighborAlltoallvInit)
            }
        }
    }

    /// The root argument.
    #[inline]
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
    #[inline]
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
    #[inline]
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
    #[inline]
    pub fn gives_result_to(&self, rank: Rank) -> bool {
        match *self {
            Self::Barrier => false,
            Self::Gather { root } | Self::Gatherv { root, .. } | Self::Reduce { root, .. } => rank == root,
            Self::Exscan { .. } => rank > 0,
            _ => true,
        }
    }
}

/// A collective operation that owns its counts, for a persistent request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnedCollectiveKind {
    /// The kind without counts.
    kind: CollectiveKind<'static>,
    /// The counts, or those of the send buffer and those of the receive buffer.
    counts: [Option<Vec<usize>>; 2],
    /// The displacements of these blocks.
    displacements: [Option<Vec<usize>>; 2],
    /// The neighbours of a neighbourhood collective.
    neighbours: Neighbours,
}

/// The displacements of the blocks of an operation, or those of the send buffer and those of the receive buffer.
fn displacements_of(kind: CollectiveKind<'_>) -> [Option<Vec<usize>>; 2] {
    let of = |blocks: RankBlocks<'_>| blocks.displacements().map(<[usize]>::to_vec);
    match kind {
        CollectiveKind::Scatterv { blocks, .. } | CollectiveKind::Gatherv { blocks, .. } => {
            [blocks.and_then(of), None]
        }
        CollectiveKind::Allgatherv { blocks } => [of(blocks), None],
        CollectiveKind::Alltoallv { send_blocks, recv_blocks } => [of(send_blocks), of(recv_blocks)],
        _ => [None, None],
    }
}

/// The neighbours of an operation whose neighbours are kept apart.
static NO_NEIGHBOURS: Neighbours =
    Neighbours { sources: Vec::new(), destinations: Vec::new(), is_cartesian: false };

impl OwnedCollectiveKind {
    /// Copies the counts.
    pub fn new(kind: CollectiveKind<'_>) -> Self {
        use CollectiveKind::{
            Allgather, Allgatherv, Allreduce, Alltoall, Alltoallv, Barrier, Bcast, Exscan, Gather, Gatherv,
            NeighborAllgather, NeighborAllgatherv, NeighborAlltoall, NeighborAlltoallv, Reduce,
            ReduceScatter, ReduceScatterBlock, Scan, Scatter, Scatterv,
        };
        let neighbours = kind.neighbours().cloned().unwrap_or_else(|| NO_NEIGHBOURS.clone());
        let of = &NO_NEIGHBOURS;
        let owned = |counts: &[usize]| Some(counts.to_vec());
        let displacements = displacements_of(kind);
        let owned_blocks = |blocks: RankBlocks<'_>| owned(blocks.counts());
        let none = RankBlocks::contiguous(&[]);
        let (kind, counts) = match kind {
            Barrier => (Barrier, [None, None]),
            Bcast { root } => (Bcast { root }, [None, None]),
            Scatter { root } => (Scatter { root }, [None, None]),
            Scatterv { blocks, root } => {
                (Scatterv { blocks: None, root }, [blocks.and_then(owned_blocks), None])
            }
            Gather { root } => (Gather { root }, [None, None]),
            Gatherv { blocks, root } => {
                (Gatherv { blocks: None, root }, [blocks.and_then(owned_blocks), None])
            }
            Allgather => (Allgather, [None, None]),
            Allgatherv { blocks } => (Allgatherv { blocks: none }, [owned_blocks(blocks), None]),
            Reduce { operation, root } => (Reduce { operation, root }, [None, None]),
            Allreduce { operation } => (Allreduce { operation }, [None, None]),
            ReduceScatter { counts, operation } => {
                (ReduceScatter { counts: &[], operation }, [owned(counts), None])
            }
            ReduceScatterBlock { operation } => (ReduceScatterBlock { operation }, [None, None]),
            Scan { operation } => (Scan { operation }, [None, None]),
            Exscan { operation } => (Exscan { operation }, [None, None]),
            Alltoall => (Alltoall, [None, None]),
            Alltoallv { send_blocks, recv_blocks } => {
                let kind = Alltoallv { send_blocks: none, recv_blocks: none };
                (kind, [owned_blocks(send_blocks), owned_blocks(recv_blocks)])
            }
            NeighborAllgather { .. } => (NeighborAllgather { neighbours: of }, [None, None]),
            NeighborAllgatherv { counts, .. } => {
                (NeighborAllgatherv { neighbours: of, counts: &[] }, [owned(counts), None])
            }
            NeighborAlltoall { .. } => (NeighborAlltoall { neighbours: of }, [None, None]),
            NeighborAlltoallv { send_counts, recv_counts, .. } => {
                let kind = NeighborAlltoallv { neighbours: of, send_counts: &[], recv_counts: &[] };
                (kind, [owned(send_counts), owned(recv_counts)])
            }
        };
        Self { kind, counts, displacements, neighbours }
    }

    /// The operation.
    pub fn kind(&self) -> CollectiveKind<'_> {
        use CollectiveKind::{
            Allgatherv, Alltoallv, Gatherv, NeighborAllgather, NeighborAllgatherv, NeighborAlltoall,
            NeighborAlltoallv, ReduceScatter, Scatterv,
        };
        let neighbours = &self.neighbours;
        let [first, second] = self.counts.each_ref().map(|counts| counts.as_deref());
        let blocks = |at: usize| {
            let counts = self.counts[at].as_deref()?;
            Some(match &self.displacements[at] {
                Some(displacements) => RankBlocks::new(counts, displacements),
                None => RankBlocks::contiguous(counts),
            })
        };
        let all_blocks = |at| blocks(at).unwrap_or(RankBlocks::contiguous(&[]));
        match self.kind {
            Scatterv { root, .. } => Scatterv { blocks: blocks(0), root },
            Gatherv { root, .. } => Gatherv { blocks: blocks(0), root },
            Allgatherv { .. } => Allgatherv { blocks: all_blocks(0) },
            ReduceScatter { operation, .. } => ReduceScatter { counts: first.unwrap_or_default(), operation },
            Alltoallv { .. } => Alltoallv { send_blocks: all_blocks(0), recv_blocks: all_blocks(1) },
            NeighborAllgather { .. } => NeighborAllgather { neighbours },
            NeighborAllgatherv { .. } => NeighborAllgatherv { neighbours, counts: first.unwrap_or_default() },
            NeighborAlltoall { .. } => NeighborAlltoall { neighbours },
            NeighborAlltoallv { .. } => NeighborAlltoallv {
                neighbours,
                send_counts: first.unwrap_or_default(),
                recv_counts: second.unwrap_or_default(),
            },
            kind => kind,
        }
    }
}

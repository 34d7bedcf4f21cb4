//! The verbs of MPI in which a rank can be, and the collective operations with their arguments: one table for all forms of a verb.
//!
//! A line of `operations` names an operation by the verb that returns when it is complete, by the one that starts it and by the one that makes
//! a persistent request of it, and then its arguments without the buffers. [`Verb`], [`CollectiveKind`] and [`OwnedCollectiveKind`] follow.
use std::{borrow::Borrow, fmt, ops::Range};

use serde::{Deserialize, Serialize};
use strum::{IntoStaticStr, VariantArray};

use crate::{Layout, Neighbours, Operation, Rank, RankBlocks};

macro_rules! verbs {
    (
        sends { $($send:ident)* }
        receives { $($receive:ident)* }
        completes { $($complete:ident)* }
        operations { $($(#[$about:meta])* $run:ident $start:ident $init:ident $({ $($argument:ident: $type:ty),* })?;)* }
        collective { $($(#[$collective_meta:meta])* $collective:ident)* }
        other { $($(#[$other_meta:meta])* $other:ident)* }
    ) => {
        /// The calls in which a rank can wait, under MPI's names.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, IntoStaticStr, VariantArray, Serialize, Deserialize)]
        #[repr(u8)]
        #[strum(serialize_all = "snake_case")]
        #[allow(missing_docs, reason = "each is MPI's own verb")]
        pub enum Verb {
            $($send,)*
            $($receive,)*
            $($complete,)*
            $($run,)*
            $($start,)*
            $($init,)*
            $($(#[$other_meta])* $other,)*
            $($(#[$collective_meta])* $collective,)*
        }

        impl Verb {
            /// Whether all ranks of the communicator or window must make the call.
            pub fn is_collective(self) -> bool {
                matches!(self, $(Self::$run | Self::$start | Self::$init)|* $(| Self::$collective)*)
            }

            /// Whether the call sends, and does not receive.
            pub fn sends(self) -> bool {
                matches!(self, $(Self::$send)|*)
            }

            /// Whether the call receives or looks for a message, and does not send.
            pub fn receives(self) -> bool {
                matches!(self, $(Self::$receive)|*)
            }

            /// Whether the call completes operations that other calls have started.
            pub fn is_completion(self) -> bool {
                matches!(self, $(Self::$complete)|*)
            }

            /// Whether the call starts a collective operation and returns a request.
            pub fn starts_collective(self) -> bool {
                matches!(self, $(Self::$start)|*)
            }
        }

        /// A collective operation with its arguments, without its buffers. Counts are in elements, by rank.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[allow(missing_docs, reason = "each is MPI's own operation, with MPI's arguments")]
        pub enum CollectiveKind<'a> {
            $($(#[$about])* $run $({ $($argument: $type),* })?,)*
        }

        impl<'a> CollectiveKind<'a> {
            /// The verb that returns when the operation is complete.
            #[inline]
            pub fn verb(&self) -> Verb {
                match self { $(Self::$run { .. } => Verb::$run,)* }
            }

            /// The verb that starts the operation and returns a request.
            #[inline]
            pub fn nonblocking_verb(&self) -> Verb {
                match self { $(Self::$run { .. } => Verb::$start,)* }
            }

            /// The verb that makes a persistent request.
            #[inline]
            pub fn persistent_verb(&self) -> Verb {
                match self { $(Self::$run { .. } => Verb::$init,)* }
            }

            fn keep(self) -> Kept<'static> {
                match self { $(Self::$run { $($($argument),*)? } => Kept::$run { $($($argument: $argument.keep()),*)? },)* }
            }
        }

        /// The same operation with the arguments that [`Argument`] keeps.
        #[derive(Clone, Debug, PartialEq, Eq)]
        enum Kept<'a> {
            $($run $({ $($argument: <$type as Argument<'a>>::Kept),* })?,)*
        }

        impl Kept<'static> {
            fn lend(&self) -> CollectiveKind<'_> {
                match self {
                    $(Self::$run { $($($argument),*)? } => {
                        CollectiveKind::$run { $($($argument: Argument::lend($argument)),*)? }
                    })*
                }
            }
        }
    };
}

verbs! {
    sends {
        Send Ssend Bsend Rsend Isend Issend Ibsend Irsend SendInit SsendInit BsendInit RsendInit SendLayout IsendLayout
    }
    receives { Recv Irecv RecvInit RecvLayout IrecvLayout Probe Iprobe Mprobe Improbe Mrecv }
    completes { Wait WaitAll WaitAny WaitSome Test TestAll TestAny TestSome }
    operations {
        Barrier Ibarrier BarrierInit;
        /// The receive buffer has the data, on the root, too.
        Bcast Ibcast BcastInit { root: Rank };
        Scatter Iscatter ScatterInit { root: Rank };
        /// The blocks are there on the root only.
        Scatterv Iscatterv ScattervInit { blocks: Option<RankBlocks<'a>>, root: Rank };
        Gather Igather GatherInit { root: Rank };
        /// The blocks are there on the root only.
        Gatherv Igatherv GathervInit { blocks: Option<RankBlocks<'a>>, root: Rank };
        Allgather Iallgather AllgatherInit;
        Allgatherv Iallgatherv AllgathervInit { blocks: RankBlocks<'a> };
        Reduce Ireduce ReduceInit { operation: Operation, root: Rank };
        Allreduce Iallreduce AllreduceInit { operation: Operation };
        ReduceScatter IreduceScatter ReduceScatterInit { counts: &'a [usize], operation: Operation };
        ReduceScatterBlock IreduceScatterBlock ReduceScatterBlockInit { operation: Operation };
        Scan Iscan ScanInit { operation: Operation };
        Exscan Iexscan ExscanInit { operation: Operation };
        Alltoall Ialltoall AlltoallInit;
        Alltoallv Ialltoallv AlltoallvInit { send_blocks: RankBlocks<'a>, recv_blocks: RankBlocks<'a> };
        /// The blocks of the ranks, in both buffers.
        Alltoallw Ialltoallw AlltoallwInit { send_layouts: &'a [Layout], recv_layouts: &'a [Layout] };
        NeighborAllgather IneighborAllgather NeighborAllgatherInit { neighbours: &'a Neighbours };
        /// The counts of the sources.
        NeighborAllgatherv IneighborAllgatherv NeighborAllgathervInit { neighbours: &'a Neighbours, counts: &'a [usize] };
        NeighborAlltoall IneighborAlltoall NeighborAlltoallInit { neighbours: &'a Neighbours };
        NeighborAlltoallv IneighborAlltoallv NeighborAlltoallvInit {
            neighbours: &'a Neighbours, send_counts: &'a [usize], recv_counts: &'a [usize]
        };
    }
    collective {
        Split Dup CartCreate CartSub DistGraphCreateAdjacent GraphCreate IntercommCreate IntercommMerge CommCreate
        CommCreateGroup SplitTypeShared
        /// The framework's own agreement between stages.
        Agreement
        /// The query of the ranks that share a node (`MPI_Comm_split_type`).
        Nodes
        #[strum(serialize = "window")]
        WindowCreate
        #[strum(serialize = "free")]
        WindowFree
        Fence FileOpen ReadAtAll WriteAtAll SetView SetSize
        #[strum(serialize = "sync")]
        FileSync
        #[strum(serialize = "close")]
        FileClose
    }
    other {
        Sendrecv SendrecvReplace SendrecvLayout
        /// The start of a persistent request (`MPI_Start`); a window's start is [`Start`](Self::Start).
        #[strum(serialize = "start")]
        StartPersistent
        StartAll
        /// Reads or changes the buffer of a persistent request.
        #[strum(serialize = "data")]
        PersistentData
        BufferAttach BufferDetach
        /// The withdrawal of a receive, or its completion.
        Cancel
        ReduceLocal Put Get Accumulate GetAccumulate FetchAndOp CompareAndSwap Post Start Complete
        #[strum(serialize = "wait")]
        WindowWait
        #[strum(serialize = "test")]
        WindowTest
        Lock Unlock LockAll UnlockAll Flush FlushLocal
        #[strum(serialize = "sync")]
        WindowSync
        #[strum(serialize = "read")]
        WindowRead
        #[strum(serialize = "write")]
        WindowWrite
        /// A wait for a value in a window (`shmem_wait_until`).
        WaitUntil
        ReadAt WriteAt
        /// The size of a file.
        #[strum(serialize = "size")]
        FileSize
    }
}

impl Verb {
    /// Every verb, in declaration order: `ALL[v as usize] == v`.
    pub const ALL: &[Self] = <Self as VariantArray>::VARIANTS;

    /// The verb of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|verb| verb.name() == name)
    }

    /// Whether one of several operations is enough for the call to return.
    pub fn needs_one(self) -> bool {
        matches!(self, Self::WaitAny | Self::WaitSome)
    }

    /// The name as written in a program, e.g. `"recv"`.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

impl fmt::Display for Verb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl<'a> CollectiveKind<'a> {
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

    /// The parts of a buffer of `count` elements on `rank` of `size`; `None` for an operation that has no form in place. A rank that gets no
    /// result has its contribution in the buffer, one that contributes nothing gets its result there. Where the buffer has the blocks of all
    /// ranks, the own block is at its place among them; the result of a reduction that is scattered is at the start.
    pub fn in_place_parts(&self, rank: Rank, size: usize, count: usize) -> Option<InPlaceParts> {
        let (whole, nothing) = (0..count, 0..0);
        let each = count / size;
        let own = rank * each..(rank + 1) * each;
        let is_root = self.root() == Some(rank);
        let (contribution, result) = match *self {
            Self::Allreduce { .. } | Self::Scan { .. } | Self::Exscan { .. } | Self::Alltoall => {
                (whole.clone(), whole)
            }
            Self::Reduce { .. } if is_root => (whole.clone(), whole),
            Self::Gather { .. } if is_root => (own, whole),
            Self::Reduce { .. } | Self::Gather { .. } => (whole, nothing),
            Self::Allgather => (own, whole),
            Self::Scatter { .. } if is_root => (whole, own),
            Self::Scatter { .. } => (nothing, whole),
            Self::ReduceScatter { counts, .. } => {
                let block = counts.get(rank).copied().unwrap_or(0);
                (whole, 0..block.min(count))
            }
            Self::ReduceScatterBlock { .. } => (whole, 0..each),
            _ => return None,
        };
        Some(InPlaceParts { contribution, result })
    }
}

/// The elements of the buffer of a rank that has one for what it contributes and for what it gets (`MPI_IN_PLACE`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InPlaceParts {
    /// What the rank contributes.
    pub contribution: Range<usize>,
    /// What it gets.
    pub result: Range<usize>,
}

/// A collective operation that owns its arguments, for a persistent request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnedCollectiveKind(Kept<'static>);

impl OwnedCollectiveKind {
    /// Copies the arguments.
    pub fn new(kind: CollectiveKind<'_>) -> Self {
        Self(kind.keep())
    }

    /// The operation.
    pub fn kind(&self) -> CollectiveKind<'_> {
        self.0.lend()
    }
}

/// An argument of an operation, and the value that a persistent request keeps of it.
trait Argument<'a> {
    type Kept: Clone + fmt::Debug + Eq;

    fn keep(self) -> Self::Kept;

    fn lend(kept: &'a Self::Kept) -> Self;
}

impl Argument<'_> for Rank {
    type Kept = Self;

    fn keep(self) -> Self {
        self
    }

    fn lend(kept: &Self) -> Self {
        *kept
    }
}

impl Argument<'_> for Operation {
    type Kept = Self;

    fn keep(self) -> Self {
        self
    }

    fn lend(kept: &Self) -> Self {
        *kept
    }
}

impl<'a, A: ToOwned<Owned: Clone + fmt::Debug + Eq> + ?Sized> Argument<'a> for &'a A {
    type Kept = A::Owned;

    fn keep(self) -> A::Owned {
        self.to_owned()
    }

    fn lend(kept: &'a A::Owned) -> Self {
        kept.borrow()
    }
}

impl<'a> Argument<'a> for RankBlocks<'a> {
    type Kept = (Vec<usize>, Option<Vec<usize>>);

    fn keep(self) -> Self::Kept {
        (self.counts().to_vec(), self.displacements().map(<[usize]>::to_vec))
    }

    fn lend((counts, displacements): &'a Self::Kept) -> Self {
        match displacements {
            Some(displacements) => Self::new(counts, displacements),
            None => Self::contiguous(counts),
        }
    }
}

impl<'a, A: Argument<'a>> Argument<'a> for Option<A> {
    type Kept = Option<A::Kept>;

    fn keep(self) -> Self::Kept {
        self.map(A::keep)
    }

    fn lend(kept: &'a Self::Kept) -> Self {
        kept.as_ref().map(A::lend)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_verb_has_the_name_of_its_method() {
        let names = [
            (Verb::Allgatherv, "allgatherv"),
            (Verb::FetchAndOp, "fetch_and_op"),
            (Verb::WindowCreate, "window"),
            (Verb::WindowWait, "wait"),
            (Verb::LockAll, "lock_all"),
        ];
        assert_eq!(names.map(|(verb, _)| verb.name()), names.map(|(_, name)| name));
        assert!(Verb::ALL.iter().enumerate().all(|(at, verb)| at == *verb as usize));
    }

    #[test]
    fn of_two_verbs_with_one_name_that_of_messages_is_found() {
        let found = ["wait", "test", "start", "sync"].map(|name| Verb::from_name(name).expect("a verb"));
        assert_eq!(found, [Verb::Wait, Verb::Test, Verb::StartPersistent, Verb::WindowSync]);
    }

    #[test]
    fn an_operation_that_owns_its_arguments_is_the_same_operation() {
        let (counts, displacements, root) = ([2, 1], [3, 0], 1);
        let neighbours = Neighbours { sources: vec![1], destinations: vec![0, 1], is_cartesian: false };
        let (blocks, near) = (RankBlocks::new(&counts, &displacements), &neighbours);
        let kinds = [
            CollectiveKind::Barrier,
            CollectiveKind::Gatherv { blocks: Some(blocks), root },
            CollectiveKind::Gatherv { blocks: None, root },
            CollectiveKind::ReduceScatter { counts: &counts, operation: Operation::Max },
            CollectiveKind::Alltoallv { send_blocks: blocks, recv_blocks: RankBlocks::contiguous(&counts) },
            CollectiveKind::NeighborAlltoallv { neighbours: near, send_counts: &counts, recv_counts: &[4] },
        ];
        for kind in kinds {
            assert_eq!(OwnedCollectiveKind::new(kind).kind(), kind);
        }
    }
}

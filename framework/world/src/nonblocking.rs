//! The nonblocking collective verbs of a [`World`]: they check the arguments, then start the library's call or our rounds.
//!
//! A request owns its buffers: what is sent is passed by value, and the wait returns what is received. All ranks of the communicator must
//! start their collective operations, blocking and nonblocking ones, in the same order.
use std::marker::PhantomData;

use wb_collectives::Algorithms;
use wb_comm::{
    Block, CallSite, CollectiveCall, CollectiveCounts, CollectiveKind, Collectives as _, Number, Operation,
    OwnedBuffers, Pending, Rank, Result, Wire,
};
use wb_record::CollectiveShape;

use crate::{
    CollectiveRequest, World,
    call_tracer::rank_number,
    collective::{check_count, check_operation, collective_call, collective_counts},
};

/// An operation whose arguments are checked.
struct CheckedCollective<'a> {
    kind: CollectiveKind<'a>,
    call: CollectiveCall,
    buffers: OwnedBuffers,
}

#[allow(clippy::missing_errors_doc, reason = "all: Error::Rank, Error::Count, and what the backend can meet")]
impl World {
    /// Enters a barrier without waiting for the others (`MPI_Ibarrier`): the wait returns when all ranks have entered.
    #[track_caller]
    pub fn ibarrier(&self) -> Result<CollectiveRequest<()>> {
        let kind = CollectiveKind::Barrier;
        let site = CallSite::caller(kind.nonblocking_verb());
        self.start_collective(site, CollectiveShape::All, 0, true, || {
            let buffers = buffers::<u8>(vec![], 0);
            Ok(CheckedCollective { kind, call: CollectiveCall::new(site), buffers })
        })
    }

    /// Starts to copy `root`'s `data` to every rank, which passes as many elements (`MPI_Ibcast`). The wait returns the data.
    #[track_caller]
    pub fn ibcast<T: Wire>(&self, data: Vec<T>, root: Rank) -> Result<CollectiveRequest<Vec<T>>> {
        let kind = CollectiveKind::Bcast { root };
        let site = CallSite::caller(kind.nonblocking_verb());
        let shape = CollectiveShape::From(rank_number(root));
        self.start_collective(site, shape, size_of_val(&data[..]), true, || {
            self.check_root(root)?;
            let call = collective_call::<T>(site, CollectiveCounts::Equal(data.len())).with_root(root);
            let buffers =
                OwnedBuffers { send: Block::from_vec(Vec::<T>::new()), recv: Block::from_vec(data) };
            Ok(CheckedCollective { kind, call, buffers })
        })
    }

    /// Starts to distribute `send` (on `root` only) in equal blocks of `count` elements (`MPI_Iscatter`). The wait returns this rank's block.
    #[track_caller]
    pub fn iscatter<T: Wire>(
        &self,
        send: Option<Vec<T>>,
        count: usize,
        root: Rank,
    ) -> Result<CollectiveRequest<Vec<T>>> {
        let kind = CollectiveKind::Scatter { root };
        let site = CallSite::caller(kind.nonblocking_verb());
        let bytes = send.as_deref().map_or(0, size_of_val).max(count * size_of::<T>());
        self.start_collective(site, CollectiveShape::From(rank_number(root)), bytes, true, || {
            let send = self.root_argument(root, send)?;
            if let Some(send) = &send {
                self.check_equal_blocks(site, "send", send.len(), count)?;
            }
            let call = collective_call::<T>(site, CollectiveCounts::Equal(count)).with_root(root);
            Ok(CheckedCollective { kind, call, buffers: buffers(send.unwrap_or_default(), count) })
        })
    }

    /// Starts to distribute `send` (on `root` only: the elements and each rank's count) in blocks; this rank's has `count` elements
    /// (`MPI_Iscatterv` with contiguous blocks). The wait returns it.
    #[track_caller]
    pub fn iscatterv<T: Wire>(
        &self,
        send: Option<(Vec<T>, &[usize])>,
        count: usize,
        root: Rank,
    ) -> Result<CollectiveRequest<Vec<T>>> {
        let (send, counts) = send.unzip();
        let kind = CollectiveKind::Scatterv { counts: counts.filter(|_| self.rank() == root), root };
        let site = CallSite::caller(kind.nonblocking_verb());
        let bytes = send.as_deref().map_or(0, size_of_val).max(count * size_of::<T>());
        self.start_collective(site, CollectiveShape::From(rank_number(root)), bytes, true, || {
            let send = self.root_argument(root, send.zip(counts))?;
            if let Some((send, counts)) = &send {
                self.check_blocks(site, "send", send.len(), counts)?;
                check_count(site, "recv", count, counts[root])?;
            }
            let (send, counts) = send.unzip();
            let call = collective_call::<T>(site, collective_counts(counts, count)).with_root(root);
            Ok(CheckedCollective { kind, call, buffers: buffers(send.unwrap_or_default(), count) })
        })
    }

    /// Starts to collect equal blocks on `root` in rank order (`MPI_Igather`). The wait returns them there, and `None` on the other ranks.
    #[track_caller]
    pub fn igather<T: Wire>(&self, send: Vec<T>, root: Rank) -> Result<CollectiveRequest<Option<Vec<T>>>> {
        let kind = CollectiveKind::Gather { root };
        let site = CallSite::caller(kind.nonblocking_verb());
        let is_root = self.rank() == root;
        let room = if is_root { send.len().saturating_mul(self.size()) } else { 0 };
        let bytes = room.max(send.len()) * size_of::<T>();
        self.start_collective(site, CollectiveShape::To(rank_number(root)), bytes, is_root, || {
            self.check_root(root)?;
            let call = collective_call::<T>(site, CollectiveCounts::Equal(send.len())).with_root(root);
            Ok(CheckedCollective { kind, call, buffers: buffers(send, room) })
        })
    }

    /// Starts to collect blocks of any length on `root`, which passes each rank's count (`MPI_Igatherv`). The wait returns them there, and
    /// `None` on the other ranks.
    #[track_caller]
    pub fn igatherv<T: Wire>(
        &self,
        send: Vec<T>,
        counts: Option<&[usize]>,
        root: Rank,
    ) -> Result<CollectiveRequest<Option<Vec<T>>>> {
        let is_root = self.rank() == root;
        let kind = CollectiveKind::Gatherv { counts: counts.filter(|_| is_root), root };
        let site = CallSite::caller(kind.nonblocking_verb());
        let room = counts.filter(|_| is_root).map_or(0, |counts| counts.iter().sum());
        let bytes = room.max(send.len()) * size_of::<T>();
        self.start_collective(site, CollectiveShape::To(rank_number(root)), bytes, is_root, || {
            let counts = self.root_argument(root, counts)?;
            if let Some(counts) = counts {
                check_count(site, "counts", counts.len(), self.size())?;
                check_count(site, "send", send.len(), counts[root])?;
            }
            let call = collective_call::<T>(site, collective_counts(counts, send.len())).with_root(root);
            Ok(CheckedCollective { kind, call, buffers: buffers(send, room) })
        })
    }

    /// Starts to collect equal blocks on every rank (`MPI_Iallgather`). The wait returns them in rank order.
    #[track_caller]
    pub fn iallgather<T: Wire>(&self, send: Vec<T>) -> Result<CollectiveRequest<Vec<T>>> {
        let kind = CollectiveKind::Allgather;
        let site = CallSite::caller(kind.nonblocking_verb());
        let room = send.len().saturating_mul(self.size());
        self.start_collective(site, CollectiveShape::All, room * size_of::<T>(), true, || {
            let call = collective_call::<T>(site, CollectiveCounts::Equal(send.len()));
            Ok(CheckedCollective { kind, call, buffers: buffers(send, room) })
        })
    }

    /// Starts to collect blocks of any length on every rank; `counts` are the same on all ranks (`MPI_Iallgatherv`). The wait returns them in
    /// rank order.
    #[track_caller]
    pub fn iallgatherv<T: Wire>(&self, send: Vec<T>, counts: &[usize]) -> Result<CollectiveRequest<Vec<T>>> {
        let kind = CollectiveKind::Allgatherv { counts };
        let site = CallSite::caller(kind.nonblocking_verb());
        let room = counts.iter().sum();
        self.start_collective(site, CollectiveShape::All, room * size_of::<T>(), true, || {
            check_count(site, "counts", counts.len(), self.size())?;
            check_count(site, "send", send.len(), counts[self.rank()])?;
            let call = collective_call::<T>(site, CollectiveCounts::Table(counts.to_vec()));
            Ok(CheckedCollective { kind, call, buffers: buffers(send, room) })
        })
    }

    /// Starts to reduce `send` of all ranks element by element (`MPI_Ireduce`). The wait returns the result on `root`, and `None` on the
    /// other ranks.
    #[track_caller]
    pub fn ireduce<T: Number>(
        &self,
        send: Vec<T>,
        operation: Operation,
        root: Rank,
    ) -> Result<CollectiveRequest<Option<Vec<T>>>> {
        let kind = CollectiveKind::Reduce { operation, root };
        let site = CallSite::caller(kind.nonblocking_verb());
        let is_root = self.rank() == root;
        let room = if is_root { send.len() } else { 0 };
        let bytes = size_of_val(&send[..]);
        self.start_collective(site, CollectiveShape::To(rank_number(root)), bytes, is_root, || {
            self.check_root(root)?;
            check_operation(operation, T::DATATYPE)?;
            let call = collective_call::<T>(site, CollectiveCounts::Equal(send.len()));
            let call = call.with_root(root).with_operation(operation);
            Ok(CheckedCollective { kind, call, buffers: buffers(send, room) })
        })
    }

    /// Starts to reduce `send` of all ranks element by element (`MPI_Iallreduce`). The wait returns the result on every rank.
    #[track_caller]
    pub fn iallreduce<T: Number>(
        &self,
        send: Vec<T>,
        operation: Operation,
    ) -> Result<CollectiveRequest<Vec<T>>> {
        self.start_reduction(CollectiveKind::Allreduce { operation }, CollectiveShape::All, operation, send)
    }

    /// Starts to reduce `send` of the ranks `0..=r` element by element (`MPI_Iscan`). The wait returns the result on rank r.
    #[track_caller]
    pub fn iscan<T: Number>(&self, send: Vec<T>, operation: Operation) -> Result<CollectiveRequest<Vec<T>>> {
        self.start_reduction(CollectiveKind::Scan { operation }, CollectiveShape::Prefix, operation, send)
    }

    /// Starts to reduce `send` of the ranks `0..r` element by element (`MPI_Iexscan`). The wait returns the result on rank r, and `None` on
    /// rank 0.
    #[track_caller]
    pub fn iexscan<T: Number>(
        &self,
        send: Vec<T>,
        operation: Operation,
    ) -> Result<CollectiveRequest<Option<Vec<T>>>> {
        let kind = CollectiveKind::Exscan { operation };
        self.start_reduction(kind, CollectiveShape::Prefix, operation, send)
    }

    /// A reduction of which every rank gets as many elements as it passes; with an exclusive one rank 0 gets none.
    #[track_caller]
    fn start_reduction<T: Number, O>(
        &self,
        kind: CollectiveKind<'_>,
        shape: CollectiveShape,
        operation: Operation,
        send: Vec<T>,
    ) -> Result<CollectiveRequest<O>> {
        let site = CallSite::caller(kind.nonblocking_verb());
        let gets = !(matches!(kind, CollectiveKind::Exscan { .. }) && self.rank() == 0);
        self.start_collective(site, shape, size_of_val(&send[..]), gets, || {
            check_operation(operation, T::DATATYPE)?;
            let count = send.len();
            let call = collective_call::<T>(site, CollectiveCounts::Equal(count)).with_operation(operation);
            Ok(CheckedCollective { kind, call, buffers: buffers(send, count) })
        })
    }

    /// Starts to reduce `send` of all ranks element by element; rank r gets the block of `counts[r]` elements (`MPI_Ireduce_scatter`). The
    /// wait returns it.
    #[track_caller]
    pub fn ireduce_scatter<T: Number>(
        &self,
        send: Vec<T>,
        counts: &[usize],
        operation: Operation,
    ) -> Result<CollectiveRequest<Vec<T>>> {
        let kind = CollectiveKind::ReduceScatter { counts, operation };
        let site = CallSite::caller(kind.nonblocking_verb());
        self.start_collective(site, CollectiveShape::All, size_of_val(&send[..]), true, || {
            check_operation(operation, T::DATATYPE)?;
            self.check_blocks(site, "send", send.len(), counts)?;
            let call = collective_call::<T>(site, CollectiveCounts::Table(counts.to_vec()));
            let (call, room) = (call.with_operation(operation), counts[self.rank()]);
            Ok(CheckedCollective { kind, call, buffers: buffers(send, room) })
        })
    }

    /// As [`ireduce_scatter`](Self::ireduce_scatter) with equal blocks (`MPI_Ireduce_scatter_block`).
    #[track_caller]
    pub fn ireduce_scatter_block<T: Number>(
        &self,
        send: Vec<T>,
        operation: Operation,
    ) -> Result<CollectiveRequest<Vec<T>>> {
        let kind = CollectiveKind::ReduceScatterBlock { operation };
        let site = CallSite::caller(kind.nonblocking_verb());
        self.start_collective(site, CollectiveShape::All, size_of_val(&send[..]), true, || {
            check_operation(operation, T::DATATYPE)?;
            let room = send.len() / self.size();
            self.check_equal_blocks(site, "send", send.len(), room)?;
            let call = collective_call::<T>(site, CollectiveCounts::Equal(send.len()));
            Ok(CheckedCollective { kind, call: call.with_operation(operation), buffers: buffers(send, room) })
        })
    }

    /// Starts to send block j of `send` to rank j (`MPI_Ialltoall`). The wait returns the blocks from all ranks in rank order.
    #[track_caller]
    pub fn ialltoall<T: Wire>(&self, send: Vec<T>) -> Result<CollectiveRequest<Vec<T>>> {
        let kind = CollectiveKind::Alltoall;
        let site = CallSite::caller(kind.nonblocking_verb());
        self.start_collective(site, CollectiveShape::All, size_of_val(&send[..]), true, || {
            let count = send.len();
            self.check_equal_blocks(site, "send", count, count / self.size())?;
            let call = collective_call::<T>(site, CollectiveCounts::Equal(count));
            Ok(CheckedCollective { kind, call, buffers: buffers(send, count) })
        })
    }

    /// As [`ialltoall`](Self::ialltoall) with blocks of any length (`MPI_Ialltoallv` with contiguous blocks).
    #[track_caller]
    pub fn ialltoallv<T: Wire>(
        &self,
        send: Vec<T>,
        send_counts: &[usize],
        recv_counts: &[usize],
    ) -> Result<CollectiveRequest<Vec<T>>> {
        let kind = CollectiveKind::Alltoallv { send_counts, recv_counts };
        let site = CallSite::caller(kind.nonblocking_verb());
        let room: usize = recv_counts.iter().sum();
        let bytes = room.max(send.len()) * size_of::<T>();
        self.start_collective(site, CollectiveShape::All, bytes, true, || {
            self.check_blocks(site, "send", send.len(), send_counts)?;
            check_count(site, "counts", recv_counts.len(), self.size())?;
            let lengths = CollectiveCounts::Exchange(send_counts.to_vec(), recv_counts.to_vec());
            let call = collective_call::<T>(site, lengths);
            Ok(CheckedCollective { kind, call, buffers: buffers(send, room) })
        })
    }

    /// Starts an operation. `gets` says whether this rank gets a result; `check` checks the arguments.
    fn start_collective<'a, O>(
        &self,
        site: CallSite,
        shape: CollectiveShape,
        bytes: usize,
        gets: bool,
        check: impl FnOnce() -> Result<CheckedCollective<'a>>,
    ) -> Result<CollectiveRequest<O>> {
        let request = self.next_request();
        let start = || -> Result<Box<dyn Pending>> {
            let CheckedCollective { kind, call, buffers } = check()?;
            self.transport().enter_collective(call)?;
            let pending = match self.transport().native_collectives() {
                Some(library) => library.start(kind, buffers, site),
                None => Algorithms(&**self.transport()).start(kind, buffers, site),
            }?;
            self.stats().note_collective(site);
            Ok(pending)
        };
        let pending =
            self.run_traced(site, start, |tracer, _| tracer.start_collective(shape, bytes, request))?;
        Ok(CollectiveRequest { started: self.start_request(pending, request), gets, output: PhantomData })
    }
}

/// What is sent, and room for `count` elements.
fn buffers<T: Wire>(send: Vec<T>, count: usize) -> OwnedBuffers {
    OwnedBuffers { send: Block::from_vec(send), recv: Block::from_vec(vec![T::default(); count]) }
}

//! The collective verbs of [`World`] and [`GraphWorld`], each described once with all of its forms.
//!
//! An entry begins with the verb that returns when the operation is complete: its arguments, and what they are as an operation, the buffer
//! that is sent and the one that is received; a buffer that only the root passes may be absent. `started` has the verbs that return a request
//! of the operation, which owns its buffers and returns the named value, and `in_place` the verb with one buffer for both. A verb with `_at`
//! has blocks that start where the caller says: elements that belong to no block do not travel, and do not change where they are received.
use wb_comm::{
    Block,
    CollectiveKind::{
        Allgather, Allgatherv, Allreduce, Alltoall, Alltoallv, Alltoallw, Bcast, Exscan, Gather, Gatherv,
        NeighborAllgather, NeighborAllgatherv, NeighborAlltoall, NeighborAlltoallv, Reduce, ReduceScatter,
        ReduceScatterBlock, Scan, Scatter, Scatterv,
    },
    Layout, Rank, RankBlocks, Reduces, Result, Wire,
};

use super::{
    Borrowed, InPlace, Owned,
    Received::{Data, Room},
};
use crate::{CollectiveRequest, GraphWorld, PersistentCollective, World};

/// A verb of [`VERBS`].
#[derive(Clone, Copy, Debug)]
pub struct CollectiveVerb {
    /// The type that has it.
    pub on: &'static str,
    /// The text between `pub fn` and the body.
    pub signature: &'static str,
    /// Its documentation, which names the function of MPI.
    pub doc: &'static str,
}

macro_rules! method {
    (
        $(#[$meta:meta])*
        fn $name:ident [$element:ident: $bound:tt] ($self:ident $(, $argument:ident: $type:ty)*) -> $result:ty
            = $run:ident($parts:ident: $body:block)
    ) => {
        $(#[$meta])*
        #[track_caller]
        pub fn $name<$element: $bound>(&$self $(, $argument: $type)*) -> Result<$result> {
            let parts: $parts<'_, $element> = $body;
            $self.$run(parts)
        }
    };
}

/// The verb with the name of an algorithm before its arguments.
macro_rules! method_by {
    (
        $(#[$meta:meta])*
        fn $name:ident [$element:ident: $bound:tt] ($self:ident $(, $argument:ident: $type:ty)*) = $body:block
    ) => {
        $(#[$meta])*
        #[track_caller]
        pub fn $name<$element: $bound>(&$self, algorithm: &str $(, $argument: $type)*) -> Result<()> {
            let parts: Borrowed<'_, $element> = $body;
            $self.run_kind_by(algorithm, parts)
        }
    };
}

macro_rules! signature_by {
    ($name:ident($self:ident $(, $argument:ident: $type:ty)*)) => {
        concat!(
            stringify!($name), "<T: Wire>(&self, algorithm: &str", $(", ", stringify!($argument), ": ", stringify!($type),)*
            ") -> Result<()>"
        )
    };
}

macro_rules! doc_of_by {
    ($name:ident) => {
        concat!(
            "As [`",
            stringify!($name),
            "`](Self::",
            stringify!($name),
            ") by this algorithm in shared memory (`cargo wb collectives list ",
            stringify!($name),
            "`), by the `library`, or `auto`, the fastest. All ranks pass the same name."
        )
    };
}

macro_rules! signature {
    ($name:ident($self:ident $(, $argument:ident: $type:ty)*) -> $result:expr) => {
        concat!(
            stringify!($name), "<T: Wire>(&self", $(", ", stringify!($argument), ": ", stringify!($type),)*
            ") -> Result<", $result, ">"
        )
    };
}

macro_rules! doc_of_started {
    ($name:ident, $mpi:ident, $returns:literal) => {
        concat!(
            "Collective: starts what [`",
            stringify!($name),
            "`](Self::",
            stringify!($name),
            ") does (`",
            stringify!($mpi),
            "`). The wait returns ",
            $returns,
            "."
        )
    };
}

macro_rules! doc_of_persistent {
    ($name:ident, $mpi:ident, $started:ident) => {
        concat!(
            "Collective: makes a persistent request of what [`",
            stringify!($name),
            "`](Self::",
            stringify!($name),
            ") does (`",
            stringify!($mpi),
            "`). Its [result](PersistentCollective::result_mut) is what the wait of [`",
            stringify!($started),
            "`](Self::",
            stringify!($started),
            ") returns, and empty where that is `None`."
        )
    };
}

macro_rules! collective_verbs {
    ($(on $on:ident, $element:ident: $bound:tt {$(
        $(#[doc = $doc:literal])*
        fn $name:ident $arguments:tt $run:block
        $(
            started $started:ident = $mpi_started:ident $owned:tt -> $output:ty, $returns:literal $start:block
            $(persistent $init:ident = $mpi_init:ident)?
        )?
        $(in_place $in_place:ident $given:tt, $doc_in_place:literal $kind:block)?
        $(by $by:ident)?
    )*})*) => {
        $(
            #[allow(clippy::missing_errors_doc, reason = "all: wrong arguments, and what the backend can meet; see Error")]
            impl $on {$(
                method! { $(#[doc = $doc])* fn $name [$element: $bound] $arguments -> () = run_kind(Borrowed: $run) }
                $(
                    method! {
                        #[doc = doc_of_started!($name, $mpi_started, $returns)]
                        fn $started [$element: $bound] $owned -> CollectiveRequest<$output> = start_kind(Owned: $start)
                    }
                    $(method! {
                        #[doc = doc_of_persistent!($name, $mpi_init, $started)]
                        fn $init [$element: $bound] $owned -> PersistentCollective<$element> = make_persistent(Owned: $start)
                    })?
                )?
                $(method! {
                    #[doc = $doc_in_place]
                    fn $in_place [$element: $bound] $given -> () = run_in_place(InPlace: $kind)
                })?
                $(method_by! { #[doc = doc_of_by!($name)] fn $by [$element: $bound] $arguments = $run })?
            )*}
        )*

        /// The verbs of this table, for the one of `docs/world.md`.
        #[doc(hidden)]
        pub const VERBS: &[CollectiveVerb] = &[$($(
            CollectiveVerb {
                on: stringify!($on),
                signature: signature!($name $arguments -> "()"),
                doc: concat!($($doc),*),
            },
            $(
                CollectiveVerb {
                    on: stringify!($on),
                    signature: signature!($started $owned -> concat!("CollectiveRequest<", stringify!($output), ">")),
                    doc: doc_of_started!($name, $mpi_started, $returns),
                },
                $(CollectiveVerb {
                    on: stringify!($on),
                    signature: signature!($init $owned -> "PersistentCollective<T>"),
                    doc: doc_of_persistent!($name, $mpi_init, $started),
                },)?
            )?
            $(CollectiveVerb { on: stringify!($on), signature: signature!($in_place $given -> "()"), doc: $doc_in_place },)?
            $(CollectiveVerb { on: stringify!($on), signature: signature_by!($by $arguments), doc: doc_of_by!($name) },)?
        )*)*];
    };
}

collective_verbs! {
on World, T: Wire {
    /// Copies `root`'s `data` to the `data` of every rank, which has the same length on all ranks (`MPI_Bcast`).
    fn bcast(self, data: &mut [T], root: Rank) {
        (Bcast { root }, Some(&[]), Some(data))
    }
    started ibcast = MPI_Ibcast (self, data: Vec<T>, root: Rank) -> Vec<T>, "the data of the root" {
        (Bcast { root }, Some(vec![]), Data(Block::from_vec(data)))
    }
    persistent bcast_init = MPI_Bcast_init
    by bcast_by

    /// Distributes `send` (on `root` only, `size * recv.len()` elements) in equal blocks (`MPI_Scatter`).
    fn scatter(self, send: Option<&[T]>, recv: &mut [T], root: Rank) {
        (Scatter { root }, send, Some(recv))
    }
    started iscatter = MPI_Iscatter
    (self, send: Option<Vec<T>>, count: usize, root: Rank) -> Vec<T>, "this rank's block of `count` elements" {
        (Scatter { root }, send, Room(count))
    }
    persistent scatter_init = MPI_Scatter_init
    in_place scatter_in_place(self, data: &mut [T], root: Rank),
    "Distributes `data` of `root` in equal blocks; its own block stays at its place, and `data` of every other rank becomes its block \
     (`MPI_Scatter` with `MPI_IN_PLACE`)." {
        (Scatter { root }, data)
    }
    by scatter_by

    /// Distributes `send` (on `root` only: the elements and each rank's count) in blocks; `recv` has this rank's count
    /// (`MPI_Scatterv` with contiguous blocks).
    fn scatterv(self, send: Option<(&[T], &[usize])>, recv: &mut [T], root: Rank) {
        let (send, counts) = send.unzip();
        (Scatterv { blocks: counts.map(RankBlocks::contiguous), root }, send, Some(recv))
    }
    started iscatterv = MPI_Iscatterv
    (self, send: Option<(Vec<T>, &[usize])>, count: usize, root: Rank) -> Vec<T>, "this rank's block of `count` elements" {
        let (send, counts) = send.unzip();
        (Scatterv { blocks: counts.map(RankBlocks::contiguous), root }, send, Room(count))
    }
    persistent scatterv_init = MPI_Scatterv_init

    /// As [`scatterv`](Self::scatterv) with blocks that start anywhere in `send` (`MPI_Scatterv`). They may share elements.
    fn scatterv_at(self, send: Option<(&[T], RankBlocks<'_>)>, recv: &mut [T], root: Rank) {
        let (send, blocks) = send.unzip();
        (Scatterv { blocks, root }, send, Some(recv))
    }
    started iscatterv_at = MPI_Iscatterv
    (self, send: Option<(Vec<T>, RankBlocks<'_>)>, count: usize, root: Rank) -> Vec<T>, "this rank's block of `count` elements" {
        let (send, blocks) = send.unzip();
        (Scatterv { blocks, root }, send, Room(count))
    }

    /// Collects equal blocks `send` in `recv` (on `root` only, `size * send.len()` elements) in rank order
    /// (`MPI_Gather`).
    fn gather(self, send: &[T], recv: Option<&mut [T]>, root: Rank) {
        (Gather { root }, Some(send), recv)
    }
    started igather = MPI_Igather
    (self, send: Vec<T>, root: Rank) -> Option<Vec<T>>, "all blocks in rank order on `root`, and `None` on the other ranks" {
        let room = if self.rank() == root { send.len().saturating_mul(self.size()) } else { 0 };
        (Gather { root }, Some(send), Room(room))
    }
    persistent gather_init = MPI_Gather_init
    in_place gather_in_place(self, data: &mut [T], root: Rank),
    "Collects equal blocks: `data` of `root` has room for all of them, with its own block at its place; `data` of every other rank is its \
     block (`MPI_Gather` with `MPI_IN_PLACE`)." {
        (Gather { root }, data)
    }
    by gather_by

    /// Collects blocks of any length in `recv` (on `root` only: room for them and each rank's count) (`MPI_Gatherv`).
    fn gatherv(self, send: &[T], recv: Option<(&mut [T], &[usize])>, root: Rank) {
        let (recv, counts) = recv.unzip();
        (Gatherv { blocks: counts.map(RankBlocks::contiguous), root }, Some(send), recv)
    }
    started igatherv = MPI_Igatherv (self, send: Vec<T>, counts: Option<&[usize]>, root: Rank) -> Option<Vec<T>>,
    "all blocks in rank order on `root`, which passes each rank's count, and `None` on the other ranks" {
        let blocks = counts.map(RankBlocks::contiguous);
        let room = blocks.filter(|_| self.rank() == root).map_or(0, RankBlocks::end);
        (Gatherv { blocks, root }, Some(send), Room(room))
    }
    persistent gatherv_init = MPI_Gatherv_init

    /// As [`gatherv`](Self::gatherv) with blocks that start anywhere in `recv` (`MPI_Gatherv`). They may share no element.
    ///
    /// ```no_run
    /// # use wb_world::{RankBlocks, World};
    /// # fn run(world: &World) -> wb_world::Result<()> {
    /// // Two ranks; their blocks in the other order.
    /// let mut all = [0.0; 5];
    /// let recv = (world.rank() == 0).then_some((&mut all[..], RankBlocks::new(&[2, 3], &[3, 0])));
    /// world.gatherv_at(&vec![1.5; 2 + world.rank()], recv, 0)?;
    /// # Ok(())
    /// # }
    /// ```
    fn gatherv_at(self, send: &[T], recv: Option<(&mut [T], RankBlocks<'_>)>, root: Rank) {
        let (recv, blocks) = recv.unzip();
        (Gatherv { blocks, root }, Some(send), recv)
    }
    started igatherv_at = MPI_Igatherv (self, send: Vec<T>, blocks: Option<RankBlocks<'_>>, root: Rank) -> Option<Vec<T>>,
    "a buffer that ends with the last block on `root`, and `None` on the other ranks; elements of no block have the type's default value" {
        let room = blocks.filter(|_| self.rank() == root).map_or(0, RankBlocks::end);
        (Gatherv { blocks, root }, Some(send), Room(room))
    }

    /// Collects equal blocks `send` in `recv` on every rank (`MPI_Allgather`).
    fn allgather(self, send: &[T], recv: &mut [T]) {
        (Allgather, Some(send), Some(recv))
    }
    started iallgather = MPI_Iallgather (self, send: Vec<T>) -> Vec<T>, "all blocks in rank order" {
        let room = send.len().saturating_mul(self.size());
        (Allgather, Some(send), Room(room))
    }
    persistent allgather_init = MPI_Allgather_init
    in_place allgather_in_place(self, data: &mut [T]),
    "Collects equal blocks on every rank, whose own block is at its place in `data` (`MPI_Allgather` with `MPI_IN_PLACE`)." {
        (Allgather, data)
    }
    by allgather_by

    /// Collects blocks of any length in `recv` on every rank; `counts` are the same on all ranks (`MPI_Allgatherv`).
    fn allgatherv(self, send: &[T], recv: &mut [T], counts: &[usize]) {
        (Allgatherv { blocks: counts.into() }, Some(send), Some(recv))
    }
    started iallgatherv = MPI_Iallgatherv (self, send: Vec<T>, counts: &[usize]) -> Vec<T>, "all blocks in rank order" {
        let blocks = RankBlocks::contiguous(counts);
        (Allgatherv { blocks }, Some(send), Room(blocks.end()))
    }
    persistent allgatherv_init = MPI_Allgatherv_init

    /// As [`allgatherv`](Self::allgatherv) with blocks that start anywhere in `recv` (`MPI_Allgatherv`). They may share no element; each rank
    /// chooses its displacements.
    fn allgatherv_at(self, send: &[T], recv: &mut [T], blocks: RankBlocks<'_>) {
        (Allgatherv { blocks }, Some(send), Some(recv))
    }
    started iallgatherv_at = MPI_Iallgatherv (self, send: Vec<T>, blocks: RankBlocks<'_>) -> Vec<T>,
    "a buffer that ends with the last block; elements of no block have the type's default value" {
        (Allgatherv { blocks }, Some(send), Room(blocks.end()))
    }

    /// Reduces `send` of all ranks element by element into `recv` (on `root` only) (`MPI_Reduce`).
    fn reduce(self, send: &[T], recv: Option<&mut [T]>, operation: impl Reduces<T>, root: Rank) {
        (Reduce { operation: operation.into_operation(), root }, Some(send), recv)
    }
    started ireduce = MPI_Ireduce (self, send: Vec<T>, operation: impl Reduces<T>, root: Rank) -> Option<Vec<T>>,
    "the reduction on `root`, and `None` on the other ranks" {
        let room = if self.rank() == root { send.len() } else { 0 };
        (Reduce { operation: operation.into_operation(), root }, Some(send), Room(room))
    }
    persistent reduce_init = MPI_Reduce_init
    in_place reduce_in_place(self, data: &mut [T], operation: impl Reduces<T>, root: Rank),
    "Reduces `data` of all ranks element by element; `data` of `root` becomes the result, that of the other ranks does not change \
     (`MPI_Reduce` with `MPI_IN_PLACE`)." {
        (Reduce { operation: operation.into_operation(), root }, data)
    }
    by reduce_by

    /// Reduces `send` of all ranks element by element into `recv` on every rank (`MPI_Allreduce`).
    fn allreduce(self, send: &[T], recv: &mut [T], operation: impl Reduces<T>) {
        (Allreduce { operation: operation.into_operation() }, Some(send), Some(recv))
    }
    started iallreduce = MPI_Iallreduce (self, send: Vec<T>, operation: impl Reduces<T>) -> Vec<T>, "the reduction" {
        let room = send.len();
        (Allreduce { operation: operation.into_operation() }, Some(send), Room(room))
    }
    persistent allreduce_init = MPI_Allreduce_init
    in_place allreduce_in_place(self, data: &mut [T], operation: impl Reduces<T>),
    "Reduces `data` of all ranks element by element; every rank's `data` becomes the result (`MPI_Allreduce` with `MPI_IN_PLACE`)." {
        (Allreduce { operation: operation.into_operation() }, data)
    }
    by allreduce_by

    /// Reduces `send` of all ranks element by element; the block of `counts[r]` elements goes to `recv` of rank r
    /// (`MPI_Reduce_scatter`).
    fn reduce_scatter(self, send: &[T], recv: &mut [T], counts: &[usize], operation: impl Reduces<T>) {
        (ReduceScatter { counts, operation: operation.into_operation() }, Some(send), Some(recv))
    }
    started ireduce_scatter = MPI_Ireduce_scatter
    (self, send: Vec<T>, counts: &[usize], operation: impl Reduces<T>) -> Vec<T>, "the block of this rank" {
        let room = counts.get(self.rank()).copied().unwrap_or(0);
        (ReduceScatter { counts, operation: operation.into_operation() }, Some(send), Room(room))
    }
    persistent reduce_scatter_init = MPI_Reduce_scatter_init
    in_place reduce_scatter_in_place(self, data: &mut [T], counts: &[usize], operation: impl Reduces<T>),
    "Reduces `data` of all ranks element by element; the block of `counts[r]` elements of the result is then at the start of `data` of rank r, \
     and the elements after it have no defined value (`MPI_Reduce_scatter` with `MPI_IN_PLACE`)." {
        (ReduceScatter { counts, operation: operation.into_operation() }, data)
    }
    by reduce_scatter_by

    /// As [`reduce_scatter`](Self::reduce_scatter) with equal blocks (`MPI_Reduce_scatter_block`).
    fn reduce_scatter_block(self, send: &[T], recv: &mut [T], operation: impl Reduces<T>) {
        (ReduceScatterBlock { operation: operation.into_operation() }, Some(send), Some(recv))
    }
    started ireduce_scatter_block = MPI_Ireduce_scatter_block
    (self, send: Vec<T>, operation: impl Reduces<T>) -> Vec<T>, "the block of this rank" {
        let room = send.len() / self.size();
        (ReduceScatterBlock { operation: operation.into_operation() }, Some(send), Room(room))
    }
    persistent reduce_scatter_block_init = MPI_Reduce_scatter_block_init
    in_place reduce_scatter_block_in_place(self, data: &mut [T], operation: impl Reduces<T>),
    "As [`reduce_scatter_in_place`](Self::reduce_scatter_in_place) with equal blocks (`MPI_Reduce_scatter_block` with `MPI_IN_PLACE`)." {
        (ReduceScatterBlock { operation: operation.into_operation() }, data)
    }
    by reduce_scatter_block_by

    /// `recv` of rank r becomes the reduction over ranks `0..=r` (`MPI_Scan`).
    fn scan(self, send: &[T], recv: &mut [T], operation: impl Reduces<T>) {
        (Scan { operation: operation.into_operation() }, Some(send), Some(recv))
    }
    started iscan = MPI_Iscan
    (self, send: Vec<T>, operation: impl Reduces<T>) -> Vec<T>, "the reduction over ranks `0..=r` on rank r" {
        let room = send.len();
        (Scan { operation: operation.into_operation() }, Some(send), Room(room))
    }
    persistent scan_init = MPI_Scan_init
    in_place scan_in_place(self, data: &mut [T], operation: impl Reduces<T>),
    "`data` of rank r becomes the reduction over ranks `0..=r` (`MPI_Scan` with `MPI_IN_PLACE`)." {
        (Scan { operation: operation.into_operation() }, data)
    }
    by scan_by

    /// `recv` of rank r becomes the reduction over ranks `0..r`; rank 0's is unchanged (`MPI_Exscan`).
    fn exscan(self, send: &[T], recv: &mut [T], operation: impl Reduces<T>) {
        (Exscan { operation: operation.into_operation() }, Some(send), Some(recv))
    }
    started iexscan = MPI_Iexscan (self, send: Vec<T>, operation: impl Reduces<T>) -> Option<Vec<T>>,
    "the reduction over ranks `0..r` on rank r, and `None` on rank 0" {
        let room = send.len();
        (Exscan { operation: operation.into_operation() }, Some(send), Room(room))
    }
    persistent exscan_init = MPI_Exscan_init
    in_place exscan_in_place(self, data: &mut [T], operation: impl Reduces<T>),
    "`data` of rank r becomes the reduction over ranks `0..r`; rank 0's is unchanged (`MPI_Exscan` with `MPI_IN_PLACE`)." {
        (Exscan { operation: operation.into_operation() }, data)
    }
    by exscan_by

    /// Block `j` of `send` goes to rank `j`, block `i` of `recv` comes from rank `i`, all of one length
    /// (`MPI_Alltoall`).
    fn alltoall(self, send: &[T], recv: &mut [T]) {
        (Alltoall, Some(send), Some(recv))
    }
    started ialltoall = MPI_Ialltoall (self, send: Vec<T>) -> Vec<T>, "the blocks from all ranks in rank order" {
        let room = send.len();
        (Alltoall, Some(send), Room(room))
    }
    persistent alltoall_init = MPI_Alltoall_init
    in_place alltoall_in_place(self, data: &mut [T]),
    "Block `j` of `data` goes to rank `j`, and is replaced by the block from rank `j` (`MPI_Alltoall` with `MPI_IN_PLACE`)." {
        (Alltoall, data)
    }
    by alltoall_by

    /// As [`alltoall`](Self::alltoall) with blocks of any length (`MPI_Alltoallv` with contiguous blocks).
    fn alltoallv(self, send: &[T], send_counts: &[usize], recv: &mut [T], recv_counts: &[usize]) {
        (Alltoallv { send_blocks: send_counts.into(), recv_blocks: recv_counts.into() }, Some(send), Some(recv))
    }
    started ialltoallv = MPI_Ialltoallv
    (self, send: Vec<T>, send_counts: &[usize], recv_counts: &[usize]) -> Vec<T>, "the blocks from all ranks in rank order" {
        let recv_blocks = RankBlocks::contiguous(recv_counts);
        (Alltoallv { send_blocks: send_counts.into(), recv_blocks }, Some(send), Room(recv_blocks.end()))
    }
    persistent alltoallv_init = MPI_Alltoallv_init

    /// As [`alltoallv`](Self::alltoallv) with blocks that start anywhere in both buffers (`MPI_Alltoallv`). Those of `recv` may share no
    /// element.
    fn alltoallv_at(self, send: &[T], send_blocks: RankBlocks<'_>, recv: &mut [T], recv_blocks: RankBlocks<'_>) {
        (Alltoallv { send_blocks, recv_blocks }, Some(send), Some(recv))
    }
    started ialltoallv_at = MPI_Ialltoallv
    (self, send: Vec<T>, send_blocks: RankBlocks<'_>, recv_blocks: RankBlocks<'_>) -> Vec<T>,
    "a buffer that ends with the last received block; elements of no block have the type's default value" {
        (Alltoallv { send_blocks, recv_blocks }, Some(send), Room(recv_blocks.end()))
    }

    /// Block `j` of `send` goes to rank `j`, block `i` of `recv` comes from rank `i`, and each consists of the elements that its layout names
    /// (`MPI_Alltoallw`). Both ranks of a block name as many; those of `recv` may not occur twice, and no other element of it changes.
    ///
    /// ```no_run
    /// # use wb_world::{Layout, World};
    /// # fn run(world: &World) -> wb_world::Result<()> {
    /// // Each rank has some rows of a matrix, and gets the same rows of the transposed matrix.
    /// let (size, rows) = (world.size(), 10);
    /// let (mine, mut transposed) = (vec![1.5; rows * rows * size], vec![0.0; rows * rows * size]);
    /// let by_columns = Layout::vector(rows, 1, rows * size).resized(1).of_ranks(rows);
    /// let columns: Vec<Layout> = (0..size).map(|rank| by_columns.at(rank * rows)).collect();
    /// let by_rows = Layout::vector(rows, rows, rows * size);
    /// let blocks: Vec<Layout> = (0..size).map(|rank| by_rows.at(rank * rows)).collect();
    /// world.alltoallw(&mine, &columns, &mut transposed, &blocks)?;
    /// # Ok(())
    /// # }
    /// ```
    fn alltoallw(self, send: &[T], send_layouts: &[Layout], recv: &mut [T], recv_layouts: &[Layout]) {
        (Alltoallw { send_layouts, recv_layouts }, Some(send), Some(recv))
    }
    started ialltoallw = MPI_Ialltoallw (self, send: Vec<T>, send_layouts: &[Layout], recv_layouts: &[Layout]) -> Vec<T>,
    "a buffer that ends with the last received element; elements of no block have the type's default value" {
        let room = recv_layouts.iter().map(Layout::end).max().unwrap_or(0);
        (Alltoallw { send_layouts, recv_layouts }, Some(send), Room(room))
    }
    persistent alltoallw_init = MPI_Alltoallw_init
}

on GraphWorld, T: Wire {
    /// Collective: sends `send` to every destination; block `i` of `recv` comes from source `i` (`MPI_Neighbor_allgather`). Buffers have one
    /// block for each neighbour, in the order of [`neighbours`](Self::neighbours), also in the other neighbourhood collectives. No message
    /// goes to the null process or comes from it: its block of a receive buffer does not change.
    fn neighbor_allgather(self, send: &[T], recv: &mut [T]) {
        (NeighborAllgather { neighbours: self.neighbours() }, Some(send), Some(recv))
    }
    started ineighbor_allgather = MPI_Ineighbor_allgather
    (self, send: Vec<T>) -> Vec<T>, "the blocks of the sources; that of the null process has default values" {
        let neighbours = self.neighbours();
        let room = send.len().saturating_mul(neighbours.sources.len());
        (NeighborAllgather { neighbours }, Some(send), Room(room))
    }
    persistent neighbor_allgather_init = MPI_Neighbor_allgather_init

    /// Collective: as [`neighbor_allgather`](Self::neighbor_allgather) with blocks of any length; `counts` has one for each source
    /// (`MPI_Neighbor_allgatherv` with contiguous blocks).
    fn neighbor_allgatherv(self, send: &[T], recv: &mut [T], counts: &[usize]) {
        (NeighborAllgatherv { neighbours: self.neighbours(), counts }, Some(send), Some(recv))
    }
    started ineighbor_allgatherv = MPI_Ineighbor_allgatherv
    (self, send: Vec<T>, counts: &[usize]) -> Vec<T>, "the blocks of the sources; that of the null process has default values" {
        let room = RankBlocks::contiguous(counts).end();
        (NeighborAllgatherv { neighbours: self.neighbours(), counts }, Some(send), Room(room))
    }
    persistent neighbor_allgatherv_init = MPI_Neighbor_allgatherv_init

    /// Collective: block `j` of `send` goes to destination `j`, block `i` of `recv` comes from source `i`, all of one length
    /// (`MPI_Neighbor_alltoall`).
    fn neighbor_alltoall(self, send: &[T], recv: &mut [T]) {
        (NeighborAlltoall { neighbours: self.neighbours() }, Some(send), Some(recv))
    }
    started ineighbor_alltoall = MPI_Ineighbor_alltoall (self, send: Vec<T>, count: usize) -> Vec<T>,
    "the blocks of the sources, of `count` elements each; that of the null process has default values" {
        let neighbours = self.neighbours();
        let room = count.saturating_mul(neighbours.sources.len());
        (NeighborAlltoall { neighbours }, Some(send), Room(room))
    }
    persistent neighbor_alltoall_init = MPI_Neighbor_alltoall_init

    /// Collective: as [`neighbor_alltoall`](Self::neighbor_alltoall) with blocks of any length (`MPI_Neighbor_alltoallv` with contiguous
    /// blocks).
    fn neighbor_alltoallv(self, send: &[T], send_counts: &[usize], recv: &mut [T], recv_counts: &[usize]) {
        (NeighborAlltoallv { neighbours: self.neighbours(), send_counts, recv_counts }, Some(send), Some(recv))
    }
    started ineighbor_alltoallv = MPI_Ineighbor_alltoallv
    (self, send: Vec<T>, send_counts: &[usize], recv_counts: &[usize]) -> Vec<T>,
    "the blocks of the sources; that of the null process has default values" {
        let room = RankBlocks::contiguous(recv_counts).end();
        (NeighborAlltoallv { neighbours: self.neighbours(), send_counts, recv_counts }, Some(send), Room(room))
    }
    persistent neighbor_alltoallv_init = MPI_Neighbor_alltoallv_init
}
}

//! The collective verbs of a [`World`]: they check lengths, then use the library's call or our algorithm.
mod arguments;
mod displaced_blocks;
mod in_place;
mod layouts;
mod neighbour_arguments;

pub(crate) use arguments::CollectiveArguments;
use wb_algorithms::{
    barriers::adapters::MessageBarrier,
    collectives::{Algorithms, CollectiveContext, broadcast},
};
use wb_comm::{
    Barrier, BorrowedBuffers, CallSite, CollectiveCall, CollectiveCounts, CollectiveKind, Collectives,
    Datatype, Error, Rank, RankBlocks, Reduces, Result, Verb, View, ViewMut, Wire, limits,
};
use wb_record::{CollectiveShape, EventKind};

use crate::{World, barrier_choice::BarrierChoice, call_tracer::rank_number};

#[allow(clippy::missing_errors_doc, reason = "all: Error::Rank, Error::Count, and what the backend can meet")]
impl World {
    /// No rank returns before every rank has entered (`MPI_Barrier`): the library's own barrier, or the one that
    /// [`choose_barrier`](Self::choose_barrier) or the environment (`WB_BARRIER_ALGORITHM`) selects.
    #[track_caller]
    pub fn barrier(&self) -> Result<()> {
        let site = CallSite::caller(Verb::Barrier);
        self.run_collective(site, CollectiveShape::All, 0, || match self.selected_barrier(site)? {
            BarrierChoice::Library => {
                self.transport().enter_collective_with(|| CollectiveCall::new(site))?;
                self.counted(site, |collectives| collectives.barrier(site))
            }
            BarrierChoice::Pattern(_, plan) => {
                self.transport().enter_collective_with(|| CollectiveCall::new(site))?;
                MessageBarrier::new(&plan, &**self.transport(), site).wait()?;
                self.stats().note_collective(site);
                Ok(())
            }
        })
    }

    /// Copies `root`'s `data` to the `data` of every rank, which has the same length on all ranks (`MPI_Bcast`).
    #[track_caller]
    pub fn bcast<T: Wire>(&self, data: &mut [T], root: Rank) -> Result<()> {
        self.run_kind(CollectiveKind::Bcast { root }, Some(&[]), Some(data))
    }

    /// As [`bcast`](Self::bcast), with our broadcast of that name (`cargo wb broadcasts list`), over messages; `"auto"`
    /// is the selector's choice. All ranks must pass the same name.
    ///
    /// ```no_run
    /// # fn run(world: &wb_world::World) -> wb_world::Result<()> {
    /// let mut data = vec![world.rank() as f64; 100_000];
    /// world.broadcast_by("pipeline", &mut data, 0)?;
    /// assert_eq!(data, vec![0.0; 100_000]);
    /// # Ok(())
    /// # }
    /// ```
    #[track_caller]
    pub fn broadcast_by<T: Wire>(&self, name: &str, data: &mut [T], root: Rank) -> Result<()> {
        let site = CallSite::caller(Verb::Bcast);
        self.run_collective(site, CollectiveShape::From(rank_number(root)), size_of_val(data), || {
            Error::check_rank("root", root, self.size())?;
            limits::check_count(data.len(), size_of::<T>())?;
            let chosen = broadcast::select(name, self.size(), size_of_val(data))?;
            let counts = CollectiveCounts::Equal(data.len());
            let call = || CollectiveCall::new(site).with_elements(T::DATATYPE, counts).with_root(root);
            self.transport().enter_collective_with(call)?;
            let comm = CollectiveContext::new(&**self.transport(), Verb::Bcast, site);
            chosen.run(&comm, ViewMut::from_slice(data), root, broadcast::default_segment(size_of::<T>()))?;
            self.stats().note_collective(site);
            Ok(())
        })
    }

    /// The broadcasts that [`broadcast_by`](Self::broadcast_by) offers, for any number of ranks.
    pub fn broadcasts() -> Vec<&'static str> {
        broadcast::all().into_iter().map(|broadcast| broadcast.name).collect()
    }

    /// Distributes `send` (on `root` only, `size * recv.len()` elements) in equal blocks (`MPI_Scatter`).
    #[track_caller]
    pub fn scatter<T: Wire>(&self, send: Option<&[T]>, recv: &mut [T], root: Rank) -> Result<()> {
        self.run_kind(CollectiveKind::Scatter { root }, send, Some(recv))
    }

    /// Distributes `send` (on `root` only: the elements and each rank's count) in blocks; `recv` has this rank's count
    /// (`MPI_Scatterv` with contiguous blocks).
    #[track_caller]
    pub fn scatterv<T: Wire>(
        &self,
        send: Option<(&[T], &[usize])>,
        recv: &mut [T],
        root: Rank,
    ) -> Result<()> {
        let (send, counts) = send.unzip();
        self.run_kind(
            CollectiveKind::Scatterv { blocks: counts.map(RankBlocks::contiguous), root },
            send,
            Some(recv),
        )
    }

    /// Collects equal blocks `send` in `recv` (on `root` only, `size * send.len()` elements) in rank order
    /// (`MPI_Gather`).
    #[track_caller]
    pub fn gather<T: Wire>(&self, send: &[T], recv: Option<&mut [T]>, root: Rank) -> Result<()> {
        self.run_kind(CollectiveKind::Gather { root }, Some(send), recv)
    }

    /// Collects blocks of any length in `recv` (on `root` only: room for them and each rank's count) (`MPI_Gatherv`).
    #[track_caller]
    pub fn gatherv<T: Wire>(&self, send: &[T], recv: Option<(&mut [T], &[usize])>, root: Rank) -> Result<()> {
        let (recv, counts) = recv.unzip();
        self.run_kind(
            CollectiveKind::Gatherv { blocks: counts.map(RankBlocks::contiguous), root },
            Some(send),
            recv,
        )
    }

    /// Collects equal blocks `send` in `recv` on every rank (`MPI_Allgather`).
    #[track_caller]
    pub fn allgather<T: Wire>(&self, send: &[T], recv: &mut [T]) -> Result<()> {
        self.run_kind(CollectiveKind::Allgather, Some(send), Some(recv))
    }

    /// Collects blocks of any length in `recv` on every rank; `counts` are the same on all ranks (`MPI_Allgatherv`).
    #[track_caller]
    pub fn allgatherv<T: Wire>(&self, send: &[T], recv: &mut [T], counts: &[usize]) -> Result<()> {
        self.run_kind(CollectiveKind::Allgatherv { blocks: counts.into() }, Some(send), Some(recv))
    }

    /// Reduces `send` of all ranks element by element into `recv` (on `root` only) (`MPI_Reduce`).
    #[track_caller]
    pub fn reduce<T: Wire>(
        &self,
        send: &[T],
        recv: Option<&mut [T]>,
        operation: impl Reduces<T>,
        root: Rank,
    ) -> Result<()> {
        self.run_kind(
            CollectiveKind::Reduce { operation: operation.into_operation(), root },
            Some(send),
            recv,
        )
    }

    /// Reduces `send` of all ranks element by element into `recv` on every rank (`MPI_Allreduce`).
    #[track_caller]
    pub fn allreduce<T: Wire>(&self, send: &[T], recv: &mut [T], operation: impl Reduces<T>) -> Result<()> {
        self.run_kind(
            CollectiveKind::Allreduce { operation: operation.into_operation() },
            Some(send),
            Some(recv),
        )
    }

    /// Reduces `send` of all ranks element by element; the block of `counts[r]` elements goes to `recv` of rank r
    /// (`MPI_Reduce_scatter`).
    #[track_caller]
    pub fn reduce_scatter<T: Wire>(
        &self,
        send: &[T],
        recv: &mut [T],
        counts: &[usize],
        operation: impl Reduces<T>,
    ) -> Result<()> {
        self.run_kind(
            CollectiveKind::ReduceScatter { counts, operation: operation.into_operation() },
            Some(send),
            Some(recv),
        )
    }

    /// As [`reduce_scatter`](Self::reduce_scatter) with equal blocks (`MPI_Reduce_scatter_block`).
    #[track_caller]
    pub fn reduce_scatter_block<T: Wire>(
        &self,
        send: &[T],
        recv: &mut [T],
        operation: impl Reduces<T>,
    ) -> Result<()> {
        self.run_kind(
            CollectiveKind::ReduceScatterBlock { operation: operation.into_operation() },
            Some(send),
            Some(recv),
        )
    }

    /// Combines `left` with `into` element by element, without communication; `into` gets the result (`MPI_Reduce_local`).
    #[track_caller]
    pub fn reduce_local<T: Wire>(
        &self,
        left: &[T],
        into: &mut [T],
        operation: impl Reduces<T>,
    ) -> Result<()> {
        let (site, operation) = (CallSite::caller(Verb::ReduceLocal), operation.into_operation());
        let reduce = || {
            let kind = CollectiveKind::Allreduce { operation };
            let counts = (Some(left.len()), Some(into.len()));
            CollectiveArguments::new(self, (site, T::DATATYPE), kind, counts).check()?;
            let (left, into) = (View::from_slice(left), ViewMut::from_slice(into));
            match self.transport().native_collectives() {
                Some(library) => library.reduce_local(left, into, operation),
                None => operation.fold(left, into),
            }
        };
        self.run_traced(site, reduce, |_, ()| EventKind::Local)
    }

    /// `recv` of rank r becomes the reduction over ranks `0..=r` (`MPI_Scan`).
    #[track_caller]
    pub fn scan<T: Wire>(&self, send: &[T], recv: &mut [T], operation: impl Reduces<T>) -> Result<()> {
        self.run_kind(CollectiveKind::Scan { operation: operation.into_operation() }, Some(send), Some(recv))
    }

    /// `recv` of rank r becomes the reduction over ranks `0..r`; rank 0's is unchanged (`MPI_Exscan`).
    #[track_caller]
    pub fn exscan<T: Wire>(&self, send: &[T], recv: &mut [T], operation: impl Reduces<T>) -> Result<()> {
        self.run_kind(
            CollectiveKind::Exscan { operation: operation.into_operation() },
            Some(send),
            Some(recv),
        )
    }

    /// Block `j` of `send` goes to rank `j`, block `i` of `recv` comes from rank `i`, all of one length
    /// (`MPI_Alltoall`).
    #[track_caller]
    pub fn alltoall<T: Wire>(&self, send: &[T], recv: &mut [T]) -> Result<()> {
        self.run_kind(CollectiveKind::Alltoall, Some(send), Some(recv))
    }

    /// As [`alltoall`](Self::alltoall) with blocks of any length (`MPI_Alltoallv` with contiguous blocks).
    #[track_caller]
    pub fn alltoallv<T: Wire>(
        &self,
        send: &[T],
        send_counts: &[usize],
        recv: &mut [T],
        recv_counts: &[usize],
    ) -> Result<()> {
        self.run_kind(
            CollectiveKind::Alltoallv { send_blocks: send_counts.into(), recv_blocks: recv_counts.into() },
            Some(send),
            Some(recv),
        )
    }

    /// Runs an operation; a buffer that only the root passes may be absent.
    #[track_caller]
    pub(crate) fn run_kind<T: Wire>(
        &self,
        kind: CollectiveKind<'_>,
        send: Option<&[T]>,
        recv: Option<&mut [T]>,
    ) -> Result<()> {
        let site = CallSite::caller(kind.verb());
        let (send, recv) = (send.map(View::from_slice), recv.map(ViewMut::from_slice));
        self.run_erased(site, kind, T::DATATYPE, send, recv)
    }

    fn run_erased(
        &self,
        site: CallSite,
        kind: CollectiveKind<'_>,
        datatype: Datatype,
        send: Option<View<'_>>,
        recv: Option<ViewMut<'_>>,
    ) -> Result<()> {
        let counts = (send.map(View::count), recv.as_ref().map(ViewMut::count));
        let arguments = CollectiveArguments::new(self, (site, datatype), kind, counts);
        self.run_collective(site, arguments.shape(), arguments.bytes(), || {
            let counts = arguments.check()?;
            self.transport().enter_collective_with(|| arguments.call(counts))?;
            let send = send.filter(|_| arguments.send.is_some()).unwrap_or(View::empty(datatype));
            let recv = recv.filter(|_| arguments.recv.is_some()).unwrap_or(ViewMut::empty(datatype));
            let buffers = BorrowedBuffers { send, recv };
            self.counted(site, |collectives| collectives.run(arguments.kind, buffers, site))
        })
    }

    /// Runs the library's call or our algorithm, and counts it.
    pub(crate) fn counted(
        &self,
        site: CallSite,
        run: impl FnOnce(&dyn Collectives) -> Result<()>,
    ) -> Result<()> {
        match self.transport().native_collectives() {
            Some(library) => run(library),
            None => run(&Algorithms(&**self.transport())),
        }?;
        self.stats().note_collective(site);
        Ok(())
    }
}

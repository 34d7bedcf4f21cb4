//! The collective verbs of a [`World`]: they check lengths, then use the library's call or our algorithm.
mod arguments;
mod choice;
mod layouts;
mod neighbour_arguments;
mod verbs;

pub(crate) use arguments::CollectiveArguments;
pub use verbs::{CollectiveVerb, VERBS};
use wb_algorithms::{
    barriers::adapters::MessageBarrier,
    collectives::{
        CollectiveContext, broadcast, message_algorithm_name,
        selection::{self, CollectiveChoice},
        with_collectives,
    },
};
use wb_comm::{
    Barrier, Block, BorrowedBuffers, CallSite, CollectiveCall, CollectiveCounts, CollectiveKind, Collectives,
    Datatype, Error, Rank, Reduces, Result, Verb, View, ViewMut, Wire, limits,
};
use wb_record::{CollectiveShape, EventKind};

use crate::{World, barrier_choice::BarrierChoice, call_tracer::rank_number};

/// The operation, and the buffers of a verb that returns when it is complete.
type Borrowed<'a, T> = (CollectiveKind<'a>, Option<&'a [T]>, Option<&'a mut [T]>);
/// The operation, and the buffers of a request.
pub(crate) type Owned<'a, T> = (CollectiveKind<'a>, Option<Vec<T>>, Received);
/// The operation, and the buffer of a verb that has one for both.
type InPlace<'a, T> = (CollectiveKind<'a>, &'a mut [T]);

/// The receive buffer of an operation that owns its buffers.
pub(crate) enum Received {
    /// Room for this number of elements.
    Room(usize),
    /// A buffer that has the data of the root already.
    Data(Block),
}

impl Received {
    pub(crate) fn count(&self) -> usize {
        match self {
            Self::Room(count) => *count,
            Self::Data(data) => data.view().count(),
        }
    }

    /// The buffer; `room` makes one of this number of elements.
    pub(crate) fn into_block(self, room: fn(usize) -> Block) -> Block {
        match self {
            Self::Room(count) => room(count),
            Self::Data(data) => data,
        }
    }
}

/// A buffer of elements that have the type's default value.
pub(crate) fn room<T: Wire>(count: usize) -> Block {
    Block::from_vec(vec![T::default(); count])
}

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
            BarrierChoice::Pattern(name, plan) => {
                self.transport().enter_collective_with(|| CollectiveCall::new(site))?;
                self.with_rounds(|| name, |transport| MessageBarrier::new(&plan, transport, site).wait())?;
                self.stats().note_collective(site);
                Ok(())
            }
        })
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
            let segment = broadcast::default_segment(size_of::<T>());
            self.with_rounds(
                || chosen.name,
                |transport| {
                    let comm = CollectiveContext::new(transport, Verb::Bcast, site);
                    chosen.run(&comm, ViewMut::from_slice(data), root, segment)
                },
            )?;
            self.stats().note_collective(site);
            Ok(())
        })
    }

    /// The broadcasts that [`broadcast_by`](Self::broadcast_by) offers, for any number of ranks.
    pub fn broadcasts() -> Vec<&'static str> {
        broadcast::all().into_iter().map(|broadcast| broadcast.name).collect()
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
            with_collectives(&**self.transport(), |collectives| {
                collectives.reduce_local(left, into, operation)
            })
        };
        self.run_traced(site, reduce, |_, ()| EventKind::Local)
    }

    /// Runs an operation; a buffer that only the root passes may be absent.
    #[track_caller]
    fn run_kind<T: Wire>(&self, (kind, send, recv): Borrowed<'_, T>) -> Result<()> {
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
        self.run_checked((site, kind, datatype), (send, recv), |kind, buffers| {
            self.counted(site, |collectives| collectives.run(kind, buffers, site))
        })
    }

    /// As [`run_kind`](Self::run_kind), by the algorithm of this name.
    #[track_caller]
    fn run_kind_by<T: Wire>(&self, name: &str, (kind, send, recv): Borrowed<'_, T>) -> Result<()> {
        let site = CallSite::caller(kind.verb());
        let buffers = (send.map(View::from_slice), recv.map(ViewMut::from_slice));
        self.run_checked((site, kind, T::DATATYPE), buffers, |kind, buffers| {
            let choice = selection::find(kind.verb(), name)?;
            self.chosen(&choice, site, |collectives| collectives.run(kind, buffers, site))?;
            self.stats().note_collective(site);
            Ok(())
        })
    }

    fn run_checked(
        &self,
        (site, kind, datatype): (CallSite, CollectiveKind<'_>, Datatype),
        (send, recv): (Option<View<'_>>, Option<ViewMut<'_>>),
        run: impl FnOnce(CollectiveKind<'_>, BorrowedBuffers<'_>) -> Result<()>,
    ) -> Result<()> {
        let counts = (send.map(View::count), recv.as_ref().map(ViewMut::count));
        let arguments = CollectiveArguments::new(self, (site, datatype), kind, counts);
        self.run_collective(site, arguments.shape(), arguments.bytes(), || {
            let counts = arguments.check()?;
            self.transport().enter_collective_with(|| arguments.call(counts))?;
            let send = send.filter(|_| arguments.send.is_some()).unwrap_or(View::empty(datatype));
            let recv = recv.filter(|_| arguments.recv.is_some()).unwrap_or(ViewMut::empty(datatype));
            run(arguments.kind, BorrowedBuffers { send, recv })
        })
    }

    #[track_caller]
    fn run_in_place<T: Wire>(&self, (kind, data): InPlace<'_, T>) -> Result<()> {
        self.run_erased_in_place(CallSite::caller(kind.verb()), kind, ViewMut::from_slice(data))
    }

    fn run_erased_in_place(&self, site: CallSite, kind: CollectiveKind<'_>, data: ViewMut<'_>) -> Result<()> {
        let parts = kind.in_place_parts(self.rank(), self.size(), data.count());
        let parts = parts.expect("every verb in place has such a form");
        let counts = (Some(parts.contribution.len()), Some(parts.result.len()));
        let arguments = CollectiveArguments::new(self, (site, data.datatype()), kind, counts);
        self.run_collective(site, arguments.shape(), arguments.bytes(), || {
            let counts = arguments.check()?;
            self.transport().enter_collective_with(|| arguments.call(counts))?;
            self.counted(site, |collectives| collectives.run_in_place(kind, data, site))
        })
    }

    /// Runs what performs the operations of this world, and counts the call.
    pub(crate) fn counted(
        &self,
        site: CallSite,
        run: impl FnOnce(&dyn Collectives) -> Result<()>,
    ) -> Result<()> {
        let choice = self.collective_choice()?;
        match choice.is_library() {
            true => {
                let algorithm = || message_algorithm_name(site.verb);
                self.with_rounds(algorithm, |transport| with_collectives(transport, run))
            }
            false => self.chosen(&choice, site, run),
        }?;
        self.stats().note_collective(site);
        Ok(())
    }

    /// Runs an operation by this choice; where calls are traced, so is the name of an algorithm in shared memory.
    fn chosen(
        &self,
        choice: &CollectiveChoice,
        site: CallSite,
        run: impl FnOnce(&dyn Collectives) -> Result<()>,
    ) -> Result<()> {
        let node = self.node_collectives(site)?;
        let began = self.tracer.as_deref().map(|tracer| (tracer, tracer.now()));
        let over_messages = || message_algorithm_name(site.verb);
        self.with_rounds(over_messages, |transport| run(&node.by(choice, transport)))?;
        if let (Some((tracer, began)), Some(algorithm)) = (began, node.last_algorithm()) {
            tracer.record_round(algorithm, began, vec![], vec![]);
        }
        Ok(())
    }
}

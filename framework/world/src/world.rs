//! The communicator: point-to-point verbs, groups, and the functions for the framework.
mod communicators;
mod layouts;
mod matched_probe;
mod point_to_point;
mod sends;

pub use matched_probe::ProbedMessage;
pub(crate) use point_to_point::room_for;

use std::{
    cell::{OnceCell, RefCell},
    rc::Rc,
    sync::Arc,
};

use wb_algorithms::collectives::selection::{CollectiveChoice, NodeCollectives};
use wb_comm::{CallSite, NewTopology, Rank, Result, Source, Transport, Verb, limits, panic_place::RankStop};

use wb_record::{CollectiveShape, EventKind};

use crate::{
    CallLog, CommStats, Counts,
    barrier_choice::BarrierChoice,
    call_tracer::{self, CallTracer, OptionalTracer, rank_number},
    comm_stats::{FirstError, HeldCommunicator},
};

/// Receives from any rank (`MPI_ANY_SOURCE`).
pub const ANY_SOURCE: Source = Source::Any;

/// A communicator as one rank sees it.
pub struct World {
    transport: Rc<dyn Transport>,
    rank: Rank,
    size: usize,
    stats: Rc<CommStats>,
    /// The name that [`set_name`](Self::set_name) has given it.
    name: RefCell<String>,
    /// The barrier that [`barrier`](Self::barrier) runs, once it is known.
    pub(crate) barrier_choice: RefCell<Option<BarrierChoice>>,
    /// What performs its collective operations, once it is known.
    pub(crate) collective_choice: RefCell<Option<Rc<CollectiveChoice>>>,
    /// The shared memory of its ranks, once an operation has needed it.
    pub(crate) node_collectives: OnceCell<NodeCollectives>,
    /// The tracer of its verbs, if it is traced.
    pub(crate) tracer: OptionalTracer,
    _held: Option<HeldCommunicator>,
}

impl World {
    /// A world over a backend's communicator, with new counts.
    pub fn new(transport: Rc<dyn Transport>) -> Self {
        let (rank, size) = (transport.rank(), transport.size());
        let name = RefCell::new("world".to_owned());
        Self {
            transport,
            rank,
            size,
            stats: Rc::default(),
            name,
            barrier_choice: RefCell::default(),
            collective_choice: RefCell::default(),
            node_collectives: OnceCell::new(),
            tracer: None,
            _held: None,
        }
    }

    /// As [`new`](Self::new), with a log of every call here, in worlds made from this one, and on their requests,
    /// windows and barriers. At most `limit` calls are logged, further calls are only counted.
    pub fn traced(transport: Rc<dyn Transport>, limit: usize) -> (Self, Rc<CallLog>) {
        Self::traced_with(transport, limit, || 0)
    }

    /// As [`traced`](Self::traced), where `processor_ns` reads this rank's processor time: the log sums the processor
    /// time of the calls.
    pub fn traced_with(
        transport: Rc<dyn Transport>,
        limit: usize,
        processor_ns: fn() -> u64,
    ) -> (Self, Rc<CallLog>) {
        let log = Rc::new(CallLog::new(limit, processor_ns));
        let recording = Some(CallTracer::for_world(Rc::clone(&log), &transport));
        (Self { tracer: recording, ..Self::new(transport) }, log)
    }

    /// This process's rank, `0..size`.
    #[inline]
    pub fn rank(&self) -> Rank {
        self.rank
    }

    /// The number of ranks.
    #[inline]
    pub fn size(&self) -> usize {
        self.size
    }

    /// Nanoseconds of a monotonic clock that the ranks of one machine share. In virtual time a reading takes time unless another call has taken
    /// time since the last one, so a wait for a time ends.
    ///
    /// # Panics
    /// In virtual time, once the rank has waited for a time for an hour.
    #[track_caller]
    pub fn now(&self) -> u64 {
        match self.transport.read_clock() {
            Some(time) => time,
            None => RankStop::EndlessClockWait.panic(),
        }
    }

    /// The communication counts of this rank, here and in worlds made from this one.
    pub fn counts(&self) -> Counts {
        self.stats.read()
    }

    /// The number of one-port rounds of this rank's messages so far: in a round a rank sends at most one message and
    /// receives at most one. `None` where the backend's messages do not carry that number (real MPI).
    pub fn rounds(&self) -> Option<u64> {
        self.transport.rounds()
    }

    /// The last call that returned an error, here or in a world made from this one: the origin of an error that a stage
    /// passes on.
    pub fn last_error_site(&self) -> Option<CallSite> {
        self.stats.last_error_site()
    }

    /// The first error of a call here or in a world made from this one.
    pub fn first_error(&self) -> FirstError {
        Arc::clone(&self.stats.first_error)
    }

    /// The first call that was counted as collective or that made a communicator with a topology, here or in a world made from this one.
    pub fn first_collective(&self) -> Option<CallSite> {
        self.stats.first_collective()
    }

    /// Whether data from another rank have arrived here or in a world made from this one: a message, the result of a
    /// collective, or possibly data in a window.
    pub fn has_received(&self) -> bool {
        self.stats.has_received()
    }

    /// A hash of the sources and tags of the messages that this rank has received, in this order: two runs in which
    /// messages arrived in different orders have different ones.
    pub fn arrival_order(&self) -> u64 {
        self.stats.arrival_order()
    }

    /// Runs a verb; if it fails, records its call as the last error.
    #[inline]
    pub(crate) fn run<R>(&self, site: CallSite, verb: impl FnOnce() -> Result<R>) -> Result<R> {
        verb().inspect_err(|error| self.stats.note_error(site, error))
    }

    /// Runs a verb as [`run`](Self::run) does; where this world is traced, records it as `act`.
    #[inline]
    pub(crate) fn run_traced<R>(
        &self,
        site: CallSite,
        verb: impl FnOnce() -> Result<R>,
        act: impl FnOnce(&CallTracer, &R) -> EventKind,
    ) -> Result<R> {
        call_tracer::trace_call(&self.tracer, site, || self.run(site, verb), act)
    }

    /// The same for a collective verb; `bytes` is the size of this rank's contribution or result.
    #[inline]
    pub(crate) fn run_collective<R>(
        &self,
        site: CallSite,
        shape: CollectiveShape,
        bytes: usize,
        verb: impl FnOnce() -> Result<R>,
    ) -> Result<R> {
        let result = self.run_traced(site, verb, |recorder, _| recorder.collective(shape, bytes))?;
        if bytes > 0 && self.receives_in(shape) {
            self.stats.note_received();
        }
        Ok(result)
    }

    /// Whether a collective of this shape gives this rank data from others.
    fn receives_in(&self, shape: CollectiveShape) -> bool {
        let (rank, size) = (rank_number(self.rank()), self.size());
        size > 1
            && match shape {
                CollectiveShape::From(root) => rank != root,
                CollectiveShape::To(root) => rank == root,
                CollectiveShape::Prefix => rank > 0,
                CollectiveShape::All | CollectiveShape::Neighbours => true,
            }
    }

    pub(crate) fn transport(&self) -> &Rc<dyn Transport> {
        &self.transport
    }

    /// Declares that this rank executes this number of operations on this number of bytes of memory.
    ///
    /// The unit is a floating-point operation of a vectorised loop, of which a core of the simulated machine executes
    /// `flops_per_second`. Other work is declared by its time in this unit: a comparison of random numbers is about 32.
    /// `docs/student.md` has more of them, and how to find yours.
    ///
    /// On MPI and on threads it does nothing: the computation itself takes its time. In virtual time, computation
    /// itself takes no time, and the declared work is charged according to the simulated machine.
    pub fn work(&self, operations: u64, bytes: u64) {
        self.stats.note_work(self.transport.work(operations, bytes));
    }

    /// Collective: the ranks that pass the same `color` form a new world, ordered by `key`, then by rank here
    /// (`MPI_Comm_split`); a rank that passes `None` joins no world and gets `None`.
    ///
    /// # Errors
    /// [`Error::CommunicatorArgument`](crate::Error::CommunicatorArgument) for a color that is not an int of MPI; the errors of the backend.
    #[track_caller]
    pub fn split(&self, color: Option<u32>, key: i32) -> Result<Option<World>> {
        let site = CallSite::caller(Verb::Split);
        let split = || {
            color.map(limits::check_color).transpose()?;
            self.transport.split(color, key, site)
        };
        let part = self.run_collective(site, CollectiveShape::All, 0, split)?;
        if let (Some(recorder), None) = (&self.tracer, &part) {
            recorder.skip_child();
        }
        part.map(|transport| self.child(transport, color, site)).transpose()
    }

    /// Collective: the same ranks, separate messages (`MPI_Comm_dup`).
    ///
    /// # Errors
    /// The errors of the backend.
    #[track_caller]
    pub fn dup(&self) -> Result<World> {
        let site = CallSite::caller(Verb::Dup);
        let made = self.run_collective(site, CollectiveShape::All, 0, || self.transport.dup(site))?;
        self.child(made, None, site)
    }

    pub(crate) fn stats(&self) -> &Rc<CommStats> {
        &self.stats
    }

    /// Collective: a world with a topology; `None` on ranks that it has no place for.
    pub(crate) fn create_topology(&self, topology: &NewTopology, site: CallSite) -> Result<Option<World>> {
        let make = || self.transport.create_topology(topology, site);
        let made = self.run_collective(site, CollectiveShape::All, 0, make)?;
        if let (Some(recorder), None) = (&self.tracer, &made) {
            recorder.skip_child();
        }
        if !matches!(topology, NewTopology::Group { .. }) {
            self.stats.note_topology(site);
        }
        let color = topology.place(self.rank(), &[]).0;
        made.map(|transport| self.child(transport, color, site)).transpose()
    }

    pub(crate) fn child(&self, made: Rc<dyn Transport>, color: Option<u32>, site: CallSite) -> Result<Self> {
        let tracer = self.tracer.as_ref().map(|recorder| recorder.for_child(&made, color));
        self.derived(made, tracer, site)
    }

    pub(crate) fn derived(
        &self,
        transport: Rc<dyn Transport>,
        tracer: OptionalTracer,
        site: CallSite,
    ) -> Result<Self> {
        let (stats, name) = (Rc::clone(&self.stats), RefCell::default());
        let _held = Some(HeldCommunicator::new(&stats, site)?);
        let collective_choice = self.collective_choice.clone();
        Ok(Self { stats, name, tracer, _held, collective_choice, ..Self::new(transport) })
    }
}

//! The call tracer: writes the verbs of one communicator into the rank's log. Worlds that are not traced have none,
//! which costs one comparison a call.
//!
//! The objects that are made from a communicator are numbered in the order of their creation. Creation is collective,
//! so the order is the same on all ranks, and an object gets the same name on every rank without a message.
use std::{
    cell::{Cell, RefCell},
    rc::Rc,
};

use wb_comm::{CallSite, Neighbours, PROC_NULL, Rank, Result, Transport};
use wb_record::{CollectiveRound, CollectiveShape, Envelope, EventKind, TraceCommunicator};

use crate::call_log::CallLog;

/// The tracer of a communicator; `None` where calls are not traced.
pub(crate) type OptionalTracer = Option<Rc<CallTracer>>;

pub(crate) struct CallTracer {
    log: Rc<CallLog>,
    /// The communicator whose clock is read.
    clock: Rc<dyn Transport>,
    communicator: u32,
    collectives: Cell<u32>,
    children: Cell<u32>,
    /// The groups of which only their members have made communicators.
    groups: RefCell<Vec<String>>,
}

impl CallTracer {
    /// Records the calls on the initial world.
    pub(crate) fn for_world(log: Rc<CallLog>, transport: &Rc<dyn Transport>) -> Rc<Self> {
        Self::with_name(log, transport, "world".to_owned())
    }

    /// Collective: the tracer of the next object made from this communicator; `color` distinguishes the parts of a
    /// split.
    pub(crate) fn for_child(&self, transport: &Rc<dyn Transport>, color: Option<u32>) -> Rc<Self> {
        let number = self.next_child();
        let color = color.map_or_else(String::new, |color| format!(":{color}"));
        let name = format!("{}.{number}{color}", self.log.name(self.communicator));
        Self::with_name(Rc::clone(&self.log), transport, name)
    }

    /// Collective among the members of a group only: the tracer of a communicator of them.
    pub(crate) fn for_group(&self, transport: &Rc<dyn Transport>, members: &[Rank], tag: i32) -> Rc<Self> {
        let group = format!("{members:?}:{tag}");
        let number = self.groups.borrow().iter().filter(|known| **known == group).count();
        let name = format!("{}.{group}.{number}", self.log.name(self.communicator));
        self.groups.borrow_mut().push(group);
        Self::with_name(Rc::clone(&self.log), transport, name)
    }

    /// Collective: counts a part of a split to which this rank does not belong.
    pub(crate) fn skip_child(&self) {
        self.next_child();
    }

    fn next_child(&self) -> u32 {
        self.children.replace(self.children.get() + 1)
    }

    fn with_name(log: Rc<CallLog>, transport: &Rc<dyn Transport>, name: String) -> Rc<Self> {
        let communicator = log.register(TraceCommunicator {
            name,
            rank: rank_number(transport.rank()),
            size: rank_number(transport.size()),
            sources: vec![],
        });
        let clock = Rc::clone(transport);
        let (collectives, children, groups) = Default::default();
        Rc::new(Self { log, clock, communicator, collectives, children, groups })
    }

    /// Notes from which ranks this one receives in neighbourhood collectives.
    pub(crate) fn set_neighbours(&self, neighbours: &Neighbours) {
        let sources = neighbours.sources.iter().filter(|source| **source != PROC_NULL);
        self.log.set_sources(self.communicator, sources.map(|source| rank_number(*source)).collect());
    }

    pub(crate) fn now(&self) -> u64 {
        self.clock.now()
    }

    /// Records the call at `site`, which began at `begin` and ends now.
    pub(crate) fn record(&self, site: CallSite, begin: u64, act: EventKind) {
        self.log.record(site, self.communicator, begin, self.now(), without_null_peers(act));
    }

    /// Records the messages of one round inside of a collective call, from `begin` until now.
    pub(crate) fn record_round(
        &self,
        algorithm: &str,
        begin_ns: u64,
        sends: Vec<Envelope>,
        receives: Vec<Envelope>,
    ) {
        let (algorithm, end_ns) = (algorithm.to_owned(), self.now());
        self.log.record_round(CollectiveRound { event: 0, algorithm, begin_ns, end_ns, sends, receives });
    }

    pub(crate) fn record_stage(&self, name: &'static str, begin: u64, end: u64) {
        self.log.record_stage(name, begin, end);
    }

    /// A number for a request.
    pub(crate) fn next_request(&self) -> u32 {
        self.log.next_request()
    }

    /// Whether a started collective operation must be complete when the call that starts it returns.
    pub(crate) fn completes_at_start(&self) -> bool {
        self.log.completes_at_start()
    }

    /// The event of the next collective call of this communicator.
    pub(crate) fn collective(&self, shape: CollectiveShape, bytes: usize) -> EventKind {
        let sequence = self.next_collective();
        EventKind::Collective { sequence, shape, bytes: bytes as u64 }
    }

    /// The event of the next collective call of this communicator, if that returns a request.
    pub(crate) fn start_collective(&self, shape: CollectiveShape, bytes: usize, request: u32) -> EventKind {
        let sequence = self.next_collective();
        EventKind::StartCollective { sequence, shape, bytes: bytes as u64, request }
    }

    fn next_collective(&self) -> u32 {
        self.collectives.replace(self.collectives.get() + 1)
    }
}

/// The event of a trace without its messages to and from [`PROC_NULL`].
fn without_null_peers(event: EventKind) -> EventKind {
    let is_null = |envelope: &Envelope| envelope.peer == rank_number(PROC_NULL);
    match event {
        EventKind::Send { to: peer, .. }
        | EventKind::StartSend { to: peer, .. }
        | EventKind::Receive { from: peer }
        | EventKind::FinishReceive { from: peer, .. }
            if is_null(&peer) =>
        {
            EventKind::Local
        }
        EventKind::Exchange { to, from } => match (is_null(&to), is_null(&from)) {
            (true, true) => EventKind::Local,
            (true, false) => EventKind::Receive { from },
            (false, true) => EventKind::Send { to, synchronous: false },
            (false, false) => event,
        },
        event => event,
    }
}

/// A call that has begun, if calls are traced.
pub(crate) struct TracedCall<'a>(Option<BegunCall<'a>>);

struct BegunCall<'a> {
    tracer: &'a CallTracer,
    begin: u64,
    /// The rank's processor time before the call; `None` if another call adds it to the time of calls.
    processor_ns: Option<u64>,
}

impl<'a> TracedCall<'a> {
    #[inline]
    pub(crate) fn begin(tracer: &'a OptionalTracer) -> Self {
        // These readings enclose the recording too, so its time does not count as the task's computation.
        Self(tracer.as_deref().map(|tracer| {
            let processor_ns = Some(tracer.log.processor_ns());
            BegunCall { tracer, begin: tracer.now(), processor_ns }
        }))
    }

    /// A part of a call that began at `begin`.
    #[inline]
    pub(crate) fn begun(tracer: &'a OptionalTracer, begin: u64) -> Self {
        Self(tracer.as_deref().map(|tracer| BegunCall { tracer, begin, processor_ns: None }))
    }

    /// Records the call, unless it has failed.
    #[inline]
    pub(crate) fn end<R>(
        self,
        site: CallSite,
        result: &Result<R>,
        act: impl FnOnce(&CallTracer, &R) -> EventKind,
    ) {
        if let (Some(BegunCall { tracer, begin, processor_ns }), Ok(result)) = (self.0, result) {
            tracer.record(site, begin, act(tracer, result));
            processor_ns.into_iter().for_each(|before| tracer.log.add_call_time_since(before));
        }
    }
}

/// Runs a verb, and records it where calls are traced.
#[inline]
pub(crate) fn trace_call<R>(
    tracer: &OptionalTracer,
    site: CallSite,
    verb: impl FnOnce() -> Result<R>,
    act: impl FnOnce(&CallTracer, &R) -> EventKind,
) -> Result<R> {
    let call = TracedCall::begin(tracer);
    let result = verb();
    call.end(site, &result, act);
    result
}

/// A rank as records store it. A number that does not fit is outside of every job: the verb refuses it and the call is
/// not recorded, so the replacement value does not matter.
pub(crate) fn rank_number(rank: usize) -> u32 {
    u32::try_from(rank).unwrap_or(u32::MAX)
}

/// Ranks as records store them.
pub(crate) fn rank_numbers(ranks: &[usize]) -> Vec<u32> {
    ranks.iter().map(|&rank| rank_number(rank)).collect()
}

//! The ranks of a replay: each makes the calls of one transcript.
mod requests;

use std::{
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread,
    time::Duration,
};

use wb_comm::{
    Assertion, Block, CallSite, CollectiveCall, ErasedWindow, Error, Finding, LockKind, MessageTag, Op,
    Pending, Rank, RankFunction, Result, SendMode, Source, TagPattern, Transport, Verb, View, ViewMut,
    WindowKind,
};

use crate::replay::{
    call_trace::{
        call_action::{CallAction, CreatedHandle, TracedOp, TracedWindowCall},
        trace::{CallRecord, CallStatus, CallTrace},
    },
    communicator_map::CommunicatorMap,
};

/// The interval at which a rank that has replayed its trace checks whether all ranks have ended.
const POLL_INTERVAL: Duration = Duration::from_millis(1);

/// The tag of a message that no rank sends.
const UNUSED_TAG: i32 = i32::MAX;

/// The tag of the messages of a collective.
const BARRIER_TAG: i32 = UNUSED_TAG - 1;

/// The data that the ranks share.
pub(crate) struct ReplayState {
    traces: Vec<CallTrace>,
    communicators: CommunicatorMap,
    /// Whether every collective waits for all its ranks.
    synchronizing: bool,
    /// The present call of each rank.
    positions: Vec<AtomicUsize>,
    /// The number of ranks that have replayed their whole trace; a rank that waits for that is counted before it waits,
    /// and again afterwards.
    finished_ranks: AtomicUsize,
    /// Whether a call has completed that did not complete in the recorded run.
    has_progressed: AtomicBool,
}

impl ReplayState {
    pub(crate) fn new(traces: Vec<CallTrace>, synchronizing: bool) -> Self {
        let communicators = CommunicatorMap::from_traces(&traces);
        let at = traces.iter().map(|_| AtomicUsize::default()).collect();
        let (finished_ranks, has_progressed) = Default::default();
        Self { traces, communicators, synchronizing, positions: at, finished_ranks, has_progressed }
    }

    /// The calls of each rank; returns the mistake for which one of its calls was refused.
    pub(crate) fn job(self: &Arc<Self>) -> RankFunction {
        let state = Arc::clone(self);
        Arc::new(move |transport| {
            let rank = transport.rank();
            let failed = ReplayRank::new(transport, &state).run(&state.traces[rank]).err();
            state.finished_ranks.fetch_add(1, Ordering::SeqCst);
            let found: Option<Finding> =
                failed.and_then(|(site, error)| Finding::from_error(rank, Some(site), &error));
            Box::new(found)
        })
    }

    /// Whether the rank is blocked in a receive that would have taken another message as well. It is repeated as the receive of
    /// the message that it took.
    pub(crate) fn is_blocked_in_wildcard(&self, rank: Rank) -> bool {
        let calls = &self.traces[rank].calls;
        let started = |request| calls.iter().find_map(|record: &CallRecord| record.starts(request));
        match calls.get(self.positions[rank].load(Ordering::SeqCst)).map(|record| &record.action) {
            Some(CallAction::Round(operations)) => operations.iter().any(TracedOp::is_wildcard),
            Some(CallAction::Wait { request, .. }) => started(*request).is_some_and(TracedOp::is_wildcard),
            _ => false,
        }
    }

    /// Whether a rank has continued that did not continue in the recorded run. Call it once all have ended.
    pub(crate) fn has_progressed(&self) -> bool {
        self.has_progressed.load(Ordering::SeqCst)
    }
}

struct StartedCollective {
    /// The communicator.
    on: usize,
    /// Its number among the collectives there.
    number: usize,
    site: CallSite,
}

/// A rank that makes the calls of a transcript.
struct ReplayRank<'a> {
    rank: Rank,
    state: &'a ReplayState,
    communicators: BTreeMap<usize, Rc<dyn Transport>>,
    windows: BTreeMap<usize, Box<dyn ErasedWindow>>,
    requests: BTreeMap<usize, Box<dyn Pending>>,
    /// The number of collectives that it has called, by communicator.
    collectives: BTreeMap<usize, usize>,
    /// The collectives that it has started, by request.
    started_collectives: BTreeMap<usize, StartedCollective>,
}

impl<'a> ReplayRank<'a> {
    fn new(world: Rc<dyn Transport>, state: &'a ReplayState) -> Self {
        let rank = world.rank();
        let communicators = [(0, world)].into();
        let (windows, requests, collectives, started_collectives) = Default::default();
        Self { rank, state, communicators, windows, requests, collectives, started_collectives }
    }

    fn run(mut self, trace: &'a CallTrace) -> std::result::Result<(), (CallSite, Error)> {
        let received = ReceiveOutcomes::of(trace);
        for (at, record) in trace.calls.iter().enumerate() {
            self.state.positions[self.rank].store(at, Ordering::SeqCst);
            let replayed = self.replay_call(record, &received);
            replayed.map_err(|error| (record.site, error))?;
            if record.status == CallStatus::Open {
                return self.wait_at_open_call().map_err(|error| (record.site, error));
            }
        }
        Ok(())
    }

    /// A call that was open completes here: the rank continues to an unknown place. So it prevents
    /// the diagnosis that no rank can continue, until all others have ended as well.
    fn wait_at_open_call(&self) -> Result<()> {
        let ReplayState { traces, finished_ranks, has_progressed, .. } = self.state;
        let world = &self.communicators[&0];
        has_progressed.store(true, Ordering::SeqCst);
        finished_ranks.fetch_add(1, Ordering::SeqCst);
        while finished_ranks.load(Ordering::SeqCst) < traces.len() {
            world.iprobe(
                Source::Any,
                TagPattern::from(MessageTag::internal(UNUSED_TAG)),
                CallSite::caller(Verb::Iprobe),
            )?;
            thread::sleep(POLL_INTERVAL);
        }
        Ok(())
    }

    fn replay_call(&mut self, record: &'a CallRecord, received: &ReceiveOutcomes) -> Result<()> {
        let CallRecord { site, on, action: act, status } = record;
        if let Some(replayed) = self.replay_handle_call(record) {
            return replayed;
        }
        let Some(communicator) = self.communicators.get(on).cloned() else { return Ok(()) };
        match act {
            CallAction::Round(operations) => round(&*communicator, operations, *site, *status),
            CallAction::Start { .. } if *status == CallStatus::Refused => Ok(()),
            // No message has matched it, so none may match it here.
            CallAction::Start { request, .. } if received.cancelled.contains(request) => Ok(()),
            CallAction::Start { request, operation } => {
                let operation = operation.clone().with_match(received.matched.get(request).copied());
                let pending = start(&*communicator, &operation, *site)?;
                self.requests.insert(*request, pending);
                Ok(())
            }
            CallAction::Probe(wanted) if *status == CallStatus::Open => {
                communicator.probe(wanted.source(), wanted.accepts(), *site).map(drop)
            }
            CallAction::Collective(brings) => {
                self.collective(*on, &*communicator, brings.to_call(*site), *status)
            }
            _ if *status == CallStatus::Refused => Ok(()),
            _ => self.create(&*communicator, record),
        }
    }

    /// A call that makes a communicator or a window.
    fn create(&mut self, communicator: &dyn Transport, record: &CallRecord) -> Result<()> {
        let CallRecord { action, status, site, .. } = record;
        let (status, site) = (*status, *site);
        match action {
            CallAction::Buffer(Some(bytes)) => communicator.attach_buffer(*bytes, site),
            // The library sends short messages out of the buffer before their receives, if these come at all.
            CallAction::Buffer(None) if status == CallStatus::Done => communicator.drop_buffer(),
            CallAction::Buffer(None) => communicator.detach_buffer(site).map(drop),
            CallAction::Split { color, key, created: made } => {
                let part = communicator.split(*color, *key, site)?;
                self.store_handle(made.as_ref(), part);
                Ok(())
            }
            CallAction::Topology { topology, rank, created: made } => {
                communicator.enter_collective(CollectiveCall::new(site).with_topology(topology.clone()))?;
                // The library may have given the ranks other numbers.
                let (color, key) = topology.place(*rank, &[]);
                let key = made.as_ref().map_or(key, |made| made.rank as i32);
                self.store_handle(made.as_ref(), communicator.split(color, key, site)?);
                Ok(())
            }
            CallAction::Group { members, tag, created: made } => {
                let part = communicator.create_group(members, *tag, site)?;
                self.store_handle(made.as_ref(), Some(part));
                Ok(())
            }
            CallAction::Dup { created: made } => {
                let copy = communicator.dup(site)?;
                self.store_handle(made.as_ref(), Some(copy));
                Ok(())
            }
            CallAction::File { file, created: made } => {
                communicator.enter_collective(CollectiveCall::new(site).with_file(file.clone()))?;
                let opened = communicator.dup(site)?;
                opened.set_name(&format!("file {:?}", file.path))?;
                self.store_handle(made.as_ref(), Some(opened));
                Ok(())
            }
            CallAction::Window { kind, datatype, count, created: made } => {
                let window = communicator.window(window_kind(*kind), *datatype, *count, site)?;
                if let Some(made) = made {
                    self.windows.insert(made.number, window);
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// A call on a window or a request; `None` for one on a communicator.
    fn replay_handle_call(&mut self, record: &CallRecord) -> Option<Result<()>> {
        let CallRecord { site, on, action, status } = record;
        match action {
            CallAction::OnWindow(call) => return Some(self.window_call(*on, call, *site, *status)),
            CallAction::Wait { request, .. } => return Some(self.wait(*request, *site, *status)),
            CallAction::WaitForSeveral { requests, all } if *status == CallStatus::Open => {
                return Some(self.wait_for_several(requests, *all, *site));
            }
            CallAction::WaitForSeveral { .. } => {}
            CallAction::StartCollective { request } => self.start_collective(*on, *request, *site),
            CallAction::Drop { request } | CallAction::Cancel { request } => {
                drop(self.requests.remove(request));
            }
            _ => return None,
        }
        Some(Ok(()))
    }

    fn store_handle(&mut self, made: Option<&CreatedHandle>, part: Option<Rc<dyn Transport>>) {
        self.communicators.extend(made.map(|made| made.number).zip(part));
    }

    /// Calls a collective; if the rank was blocked there, it waits for a rank that did not call it.
    fn collective(
        &mut self,
        on: usize,
        communicator: &dyn Transport,
        brings: CollectiveCall,
        status: CallStatus,
    ) -> Result<()> {
        let site = brings.site();
        communicator.enter_collective(brings)?;
        if self.state.synchronizing && !site.verb.starts_collective() {
            barrier(communicator, site)?;
        }
        let come_to = self.collectives.entry(on).or_default();
        *come_to += 1;
        let number = *come_to;
        self.await_missing(StartedCollective { on, number, site }, site, status)
    }

    fn window_call(
        &mut self,
        number: usize,
        call: &TracedWindowCall,
        site: CallSite,
        status: CallStatus,
    ) -> Result<()> {
        if status == CallStatus::Refused {
            return Ok(());
        }
        if matches!(call, TracedWindowCall::Free | TracedWindowCall::Dropped) {
            let Some(window) = self.windows.remove(&number) else { return Ok(()) };
            return if *call == TracedWindowCall::Free { window.free(site) } else { Ok(()) };
        }
        let Some(window) = self.windows.get(&number) else { return Ok(()) };
        let plain = Assertion::default();
        match call {
            TracedWindowCall::Fence => window.fence(plain, site),
            TracedWindowCall::Post(group) => window.post(group, plain, site),
            TracedWindowCall::Start(group) => window.start(group, plain, site),
            TracedWindowCall::Complete => window.complete(site),
            TracedWindowCall::Wait => window.wait(site),
            TracedWindowCall::Lock { exclusive: true, target } => {
                window.lock(LockKind::Exclusive, *target, plain, site)
            }
            TracedWindowCall::Lock { exclusive: false, target } => {
                window.lock(LockKind::Shared, *target, plain, site)
            }
            TracedWindowCall::Unlock(target) => window.unlock(*target, site),
            TracedWindowCall::LockAll => window.lock_all(plain, site),
            TracedWindowCall::UnlockAll => window.unlock_all(site),
            TracedWindowCall::Free | TracedWindowCall::Dropped => Ok(()),
        }
    }
}

/// Waits until all ranks of the communicator have arrived: all others send to the first one, which then sends to them.
fn barrier(communicator: &dyn Transport, site: CallSite) -> Result<()> {
    let partners: Vec<Rank> =
        if communicator.rank() == 0 { (1..communicator.size()).collect() } else { vec![0] };
    let hears_first = communicator.rank() == 0;
    exchange(communicator, &partners, !hears_first, site)?;
    exchange(communicator, &partners, hears_first, site)
}

/// An empty message to, or from, each of these.
fn exchange(communicator: &dyn Transport, partners: &[Rank], sends: bool, site: CallSite) -> Result<()> {
    let (nothing, tag) = ([0_u8; 0], MessageTag::internal(BARRIER_TAG));
    let mut buffers = vec![nothing; partners.len()];
    let op = |(partner, buffer)| match sends {
        true => Op::Send { to: partner, tag, data: View::from_slice(&nothing), mode: SendMode::Standard },
        false => {
            let data = ViewMut::from_slice::<u8>(buffer);
            Op::Recv { from: Source::Rank(partner), tag: tag.into(), data, status: None }
        }
    };
    let mut ops: Vec<_> =
        partners.iter().copied().zip(buffers.iter_mut().map(|buffer| &mut buffer[..])).map(op).collect();
    communicator.post_and_wait(&mut ops, site)
}

/// The outcomes of the nonblocking receives of a rank, by request.
struct ReceiveOutcomes {
    /// The messages of those that were completed.
    matched: BTreeMap<usize, (Rank, i32)>,
    cancelled: BTreeSet<usize>,
}

impl ReceiveOutcomes {
    fn of(trace: &CallTrace) -> Self {
        let mut outcomes = Self { matched: BTreeMap::new(), cancelled: BTreeSet::new() };
        for record in &trace.calls {
            match record.action {
                CallAction::Wait { request, matched: Some(message) } => {
                    outcomes.matched.extend([(request, message)]);
                }
                CallAction::Cancel { request } => outcomes.cancelled.extend([request]),
                _ => {}
            }
        }
        outcomes
    }
}

fn round(
    communicator: &dyn Transport,
    operations: &[TracedOp],
    site: CallSite,
    status: CallStatus,
) -> Result<()> {
    // A send that was refused has sent nothing; a receive may have been refused because of its message.
    if status == CallStatus::Refused && operations.iter().all(|operation| operation.is_send) {
        return Ok(());
    }
    let mut blocks: Vec<_> = operations.iter().map(recv_block).collect();
    let ops = operations.iter().zip(&mut blocks).map(|(operation, block)| operation.to_op(block));
    communicator.post_and_wait(&mut ops.collect::<Vec<_>>(), site)
}

fn recv_block(operation: &TracedOp) -> Block {
    let (layout, count) = operation.elements();
    Block::zeroed(layout, count)
}

fn start(communicator: &dyn Transport, operation: &TracedOp, site: CallSite) -> Result<Box<dyn Pending>> {
    match operation.peer {
        Some(to) if operation.is_send => {
            communicator.post_send(to, operation.tag(), recv_block(operation), operation.mode, site)
        }
        _ => communicator.post_recv(operation.source(), operation.accepts(), recv_block(operation), site),
    }
}

fn window_kind(number: u8) -> WindowKind {
    [WindowKind::Create, WindowKind::Allocate, WindowKind::Shared][usize::from(number)]
}

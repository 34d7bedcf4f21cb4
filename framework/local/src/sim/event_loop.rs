//! The event loop: the clocks of all ranks and the pending events, processed in the order of time.
//!
//! The running rank may run ahead of the clocks of the other ranks. This is safe: its messages arrive later still, and
//! its receives are matched by recorded times, not by the order of processing. Only a poll must first process the
//! events before its time ([`must_suspend_poll`](Scheduler::must_suspend_poll)).
//!
//! Events are processed in the order of the [`event_queue`](crate::sim::event_queue), which is the same in every run.
use std::{mem, sync::Arc};

use rustc_hash::FxHashMap;
use wb_comm::Rank;

use crate::{
    fabric::{DeliveryModel as _, Event, JobState, ObservedState, OperationId},
    sim::{
        Faults, Machine, Port, TransferTimes,
        event_queue::{EventPriority, EventQueue, QueueEntry},
        nic::NicPorts,
        scheduler::{FruitlessPolls, NextTask, Scheduler},
        storage::PendingTransfer,
    },
};

mod delivery_model;

/// The number of times that each rank may poll without success while no event happens, before its polls take longer steps.
const MAX_FRUITLESS_POLLS: u64 = 10_000;

/// A pending event.
#[derive(Debug)]
enum PendingEvent {
    /// An event of the job takes place.
    Event(Event),
    /// The requested payload of a rendezvous message goes to the port of its sender; not before its time, since
    /// another payload of the same sender may be requested in between.
    Payload(Box<Payload>),
    /// A message reaches the NIC of its sender's node; not before its time, since ranks of the node run ahead of each
    /// other.
    NicDeparture(Box<NicTransfer>),
    /// The first byte of a message reaches the NIC of its receiver's node.
    NicArrival(Box<NicTransfer>),
    /// A request reaches the storage; not before its time, since the ranks share it.
    StorageArrival(Box<PendingTransfer>),
}

/// The payload of a rendezvous message; see [`PendingEvent::Payload`].
#[derive(Debug)]
struct Payload {
    route: (Rank, Rank),
    bytes: usize,
    /// Whether it is of a round of a started collective operation.
    is_of_round: bool,
    sent: Event,
    arrival: Event,
}

/// The header of a rendezvous message that has left.
#[derive(Clone, Copy, Debug)]
struct RendezvousHeader {
    /// Payloads that are requested at the same time are sent in the order of their headers, independent of the receivers.
    sequence: u64,
    is_of_round: bool,
}

/// A message that passes shared NICs.
#[derive(Debug)]
struct NicTransfer {
    route: (Rank, Rank),
    bytes: usize,
    /// The event when a payload is sent completely.
    sent: Option<Event>,
    arrival: Event,
    /// Do faults of messages change its times?
    is_subject_to_faults: bool,
}

/// The state of the event loop; see the module.
#[derive(Debug)]
pub(crate) struct EventLoop {
    machine: Arc<Machine>,
    faults: Faults,
    /// The time of the current event.
    time: u64,
    /// The clock of each rank.
    clocks: Vec<u64>,
    ports: Vec<Port>,
    /// The port of each rank's answers. Answers wait for each other and not for messages that the processor sends,
    /// which may have run ahead of them.
    reply_ports: Vec<Port>,
    /// For each rank, the port of the rounds of its started collective operations, which do not wait for messages that the processor sends,
    /// either.
    round_ports: Vec<Port>,
    nics: NicPorts,
    /// The storage, whose bandwidth all transfers share.
    storage_port: Port,
    queue: EventQueue,
    /// The pending events, by slot; free slots are empty.
    events: Vec<Option<PendingEvent>>,
    free: Vec<u32>,
    /// The sequence number of each rank's valid queue entry; earlier entries are void.
    valid_entry: Vec<u64>,
    /// The headers of rendezvous messages, by their sends.
    headers: FxHashMap<OperationId, RendezvousHeader>,
    /// The number of queue entries made.
    sequence: u64,
    /// The number of events processed.
    event_count: u64,
    fruitless_polls: FruitlessPolls,
    /// The time at which each rank's task has last read the clock.
    clock_readings: Vec<Option<u64>>,
    /// For each rank, what its own code was charged since it last worked.
    charged: Vec<u64>,
    /// The rank that runs or ran last.
    running: Option<Rank>,
}

impl EventLoop {
    /// An event loop in which all ranks can run; each clock is at the rank's start time, 0 without a fault.
    pub(crate) fn new(machine: Arc<Machine>, faults: Faults, size: usize) -> Self {
        let mut event_loop = Self {
            nics: NicPorts::new(&machine, size),
            machine,
            clocks: (0..size).map(|rank| faults.start_time(rank)).collect(),
            faults,
            time: 0,
            ports: vec![Port::default(); size],
            reply_ports: vec![Port::default(); size],
            round_ports: vec![Port::default(); size],
            storage_port: Port::default(),
            queue: EventQueue::new(),
            events: Vec::new(),
            free: Vec::new(),
            valid_entry: vec![0; size],
            headers: FxHashMap::default(),
            sequence: 0,
            event_count: 0,
            fruitless_polls: FruitlessPolls::new(size, MAX_FRUITLESS_POLLS),
            charged: vec![0; size],
            clock_readings: vec![None; size],
            running: None,
        };
        (0..size).for_each(|rank| event_loop.wake(rank));
        event_loop
    }

    /// The next task in the order of time.
    fn next(&mut self) -> Option<NextTask> {
        while let Some(entry) = self.queue.pop() {
            let rank = entry.priority.rank();
            if entry.priority.is_resume() {
                if self.valid_entry[rank] == entry.sequence {
                    self.time = entry.at;
                    return Some(NextTask::Rank(rank));
                }
                continue;
            }
            self.time = entry.at;
            let noticed = self.faults.notice_time(rank, entry.at);
            if noticed > entry.at && !self.is_at_device(entry.slot) {
                self.queue.push(QueueEntry { at: noticed, ..entry });
                continue;
            }
            self.fruitless_polls.reset();
            self.free.push(entry.slot);
            match self.events[entry.slot as usize].take()? {
                PendingEvent::Event(event) => {
                    self.event_count += 1;
                    return Some(NextTask::Event(event));
                }
                PendingEvent::Payload(payload) => self.inject(*payload),
                PendingEvent::NicDeparture(passage) => self.depart_nic(passage),
                PendingEvent::NicArrival(passage) => self.arrive_at_nic(*passage),
                PendingEvent::StorageArrival(transfer) => self.start_transfer(*transfer),
            }
        }
        None
    }

    /// Whether the event is at a NIC or at the storage, which process it whether or not a rank waits for it.
    fn is_at_device(&self, place: u32) -> bool {
        matches!(
            self.events[place as usize],
            Some(
                PendingEvent::NicDeparture(_) | PendingEvent::NicArrival(_) | PendingEvent::StorageArrival(_)
            )
        )
    }

    /// The clock of each rank.
    pub(crate) fn clocks(&self) -> &[u64] {
        &self.clocks
    }

    /// The number of events processed so far.
    pub(crate) fn event_count(&self) -> u64 {
        self.event_count
    }

    /// The rank that runs or ran last; `None` before the first.
    pub(crate) fn running(&self) -> Option<Rank> {
        self.running
    }

    /// `rank` computes for `ns` nanoseconds of a run without faults; returns the time with faults.
    fn compute(&mut self, rank: Rank, ns: u64) -> u64 {
        let (begin, takes) = (self.clocks[rank], self.faults.busy_time(rank, ns));
        self.clocks[rank] += takes;
        self.faults.record_computing(rank, begin, self.clocks[rank]);
        takes
    }

    fn push(&mut self, at: u64, turn: EventPriority, place: u32) {
        self.sequence += 1;
        self.queue.push(QueueEntry { at, priority: turn, sequence: self.sequence, slot: place });
    }

    /// A payload enters a port of its sender.
    fn inject(&mut self, Payload { route: (from, to), bytes, is_of_round, sent, arrival }: Payload) {
        let link = self.machine.link(from, to);
        let ports = if is_of_round { &mut self.round_ports } else { &mut self.ports };
        let flight = ports[from].inject(self.time, link, bytes);
        if self.machine.uses_shared_nics(from, to) {
            let passage = NicTransfer {
                route: (from, to),
                bytes,
                sent: Some(sent),
                arrival,
                is_subject_to_faults: false,
            };
            return self.schedule(flight.departs, from, PendingEvent::NicDeparture(Box::new(passage)));
        }
        self.schedule(flight.sent, from, PendingEvent::Event(sent));
        self.schedule(flight.arrives, to, PendingEvent::Event(arrival));
    }

    /// A message is at the NIC of its sender's node.
    fn depart_nic(&mut self, mut passage: Box<NicTransfer>) {
        let NicTransfer { route: (from, to), bytes, .. } = *passage;
        let begins = self.nics.depart(&self.machine, from, bytes, self.time);
        let link = &self.machine.network;
        let (left, mut comes) = (begins + link.serial(bytes), begins + link.latency);
        if passage.is_subject_to_faults {
            comes = self.faults.arrival_time(from, to, comes, link.latency);
        }
        if let Some(sent) = passage.sent.take() {
            self.schedule(left, from, PendingEvent::Event(sent));
        }
        self.schedule(comes, from, PendingEvent::NicArrival(passage));
    }

    /// The first byte of a message is at the NIC of its receiver's node.
    fn arrive_at_nic(&mut self, NicTransfer { route: (_, to), bytes, arrival, .. }: NicTransfer) {
        let begins = self.nics.arrive(&self.machine, to, bytes, self.time);
        let arrives = begins + self.machine.network.serial(bytes);
        self.schedule(arrives, to, PendingEvent::Event(arrival));
    }

    /// A request is at the storage.
    fn start_transfer(&mut self, transfer: PendingTransfer) {
        let (rank, done, ends) = transfer.start(&mut self.storage_port, self.machine.storage, self.time);
        self.schedule(ends, rank, PendingEvent::Event(done));
    }

    /// Schedules an event at rank `to`.
    fn schedule(&mut self, at: u64, to: Rank, event: PendingEvent) {
        let place = self.store(event);
        self.push(at, EventPriority::for_delivery(to), place);
    }

    /// Stores an event and returns its slot.
    fn store(&mut self, event: PendingEvent) -> u32 {
        match self.free.pop() {
            Some(place) => {
                self.events[place as usize] = Some(event);
                place
            }
            None => {
                self.events.push(Some(event));
                u32::try_from(self.events.len() - 1).expect("fewer messages under way than 2^32")
            }
        }
    }

    /// Sends `bytes` from `from` at the time of its clock; `arrival` takes place when they arrive.
    fn transmit(&mut self, from: Rank, to: Rank, bytes: usize, arrival: Event) {
        self.occupy_sender(from, to, bytes);
        let flight = self.ports[from].inject(self.clocks[from], self.machine.link(from, to), bytes);
        self.launch((from, to), bytes, flight, arrival);
    }

    /// The processor of `from` sends `bytes`.
    fn occupy_sender(&mut self, from: Rank, to: Rank, bytes: usize) {
        let takes = self.machine.link(from, to).processor_time(bytes);
        self.clocks[from] += self.faults.busy_time(from, takes);
        self.fruitless_polls.reset();
    }

    /// The header of a rendezvous message has left as the newest event.
    fn record_header(&mut self, send: Option<OperationId>, is_of_round: bool) {
        let header = RendezvousHeader { sequence: self.sequence, is_of_round };
        self.headers.extend(send.map(|send| (send, header)));
    }

    /// A message has passed the port of its sender.
    fn launch(&mut self, (from, to): (Rank, Rank), bytes: usize, flight: TransferTimes, arrival: Event) {
        if self.machine.uses_shared_nics(from, to) {
            let passage =
                NicTransfer { route: (from, to), bytes, sent: None, arrival, is_subject_to_faults: true };
            return self.schedule(flight.departs, from, PendingEvent::NicDeparture(Box::new(passage)));
        }
        let latency = self.machine.link(from, to).latency;
        let arrives = self.faults.arrival_time(from, to, flight.arrives, latency);
        self.schedule(arrives, to, PendingEvent::Event(arrival));
    }
}

impl Scheduler for EventLoop {
    const NAME: &'static str = "sim";

    fn next_task(state: &mut JobState<Self>) -> Option<NextTask> {
        state.delivery.next()
    }

    fn resumed(&mut self, rank: Rank) {
        self.running = Some(rank);
    }

    /// Whether there are events before the clock of `rank` or at the same time. Then the rank is resumed at its time;
    /// otherwise the current time becomes that of its clock.
    fn must_suspend_poll(&mut self, rank: Rank, _observed: ObservedState) -> bool {
        let present = self.clocks[rank];
        let before =
            |next: &QueueEntry| next.at <= present && !next.priority.is_resume() || next.at < present;
        let ahead = self.queue.peek().is_some_and(before);
        // A rank that polls for ever must get the error of a livelock.
        let ahead = ahead || self.is_livelocked();
        if ahead {
            self.wake(rank);
        } else {
            self.time = present;
        }
        ahead
    }

    fn poll_failed(&mut self, rank: Rank) {
        self.clocks[rank] += self.fruitless_polls.add_poll(self.machine.poll);
        self.wake(rank);
    }

    fn read_clock(&mut self, rank: Rank) -> u64 {
        if self.clock_readings[rank] == Some(self.clocks[rank]) {
            self.clocks[rank] += self.fruitless_polls.add_clock_reading(self.machine.poll);
        }
        self.clock_readings[rank] = Some(self.clocks[rank]);
        self.clocks[rank]
    }

    fn is_livelocked(&self) -> bool {
        self.fruitless_polls.is_livelocked()
    }

    fn work(&mut self, rank: Rank, flops: u64, bytes: u64) -> u64 {
        self.fruitless_polls.reset();
        mem::take(&mut self.charged[rank]) + self.compute(rank, self.machine.work(flops, bytes))
    }

    /// A failed poll takes time too, and is not progress.
    fn charge(&mut self, rank: Rank, ns: u64) {
        self.charged[rank] += self.compute(rank, ns);
    }
}

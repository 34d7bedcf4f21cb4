//! The times of operations on the simulated machine.
use wb_comm::Rank;

use super::{EventLoop, NicTransfer, Payload, PendingEvent, RendezvousHeader};
use crate::{
    fabric::{Completion, DeliveryModel, Event, OperationId, SendProtocol, StorageTransfer},
    sim::{
        event_queue::{EventPriority, QueueEntry},
        storage::PendingTransfer,
    },
};

/// The send whose header a message is.
fn header_of(protocol: SendProtocol, event: &Event) -> Option<OperationId> {
    match event {
        Event::MessageArrival { message, .. } if protocol == SendProtocol::Rendezvous => message.send(),
        _ => None,
    }
}

impl DeliveryModel for EventLoop {
    const TIMED: bool = true;

    fn node_of(&self, rank: Rank) -> usize {
        self.machine.node_of(rank)
    }

    fn wake(&mut self, rank: Rank) {
        let at = self.clocks[rank].max(self.time);
        self.push(at, EventPriority::for_resume(rank), 0);
        self.valid_entry[rank] = self.sequence;
    }

    fn is_idle(&self) -> bool {
        self.events.len() == self.free.len()
    }

    fn event_time(&self) -> u64 {
        self.time
    }

    fn local_time(&self, rank: Rank) -> u64 {
        self.clocks[rank]
    }

    fn send_protocol(&self, from: Rank, to: Rank, bytes: usize, synchronous: bool) -> SendProtocol {
        if bytes > self.machine.link(from, to).eager_limit {
            SendProtocol::Rendezvous
        } else if synchronous {
            SendProtocol::Synchronous
        } else {
            SendProtocol::Eager
        }
    }

    fn send(
        &mut self,
        from: Rank,
        to: Rank,
        bytes: usize,
        mode: SendProtocol,
        event: Event,
    ) -> Option<Event> {
        let header_of = header_of(mode, &event);
        self.transmit(from, to, if mode == SendProtocol::Rendezvous { 0 } else { bytes }, event);
        self.record_header(header_of, false);
        None
    }

    fn acknowledge(&mut self, from: Rank, to: Rank, matched: u64, event: Event) -> Option<Event> {
        self.schedule(matched + self.machine.link(from, to).latency, from, PendingEvent::Event(event));
        None
    }

    fn transfer(
        &mut self,
        between: (Rank, Rank),
        bytes: usize,
        matched: u64,
        sent: Event,
        arrival: Event,
    ) -> Option<[Event; 2]> {
        let asked = matched + self.machine.link(between.0, between.1).latency;
        let header = match &sent {
            Event::SendCompletion(send) => self.headers.remove(send),
            _ => None,
        };
        let RendezvousHeader { sequence, is_of_round } =
            header.expect("a payload is asked for once, by its header");
        let payload = Payload { route: between, bytes, is_of_round, sent, arrival };
        let place = self.store(PendingEvent::Payload(Box::new(payload)));
        self.queue.push(QueueEntry {
            at: asked,
            priority: EventPriority::for_delivery(between.0),
            sequence,
            slot: place,
        });
        None
    }

    /// Accesses take place in the order of sending, ordered or not.
    fn access(&mut self, from: Rank, to: Rank, bytes: usize, _ordered: bool, event: Event) -> Option<Event> {
        self.transmit(from, to, bytes, event);
        None
    }

    fn reply(&mut self, from: Rank, to: Rank, bytes: usize, event: Event) -> Option<Event> {
        let link = self.machine.link(from, to);
        let flight = self.reply_ports[from].inject(self.time, link, bytes);
        if self.machine.uses_shared_nics(from, to) {
            let passage = NicTransfer {
                route: (from, to),
                bytes,
                sent: None,
                arrival: event,
                is_subject_to_faults: false,
            };
            self.schedule(flight.departs, from, PendingEvent::NicDeparture(Box::new(passage)));
            return None;
        }
        self.schedule(flight.arrives, to, PendingEvent::Event(event));
        None
    }

    fn send_round(
        &mut self,
        (from, to): (Rank, Rank),
        bytes: usize,
        (protocol, at): (SendProtocol, Option<u64>),
        event: Event,
    ) -> Option<Event> {
        let header_of = header_of(protocol, &event);
        let bytes = if header_of.is_some() { 0 } else { bytes };
        if at.is_none() {
            self.occupy_sender(from, to, bytes);
        }
        let at = at.unwrap_or(self.clocks[from]);
        let flight = self.round_ports[from].inject(at, self.machine.link(from, to), bytes);
        self.launch((from, to), bytes, flight, event);
        self.record_header(header_of, true);
        None
    }

    fn access_storage(&mut self, ranks: &[Rank], transfer: StorageTransfer, event: Event) -> Option<Event> {
        let (first, last) = (ranks[0], ranks[ranks.len() - 1]);
        let exchanged = usize::try_from(transfer.exchanged_bytes).unwrap_or(usize::MAX);
        let exchange = if first == last { 0 } else { self.machine.link(first, last).serial(exchanged) };
        let requests = self.machine.storage.latency.saturating_mul(transfer.requests as u64);
        let at = self.clocks[first].saturating_add(requests).saturating_add(exchange);
        let pending = Box::new(PendingTransfer::new(first, transfer, event));
        self.schedule(at, first, PendingEvent::StorageArrival(pending));
        None
    }

    fn round_work(&mut self, rank: Rank, peer: Rank, bytes: usize) -> u64 {
        let takes = self.machine.link(rank, peer).processor_time(bytes);
        self.faults.busy_time(rank, takes)
    }

    fn poll_local(&mut self, rank: Rank) {
        self.clocks[rank] += self.fruitless_polls.add_local_poll(self.machine.poll);
    }

    fn advance_to_event(&mut self, rank: Rank) {
        self.clocks[rank] = self.clocks[rank].max(self.time);
    }

    fn note_completions(&mut self, rank: Rank, completions: &mut [Completion]) {
        completions.sort_by_key(|completion| completion.completed_at);
        for completion in completions {
            let busy = completion.received.map_or(0, |(from, bytes)| {
                self.faults.busy_time(rank, self.machine.link(from, rank).processor_time(bytes))
            });
            self.clocks[rank] = self.clocks[rank].max(completion.completed_at) + busy;
        }
    }

    fn synchronize(&mut self, members: &[Rank]) {
        let Some(latest) = members.iter().map(|member| self.clocks[*member]).max() else { return };
        let (first, last) = (members[0], members[members.len() - 1]);
        let link = self.machine.link(first, last);
        let rounds = u64::from(members.len().next_power_of_two().trailing_zeros());
        let together = latest + rounds * (2 * link.overhead + link.latency);
        members.iter().for_each(|member| self.clocks[*member] = together);
    }
}

//! Events that are processed in the order of time: payloads that may go to their ports, and messages at shared NICs.
//!
//! Each node has its own queue. An event at a node affects other nodes the network's L later at the earliest, so the
//! node with the earliest event of all processes all its events of the next L together, while its ranks are in the
//! processor's cache (the conservative synchronization of Chandy and Misra, *Distributed simulation*, IEEE TSE 5,
//! 1979; L is the lookahead). On a machine without shared NICs there is one queue for all ranks, and it has only
//! payloads.
//!
//! Invariant: *every NIC processes its messages in the order of time, sender and sequence number*, as in the event
//! loop.
use std::{
    cmp::Reverse,
    collections::{BinaryHeap, VecDeque},
};

use wb_comm::Rank;

use crate::sim::{
    Machine,
    event_queue::{EventQueue, Scheduled},
};

/// An event at a node, ordered by time; payloads precede messages at NICs, since a payload may reach a NIC at the same
/// time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct NodeEvent {
    pub(super) time: u64,
    /// Whether a message is at a NIC.
    is_at_nic: bool,
    sender: u32,
    /// For messages at NICs, the order of creation; for payloads, that of their sends.
    sequence: usize,
    /// For a payload the number of its rendezvous; otherwise that of the send in its rank's program.
    pub(super) id: usize,
    pub(super) part: MessagePart,
    pub(super) location: EventLocation,
}

/// The part of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum MessagePart {
    /// The part that is sent when the send is called: the whole message, or its header.
    Header,
    /// The requested payload.
    Payload,
}

/// Where the message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum EventLocation {
    /// At the port of its sender, which a payload may enter from now on.
    SenderPort,
    /// At the NIC of the sender's node.
    SenderNic,
    /// At the NIC of the receiver's node.
    ReceiverNic,
}

impl Scheduled for NodeEvent {
    fn time(&self) -> u64 {
        self.time
    }
}

impl NodeEvent {
    pub(super) fn sender(&self) -> Rank {
        self.sender as Rank
    }
}

/// The most events of a node that are kept in a binary heap.
const MAX_FEW: usize = 256;

/// The events of all nodes.
#[derive(Debug)]
pub(super) struct NodeEvents {
    nodes: Vec<NodeQueue>,
    /// Each node that has events, under the time of its earliest; entries under other times are void.
    next_events: BinaryHeap<Reverse<(u64, u32)>>,
    /// For this time an event at one node does not affect another.
    lookahead: u64,
    sequence: usize,
}

#[derive(Clone, Debug, Default)]
struct NodeQueue {
    /// Events created in order, as most are; one queue for those from other nodes.
    ordered: [VecDeque<NodeEvent>; 2],
    /// Other events, as long as they are few.
    unordered: BinaryHeap<Reverse<NodeEvent>>,
    /// The rest; an event queue takes more memory than a heap of few events, and is fast for many.
    overflow: Option<Box<EventQueue<NodeEvent>>>,
    /// The time of its entry in the agenda, if there is one.
    next_event_time: Option<u64>,
}

impl NodeEvents {
    /// Queues for the nodes of `ranks` ranks.
    pub(super) fn new(machine: &Machine, ranks: usize) -> Self {
        let (nodes, lookahead) = match machine.has_shared_nics(ranks) {
            true => (machine.node_of(ranks - 1) + 1, machine.network.latency),
            false => (1, u64::MAX),
        };
        Self {
            nodes: vec![NodeQueue::default(); nodes],
            next_events: BinaryHeap::new(),
            lookahead,
            sequence: 0,
        }
    }

    /// The queue of the events at `node`.
    fn queue(&self, node: usize) -> usize {
        if self.nodes.len() == 1 { 0 } else { node }
    }

    /// The payload of rendezvous `ask` may go to the port from `at` on; of two payloads of one sender at one time, the
    /// first `send` goes first.
    pub(super) fn add_payload(&mut self, node: usize, at: u64, (sender, send): (Rank, usize), ask: usize) {
        let (part, place, sender) = (MessagePart::Payload, EventLocation::SenderPort, sender as u32);
        self.push(
            node,
            NodeEvent { time: at, is_at_nic: false, sender, sequence: send, id: ask, part, location: place },
        );
    }

    /// Adds a message at a NIC of `node`.
    pub(super) fn add_nic_event(
        &mut self,
        node: usize,
        at: u64,
        place: EventLocation,
        (sender, part, id): (Rank, MessagePart, usize),
    ) {
        self.sequence += 1;
        let (number, sender) = (self.sequence, sender as u32);
        self.push(
            node,
            NodeEvent { time: at, is_at_nic: true, sender, sequence: number, id, part, location: place },
        );
    }

    fn push(&mut self, node: usize, event: NodeEvent) {
        let queue = self.queue(node);
        let node = &mut self.nodes[queue];
        node.push(event);
        if node.next_event_time.is_none_or(|listed| event.time < listed) {
            node.next_event_time = Some(event.time);
            self.next_events.push(Reverse((event.time, queue as u32)));
        }
    }

    /// The queue with the earliest event of all, and the time until which its events may be processed.
    pub(super) fn next(&mut self) -> Option<(usize, u64)> {
        while let Some(Reverse((at, queue))) = self.next_events.pop() {
            let node = &mut self.nodes[queue as usize];
            if node.next_event_time == Some(at) {
                // It is entered again when it is left.
                node.next_event_time = Some(0);
                return Some((queue as usize, at.saturating_add(self.lookahead)));
            }
        }
        None
    }

    /// Removes the earliest event of a queue before `until`.
    pub(super) fn pop(&mut self, queue: usize, until: u64) -> Option<NodeEvent> {
        let node = &mut self.nodes[queue];
        if let Some((first, at)) = node.earliest()
            && at < until
        {
            return node.pop(first);
        }
        node.next_event_time = node.earliest().map(|(_, at)| at);
        self.next_events.extend(node.next_event_time.map(|at| Reverse((at, queue as u32))));
        None
    }
}

impl NodeQueue {
    fn push(&mut self, event: NodeEvent) {
        let queue = &mut self.ordered[usize::from(event.location == EventLocation::ReceiverNic)];
        match queue.back() {
            Some(last) if *last > event => match self.unordered.len() < MAX_FEW {
                true => self.unordered.push(Reverse(event)),
                false => self.overflow.get_or_insert_with(|| Box::new(EventQueue::new())).push(event),
            },
            _ => queue.push_back(event),
        }
    }

    /// The number of the list with the earliest event, and the time of that event.
    fn earliest(&mut self) -> Option<(usize, u64)> {
        let few = self.unordered.peek().map(|Reverse(event)| event);
        let many = self.overflow.as_mut().and_then(|many| many.peek());
        let fronts = [self.ordered[0].front(), self.ordered[1].front(), few, many].into_iter().enumerate();
        let earliest =
            fronts.filter_map(|(list, front)| Some((list, front?))).min_by_key(|(_, event)| *event);
        earliest.map(|(list, event)| (list, event.time))
    }

    fn pop(&mut self, list: usize) -> Option<NodeEvent> {
        match list {
            0 | 1 => self.ordered[list].pop_front(),
            2 => self.unordered.pop().map(|Reverse(event)| event),
            _ => self.overflow.as_mut()?.pop(),
        }
    }
}

#[cfg(test)]
mod tests {
    use oorandom::Rand32;

    use super::*;

    /// The order does not depend on the list that an event is in.
    #[test]
    fn a_node_gives_its_events_in_their_order() {
        let (mut random, mut node, mut wanted) = (Rand32::new(1), NodeQueue::default(), vec![]);
        for number in 0..4 * MAX_FEW {
            let mut below = |limit: u32| random.rand_range(0..limit);
            let (at, sender, id) = (u64::from(below(1000)), below(5), 0);
            let place = [EventLocation::SenderPort, EventLocation::SenderNic, EventLocation::ReceiverNic]
                [below(3) as usize];
            let (is_at_nic, part) = (place != EventLocation::SenderPort, MessagePart::Header);
            let event =
                NodeEvent { time: at, is_at_nic, sender, sequence: number, id, part, location: place };
            node.push(event);
            wanted.push(event);
        }
        assert!(node.overflow.is_some());
        wanted.sort();
        let popped = std::iter::from_fn(|| node.earliest().and_then(|(list, _)| node.pop(list)));
        assert!(popped.eq(wanted));
    }
}

//! Delivery of messages and accesses between the ranks of a job: immediate, or at a virtual time.
use std::ops::Range;

use wb_comm::{CallSite, Rank};

use crate::fabric::{
    matching::message::{Message, OperationId, SendProtocol},
    rma::{access::InFlightAccess, notice::RmaNotice},
};

/// Something in flight that takes effect later.
#[derive(Debug)]
pub enum Event {
    /// A message reaches the mailbox of member `to`.
    MessageArrival {
        /// Index of the communicator.
        communicator: usize,
        /// The member.
        to: Rank,
        /// The message.
        message: Box<Message>,
    },
    /// The payload of a matched message reaches its receive.
    PayloadArrival {
        /// The receive.
        receive: OperationId,
        /// The message with its payload.
        message: Box<Message>,
    },
    /// A send completes.
    SendCompletion(OperationId),
    /// An access reaches the target's part of the window.
    AccessArrival(Box<InFlightAccess>),
    /// The reply to an access reaches the origin.
    AccessReply(Box<InFlightAccess>),
    /// A member of a window receives a notice of another member.
    Notice {
        /// Index of the window.
        window: usize,
        /// The sender of the notice.
        from: Rank,
        /// The receiver of the notice.
        to: Rank,
        /// The notice.
        notice: RmaNotice,
    },
    /// The storage has transferred what a rank has asked for.
    StorageReply(Rank),
    /// The storage has transferred what the members of an open file have asked for together.
    CollectiveTransfer {
        /// Index of the communicator of the file.
        communicator: usize,
    },
}

/// A transfer between the storage and one or several ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StorageTransfer {
    /// The requests that are made one after the other.
    pub requests: usize,
    /// The bytes between storage and ranks.
    pub bytes: u64,
    /// The most bytes that a rank exchanges with others, since each transfers what is contiguous in the file.
    pub exchanged_bytes: u64,
}

/// A completed operation that its rank observes now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Completion {
    /// The time of its completion.
    pub completed_at: u64,
    /// For a receive: the source (in the job) and the number of bytes.
    pub received: Option<(Rank, usize)>,
}

/// The duration of deliveries; by default no time. Ranks are those of the job; times are nanoseconds.
///
/// A method that takes an [`Event`] returns it if it takes effect immediately. Otherwise the model keeps it until it is
/// time for [`JobState::process_event`](crate::fabric::JobState::process_event).
pub trait DeliveryModel {
    /// Whether the model has time. If not, no caller asks for times.
    const TIMED: bool;

    /// The node of `rank` (of the job); by default, all ranks share one.
    fn node_of(&self, rank: Rank) -> usize {
        let _ = rank;
        0
    }

    /// Reports that `rank` can continue.
    fn wake(&mut self, rank: Rank);

    /// `rank` can continue with any of several completed operations: a model that [chooses](Self::can_choose_messages) lets it continue
    /// later, when more of them may be complete.
    fn wake_to_choose(&mut self, rank: Rank) {
        self.wake(rank);
    }

    /// Chooses the completed operations that a call of `rank` returns; each is given with the call that started it, and there is at least
    /// one. A call for one returns one.
    fn choose_completions(
        &mut self,
        _rank: Rank,
        _site: CallSite,
        started: &[CallSite],
        one: bool,
    ) -> Range<usize> {
        if one { 0..1 } else { 0..started.len() }
    }

    /// Whether nothing is in flight. Then only ranks can cause events.
    fn is_idle(&self) -> bool {
        true
    }

    /// The time of the current event.
    fn event_time(&self) -> u64 {
        0
    }

    /// The local time of `rank`, which may be ahead of the current event.
    fn local_time(&self, _rank: Rank) -> u64 {
        0
    }

    /// The send protocol of a message of `bytes`.
    fn send_protocol(&self, from: Rank, to: Rank, bytes: usize, synchronous: bool) -> SendProtocol;

    /// `from` sends at its local time: the message, or its header under the rendezvous protocol.
    fn send(
        &mut self,
        _from: Rank,
        _to: Rank,
        _bytes: usize,
        _mode: SendProtocol,
        event: Event,
    ) -> Option<Event> {
        Some(event)
    }

    /// A synchronous message of `from` was matched at `met`: the acknowledgement travels back from `to`.
    fn acknowledge(&mut self, _from: Rank, _to: Rank, _met: u64, event: Event) -> Option<Event> {
        Some(event)
    }

    /// The header of a message was matched at `met`: the receiver requests the payload, and the sender transmits it.
    fn transfer(
        &mut self,
        _between: (Rank, Rank),
        _bytes: usize,
        _met: u64,
        sent: Event,
        arrival: Event,
    ) -> Option<[Event; 2]> {
        Some([sent, arrival])
    }

    /// An access of `from` with this number of bytes leaves at its local time for the part of `to`.
    ///
    /// Accesses of one origin to one target may overtake each other between two synchronisations, as MPI allows. The
    /// `ordered` ones (accumulates: MPI 3.1, 11.7.1) stay behind the ordered ones before them.
    fn access(
        &mut self,
        _from: Rank,
        _to: Rank,
        _bytes: usize,
        _ordered: bool,
        event: Event,
    ) -> Option<Event> {
        Some(event)
    }

    /// `from` replies to `to` at the time of the current event; this occupies the port of `from`, not its processor.
    fn reply(&mut self, _from: Rank, _to: Rank, _bytes: usize, event: Event) -> Option<Event> {
        Some(event)
    }

    /// A message of a round of a collective operation leaves `from`: at its local time where the rank itself sends it, or at `at`, when the
    /// last round was over; under the rendezvous protocol its header. Those of one rank to another arrive in this order.
    fn send_round(
        &mut self,
        _between: (Rank, Rank),
        _bytes: usize,
        _how: (SendProtocol, Option<u64>),
        event: Event,
    ) -> Option<Event> {
        Some(event)
    }

    /// Accounts for a file access of these ranks, which continue together, at their local time.
    fn access_storage(&mut self, _ranks: &[Rank], _transfer: StorageTransfer, event: Event) -> Option<Event> {
        Some(event)
    }

    /// How long a processor of `rank` works on a message of a round to or from `peer`, which the rank itself does not handle in a call: it copies
    /// the bytes where they lie in memory of the node.
    fn round_work(&mut self, _rank: Rank, _peer: Rank, _bytes: usize) -> u64 {
        0
    }

    /// Reports that `rank` polls its own memory.
    fn poll_local(&mut self, _rank: Rank) {}

    /// `rank` continues after the current event: its local time is not before it.
    fn advance_to_event(&mut self, _rank: Rank) {}

    /// Reports that `rank` observes the completed operations of one call.
    fn note_completions(&mut self, _rank: Rank, _completions: &mut [Completion]) {}

    /// All members have proposed in an agreement: they continue together.
    fn synchronize(&mut self, _members: &[Rank]) {}

    /// Whether the model chooses the message of a receive from any source. If so, posting such a receive puts the
    /// messages of the mailbox back in flight ([`requeue_messages`](Self::requeue_messages)), since MPI does not
    /// require that the receive takes the first one.
    fn can_choose_messages(&self) -> bool {
        false
    }

    /// Puts messages that had arrived back in flight, in their order and before all others of their senders.
    fn requeue_messages(&mut self, messages: Vec<Event>) {
        assert!(messages.is_empty(), "only who chooses is given messages back");
    }
}

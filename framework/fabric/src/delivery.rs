//! How long things take between the ranks of a job: not at all, or until their virtual time has come.
use wb_comm::Rank;

use crate::{
    matching::message::{Message, OperationId, SendProtocol},
    rma::{access::InFlightAccess, notice::RmaNotice},
};

/// Something that is under way.
#[derive(Debug)]
pub enum Event {
    /// A message reaches the mailbox of member `to`.
    MessageArrival {
        /// Index of the communicator.
        communicator: usize,
        /// The member.
        to: Rank,
        /// What arrives.
        message: Box<Message>,
    },
    /// The payload of a message that was matched is where its receive wants it.
    PayloadArrival {
        /// The receive.
        receive: OperationId,
        /// What lands.
        message: Box<Message>,
    },
    /// A send is over.
    SendCompletion(OperationId),
    /// An access reaches the part of its target.
    AccessArrival(Box<InFlightAccess>),
    /// The answer of an access is at its origin.
    AccessReply(Box<InFlightAccess>),
    /// A member of a window hears of another.
    Notice {
        /// Index of the window.
        window: usize,
        /// The member it comes from.
        from: Rank,
        /// The member that hears it.
        to: Rank,
        /// What it hears.
        notice: RmaNotice,
    },
}

/// An operation that is over and that its rank takes note of now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Completion {
    /// When it was over.
    pub completed_at: u64,
    /// For a receive: from whom (in the job) and how many bytes.
    pub received: Option<(Rank, usize)>,
}

/// How long things take: nothing, where an interpreter does not say otherwise. Ranks are those of the job; times are
/// nanoseconds.
///
/// What takes an [`Event`] gives it back when it happens at once, and otherwise keeps it until it is time for
/// [`JobState::process_event`](crate::JobState::process_event).
pub trait DeliveryModel {
    /// Is there any time at all? If not, nobody needs to ask.
    const TIMED: bool;

    /// `rank` can continue.
    fn wake(&mut self, rank: Rank);

    /// Is nothing under way? Then only ranks can bring anything about.
    fn is_idle(&self) -> bool {
        true
    }

    /// The time of what is happening now.
    fn event_time(&self) -> u64 {
        0
    }

    /// The present of `rank`, which may have run ahead of what is happening.
    fn local_time(&self, _rank: Rank) -> u64 {
        0
    }

    /// How a message of `bytes` travels.
    fn send_protocol(&self, from: Rank, to: Rank, bytes: usize, synchronous: bool) -> SendProtocol;

    /// `from` sends at its present: the message, or its header if that is its mode.
    fn send(
        &mut self,
        _from: Rank,
        _to: Rank,
        _bytes: usize,
        _mode: SendProtocol,
        what: Event,
    ) -> Option<Event> {
        Some(what)
    }

    /// A synchronous message of `from` was matched at `met`: word of it goes back from `to`.
    fn acknowledge(&mut self, _from: Rank, _to: Rank, _met: u64, what: Event) -> Option<Event> {
        Some(what)
    }

    /// The header of a message was matched at `met`: the second asks the first for its payload, which comes.
    fn transfer(
        &mut self,
        _between: (Rank, Rank),
        _bytes: usize,
        _met: u64,
        sent: Event,
        landed: Event,
    ) -> Option<[Event; 2]> {
        Some([sent, landed])
    }

    /// An access of `from`, with so many bytes of data, leaves at its present for the part of `to`.
    ///
    /// This is where accesses of one origin to one target may overtake each other between two synchronisations, as MPI
    /// allows: all but those that are `ordered`, which stay behind the ordered ones before them (accumulates: MPI 3.1, 11.7.1).
    fn access(
        &mut self,
        _from: Rank,
        _to: Rank,
        _bytes: usize,
        _ordered: bool,
        what: Event,
    ) -> Option<Event> {
        Some(what)
    }

    /// What happens now at `from` is answered to `to`, by its port and not by its processor.
    fn reply(&mut self, _from: Rank, _to: Rank, _bytes: usize, what: Event) -> Option<Event> {
        Some(what)
    }

    /// `rank` looks at memory of its own.
    fn poll_local(&mut self, _rank: Rank) {}

    /// `rank` goes on after what is happening now: its present is not before it.
    fn advance_to_event(&mut self, _rank: Rank) {}

    /// `rank` takes note of operations that are over, of one call.
    fn note_completions(&mut self, _rank: Rank, _over: &mut [Completion]) {}

    /// All members have handed in what they want of an agreement: they go on together.
    fn synchronize(&mut self, _members: &[Rank]) {}

    /// Does it choose what a receive from any source gets? Then what lies in the mailbox when such a receive is posted goes
    /// back under way ([`requeue_messages`](Self::requeue_messages)), since MPI does not say that it takes what came first.
    fn can_choose_messages(&self) -> bool {
        false
    }

    /// Messages that had arrived, in their order and before all others of their senders, are under way again.
    fn requeue_messages(&mut self, messages: Vec<Event>) {
        assert!(messages.is_empty(), "only who chooses is given messages back");
    }
}

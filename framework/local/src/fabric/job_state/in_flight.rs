//! Which receive would take a message if it arrived now, for a [delivery model](crate::fabric::DeliveryModel) that chooses.
use wb_comm::{CallSite, LockKind, Rank, Source, TagPattern};

use crate::fabric::{
    delivery::{DeliveryModel, Event},
    job_state::{JobState, rank_state::WaitCondition},
    rma::access::AccessFootprint,
};

/// A message in flight, as a scheduler sees it. Ranks are those of the job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InFlightMessage {
    /// Index of the communicator.
    pub communicator: usize,
    /// The sender.
    pub from: Rank,
    /// The receiver.
    pub to: Rank,
    /// The sender's call.
    pub site: CallSite,
}

impl InFlightMessage {
    /// The route: messages with the same route do not overtake each other.
    pub fn route(&self) -> [usize; 3] {
        [self.communicator, self.from, self.to]
    }
}

/// The receive or probe that would take a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatchingReceive {
    /// The call of the receive or probe.
    pub site: CallSite,
    /// Whether it names the source. Then no other message can be taken instead of this one.
    pub has_named_source: bool,
    /// Whether it is a probe, which leaves the message in the mailbox.
    pub is_probe: bool,
    source: Source,
    tag: TagPattern,
}

impl MatchingReceive {
    /// Whether it would also take that message, of the same sender to the same receiver.
    pub fn matches(&self, event: &Event) -> bool {
        let Event::MessageArrival { message, .. } = event else { return false };
        self.source.matches(message.source) && self.tag.matches(message.tag)
    }
}

impl<P: DeliveryModel> JobState<P> {
    /// The message of an event that is an arrival.
    pub fn in_flight_message(&self, event: &Event) -> Option<InFlightMessage> {
        let Event::MessageArrival { communicator, to, message } = event else { return None };
        let members = &self.communicators[*communicator].members;
        let (from, to) = (members[message.source], members[*to]);
        Some(InFlightMessage { communicator: *communicator, from, to, site: message.site })
    }

    /// The receive or probe that takes the message if it arrives now: the first posted receive that matches it, or else
    /// the probe in which its receiver is blocked.
    pub fn matching_receive(&self, event: &Event) -> Option<MatchingReceive> {
        let Event::MessageArrival { communicator, to, message } = event else { return None };
        let group = &self.communicators[*communicator];
        if let Some(posted) = group.mailboxes[*to].find_receive(message.source, message.tag) {
            let site = self.operations[posted.operation].site;
            let (source, tag) = (posted.source, posted.tag);
            return Some(MatchingReceive {
                site,
                has_named_source: source != Source::Any,
                is_probe: false,
                source,
                tag,
            });
        }
        let wait_state = self.ranks[group.members[*to]].wait_state.as_ref()?;
        let WaitCondition::Message { communicator: probed, source, tag, .. } = &wait_state.condition else {
            return None;
        };
        let (source, tag) = (*source, *tag);
        let receive = MatchingReceive {
            site: wait_state.site,
            has_named_source: source != Source::Any,
            is_probe: true,
            source,
            tag,
        };
        (probed == communicator && receive.matches(event)).then_some(receive)
    }

    /// Whether the sender is blocked until this message is received only because no buffer is available.
    pub fn is_blocking_sender(&self, event: &Event) -> bool {
        let Event::MessageArrival { message, .. } = event else { return false };
        let send = message.send.and_then(|send| self.operations.get(send));
        send.is_some_and(|send| !send.is_synchronous && self.is_blocked(send.owner))
    }
}

impl<P: DeliveryModel> JobState<P> {
    /// What an access in flight touches, and the ranks of the job whose state it changes: its origin and its target.
    pub fn footprint(&self, event: &Event) -> Option<(AccessFootprint, [Rank; 2])> {
        let Event::AccessArrival(flight) = event else { return None };
        let (window, target) = (&self.windows[flight.window], flight.access.target);
        let is_watched =
            !window.value_waiters[target].is_empty() || !window.deferred_accesses[target].is_empty();
        let ranks = [flight.access.origin, target].map(|member| window.members[member]);
        Some((flight.footprint(is_watched), ranks))
    }

    /// Whether the order of the two matters. Accesses: if what they touch conflicts ([`AccessFootprint::conflicts`]).
    /// Lock requests: if one of them is exclusive and they have a part in common. The order of messages depends on
    /// their receiver ([`matching_receive`](Self::matching_receive)).
    pub fn do_conflict(&self, one: &Event, other: &Event) -> bool {
        use crate::fabric::RmaNotice::LockRequest;
        match (one, other) {
            (Event::AccessArrival(_), Event::AccessArrival(_)) => self
                .footprint(one)
                .zip(self.footprint(other))
                .is_some_and(|(one, other)| one.0.conflicts(&other.0)),
            (
                Event::Notice { window, notice: LockRequest(scope, kind), .. },
                Event::Notice { window: other_window, notice: LockRequest(other_scope, other_kind), .. },
            ) => {
                let both_shared = [*kind, *other_kind] == [LockKind::Shared; 2];
                window == other_window && scope.overlaps(*other_scope) && !both_shared
            }
            _ => false,
        }
    }
}

impl Event {
    /// Takes the completion of the send out of the message, which no longer needs its sender.
    pub fn take_send_completion(&mut self) -> Option<Self> {
        let Self::MessageArrival { message, .. } = self else { return None };
        message.send.take().map(Self::SendCompletion)
    }

    /// Whether it must stay behind `earlier`, which left before it. Accumulates of one origin to one target must.
    pub fn must_follow(&self, earlier: &Self) -> bool {
        match (earlier, self) {
            (Self::AccessArrival(earlier), Self::AccessArrival(later)) => later.must_follow(earlier),
            _ => false,
        }
    }
}

//! The matching of sends with receives, and of the calls of a collective operation.
//!
//! Messages of one sender to one receiver on one communicator with one tag do not overtake each other, and of two receives
//! that match a message the one that was posted first gets it (MPI 4.1, section 3.5). So the n-th of these sends, in the order
//! of their posting, matches the n-th of the receives of such messages, in the order of *their* posting. This also holds for
//! wildcard receives, since a trace contains the source and the tag of the received message.
use std::collections::BTreeMap;

use crate::{
    CollectiveShape, Envelope, EventKind,
    trace_analysis::{EventRef, Timeline, TraceError},
};

/// A message, or a signal between the calls of a window (post to start, complete to wait).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatchedMessage {
    /// The call that began to send it.
    pub send: EventRef,
    /// The call that waited until it was sent, where that is another one.
    pub finished: Option<EventRef>,
    /// The call that began to receive it.
    pub posted: EventRef,
    /// The call that returned with it.
    pub received: EventRef,
    /// The tag of the message; `None` for a signal.
    pub tag: Option<i32>,
    /// The size of the message in bytes.
    pub bytes: u64,
}

/// The calls of all ranks that are one collective.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CollectiveMatch {
    /// The calls of its ranks, by rank.
    pub members: Vec<CollectiveMember>,
    /// The ranks for which each rank has to wait.
    pub shape: CollectiveShape,
}

/// A rank's part of a collective.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CollectiveMember {
    /// The rank in the communicator.
    pub rank: u32,
    /// The call that entered or started it.
    pub entered: EventRef,
    /// The call that returned with it complete: the same one, or a wait. `None` if no call has waited for it.
    pub left: Option<EventRef>,
}

/// A message or a collective of a call, by its place in [`Matching::messages`] or [`Matching::collectives`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallLink {
    /// The call can return only with this message.
    Receives(usize),
    /// The call sends this message.
    Sends(usize),
    /// The call is one of this collective.
    JoinsCollective(usize),
}

/// The messages and the collectives of a trace.
#[derive(Clone, Debug, Default)]
pub struct Matching {
    /// The messages, by channel and order.
    pub messages: Vec<MatchedMessage>,
    /// The collectives.
    pub collectives: Vec<CollectiveMatch>,
    /// Sends whose receive is not in the trace.
    pub unreceived: Vec<EventRef>,
    /// Receives whose send is not in the trace.
    pub unsent: Vec<EventRef>,
    links: Vec<Vec<Vec<CallLink>>>,
}

/// Messages that cannot overtake each other.
type ChannelKey<'a> = (&'a str, u32, u32, MessageStream);

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum MessageStream {
    Tag(i32),
    /// A post completes a start.
    Opening,
    /// A post completes a complete, if the start did not wait for it.
    Access,
    /// A complete completes a wait.
    Closing,
}

#[derive(Clone, Copy)]
struct SendEnd {
    event: EventRef,
    finished: Option<EventRef>,
    bytes: u64,
}

#[derive(Clone, Copy)]
struct ReceiveEnd {
    posted: EventRef,
    received: EventRef,
}

#[derive(Default)]
struct ChannelEnds {
    sends: Vec<SendEnd>,
    receives: Vec<ReceiveEnd>,
}

/// The ends of all messages, and the members of all collectives, in the order of the traces.
#[derive(Default)]
struct CollectedEnds<'a> {
    channels: BTreeMap<ChannelKey<'a>, ChannelEnds>,
    collectives: BTreeMap<(&'a str, u32), CollectiveMatch>,
}

impl Matching {
    /// Matches everything.
    ///
    /// # Errors
    /// [`TraceError::DuplicateRank`], [`TraceError::UnknownPeer`].
    pub fn from_timeline(timeline: &Timeline<'_>) -> Result<Self, TraceError> {
        let members = members(timeline)?;
        let mut collected = CollectedEnds::default();
        for place in timeline.event_refs() {
            let communicator = communicator(timeline, place);
            let unknown = peers(&timeline.event(place).act)
                .find(|&peer| !members.contains_key(&(communicator.name.as_str(), peer)));
            if let Some(peer) = unknown {
                return Err(TraceError::UnknownPeer { rank: place.rank, event: place.event, peer });
            }
            collected.add(timeline, place);
        }
        Ok(Self::join_all(timeline, collected))
    }

    fn join_all(timeline: &Timeline<'_>, collected: CollectedEnds<'_>) -> Self {
        let links = timeline.ranks.iter().map(|trace| vec![vec![]; trace.events.len()]).collect();
        let mut matching = Self { links, ..Self::default() };
        for ((_, _, _, stream), ChannelEnds { sends, receives }) in collected.channels {
            let tag = if let MessageStream::Tag(tag) = stream { Some(tag) } else { None };
            let both = sends.len().min(receives.len());
            for (&SendEnd { event: at, finished, bytes }, &ReceiveEnd { posted, received }) in
                sends.iter().zip(&receives)
            {
                matching.add_message(MatchedMessage { send: at, finished, posted, received, tag, bytes });
            }
            // A post without a complete is not a lost message.
            if tag.is_some() {
                matching.unreceived.extend(sends[both..].iter().map(|send| send.event));
                matching.unsent.extend(receives[both..].iter().map(|receive| receive.received));
            }
        }
        for mut collective in collected.collectives.into_values() {
            collective.members.sort_unstable();
            let number = matching.collectives.len();
            for left in collective.members.iter().filter_map(|member| member.left) {
                matching.link(left, CallLink::JoinsCollective(number));
            }
            matching.collectives.push(collective);
        }
        matching
    }

    fn add_message(&mut self, message: MatchedMessage) {
        let number = self.messages.len();
        self.link(message.received, CallLink::Receives(number));
        if message.tag.is_some() {
            self.link(message.finished.unwrap_or(message.send), CallLink::Sends(number));
        }
        self.messages.push(message);
    }

    fn link(&mut self, place: EventRef, link: CallLink) {
        self.links[place.rank][place.event].push(link);
    }

    /// The messages and the collectives of the call at `place`.
    pub fn links(&self, place: EventRef) -> &[CallLink] {
        &self.links[place.rank][place.event]
    }
}

/// The rank that makes a call, and the communicator of the call.
#[derive(Clone, Copy)]
struct Caller<'a> {
    communicator: &'a str,
    rank: u32,
}

impl<'a> Caller<'a> {
    fn channel_to(self, peer: u32, stream: MessageStream) -> ChannelKey<'a> {
        (self.communicator, self.rank, peer, stream)
    }

    fn channel_from(self, peer: u32, stream: MessageStream) -> ChannelKey<'a> {
        (self.communicator, peer, self.rank, stream)
    }
}

impl<'a> CollectedEnds<'a> {
    fn add(&mut self, timeline: &Timeline<'a>, place: EventRef) {
        let communicator = communicator(timeline, place);
        let caller = Caller { communicator: communicator.name.as_str(), rank: communicator.rank };
        let receive = ReceiveEnd { posted: place, received: place };
        let signal = SendEnd { event: place, finished: None, bytes: 0 };
        match &timeline.event(place).act {
            EventKind::Local
            | EventKind::Access { .. }
            | EventKind::File { .. }
            | EventKind::FinishSend { .. }
            | EventKind::FinishReceive { .. }
            | EventKind::FinishCollective { .. } => {}
            EventKind::Send { to, .. } => self.add_message_send(caller, place, to, None),
            EventKind::StartSend { to, request } => {
                let finished = find_finished_send(timeline, place, *request).unwrap_or(place);
                self.add_message_send(caller, place, to, Some(finished));
            }
            EventKind::Receive { from } => self.add_message_receive(caller, from, receive),
            EventKind::StartReceive { request } => {
                if let Some((received, from)) = find_finished_receive(timeline, place, *request) {
                    self.add_message_receive(caller, from, ReceiveEnd { posted: place, received });
                }
            }
            EventKind::Exchange { to, from } => {
                self.add_message_send(caller, place, to, None);
                self.add_message_receive(caller, from, receive);
            }
            EventKind::Post { peers } => peers.iter().for_each(|&peer| {
                self.add_send(caller.channel_to(peer, MessageStream::Opening), signal);
                self.add_send(caller.channel_to(peer, MessageStream::Access), signal);
            }),
            EventKind::Start { peers } => peers.iter().for_each(|&peer| {
                self.add_receive(caller.channel_from(peer, MessageStream::Opening), receive);
            }),
            EventKind::Complete { peers } => peers.iter().for_each(|&peer| {
                self.add_receive(caller.channel_from(peer, MessageStream::Access), receive);
                self.add_send(caller.channel_to(peer, MessageStream::Closing), signal);
            }),
            EventKind::Wait { peers } => peers.iter().for_each(|&peer| {
                self.add_receive(caller.channel_from(peer, MessageStream::Closing), receive);
            }),
            EventKind::Collective { sequence, shape, .. } => {
                self.add_member(caller, (place, Some(place)), *sequence, *shape);
            }
            EventKind::StartCollective { sequence, shape, request, .. } => {
                let left = find_finished_collective(timeline, place, *request);
                self.add_member(caller, (place, left), *sequence, *shape);
            }
        }
    }

    fn add_message_send(
        &mut self,
        caller: Caller<'a>,
        event: EventRef,
        to: &Envelope,
        finished: Option<EventRef>,
    ) {
        let channel = caller.channel_to(to.peer, MessageStream::Tag(to.tag));
        self.add_send(channel, SendEnd { event, finished, bytes: to.bytes });
    }

    fn add_message_receive(&mut self, caller: Caller<'a>, from: &Envelope, receive: ReceiveEnd) {
        self.add_receive(caller.channel_from(from.peer, MessageStream::Tag(from.tag)), receive);
    }

    fn add_send(&mut self, channel: ChannelKey<'a>, send: SendEnd) {
        self.channels.entry(channel).or_default().sends.push(send);
    }

    fn add_receive(&mut self, channel: ChannelKey<'a>, receive: ReceiveEnd) {
        self.channels.entry(channel).or_default().receives.push(receive);
    }

    fn add_member(
        &mut self,
        caller: Caller<'a>,
        (entered, left): (EventRef, Option<EventRef>),
        sequence: u32,
        shape: CollectiveShape,
    ) {
        let collective = self
            .collectives
            .entry((caller.communicator, sequence))
            .or_insert_with(|| CollectiveMatch { members: vec![], shape });
        collective.members.push(CollectiveMember { rank: caller.rank, entered, left });
    }
}

/// The call that waits until the send of `request` is complete.
fn find_finished_send(timeline: &Timeline<'_>, place: EventRef, request: u32) -> Option<EventRef> {
    find_later(timeline, place, |kind| matches!(kind, EventKind::FinishSend { request: r } if *r == request))
}

/// The call that waits until the collective of `request` is complete.
fn find_finished_collective(timeline: &Timeline<'_>, place: EventRef, request: u32) -> Option<EventRef> {
    let finishes =
        |kind: &EventKind| matches!(kind, EventKind::FinishCollective { request: r } if *r == request);
    find_later(timeline, place, finishes)
}

/// The call that returns with the message of the receive of `request`, and the envelope of that message.
fn find_finished_receive<'a>(
    timeline: &Timeline<'a>,
    place: EventRef,
    request: u32,
) -> Option<(EventRef, &'a Envelope)> {
    let received = find_later(
        timeline,
        place,
        |kind| matches!(kind, EventKind::FinishReceive { request: r, .. } if *r == request),
    )?;
    match &timeline.event(received).act {
        EventKind::FinishReceive { from, .. } => Some((received, from)),
        _ => None,
    }
}

/// The first event from `place` on, on the same rank, that fulfils the condition.
fn find_later(
    timeline: &Timeline<'_>,
    place: EventRef,
    condition: impl Fn(&EventKind) -> bool,
) -> Option<EventRef> {
    let events = &timeline.ranks[place.rank].events[place.event..];
    let after = events.iter().position(|event| condition(&event.act))?;
    Some(EventRef { event: place.event + after, ..place })
}

pub(crate) fn communicator<'a>(timeline: &Timeline<'a>, place: EventRef) -> &'a crate::TraceCommunicator {
    let number = timeline.event(place).communicator as usize;
    &timeline.ranks[place.rank].communicators[number]
}

/// The place of every rank of every communicator in the trace.
fn members<'a>(timeline: &Timeline<'a>) -> Result<BTreeMap<(&'a str, u32), usize>, TraceError> {
    let mut members = BTreeMap::new();
    for (place, communicators) in timeline.ranks.iter().map(|trace| &trace.communicators).enumerate() {
        for communicator in communicators {
            let (name, rank) = (communicator.name.as_str(), communicator.rank);
            if let Some(other) = members.insert((name, rank), place).filter(|&other| other != place) {
                let communicator = name.to_owned();
                return Err(TraceError::DuplicateRank {
                    first_rank: other,
                    other: place,
                    rank,
                    communicator,
                });
            }
        }
    }
    Ok(members)
}

/// The ranks that a call names.
fn peers(act: &EventKind) -> impl Iterator<Item = u32> {
    let (few, many): ([Option<u32>; 2], &[u32]) = match act {
        EventKind::Send { to, .. } | EventKind::StartSend { to, .. } => ([Some(to.peer), None], &[]),
        EventKind::Receive { from } | EventKind::FinishReceive { from, .. } => ([Some(from.peer), None], &[]),
        EventKind::Exchange { to, from } => ([Some(to.peer), Some(from.peer)], &[]),
        EventKind::Access { target, .. } => ([Some(*target), None], &[]),
        EventKind::Collective { shape: CollectiveShape::From(root) | CollectiveShape::To(root), .. }
        | EventKind::StartCollective {
            shape: CollectiveShape::From(root) | CollectiveShape::To(root), ..
        } => ([Some(*root), None], &[]),
        EventKind::Post { peers }
        | EventKind::Start { peers }
        | EventKind::Complete { peers }
        | EventKind::Wait { peers } => ([None, None], peers),
        EventKind::Collective { .. }
        | EventKind::StartCollective { .. }
        | EventKind::FinishCollective { .. }
        | EventKind::Local
        | EventKind::File { .. }
        | EventKind::StartReceive { .. }
        | EventKind::FinishSend { .. } => ([None, None], &[]),
    };
    few.into_iter().flatten().chain(many.iter().copied())
}

//! Which send belongs to which receive, and which calls are one collective.
//!
//! Messages of one sender to one receiver on one communicator with one tag do not overtake each other, and of two receives
//! that a message fits the one that was posted first gets it (MPI 3.1, section 3.5). So the n-th of these sends, in the order
//! of their posting, belongs to the n-th of the receives that got such a message, in the order of *their* posting: also
//! where a receive asked for any source and any tag, since a trace says what came.
use std::collections::BTreeMap;

use wb_record::{CollectiveShape, EventKind, TraceEvent};

use crate::{EventRef, Timeline, TraceError};

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
    /// Its tag; `None` for a signal.
    pub tag: Option<i32>,
    /// Its size.
    pub bytes: u64,
}

/// The calls of all ranks that are one collective.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CollectiveMatch {
    /// Each with its rank in the communicator, by rank.
    pub members: Vec<(u32, EventRef)>,
    /// Who needs whom.
    pub shape: CollectiveShape,
}

/// What a call takes part in, by its place in [`Matching::messages`] or [`Matching::collectives`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallLink {
    /// It can return only with this message.
    Receives(usize),
    /// It hands this message over.
    Sends(usize),
    /// It is one of this collective.
    JoinsCollective(usize),
}

/// What belongs together.
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
    /// A post lets a start through.
    Opening,
    /// A post lets a complete through, where a start did not wait for it.
    Access,
    /// A complete lets a wait through.
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
    sent: Vec<SendEnd>,
    got: Vec<ReceiveEnd>,
}

/// The ends of everything, as the lanes tell of them.
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
            let stranger = peers(&timeline.event(place).act)
                .find(|&peer| !members.contains_key(&(communicator.name.as_str(), peer)));
            if let Some(peer) = stranger {
                return Err(TraceError::UnknownPeer { rank: place.rank, event: place.event, peer });
            }
            collected.add(timeline, place);
        }
        Ok(Self::join_all(timeline, collected))
    }

    fn join_all(timeline: &Timeline<'_>, collected: CollectedEnds<'_>) -> Self {
        let links = timeline.ranks.iter().map(|lane| vec![vec![]; lane.events.len()]).collect();
        let mut matching = Self { links, ..Self::default() };
        for ((_, _, _, stream), ChannelEnds { sent, got }) in collected.channels {
            let tag = if let MessageStream::Tag(tag) = stream { Some(tag) } else { None };
            let both = sent.len().min(got.len());
            for (&SendEnd { event: at, finished, bytes }, &ReceiveEnd { posted, received }) in
                sent.iter().zip(&got)
            {
                matching.add_message(MatchedMessage { send: at, finished, posted, received, tag, bytes });
            }
            // A post that no complete has answered yet is no message that got lost.
            if tag.is_some() {
                matching.unreceived.extend(sent[both..].iter().map(|sent| sent.event));
                matching.unsent.extend(got[both..].iter().map(|got| got.received));
            }
        }
        for mut meeting in collected.collectives.into_values() {
            meeting.members.sort_unstable();
            let number = matching.collectives.len();
            for &(_, place) in &meeting.members {
                matching.link(place, CallLink::JoinsCollective(number));
            }
            matching.collectives.push(meeting);
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

    /// What the call at `place` takes part in.
    pub fn links(&self, place: EventRef) -> &[CallLink] {
        &self.links[place.rank][place.event]
    }
}

impl<'a> CollectedEnds<'a> {
    fn add(&mut self, timeline: &Timeline<'a>, place: EventRef) {
        let TraceEvent { act, .. } = timeline.event(place);
        let communicator = communicator(timeline, place);
        let (name, me) = (communicator.name.as_str(), communicator.rank);
        let out = |peer, stream| (name, me, peer, stream);
        let into = |peer, stream| (name, peer, me, stream);
        let here = ReceiveEnd { posted: place, received: place };
        let signal = SendEnd { event: place, finished: None, bytes: 0 };
        match act {
            EventKind::Local
            | EventKind::Access { .. }
            | EventKind::FinishSend { .. }
            | EventKind::FinishReceive { .. } => {}
            EventKind::Send { to, .. } => {
                let sent = SendEnd { bytes: to.bytes, ..signal };
                self.add_send(out(to.peer, MessageStream::Tag(to.tag)), sent);
            }
            EventKind::StartSend { to, request } => {
                let is_mine =
                    |act: &EventKind| matches!(act, EventKind::FinishSend { request: r } if r == request);
                let finished = Some(find_later(timeline, place, is_mine).unwrap_or(place));
                self.add_send(
                    out(to.peer, MessageStream::Tag(to.tag)),
                    SendEnd { event: place, finished, bytes: to.bytes },
                );
            }
            EventKind::Receive { from } => {
                self.add_receive(into(from.peer, MessageStream::Tag(from.tag)), here);
            }
            EventKind::StartReceive { request } => {
                let is_mine = |act: &EventKind| matches!(act, EventKind::FinishReceive { request: r, .. } if r == request);
                let Some(received) = find_later(timeline, place, is_mine) else { return };
                let EventKind::FinishReceive { from, .. } = &timeline.event(received).act else { return };
                self.add_receive(
                    into(from.peer, MessageStream::Tag(from.tag)),
                    ReceiveEnd { posted: place, received },
                );
            }
            EventKind::Exchange { to, from } => {
                self.add_send(
                    out(to.peer, MessageStream::Tag(to.tag)),
                    SendEnd { bytes: to.bytes, ..signal },
                );
                self.add_receive(into(from.peer, MessageStream::Tag(from.tag)), here);
            }
            EventKind::Post { peers } => {
                for &peer in peers {
                    self.add_send(out(peer, MessageStream::Opening), signal);
                    self.add_send(out(peer, MessageStream::Access), signal);
                }
            }
            EventKind::Start { peers } => {
                peers.iter().for_each(|&peer| self.add_receive(into(peer, MessageStream::Opening), here));
            }
            EventKind::Complete { peers } => {
                for &peer in peers {
                    self.add_receive(into(peer, MessageStream::Access), here);
                    self.add_send(out(peer, MessageStream::Closing), signal);
                }
            }
            EventKind::Wait { peers } => {
                peers.iter().for_each(|&peer| self.add_receive(into(peer, MessageStream::Closing), here));
            }
            EventKind::Collective { sequence, shape, .. } => {
                let meeting = || CollectiveMatch { members: vec![], shape: *shape };
                let meeting = self.collectives.entry((name, *sequence)).or_insert_with(meeting);
                meeting.members.push((me, place));
            }
        }
    }

    fn add_send(&mut self, channel: ChannelKey<'a>, sent: SendEnd) {
        self.channels.entry(channel).or_default().sent.push(sent);
    }

    fn add_receive(&mut self, channel: ChannelKey<'a>, got: ReceiveEnd) {
        self.channels.entry(channel).or_default().got.push(got);
    }
}

/// The first event after `place` on its lane that does this.
fn find_later(
    timeline: &Timeline<'_>,
    place: EventRef,
    does: impl Fn(&EventKind) -> bool,
) -> Option<EventRef> {
    let events = &timeline.ranks[place.rank].events[place.event..];
    let after = events.iter().position(|event| does(&event.act))?;
    Some(EventRef { event: place.event + after, ..place })
}

fn communicator<'a>(timeline: &Timeline<'a>, place: EventRef) -> &'a wb_record::TraceCommunicator {
    let number = timeline.event(place).communicator as usize;
    &timeline.ranks[place.rank].communicators[number]
}

/// The lane of every rank of every communicator.
fn members<'a>(timeline: &Timeline<'a>) -> Result<BTreeMap<(&'a str, u32), usize>, TraceError> {
    let mut members = BTreeMap::new();
    for (lane, communicators) in timeline.ranks.iter().map(|lane| &lane.communicators).enumerate() {
        for communicator in communicators {
            let (name, rank) = (communicator.name.as_str(), communicator.rank);
            if let Some(other) = members.insert((name, rank), lane).filter(|&other| other != lane) {
                let communicator = name.to_owned();
                return Err(TraceError::DuplicateRank { first_rank: other, other: lane, rank, communicator });
            }
        }
    }
    Ok(members)
}

/// Whom a call names.
fn peers(act: &EventKind) -> impl Iterator<Item = u32> {
    let (few, many): ([Option<u32>; 2], &[u32]) = match act {
        EventKind::Send { to, .. } | EventKind::StartSend { to, .. } => ([Some(to.peer), None], &[]),
        EventKind::Receive { from } | EventKind::FinishReceive { from, .. } => ([Some(from.peer), None], &[]),
        EventKind::Exchange { to, from } => ([Some(to.peer), Some(from.peer)], &[]),
        EventKind::Access { target, .. } => ([Some(*target), None], &[]),
        EventKind::Collective { shape: CollectiveShape::From(root) | CollectiveShape::To(root), .. } => {
            ([Some(*root), None], &[])
        }
        EventKind::Post { peers }
        | EventKind::Start { peers }
        | EventKind::Complete { peers }
        | EventKind::Wait { peers } => ([None, None], peers),
        EventKind::Collective { .. }
        | EventKind::Local
        | EventKind::StartReceive { .. }
        | EventKind::FinishSend { .. } => ([None, None], &[]),
    };
    few.into_iter().flatten().chain(many.iter().copied())
}

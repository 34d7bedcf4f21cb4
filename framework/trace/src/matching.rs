//! Which send belongs to which receive, and which calls are one collective.
//!
//! Messages of one sender to one receiver on one communicator with one tag do not overtake each other, and of two receives
//! that a message fits the one that was posted first gets it (MPI 3.1, section 3.5). So the n-th of these sends, in the order
//! of their posting, belongs to the n-th of the receives that got such a message, in the order of *their* posting: also
//! where a receive asked for any source and any tag, since a trace says what came.
use std::collections::BTreeMap;

use wb_record::{Act, Event, Shape};

use crate::{Broken, Place, Timeline};

/// A message, or a signal between the calls of a window (post to start, complete to wait).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Message {
    /// The call that began to send it.
    pub send: Place,
    /// The call that waited until it was sent, where that is another one.
    pub finished: Option<Place>,
    /// The call that began to receive it.
    pub posted: Place,
    /// The call that returned with it.
    pub received: Place,
    /// Its tag; `None` for a signal.
    pub tag: Option<i32>,
    /// Its size.
    pub bytes: u64,
}

/// The calls of all ranks that are one collective.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Meeting {
    /// Each with its rank in the communicator, by rank.
    pub members: Vec<(u32, Place)>,
    /// Who needs whom.
    pub shape: Shape,
}

/// What a call takes part in, by its place in [`Matching::messages`] or [`Matching::meetings`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Link {
    /// It can return only with this message.
    Hears(usize),
    /// It hands this message over.
    Hands(usize),
    /// It is one of this collective.
    Meets(usize),
}

/// What belongs together.
#[derive(Clone, Debug, Default)]
pub struct Matching {
    /// The messages, by channel and order.
    pub messages: Vec<Message>,
    /// The collectives.
    pub meetings: Vec<Meeting>,
    /// Sends whose receive is not in the trace.
    pub unreceived: Vec<Place>,
    /// Receives whose send is not in the trace.
    pub unsent: Vec<Place>,
    links: Vec<Vec<Vec<Link>>>,
}

/// Messages that cannot overtake each other.
type Channel<'a> = (&'a str, u32, u32, Stream);

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Stream {
    Tag(i32),
    /// A post lets a start through.
    Opening,
    /// A post lets a complete through, where a start did not wait for it.
    Access,
    /// A complete lets a wait through.
    Closing,
}

#[derive(Clone, Copy)]
struct Sent {
    at: Place,
    finished: Option<Place>,
    bytes: u64,
}

#[derive(Clone, Copy)]
struct Got {
    posted: Place,
    received: Place,
}

#[derive(Default)]
struct Ends {
    sent: Vec<Sent>,
    got: Vec<Got>,
}

/// The ends of everything, as the lanes tell of them.
#[derive(Default)]
struct Collected<'a> {
    channels: BTreeMap<Channel<'a>, Ends>,
    meetings: BTreeMap<(&'a str, u32), Meeting>,
}

impl Matching {
    /// Matches everything.
    ///
    /// # Errors
    /// [`Broken::Twice`], [`Broken::Stranger`].
    pub fn of(timeline: &Timeline<'_>) -> Result<Self, Broken> {
        let members = members(timeline)?;
        let mut collected = Collected::default();
        for place in timeline.places() {
            let communicator = communicator(timeline, place);
            let stranger = peers(&timeline.event(place).act)
                .find(|&peer| !members.contains_key(&(communicator.name.as_str(), peer)));
            if let Some(peer) = stranger {
                return Err(Broken::Stranger { lane: place.lane, event: place.event, peer });
            }
            collected.add(timeline, place);
        }
        Ok(Self::joined(timeline, collected))
    }

    fn joined(timeline: &Timeline<'_>, collected: Collected<'_>) -> Self {
        let links = timeline.lanes.iter().map(|lane| vec![vec![]; lane.events.len()]).collect();
        let mut matching = Self { links, ..Self::default() };
        for ((_, _, _, stream), Ends { sent, got }) in collected.channels {
            let tag = if let Stream::Tag(tag) = stream { Some(tag) } else { None };
            let both = sent.len().min(got.len());
            for (&Sent { at, finished, bytes }, &Got { posted, received }) in sent.iter().zip(&got) {
                matching.join(Message { send: at, finished, posted, received, tag, bytes });
            }
            // A post that no complete has answered yet is no message that got lost.
            if tag.is_some() {
                matching.unreceived.extend(sent[both..].iter().map(|sent| sent.at));
                matching.unsent.extend(got[both..].iter().map(|got| got.received));
            }
        }
        for mut meeting in collected.meetings.into_values() {
            meeting.members.sort_unstable();
            let number = matching.meetings.len();
            for &(_, place) in &meeting.members {
                matching.link(place, Link::Meets(number));
            }
            matching.meetings.push(meeting);
        }
        matching
    }

    fn join(&mut self, message: Message) {
        let number = self.messages.len();
        self.link(message.received, Link::Hears(number));
        if message.tag.is_some() {
            self.link(message.finished.unwrap_or(message.send), Link::Hands(number));
        }
        self.messages.push(message);
    }

    fn link(&mut self, place: Place, link: Link) {
        self.links[place.lane][place.event].push(link);
    }

    /// What the call at `place` takes part in.
    pub fn links(&self, place: Place) -> &[Link] {
        &self.links[place.lane][place.event]
    }
}

impl<'a> Collected<'a> {
    fn add(&mut self, timeline: &Timeline<'a>, place: Place) {
        let Event { act, .. } = timeline.event(place);
        let communicator = communicator(timeline, place);
        let (name, me) = (communicator.name.as_str(), communicator.rank);
        let out = |peer, stream| (name, me, peer, stream);
        let into = |peer, stream| (name, peer, me, stream);
        let here = Got { posted: place, received: place };
        let signal = Sent { at: place, finished: None, bytes: 0 };
        match act {
            Act::Local | Act::Access { .. } | Act::FinishSend { .. } | Act::FinishReceive { .. } => {}
            Act::Send { to, .. } => {
                let sent = Sent { bytes: to.bytes, ..signal };
                self.sent(out(to.peer, Stream::Tag(to.tag)), sent);
            }
            Act::StartSend { to, request } => {
                let is_mine = |act: &Act| matches!(act, Act::FinishSend { request: r } if r == request);
                let finished = Some(later(timeline, place, is_mine).unwrap_or(place));
                self.sent(out(to.peer, Stream::Tag(to.tag)), Sent { at: place, finished, bytes: to.bytes });
            }
            Act::Receive { from } => self.got(into(from.peer, Stream::Tag(from.tag)), here),
            Act::StartReceive { request } => {
                let is_mine =
                    |act: &Act| matches!(act, Act::FinishReceive { request: r, .. } if r == request);
                let Some(received) = later(timeline, place, is_mine) else { return };
                let Act::FinishReceive { from, .. } = &timeline.event(received).act else { return };
                self.got(into(from.peer, Stream::Tag(from.tag)), Got { posted: place, received });
            }
            Act::Exchange { to, from } => {
                self.sent(out(to.peer, Stream::Tag(to.tag)), Sent { bytes: to.bytes, ..signal });
                self.got(into(from.peer, Stream::Tag(from.tag)), here);
            }
            Act::Post { peers } => {
                for &peer in peers {
                    self.sent(out(peer, Stream::Opening), signal);
                    self.sent(out(peer, Stream::Access), signal);
                }
            }
            Act::Start { peers } => {
                peers.iter().for_each(|&peer| self.got(into(peer, Stream::Opening), here));
            }
            Act::Complete { peers } => {
                for &peer in peers {
                    self.got(into(peer, Stream::Access), here);
                    self.sent(out(peer, Stream::Closing), signal);
                }
            }
            Act::Wait { peers } => peers.iter().for_each(|&peer| self.got(into(peer, Stream::Closing), here)),
            Act::Collective { sequence, shape, .. } => {
                let meeting = || Meeting { members: vec![], shape: *shape };
                let meeting = self.meetings.entry((name, *sequence)).or_insert_with(meeting);
                meeting.members.push((me, place));
            }
        }
    }

    fn sent(&mut self, channel: Channel<'a>, sent: Sent) {
        self.channels.entry(channel).or_default().sent.push(sent);
    }

    fn got(&mut self, channel: Channel<'a>, got: Got) {
        self.channels.entry(channel).or_default().got.push(got);
    }
}

/// The first event after `place` on its lane that does this.
fn later(timeline: &Timeline<'_>, place: Place, does: impl Fn(&Act) -> bool) -> Option<Place> {
    let events = &timeline.lanes[place.lane].events[place.event..];
    let after = events.iter().position(|event| does(&event.act))?;
    Some(Place { event: place.event + after, ..place })
}

fn communicator<'a>(timeline: &Timeline<'a>, place: Place) -> &'a wb_record::Communicator {
    let number = timeline.event(place).communicator as usize;
    &timeline.lanes[place.lane].communicators[number]
}

/// The lane of every rank of every communicator.
fn members<'a>(timeline: &Timeline<'a>) -> Result<BTreeMap<(&'a str, u32), usize>, Broken> {
    let mut members = BTreeMap::new();
    for (lane, communicators) in timeline.lanes.iter().map(|lane| &lane.communicators).enumerate() {
        for communicator in communicators {
            let (name, rank) = (communicator.name.as_str(), communicator.rank);
            if let Some(other) = members.insert((name, rank), lane).filter(|&other| other != lane) {
                let communicator = name.to_owned();
                return Err(Broken::Twice { lane: other, other: lane, rank, communicator });
            }
        }
    }
    Ok(members)
}

/// Whom a call names.
fn peers(act: &Act) -> impl Iterator<Item = u32> {
    let (few, many): ([Option<u32>; 2], &[u32]) = match act {
        Act::Send { to, .. } | Act::StartSend { to, .. } => ([Some(to.peer), None], &[]),
        Act::Receive { from } | Act::FinishReceive { from, .. } => ([Some(from.peer), None], &[]),
        Act::Exchange { to, from } => ([Some(to.peer), Some(from.peer)], &[]),
        Act::Access { target, .. } => ([Some(*target), None], &[]),
        Act::Collective { shape: Shape::From(root) | Shape::To(root), .. } => ([Some(*root), None], &[]),
        Act::Post { peers } | Act::Start { peers } | Act::Complete { peers } | Act::Wait { peers } => {
            ([None, None], peers)
        }
        Act::Collective { .. } | Act::Local | Act::StartReceive { .. } | Act::FinishSend { .. } => {
            ([None, None], &[])
        }
    };
    few.into_iter().flatten().chain(many.iter().copied())
}

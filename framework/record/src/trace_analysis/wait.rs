//! Scalasca's wait states: which rank waited in which call, and for which rank.
//!
//! | state | what waits | from | until |
//! |---|---|---|---|
//! | late sender | a receive (or its wait) | its entry | the sender enters its send |
//! | late receiver | a send that has to wait for its receive | its entry | the receive is posted |
//! | wait at a collective | every call that needs another rank | its entry | the last of these ranks enters |
//!
//! The time of its return decides whether a send waited for its receive (rendezvous, `ssend`) or was buffered (eager): a send
//! that returned before the receive was posted did not wait for it. A wait never exceeds its call. Start and wait of a window
//! wait for post and complete as receives wait for sends. If a call waits for several calls, the last one counts.
use crate::{
    EventKind,
    trace_analysis::{EventRef, Matching, Timeline, matching::CallLink},
};

/// The kinds of waiting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WaitStateKind {
    /// The message was not sent yet.
    LateSender,
    /// The receive was not posted yet.
    LateReceiver,
    /// Another rank had not entered the collective yet.
    Collective,
}

impl WaitStateKind {
    /// All, in the order of their declaration.
    pub const ALL: [Self; 3] = [Self::LateSender, Self::LateReceiver, Self::Collective];
}

/// The waiting inside one call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WaitInterval {
    /// The kind of wait.
    pub cause: WaitStateKind,
    /// How long from the call's entry, nanoseconds; never 0, never longer than the call.
    pub ns: u64,
    /// The call that ended it by being entered.
    pub ended_by: EventRef,
}

/// The waiting inside every call.
#[derive(Clone, Debug, Default)]
pub struct Waits(Vec<Vec<Option<WaitInterval>>>);

impl Waits {
    /// Computes the wait of every call.
    pub fn from_matching(timeline: &Timeline<'_>, matching: &Matching) -> Self {
        let waits = |rank: usize| {
            let events = 0..timeline.ranks[rank].events.len();
            events.map(|event| wait(timeline, matching, EventRef { rank, event })).collect()
        };
        Self((0..timeline.ranks.len()).map(waits).collect())
    }

    /// The wait of the call at `place`.
    pub fn at(&self, place: EventRef) -> Option<WaitInterval> {
        self.0[place.rank][place.event]
    }

    /// The calls that waited, rank by rank.
    pub fn all(&self) -> impl Iterator<Item = (EventRef, WaitInterval)> {
        self.0.iter().enumerate().flat_map(|(rank, waits)| {
            let waits = waits.iter().enumerate();
            waits.filter_map(move |(event, wait)| Some((EventRef { rank, event }, (*wait)?)))
        })
    }
}

fn wait(timeline: &Timeline<'_>, matching: &Matching, place: EventRef) -> Option<WaitInterval> {
    let event = timeline.event(place);
    let mut last: Option<(u64, WaitStateKind, EventRef)> = None;
    required_calls(timeline, matching, place, |cause, on| {
        let entered = timeline.event(on).begin_ns;
        if last.is_none_or(|(latest, _, _)| entered > latest) {
            last = Some((entered, cause, on));
        }
    });
    let (entered, cause, on) = last?;
    let ns = entered.min(event.end_ns).saturating_sub(event.begin_ns);
    (ns > 0).then_some(WaitInterval { cause, ns, ended_by: on })
}

/// Every call whose entry the one at `place` needed before it could return.
pub(crate) fn required_calls(
    timeline: &Timeline<'_>,
    matching: &Matching,
    place: EventRef,
    mut need: impl FnMut(WaitStateKind, EventRef),
) {
    for link in matching.links(place) {
        match *link {
            CallLink::Receives(message) => need(WaitStateKind::LateSender, matching.messages[message].send),
            CallLink::Sends(message) => {
                let posted = matching.messages[message].posted;
                if waits_for_receiver(timeline, place, posted) {
                    need(WaitStateKind::LateReceiver, posted);
                }
            }
            CallLink::JoinsCollective(number) => {
                let collective = &matching.collectives[number];
                let others = collective.needed_by(timeline, place);
                others.for_each(|member| need(WaitStateKind::Collective, member.entered));
            }
        }
    }
}

/// Whether a send at `place` was entered before its receive was posted and returned after that.
fn waits_for_receiver(timeline: &Timeline<'_>, place: EventRef, posted: EventRef) -> bool {
    let (event, posted) = (timeline.event(place), timeline.event(posted).begin_ns);
    match event.act {
        EventKind::StartSend { .. } => false,
        EventKind::Send { synchronous: true, .. } => posted <= event.end_ns,
        _ => event.begin_ns < posted && posted < event.end_ns,
    }
}

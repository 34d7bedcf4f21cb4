//! Who would take a message if it arrived now: what a [`Pace`](crate::Pace) that chooses has to know.
use wb_comm::{LockKind, Match, Rank, Site, Source};

use crate::{Footprint, Happening, Pace, deadlock::Need, state::State};

/// A message under way, as one who chooses sees it. Ranks are those of the job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Letter {
    /// Index of the communicator.
    pub communicator: usize,
    /// Who sent it.
    pub from: Rank,
    /// Whom it is for.
    pub to: Rank,
    /// The sender's call.
    pub site: Site,
}

impl Letter {
    /// Its way: messages with the same one do not overtake each other.
    pub fn way(&self) -> [usize; 3] {
        [self.communicator, self.from, self.to]
    }
}

/// The receive or probe that would take a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Taker {
    /// Its call.
    pub site: Site,
    /// Does it name the source? Then no other message can take the place of this one.
    pub named: bool,
    /// Is it a probe, which leaves the message where it is?
    pub probes: bool,
    source: Source,
    label: Match,
}

impl Taker {
    /// Would it take that one, of the same sender to the same receiver, too?
    pub fn admits(&self, what: &Happening) -> bool {
        let Happening::Arrive { message, .. } = what else { return false };
        self.source.admits(message.source) && self.label.admits(message.label)
    }
}

impl<P: Pace> State<P> {
    /// The message of a happening that is one's arrival.
    pub fn letter(&self, what: &Happening) -> Option<Letter> {
        let Happening::Arrive { communicator, to, message } = what else { return None };
        let members = &self.communicators[*communicator].members;
        let (from, to) = (members[message.source], members[*to]);
        Some(Letter { communicator: *communicator, from, to, site: message.site })
    }

    /// Who takes the message if it arrives now: the first posted receive that admits it, or else the probe in which its
    /// receiver stands.
    pub fn taker(&self, what: &Happening) -> Option<Taker> {
        let Happening::Arrive { communicator, to, message } = what else { return None };
        let group = &self.communicators[*communicator];
        if let Some(posted) = group.mailboxes[*to].claimant(message.source, message.label) {
            let site = self.operations[posted.operation].site;
            let (source, label) = (posted.source, posted.label);
            return Some(Taker { site, named: source != Source::Any, probes: false, source, label });
        }
        let standing = self.seats[group.members[*to]].standing.as_ref()?;
        let Need::Message { communicator: probed, source, label, .. } = &standing.need else { return None };
        let (source, label) = (*source, *label);
        let taker = Taker { site: standing.site, named: source != Source::Any, probes: true, source, label };
        (probed == communicator && taker.admits(what)).then_some(taker)
    }

    /// Does a rank stand until this message is received, though nothing asks for that but the lack of a buffer?
    pub fn is_waited_for(&self, what: &Happening) -> bool {
        let Happening::Arrive { message, .. } = what else { return false };
        let send = message.send.and_then(|send| self.operations.get(send));
        send.is_some_and(|send| !send.synchronous && self.stands(send.owner))
    }

    /// What lies in a member's mailbox goes back under way.
    pub(crate) fn recall(&mut self, communicator: usize, to: Rank) {
        let messages = self.communicators[communicator].mailboxes[to].recall();
        let arrive = |message| Happening::Arrive { communicator, to, message };
        self.pace.recall(messages.map(arrive).collect());
    }
}

impl<P: Pace> State<P> {
    /// What an access under way touches, and the ranks of the job whose state it changes: its origin's and its target's.
    pub fn footprint(&self, what: &Happening) -> Option<(Footprint, [Rank; 2])> {
        let Happening::Reach(flight) = what else { return None };
        let (window, target) = (&self.windows[flight.window], flight.access.target);
        let is_watched = !window.watchers[target].is_empty() || !window.waiting[target].is_empty();
        let ranks = [flight.access.origin, target].map(|member| window.members[member]);
        Some((flight.footprint(is_watched), ranks))
    }

    /// Does it matter which of the two comes first? Of accesses: if what they touch conflicts ([`Footprint::conflicts`]); of
    /// requests for locks: if one of them is exclusive and they are of a common part. Of messages their receiver decides
    /// ([`taker`](Self::taker)).
    pub fn conflict(&self, one: &Happening, other: &Happening) -> bool {
        use crate::Notice::Ask;
        match (one, other) {
            (Happening::Reach(_), Happening::Reach(_)) => self
                .footprint(one)
                .zip(self.footprint(other))
                .is_some_and(|(one, other)| one.0.conflicts(&other.0)),
            (
                Happening::Notice { window, notice: Ask(scope, kind), .. },
                Happening::Notice { window: other_window, notice: Ask(other_scope, other_kind), .. },
            ) => {
                let both_shared = [*kind, *other_kind] == [LockKind::Shared; 2];
                window == other_window && scope.meets(*other_scope) && !both_shared
            }
            _ => false,
        }
    }
}

impl Happening {
    /// The message needs its sender no more, whose send is over.
    pub fn let_go(&mut self) -> Option<Self> {
        let Self::Arrive { message, .. } = self else { return None };
        message.send.take().map(Self::Sent)
    }

    /// Must it stay behind `earlier`, which left before it? Accumulates of one origin to one target must.
    pub fn stays_behind(&self, earlier: &Self) -> bool {
        match (earlier, self) {
            (Self::Reach(earlier), Self::Reach(later)) => later.stays_behind(earlier),
            _ => false,
        }
    }
}

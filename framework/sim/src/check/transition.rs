//! One possibility of a choice.
use wb_comm::{Rank, Site};
use wb_fabric::Footprint;

/// What comes about if it is chosen. Ranks are those of the job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum What {
    /// Rank `to` gets, by its receive or probe, what rank `from` has sent.
    Take { to: Rank, receive: Site, from: Rank, sent: Site },
    /// A rank that looks without waiting sees what is there `now`, or what is there once nobody else can go on.
    Look { rank: Rank, now: bool },
    /// A rank that looks sees a message of `from` before those of others.
    Show { rank: Rank, from: Rank },
    /// An access to a window, or a request for a lock, comes before others.
    Touch,
    /// The library keeps what rank `from` has sent, which goes on.
    Keep { from: Rank, sent: Site },
    /// Only where nothing is reduced: a rank runs, or a message arrives.
    Step,
}

/// See the module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Transition {
    pub(crate) what: What,
    /// Of the message or access that it is about; the same in all runs from where it was put under way.
    pub(crate) number: u64,
    touches: Touches,
}

/// What a transition changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Touches {
    /// The state of these two.
    Two([Rank; 2]),
    /// Elements of a window; the origin goes on, and the target sees it when it looks.
    Elements { footprint: Footprint, origin: Rank, target: Rank },
    /// It may change anything.
    Anybody,
}

impl Transition {
    /// One that changes the state of these two only.
    pub(crate) fn between(what: What, number: u64, ranks: [Rank; 2]) -> Self {
        Self { what, number, touches: Touches::Two(ranks) }
    }

    /// An access of the first rank to the part of the second.
    pub(crate) fn access(number: u64, footprint: Footprint, [origin, target]: [Rank; 2]) -> Self {
        Self { what: What::Touch, number, touches: Touches::Elements { footprint, origin, target } }
    }

    /// One that may change anything.
    pub(crate) fn of(what: What, number: u64) -> Self {
        Self { what, number, touches: Touches::Anybody }
    }

    /// Does it change the state of that rank?
    pub(crate) fn touches(&self, rank: Rank) -> bool {
        match self.touches {
            Touches::Two(ranks) => ranks.contains(&rank),
            Touches::Elements { origin, target, .. } => [origin, target].contains(&rank),
            Touches::Anybody => true,
        }
    }

    /// Do both orders of the two come to the same?
    pub(crate) fn is_independent_of(&self, other: &Self) -> bool {
        use Touches::{Anybody, Elements, Two};
        let apart = |mine: [Rank; 2]| !mine.iter().any(|rank| other.touches(*rank));
        match (self.touches, other.touches) {
            (Anybody, _) | (_, Anybody) => false,
            (
                Elements { footprint, origin, .. },
                Elements { footprint: theirs, origin: other_origin, .. },
            ) => origin != other_origin && !footprint.conflicts(&theirs),
            (Two(ranks), _) => apart(ranks),
            (Elements { origin, target, .. }, Two(_)) => apart([origin, target]),
        }
    }
}

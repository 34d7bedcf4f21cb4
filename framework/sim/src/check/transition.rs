//! One possibility of a choice.
use wb_comm::{Rank, Site};

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
    /// Only where nothing is reduced: a rank runs, or a message arrives.
    Step,
}

/// See the module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Transition {
    pub(crate) what: What,
    /// Of the message or access that it is about; the same in all runs from where it was put under way.
    pub(crate) number: u64,
    /// Whose state it changes; `None`: anybody's.
    touches: Option<[Rank; 2]>,
}

impl Transition {
    /// One that changes the state of these two only.
    pub(crate) fn between(what: What, number: u64, ranks: [Rank; 2]) -> Self {
        Self { what, number, touches: Some(ranks) }
    }

    /// One that may change anything.
    pub(crate) fn of(what: What, number: u64) -> Self {
        Self { what, number, touches: None }
    }

    /// Does it change the state of that rank?
    pub(crate) fn touches(&self, rank: Rank) -> bool {
        self.touches.is_none_or(|ranks| ranks.contains(&rank))
    }

    /// Do both orders of the two come to the same?
    pub(crate) fn is_independent_of(&self, other: &Self) -> bool {
        let apart = |mine: [Rank; 2]| !mine.iter().any(|rank| other.touches(*rank));
        other.touches.is_some() && self.touches.is_some_and(apart)
    }
}

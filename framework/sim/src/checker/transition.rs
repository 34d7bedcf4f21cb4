//! One possibility of a choice.
use wb_comm::{CallSite, Rank};
use wb_fabric::AccessFootprint;

/// What comes about if it is chosen. Ranks are those of the job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TransitionKind {
    /// Rank `to` gets, by its receive or probe, what rank `from` has sent.
    Receive { to: Rank, receive: CallSite, from: Rank, sent: CallSite },
    /// A rank that looks without waiting sees what is there `now`, or what is there once nobody else can go on.
    Poll { rank: Rank, now: bool },
    /// A rank that looks sees a message of `from` before those of others.
    DeliverToPoll { rank: Rank, from: Rank },
    /// An access to a window, or a request for a lock, comes before others.
    RmaAccess,
    /// The library keeps what rank `from` has sent, which goes on.
    BufferSend { from: Rank, sent: CallSite },
    /// Only where nothing is reduced: a rank runs, or a message arrives.
    Step,
}

/// See the module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Transition {
    pub(crate) kind: TransitionKind,
    /// Of the message or access that it is about; the same in all runs from where it was put under way.
    pub(crate) number: u64,
    dependence: Dependence,
}

/// What a transition changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Dependence {
    /// The state of these two.
    Ranks([Rank; 2]),
    /// Elements of a window; the origin goes on, and the target sees it when it looks.
    Elements { footprint: AccessFootprint, origin: Rank, target: Rank },
    /// It may change anything.
    All,
}

impl Transition {
    /// One that changes the state of these two only.
    pub(crate) fn for_ranks(what: TransitionKind, number: u64, ranks: [Rank; 2]) -> Self {
        Self { kind: what, number, dependence: Dependence::Ranks(ranks) }
    }

    /// An access of the first rank to the part of the second.
    pub(crate) fn for_access(number: u64, footprint: AccessFootprint, [origin, target]: [Rank; 2]) -> Self {
        Self {
            kind: TransitionKind::RmaAccess,
            number,
            dependence: Dependence::Elements { footprint, origin, target },
        }
    }

    /// One that may change anything.
    pub(crate) fn for_all(what: TransitionKind, number: u64) -> Self {
        Self { kind: what, number, dependence: Dependence::All }
    }

    /// Does it change the state of that rank?
    pub(crate) fn affects(&self, rank: Rank) -> bool {
        match self.dependence {
            Dependence::Ranks(ranks) => ranks.contains(&rank),
            Dependence::Elements { origin, target, .. } => [origin, target].contains(&rank),
            Dependence::All => true,
        }
    }

    /// Do both orders of the two come to the same?
    pub(crate) fn is_independent_of(&self, other: &Self) -> bool {
        use Dependence::{All, Elements, Ranks};
        let apart = |mine: [Rank; 2]| !mine.iter().any(|rank| other.affects(*rank));
        match (self.dependence, other.dependence) {
            (All, _) | (_, All) => false,
            (
                Elements { footprint, origin, .. },
                Elements { footprint: theirs, origin: other_origin, .. },
            ) => origin != other_origin && !footprint.conflicts(&theirs),
            (Ranks(ranks), _) => apart(ranks),
            (Elements { origin, target, .. }, Ranks(_)) => apart([origin, target]),
        }
    }
}

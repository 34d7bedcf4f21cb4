//! Transitions: the options of a choice.
use wb_comm::{CallSite, Rank};

use crate::fabric::AccessFootprint;

/// The kind of a transition. Ranks are those of the job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TransitionKind {
    /// The receive or probe of rank `to` gets the message of rank `from`.
    Receive { to: Rank, receive: CallSite, from: Rank, sent: CallSite },
    /// A rank polls `now`, or once no other rank can continue.
    Poll { rank: Rank, now: bool },
    /// A polling rank gets a message of `from` before those of other senders.
    DeliverToPoll { rank: Rank, from: Rank },
    /// A window access or a lock request takes place before others.
    RmaAccess,
    /// The library buffers the message of rank `from`, and that rank continues.
    BufferSend { from: Rank, sent: CallSite },
    /// The call of a rank returns an operation that `started` started, and not another one that is complete, too.
    Complete { rank: Rank, call: CallSite, started: CallSite },
    /// A rank continues whose call has several completed operations, before messages are matched or other ranks continue.
    Continue { rank: Rank },
    /// Only without reduction: a rank runs, or a message arrives.
    Step,
}

/// A transition, its number and its effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Transition {
    pub(crate) kind: TransitionKind,
    /// The number of its message or access; the same in all runs with the same choices before it was sent.
    pub(crate) number: u64,
    dependence: Dependence,
}

/// The state that a transition changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Dependence {
    /// The state of these two ranks.
    Ranks([Rank; 2]),
    /// Elements of a window; the origin continues, and the target sees the change when it polls.
    Elements { footprint: AccessFootprint, origin: Rank, target: Rank },
    /// Any state.
    All,
}

impl Transition {
    /// A transition that changes only the state of these two ranks.
    pub(crate) fn for_ranks(kind: TransitionKind, number: u64, ranks: [Rank; 2]) -> Self {
        Self { kind, number, dependence: Dependence::Ranks(ranks) }
    }

    /// An access of the first rank to the part of the second.
    pub(crate) fn for_access(number: u64, footprint: AccessFootprint, [origin, target]: [Rank; 2]) -> Self {
        Self {
            kind: TransitionKind::RmaAccess,
            number,
            dependence: Dependence::Elements { footprint, origin, target },
        }
    }

    /// A transition that may change any state.
    pub(crate) fn for_all(kind: TransitionKind, number: u64) -> Self {
        Self { kind, number, dependence: Dependence::All }
    }

    /// Whether it changes the state of that rank.
    pub(crate) fn affects(&self, rank: Rank) -> bool {
        match self.dependence {
            Dependence::Ranks(ranks) => ranks.contains(&rank),
            Dependence::Elements { origin, target, .. } => [origin, target].contains(&rank),
            Dependence::All => true,
        }
    }

    /// Do both orders of the two transitions have the same result?
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

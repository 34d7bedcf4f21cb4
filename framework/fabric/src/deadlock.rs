//! Where a rank stands while it waits, and when nobody can go on.
//!
//! The verdict is exact. A rank *stands* from the moment its need is found unmet until the moment it is met, both while the
//! state is held: a rank that has been served but has not woken up yet no longer stands. Needs are met by ranks and by what
//! they have under way, never by time alone. So when every rank that has not ended stands and nothing is under way, nobody
//! will ever go on, and as long as one does not, it still may.
use smallvec::SmallVec;
use wb_comm::{Blocked, Error, Match, Place, Rank, Site, Source, Verb};

use crate::{
    Pace,
    opened::Opening,
    operation::{Direction, Operation, OperationId, shown_tag},
    state::State,
};

/// The operations of one call, in its order; none of a send that was over at once.
pub(crate) type Ids = SmallVec<[Option<OperationId>; 2]>;

/// What a waiting rank needs to go on.
#[derive(Clone, Debug)]
pub(crate) enum Need {
    /// All of these are over, or one has failed.
    Operations(Ids),
    /// A message like this lies in its mailbox.
    Message { communicator: usize, rank: Rank, source: Source, label: Match },
    /// Its communicator has agreed.
    Agreement { communicator: usize, rank: Rank },
    /// As member `rank` of a window.
    Window { window: usize, rank: Rank, need: Opening },
}

/// A rank inside a call that cannot return yet.
#[derive(Clone, Debug)]
pub struct Standing {
    pub(crate) site: Site,
    pub(crate) need: Need,
}

impl<P: Pace> State<P> {
    /// Can a rank with this need go on?
    pub(crate) fn meets(&self, need: &Need) -> bool {
        match need {
            Need::Operations(ids) => {
                let operations = || ids.iter().flatten().map(|id| &self.operations[*id]);
                operations().all(Operation::done) || operations().any(Operation::failed)
            }
            Need::Message { communicator, rank, source, label } => {
                self.communicators[*communicator].mailboxes[*rank].find(*source, *label).is_some()
            }
            Need::Agreement { communicator, rank } => {
                self.communicators[*communicator].agreement.decided(*rank)
            }
            Need::Window { window, rank, need } => self.windows[*window].meets(*rank, need),
        }
    }

    /// Puts where a rank stands into people's terms.
    pub(crate) fn describe(&self, rank: Rank, standing: &Standing) -> Blocked {
        let call = Blocked { bufferable: false, ..Blocked::at(rank, standing.site) };
        match &standing.need {
            Need::Operations(ids) => match self.first_open(ids) {
                Some(open) => {
                    let synchronous = call.verb == Verb::Ssend || call.verb.is_collective();
                    let bufferable = open.direction == Direction::Send && !synchronous;
                    let awaits = self.partners(open.communicator, open.owner, open.peer);
                    let (peer, tag, bytes) = (Some(open.peer), open.tag, Some(open.bytes));
                    let started = (call.verb == Verb::Wait).then(|| Place::of(rank, open.site));
                    let communicator = Some(self.communicators[open.communicator].told());
                    Blocked { peer, tag, bytes, awaits, bufferable, communicator, started, ..call }
                }
                None => call,
            },
            Need::Message { communicator, source, label, .. } => {
                let awaits = self.partners(*communicator, rank, *source);
                let communicator = Some(self.communicators[*communicator].told());
                Blocked { peer: Some(*source), tag: shown_tag(*label), awaits, communicator, ..call }
            }
            Need::Agreement { communicator, .. } => {
                let group = &self.communicators[*communicator];
                let awaits = group.agreement.missing().map(|member| group.members[member]).collect();
                Blocked { awaits, communicator: Some(group.told()), ..call }
            }
            Need::Window { window, rank, need } => {
                let shared = &self.windows[*window];
                let peer = shared.waits_for(*rank, need).map(Source::Rank);
                let awaits = shared.missing(*rank, need);
                Blocked { peer, awaits, communicator: Some(shared.name.clone()), ..call }
            }
        }
    }

    /// Who could answer an operation of `rank`, in the job's numbering.
    fn partners(&self, communicator: usize, rank: Rank, peer: Source) -> Vec<Rank> {
        let members = &self.communicators[communicator].members;
        match peer {
            Source::Rank(peer) => vec![members[peer]],
            Source::Any => members.iter().copied().filter(|member| *member != rank).collect(),
        }
    }

    /// The operation that explains a wait best: a receive before a send, as a sendrecv has both.
    pub(crate) fn first_open(&self, ids: &[Option<OperationId>]) -> Option<&Operation> {
        let open =
            || ids.iter().flatten().map(|id| &self.operations[*id]).filter(|operation| !operation.done());
        open().find(|operation| operation.direction == Direction::Receive).or_else(|| open().next())
    }

    /// Everybody who stands, in people's terms.
    pub(crate) fn standings(&self) -> Vec<Blocked> {
        let stands = |(rank, seat): (Rank, &crate::seat::Seat)| {
            seat.standing.as_ref().map(|standing| self.describe(rank, standing))
        };
        self.seats.iter().enumerate().filter_map(stands).collect()
    }

    /// Ends the job when nobody can go on. Call whenever a rank begins to stand or has ended, and when nothing is under way
    /// any more.
    pub fn check_deadlock(&mut self) {
        if self.is_stuck() {
            self.blocked = self.standings();
            self.explain();
            self.fail(Error::Deadlock { blocked: self.blocked.clone() });
        }
    }
}

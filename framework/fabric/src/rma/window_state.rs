//! A window as the state keeps it: the parts of all ranks, their epochs and locks, what is under way between them, and who
//! can continue when something changes.
use std::sync::{Arc, atomic::AtomicI64};

use wb_comm::{Datatype, Rank, Until, WindowKind};
use wb_diagnosis::CollectiveMatcher;

use crate::{
    agreement::Agreement,
    rma::{
        access::InFlightAccess,
        locks::{LockScope, LockTable},
        pending_accesses::PendingAccesses,
        pscw::PscwState,
        window_part::WindowPart,
    },
};

/// See the module.
#[derive(Debug)]
pub(crate) struct WindowState {
    /// For people: `"window 1 of world (window at src/a.rs:7)"`.
    pub(crate) name: String,
    pub(crate) kind: WindowKind,
    pub(crate) datatype: Datatype,
    /// Elements of each rank.
    pub(crate) counts: Arc<[usize]>,
    /// One per rank; none once the window is freed.
    pub(crate) parts: Vec<WindowPart>,
    /// All parts, where these are made of atomics.
    pub(crate) shared_words: Option<Arc<[AtomicI64]>>,
    pub(crate) pscw: PscwState,
    pub(crate) locks: LockTable,
    pub(crate) pending_accesses: PendingAccesses,
    /// By target: members that stand until an element of its part has some value.
    pub(crate) value_waiters: Vec<Vec<Rank>>,
    /// By target: accesses that have come and take place once an element of its part has some value.
    pub(crate) deferred_accesses: Vec<Vec<InFlightAccess>>,
    /// The fence or the end that is being agreed on.
    pub(crate) agreement: Agreement,
    /// Who has come to which fence or end.
    pub(crate) collectives: CollectiveMatcher,
    /// The members' ranks in the job.
    pub(crate) members: Arc<[Rank]>,
}

/// What a member of a window needs to go on.
#[derive(Clone, Debug)]
pub(crate) enum EpochCondition {
    /// All have called the fence or the end.
    Agreement,
    /// All of these have posted to it.
    Posts(Vec<Rank>),
    /// All to whom it has posted have completed.
    Completes,
    /// This lock.
    Lock(LockScope),
    /// Its accesses to this member have been answered; `None`: to all.
    AccessesComplete(Option<Rank>),
    /// An element of a rank with such a value.
    Value { target: Rank, at: usize, until: Until },
}

impl WindowState {
    /// Can member `rank` go on?
    pub(crate) fn is_satisfied(&self, rank: Rank, condition: &EpochCondition) -> bool {
        match condition {
            EpochCondition::Agreement => self.agreement.has_decision(rank),
            EpochCondition::Value { target, at, until } => until.matches(self.parts[*target].value(*at)),
            EpochCondition::Lock(scope) => self.locks.is_held(rank, *scope),
            EpochCondition::AccessesComplete(target) => self.pending_accesses.is_complete(rank, *target),
            EpochCondition::Posts(_) | EpochCondition::Completes => {
                self.first_missing(rank, condition).is_none()
            }
        }
    }

    /// The ranks of the job that have yet to act, as far as they are known.
    pub(crate) fn missing(&self, rank: Rank, condition: &EpochCondition) -> Vec<Rank> {
        let of_job = |member: Rank| self.members[member];
        match condition {
            EpochCondition::Agreement => self.agreement.missing().map(of_job).collect(),
            EpochCondition::Value { .. } | EpochCondition::AccessesComplete(_) => Vec::new(),
            EpochCondition::Posts(_) | EpochCondition::Completes | EpochCondition::Lock(_) => {
                self.first_missing(rank, condition).map(of_job).into_iter().collect()
            }
        }
    }

    /// The member that has yet to act first, where there is a single one.
    pub(crate) fn first_missing(&self, rank: Rank, condition: &EpochCondition) -> Option<Rank> {
        match condition {
            EpochCondition::Agreement => None,
            EpochCondition::Posts(targets) => self.pscw.missing_post(rank, targets),
            EpochCondition::Completes => self.pscw.missing_complete(rank),
            EpochCondition::Lock(scope) => self.locks.blocking_holder(rank, *scope),
            EpochCondition::AccessesComplete(target) => *target,
            EpochCondition::Value { target, .. } => Some(*target),
        }
    }
}

//! A window in the state: the parts of all ranks, their epochs and locks, the accesses in flight, and the ranks that
//! wait for a change.
use std::sync::{Arc, atomic::AtomicI64};

use wb_comm::{Datatype, Rank, Until, WindowKind, diagnosis::CollectiveMatcher};

use crate::fabric::{
    agreement::Agreement,
    rma::{
        access::InFlightAccess,
        locks::{LockScope, LockTable},
        pending_accesses::PendingAccesses,
        pscw::PscwState,
        window_part::WindowPart,
    },
};

/// The state of one window.
#[derive(Debug)]
pub(crate) struct WindowState {
    /// The displayed name: `"window 1 of world (window at src/a.rs:7)"`.
    pub(crate) name: String,
    pub(crate) kind: WindowKind,
    pub(crate) datatype: Datatype,
    /// Elements of each rank.
    pub(crate) counts: Arc<[usize]>,
    /// One per rank; empty once the window is freed.
    pub(crate) parts: Vec<WindowPart>,
    /// The memory of all parts, if they consist of atomics.
    pub(crate) shared_words: Option<Arc<[AtomicI64]>>,
    pub(crate) pscw: PscwState,
    pub(crate) locks: LockTable,
    pub(crate) pending_accesses: PendingAccesses,
    /// For each target, the members that wait until an element of its part has some value.
    pub(crate) value_waiters: Vec<Vec<Rank>>,
    /// For each target, the accesses that have arrived and are deferred until an element of its part has some value.
    pub(crate) deferred_accesses: Vec<Vec<InFlightAccess>>,
    /// The fence or free that is being agreed on.
    pub(crate) agreement: Agreement,
    /// The members that have entered each fence or free.
    pub(crate) collectives: CollectiveMatcher,
    /// The members' ranks in the job.
    pub(crate) members: Arc<[Rank]>,
}

/// The condition under which a blocked member of a window continues.
#[derive(Clone, Debug)]
pub(crate) enum EpochCondition {
    /// All have called the fence or the free.
    Agreement,
    /// All of these have posted to it.
    Posts(Vec<Rank>),
    /// All members to which it has posted have completed.
    Completes,
    /// The rank has been granted this lock.
    Lock(LockScope),
    /// The rank's accesses to this member have been answered; `None`: to all.
    AccessesComplete(Option<Rank>),
    /// An element of a rank's part has such a value.
    Value { target: Rank, at: usize, until: Until },
}

impl WindowState {
    /// Whether member `rank` can continue.
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

    /// The member that has yet to act, if it is the only one.
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

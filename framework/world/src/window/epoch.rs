//! The epoch state machine of one rank on one window: which calls are legal in the current state. It makes no calls and
//! knows only this rank's calls, so it is the same on every backend.
//!
//! It has two independent states (rule 4): the *access* epoch, in which this rank may access other parts, and the
//! *exposure* epoch, in which others may access this rank's part. A fence opens both only as candidates. The first
//! access turns the candidates into epochs; a start, lock or post before it replaces the candidate (rule 6). Every
//! state holds the call that opened it, so that a violation can name both calls.
//!
//! Verbs are in [`verbs`](self::verbs), accesses in [`access`](self::access). A refused verb changes nothing.
mod access;
mod verbs;

pub(crate) use access::CoveringEpoch;

use std::{cell::Cell, collections::BTreeMap, rc::Rc};

use wb_comm::{
    Assertion, CallSite, Error, LockKind, Rank, RankCall, Result, Rule, Text, Violation, text::epoch,
};

use super::{epoch_footprint::EpochFootprint, epoch_summary::EpochSummary};

/// The rule for a local store and another rank's put in one exposure epoch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MemoryModel {
    /// One copy of the window: accesses conflict on the same elements (`MPI_WIN_UNIFIED`: MPICH, Open MPI and
    /// threads).
    #[default]
    Unified,
    /// Perhaps two copies of the window: accesses conflict even on different elements (`MPI_WIN_SEPARATE`). A program that obeys
    /// this rule is correct under both models.
    Separate,
}

/// The parts that this rank may access.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum AccessState {
    /// No part, since that call.
    None { since: CallSite },
    /// No part until the next fence: `by` has replaced the candidate epoch of `fence`.
    Cancelled { fence: CallSite, by: CallSite },
    /// Every part, from the first access on.
    Candidate { fence: CallSite },
    /// Every part.
    Fence { fence: CallSite, first: CallSite },
    /// The parts of these targets.
    Started { start: CallSite, targets: Vec<Rank> },
    /// The parts of the locked ranks, each since that call.
    Locked(BTreeMap<Rank, (LockKind, CallSite)>),
    /// Every part.
    LockedAll { lock: CallSite },
}

/// The ranks that may access this rank's part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ExposureState {
    /// No rank.
    None,
    /// Every rank, from the first access on.
    Candidate,
    /// Every rank.
    Fence { fence: CallSite },
    /// These ranks.
    Posted { post: CallSite, origins: Vec<Rank> },
}

/// An epoch whose guard was dropped without a call that ends it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DroppedEpoch {
    Access,
    Exposure,
    Lock(Rank),
}

/// The state of an access: true once the end of its epoch or a flush has completed it.
pub(crate) type CompletionFlag = Rc<Cell<bool>>;

/// The epochs of one rank on one window (see the module).
#[derive(Debug)]
pub(crate) struct EpochStateMachine {
    rank: Rank,
    size: usize,
    pub(crate) model: MemoryModel,
    pub(crate) access: AccessState,
    pub(crate) exposure: ExposureState,
    /// This rank's accesses to other parts that are not complete at the target.
    remote_accesses: BTreeMap<Rank, EpochFootprint>,
    /// This rank's accesses to its own part since the last synchronisation.
    pub(crate) own_accesses: EpochFootprint,
    /// The last local store since the last synchronisation.
    last_store: Option<CallSite>,
    pending: Vec<(Rank, CompletionFlag)>,
    dropped_epoch: Option<(DroppedEpoch, CallSite)>,
    /// The fence whose candidate epoch was replaced, and the call that replaced it.
    replaced_fence: Option<(CallSite, CallSite)>,
    /// The first access of the epoch that replaced it.
    enclosed_access: Option<CallSite>,
    /// The number of its fences, and a hash of their assertions.
    pub(crate) fence_count: u64,
    fence_hash: u64,
    /// The numbers of its starts to each rank, and of its posts.
    starts: Vec<u64>,
    posts: Vec<u64>,
    freed_at: Option<CallSite>,
}

impl EpochStateMachine {
    /// The state outside of all epochs, on a window that was made at `site`.
    pub(crate) fn new(rank: Rank, size: usize, model: MemoryModel, site: CallSite) -> Self {
        Self {
            rank,
            size,
            model,
            access: AccessState::None { since: site },
            exposure: ExposureState::None,
            remote_accesses: BTreeMap::new(),
            own_accesses: EpochFootprint::default(),
            last_store: None,
            pending: vec![],
            dropped_epoch: None,
            replaced_fence: None,
            enclosed_access: None,
            fence_count: 0,
            fence_hash: 0,
            starts: vec![0; size],
            posts: vec![0; size],
            freed_at: None,
        }
    }

    /// A violation by this rank.
    fn violation(
        &self,
        rule: Rule,
        site: CallSite,
        earlier: Option<CallSite>,
        situation: Text,
        allowed: Text,
    ) -> Error {
        let call = |site| RankCall { rank: self.rank, site };
        let earlier = earlier.map(call);
        Error::Epoch(Box::new(Violation { rule, call: call(site), earlier, situation, allowed }))
    }

    /// Refuses every call on a window that is freed, or whose guard was dropped with its epoch open.
    fn check_usable(&self, site: CallSite) -> Result<()> {
        self.check_not_freed(site)?;
        let Some((dropped, opened)) = self.dropped_epoch else { return Ok(()) };
        let (end, allowed) = match dropped {
            DroppedEpoch::Access => ("complete", epoch::end_with("raw().complete()")),
            DroppedEpoch::Exposure => ("wait", epoch::end_with("raw().wait()")),
            DroppedEpoch::Lock(_) => {
                ("unlock", epoch::end_with_either("raw().unlock(target)", "raw().unlock_all()"))
            }
        };
        Err(self.violation(Rule::Paired, site, Some(opened), epoch::guard_dropped(end), allowed))
    }

    /// Refuses every call on a window that is freed.
    pub(crate) fn check_not_freed(&self, site: CallSite) -> Result<()> {
        let Some(freed) = self.freed_at else { return Ok(()) };
        Err(self.violation(Rule::Free, site, Some(freed), epoch::freed(), epoch::make_another()))
    }

    /// The call that opened the open access epoch, or the last one that ended or cancelled one.
    pub(crate) fn access_site(&self) -> CallSite {
        match &self.access {
            AccessState::None { since } => *since,
            AccessState::Cancelled { by, .. } => *by,
            AccessState::Candidate { fence } => *fence,
            AccessState::Fence { first, .. } => *first,
            AccessState::Started { start, .. } => *start,
            AccessState::Locked(locks) => locks.values().next().expect("a lock is held").1,
            AccessState::LockedAll { lock } => *lock,
        }
    }

    /// The state of the access epoch, for display.
    fn describe_access(&self) -> Text {
        match &self.access {
            AccessState::None { .. } => epoch::no_access_epoch(),
            AccessState::Cancelled { fence, .. } => epoch::replaced(fence.to_string()),
            AccessState::Candidate { .. } => epoch::fence_without_access(),
            AccessState::Fence { .. } => epoch::fence_open(),
            AccessState::Started { targets, .. } => epoch::started(&targets[..]),
            AccessState::Locked(locks) => epoch::locked(&locks.keys().copied().collect::<Vec<_>>()[..]),
            AccessState::LockedAll { .. } => epoch::all_locked(),
        }
    }

    fn check_ranks(&self, role: &'static str, ranks: &[Rank]) -> Result<()> {
        let Some(&rank) = ranks.iter().find(|rank| **rank >= self.size) else { return Ok(()) };
        Err(Error::invalid_rank(role, rank, self.size))
    }

    /// Refuses assertions that the call does not take, and those that are false according to this rank's state.
    fn check_assertion(&self, given: Assertion, taken: Assertion, site: CallSite) -> Result<()> {
        let flags = |a: Assertion| {
            [
                ("NOCHECK", a.no_check),
                ("NOSTORE", a.no_store),
                ("NOPUT", a.no_put),
                ("NOPRECEDE", a.no_precede),
                ("NOSUCCEED", a.no_succeed),
            ]
        };
        let foreign =
            flags(given).into_iter().zip(flags(taken)).find(|((_, given), (_, taken))| *given && !taken);
        if let Some(((name, _), _)) = foreign {
            let situation = epoch::not_taken(site.verb.name(), name);
            return Err(self.violation(
                Rule::Assertions,
                site,
                None,
                situation,
                epoch::leave_assertion_out(),
            ));
        }
        if let Some(stored) = self.last_store.filter(|_| given.no_store) {
            let (situation, allowed) = (epoch::nostore_untrue(), epoch::leave_out("NOSTORE"));
            return Err(self.violation(Rule::Assertions, site, Some(stored), situation, allowed));
        }
        Ok(())
    }

    /// Records that a guard was dropped with its epoch open. No MPI call is made, so this cannot hang.
    pub(crate) fn guard_dropped(&mut self, what: DroppedEpoch) {
        let site = match (what, &self.access, &self.exposure) {
            (DroppedEpoch::Access, AccessState::Started { start, .. }, _) => Some(*start),
            (DroppedEpoch::Exposure, _, ExposureState::Posted { post, .. }) => Some(*post),
            (DroppedEpoch::Lock(target), AccessState::Locked(locks), _) => {
                locks.get(&target).map(|(_, site)| *site)
            }
            (DroppedEpoch::Lock(_), AccessState::LockedAll { lock }, _) => Some(*lock),
            _ => None,
        };
        self.dropped_epoch = self.dropped_epoch.or(site.map(|site| (what, site)));
    }

    /// The accesses to `target` (`None`: to all) are complete at both ends.
    fn complete_accesses(&mut self, target: Option<Rank>) {
        match target {
            Some(target) => drop(self.remote_accesses.remove(&target)),
            None => self.remote_accesses.clear(),
        }
        self.complete_locally(target);
    }

    /// The accesses to `target` (`None`: to all) are complete at the origin: tickets can be read.
    pub(crate) fn complete_locally(&mut self, target: Option<Rank>) {
        self.pending.retain(|(of, done)| {
            let ends = target.is_none_or(|target| target == *of);
            if ends {
                done.set(true);
            }
            !ends
        });
    }

    /// The rank's summary when the window is freed.
    pub(crate) fn summary(&self, outside: bool) -> EpochSummary {
        let (starts, posts) = (self.starts.clone(), self.posts.clone());
        EpochSummary { is_outside: outside, fence_hash: self.fence_hash, starts, posts }
    }

    pub(crate) fn count_start(&mut self, targets: &[Rank]) {
        targets.iter().for_each(|target| self.starts[*target] += 1);
    }

    pub(crate) fn count_post(&mut self, origins: &[Rank]) {
        origins.iter().for_each(|origin| self.posts[*origin] += 1);
    }

    /// An epoch other than the fence's begins.
    fn replace_candidate(&mut self, by: CallSite) {
        if let AccessState::Candidate { fence } = self.access {
            self.replaced_fence = Some((fence, by));
        }
    }

    /// Ends the access epoch.
    fn end_access(&mut self, since: CallSite) {
        self.access = match self.replaced_fence {
            Some((fence, by)) => AccessState::Cancelled { fence, by },
            None => AccessState::None { since },
        };
    }

    /// A synchronisation of this rank's own part: its earlier accesses there no longer conflict.
    fn synchronize(&mut self) {
        self.own_accesses = EpochFootprint::default();
        self.last_store = None;
    }
}

#[cfg(test)]
mod tests;

//! The synchronisation verbs: the state that each requires, and the state that it leads to.
use std::collections::BTreeMap;

use wb_comm::{Assertion, CallSite, LockKind, Rank, Result, Rule, text::epoch};

use super::{AccessState, DroppedEpoch, EpochStateMachine, ExposureState};

const NO_CHECK: Assertion =
    Assertion { no_check: true, no_store: false, no_put: false, no_precede: false, no_succeed: false };

impl EpochStateMachine {
    /// Ends the fence epoch that may be open and opens the next one, unless NOSUCCEED says that there is none.
    pub(crate) fn fence(&mut self, assertion: Assertion, site: CallSite) -> Result<()> {
        self.check_usable(site)?;
        let taken =
            Assertion { no_store: true, no_put: true, no_precede: true, no_succeed: true, no_check: false };
        self.check_assertion(assertion, taken, site)?;
        if let ExposureState::Posted { post, origins } = &self.exposure {
            let situation = epoch::posted(&origins[..]);
            return Err(self.violation(
                Rule::FenceAlone,
                site,
                Some(*post),
                situation,
                epoch::first_either("wait", "test"),
            ));
        }
        if matches!(
            self.access,
            AccessState::Started { .. } | AccessState::Locked(_) | AccessState::LockedAll { .. }
        ) {
            let allowed = epoch::first_either("complete", "unlock");
            return Err(self.violation(
                Rule::FenceAlone,
                site,
                Some(self.access_site()),
                self.describe_access(),
                allowed,
            ));
        }
        if let (AccessState::Fence { first, .. }, true) = (&self.access, assertion.no_precede) {
            let (situation, allowed) = (epoch::noprecede_untrue(), epoch::leave_out("NOPRECEDE"));
            return Err(self.violation(Rule::Assertions, site, Some(*first), situation, allowed));
        }
        self.check_encloses_nothing(assertion, site)?;
        self.complete_accesses(None);
        self.synchronize();
        (self.replaced_fence, self.enclosed_access) = (None, None);
        self.fence_count += 1;
        let promises = u64::from(assertion.no_precede) + 2 * u64::from(assertion.no_succeed);
        self.fence_hash = self.fence_hash.wrapping_mul(31).wrapping_add(promises + 1);
        (self.access, self.exposure) = match assertion.no_succeed {
            true => (AccessState::None { since: site }, ExposureState::None),
            false => (AccessState::Candidate { fence: site }, ExposureState::Candidate),
        };
        Ok(())
    }

    /// Refuses a fence that makes an epoch around another one. Two fences with accesses between them begin and end an
    /// access epoch, and an exposure epoch at the targets, regardless of other calls between them (MPI 4.1, 12.5.1).
    /// Access epochs of a process are disjoint (12.5), and a part is not locked while it is exposed (12.5.3). NOSUCCEED
    /// on the first fence, or NOPRECEDE on this one, says that there is no such epoch.
    fn check_encloses_nothing(&self, assertion: Assertion, site: CallSite) -> Result<()> {
        let (Some((fence, by)), Some(access)) = (self.replaced_fence, self.enclosed_access) else {
            return Ok(());
        };
        if assertion.no_precede {
            return Ok(());
        }
        let (situation, allowed) = (
            epoch::enclosed(access.to_string(), by.to_string(), fence.to_string()),
            epoch::no_epoch_around(),
        );
        Err(self.violation(Rule::FenceCandidate, site, Some(access), situation, allowed))
    }

    /// Opens this rank's part to `origins`.
    pub(crate) fn post(&mut self, origins: &[Rank], assertion: Assertion, site: CallSite) -> Result<()> {
        self.check_usable(site)?;
        self.check_ranks("origin", origins)?;
        self.check_assertion(assertion, Assertion { no_store: true, no_put: true, ..NO_CHECK }, site)?;
        let refused =
            |rule, earlier, situation, allowed| Err(self.violation(rule, site, earlier, situation, allowed));
        match &self.exposure {
            ExposureState::Posted { post, origins } => {
                let situation = epoch::posted(&origins[..]);
                return refused(
                    Rule::ExposureDisjoint,
                    Some(*post),
                    situation,
                    epoch::first_either("wait", "test"),
                );
            }
            ExposureState::Fence { fence } => {
                let situation = epoch::fence_exposed();
                return refused(
                    Rule::ExposureDisjoint,
                    Some(*fence),
                    situation,
                    epoch::first_another_fence(),
                );
            }
            ExposureState::None | ExposureState::Candidate => {}
        }
        if let Some(lock) = self.own_lock() {
            let situation = epoch::own_lock();
            return refused(Rule::LockOrPost, Some(lock), situation, epoch::first("unlock"));
        }
        self.synchronize();
        self.exposure = ExposureState::Posted { post: site, origins: origins.to_vec() };
        Ok(())
    }

    /// The lock that this rank holds on its own part.
    fn own_lock(&self) -> Option<CallSite> {
        match &self.access {
            AccessState::Locked(locks) => locks.get(&self.rank).map(|(_, site)| *site),
            AccessState::LockedAll { lock } => Some(*lock),
            _ => None,
        }
    }

    /// Ends the epoch that post began; returns its origins.
    pub(crate) fn wait(&self, site: CallSite) -> Result<Vec<Rank>> {
        self.check_not_freed(site)?;
        match &self.exposure {
            ExposureState::Posted { origins, .. } => Ok(origins.clone()),
            _ => {
                let (earlier, situation) = (Some(self.access_site()), epoch::no_post());
                Err(self.violation(Rule::Paired, site, earlier, situation, epoch::first("post")))
            }
        }
    }

    /// The wait has returned, or the test has returned true.
    pub(crate) fn wait_returned(&mut self) {
        self.exposure = ExposureState::None;
        self.epoch_closed(|dropped| dropped == DroppedEpoch::Exposure);
        self.synchronize();
    }

    /// Opens access to `targets`.
    pub(crate) fn start(&mut self, targets: &[Rank], assertion: Assertion, site: CallSite) -> Result<()> {
        self.check_usable(site)?;
        self.check_ranks("target", targets)?;
        self.check_assertion(assertion, NO_CHECK, site)?;
        self.check_can_open_access(site)?;
        self.replace_candidate(site);
        self.access = AccessState::Started { start: site, targets: targets.to_vec() };
        Ok(())
    }

    /// Checks that no access epoch is open, except one that a new epoch may replace.
    fn check_can_open_access(&self, site: CallSite) -> Result<()> {
        let allowed = match &self.access {
            AccessState::None { .. } | AccessState::Cancelled { .. } | AccessState::Candidate { .. } => {
                return Ok(());
            }
            AccessState::Fence { .. } => epoch::first_another_fence(),
            AccessState::Started { .. } => epoch::first("complete"),
            AccessState::Locked(_) => epoch::first_unlock_or_other(),
            AccessState::LockedAll { .. } => epoch::first("unlock_all"),
        };
        Err(self.violation(
            Rule::AccessDisjoint,
            site,
            Some(self.access_site()),
            self.describe_access(),
            allowed,
        ))
    }

    /// Ends the epoch that start began; returns its targets.
    pub(crate) fn complete(&mut self, site: CallSite) -> Result<Vec<Rank>> {
        self.check_not_freed(site)?;
        let AccessState::Started { targets, .. } = &self.access else {
            let earlier = Some(self.access_site());
            return Err(self.violation(
                Rule::Paired,
                site,
                earlier,
                self.describe_access(),
                epoch::first("start"),
            ));
        };
        let targets = targets.clone();
        self.complete_accesses(None);
        self.end_access(site);
        self.epoch_closed(|dropped| dropped == DroppedEpoch::Access);
        Ok(targets)
    }

    /// Whether `target` may be locked. The state changes only in [`locked`](Self::locked).
    pub(crate) fn lock(&self, target: Rank, assertion: Assertion, site: CallSite) -> Result<()> {
        self.check_usable(site)?;
        self.check_ranks("target", &[target])?;
        self.check_assertion(assertion, NO_CHECK, site)?;
        match &self.access {
            AccessState::Locked(locks) if !locks.contains_key(&target) => {}
            AccessState::Locked(locks) => {
                let situation = epoch::locked_by_me(target);
                let earlier = locks.get(&target).map(|(_, site)| *site);
                let allowed = epoch::first_unlock_it_or_other();
                return Err(self.violation(Rule::AccessDisjoint, site, earlier, situation, allowed));
            }
            _ => self.check_can_open_access(site)?,
        }
        self.check_not_exposed(target == self.rank, site)
    }

    fn check_not_exposed(&self, locks_me: bool, site: CallSite) -> Result<()> {
        match &self.exposure {
            ExposureState::Posted { post, origins } if locks_me => {
                let situation = epoch::posted(&origins[..]);
                Err(self.violation(
                    Rule::LockOrPost,
                    site,
                    Some(*post),
                    situation,
                    epoch::first_either("wait", "test"),
                ))
            }
            _ => Ok(()),
        }
    }

    /// Records that `target` is locked.
    pub(crate) fn locked(&mut self, kind: LockKind, target: Rank, site: CallSite) {
        if target == self.rank {
            self.synchronize();
        }
        self.replace_candidate(site);
        if let AccessState::Locked(locks) = &mut self.access {
            locks.insert(target, (kind, site));
        } else {
            self.access = AccessState::Locked(BTreeMap::from([(target, (kind, site))]));
        }
    }

    /// Whether `target` is locked, so that it can be unlocked.
    pub(crate) fn unlock(&self, target: Rank, site: CallSite) -> Result<()> {
        self.check_not_freed(site)?;
        match &self.access {
            AccessState::Locked(locks) if locks.contains_key(&target) => Ok(()),
            _ => {
                let situation = epoch::is_for(self.describe_access(), target);
                let earlier = Some(self.access_site());
                Err(self.violation(Rule::Paired, site, earlier, situation, epoch::first_lock_that()))
            }
        }
    }

    /// Records that `target` is unlocked.
    pub(crate) fn unlocked(&mut self, target: Rank, site: CallSite) {
        self.complete_accesses(Some(target));
        if target == self.rank {
            self.synchronize();
        }
        if let AccessState::Locked(locks) = &mut self.access {
            locks.remove(&target);
            if locks.is_empty() {
                self.end_access(site);
            }
        }
        self.epoch_closed(|dropped| dropped == DroppedEpoch::Lock(target));
    }

    /// Whether all may be locked. The state changes only in [`locked_all`](Self::locked_all).
    pub(crate) fn lock_all(&self, assertion: Assertion, site: CallSite) -> Result<()> {
        self.check_usable(site)?;
        self.check_assertion(assertion, NO_CHECK, site)?;
        self.check_can_open_access(site)?;
        self.check_not_exposed(true, site)
    }

    pub(crate) fn locked_all(&mut self, site: CallSite) {
        self.synchronize();
        self.replace_candidate(site);
        self.access = AccessState::LockedAll { lock: site };
    }

    /// Whether all are locked, so that they can be unlocked.
    pub(crate) fn unlock_all(&self, site: CallSite) -> Result<()> {
        self.check_not_freed(site)?;
        match self.access {
            AccessState::LockedAll { .. } => Ok(()),
            _ => {
                let earlier = Some(self.access_site());
                Err(self.violation(
                    Rule::Paired,
                    site,
                    earlier,
                    self.describe_access(),
                    epoch::first("lock_all"),
                ))
            }
        }
    }

    pub(crate) fn unlocked_all(&mut self, site: CallSite) {
        self.complete_accesses(None);
        self.synchronize();
        self.end_access(site);
        self.epoch_closed(|dropped| matches!(dropped, DroppedEpoch::Lock(_)));
    }

    /// Whether there is a lock of `target` (`None`: any) whose accesses can be completed.
    pub(crate) fn flush(&self, target: Option<Rank>, site: CallSite) -> Result<()> {
        self.check_usable(site)?;
        match (&self.access, target) {
            (AccessState::LockedAll { .. }, None) | (AccessState::Locked(_), None) => Ok(()),
            (AccessState::LockedAll { .. }, Some(target)) => self.check_ranks("target", &[target]),
            (AccessState::Locked(locks), Some(target)) if locks.contains_key(&target) => Ok(()),
            _ => {
                let earlier = Some(self.access_site());
                Err(self.violation(
                    Rule::Paired,
                    site,
                    earlier,
                    self.describe_access(),
                    epoch::first_lock_target(),
                ))
            }
        }
    }

    /// The accesses are complete at both ends.
    pub(crate) fn flushed(&mut self, target: Option<Rank>) {
        self.complete_accesses(target);
        if target.is_none_or(|target| target == self.rank) {
            self.own_accesses = Default::default();
        }
    }

    /// Synchronises the public and the private copy.
    pub(crate) fn sync(&mut self, site: CallSite) -> Result<()> {
        self.check_usable(site)?;
        self.own_accesses = Default::default();
        Ok(())
    }

    /// Whether the window may be freed.
    pub(crate) fn check_free(&self, site: CallSite) -> Result<()> {
        self.check_usable(site)?;
        if let ExposureState::Posted { post, origins } = &self.exposure {
            let situation = epoch::posted(&origins[..]);
            return Err(self.violation(
                Rule::Free,
                site,
                Some(*post),
                situation,
                epoch::first_either("wait", "test"),
            ));
        }
        let allowed = match &self.access {
            AccessState::None { .. } | AccessState::Cancelled { .. } | AccessState::Candidate { .. } => {
                return Ok(());
            }
            AccessState::Fence { .. } => epoch::first_another_fence(),
            AccessState::Started { .. } => epoch::first("complete"),
            AccessState::Locked(_) | AccessState::LockedAll { .. } => epoch::first("unlock"),
        };
        Err(self.violation(Rule::Free, site, Some(self.access_site()), self.describe_access(), allowed))
    }

    /// The window is freed.
    pub(crate) fn set_freed(&mut self, site: CallSite) {
        self.freed_at = Some(site);
    }

    fn epoch_closed(&mut self, which: impl Fn(DroppedEpoch) -> bool) {
        self.dropped_epoch = self.dropped_epoch.filter(|(dropped, _)| !which(*dropped));
    }
}

//! The verbs of synchronisation: what each asks of the state, and what it makes of it.
use std::collections::BTreeMap;

use wb_comm::{Assertion, LockKind, Rank, Result, Rule, Site, text::epoch};

use super::{Access, Dropped, Exposure, Machine};

const NO_CHECK: Assertion =
    Assertion { no_check: true, no_store: false, no_put: false, no_precede: false, no_succeed: false };

impl Machine {
    /// Ends the fence epoch that may be open and opens the next one, unless NOSUCCEED says that there is none.
    pub(crate) fn fence(&mut self, assertion: Assertion, site: Site) -> Result<()> {
        self.alive(site)?;
        let taken =
            Assertion { no_store: true, no_put: true, no_precede: true, no_succeed: true, no_check: false };
        self.check_assertion(assertion, taken, site)?;
        if let Exposure::Posted { post, origins } = &self.exposure {
            let situation = epoch::posted(&origins[..]);
            return Err(self.broken(
                Rule::FenceAlone,
                site,
                Some(*post),
                situation,
                epoch::first_either("wait", "test"),
            ));
        }
        if matches!(self.access, Access::Started { .. } | Access::Locked(_) | Access::LockedAll { .. }) {
            let allowed = epoch::first_either("complete", "unlock");
            return Err(self.broken(
                Rule::FenceAlone,
                site,
                Some(self.access_site()),
                self.standing(),
                allowed,
            ));
        }
        if let (Access::Fence { first, .. }, true) = (&self.access, assertion.no_precede) {
            let (situation, allowed) = (epoch::noprecede_untrue(), epoch::leave_out("NOPRECEDE"));
            return Err(self.broken(Rule::Assertions, site, Some(*first), situation, allowed));
        }
        self.encloses_nothing(assertion, site)?;
        self.completed(None);
        self.synchronised();
        (self.replaced, self.enclosed) = (None, None);
        self.fences += 1;
        let said = u64::from(assertion.no_precede) + 2 * u64::from(assertion.no_succeed);
        self.fence_hash = self.fence_hash.wrapping_mul(31).wrapping_add(said + 1);
        (self.access, self.exposure) = match assertion.no_succeed {
            true => (Access::None { since: site }, Exposure::None),
            false => (Access::Candidate { fence: site }, Exposure::Candidate),
        };
        Ok(())
    }

    /// Refuses a fence that makes an epoch around another one. Two fences with accesses between them begin and end an access
    /// epoch, and an exposure epoch at the targets, whatever else was called between them (MPI 4.1, 12.5.1); access epochs of
    /// a process are disjoint (12.5), and a part is not locked while it is exposed (12.5.3). NOSUCCEED on the first fence, or
    /// NOPRECEDE on this one, says that there is no such epoch.
    fn encloses_nothing(&self, assertion: Assertion, site: Site) -> Result<()> {
        let (Some((fence, by)), Some(access)) = (self.replaced, self.enclosed) else { return Ok(()) };
        if assertion.no_precede {
            return Ok(());
        }
        let (situation, allowed) = (
            epoch::enclosed(access.to_string(), by.to_string(), fence.to_string()),
            epoch::no_epoch_around(),
        );
        Err(self.broken(Rule::FenceCandidate, site, Some(access), situation, allowed))
    }

    /// Opens this rank's part to `origins`.
    pub(crate) fn post(&mut self, origins: &[Rank], assertion: Assertion, site: Site) -> Result<()> {
        self.alive(site)?;
        self.check_ranks("origin", origins)?;
        self.check_assertion(assertion, Assertion { no_store: true, no_put: true, ..NO_CHECK }, site)?;
        let refused =
            |rule, earlier, situation, allowed| Err(self.broken(rule, site, earlier, situation, allowed));
        match &self.exposure {
            Exposure::Posted { post, origins } => {
                let situation = epoch::posted(&origins[..]);
                return refused(
                    Rule::ExposureDisjoint,
                    Some(*post),
                    situation,
                    epoch::first_either("wait", "test"),
                );
            }
            Exposure::Fence { fence } => {
                let situation = epoch::fence_exposed();
                return refused(
                    Rule::ExposureDisjoint,
                    Some(*fence),
                    situation,
                    epoch::first_another_fence(),
                );
            }
            Exposure::None | Exposure::Candidate => {}
        }
        if let Some(lock) = self.own_lock() {
            let situation = epoch::own_lock();
            return refused(Rule::LockOrPost, Some(lock), situation, epoch::first("unlock"));
        }
        self.synchronised();
        self.exposure = Exposure::Posted { post: site, origins: origins.to_vec() };
        Ok(())
    }

    /// The open lock of this rank's own part.
    fn own_lock(&self) -> Option<Site> {
        match &self.access {
            Access::Locked(locks) => locks.get(&self.rank).map(|(_, site)| *site),
            Access::LockedAll { lock } => Some(*lock),
            _ => None,
        }
    }

    /// Ends what post began; gives its origins.
    pub(crate) fn wait(&self, site: Site) -> Result<Vec<Rank>> {
        self.exists(site)?;
        match &self.exposure {
            Exposure::Posted { origins, .. } => Ok(origins.clone()),
            _ => {
                let (earlier, situation) = (Some(self.access_site()), epoch::no_post());
                Err(self.broken(Rule::Paired, site, earlier, situation, epoch::first("post")))
            }
        }
    }

    /// The wait has returned, or the test has said yes.
    pub(crate) fn waited(&mut self) {
        self.exposure = Exposure::None;
        self.closed(|dropped| dropped == Dropped::Exposure);
        self.synchronised();
    }

    /// Opens access to `targets`.
    pub(crate) fn start(&mut self, targets: &[Rank], assertion: Assertion, site: Site) -> Result<()> {
        self.alive(site)?;
        self.check_ranks("target", targets)?;
        self.check_assertion(assertion, NO_CHECK, site)?;
        self.may_open_access(site)?;
        self.replace_candidate(site);
        self.access = Access::Started { start: site, targets: targets.to_vec() };
        Ok(())
    }

    /// Is no access epoch open that a new one could not take the place of?
    fn may_open_access(&self, site: Site) -> Result<()> {
        let allowed = match &self.access {
            Access::None { .. } | Access::Cancelled { .. } | Access::Candidate { .. } => return Ok(()),
            Access::Fence { .. } => epoch::first_another_fence(),
            Access::Started { .. } => epoch::first("complete"),
            Access::Locked(_) => epoch::first_unlock_or_other(),
            Access::LockedAll { .. } => epoch::first("unlock_all"),
        };
        Err(self.broken(Rule::AccessDisjoint, site, Some(self.access_site()), self.standing(), allowed))
    }

    /// Ends what start began; gives its targets.
    pub(crate) fn complete(&mut self, site: Site) -> Result<Vec<Rank>> {
        self.exists(site)?;
        let Access::Started { targets, .. } = &self.access else {
            let earlier = Some(self.access_site());
            return Err(self.broken(Rule::Paired, site, earlier, self.standing(), epoch::first("start")));
        };
        let targets = targets.clone();
        self.completed(None);
        self.ended(site);
        self.closed(|dropped| dropped == Dropped::Access);
        Ok(targets)
    }

    /// May `target` be locked? Nothing changes before [`locked`](Self::locked).
    pub(crate) fn lock(&self, target: Rank, assertion: Assertion, site: Site) -> Result<()> {
        self.alive(site)?;
        self.check_ranks("target", &[target])?;
        self.check_assertion(assertion, NO_CHECK, site)?;
        match &self.access {
            Access::Locked(locks) if !locks.contains_key(&target) => {}
            Access::Locked(locks) => {
                let situation = epoch::locked_by_me(target);
                let earlier = locks.get(&target).map(|(_, site)| *site);
                let allowed = epoch::first_unlock_it_or_other();
                return Err(self.broken(Rule::AccessDisjoint, site, earlier, situation, allowed));
            }
            _ => self.may_open_access(site)?,
        }
        self.not_exposed(target == self.rank, site)
    }

    fn not_exposed(&self, locks_me: bool, site: Site) -> Result<()> {
        match &self.exposure {
            Exposure::Posted { post, origins } if locks_me => {
                let situation = epoch::posted(&origins[..]);
                Err(self.broken(
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

    /// `target` is locked.
    pub(crate) fn locked(&mut self, kind: LockKind, target: Rank, site: Site) {
        if target == self.rank {
            self.synchronised();
        }
        self.replace_candidate(site);
        if let Access::Locked(locks) = &mut self.access {
            locks.insert(target, (kind, site));
        } else {
            self.access = Access::Locked(BTreeMap::from([(target, (kind, site))]));
        }
    }

    /// Is `target` locked, so that it can be unlocked?
    pub(crate) fn unlock(&self, target: Rank, site: Site) -> Result<()> {
        self.exists(site)?;
        match &self.access {
            Access::Locked(locks) if locks.contains_key(&target) => Ok(()),
            _ => {
                let situation = epoch::is_for(self.standing(), target);
                let earlier = Some(self.access_site());
                Err(self.broken(Rule::Paired, site, earlier, situation, epoch::first_lock_that()))
            }
        }
    }

    /// `target` is unlocked.
    pub(crate) fn unlocked(&mut self, target: Rank, site: Site) {
        self.completed(Some(target));
        if target == self.rank {
            self.synchronised();
        }
        if let Access::Locked(locks) = &mut self.access {
            locks.remove(&target);
            if locks.is_empty() {
                self.ended(site);
            }
        }
        self.closed(|dropped| dropped == Dropped::Lock(target));
    }

    /// May all be locked? Nothing changes before [`locked_all`](Self::locked_all).
    pub(crate) fn lock_all(&self, assertion: Assertion, site: Site) -> Result<()> {
        self.alive(site)?;
        self.check_assertion(assertion, NO_CHECK, site)?;
        self.may_open_access(site)?;
        self.not_exposed(true, site)
    }

    /// All are locked.
    pub(crate) fn locked_all(&mut self, site: Site) {
        self.synchronised();
        self.replace_candidate(site);
        self.access = Access::LockedAll { lock: site };
    }

    /// Are all locked, so that they can be unlocked?
    pub(crate) fn unlock_all(&self, site: Site) -> Result<()> {
        self.exists(site)?;
        match self.access {
            Access::LockedAll { .. } => Ok(()),
            _ => {
                let earlier = Some(self.access_site());
                Err(self.broken(Rule::Paired, site, earlier, self.standing(), epoch::first("lock_all")))
            }
        }
    }

    /// All are unlocked.
    pub(crate) fn unlocked_all(&mut self, site: Site) {
        self.completed(None);
        self.synchronised();
        self.ended(site);
        self.closed(|dropped| matches!(dropped, Dropped::Lock(_)));
    }

    /// Is there a lock of `target` (`None`: any) whose accesses can be completed?
    pub(crate) fn flush(&self, target: Option<Rank>, site: Site) -> Result<()> {
        self.alive(site)?;
        match (&self.access, target) {
            (Access::LockedAll { .. }, None) | (Access::Locked(_), None) => Ok(()),
            (Access::LockedAll { .. }, Some(target)) => self.check_ranks("target", &[target]),
            (Access::Locked(locks), Some(target)) if locks.contains_key(&target) => Ok(()),
            _ => {
                let earlier = Some(self.access_site());
                Err(self.broken(Rule::Paired, site, earlier, self.standing(), epoch::first_lock_target()))
            }
        }
    }

    /// The accesses are complete at both ends.
    pub(crate) fn flushed(&mut self, target: Option<Rank>) {
        self.completed(target);
        if target.is_none_or(|target| target == self.rank) {
            self.own = Default::default();
        }
    }

    /// The public and the private copy are one again.
    pub(crate) fn sync(&mut self, site: Site) -> Result<()> {
        self.alive(site)?;
        self.own = Default::default();
        Ok(())
    }

    /// May the window be given up?
    pub(crate) fn may_free(&self, site: Site) -> Result<()> {
        self.alive(site)?;
        if let Exposure::Posted { post, origins } = &self.exposure {
            let situation = epoch::posted(&origins[..]);
            return Err(self.broken(
                Rule::Free,
                site,
                Some(*post),
                situation,
                epoch::first_either("wait", "test"),
            ));
        }
        let allowed = match &self.access {
            Access::None { .. } | Access::Cancelled { .. } | Access::Candidate { .. } => return Ok(()),
            Access::Fence { .. } => epoch::first_another_fence(),
            Access::Started { .. } => epoch::first("complete"),
            Access::Locked(_) | Access::LockedAll { .. } => epoch::first("unlock"),
        };
        Err(self.broken(Rule::Free, site, Some(self.access_site()), self.standing(), allowed))
    }

    /// The window is gone.
    pub(crate) fn freed(&mut self, site: Site) {
        self.freed = Some(site);
    }

    fn closed(&mut self, which: impl Fn(Dropped) -> bool) {
        self.dropped = self.dropped.filter(|(dropped, _)| !which(*dropped));
    }
}

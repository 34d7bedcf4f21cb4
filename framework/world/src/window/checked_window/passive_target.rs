//! Passive target communication: locks and flushes.
use super::*;

impl CheckedWindow {
    pub(crate) fn lock(
        &self,
        kind: LockKind,
        target: Rank,
        assertion: Assertion,
        site: CallSite,
    ) -> Result<()> {
        self.run_local(site, || {
            self.epochs().lock(target, assertion, site)?;
            let (call, targets) = (self.rank_call(site), target..target + 1);
            if let Some(shared) = &self.shared_epochs {
                shared.lock().check_lock(call, targets.clone(), kind, assertion.no_check)?;
            }
            self.backend(|backend| backend.lock(kind, target, assertion, site))?;
            if let Some(shared) = &self.shared_epochs {
                let checked = shared.lock().record_lock(call, targets, kind);
                checked.or_else(|refused| {
                    self.backend(|backend| backend.unlock(target, site))?;
                    Err(refused)
                })?;
            }
            self.epochs().locked(kind, target, site);
            Ok(())
        })
    }

    pub(crate) fn unlock(&self, target: Rank, site: CallSite) -> Result<()> {
        self.run_local(site, || {
            self.epochs().unlock(target, site)?;
            if let Some(shared) = &self.shared_epochs {
                shared.lock().record_unlock(self.rank, target..target + 1);
            }
            self.backend(|backend| backend.unlock(target, site))?;
            self.epochs().unlocked(target, site);
            Ok(())
        })
    }

    pub(crate) fn lock_all(&self, assertion: Assertion, site: CallSite) -> Result<()> {
        self.run_local(site, || {
            self.epochs().lock_all(assertion, site)?;
            let (call, all, kind) = (self.rank_call(site), 0..self.size, LockKind::Shared);
            if let Some(shared) = &self.shared_epochs {
                shared.lock().check_lock(call, all.clone(), kind, assertion.no_check)?;
            }
            self.backend(|backend| backend.lock_all(assertion, site))?;
            if let Some(shared) = &self.shared_epochs {
                let checked = shared.lock().record_lock(call, all, kind);
                checked.or_else(|refused| {
                    self.backend(|backend| backend.unlock_all(site))?;
                    Err(refused)
                })?;
            }
            self.epochs().locked_all(site);
            Ok(())
        })
    }

    pub(crate) fn unlock_all(&self, site: CallSite) -> Result<()> {
        self.run_local(site, || {
            self.epochs().unlock_all(site)?;
            if let Some(shared) = &self.shared_epochs {
                shared.lock().record_unlock(self.rank, 0..self.size);
            }
            self.backend(|backend| backend.unlock_all(site))?;
            self.epochs().unlocked_all(site);
            Ok(())
        })
    }

    pub(crate) fn flush(&self, target: Option<Rank>, site: CallSite) -> Result<()> {
        self.run_local(site, || {
            self.epochs().flush(target, site)?;
            self.backend(|backend| backend.flush(target, site))?;
            self.epochs().flushed(target);
            if let Some(shared) = &self.shared_epochs {
                shared.lock().complete_locked_accesses(self.rank, target);
            }
            Ok(())
        })
    }

    pub(crate) fn flush_local(&self, target: Option<Rank>, site: CallSite) -> Result<()> {
        self.run_local(site, || {
            self.epochs().flush(target, site)?;
            self.backend(|backend| backend.flush_local(target, site))?;
            self.epochs().complete_locally(target);
            Ok(())
        })
    }

    pub(crate) fn sync(&self, site: CallSite) -> Result<()> {
        self.run_local(site, || {
            self.epochs().sync(site)?;
            self.backend(|backend| backend.sync(site))
        })
    }
}

//! Accesses: whether an epoch covers the target, and whether the call conflicts with an earlier one of the same epoch.
use std::{cell::Cell, ops::Range, rc::Rc};

use wb_comm::{AccessKind, CallSite, Rank, Result, Rule, text::epoch};

use super::{AccessState, CompletionFlag, EpochStateMachine, ExposureState};
use crate::window::epoch_footprint::Conflict;

/// The epoch of an access, which determines the accesses that it can conflict with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CoveringEpoch {
    /// The epoch after this many fences.
    Fence(u64),
    /// A start; `SharedEpochs` counts the starts of this origin to this target.
    Start,
    Lock,
}

impl EpochStateMachine {
    /// Whether one of this rank's calls may access `elements` of `target`; returns the epoch to which the access
    /// belongs.
    ///
    /// # Errors
    /// Rules 1, 6 and 8; a target that does not exist.
    pub(crate) fn check_access(
        &self,
        kind: AccessKind,
        target: Rank,
        elements: &Range<usize>,
        site: CallSite,
    ) -> Result<CoveringEpoch> {
        self.check_usable(site)?;
        self.check_ranks("target", &[target])?;
        let under = self.covering_epoch(target, site)?;
        self.check_conflict(kind, target, elements, site)?;
        Ok(under)
    }

    /// Records the access; returns its completion flag.
    pub(crate) fn record_access(
        &mut self,
        kind: AccessKind,
        target: Rank,
        elements: Range<usize>,
        site: CallSite,
    ) -> CompletionFlag {
        self.begin_fence_epoch(site);
        if self.replaced_fence.is_some() {
            self.enclosed_access.get_or_insert(site);
        }
        self.remote_accesses.entry(target).or_default().add(kind, elements, site);
        let done = Rc::new(Cell::new(false));
        if kind != AccessKind::Put {
            self.pending.push((target, Rc::clone(&done)));
        }
        done
    }

    /// The epoch that covers `target`.
    fn covering_epoch(&self, target: Rank, site: CallSite) -> Result<CoveringEpoch> {
        let (rule, allowed) = match &self.access {
            AccessState::Candidate { .. } | AccessState::Fence { .. } => {
                return Ok(CoveringEpoch::Fence(self.fence_count));
            }
            AccessState::Started { targets, .. } if targets.contains(&target) => {
                return Ok(CoveringEpoch::Start);
            }
            AccessState::Locked(locks) if locks.contains_key(&target) => return Ok(CoveringEpoch::Lock),
            AccessState::LockedAll { .. } => return Ok(CoveringEpoch::Lock),
            AccessState::None { .. } => (Rule::Covered, epoch::first_epoch()),
            AccessState::Cancelled { .. } => (Rule::FenceCandidate, epoch::first_epoch()),
            AccessState::Started { .. } => (Rule::Covered, epoch::only_started()),
            AccessState::Locked(_) => (Rule::Covered, epoch::only_locked()),
        };
        let situation = epoch::goes_to(self.describe_access(), target);
        Err(self.violation(rule, site, Some(self.access_site()), situation, allowed))
    }

    fn check_conflict(
        &self,
        kind: AccessKind,
        target: Rank,
        elements: &Range<usize>,
        site: CallSite,
    ) -> Result<()> {
        let mine = self.remote_accesses.get(&target).and_then(|reach| reach.conflict(kind, elements));
        let by_hand = || self.own_accesses.conflict(kind, elements).filter(|_| target == self.rank);
        let Some(Conflict { element, site: earlier }) = mine.or_else(by_hand) else { return Ok(()) };
        let situation = epoch::access_in_epoch(element, target);
        Err(self.violation(Rule::Conflict, site, Some(earlier), situation, epoch::apart()))
    }

    /// The first access after a fence turns its candidate epoch into an epoch, for access and exposure.
    fn begin_fence_epoch(&mut self, site: CallSite) {
        let AccessState::Candidate { fence } = self.access else { return };
        self.access = AccessState::Fence { fence, first: site };
        if self.exposure == ExposureState::Candidate {
            self.exposure = ExposureState::Fence { fence };
        }
    }

    /// This rank reads or writes its own part with a local access.
    ///
    /// # Errors
    /// Rule 8: one of its own incomplete calls accesses the same elements.
    pub(crate) fn local_access(
        &mut self,
        kind: AccessKind,
        elements: Range<usize>,
        site: CallSite,
    ) -> Result<()> {
        self.check_not_freed(site)?;
        let conflict = self.remote_accesses.get(&self.rank).and_then(|reach| reach.conflict(kind, &elements));
        if let Some(Conflict { element, site: earlier }) = conflict {
            let situation = epoch::access_in_epoch(element, self.rank);
            return Err(self.violation(Rule::Conflict, site, Some(earlier), situation, epoch::apart()));
        }
        self.own_accesses.add(kind, elements, site);
        if kind == AccessKind::Store {
            self.last_store = Some(site);
        }
        Ok(())
    }
}

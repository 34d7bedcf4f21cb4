//! Accesses: is the target covered, and does the call conflict with an earlier one of the same epoch?
use std::{cell::Cell, ops::Range, rc::Rc};

use wb_comm::{AccessKind, CallSite, Rank, Result, Rule, text::epoch};

use super::{AccessState, CompletionFlag, EpochStateMachine, ExposureState};
use crate::window::epoch_footprint::Conflict;

/// Under which epoch an access is made: what decides with which others it can conflict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CoveringEpoch {
    /// The epoch after this many fences.
    Fence(u64),
    /// A start; which one of this origin to this target, the board counts.
    Start,
    /// A lock.
    Lock,
}

impl EpochStateMachine {
    /// May one of this rank's calls touch `elements` of `target`? Gives the epoch it belongs to.
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

    /// The call touches them; gives its ticket.
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
        let situation = epoch::touch_in_epoch(element, target);
        Err(self.violation(Rule::Conflict, site, Some(earlier), situation, epoch::apart()))
    }

    /// The first access after a fence makes its epoch real, on both sides.
    fn begin_fence_epoch(&mut self, site: CallSite) {
        let AccessState::Candidate { fence } = self.access else { return };
        self.access = AccessState::Fence { fence, first: site };
        if self.exposure == ExposureState::Candidate {
            self.exposure = ExposureState::Fence { fence };
        }
    }

    /// This rank reads or writes its own part by hand.
    ///
    /// # Errors
    /// Rule 8: one of its own calls that is not complete touches the same elements.
    pub(crate) fn local_access(
        &mut self,
        kind: AccessKind,
        elements: Range<usize>,
        site: CallSite,
    ) -> Result<()> {
        self.check_not_freed(site)?;
        let clash = self.remote_accesses.get(&self.rank).and_then(|reach| reach.conflict(kind, &elements));
        if let Some(Conflict { element, site: earlier }) = clash {
            let situation = epoch::touch_in_epoch(element, self.rank);
            return Err(self.violation(Rule::Conflict, site, Some(earlier), situation, epoch::apart()));
        }
        self.own_accesses.add(kind, elements, site);
        if kind == AccessKind::Store {
            self.last_store = Some(site);
        }
        Ok(())
    }
}

//! Accesses: is the target covered, and does the call conflict with an earlier one of the same epoch?
use std::{cell::Cell, ops::Range, rc::Rc};

use wb_comm::{Rank, Result, Rule, Site, Touch, text::epoch};

use super::{Access, Done, Exposure, Machine};
use crate::window::footprint::Clash;

/// Under which epoch an access is made: what decides with which others it can conflict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Under {
    /// The epoch after this many fences.
    Fence(u64),
    /// A start; which one of this origin to this target, the board counts.
    Start,
    /// A lock.
    Lock,
}

impl Machine {
    /// May one of this rank's calls touch `elements` of `target`? Gives the epoch it belongs to.
    ///
    /// # Errors
    /// Rules 1, 6 and 8; a target that does not exist.
    pub(crate) fn may_touch(
        &self,
        kind: Touch,
        target: Rank,
        elements: &Range<usize>,
        site: Site,
    ) -> Result<Under> {
        self.alive(site)?;
        self.check_ranks("target", &[target])?;
        let under = self.covering(target, site)?;
        self.free_of_conflict(kind, target, elements, site)?;
        Ok(under)
    }

    /// The call touches them; gives its ticket.
    pub(crate) fn touch(&mut self, kind: Touch, target: Rank, elements: Range<usize>, site: Site) -> Done {
        self.begin_fence_epoch(site);
        if self.replaced.is_some() {
            self.enclosed.get_or_insert(site);
        }
        self.reach.entry(target).or_default().add(kind, elements, site);
        let done = Rc::new(Cell::new(false));
        if kind != Touch::Put {
            self.pending.push((target, Rc::clone(&done)));
        }
        done
    }

    /// The epoch that covers `target`.
    fn covering(&self, target: Rank, site: Site) -> Result<Under> {
        let (rule, allowed) = match &self.access {
            Access::Candidate { .. } | Access::Fence { .. } => return Ok(Under::Fence(self.fences)),
            Access::Started { targets, .. } if targets.contains(&target) => return Ok(Under::Start),
            Access::Locked(locks) if locks.contains_key(&target) => return Ok(Under::Lock),
            Access::LockedAll { .. } => return Ok(Under::Lock),
            Access::None { .. } => (Rule::Covered, epoch::first_epoch()),
            Access::Cancelled { .. } => (Rule::FenceCandidate, epoch::first_epoch()),
            Access::Started { .. } => (Rule::Covered, epoch::only_started()),
            Access::Locked(_) => (Rule::Covered, epoch::only_locked()),
        };
        let situation = epoch::goes_to(self.standing(), target);
        Err(self.broken(rule, site, Some(self.access_site()), situation, allowed))
    }

    fn free_of_conflict(&self, kind: Touch, target: Rank, elements: &Range<usize>, site: Site) -> Result<()> {
        let mine = self.reach.get(&target).and_then(|reach| reach.clash(kind, elements));
        let by_hand = || self.own.clash(kind, elements).filter(|_| target == self.rank);
        let Some(Clash { element, site: earlier }) = mine.or_else(by_hand) else { return Ok(()) };
        let situation = epoch::touch_in_epoch(element, target);
        Err(self.broken(Rule::Conflict, site, Some(earlier), situation, epoch::apart()))
    }

    /// The first access after a fence makes its epoch real, on both sides.
    fn begin_fence_epoch(&mut self, site: Site) {
        let Access::Candidate { fence } = self.access else { return };
        self.access = Access::Fence { fence, first: site };
        if self.exposure == Exposure::Candidate {
            self.exposure = Exposure::Fence { fence };
        }
    }

    /// This rank reads or writes its own part by hand.
    ///
    /// # Errors
    /// Rule 8: one of its own calls that is not complete touches the same elements.
    pub(crate) fn by_hand(&mut self, kind: Touch, elements: Range<usize>, site: Site) -> Result<()> {
        self.exists(site)?;
        let clash = self.reach.get(&self.rank).and_then(|reach| reach.clash(kind, &elements));
        if let Some(Clash { element, site: earlier }) = clash {
            let situation = epoch::touch_in_epoch(element, self.rank);
            return Err(self.broken(Rule::Conflict, site, Some(earlier), situation, epoch::apart()));
        }
        self.own.add(kind, elements, site);
        if kind == Touch::Store {
            self.stored = Some(site);
        }
        Ok(())
    }
}

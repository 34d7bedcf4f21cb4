//! The shared state of the epochs of the ranks of one process, for the rules that one rank alone cannot check.
//!
//! Threads share this state; processes have none. Where possible, the result does not depend on timing: conflicts of
//! fence and post epochs are checked when the target's exposure ends, because all accesses of the epoch are known then.
//! Locks define no order, so two accesses under locks are compared only while both are outstanding. Such a conflict is
//! a true one whenever it is found, but a run with other timing may miss it.
use std::{
    collections::{BTreeMap, VecDeque},
    ops::Range,
};

use wb_comm::{
    AccessKind, Assertion, CallSite, Error, LockKind, Rank, RankCall, Result, Rule, Text, Violation,
    text::epoch,
};

use super::{
    epoch::{CoveringEpoch, MemoryModel},
    epoch_footprint::EpochFootprint,
};

/// The epoch of a target to which an access belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum EpochTag {
    Fence(u64),
    /// The number of the origin's start to this target.
    Start(u64),
    Lock,
}

/// A start or a post, as its partner sees it.
#[derive(Clone, Copy, Debug)]
struct SyncCall {
    site: CallSite,
    no_check: bool,
}

/// The starts of an origin to a target, and the target's posts to it: the k-th start matches the k-th post.
#[derive(Debug, Default)]
struct PscwPair {
    posts: VecDeque<SyncCall>,
    starts: VecDeque<SyncCall>,
    /// The number of pairs that have been waited for and are no longer in the queues.
    completed: u64,
}

/// The state of one rank's part that the others see.
#[derive(Debug, Default)]
struct PartState {
    /// The ranks that hold a lock of it.
    holders: Vec<(Rank, LockKind, CallSite)>,
    posted: Option<CallSite>,
    /// The fence or post that asserted that no rank puts.
    no_put: Option<CallSite>,
}

/// The epochs of the ranks of one process on one window (see the module).
#[derive(Debug)]
pub(crate) struct SharedEpochs {
    parts: Vec<PartState>,
    /// By target and origin.
    pairs: BTreeMap<(Rank, Rank), PscwPair>,
    /// By target, origin and epoch.
    accesses: BTreeMap<(Rank, Rank, EpochTag), EpochFootprint>,
    /// The fences that some rank has not left yet, by number.
    fences: BTreeMap<u64, FenceRecord>,
}

/// A fence.
#[derive(Debug, Default)]
struct FenceRecord {
    calls: Vec<(Rank, Assertion, CallSite)>,
    returned: usize,
}

fn violation(rule: Rule, call: RankCall, earlier: RankCall, situation: Text, allowed: Text) -> Error {
    Error::Epoch(Box::new(Violation { rule, call, earlier: Some(earlier), situation, allowed }))
}

impl SharedEpochs {
    pub(crate) fn new(size: usize) -> Self {
        let parts = (0..size).map(|_| PartState::default()).collect();
        Self { parts, pairs: BTreeMap::new(), accesses: BTreeMap::new(), fences: BTreeMap::new() }
    }

    /// Records an access to a part.
    ///
    /// # Errors
    /// Rule 8, where both calls are under locks and both are outstanding.
    pub(crate) fn record_access(
        &mut self,
        by: RankCall,
        target: Rank,
        under: CoveringEpoch,
        kind: AccessKind,
        elements: Range<usize>,
    ) -> Result<()> {
        let tag = match under {
            CoveringEpoch::Fence(number) => EpochTag::Fence(number),
            CoveringEpoch::Start => {
                EpochTag::Start(self.pair(target, by.rank).start_count().saturating_sub(1))
            }
            CoveringEpoch::Lock => {
                self.check_lock_conflicts(by, target, kind, &elements)?;
                EpochTag::Lock
            }
        };
        self.accesses.entry((target, by.rank, tag)).or_default().add(kind, elements, by.site);
        Ok(())
    }

    /// Checks for a conflict with an outstanding access of another rank's lock epoch.
    ///
    /// # Errors
    /// Rule 8.
    pub(crate) fn check_lock_conflicts(
        &self,
        by: RankCall,
        target: Rank,
        kind: AccessKind,
        elements: &Range<usize>,
    ) -> Result<()> {
        let foreign = |&(&(part, origin, tag), _): &(&(Rank, Rank, EpochTag), &EpochFootprint)| {
            part == target && origin != by.rank && tag == EpochTag::Lock
        };
        for ((_, rank, _), footprint) in self.accesses.iter().filter(foreign) {
            if let Some(conflict) = footprint.conflict(kind, elements) {
                let situation = epoch::access_outstanding(conflict.element, target);
                let earlier = RankCall { rank: *rank, site: conflict.site };
                return Err(violation(Rule::Conflict, by, earlier, situation, epoch::exclusive()));
            }
        }
        Ok(())
    }

    /// The accesses of an origin under locks are complete, at one target or at all.
    pub(crate) fn complete_locked_accesses(&mut self, origin: Rank, target: Option<Rank>) {
        self.accesses.retain(|(part, by, tag), _| {
            !(*by == origin && *tag == EpochTag::Lock && target.is_none_or(|target| target == *part))
        });
    }

    /// Whether the rank may lock these parts.
    ///
    /// # Errors
    /// Rules 7 and 12.
    pub(crate) fn check_lock(
        &self,
        by: RankCall,
        targets: Range<Rank>,
        kind: LockKind,
        no_check: bool,
    ) -> Result<()> {
        for target in targets {
            let part = &self.parts[target];
            if let Some(post) = part.posted {
                let situation = epoch::posted_there(target);
                let earlier = RankCall { rank: target, site: post };
                return Err(violation(Rule::LockOrPost, by, earlier, situation, epoch::lock_after_wait()));
            }
            let excludes = |(rank, held, _): &&(Rank, LockKind, CallSite)| {
                *rank != by.rank && (kind == LockKind::Exclusive || *held == LockKind::Exclusive)
            };
            if let Some((rank, _, site)) = part.holders.iter().find(excludes).filter(|_| no_check) {
                let situation = epoch::nocheck_lock_untrue(target);
                let earlier = RankCall { rank: *rank, site: *site };
                return Err(violation(Rule::Assertions, by, earlier, situation, epoch::leave_out("NOCHECK")));
            }
        }
        Ok(())
    }

    /// The rank has locked these parts.
    ///
    /// # Errors
    /// Rule 7: one was posted meanwhile. Then no lock is recorded.
    pub(crate) fn record_lock(&mut self, by: RankCall, targets: Range<Rank>, kind: LockKind) -> Result<()> {
        self.check_lock(by, targets.clone(), kind, false)?;
        targets.for_each(|target| self.parts[target].holders.push((by.rank, kind, by.site)));
        Ok(())
    }

    /// The rank is about to unlock these parts: its accesses there are complete.
    pub(crate) fn record_unlock(&mut self, origin: Rank, targets: Range<Rank>) {
        for target in targets {
            self.parts[target].holders.retain(|(rank, ..)| *rank != origin);
            self.complete_locked_accesses(origin, Some(target));
        }
    }

    /// Exposes a part to `origins`.
    ///
    /// # Errors
    /// Rule 7: a rank has locked it.
    pub(crate) fn post(&mut self, by: RankCall, origins: &[Rank], assertion: Assertion) -> Result<()> {
        let part = &mut self.parts[by.rank];
        if let Some((rank, _, site)) = part.holders.first() {
            let (earlier, rank) = (RankCall { rank: *rank, site: *site }, *rank);
            let situation = epoch::locked_by(rank, by.rank);
            return Err(violation(Rule::LockOrPost, by, earlier, situation, epoch::post_after_unlock()));
        }
        part.posted = Some(by.site);
        part.no_put = assertion.no_put.then_some(by.site);
        for origin in origins {
            let post = SyncCall { site: by.site, no_check: assertion.no_check };
            self.pair(by.rank, *origin).posts.push_back(post);
        }
        Ok(())
    }

    /// Begins access to `targets`.
    ///
    /// # Errors
    /// Rule 12: NOCHECK, but a target has not posted with NOCHECK.
    pub(crate) fn start(&mut self, by: RankCall, targets: &[Rank], no_check: bool) -> Result<()> {
        for target in targets.iter().filter(|_| no_check) {
            let pair = self.pair(*target, by.rank);
            let post = pair.posts.get(pair.starts.len());
            if !post.is_some_and(|post| post.no_check) {
                let situation = match post {
                    Some(_) => epoch::nocheck_posted_without(*target),
                    None => epoch::nocheck_not_posted(*target),
                };
                let earlier = post.map(|post| RankCall { rank: *target, site: post.site });
                let allowed = epoch::leave_out("NOCHECK");
                let rule = Rule::Assertions;
                return Err(Error::Epoch(Box::new(Violation {
                    rule,
                    call: by,
                    earlier,
                    situation,
                    allowed,
                })));
            }
        }
        for target in targets {
            self.pair(*target, by.rank).starts.push_back(SyncCall { site: by.site, no_check });
        }
        Ok(())
    }

    /// Ends a part's post epoch: all its origins have completed.
    ///
    /// # Errors
    /// Rules 8 and 12.
    pub(crate) fn finish_exposure(
        &mut self,
        by: RankCall,
        origins: &[Rank],
        own: &EpochFootprint,
        model: MemoryModel,
    ) -> Result<()> {
        let mut epoch = vec![];
        let mut unequal = None;
        for &origin in origins {
            let pair = self.pair(by.rank, origin);
            let number = pair.completed;
            pair.completed += 1;
            let (post, start) = (pair.posts.pop_front(), pair.starts.pop_front());
            if let (Some(post), Some(start)) = (post, start) {
                // A start with NOCHECK was compared with its post when it was called.
                unequal = unequal.or((post.no_check && !start.no_check).then_some((origin, post, start)));
            }
            epoch.extend(
                self.accesses.remove(&(by.rank, origin, EpochTag::Start(number))).map(|f| (origin, f)),
            );
        }
        self.parts[by.rank].posted = None;
        if let Some((origin, post, start)) = unequal {
            let situation = epoch::nocheck_unequal(origin);
            let (call, earlier) =
                (RankCall { rank: origin, site: start.site }, RankCall { rank: by.rank, site: post.site });
            return Err(violation(Rule::Assertions, call, earlier, situation, epoch::nocheck_both()));
        }
        self.check_conflicts(by, &epoch, own, model)
    }

    /// A rank is about to enter a fence.
    pub(crate) fn fence(&mut self, by: RankCall, number: u64, assertion: Assertion) {
        self.fences.entry(number).or_default().calls.push((by.rank, assertion, by.site));
    }

    /// A rank has left a fence: the epoch before it is over.
    ///
    /// # Errors
    /// Rules 8 and 12.
    pub(crate) fn finish_fence(
        &mut self,
        by: RankCall,
        number: u64,
        own: &EpochFootprint,
        model: MemoryModel,
    ) -> Result<()> {
        let size = self.parts.len();
        let FenceRecord { calls, returned: left } = self.fences.entry(number).or_default();
        *left += 1;
        let mine = calls.iter().find(|(rank, ..)| *rank == by.rank).map(|(_, assertion, _)| *assertion);
        let mine = mine.unwrap_or_default();
        let promises = |a: &Assertion| (a.no_precede, a.no_succeed);
        let other = calls.iter().find(|(_, theirs, _)| promises(theirs) != promises(&mine)).copied();
        if *left == size {
            self.fences.remove(&number);
        }
        let of_epoch =
            |(part, _, tag): &(Rank, Rank, EpochTag)| *part == by.rank && *tag == EpochTag::Fence(number - 1);
        let keys: Vec<_> = self.accesses.keys().filter(|key| of_epoch(key)).copied().collect();
        let epoch: Vec<_> = keys.iter().filter_map(|key| Some((key.1, self.accesses.remove(key)?))).collect();
        let judged = self.check_conflicts(by, &epoch, own, model);
        self.parts[by.rank].no_put = mine.no_put.then_some(by.site);
        if let Some((rank, _, site)) = other {
            let situation = epoch::other_assertions(rank, by.rank);
            let allowed = epoch::fence_assertions_equal();
            return Err(violation(Rule::Assertions, by, RankCall { rank, site }, situation, allowed));
        }
        judged
    }

    /// Checks the accesses to a part in one exposure epoch for conflicts with each other.
    fn check_conflicts(
        &mut self,
        by: RankCall,
        epoch: &[(Rank, EpochFootprint)],
        own: &EpochFootprint,
        model: MemoryModel,
    ) -> Result<()> {
        let no_put = self.parts[by.rank].no_put.take();
        for (at, (rank, footprint)) in epoch.iter().enumerate() {
            let call = |site| RankCall { rank: *rank, site };
            let put = footprint.first_of_kind(AccessKind::is_remote_write);
            if let (Some(promise), Some(put)) = (no_put, put) {
                let situation = epoch::noput_untrue(by.rank);
                let earlier = RankCall { rank: by.rank, site: promise };
                return Err(violation(
                    Rule::Assertions,
                    call(put),
                    earlier,
                    situation,
                    epoch::leave_out("NOPUT"),
                ));
            }
            let store = own
                .first_of_kind(|kind| kind == AccessKind::Store)
                .filter(|_| model == MemoryModel::Separate);
            if let (Some(store), Some(put)) = (store, put) {
                let situation = epoch::change_separate(by.rank);
                let earlier = RankCall { rank: by.rank, site: store };
                return Err(violation(Rule::Conflict, call(put), earlier, situation, epoch::apart()));
            }
            let others = epoch[..at].iter().map(|(rank, footprint)| (*rank, footprint));
            for (other, theirs) in others.chain([(by.rank, own)]) {
                if let Some((conflict, site)) = theirs.conflict_with(footprint) {
                    let situation = epoch::access_in_epoch(conflict.element, by.rank);
                    let earlier = RankCall { rank: other, site: conflict.site };
                    return Err(violation(Rule::Conflict, call(site), earlier, situation, epoch::apart()));
                }
            }
        }
        Ok(())
    }

    fn pair(&mut self, target: Rank, origin: Rank) -> &mut PscwPair {
        self.pairs.entry((target, origin)).or_default()
    }
}

impl PscwPair {
    /// The number of starts so far.
    fn start_count(&self) -> u64 {
        self.completed + self.starts.len() as u64
    }
}

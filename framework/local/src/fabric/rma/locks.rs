//! The locks of a window's parts: their holders and the pending requests, as plain data.
//!
//! Requests are numbered as they arrive. A request is granted as soon as there is no earlier conflicting request,
//! granted or pending. So no request overtakes a conflicting one, and no rank starves. A lock of all parts is one
//! request, not one for each part. The manager of a request and the delivery times are outside this module.
use std::collections::{BTreeMap, BTreeSet};

use smallvec::SmallVec;
use wb_comm::{Error, LockKind, Rank, Result, text::window};

/// The scope of a lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LockScope {
    /// The part of this member.
    Part(Rank),
    /// All parts; always shared.
    All,
}

impl LockScope {
    /// The member that manages the lock: the owner of the part; for all parts the first one, as in foMPI
    /// (Gerstenberger, Besta, Hoefler, SC 2013).
    pub(crate) fn manager(self) -> Rank {
        match self {
            Self::Part(target) => target,
            Self::All => 0,
        }
    }

    /// Whether the two have a part in common.
    pub(crate) fn overlaps(self, other: Self) -> bool {
        self.target().zip(other.target()).is_none_or(|(one, other)| one == other)
    }

    /// The owner of the part, if it is a lock of one part.
    pub(crate) fn target(self) -> Option<Rank> {
        match self {
            Self::Part(target) => Some(target),
            Self::All => None,
        }
    }
}

/// The members whose requests were granted.
pub(crate) type Grants = SmallVec<[(Rank, LockScope); 1]>;

/// A request that was not released yet.
#[derive(Clone, Copy, Debug)]
struct LockRequest {
    rank: Rank,
    kind: LockKind,
    number: u64,
    is_granted: bool,
}

/// The lock requests and held locks of one window.
#[derive(Debug)]
pub(crate) struct LockTable {
    /// The requests for each target, in their order.
    parts: Vec<Vec<LockRequest>>,
    /// The requests for all parts, in their order.
    all: Vec<LockRequest>,
    /// The part of each exclusive request, by its number.
    exclusive: BTreeMap<u64, Rank>,
    /// The number of requests so far.
    request_count: u64,
    /// The locks of which each rank has received the grant.
    held: Vec<HeldLocks>,
}

#[derive(Clone, Debug, Default)]
struct HeldLocks {
    parts: BTreeSet<Rank>,
    all: bool,
}

impl LockTable {
    /// The locks of `size` parts; none is held.
    pub(crate) fn new(size: usize) -> Self {
        Self {
            parts: vec![Vec::new(); size],
            all: Vec::new(),
            exclusive: BTreeMap::new(),
            request_count: 0,
            held: vec![HeldLocks::default(); size],
        }
    }

    /// Whether `rank` may request this lock.
    pub(crate) fn check_request(&self, rank: Rank, scope: LockScope) -> Result<()> {
        let HeldLocks { parts, all: whole } = &self.held[rank];
        let taken = match scope {
            LockScope::Part(target) => (*whole || parts.contains(&target)).then_some(target),
            LockScope::All => parts.first().copied().or(whole.then_some(0)),
        };
        match taken {
            Some(target) => Err(Error::Setup(window::lock_held(rank, target))),
            None => Ok(()),
        }
    }

    /// `rank` requests a lock; a lock of all parts is shared.
    pub(crate) fn request(&mut self, rank: Rank, scope: LockScope, kind: LockKind) -> Grants {
        self.request_count += 1;
        let ask = LockRequest { rank, kind, number: self.request_count, is_granted: false };
        if let (LockScope::Part(target), LockKind::Exclusive) = (scope, kind) {
            self.exclusive.insert(ask.number, target);
        }
        self.requests_mut(scope).push(ask);
        let mut granted = Grants::new();
        self.grant(scope, self.requests(scope).len() - 1, &mut granted);
        granted
    }

    /// `rank` receives the grant of this lock.
    pub(crate) fn acquired(&mut self, rank: Rank, scope: LockScope) {
        match scope {
            LockScope::Part(target) => {
                self.held[rank].parts.insert(target);
            }
            LockScope::All => self.held[rank].all = true,
        }
    }

    /// Whether `rank` has received the grant of this lock.
    pub(crate) fn is_held(&self, rank: Rank, scope: LockScope) -> bool {
        match scope {
            LockScope::Part(target) => self.held[rank].parts.contains(&target),
            LockScope::All => self.held[rank].all,
        }
    }

    /// `rank` is about to release this lock.
    pub(crate) fn begin_release(&mut self, rank: Rank, scope: LockScope) -> Result<()> {
        if !self.is_held(rank, scope) {
            return Err(Error::Setup(match scope {
                LockScope::Part(target) => window::lock_not_held(rank, target),
                LockScope::All => window::lock_all_not_held(rank),
            }));
        }
        match scope {
            LockScope::Part(target) => {
                self.held[rank].parts.remove(&target);
            }
            LockScope::All => self.held[rank].all = false,
        }
        Ok(())
    }

    /// `rank`, which held this lock, releases it.
    pub(crate) fn release(&mut self, rank: Rank, scope: LockScope) -> Grants {
        let held = self.requests(scope).iter().position(|ask| ask.rank == rank && ask.is_granted);
        let given = self.requests_mut(scope).remove(held.expect("it holds what it lets go"));
        let mut granted = Grants::new();
        match scope {
            LockScope::Part(_) => {
                self.grant_all(scope, &mut granted);
                if self.exclusive.remove(&given.number).is_some() {
                    self.grant_all(LockScope::All, &mut granted);
                }
            }
            LockScope::All => {
                let parts: BTreeSet<_> = self.exclusive.values().copied().collect();
                parts.into_iter().for_each(|target| self.grant_all(LockScope::Part(target), &mut granted));
            }
        }
        granted
    }

    /// The rank that blocks the pending request of `rank`, if there is one.
    pub(crate) fn blocking_holder(&self, rank: Rank, scope: LockScope) -> Option<Rank> {
        let ask = self.requests(scope).iter().find(|ask| ask.rank == rank && !ask.is_granted)?;
        self.conflicting_rank(scope, ask)
    }

    fn requests(&self, scope: LockScope) -> &Vec<LockRequest> {
        match scope {
            LockScope::Part(target) => &self.parts[target],
            LockScope::All => &self.all,
        }
    }

    fn requests_mut(&mut self, scope: LockScope) -> &mut Vec<LockRequest> {
        match scope {
            LockScope::Part(target) => &mut self.parts[target],
            LockScope::All => &mut self.all,
        }
    }

    /// The rank of the first earlier request that conflicts with this one.
    fn conflicting_rank(&self, scope: LockScope, ask: &LockRequest) -> Option<Rank> {
        let exclusive = ask.kind == LockKind::Exclusive;
        let before = |other: &&LockRequest| other.number < ask.number;
        let first = match scope {
            LockScope::Part(target) => {
                let conflicts = |other: &&LockRequest| exclusive || other.kind == LockKind::Exclusive;
                let of_part = self.parts[target].iter().take_while(before).find(conflicts);
                let of_all = self.all.first().filter(before).filter(|_| exclusive);
                of_part.into_iter().chain(of_all).min_by_key(|other| other.number)
            }
            LockScope::All => {
                let first = self.exclusive.first_key_value();
                first.and_then(|(number, target)| {
                    self.parts[*target].iter().find(|other| other.number == *number).filter(before)
                })
            }
        };
        first.map(|other| other.rank)
    }

    fn grant_all(&mut self, scope: LockScope, granted: &mut Grants) {
        (0..self.requests(scope).len()).for_each(|at| self.grant(scope, at, granted));
    }

    fn grant(&mut self, scope: LockScope, at: usize, granted: &mut Grants) {
        let ask = self.requests(scope)[at];
        if !ask.is_granted && self.conflicting_rank(scope, &ask).is_none() {
            self.requests_mut(scope)[at].is_granted = true;
            granted.push((ask.rank, scope));
        }
    }
}

#[cfg(test)]
mod tests {
    use LockKind::{Exclusive, Shared};
    use LockScope::{All, Part};

    use super::*;

    fn granted(locks: &mut LockTable, rank: Rank, scope: LockScope, kind: LockKind) -> bool {
        locks.request(rank, scope, kind).as_slice() == [(rank, scope)]
    }

    #[test]
    fn locks_are_granted_in_order_and_shared_ones_together() {
        let mut locks = LockTable::new(4);
        assert!(granted(&mut locks, 0, Part(3), Shared));
        assert!(!granted(&mut locks, 1, Part(3), Exclusive));
        assert!(!granted(&mut locks, 2, Part(3), Shared), "nobody overtakes");
        assert_eq!([1, 2].map(|rank| locks.blocking_holder(rank, Part(3))), [Some(0), Some(1)]);
        assert_eq!(locks.release(0, Part(3)).as_slice(), [(1, Part(3))]);
        assert_eq!(locks.release(1, Part(3)).as_slice(), [(2, Part(3))]);
        assert_eq!(locks.blocking_holder(2, Part(3)), None);
    }

    #[test]
    fn a_lock_of_all_parts_is_a_shared_lock_of_each() {
        let mut locks = LockTable::new(3);
        assert!(granted(&mut locks, 0, All, Shared) && granted(&mut locks, 1, Part(2), Shared));
        assert!(!granted(&mut locks, 2, Part(0), Exclusive));
        assert_eq!(locks.blocking_holder(2, Part(0)), Some(0));
        assert!(!granted(&mut locks, 1, All, Shared), "nobody overtakes");
        assert!(granted(&mut locks, 1, Part(1), Shared), "another part");
        assert_eq!(locks.release(0, All).as_slice(), [(2, Part(0))]);
        assert_eq!(locks.blocking_holder(1, All), Some(2));
        assert_eq!(locks.release(2, Part(0)).as_slice(), [(1, All)]);
    }

    #[test]
    fn who_holds_may_not_ask_and_who_holds_not_may_not_give() {
        let mut locks = LockTable::new(3);
        locks.acquired(2, Part(1));
        let held = |target| Err(Error::Setup(window::lock_held(2, target)));
        assert_eq!(locks.check_request(2, Part(0)), Ok(()));
        assert_eq!(locks.check_request(2, Part(1)), held(1));
        assert_eq!(locks.check_request(2, All), held(1));
        assert_eq!(locks.begin_release(2, Part(0)), Err(Error::Setup(window::lock_not_held(2, 0))));
        let error = locks.begin_release(2, All).expect_err("it holds a part");
        assert_eq!(error.to_string(), "rank 2 unlocks all on a window, but it holds no such lock");
        locks.begin_release(2, Part(1)).expect("held");
        locks.acquired(2, All);
        assert_eq!(locks.check_request(2, Part(0)), held(0));
        locks.begin_release(2, All).expect("held");
    }
}

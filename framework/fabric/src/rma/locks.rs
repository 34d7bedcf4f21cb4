//! Who holds the locks of a window's parts, and who waits for them: plain data.
//!
//! Asks are numbered as they come. One is granted as soon as no earlier ask that conflicts with it is still there, whether
//! that is held or waits itself: so nobody overtakes whom it would keep waiting, and nobody starves. A lock of all parts is
//! one ask, not one for each part; where it is asked for and how long that takes is not known here.
use std::collections::{BTreeMap, BTreeSet};

use smallvec::SmallVec;
use wb_comm::{Error, LockKind, Rank, Result, text::window};

/// What a lock is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LockScope {
    /// The part of this member.
    Part(Rank),
    /// All parts; always shared.
    All,
}

impl LockScope {
    /// The member whom one asks for it: whose part it is; for all parts the first, as in foMPI (Gerstenberger, Besta,
    /// Hoefler, SC 2013).
    pub(crate) fn manager(self) -> Rank {
        match self {
            Self::Part(target) => target,
            Self::All => 0,
        }
    }

    /// Have the two a part in common?
    pub(crate) fn overlaps(self, other: Self) -> bool {
        self.target().zip(other.target()).is_none_or(|(one, other)| one == other)
    }

    /// The member whose part it is, if it is of one.
    pub(crate) fn target(self) -> Option<Rank> {
        match self {
            Self::Part(target) => Some(target),
            Self::All => None,
        }
    }
}

/// Those who have got what they asked for.
pub(crate) type Grants = SmallVec<[(Rank, LockScope); 1]>;

/// An ask that was not given back yet.
#[derive(Clone, Copy, Debug)]
struct LockRequest {
    rank: Rank,
    kind: LockKind,
    number: u64,
    is_granted: bool,
}

/// See the module.
#[derive(Debug)]
pub(crate) struct LockTable {
    /// By target, in the order of asking.
    parts: Vec<Vec<LockRequest>>,
    /// Of all parts, in the order of asking.
    all: Vec<LockRequest>,
    /// By number: the part of each exclusive ask.
    exclusive: BTreeMap<u64, Rank>,
    /// How many asks there were.
    request_count: u64,
    /// By rank: what it holds, as far as it knows itself.
    held: Vec<HeldLocks>,
}

#[derive(Clone, Debug, Default)]
struct HeldLocks {
    parts: BTreeSet<Rank>,
    all: bool,
}

impl LockTable {
    /// Of `size` parts; nobody holds one.
    pub(crate) fn new(size: usize) -> Self {
        Self {
            parts: vec![Vec::new(); size],
            all: Vec::new(),
            exclusive: BTreeMap::new(),
            request_count: 0,
            held: vec![HeldLocks::default(); size],
        }
    }

    /// May `rank` ask for this?
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

    /// `rank` asks; a lock of all parts is shared.
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

    /// `rank` hears that it holds this.
    pub(crate) fn acquired(&mut self, rank: Rank, scope: LockScope) {
        match scope {
            LockScope::Part(target) => {
                self.held[rank].parts.insert(target);
            }
            LockScope::All => self.held[rank].all = true,
        }
    }

    /// Does `rank` hold this, as far as it knows?
    pub(crate) fn is_held(&self, rank: Rank, scope: LockScope) -> bool {
        match scope {
            LockScope::Part(target) => self.held[rank].parts.contains(&target),
            LockScope::All => self.held[rank].all,
        }
    }

    /// `rank` will give this back.
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

    /// `rank` gives this back, which it held.
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

    /// Whoever keeps `rank` from this, if it waits for it.
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

    /// Who made the first of the earlier asks that conflict with this one.
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
        assert!(locks.check_request(2, Part(0)).is_ok() && locks.check_request(2, Part(1)).is_err());
        assert!(locks.check_request(2, All).is_err() && locks.begin_release(2, Part(0)).is_err());
        let error = locks.begin_release(2, All).expect_err("it holds a part");
        assert_eq!(error.to_string(), "rank 2 unlocks all on a window, but it holds no such lock");
        locks.begin_release(2, Part(1)).expect("held");
        locks.acquired(2, All);
        assert!(locks.check_request(2, Part(0)).is_err() && locks.begin_release(2, All).is_ok());
    }
}

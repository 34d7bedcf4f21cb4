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
pub enum Scope {
    /// The part of this member.
    Part(Rank),
    /// All parts; always shared.
    Whole,
}

impl Scope {
    /// The member whom one asks for it: whose part it is; for all parts the first, as in foMPI (Gerstenberger, Besta,
    /// Hoefler, SC 2013).
    pub(crate) fn keeper(self) -> Rank {
        match self {
            Self::Part(target) => target,
            Self::Whole => 0,
        }
    }

    /// Have the two a part in common?
    pub(crate) fn meets(self, other: Self) -> bool {
        self.target().zip(other.target()).is_none_or(|(one, other)| one == other)
    }

    /// The member whose part it is, if it is of one.
    pub(crate) fn target(self) -> Option<Rank> {
        match self {
            Self::Part(target) => Some(target),
            Self::Whole => None,
        }
    }
}

/// Those who have got what they asked for.
pub(crate) type Granted = SmallVec<[(Rank, Scope); 1]>;

/// An ask that was not given back yet.
#[derive(Clone, Copy, Debug)]
struct Ask {
    rank: Rank,
    kind: LockKind,
    number: u64,
    granted: bool,
}

/// See the module.
#[derive(Debug)]
pub(crate) struct Locks {
    /// By target, in the order of asking.
    parts: Vec<Vec<Ask>>,
    /// Of all parts, in the order of asking.
    whole: Vec<Ask>,
    /// By number: the part of each exclusive ask.
    exclusive: BTreeMap<u64, Rank>,
    /// How many asks there were.
    asked: u64,
    /// By rank: what it holds, as far as it knows itself.
    held: Vec<Held>,
}

#[derive(Clone, Debug, Default)]
struct Held {
    parts: BTreeSet<Rank>,
    whole: bool,
}

impl Locks {
    /// Of `size` parts; nobody holds one.
    pub(crate) fn of(size: usize) -> Self {
        Self {
            parts: vec![Vec::new(); size],
            whole: Vec::new(),
            exclusive: BTreeMap::new(),
            asked: 0,
            held: vec![Held::default(); size],
        }
    }

    /// May `rank` ask for this?
    pub(crate) fn may_ask(&self, rank: Rank, scope: Scope) -> Result<()> {
        let Held { parts, whole } = &self.held[rank];
        let taken = match scope {
            Scope::Part(target) => (*whole || parts.contains(&target)).then_some(target),
            Scope::Whole => parts.first().copied().or(whole.then_some(0)),
        };
        match taken {
            Some(target) => Err(Error::Setup(window::lock_held(rank, target))),
            None => Ok(()),
        }
    }

    /// `rank` asks; a lock of all parts is shared.
    pub(crate) fn ask(&mut self, rank: Rank, scope: Scope, kind: LockKind) -> Granted {
        self.asked += 1;
        let ask = Ask { rank, kind, number: self.asked, granted: false };
        if let (Scope::Part(target), LockKind::Exclusive) = (scope, kind) {
            self.exclusive.insert(ask.number, target);
        }
        self.asks_mut(scope).push(ask);
        let mut granted = Granted::new();
        self.grant(scope, self.asks(scope).len() - 1, &mut granted);
        granted
    }

    /// `rank` hears that it holds this.
    pub(crate) fn take(&mut self, rank: Rank, scope: Scope) {
        match scope {
            Scope::Part(target) => {
                self.held[rank].parts.insert(target);
            }
            Scope::Whole => self.held[rank].whole = true,
        }
    }

    /// Does `rank` hold this, as far as it knows?
    pub(crate) fn holds(&self, rank: Rank, scope: Scope) -> bool {
        match scope {
            Scope::Part(target) => self.held[rank].parts.contains(&target),
            Scope::Whole => self.held[rank].whole,
        }
    }

    /// `rank` will give this back.
    pub(crate) fn let_go(&mut self, rank: Rank, scope: Scope) -> Result<()> {
        if !self.holds(rank, scope) {
            return Err(Error::Setup(match scope {
                Scope::Part(target) => window::lock_not_held(rank, target),
                Scope::Whole => window::lock_all_not_held(rank),
            }));
        }
        match scope {
            Scope::Part(target) => {
                self.held[rank].parts.remove(&target);
            }
            Scope::Whole => self.held[rank].whole = false,
        }
        Ok(())
    }

    /// `rank` gives this back, which it held.
    pub(crate) fn give(&mut self, rank: Rank, scope: Scope) -> Granted {
        let held = self.asks(scope).iter().position(|ask| ask.rank == rank && ask.granted);
        let given = self.asks_mut(scope).remove(held.expect("it holds what it lets go"));
        let mut granted = Granted::new();
        match scope {
            Scope::Part(_) => {
                self.grant_all(scope, &mut granted);
                if self.exclusive.remove(&given.number).is_some() {
                    self.grant_all(Scope::Whole, &mut granted);
                }
            }
            Scope::Whole => {
                let parts: BTreeSet<_> = self.exclusive.values().copied().collect();
                parts.into_iter().for_each(|target| self.grant_all(Scope::Part(target), &mut granted));
            }
        }
        granted
    }

    /// Whoever keeps `rank` from this, if it waits for it.
    pub(crate) fn holder(&self, rank: Rank, scope: Scope) -> Option<Rank> {
        let ask = self.asks(scope).iter().find(|ask| ask.rank == rank && !ask.granted)?;
        self.obstacle(scope, ask)
    }

    fn asks(&self, scope: Scope) -> &Vec<Ask> {
        match scope {
            Scope::Part(target) => &self.parts[target],
            Scope::Whole => &self.whole,
        }
    }

    fn asks_mut(&mut self, scope: Scope) -> &mut Vec<Ask> {
        match scope {
            Scope::Part(target) => &mut self.parts[target],
            Scope::Whole => &mut self.whole,
        }
    }

    /// Who made the first of the earlier asks that conflict with this one.
    fn obstacle(&self, scope: Scope, ask: &Ask) -> Option<Rank> {
        let exclusive = ask.kind == LockKind::Exclusive;
        let before = |other: &&Ask| other.number < ask.number;
        let first = match scope {
            Scope::Part(target) => {
                let conflicts = |other: &&Ask| exclusive || other.kind == LockKind::Exclusive;
                let of_part = self.parts[target].iter().take_while(before).find(conflicts);
                let of_all = self.whole.first().filter(before).filter(|_| exclusive);
                of_part.into_iter().chain(of_all).min_by_key(|other| other.number)
            }
            Scope::Whole => {
                let first = self.exclusive.first_key_value();
                first.and_then(|(number, target)| {
                    self.parts[*target].iter().find(|other| other.number == *number).filter(before)
                })
            }
        };
        first.map(|other| other.rank)
    }

    fn grant_all(&mut self, scope: Scope, granted: &mut Granted) {
        (0..self.asks(scope).len()).for_each(|at| self.grant(scope, at, granted));
    }

    fn grant(&mut self, scope: Scope, at: usize, granted: &mut Granted) {
        let ask = self.asks(scope)[at];
        if !ask.granted && self.obstacle(scope, &ask).is_none() {
            self.asks_mut(scope)[at].granted = true;
            granted.push((ask.rank, scope));
        }
    }
}

#[cfg(test)]
mod tests {
    use LockKind::{Exclusive, Shared};
    use Scope::{Part, Whole};

    use super::*;

    fn granted(locks: &mut Locks, rank: Rank, scope: Scope, kind: LockKind) -> bool {
        locks.ask(rank, scope, kind).as_slice() == [(rank, scope)]
    }

    #[test]
    fn locks_are_granted_in_order_and_shared_ones_together() {
        let mut locks = Locks::of(4);
        assert!(granted(&mut locks, 0, Part(3), Shared));
        assert!(!granted(&mut locks, 1, Part(3), Exclusive));
        assert!(!granted(&mut locks, 2, Part(3), Shared), "nobody overtakes");
        assert_eq!([1, 2].map(|rank| locks.holder(rank, Part(3))), [Some(0), Some(1)]);
        assert_eq!(locks.give(0, Part(3)).as_slice(), [(1, Part(3))]);
        assert_eq!(locks.give(1, Part(3)).as_slice(), [(2, Part(3))]);
        assert_eq!(locks.holder(2, Part(3)), None);
    }

    #[test]
    fn a_lock_of_all_parts_is_a_shared_lock_of_each() {
        let mut locks = Locks::of(3);
        assert!(granted(&mut locks, 0, Whole, Shared) && granted(&mut locks, 1, Part(2), Shared));
        assert!(!granted(&mut locks, 2, Part(0), Exclusive));
        assert_eq!(locks.holder(2, Part(0)), Some(0));
        assert!(!granted(&mut locks, 1, Whole, Shared), "nobody overtakes");
        assert!(granted(&mut locks, 1, Part(1), Shared), "another part");
        assert_eq!(locks.give(0, Whole).as_slice(), [(2, Part(0))]);
        assert_eq!(locks.holder(1, Whole), Some(2));
        assert_eq!(locks.give(2, Part(0)).as_slice(), [(1, Whole)]);
    }

    #[test]
    fn who_holds_may_not_ask_and_who_holds_not_may_not_give() {
        let mut locks = Locks::of(3);
        locks.take(2, Part(1));
        assert!(locks.may_ask(2, Part(0)).is_ok() && locks.may_ask(2, Part(1)).is_err());
        assert!(locks.may_ask(2, Whole).is_err() && locks.let_go(2, Part(0)).is_err());
        let error = locks.let_go(2, Whole).expect_err("it holds a part");
        assert_eq!(error.to_string(), "rank 2 unlocks all on a window, but it holds no such lock");
        locks.let_go(2, Part(1)).expect("held");
        locks.take(2, Whole);
        assert!(locks.may_ask(2, Part(0)).is_err() && locks.let_go(2, Whole).is_ok());
    }
}

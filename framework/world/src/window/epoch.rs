//! The epochs of one rank on one window as a state machine: which call is legal now. It calls nothing and knows nothing
//! but this rank's own calls, so it is the same on every backend.
//!
//! Two states that move independently (rule 4): the *access* epoch, in which this rank may touch others, and the
//! *exposure* epoch, in which others may touch this rank. A fence opens both as candidates only; the first access makes
//! them real, and a start, lock or post that comes first takes the candidate's place (rule 6). Every state holds the
//! call that opened it, so that a violation can name both calls.
//!
//! Verbs are in [`verbs`](self::verbs), accesses in [`access`](self::access). A verb changes nothing when it is refused.
mod access;
mod verbs;

pub(crate) use access::Under;

use std::{cell::Cell, collections::BTreeMap, rc::Rc};

use wb_comm::{Assertion, Call, Error, LockKind, Rank, Result, Rule, Site, Text, Violation, text::epoch};

use super::{balance::Balance, footprint::Footprint};

/// How a local store and another rank's put in one exposure epoch meet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Model {
    /// There is one copy of the window: they conflict on the same elements (`MPI_WIN_UNIFIED`; both libraries that we
    /// know, and threads).
    #[default]
    Unified,
    /// There may be two copies: they conflict wherever in the window they are (`MPI_WIN_SEPARATE`). A program that keeps
    /// this is right everywhere.
    Separate,
}

/// What this rank may touch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    /// Nobody, since that call.
    None { since: Site },
    /// Nobody until the next fence: the epoch of `fence` has lost its place to `by`.
    Cancelled { fence: Site, by: Site },
    /// Everybody from the first access on.
    Candidate { fence: Site },
    /// Everybody.
    Fence { fence: Site, first: Site },
    /// These.
    Started { start: Site, targets: Vec<Rank> },
    /// Those locked, each since that call.
    Locked(BTreeMap<Rank, (LockKind, Site)>),
    /// Everybody.
    LockedAll { lock: Site },
}

/// Who may touch this rank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Exposure {
    /// Nobody.
    None,
    /// Everybody from the first access on.
    Candidate,
    /// Everybody.
    Fence { fence: Site },
    /// These.
    Posted { post: Site, origins: Vec<Rank> },
}

/// An epoch whose guard was dropped without its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dropped {
    Access,
    Exposure,
    Lock(Rank),
}

/// Ticket of an access: true once its epoch's end or a flush has completed it.
pub(crate) type Done = Rc<Cell<bool>>;

/// See the module.
#[derive(Debug)]
pub(crate) struct Machine {
    rank: Rank,
    size: usize,
    pub(crate) model: Model,
    pub(crate) access: Access,
    pub(crate) exposure: Exposure,
    /// What this rank has done to others and not completed there.
    reach: BTreeMap<Rank, Footprint>,
    /// What it has done to its own part since the last synchronisation.
    pub(crate) own: Footprint,
    /// The last local store since the last synchronisation.
    stored: Option<Site>,
    pending: Vec<(Rank, Done)>,
    dropped: Option<(Dropped, Site)>,
    /// The fence whose epoch has lost its place, and to which call.
    replaced: Option<(Site, Site)>,
    /// The first access of the epoch that took its place.
    enclosed: Option<Site>,
    /// How many fences it has made, and what they said.
    pub(crate) fences: u64,
    fence_hash: u64,
    /// How many starts there were to each rank, and posts.
    starts: Vec<u64>,
    posts: Vec<u64>,
    freed: Option<Site>,
}

impl Machine {
    /// Outside all epochs, on a window that was made at `site`.
    pub(crate) fn new(rank: Rank, size: usize, model: Model, site: Site) -> Self {
        Self {
            rank,
            size,
            model,
            access: Access::None { since: site },
            exposure: Exposure::None,
            reach: BTreeMap::new(),
            own: Footprint::default(),
            stored: None,
            pending: vec![],
            dropped: None,
            replaced: None,
            enclosed: None,
            fences: 0,
            fence_hash: 0,
            starts: vec![0; size],
            posts: vec![0; size],
            freed: None,
        }
    }

    /// A violation by this rank.
    fn broken(&self, rule: Rule, site: Site, earlier: Option<Site>, situation: Text, allowed: Text) -> Error {
        let call = |site| Call { rank: self.rank, site };
        let earlier = earlier.map(call);
        Error::Epoch(Box::new(Violation { rule, call: call(site), earlier, situation, allowed }))
    }

    /// Refuses everything on a window that is gone, or whose guard was dropped with its epoch open.
    fn alive(&self, site: Site) -> Result<()> {
        self.exists(site)?;
        let Some((dropped, opened)) = self.dropped else { return Ok(()) };
        let (end, allowed) = match dropped {
            Dropped::Access => ("complete", epoch::end_with("raw().complete()")),
            Dropped::Exposure => ("wait", epoch::end_with("raw().wait()")),
            Dropped::Lock(_) => {
                ("unlock", epoch::end_with_either("raw().unlock(target)", "raw().unlock_all()"))
            }
        };
        Err(self.broken(Rule::Paired, site, Some(opened), epoch::guard_dropped(end), allowed))
    }

    /// Refuses everything on a window that is gone.
    pub(crate) fn exists(&self, site: Site) -> Result<()> {
        let Some(freed) = self.freed else { return Ok(()) };
        Err(self.broken(Rule::Free, site, Some(freed), epoch::freed(), epoch::make_another()))
    }

    /// The call that opened the open access epoch, or the last one that ended or cancelled one.
    pub(crate) fn access_site(&self) -> Site {
        match &self.access {
            Access::None { since } => *since,
            Access::Cancelled { by, .. } => *by,
            Access::Candidate { fence } => *fence,
            Access::Fence { first, .. } => *first,
            Access::Started { start, .. } => *start,
            Access::Locked(locks) => locks.values().next().expect("a lock is held").1,
            Access::LockedAll { lock } => *lock,
        }
    }

    /// How the access side stands, for people.
    fn standing(&self) -> Text {
        match &self.access {
            Access::None { .. } => epoch::no_access_epoch(),
            Access::Cancelled { fence, .. } => epoch::replaced(fence.to_string()),
            Access::Candidate { .. } => epoch::fence_without_access(),
            Access::Fence { .. } => epoch::fence_open(),
            Access::Started { targets, .. } => epoch::started(&targets[..]),
            Access::Locked(locks) => epoch::locked(&locks.keys().copied().collect::<Vec<_>>()[..]),
            Access::LockedAll { .. } => epoch::all_locked(),
        }
    }

    fn check_ranks(&self, role: &'static str, ranks: &[Rank]) -> Result<()> {
        let Some(&rank) = ranks.iter().find(|rank| **rank >= self.size) else { return Ok(()) };
        Err(Error::no_rank(role, rank, self.size))
    }

    /// Refuses assertions that the call does not take, and those that this rank knows to be false.
    fn check_assertion(&self, given: Assertion, taken: Assertion, site: Site) -> Result<()> {
        let flags = |a: Assertion| {
            [
                ("NOCHECK", a.no_check),
                ("NOSTORE", a.no_store),
                ("NOPUT", a.no_put),
                ("NOPRECEDE", a.no_precede),
                ("NOSUCCEED", a.no_succeed),
            ]
        };
        let foreign =
            flags(given).into_iter().zip(flags(taken)).find(|((_, given), (_, taken))| *given && !taken);
        if let Some(((name, _), _)) = foreign {
            let situation = epoch::not_taken(site.verb.name(), name);
            return Err(self.broken(Rule::Assertions, site, None, situation, epoch::leave_assertion_out()));
        }
        if let Some(stored) = self.stored.filter(|_| given.no_store) {
            let (situation, allowed) = (epoch::nostore_untrue(), epoch::leave_out("NOSTORE"));
            return Err(self.broken(Rule::Assertions, site, Some(stored), situation, allowed));
        }
        Ok(())
    }

    /// Remembers that a guard was dropped with its epoch open; nothing is called, so nothing can hang.
    pub(crate) fn dropped(&mut self, what: Dropped) {
        let site = match (what, &self.access, &self.exposure) {
            (Dropped::Access, Access::Started { start, .. }, _) => Some(*start),
            (Dropped::Exposure, _, Exposure::Posted { post, .. }) => Some(*post),
            (Dropped::Lock(target), Access::Locked(locks), _) => locks.get(&target).map(|(_, site)| *site),
            (Dropped::Lock(_), Access::LockedAll { lock }, _) => Some(*lock),
            _ => None,
        };
        self.dropped = self.dropped.or(site.map(|site| (what, site)));
    }

    /// The accesses to `target` (`None`: to all) are complete at both ends.
    fn completed(&mut self, target: Option<Rank>) {
        match target {
            Some(target) => drop(self.reach.remove(&target)),
            None => self.reach.clear(),
        }
        self.returned(target);
    }

    /// The accesses to `target` (`None`: to all) are complete here: tickets can be read.
    pub(crate) fn returned(&mut self, target: Option<Rank>) {
        self.pending.retain(|(of, done)| {
            let over = target.is_none_or(|target| target == *of);
            if over {
                done.set(true);
            }
            !over
        });
    }

    /// What this rank tells when the window is given up.
    pub(crate) fn balance(&self, outside: bool) -> Balance {
        let (starts, posts) = (self.starts.clone(), self.posts.clone());
        Balance { outside, fence_hash: self.fence_hash, starts, posts }
    }

    /// Counts a start.
    pub(crate) fn started_to(&mut self, targets: &[Rank]) {
        targets.iter().for_each(|target| self.starts[*target] += 1);
    }

    /// Counts a post.
    pub(crate) fn posted_to(&mut self, origins: &[Rank]) {
        origins.iter().for_each(|origin| self.posts[*origin] += 1);
    }

    /// Another epoch than the fence's begins.
    fn replace_candidate(&mut self, by: Site) {
        if let Access::Candidate { fence } = self.access {
            self.replaced = Some((fence, by));
        }
    }

    /// The access epoch is over.
    fn ended(&mut self, since: Site) {
        self.access = match self.replaced {
            Some((fence, by)) => Access::Cancelled { fence, by },
            None => Access::None { since },
        };
    }

    /// A synchronisation of this rank's own part: what it did there before lies in the past.
    fn synchronised(&mut self) {
        self.own = Footprint::default();
        self.stored = None;
    }
}

#[cfg(test)]
mod tests;

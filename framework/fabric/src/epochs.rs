//! Who has opened what to whom on one window: plain data under the hub's lock.
//!
//! Posts and completes are counted per pair of ranks, so a rank that runs ahead (posts for the next epoch while another
//! has not started this one) loses nothing. Locks are granted in the order in which they were asked for; nobody starves.
use std::collections::VecDeque;

use wb_comm::{Error, LockKind, Rank, Result};

/// See the module.
#[derive(Debug)]
pub(crate) struct Epochs {
    size: usize,
    /// `[target * size + origin]`: posts of target that origin has not started on yet.
    posts: Vec<usize>,
    /// `[target * size + origin]`: completes of origin that target has not waited for yet.
    completes: Vec<usize>,
    /// By rank: the group of its open start.
    started: Vec<Option<Box<[Rank]>>>,
    /// By rank: the group of its open post.
    posted: Vec<Option<Box<[Rank]>>>,
    /// By target.
    locks: Vec<Locks>,
}

/// Who holds the lock of one part, and who waits for it.
#[derive(Debug, Default)]
struct Locks {
    held: Vec<(Rank, LockKind)>,
    asked: VecDeque<(Rank, LockKind)>,
}

impl Epochs {
    /// Of `size` ranks, none open.
    pub(crate) fn of(size: usize) -> Self {
        Self {
            size,
            posts: vec![0; size * size],
            completes: vec![0; size * size],
            started: vec![None; size],
            posted: vec![None; size],
            locks: (0..size).map(|_| Locks::default()).collect(),
        }
    }

    /// `target` opens its part to `origins`.
    pub(crate) fn post(&mut self, target: Rank, origins: &[Rank]) -> Result<()> {
        if self.posted[target].is_some() {
            return Err(out_of_place(target, "posts", "its last post was not waited for"));
        }
        for &origin in origins {
            self.posts[target * self.size + origin] += 1;
        }
        self.posted[target] = Some(origins.into());
        Ok(())
    }

    /// The first of `targets` that has not posted to `origin` yet.
    pub(crate) fn missing_post(&self, origin: Rank, targets: &[Rank]) -> Option<Rank> {
        targets.iter().copied().find(|target| self.posts[target * self.size + origin] == 0)
    }

    /// May `origin` start?
    pub(crate) fn may_start(&self, origin: Rank) -> Result<()> {
        match self.started[origin] {
            None => Ok(()),
            Some(_) => Err(out_of_place(origin, "starts", "its last start was not completed")),
        }
    }

    /// `origin` begins access, once no post is missing.
    pub(crate) fn start(&mut self, origin: Rank, targets: &[Rank]) {
        for target in targets {
            self.posts[target * self.size + origin] -= 1;
        }
        self.started[origin] = Some(targets.into());
    }

    /// `origin` ends access; gives the targets.
    pub(crate) fn complete(&mut self, origin: Rank) -> Result<Box<[Rank]>> {
        let none = || out_of_place(origin, "completes", "it has not started");
        let targets = self.started[origin].take().ok_or_else(none)?;
        for target in &targets {
            self.completes[target * self.size + origin] += 1;
        }
        Ok(targets)
    }

    /// May `target` wait for the end of its exposure?
    pub(crate) fn may_wait(&self, target: Rank) -> Result<()> {
        match self.posted[target] {
            Some(_) => Ok(()),
            None => Err(out_of_place(target, "waits", "it has not posted")),
        }
    }

    /// The first rank of `target`'s group that has not completed yet.
    pub(crate) fn missing_complete(&self, target: Rank) -> Option<Rank> {
        let origins = self.posted[target].iter().flatten().copied();
        origins.into_iter().find(|origin| self.completes[target * self.size + origin] == 0)
    }

    /// `target`'s exposure is over, once no complete is missing.
    pub(crate) fn close(&mut self, target: Rank) {
        for origin in self.posted[target].take().iter().flatten() {
            self.completes[target * self.size + origin] -= 1;
        }
    }

    /// `rank` asks for the locks of `targets`; those that are free it gets at once.
    pub(crate) fn ask(&mut self, rank: Rank, targets: &[Rank], kind: LockKind) -> Result<()> {
        let taken = |target: &&Rank| self.locks[**target].held.iter().any(|(holder, _)| *holder == rank);
        if let Some(target) = targets.iter().find(taken) {
            return Err(out_of_place(rank, &format!("locks rank {target}"), "it holds this lock"));
        }
        for &target in targets {
            self.locks[target].asked.push_back((rank, kind));
            self.locks[target].grant();
        }
        Ok(())
    }

    /// The first of `targets` whose lock `rank` has asked for and not got.
    pub(crate) fn missing_lock(&self, rank: Rank, targets: &[Rank]) -> Option<Rank> {
        targets
            .iter()
            .copied()
            .find(|target| self.locks[*target].asked.iter().any(|(asker, _)| *asker == rank))
    }

    /// Whoever keeps others from the lock of `target`.
    pub(crate) fn holder(&self, target: Rank) -> Option<Rank> {
        self.locks[target].held.first().map(|(holder, _)| *holder)
    }

    /// `rank` gives the lock of `target` back.
    pub(crate) fn unlock(&mut self, rank: Rank, target: Rank) -> Result<()> {
        let locks = &mut self.locks[target];
        let held = locks.held.iter().position(|(holder, _)| *holder == rank);
        let none = || out_of_place(rank, &format!("unlocks rank {target}"), "it holds no such lock");
        locks.held.remove(held.ok_or_else(none)?);
        locks.grant();
        Ok(())
    }
}

impl Locks {
    fn grant(&mut self) {
        while let Some(&(rank, kind)) = self.asked.front() {
            let beside = |(_, held): &(Rank, LockKind)| (*held, kind) == (LockKind::Shared, LockKind::Shared);
            if !self.held.iter().all(beside) {
                return;
            }
            self.asked.pop_front();
            self.held.push((rank, kind));
        }
    }
}

fn out_of_place(rank: Rank, does: &str, but: &str) -> Error {
    Error::Setup(format!("rank {rank} {does} on a window, but {but}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locks_are_granted_in_order_and_shared_ones_together() {
        let mut epochs = Epochs::of(4);
        let (shared, exclusive) = (LockKind::Shared, LockKind::Exclusive);
        epochs.ask(0, &[3], shared).expect("free");
        epochs.ask(1, &[3], exclusive).expect("asked");
        epochs.ask(2, &[3], shared).expect("asked");
        assert_eq!([1, 2].map(|rank| epochs.missing_lock(rank, &[3])), [Some(3); 2], "nobody overtakes");
        assert_eq!(epochs.holder(3), Some(0));
        epochs.unlock(0, 3).expect("held");
        assert_eq!([1, 2].map(|rank| epochs.missing_lock(rank, &[3])), [None, Some(3)]);
        epochs.unlock(1, 3).expect("held");
        assert_eq!(epochs.missing_lock(2, &[3]), None);
        assert!(epochs.ask(2, &[0, 3], shared).is_err() && epochs.unlock(1, 3).is_err());
    }

    #[test]
    fn posts_and_completes_are_counted_for_each_pair() {
        let mut epochs = Epochs::of(3);
        assert_eq!(epochs.missing_post(0, &[1, 2]), Some(1));
        epochs.post(1, &[0]).expect("first");
        assert_eq!(epochs.missing_post(0, &[1, 2]), Some(2));
        epochs.post(2, &[0]).expect("first");
        epochs.start(0, &[1, 2]);
        assert_eq!((epochs.missing_post(0, &[1]), epochs.missing_complete(1)), (Some(1), Some(0)));
        assert_eq!(&*epochs.complete(0).expect("started"), [1, 2]);
        assert_eq!(epochs.missing_complete(1), None);
        epochs.close(1);
        epochs.post(1, &[0]).expect("closed before");
        assert_eq!(epochs.missing_complete(1), Some(0), "the last epoch's complete is used up");
    }

    #[test]
    fn what_ends_must_have_begun() {
        let mut epochs = Epochs::of(1);
        assert!(epochs.may_wait(0).is_err() && epochs.complete(0).is_err() && epochs.unlock(0, 0).is_err());
        epochs.post(0, &[]).expect("an empty group");
        assert!(epochs.post(0, &[]).is_err() && epochs.may_wait(0).is_ok());
        epochs.start(0, &[]);
        assert_eq!(
            epochs.may_start(0).expect_err("inside").to_string(),
            "rank 0 starts on a window, but its last start was not completed"
        );
    }
}

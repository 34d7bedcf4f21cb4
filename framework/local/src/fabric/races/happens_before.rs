//! The happens-before order: the clocks of all ranks, and what carries them from one rank to another.
//!
//! Messages carry the clock of their sender, agreements those of all members. On a window a post carries a clock to its
//! start, a complete to its wait, a release of a lock to later holders (of an exclusive one to all, of a shared one to
//! exclusive ones), and an atomic change of an element to later fetches of it.
use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    sync::Arc,
};

use wb_comm::{LockKind, Rank};

use crate::fabric::{
    races::{element_clocks::ElementClocks, vector_clock::VectorClock},
    rma::locks::LockScope,
};

/// The clocks of all ranks and windows. Ranks are those of the job, members those of a window.
#[derive(Debug)]
pub(crate) struct HappensBefore {
    /// The clock of each rank.
    clocks: Vec<VectorClock>,
    /// The clocks of each window, by index.
    windows: Vec<WindowClocks>,
}

/// Clocks by sender and receiver, as members: for a post its target and origin, for a complete its origin and target.
type ClockQueues = BTreeMap<(Rank, Rank), VecDeque<VectorClock>>;

/// The clocks in flight between the members of a window.
#[derive(Debug)]
struct WindowClocks {
    members: Arc<[Rank]>,
    posts: ClockQueues,
    completes: ClockQueues,
    /// The release clocks of the locks of each target.
    locks: Vec<ReleaseClocks>,
    /// Exclusive locks: the owner of the part, and the holder.
    exclusive: BTreeSet<(Rank, Rank)>,
    /// The clocks of the elements of each target.
    element_clocks: Vec<ElementClocks>,
}

/// The clocks of released locks.
#[derive(Clone, Debug)]
struct ReleaseClocks {
    exclusive: VectorClock,
    shared: VectorClock,
}

impl HappensBefore {
    /// The clocks of `size` ranks, none of which has done anything.
    pub(crate) fn new(size: usize) -> Self {
        let mut clocks = vec![VectorClock::new(size); size];
        clocks.iter_mut().enumerate().for_each(|(rank, clock)| clock.tick(rank));
        Self { clocks, windows: Vec::new() }
    }

    /// The number of ranks.
    pub(crate) fn size(&self) -> usize {
        self.clocks.len()
    }

    /// The clock of `rank`.
    pub(crate) fn clock(&self, rank: Rank) -> &VectorClock {
        &self.clocks[rank]
    }

    /// `rank` releases its clock; its later steps are not part of it.
    pub(crate) fn publish(&mut self, rank: Rank) -> VectorClock {
        let released = self.clocks[rank].clone();
        self.clocks[rank].tick(rank);
        released
    }

    /// The step that `rank` is in: everything that it has done since it released its clock last.
    pub(crate) fn step(&self, rank: Rank) -> u64 {
        self.clocks[rank].at(rank)
    }

    /// Whether `rank` knows that `other` has completed this step.
    pub(crate) fn knows_step(&self, rank: Rank, other: Rank, step: u64) -> bool {
        rank == other || self.clocks[rank].at(other) >= step
    }

    /// `rank` acquires a released clock.
    pub(crate) fn join(&mut self, rank: Rank, released: &VectorClock) {
        self.clocks[rank].join(released);
    }

    /// Each of these ranks acquires the clocks of all of them.
    pub(crate) fn synchronize(&mut self, ranks: &[Rank]) {
        let mut together = VectorClock::new(self.size());
        ranks.iter().for_each(|rank| together.join(&self.publish(*rank)));
        ranks.iter().for_each(|rank| self.join(*rank, &together));
    }

    /// A window of these ranks is made.
    pub(crate) fn add_window(&mut self, members: Arc<[Rank]>) {
        let none = VectorClock::new(self.size());
        let released = ReleaseClocks { exclusive: none.clone(), shared: none };
        self.windows.push(WindowClocks {
            posts: ClockQueues::new(),
            completes: ClockQueues::new(),
            locks: vec![released; members.len()],
            exclusive: BTreeSet::new(),
            element_clocks: vec![ElementClocks::new(self.size()); members.len()],
            members,
        });
    }

    pub(crate) fn rank_of(&self, window: usize, member: Rank) -> Rank {
        self.windows[window].members[member]
    }

    /// Member `target` posts to `origins`.
    pub(crate) fn post(&mut self, window: usize, target: Rank, origins: &[Rank]) {
        let released = self.publish(self.rank_of(window, target));
        let posts = &mut self.windows[window].posts;
        origins
            .iter()
            .for_each(|origin| posts.entry((target, *origin)).or_default().push_back(released.clone()));
    }

    /// Member `origin` has started to `targets`, all of which have posted.
    pub(crate) fn start(&mut self, window: usize, origin: Rank, targets: &[Rank]) {
        for target in targets {
            let released =
                self.windows[window].posts.get_mut(&(*target, origin)).and_then(VecDeque::pop_front);
            self.join(self.rank_of(window, origin), &released.expect("a start waits for its posts"));
        }
    }

    /// Member `origin` sends its complete to `target`.
    pub(crate) fn publish_complete(&mut self, window: usize, origin: Rank, target: Rank) {
        let released = self.publish(self.rank_of(window, origin));
        self.windows[window].completes.entry((origin, target)).or_default().push_back(released);
    }

    /// Member `target` has waited for `origins`, all of which have completed.
    pub(crate) fn wait(&mut self, window: usize, target: Rank, origins: &[Rank]) {
        for origin in origins {
            let released =
                self.windows[window].completes.get_mut(&(*origin, target)).and_then(VecDeque::pop_front);
            self.join(self.rank_of(window, target), &released.expect("a wait waits for its completes"));
        }
    }

    /// A member has acquired a lock.
    pub(crate) fn lock(&mut self, window: usize, member: Rank, scope: LockScope, kind: LockKind) {
        let rank = self.rank_of(window, member);
        let Self { clocks, windows } = self;
        let carried = &mut windows[window];
        for target in carried.parts(scope) {
            let ReleaseClocks { exclusive, shared } = &carried.locks[target];
            clocks[rank].join(exclusive);
            if kind == LockKind::Exclusive {
                clocks[rank].join(shared);
                carried.exclusive.insert((target, member));
            }
        }
    }

    /// A member releases a lock.
    pub(crate) fn unlock(&mut self, window: usize, member: Rank, scope: LockScope) {
        let released = self.publish(self.rank_of(window, member));
        let carried = &mut self.windows[window];
        for target in carried.parts(scope) {
            let ReleaseClocks { exclusive, shared } = &mut carried.locks[target];
            let was_exclusive = carried.exclusive.remove(&(target, member));
            if was_exclusive { exclusive } else { shared }.join(&released);
        }
    }

    /// Records that elements of a part change atomically; the origin releases its clock.
    pub(crate) fn change(
        &mut self,
        window: usize,
        (target, at, count): (Rank, usize, usize),
        released: &VectorClock,
    ) {
        self.windows[window].element_clocks[target].record_change(at..at + count, released);
    }

    /// The join of the clocks of all earlier changes of one of these elements of a part.
    pub(crate) fn fetch(&self, window: usize, (target, at, count): (Rank, usize, usize)) -> VectorClock {
        self.windows[window].element_clocks[target].clock_of(at..at + count)
    }
}

impl WindowClocks {
    fn parts(&self, scope: LockScope) -> std::ops::Range<Rank> {
        match scope {
            LockScope::Part(target) => target..target + 1,
            LockScope::All => 0..self.members.len(),
        }
    }
}

#[cfg(test)]
mod tests {
    use LockKind::{Exclusive, Shared};
    use LockScope::{All, Part};

    use super::*;

    /// Three ranks and one window.
    fn three_ranks() -> HappensBefore {
        let mut order = HappensBefore::new(3);
        order.add_window(vec![0, 1, 2].into());
        order
    }

    /// Whether `rank` knows of this step of another rank.
    fn knows(order: &HappensBefore, rank: Rank, step: (Rank, u64)) -> bool {
        order.clock(rank).at(step.0) >= step.1
    }

    fn now(order: &HappensBefore, rank: Rank) -> (Rank, u64) {
        (rank, order.clock(rank).at(rank))
    }

    #[test]
    fn what_is_told_is_known_and_what_comes_after_is_not() {
        let mut order = three_ranks();
        let before = now(&order, 0);
        let released = order.publish(0);
        let after = now(&order, 0);
        order.join(2, &released);
        assert!(knows(&order, 2, before) && !knows(&order, 2, after) && !knows(&order, 1, before));
        order.synchronize(&[1, 2]);
        assert!(knows(&order, 1, before));
    }

    #[test]
    fn what_comes_after_a_complete_is_not_known_to_its_wait() {
        let mut order = three_ranks();
        let before = now(&order, 0);
        order.publish_complete(0, 0, 1);
        let after = now(&order, 0);
        order.wait(0, 1, &[0]);
        assert!(knows(&order, 1, before) && !knows(&order, 1, after));
    }

    #[test]
    fn exclusive_locks_order_and_shared_ones_do_not() {
        let mut order = three_ranks();
        let mut turn = |rank, kind| {
            order.lock(0, rank, Part(1), kind);
            let step = now(&order, rank);
            order.unlock(0, rank, Part(1));
            (step, [0, 1, 2].map(|other| order.clock(other).clone()))
        };
        let (first, _) = turn(0, Shared);
        let (_, clocks) = turn(1, Shared);
        assert!(clocks[1].at(0) < first.1, "shared after shared");
        let (_, clocks) = turn(2, Exclusive);
        assert!(clocks[2].at(0) >= first.1, "exclusive after shared");
        let (_, clocks) = turn(1, Shared);
        assert!(clocks[1].at(0) >= first.1, "shared after exclusive");
    }

    #[test]
    fn a_lock_of_all_parts_is_a_shared_one_of_each() {
        let mut order = three_ranks();
        order.lock(0, 0, All, Shared);
        let step = now(&order, 0);
        order.unlock(0, 0, All);
        order.lock(0, 1, All, Shared);
        assert!(!knows(&order, 1, step));
        order.lock(0, 2, Part(2), Exclusive);
        assert!(knows(&order, 2, step));
    }

    #[test]
    fn an_atomic_change_is_known_to_those_who_fetch_that_element() {
        let mut order = three_ranks();
        let step = now(&order, 0);
        let released = order.publish(0);
        order.change(0, (1, 4, 1), &released);
        assert!(order.fetch(0, (1, 4, 1)).at(0) >= step.1);
        assert!(order.fetch(0, (1, 3, 3)).at(0) >= step.1);
        assert_eq!([order.fetch(0, (1, 5, 1)).at(0), order.fetch(0, (2, 4, 1)).at(0)], [0, 0]);
    }

    #[test]
    fn the_k_th_start_hears_of_the_k_th_post() {
        let mut order = three_ranks();
        let first = now(&order, 1);
        order.post(0, 1, &[0]);
        let second = now(&order, 1);
        order.post(0, 1, &[0]);
        order.start(0, 0, &[1]);
        assert!(knows(&order, 0, first) && !knows(&order, 0, second));
        order.start(0, 0, &[1]);
        assert!(knows(&order, 0, second));
        let done = now(&order, 0);
        order.publish_complete(0, 0, 1);
        order.wait(0, 1, &[0]);
        assert!(knows(&order, 1, done));
    }
}

//! The interface that selects the next event or rank, where ranks run one at a time on one thread.
use wb_comm::Rank;

use crate::fabric::{DeliveryModel, Event, JobState, ObservedState};

/// The next task.
#[derive(Debug)]
pub(crate) enum NextTask {
    /// An event to process.
    Event(Event),
    /// A rank to resume.
    Rank(Rank),
}

/// A delivery model that also selects the rank that runs.
pub(crate) trait Scheduler: DeliveryModel + Sized + 'static {
    /// The backend's name in messages and records.
    const NAME: &'static str;

    /// Selects the next task; `None` when nothing is in flight and no rank can run.
    fn next_task(state: &mut JobState<Self>) -> Option<NextTask>;

    /// Reports that `rank` is resumed.
    fn resumed(&mut self, rank: Rank);

    /// `rank` is about to poll this state. Must it be suspended first? Then this is called again.
    fn must_suspend_poll(&mut self, rank: Rank, observed: ObservedState) -> bool;

    /// The poll of `rank` has failed; the rank is resumed later.
    fn poll_failed(&mut self, rank: Rank);

    /// The task of `rank` reads its clock. Where that finds the time of its last reading, it takes time.
    fn read_clock(&mut self, rank: Rank) -> u64;

    /// Have ranks polled without success so often, with no event in between, that no poll will succeed?
    fn is_livelocked(&self) -> bool;

    /// `rank` computes; returns the nanoseconds that it takes, and those of its own code that were charged since the last call.
    fn work(&mut self, rank: Rank, flops: u64, bytes: u64) -> u64;

    /// The own code of `rank` has taken `ns` nanoseconds; does nothing in a scheduler without time.
    fn charge(&mut self, _rank: Rank, _ns: u64) {}
}

/// Counts fruitless polls in a row, of all ranks, to detect a livelock.
///
/// Polls of a rank's own memory count too: the rank may be using what it reads, so 500 of them are one fruitless poll. So do readings of the
/// clock; their limit does not grow with the ranks, because no other rank runs in between.
///
/// Above the limit ranks may still wait for a time, or for an event that is far ahead. Polls then take longer steps, less than 0.4 % of the
/// wait, and after an hour they are a livelock.
#[derive(Debug)]
pub(crate) struct FruitlessPolls {
    /// In polls of a rank's own memory.
    count: u64,
    /// The number up to which each poll takes its cost.
    limit: u64,
    /// The number of ranks.
    size: u64,
    /// The time that the polls of all ranks have taken.
    waited: u64,
}

impl FruitlessPolls {
    /// A fruitless poll, in polls of a rank's own memory.
    const POLL_COST: u64 = 500;

    const HOUR_NS: u64 = 3_600_000_000_000;

    /// A counter for `size` ranks, each of which may poll `max_polls` times without success before its polls take longer steps.
    pub(crate) fn new(size: usize, max_polls: u64) -> Self {
        let size = size as u64;
        Self { count: 0, limit: max_polls * Self::POLL_COST * size, size, waited: 0 }
    }

    /// A rank has polled without success, which costs this time; returns the time that it takes.
    pub(crate) fn add_poll(&mut self, cost: u64) -> u64 {
        self.add(Self::POLL_COST, cost)
    }

    /// A rank has read its own memory; as [`add_poll`](Self::add_poll).
    pub(crate) fn add_local_poll(&mut self, cost: u64) -> u64 {
        self.add(1, cost)
    }

    /// The task of a rank has read its clock; as [`add_poll`](Self::add_poll).
    pub(crate) fn add_clock_reading(&mut self, cost: u64) -> u64 {
        self.add(self.size, cost)
    }

    fn add(&mut self, polls: u64, cost: u64) -> u64 {
        self.count += polls;
        let takes = if self.count > self.limit { cost.max(self.waited / (256 * self.size)) } else { cost };
        self.waited += takes;
        takes
    }

    /// An event has happened that a poll may find.
    pub(crate) fn reset(&mut self) {
        (self.count, self.waited) = (0, 0);
    }

    /// Will no further poll succeed?
    pub(crate) fn is_livelocked(&self) -> bool {
        self.count > self.limit && self.waited > Self::HOUR_NS * self.size
    }
}

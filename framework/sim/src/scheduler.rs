//! The interface that selects the next event or rank, where ranks run one at a time on one thread.
use wb_comm::Rank;
use wb_fabric::{DeliveryModel, Event, JobState, ObservedState};

/// The next task.
#[derive(Debug)]
pub(crate) enum NextTask {
    /// This event takes place.
    Event(Event),
    /// This rank is resumed.
    Rank(Rank),
}

/// A delivery model that also selects the rank that runs.
pub(crate) trait Scheduler: DeliveryModel + Sized + 'static {
    /// The backend's name in messages and records.
    const NAME: &'static str;

    /// Selects the next task; `None` when nothing is in flight and no rank can run.
    fn next_task(state: &mut JobState<Self>) -> Option<NextTask>;

    /// `rank` is resumed.
    fn resumed(&mut self, rank: Rank);

    /// `rank` is about to poll this state. Must it be suspended first? Then this is called again.
    fn must_suspend_poll(&mut self, rank: Rank, sight: ObservedState) -> bool;

    /// The poll of `rank` has failed; the rank is resumed later.
    fn poll_failed(&mut self, rank: Rank);

    /// Have ranks polled without success so often, with no event in between, that no poll will succeed?
    fn is_livelocked(&self) -> bool;

    /// `rank` computes; returns the nanoseconds that it takes.
    fn work(&mut self, rank: Rank, flops: u64, bytes: u64) -> u64;

    /// The own code of `rank` has taken `ns` nanoseconds; does nothing in a scheduler without time.
    fn charge(&mut self, _rank: Rank, _ns: u64) {}
}

/// Counts fruitless polls in a row, of all ranks, to detect a livelock.
///
/// Polls of a rank's own memory count too: the rank may be using what it reads, so 500 of them are one fruitless poll.
#[derive(Debug)]
pub(crate) struct FruitlessPolls {
    /// In polls of a rank's own memory.
    count: u64,
    limit: u64,
}

impl FruitlessPolls {
    /// A fruitless poll, in polls of a rank's own memory.
    const POLL_COST: u64 = 500;

    /// A counter for `size` ranks, each of which may poll `max_polls` times without success while no event happens.
    pub(crate) fn new(size: usize, max_polls: u64) -> Self {
        Self { count: 0, limit: max_polls * Self::POLL_COST * size as u64 }
    }

    /// A rank has polled without success.
    pub(crate) fn add_poll(&mut self) {
        self.count += Self::POLL_COST;
    }

    /// A rank has read its own memory.
    pub(crate) fn add_local_poll(&mut self) {
        self.count += 1;
    }

    /// An event has happened that a poll may find.
    pub(crate) fn reset(&mut self) {
        self.count = 0;
    }

    /// Will no further poll succeed?
    pub(crate) fn is_livelocked(&self) -> bool {
        self.count > self.limit
    }
}

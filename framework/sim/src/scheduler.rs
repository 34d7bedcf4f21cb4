//! Who or what is next, where ranks take turns on one thread.
use wb_comm::Rank;
use wb_fabric::{DeliveryModel, Event, JobState, ObservedState};

/// What is next.
#[derive(Debug)]
pub(crate) enum NextTask {
    /// This comes about.
    Event(Event),
    /// A rank gets the baton.
    Rank(Rank),
}

/// A pace that also says whose turn it is.
pub(crate) trait Scheduler: DeliveryModel + Sized + 'static {
    /// The backend's name for people and records.
    const NAME: &'static str;

    /// Turns to what is next; `None` when nothing is under way and nobody can run.
    fn next_task(state: &mut JobState<Self>) -> Option<NextTask>;

    /// It is the turn of `rank`.
    fn resumed(&mut self, rank: Rank);

    /// `rank` is about to look at this without waiting. Must it give the baton away first? Then it is called again.
    fn must_suspend_poll(&mut self, rank: Rank, sight: ObservedState) -> bool;

    /// `rank` has looked in vain; it is called again.
    fn poll_failed(&mut self, rank: Rank);

    /// Have ranks looked in vain so often in a row, while nothing came about, that nothing will?
    fn is_livelocked(&self) -> bool;

    /// `rank` computes; gives the nanoseconds that it takes.
    fn work(&mut self, rank: Rank, flops: u64, bytes: u64) -> u64;

    /// The own code of `rank` has taken so many nanoseconds; nothing where there is no time.
    fn charge(&mut self, _rank: Rank, _ns: u64) {}
}

/// Counts polls that have found nothing, one after the other and by all ranks, to recognise a livelock.
///
/// Polls of a rank's own memory count too: the rank may well be using what it reads, so 500 of them are one fruitless poll.
#[derive(Debug)]
pub(crate) struct FruitlessPolls {
    /// In polls of a rank's own memory.
    count: u64,
    limit: u64,
}

impl FruitlessPolls {
    /// A fruitless poll, in polls of a rank's own memory.
    const POLL_COST: u64 = 500;

    /// Among `size` ranks, of which each may poll `max_polls` times without success while nothing else happens.
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

    /// Something has happened that a poll may find.
    pub(crate) fn reset(&mut self) {
        self.count = 0;
    }

    /// Will no further poll find anything?
    pub(crate) fn is_livelocked(&self) -> bool {
        self.count > self.limit
    }
}

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

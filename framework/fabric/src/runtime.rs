//! How a rank reaches what all ranks share, and how it waits.
use std::ops::DerefMut;

use wb_comm::{Rank, Result};

use crate::{
    delivery::DeliveryModel,
    job_state::{JobState, rank_state::WaitState},
    observed_state::ObservedState,
};

/// A handle of what the ranks of one job share; clones are handles of the same.
pub trait Runtime: Clone + 'static {
    /// How long things take here.
    type Delivery: DeliveryModel;
    /// The state, for as long as nobody else may touch it.
    type StateGuard<'h>: DerefMut<Target = JobState<Self::Delivery>>
    where
        Self: 'h;

    /// The backend's name for people and records.
    fn name(&self) -> &'static str;

    /// Takes the state. Never held while a rank waits or computes.
    fn lock_state(&self) -> Self::StateGuard<'_>;

    /// Does the part of a call that is the backend's and not the rank's: where ranks have stacks of their own, which are many
    /// and cold, on a better one. Nothing in it may wait.
    fn on_host_stack<R>(&self, part: impl FnOnce() -> R) -> R {
        part()
    }

    /// Returns when `rank` (of the job) stands no more. It stands now, and the state is not held.
    fn wait(&self, rank: Rank) -> Self::StateGuard<'_>;

    /// Lets `rank` (of the job) stand until its need is met.
    ///
    /// # Errors
    /// Why the job cannot go on; the state is not held then.
    fn block<'h>(
        &'h self,
        mut held: Self::StateGuard<'h>,
        rank: Rank,
        wait_state: WaitState,
    ) -> Result<Self::StateGuard<'h>> {
        if held.block(rank, wait_state) {
            drop(held);
            held = self.wait(rank);
        }
        held.failure().cloned().map_or(Ok(held), Err)
    }

    /// Returns when all that happens before the rank's present has happened. Call before looking at this without waiting.
    fn before_poll(&self, rank: Rank, observed: ObservedState);

    /// The rank has looked without success and will look again: the others get their turn.
    fn after_failed_poll(&self, rank: Rank);

    /// Nanoseconds of the rank's clock.
    fn now(&self, rank: Rank) -> u64;

    /// The rank computes: so many floating-point operations on so many bytes of memory. Gives the nanoseconds it takes here.
    fn work(&self, rank: Rank, flops: u64, bytes: u64) -> u64;
}

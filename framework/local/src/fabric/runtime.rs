//! How a rank reaches the shared state, and how it waits.
use std::ops::DerefMut;

use wb_comm::{Rank, Result};

use crate::fabric::{
    delivery::DeliveryModel,
    job_state::{JobState, rank_state::WaitState},
    observed_state::ObservedState,
};

/// A handle of the shared state of one job; clones refer to the same state.
pub trait Runtime: Clone + 'static {
    /// The delivery model.
    type Delivery: DeliveryModel;
    /// Exclusive access to the state while it lives.
    type StateGuard<'h>: DerefMut<Target = JobState<Self::Delivery>>
    where
        Self: 'h;

    /// The backend's name for display and records.
    fn name(&self) -> &'static str;

    /// Locks the state. It is never held while a rank waits or computes.
    fn lock_state(&self) -> Self::StateGuard<'_>;

    /// Runs the backend's part of a call. If ranks have stacks of their own, which are many and not in the cache, it
    /// runs on the host stack. Nothing in it may wait.
    fn on_host_stack<R>(&self, part: impl FnOnce() -> R) -> R {
        part()
    }

    /// Waits until `rank` (of the job) is no longer blocked. It is blocked now, and the state is not locked.
    fn wait(&self, rank: Rank) -> Self::StateGuard<'_>;

    /// Blocks `rank` (of the job) until its condition is satisfied.
    ///
    /// # Errors
    /// Why the job has failed; the state is not held then.
    fn block<'h>(
        &'h self,
        mut held: Self::StateGuard<'h>,
        rank: Rank,
        wait_state: WaitState,
    ) -> Result<Self::StateGuard<'h>> {
        let site = wait_state.site;
        if held.block(rank, wait_state) {
            drop(held);
            held = self.wait(rank);
        }
        held.check_failure(rank, site).map(|()| held)
    }

    /// Returns when all events before the rank's local time have been processed. Call it before a nonblocking poll of
    /// this state.
    fn before_poll(&self, rank: Rank, observed: ObservedState);

    /// The rank has polled without success and will poll again: other ranks may run.
    fn after_failed_poll(&self, rank: Rank);

    /// Nanoseconds of the rank's clock.
    fn now(&self, rank: Rank) -> u64;

    /// As [`Transport::read_clock`](wb_comm::Transport::read_clock).
    fn read_clock(&self, rank: Rank) -> Option<u64> {
        Some(self.now(rank))
    }

    /// The rank computes: this number of floating-point operations on this number of bytes of memory. Returns the
    /// nanoseconds it takes here.
    fn work(&self, rank: Rank, flops: u64, bytes: u64) -> u64;
}

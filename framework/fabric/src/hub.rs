//! How a rank reaches what all ranks share, and how it waits.
use std::ops::DerefMut;

use wb_comm::{Rank, Result};

use crate::{Pace, Sight, Standing, State};

/// A handle of what the ranks of one job share; clones are handles of the same.
pub trait Hub: Clone + 'static {
    /// How long things take here.
    type Pace: Pace;
    /// The state, for as long as nobody else may touch it.
    type Held<'h>: DerefMut<Target = State<Self::Pace>>
    where
        Self: 'h;

    /// The backend's name for people and records.
    fn name(&self) -> &'static str;

    /// Takes the state. Never held while a rank waits or computes.
    fn hold(&self) -> Self::Held<'_>;

    /// Does the part of a call that is the backend's and not the rank's: where ranks have stacks of their own, which are many
    /// and cold, on a better one. Nothing in it may wait.
    fn aside<R>(&self, part: impl FnOnce() -> R) -> R {
        part()
    }

    /// Returns when `rank` (of the job) stands no more. It stands now, and the state is not held.
    fn wait(&self, rank: Rank) -> Self::Held<'_>;

    /// Lets `rank` (of the job) stand until its need is met.
    ///
    /// # Errors
    /// Why the job cannot go on; the state is not held then.
    fn stand<'h>(
        &'h self,
        mut held: Self::Held<'h>,
        rank: Rank,
        standing: Standing,
    ) -> Result<Self::Held<'h>> {
        if held.let_stand(rank, standing) {
            drop(held);
            held = self.wait(rank);
        }
        held.failure().cloned().map_or(Ok(held), Err)
    }

    /// Returns when all that happens before the rank's present has happened. Call before looking at this without waiting.
    fn look(&self, rank: Rank, sight: Sight);

    /// The rank has looked in vain and will look again: the others get their turn.
    fn idle(&self, rank: Rank);

    /// Nanoseconds of the rank's clock.
    fn now(&self, rank: Rank) -> u64;

    /// The rank computes: so many floating-point operations on so many bytes of memory. Gives the nanoseconds it takes here.
    fn work(&self, rank: Rank, flops: u64, bytes: u64) -> u64;
}

//! Words in memory that all ranks map: a put is a plain store, which only a barrier orders.
use std::sync::atomic::Ordering::Relaxed;

use wb_comm::{Rank, Result};
use wb_world::World;

use super::{PutWords, Region, TeamMemory};

/// Words of a shared region in which a put is a plain store: the data that the laws check behind a barrier.
pub struct SharedWords {
    region: Box<dyn Region>,
    rank: Rank,
    size: usize,
}

impl SharedWords {
    /// Collective over `team`.
    ///
    /// # Errors
    /// An error of the memory.
    pub fn new(memory: &dyn TeamMemory, team: &World) -> Result<Self> {
        let (rank, size) = (team.rank(), team.size());
        Ok(Self { region: memory.region(team, 2 * size * size, 0)?, rank, size })
    }

    /// Collective: gives them back.
    ///
    /// # Errors
    /// An error of the memory.
    pub fn close(self) -> Result<()> {
        self.region.close()
    }
}

impl PutWords for SharedWords {
    fn put(&self, to: Rank, word: usize, value: i64) -> Result<()> {
        self.region.atoms()[2 * self.size * to + word].store(value, Relaxed);
        Ok(())
    }

    fn own(&self, word: usize) -> Result<i64> {
        Ok(self.region.atoms()[2 * self.size * self.rank + word].load(Relaxed))
    }
}

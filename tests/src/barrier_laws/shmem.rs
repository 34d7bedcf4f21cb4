//! The barriers of a real OpenSHMEM library, and puts to its symmetric heap. They are all PEs' barriers.
use wb_algorithms::barriers::{BarrierEntry, GroupConfig};
use wb_comm::{Barrier, Error, Rank, Result, text};
use wb_shmem::oshmem::{BarrierAll, ShmemLibrary, SymmetricLongs, SyncAll};
use wb_world::World;

use super::{BarrierInstance, BarrierProvider, PutWords};

/// The barriers of an OpenSHMEM library, each of all PEs.
pub struct ShmemLibraryBarriers(pub &'static ShmemLibrary);

impl BarrierProvider for ShmemLibraryBarriers {
    fn name(&self) -> String {
        format!("the OpenSHMEM library {}", self.0.library())
    }

    fn build(&self, entry: &BarrierEntry, team: &World) -> Result<Box<dyn BarrierInstance>> {
        if team.size() != self.0.size() {
            return Err(Error::Setup(text::barrier::size(entry.name, self.0.size(), team.size())));
        }
        let words = self.0.allocate(2 * team.size(), 0)?;
        Ok(Box::new(ShmemLibraryInstance { shmem: self.0, name: entry.name, words }))
    }

    fn completes_memory(&self, entry: &BarrierEntry) -> bool {
        entry.guarantee.memory
    }

    /// Active sets have tests of their own: their work arrays are allocated by all PEs.
    fn has_teams(&self) -> bool {
        false
    }

    fn supports(&self, entry: &BarrierEntry, _: &GroupConfig) -> bool {
        ["shmem_barrier_all", "shmem_sync_all"].contains(&entry.name)
    }
}

struct ShmemLibraryInstance {
    shmem: &'static ShmemLibrary,
    name: &'static str,
    words: SymmetricLongs<'static>,
}

impl BarrierInstance for ShmemLibraryInstance {
    fn barrier(&self) -> Box<dyn Barrier + '_> {
        match self.name {
            "shmem_barrier_all" => Box::new(BarrierAll(self.shmem)),
            _ => Box::new(SyncAll(self.shmem)),
        }
    }

    fn put_words(&self) -> Option<&dyn PutWords> {
        Some(self)
    }

    fn close(self: Box<Self>) -> Result<()> {
        self.words.free();
        Ok(())
    }
}

impl PutWords for ShmemLibraryInstance {
    fn put(&self, to: Rank, word: usize, value: i64) -> Result<()> {
        Ok(self.words.put(to, word, value)?)
    }

    fn own(&self, word: usize) -> Result<i64> {
        Ok(self.words.load(word)?)
    }
}

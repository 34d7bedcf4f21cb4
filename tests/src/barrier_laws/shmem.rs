//! The barriers of a real OpenSHMEM library, and puts to its symmetric heap. They are all PEs' barriers.
use wb_collectives::{Entry, catalogue::Setting};
use wb_comm::{Barrier, Error, Rank, Result, text};
use wb_oshmem::{BarrierAll, Longs, Shmem, SyncAll};
use wb_world::World;

use super::{Carrier, Place, Words};

/// See the module.
pub struct OfLibrary(pub &'static Shmem);

impl Carrier for OfLibrary {
    fn name(&self) -> String {
        format!("the OpenSHMEM library {}", self.0.library())
    }

    fn place(&self, entry: &Entry, team: &World) -> Result<Box<dyn Place>> {
        if team.size() != self.0.size() {
            return Err(Error::Setup(text::barrier::size(entry.name, self.0.size(), team.size())));
        }
        let words = self.0.allocate(2 * team.size(), 0)?;
        Ok(Box::new(Own { shmem: self.0, name: entry.name, words }))
    }

    fn completes(&self, entry: &Entry) -> bool {
        entry.promise.memory
    }

    /// Active sets have tests of their own: their work arrays are allocated by all PEs.
    fn has_teams(&self) -> bool {
        false
    }

    fn can(&self, entry: &Entry, _: &Setting) -> bool {
        ["shmem_barrier_all", "shmem_sync_all"].contains(&entry.name)
    }
}

struct Own {
    shmem: &'static Shmem,
    name: &'static str,
    words: Longs<'static>,
}

impl Place for Own {
    fn barrier(&self) -> Box<dyn Barrier + '_> {
        match self.name {
            "shmem_barrier_all" => Box::new(BarrierAll(self.shmem)),
            _ => Box::new(SyncAll(self.shmem)),
        }
    }

    fn words(&self) -> Option<&dyn Words> {
        Some(self)
    }

    fn close(self: Box<Self>) -> Result<()> {
        self.words.free();
        Ok(())
    }
}

impl Words for Own {
    fn put(&self, to: Rank, word: usize, value: i64) -> Result<()> {
        Ok(self.words.put(to, word, value)?)
    }

    fn own(&self, word: usize) -> Result<i64> {
        Ok(self.words.load(word)?)
    }
}

//! Barriers of teams of the OpenSHMEM layer, by any algorithm in memory, with puts to its symmetric heap.
use wb_algorithms::barriers::{BarrierEntry, GroupConfig, compiled_plan::SignalEncoding};
use wb_comm::{Barrier, Error, Rank, Result};
use wb_shmem::{Shmem, Symmetric};
use wb_world::{FrameworkCalls as _, World};

use super::{BarrierInstance, BarrierProvider, PutWords};

/// Barriers of OpenSHMEM teams, by any algorithm in memory.
pub struct TeamBarriers {
    /// Complete, then meet (`shmem_barrier`); else only meet (`shmem_sync`), which promises nothing of puts.
    pub quiet: bool,
}

fn to_comm_error(why: &wb_shmem::Error) -> Error {
    Error::Setup(why.text())
}

impl BarrierProvider for TeamBarriers {
    fn name(&self) -> String {
        format!("the OpenSHMEM layer's {}", if self.quiet { "barrier" } else { "sync" })
    }

    fn build(&self, entry: &BarrierEntry, team: &World) -> Result<Box<dyn BarrierInstance>> {
        let shmem = Shmem::init(&**team.transport()).map_err(|why| to_comm_error(&why))?;
        let words = shmem.malloc(2 * team.size()).map_err(|why| to_comm_error(&why))?;
        shmem.write(words, 0, &vec![0i64; words.len()]).map_err(|why| to_comm_error(&why))?;
        shmem.barrier_all().map_err(|why| to_comm_error(&why))?;
        Ok(Box::new(TeamInstance { name: entry.name, quiet: self.quiet, shmem, words }))
    }

    fn completes_memory(&self, _: &BarrierEntry) -> bool {
        true
    }

    fn supports(&self, entry: &BarrierEntry, config: &GroupConfig) -> bool {
        entry.in_memory(0, config, SignalEncoding::Add).is_some_and(|program| program.is_ok())
    }
}

struct TeamInstance {
    name: &'static str,
    quiet: bool,
    shmem: Shmem,
    words: Symmetric<i64>,
}

struct TeamBarrierHandle<'a>(&'a TeamInstance);

impl Barrier for TeamBarrierHandle<'_> {
    fn wait(&mut self) -> Result<()> {
        let TeamInstance { name, quiet, shmem, .. } = self.0;
        let waited = match quiet {
            true => shmem.team_barrier_by(&shmem.world(), name),
            false => shmem.team_sync_by(&shmem.world(), name),
        };
        waited.map_err(|why| to_comm_error(&why))
    }
}

impl BarrierInstance for TeamInstance {
    fn barrier(&self) -> Box<dyn Barrier + '_> {
        Box::new(TeamBarrierHandle(self))
    }

    fn put_words(&self) -> Option<&dyn PutWords> {
        Some(self)
    }

    fn close(self: Box<Self>) -> Result<()> {
        self.shmem.finalize().map_err(|why| to_comm_error(&why))
    }
}

impl PutWords for TeamInstance {
    fn put(&self, to: Rank, word: usize, value: i64) -> Result<()> {
        self.shmem.p(self.words, word, value, to).map_err(|why| to_comm_error(&why))
    }

    fn own(&self, word: usize) -> Result<i64> {
        let mut value = [0];
        self.shmem.read(self.words, word, &mut value).map_err(|why| to_comm_error(&why))?;
        Ok(value[0])
    }
}

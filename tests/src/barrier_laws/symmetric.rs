//! Barriers of teams of the OpenSHMEM layer, by any algorithm in memory, with puts to its symmetric heap.
use wb_collectives::{Entry, catalogue::Setting, script::Style};
use wb_comm::{Barrier, Error, Rank, Result};
use wb_shmem::{Shmem, Symmetric};
use wb_world::World;

use super::{Carrier, Place, Words};

/// See the module.
pub struct OnHeap {
    /// Complete, then meet (`shmem_barrier`); else only meet (`shmem_sync`), which promises nothing of puts.
    pub quiet: bool,
}

fn told(why: &wb_shmem::Error) -> Error {
    Error::Setup(why.text())
}

impl Carrier for OnHeap {
    fn name(&self) -> String {
        format!("the OpenSHMEM layer's {}", if self.quiet { "barrier" } else { "sync" })
    }

    fn place(&self, entry: &Entry, team: &World) -> Result<Box<dyn Place>> {
        let shmem = Shmem::init(&**team.transport()).map_err(|why| told(&why))?;
        let words = shmem.malloc(2 * team.size()).map_err(|why| told(&why))?;
        shmem.write(words, 0, &vec![0i64; words.len()]).map_err(|why| told(&why))?;
        shmem.barrier_all().map_err(|why| told(&why))?;
        Ok(Box::new(Own { name: entry.name, quiet: self.quiet, shmem, words }))
    }

    fn completes(&self, _: &Entry) -> bool {
        true
    }

    fn can(&self, entry: &Entry, setting: &Setting) -> bool {
        entry.in_memory(0, setting, Style::Add).is_some_and(|program| program.is_ok())
    }
}

struct Own {
    name: &'static str,
    quiet: bool,
    shmem: Shmem,
    words: Symmetric<i64>,
}

struct Handle<'a>(&'a Own);

impl Barrier for Handle<'_> {
    fn wait(&mut self) -> Result<()> {
        let Own { name, quiet, shmem, .. } = self.0;
        let waited = match quiet {
            true => shmem.team_barrier_by(&shmem.world(), name),
            false => shmem.team_sync_by(&shmem.world(), name),
        };
        waited.map_err(|why| told(&why))
    }
}

impl Place for Own {
    fn barrier(&self) -> Box<dyn Barrier + '_> {
        Box::new(Handle(self))
    }

    fn words(&self) -> Option<&dyn Words> {
        Some(self)
    }

    fn close(self: Box<Self>) -> Result<()> {
        self.shmem.finalize().map_err(|why| told(&why))
    }
}

impl Words for Own {
    fn put(&self, to: Rank, word: usize, value: i64) -> Result<()> {
        self.shmem.p(self.words, word, value, to).map_err(|why| told(&why))
    }

    fn own(&self, word: usize) -> Result<i64> {
        let mut value = [0];
        self.shmem.read(self.words, word, &mut value).map_err(|why| told(&why))?;
        Ok(value[0])
    }
}

//! Rust's own barrier of threads.
use std::sync::{Arc, Barrier as StdBarrier};

use wb_algorithms::barriers::{BarrierEntry, GroupConfig};
use wb_comm::{Barrier, Result};
use wb_world::World;

use super::{BarrierInstance, BarrierProvider, PutWords, TeamThreadMemory, shared_words::SharedWords};

/// `std::sync::Barrier` among the threads of a team.
pub struct StdBarriers<'a>(pub &'a TeamThreadMemory);

impl BarrierProvider for StdBarriers<'_> {
    fn name(&self) -> String {
        "Rust's standard library".into()
    }

    fn build(&self, _: &BarrierEntry, team: &World) -> Result<Box<dyn BarrierInstance>> {
        let barrier = self.0.share(team, || StdBarrier::new(team.size()))?;
        Ok(Box::new(StdInstance { barrier, words: SharedWords::new(self.0, team)? }))
    }

    fn completes_memory(&self, entry: &BarrierEntry) -> bool {
        entry.guarantee.memory
    }

    fn supports(&self, entry: &BarrierEntry, _: &GroupConfig) -> bool {
        entry.name == "std_barrier"
    }
}

struct StdInstance {
    barrier: Arc<StdBarrier>,
    words: SharedWords,
}

struct StdBarrierHandle<'a>(&'a StdBarrier);

impl Barrier for StdBarrierHandle<'_> {
    fn wait(&mut self) -> Result<()> {
        self.0.wait();
        Ok(())
    }
}

impl BarrierInstance for StdInstance {
    fn barrier(&self) -> Box<dyn Barrier + '_> {
        Box::new(StdBarrierHandle(&self.barrier))
    }

    fn put_words(&self) -> Option<&dyn PutWords> {
        Some(&self.words)
    }

    fn close(self: Box<Self>) -> Result<()> {
        self.words.close()
    }
}

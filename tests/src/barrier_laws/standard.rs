//! Rust's own barrier of threads.
use std::sync::{Arc, Barrier as StdBarrier};

use wb_collectives::{Entry, catalogue::Setting};
use wb_comm::{Barrier, Result};
use wb_world::World;

use super::{Carrier, OnThreads, Place, Words, shared_words::SharedWords};

/// See the module.
pub struct OfStd<'a>(pub &'a OnThreads);

impl Carrier for OfStd<'_> {
    fn name(&self) -> String {
        "Rust's standard library".into()
    }

    fn place(&self, _: &Entry, team: &World) -> Result<Box<dyn Place>> {
        let barrier = self.0.share(team, || StdBarrier::new(team.size()))?;
        Ok(Box::new(Own { barrier, words: SharedWords::on(self.0, team)? }))
    }

    fn completes(&self, entry: &Entry) -> bool {
        entry.promise.memory
    }

    fn can(&self, entry: &Entry, _: &Setting) -> bool {
        entry.name == "std_barrier"
    }
}

struct Own {
    barrier: Arc<StdBarrier>,
    words: SharedWords,
}

struct Handle<'a>(&'a StdBarrier);

impl Barrier for Handle<'_> {
    fn wait(&mut self) -> Result<()> {
        self.0.wait();
        Ok(())
    }
}

impl Place for Own {
    fn barrier(&self) -> Box<dyn Barrier + '_> {
        Box::new(Handle(&self.barrier))
    }

    fn words(&self) -> Option<&dyn Words> {
        Some(&self.words)
    }

    fn close(self: Box<Self>) -> Result<()> {
        self.words.close()
    }
}

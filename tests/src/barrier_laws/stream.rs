//! The host's barrier on a stream: every rank is the host of a PE, whose cores are threads beside it.
use std::{
    cell::RefCell,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicI64},
    },
};

use wb_ascend::{Machine, Npu, OnStream};
use wb_collectives::{Entry, catalogue::Setting};
use wb_comm::{Barrier, Error, Result};
use wb_world::World;

use super::{Carrier, Ground, OnThreads, Place, Words, shared_words::SharedWords};

/// See the module.
pub struct OnStreams<'a> {
    /// Where the PEs' memory lies.
    pub ground: &'a OnThreads,
    /// The machine of so many PEs.
    pub machine: fn(usize) -> Machine,
}

impl Carrier for OnStreams<'_> {
    fn name(&self) -> String {
        let Machine { vector, cube, cores, between, .. } = (self.machine)(1);
        format!("streams of {vector} + {cube} cores ({cores:?}, {between:?})")
    }

    fn place(&self, _: &Entry, team: &World) -> Result<Box<dyn Place>> {
        let machine = (self.machine)(team.size());
        // Cores live as long as they like, so what they look at is never given back.
        let memory = || -> &'static [AtomicI64] {
            (0..Npu::required(&machine)).map(|_| AtomicI64::new(0)).collect::<Vec<_>>().leak()
        };
        let between = *self.ground.share(team, memory)?;
        let stop: &'static Arc<AtomicBool> = Box::leak(Box::new(Arc::clone(self.ground.given_up())));
        let npu = Npu::new(machine.clone(), team.rank(), between, stop).and_then(OnStream::new);
        let stream = npu.map_err(|why| Error::Setup(why.text()))?;
        Ok(Box::new(Own { stream: RefCell::new(stream), words: SharedWords::on(self.ground, team)? }))
    }

    fn completes(&self, entry: &Entry) -> bool {
        entry.promise.memory
    }

    fn can(&self, entry: &Entry, _: &Setting) -> bool {
        entry.name == "host_stream"
    }
}

struct Own {
    stream: RefCell<OnStream>,
    words: SharedWords,
}

struct Handle<'a>(&'a RefCell<OnStream>);

impl Barrier for Handle<'_> {
    fn wait(&mut self) -> Result<()> {
        self.0.borrow_mut().wait()
    }
}

impl Place for Own {
    fn barrier(&self) -> Box<dyn Barrier + '_> {
        Box::new(Handle(&self.stream))
    }

    fn words(&self) -> Option<&dyn Words> {
        Some(&self.words)
    }

    fn close(self: Box<Self>) -> Result<()> {
        self.words.close()
    }
}

//! The host's barrier on a stream: every rank is the host of a PE, whose cores are threads beside it.
use std::{
    cell::RefCell,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicI64},
    },
};

use wb_algorithms::barriers::{BarrierEntry, GroupConfig};
use wb_comm::{Barrier, Error, Result};
use wb_shmem::ascend::{AscendMachine, Npu, StreamBarrier};
use wb_world::World;

use super::{
    BarrierInstance, BarrierProvider, PutWords, TeamMemory, TeamThreadMemory, shared_words::SharedWords,
};

/// The host's barrier on a stream of each PE.
pub struct StreamBarriers<'a> {
    /// Where the PEs' memory lies.
    pub memory: &'a TeamThreadMemory,
    /// The machine of this number of PEs.
    pub machine: fn(usize) -> AscendMachine,
}

impl BarrierProvider for StreamBarriers<'_> {
    fn name(&self) -> String {
        let AscendMachine { vector, cube, core_barrier, npu_barrier, .. } = (self.machine)(1);
        format!("streams of {vector} + {cube} cores ({core_barrier:?}, {npu_barrier:?})")
    }

    fn build(&self, _: &BarrierEntry, team: &World) -> Result<Box<dyn BarrierInstance>> {
        let machine = (self.machine)(team.size());
        // Cores live as long as they like, so what they look at is never given back.
        let memory = || -> &'static [AtomicI64] {
            (0..Npu::required(&machine)).map(|_| AtomicI64::new(0)).collect::<Vec<_>>().leak()
        };
        let inter_pe_memory = *self.memory.share(team, memory)?;
        let stop: &'static Arc<AtomicBool> = Box::leak(Box::new(Arc::clone(self.memory.stop_flag())));
        let npu = Npu::new(machine.clone(), team.rank(), inter_pe_memory, stop).and_then(StreamBarrier::new);
        let stream = npu.map_err(|why| Error::Setup(why.text()))?;
        Ok(Box::new(StreamInstance {
            stream: RefCell::new(stream),
            words: SharedWords::new(self.memory, team)?,
        }))
    }

    fn completes_memory(&self, entry: &BarrierEntry) -> bool {
        entry.guarantee.memory
    }

    fn supports(&self, entry: &BarrierEntry, _: &GroupConfig) -> bool {
        entry.name == "host_stream"
    }
}

struct StreamInstance {
    stream: RefCell<StreamBarrier>,
    words: SharedWords,
}

struct StreamBarrierHandle<'a>(&'a RefCell<StreamBarrier>);

impl Barrier for StreamBarrierHandle<'_> {
    fn wait(&mut self) -> Result<()> {
        self.0.borrow_mut().wait()
    }
}

impl BarrierInstance for StreamInstance {
    fn barrier(&self) -> Box<dyn Barrier + '_> {
        Box::new(StreamBarrierHandle(&self.stream))
    }

    fn put_words(&self) -> Option<&dyn PutWords> {
        Some(&self.words)
    }

    fn close(self: Box<Self>) -> Result<()> {
        self.words.close()
    }
}

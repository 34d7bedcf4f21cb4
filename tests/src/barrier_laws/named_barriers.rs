//! Barriers as a world hands them out by name: programs on a window of remote atomics, and those of MPI's own.
use std::cell::RefCell;

use wb_algorithms::barriers::{BarrierEntry, GroupConfig, Implementation, Substrate};
use wb_comm::{Barrier, Result};
use wb_world::{NamedBarrier, World};

use super::{BarrierInstance, BarrierProvider};

/// The barriers that a world returns by name.
pub struct NamedBarriers;

impl BarrierProvider for NamedBarriers {
    fn name(&self) -> String {
        "a world, by name".into()
    }

    fn build(&self, entry: &BarrierEntry, team: &World) -> Result<Box<dyn BarrierInstance>> {
        Ok(Box::new(NamedInstance(RefCell::new(team.barrier_by(entry.name)?))))
    }

    fn supports(&self, entry: &BarrierEntry, config: &GroupConfig) -> bool {
        match entry.implementation {
            Implementation::Native(substrates) => {
                World::barriers(config.size).contains(&entry.name) || substrates.contains(&Substrate::Mpi)
            }
            _ => World::barriers(config.size).contains(&entry.name),
        }
    }
}

struct NamedInstance(RefCell<NamedBarrier>);

struct NamedBarrierHandle<'a>(&'a NamedInstance);

impl Barrier for NamedBarrierHandle<'_> {
    fn wait(&mut self) -> Result<()> {
        self.0.0.borrow_mut().wait()
    }
}

impl BarrierInstance for NamedInstance {
    fn barrier(&self) -> Box<dyn Barrier + '_> {
        Box::new(NamedBarrierHandle(self))
    }

    fn close(self: Box<Self>) -> Result<()> {
        self.0.into_inner().free()
    }
}

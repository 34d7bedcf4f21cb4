//! Barriers as a world hands them out by name: programs on a window of remote atomics, and those of MPI's own.
use std::cell::RefCell;

use wb_collectives::{
    Entry,
    catalogue::{Form, Setting, Substrate},
};
use wb_comm::{Barrier, Result};
use wb_world::{NamedBarrier, World};

use super::{Carrier, Place};

/// See the module.
pub struct Named;

impl Carrier for Named {
    fn name(&self) -> String {
        "a world, by name".into()
    }

    fn place(&self, entry: &Entry, team: &World) -> Result<Box<dyn Place>> {
        Ok(Box::new(Own(RefCell::new(team.barrier_by(entry.name)?))))
    }

    fn can(&self, entry: &Entry, setting: &Setting) -> bool {
        match entry.form {
            Form::Native(substrates) => {
                World::barriers(setting.size).contains(&entry.name) || substrates.contains(&Substrate::Mpi)
            }
            _ => World::barriers(setting.size).contains(&entry.name),
        }
    }
}

struct Own(RefCell<NamedBarrier>);

struct Handle<'a>(&'a Own);

impl Barrier for Handle<'_> {
    fn wait(&mut self) -> Result<()> {
        self.0.0.borrow_mut().wait()
    }
}

impl Place for Own {
    fn barrier(&self) -> Box<dyn Barrier + '_> {
        Box::new(Handle(self))
    }

    fn close(self: Box<Self>) -> Result<()> {
        self.0.into_inner().free()
    }
}

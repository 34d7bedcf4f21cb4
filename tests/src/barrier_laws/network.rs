//! The control network: a key-value store that rank 0 of the team serves over TCP.
use std::{cell::RefCell, rc::Rc, time::Duration};

use wb_collectives::{Entry, catalogue::Setting};
use wb_comm::{Barrier, Result, Site, Verb};
use wb_control::Hosted;
use wb_world::World;

use super::{Carrier, Place};

/// How long a member waits for the others.
const PATIENCE: Duration = Duration::from_secs(20);

/// See the module.
pub struct OnNetwork;

impl Carrier for OnNetwork {
    fn name(&self) -> String {
        "the control network".into()
    }

    fn place(&self, _: &Entry, team: &World) -> Result<Box<dyn Place>> {
        let own = Rc::clone(team.dup()?.transport());
        Ok(Box::new(Own(RefCell::new(Hosted::start(&*own, PATIENCE, Site::here(Verb::Barrier))?))))
    }

    fn can(&self, entry: &Entry, _: &Setting) -> bool {
        entry.name == "control_kv"
    }
}

struct Own(RefCell<Hosted>);

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
        self.0.into_inner().leave()
    }
}

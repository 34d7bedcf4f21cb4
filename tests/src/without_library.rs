//! A transport without its library's collectives, so that our algorithms run over any backend's messages.
use std::rc::Rc;

use wb_comm::{CallSite, Collectives, NewTopology, Result, Transport, TransportDecorator};

/// Another transport, stripped of [`Transport::native_collectives`].
pub struct WithoutLibrary(pub Rc<dyn Transport>);

impl TransportDecorator for WithoutLibrary {
    fn inner(&self) -> &dyn Transport {
        &*self.0
    }
    fn native_collectives(&self) -> Option<&dyn Collectives> {
        None
    }
    fn split(&self, color: Option<u32>, key: i32, site: CallSite) -> Result<Option<Rc<dyn Transport>>> {
        let part = self.0.split(color, key, site)?;
        Ok(part.map(|part| Rc::new(Self(part)) as Rc<dyn Transport>))
    }
    fn create_topology(&self, topology: &NewTopology, site: CallSite) -> Result<Option<Rc<dyn Transport>>> {
        let made = self.0.create_topology(topology, site)?;
        Ok(made.map(|made| Rc::new(Self(made)) as Rc<dyn Transport>))
    }
    fn dup(&self, site: CallSite) -> Result<Rc<dyn Transport>> {
        Ok(Rc::new(Self(self.0.dup(site)?)))
    }
}

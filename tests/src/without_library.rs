//! A transport without its library's collectives, so that our algorithms run over any backend's messages.
use std::rc::Rc;

use wb_comm::{Collectives, Transport, TransportDecorator};

/// Another transport, stripped of [`Transport::native_collectives`].
pub struct WithoutLibrary(pub Rc<dyn Transport>);

impl TransportDecorator for WithoutLibrary {
    fn inner(&self) -> &dyn Transport {
        &*self.0
    }
    fn native_collectives(&self) -> Option<&dyn Collectives> {
        None
    }
    fn decorate(&self, made: Rc<dyn Transport>) -> Rc<dyn Transport> {
        Rc::new(Self(made))
    }
}

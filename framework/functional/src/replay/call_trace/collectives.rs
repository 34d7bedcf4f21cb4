//! The library's collectives, between their beginning and their end on this rank.
use wb_comm::{Collectives, CollectivesDecorator, Result};

use crate::replay::call_trace::transport::TracingTransport;

impl CollectivesDecorator for TracingTransport {
    /// The rank is inside the collective that it has entered, until the library returns.
    fn call(&self, verb: impl FnOnce(&dyn Collectives) -> Result<()>) -> Result<()> {
        let library =
            self.inner.native_collectives().expect("a transport without a library is not asked for it");
        let note = self.current_collective.take();
        self.trace.reopen(note);
        let result = verb(library);
        self.trace.end(note, result.is_ok(), |_| {});
        result
    }
}

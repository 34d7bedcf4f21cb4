//! The library's collectives, between their beginning and their end on this rank.
use wb_comm::{CallSite, CollectiveKind, Collectives, CollectivesDecorator, OwnedBuffers, Pending, Result};

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

    /// The rank has started the collective that it has entered.
    fn start(
        &self,
        kind: CollectiveKind<'_>,
        buffers: OwnedBuffers,
        site: CallSite,
    ) -> Result<Box<dyn Pending>> {
        self.start_collective(site, || {
            let library =
                self.inner.native_collectives().expect("only a library is asked for its collectives");
            library.start(kind, buffers, site)
        })
    }
}

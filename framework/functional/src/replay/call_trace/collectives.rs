//! The library's collectives, between their beginning and their end on this rank.
use wb_comm::{
    BorrowedBuffers, CallSite, CollectiveKind, Collectives, CollectivesDecorator, LayoutBuffers,
    OwnedBuffers, Pending, Rank, Result, ViewMut,
};

use crate::replay::call_trace::transport::TracingTransport;

impl TracingTransport {
    /// The rank is inside the collective that it has entered, until the library returns.
    fn in_collective(&self, call: impl FnOnce(&dyn Collectives) -> Result<()>) -> Result<()> {
        let note = self.current_collective.take();
        self.trace.reopen(note);
        let result = call(CollectivesDecorator::inner(self));
        self.trace.end(note, result.is_ok(), |_| {});
        result
    }
}

impl CollectivesDecorator for TracingTransport {
    fn inner(&self) -> &dyn Collectives {
        self.inner.native_collectives().expect("a transport without a library is not asked for it")
    }

    fn run(&self, kind: CollectiveKind<'_>, buffers: BorrowedBuffers<'_>, site: CallSite) -> Result<()> {
        self.in_collective(|library| library.run(kind, buffers, site))
    }

    /// The rank has started the collective that it has entered.
    fn start(
        &self,
        kind: CollectiveKind<'_>,
        buffers: OwnedBuffers,
        site: CallSite,
    ) -> Result<Box<dyn Pending>> {
        self.start_collective(site, || CollectivesDecorator::inner(self).start(kind, buffers, site))
    }

    fn run_in_place(&self, kind: CollectiveKind<'_>, data: ViewMut<'_>, site: CallSite) -> Result<()> {
        self.in_collective(|library| library.run_in_place(kind, data, site))
    }

    fn run_layout(&self, root: Rank, buffers: LayoutBuffers<'_>, site: CallSite) -> Result<()> {
        self.in_collective(|library| library.run_layout(root, buffers, site))
    }

    fn ibarrier_and_wait(&self, site: CallSite) -> Result<()> {
        self.in_collective(|library| library.ibarrier_and_wait(site))
    }
}

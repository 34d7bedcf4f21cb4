//! The library's collectives, between their beginning and their end on this rank.
use wb_comm::{CallSite, Collectives, Operation, Rank, Result, View, ViewMut};

use crate::replay::call_trace::transport::TracingTransport;

impl TracingTransport {
    /// The rank is inside the collective that it has come to, until the library lets it go.
    fn in_collective(&self, verb: impl FnOnce(&dyn Collectives) -> Result<()>) -> Result<()> {
        let library = self.inner.native_collectives().expect("who has none is not asked for it");
        let note = self.current_collective.take();
        self.trace.reopen(note);
        let result = verb(library);
        self.trace.end(note, result.is_ok(), |_| {});
        result
    }
}

impl Collectives for TracingTransport {
    fn barrier(&self, site: CallSite) -> Result<()> {
        self.in_collective(|library| library.barrier(site))
    }

    fn ibarrier_and_wait(&self, site: CallSite) -> Result<()> {
        self.in_collective(|library| library.ibarrier_and_wait(site))
    }

    fn bcast(&self, data: ViewMut<'_>, root: Rank, site: CallSite) -> Result<()> {
        self.in_collective(|library| library.bcast(data, root, site))
    }

    fn scatter(&self, send: Option<View<'_>>, recv: ViewMut<'_>, root: Rank, site: CallSite) -> Result<()> {
        self.in_collective(|library| library.scatter(send, recv, root, site))
    }

    fn scatterv(
        &self,
        send: Option<(View<'_>, &[usize])>,
        recv: ViewMut<'_>,
        root: Rank,
        site: CallSite,
    ) -> Result<()> {
        self.in_collective(|library| library.scatterv(send, recv, root, site))
    }

    fn gather(&self, send: View<'_>, recv: Option<ViewMut<'_>>, root: Rank, site: CallSite) -> Result<()> {
        self.in_collective(|library| library.gather(send, recv, root, site))
    }

    fn gatherv(
        &self,
        send: View<'_>,
        recv: Option<(ViewMut<'_>, &[usize])>,
        root: Rank,
        site: CallSite,
    ) -> Result<()> {
        self.in_collective(|library| library.gatherv(send, recv, root, site))
    }

    fn allgather(&self, send: View<'_>, recv: ViewMut<'_>, site: CallSite) -> Result<()> {
        self.in_collective(|library| library.allgather(send, recv, site))
    }

    fn allgatherv(&self, send: View<'_>, recv: ViewMut<'_>, counts: &[usize], site: CallSite) -> Result<()> {
        self.in_collective(|library| library.allgatherv(send, recv, counts, site))
    }

    fn reduce(
        &self,
        send: View<'_>,
        recv: Option<ViewMut<'_>>,
        operation: Operation,
        root: Rank,
        site: CallSite,
    ) -> Result<()> {
        self.in_collective(|library| library.reduce(send, recv, operation, root, site))
    }

    fn allreduce(
        &self,
        send: View<'_>,
        recv: ViewMut<'_>,
        operation: Operation,
        site: CallSite,
    ) -> Result<()> {
        self.in_collective(|library| library.allreduce(send, recv, operation, site))
    }

    fn scan(&self, send: View<'_>, recv: ViewMut<'_>, operation: Operation, site: CallSite) -> Result<()> {
        self.in_collective(|library| library.scan(send, recv, operation, site))
    }

    fn exscan(&self, send: View<'_>, recv: ViewMut<'_>, operation: Operation, site: CallSite) -> Result<()> {
        self.in_collective(|library| library.exscan(send, recv, operation, site))
    }

    fn alltoall(&self, send: View<'_>, recv: ViewMut<'_>, site: CallSite) -> Result<()> {
        self.in_collective(|library| library.alltoall(send, recv, site))
    }

    fn alltoallv(
        &self,
        send: View<'_>,
        send_counts: &[usize],
        recv: ViewMut<'_>,
        recv_counts: &[usize],
        site: CallSite,
    ) -> Result<()> {
        self.in_collective(|library| library.alltoallv(send, send_counts, recv, recv_counts, site))
    }
}

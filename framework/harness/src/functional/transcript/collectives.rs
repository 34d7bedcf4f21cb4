//! The library's collectives, between their beginning and their end on this rank.
use wb_comm::{Collectives, Operation, Rank, Result, Site, View, ViewMut};

use super::Noting;

impl Noting {
    /// The rank is inside the collective that it has come to, until the library lets it go.
    fn inside(&self, verb: impl FnOnce(&dyn Collectives) -> Result<()>) -> Result<()> {
        let library = self.inner.library().expect("who has none is not asked for it");
        let note = self.came_to.take();
        self.notes.reopen(note);
        let result = verb(library);
        self.notes.end(note, result.is_ok(), |_| {});
        result
    }
}

impl Collectives for Noting {
    fn barrier(&self, site: Site) -> Result<()> {
        self.inside(|library| library.barrier(site))
    }

    fn ibarrier_and_wait(&self, site: Site) -> Result<()> {
        self.inside(|library| library.ibarrier_and_wait(site))
    }

    fn bcast(&self, data: ViewMut<'_>, root: Rank, site: Site) -> Result<()> {
        self.inside(|library| library.bcast(data, root, site))
    }

    fn scatter(&self, send: Option<View<'_>>, recv: ViewMut<'_>, root: Rank, site: Site) -> Result<()> {
        self.inside(|library| library.scatter(send, recv, root, site))
    }

    fn scatterv(
        &self,
        send: Option<(View<'_>, &[usize])>,
        recv: ViewMut<'_>,
        root: Rank,
        site: Site,
    ) -> Result<()> {
        self.inside(|library| library.scatterv(send, recv, root, site))
    }

    fn gather(&self, send: View<'_>, recv: Option<ViewMut<'_>>, root: Rank, site: Site) -> Result<()> {
        self.inside(|library| library.gather(send, recv, root, site))
    }

    fn gatherv(
        &self,
        send: View<'_>,
        recv: Option<(ViewMut<'_>, &[usize])>,
        root: Rank,
        site: Site,
    ) -> Result<()> {
        self.inside(|library| library.gatherv(send, recv, root, site))
    }

    fn allgather(&self, send: View<'_>, recv: ViewMut<'_>, site: Site) -> Result<()> {
        self.inside(|library| library.allgather(send, recv, site))
    }

    fn allgatherv(&self, send: View<'_>, recv: ViewMut<'_>, counts: &[usize], site: Site) -> Result<()> {
        self.inside(|library| library.allgatherv(send, recv, counts, site))
    }

    fn reduce(
        &self,
        send: View<'_>,
        recv: Option<ViewMut<'_>>,
        operation: Operation,
        root: Rank,
        site: Site,
    ) -> Result<()> {
        self.inside(|library| library.reduce(send, recv, operation, root, site))
    }

    fn allreduce(&self, send: View<'_>, recv: ViewMut<'_>, operation: Operation, site: Site) -> Result<()> {
        self.inside(|library| library.allreduce(send, recv, operation, site))
    }

    fn scan(&self, send: View<'_>, recv: ViewMut<'_>, operation: Operation, site: Site) -> Result<()> {
        self.inside(|library| library.scan(send, recv, operation, site))
    }

    fn exscan(&self, send: View<'_>, recv: ViewMut<'_>, operation: Operation, site: Site) -> Result<()> {
        self.inside(|library| library.exscan(send, recv, operation, site))
    }

    fn alltoall(&self, send: View<'_>, recv: ViewMut<'_>, site: Site) -> Result<()> {
        self.inside(|library| library.alltoall(send, recv, site))
    }

    fn alltoallv(
        &self,
        send: View<'_>,
        send_counts: &[usize],
        recv: ViewMut<'_>,
        recv_counts: &[usize],
        site: Site,
    ) -> Result<()> {
        self.inside(|library| library.alltoallv(send, send_counts, recv, recv_counts, site))
    }
}

//! The collective verbs by our algorithms, over any transport's messages.
use wb_barriers::{Pattern, adapters::MessageBarrier, catalogue::pattern::dissemination::Dissemination};
use wb_comm::{Barrier, CallSite, Collectives, Operation, Rank, Result, Transport, Verb, View, ViewMut};

use crate::{
    BlockLayout, MessagePort, allgather, allreduce, alltoall, broadcast, gather, reduce, scan, scatter,
};

/// [`Collectives`] for transports without a library, and beside those with one.
#[derive(Clone, Copy)]
pub struct Algorithms<'t>(pub &'t dyn Transport);

impl<'t> Algorithms<'t> {
    fn port(&self, verb: Verb, site: CallSite) -> MessagePort<'t> {
        MessagePort::new(self.0, verb, site)
    }
}

impl Collectives for Algorithms<'_> {
    fn barrier(&self, site: CallSite) -> Result<()> {
        let plan = Dissemination.plan(self.0.rank(), self.0.size())?;
        MessageBarrier::new(&plan, self.0, site).wait()
    }

    fn bcast(&self, data: ViewMut<'_>, root: Rank, site: CallSite) -> Result<()> {
        broadcast::binomial(&self.port(Verb::Bcast, site), data, root)
    }

    fn scatter(&self, send: Option<View<'_>>, recv: ViewMut<'_>, root: Rank, site: CallSite) -> Result<()> {
        let blocks = BlockLayout::Equal(recv.count());
        scatter::linear(&self.port(Verb::Scatter, site), send.map(|send| (send, blocks)), recv, root)
    }

    fn scatterv(
        &self,
        send: Option<(View<'_>, &[usize])>,
        recv: ViewMut<'_>,
        root: Rank,
        site: CallSite,
    ) -> Result<()> {
        let send = send.map(|(send, counts)| (send, BlockLayout::Ragged(counts)));
        scatter::linear(&self.port(Verb::Scatterv, site), send, recv, root)
    }

    fn gather(&self, send: View<'_>, recv: Option<ViewMut<'_>>, root: Rank, site: CallSite) -> Result<()> {
        let blocks = BlockLayout::Equal(send.count());
        gather::linear(&self.port(Verb::Gather, site), send, recv.map(|recv| (recv, blocks)), root)
    }

    fn gatherv(
        &self,
        send: View<'_>,
        recv: Option<(ViewMut<'_>, &[usize])>,
        root: Rank,
        site: CallSite,
    ) -> Result<()> {
        let recv = recv.map(|(recv, counts)| (recv, BlockLayout::Ragged(counts)));
        gather::linear(&self.port(Verb::Gatherv, site), send, recv, root)
    }

    fn allgather(&self, send: View<'_>, recv: ViewMut<'_>, site: CallSite) -> Result<()> {
        allgather::ring(&self.port(Verb::Allgather, site), send, recv, BlockLayout::Equal(send.count()))
    }

    fn allgatherv(&self, send: View<'_>, recv: ViewMut<'_>, counts: &[usize], site: CallSite) -> Result<()> {
        allgather::ring(&self.port(Verb::Allgatherv, site), send, recv, BlockLayout::Ragged(counts))
    }

    fn reduce(
        &self,
        send: View<'_>,
        recv: Option<ViewMut<'_>>,
        operation: Operation,
        root: Rank,
        site: CallSite,
    ) -> Result<()> {
        reduce::binomial(&self.port(Verb::Reduce, site), send, recv, operation, root)
    }

    fn allreduce(
        &self,
        send: View<'_>,
        recv: ViewMut<'_>,
        operation: Operation,
        site: CallSite,
    ) -> Result<()> {
        allreduce::recursive_doubling(&self.port(Verb::Allreduce, site), send, recv, operation)
    }

    fn scan(&self, send: View<'_>, recv: ViewMut<'_>, operation: Operation, site: CallSite) -> Result<()> {
        scan::inclusive(&self.port(Verb::Scan, site), send, recv, operation)
    }

    fn exscan(&self, send: View<'_>, recv: ViewMut<'_>, operation: Operation, site: CallSite) -> Result<()> {
        scan::exclusive(&self.port(Verb::Exscan, site), send, recv, operation)
    }

    fn alltoall(&self, send: View<'_>, recv: ViewMut<'_>, site: CallSite) -> Result<()> {
        let blocks = BlockLayout::Equal(send.count() / self.0.size());
        alltoall::pairwise(&self.port(Verb::Alltoall, site), (send, blocks), (recv, blocks))
    }

    fn alltoallv(
        &self,
        send: View<'_>,
        send_counts: &[usize],
        recv: ViewMut<'_>,
        recv_counts: &[usize],
        site: CallSite,
    ) -> Result<()> {
        let (outgoing, incoming) = (BlockLayout::Ragged(send_counts), BlockLayout::Ragged(recv_counts));
        alltoall::pairwise(&self.port(Verb::Alltoallv, site), (send, outgoing), (recv, incoming))
    }
}

//! The collective verbs by our algorithms, over any transport's messages.
use wb_barriers::{Pattern, adapters::MessageBarrier, catalogue::pattern::dissemination::Dissemination};
use wb_comm::{
    Barrier, CallSite, CollectiveKind, CollectiveSchedule, Collectives, Operation, OwnedBuffers, Part,
    Pending, Rank, Result, Transport, Verb, View, ViewMut,
};

use crate::{
    BlockLayout::{Equal, Ragged},
    Member, MessagePort, allgather, allreduce, alltoall, broadcast, gather, reduce, reduce_scatter, scan,
    scatter,
};

/// [`Collectives`] for transports without a library, and beside those with one.
#[derive(Clone, Copy)]
pub struct Algorithms<'t>(pub &'t dyn Transport);

/// The rounds of `member` in an operation with `send` elements in its send buffer and `recv` elements in its receive buffer.
pub fn schedule(kind: CollectiveKind<'_>, member: Member, send: usize, recv: usize) -> CollectiveSchedule {
    use CollectiveKind::{
        Allgather, Allgatherv, Allreduce, Alltoall, Alltoallv, Barrier, Bcast, Exscan, Gather, Gatherv,
        Reduce, ReduceScatter, ReduceScatterBlock, Scan, Scatter, Scatterv,
    };
    let is_root = |root: Rank| member.rank == root;
    match kind {
        Barrier => dissemination(member),
        Bcast { root } => broadcast::binomial(member, recv, root),
        Scatter { root } => scatter::linear(member, recv, is_root(root).then_some(Equal(recv)), root),
        Scatterv { counts, root } => scatter::linear(member, recv, counts.map(Ragged), root),
        Gather { root } => gather::linear(member, send, is_root(root).then_some(Equal(send)), root),
        Gatherv { counts, root } => gather::linear(member, send, counts.map(Ragged), root),
        Allgather => allgather::ring(member, Equal(send)),
        Allgatherv { counts } => allgather::ring(member, Ragged(counts)),
        Reduce { operation, root } => reduce::binomial(member, send, operation, root),
        Allreduce { operation } => allreduce::recursive_doubling(member, send, operation),
        ReduceScatter { counts, operation } => reduce_scatter::pairwise(member, Ragged(counts), operation),
        ReduceScatterBlock { operation } => reduce_scatter::pairwise(member, Equal(recv), operation),
        Scan { operation } => scan::inclusive(member, send, operation),
        Exscan { operation } => scan::exclusive(member, send, operation),
        Alltoall => {
            let blocks = Equal(send / member.size);
            alltoall::pairwise(member, blocks, blocks)
        }
        Alltoallv { send_counts, recv_counts } => {
            alltoall::pairwise(member, Ragged(send_counts), Ragged(recv_counts))
        }
    }
}

/// The rounds of a dissemination barrier: empty messages.
fn dissemination(member: Member) -> CollectiveSchedule {
    let mut schedule = CollectiveSchedule::default();
    let (out, into) = (Part::send(0), Part::recv(0));
    let mut distance = 1;
    while distance < member.size {
        schedule.exchange(member.after(distance), out, member.before(distance), into);
        distance *= 2;
    }
    schedule
}

impl Algorithms<'_> {
    fn run(
        &self,
        (verb, site): (Verb, CallSite),
        kind: CollectiveKind<'_>,
        send: Option<View<'_>>,
        recv: Option<ViewMut<'_>>,
    ) -> Result<()> {
        let counts = (send.map_or(0, View::count), recv.as_ref().map_or(0, ViewMut::count));
        let schedule = schedule(kind, Member::of(self.0), counts.0, counts.1);
        MessagePort::new(self.0, verb, site).run(&schedule, send, recv)
    }
}

impl Collectives for Algorithms<'_> {
    fn barrier(&self, site: CallSite) -> Result<()> {
        let plan = Dissemination.plan(self.0.rank(), self.0.size())?;
        MessageBarrier::new(&plan, self.0, site).wait()
    }

    fn bcast(&self, data: ViewMut<'_>, root: Rank, site: CallSite) -> Result<()> {
        self.run((Verb::Bcast, site), CollectiveKind::Bcast { root }, None, Some(data))
    }

    fn scatter(&self, send: Option<View<'_>>, recv: ViewMut<'_>, root: Rank, site: CallSite) -> Result<()> {
        self.run((Verb::Scatter, site), CollectiveKind::Scatter { root }, send, Some(recv))
    }

    fn scatterv(
        &self,
        send: Option<(View<'_>, &[usize])>,
        recv: ViewMut<'_>,
        root: Rank,
        site: CallSite,
    ) -> Result<()> {
        let kind = CollectiveKind::Scatterv { counts: send.map(|(_, counts)| counts), root };
        self.run((Verb::Scatterv, site), kind, send.map(|(send, _)| send), Some(recv))
    }

    fn gather(&self, send: View<'_>, recv: Option<ViewMut<'_>>, root: Rank, site: CallSite) -> Result<()> {
        self.run((Verb::Gather, site), CollectiveKind::Gather { root }, Some(send), recv)
    }

    fn gatherv(
        &self,
        send: View<'_>,
        recv: Option<(ViewMut<'_>, &[usize])>,
        root: Rank,
        site: CallSite,
    ) -> Result<()> {
        let (recv, counts) = recv.unzip();
        self.run((Verb::Gatherv, site), CollectiveKind::Gatherv { counts, root }, Some(send), recv)
    }

    fn allgather(&self, send: View<'_>, recv: ViewMut<'_>, site: CallSite) -> Result<()> {
        self.run((Verb::Allgather, site), CollectiveKind::Allgather, Some(send), Some(recv))
    }

    fn allgatherv(&self, send: View<'_>, recv: ViewMut<'_>, counts: &[usize], site: CallSite) -> Result<()> {
        self.run((Verb::Allgatherv, site), CollectiveKind::Allgatherv { counts }, Some(send), Some(recv))
    }

    fn reduce(
        &self,
        send: View<'_>,
        recv: Option<ViewMut<'_>>,
        operation: Operation,
        root: Rank,
        site: CallSite,
    ) -> Result<()> {
        self.run((Verb::Reduce, site), CollectiveKind::Reduce { operation, root }, Some(send), recv)
    }

    fn allreduce(
        &self,
        send: View<'_>,
        recv: ViewMut<'_>,
        operation: Operation,
        site: CallSite,
    ) -> Result<()> {
        self.run((Verb::Allreduce, site), CollectiveKind::Allreduce { operation }, Some(send), Some(recv))
    }

    fn reduce_scatter(
        &self,
        send: View<'_>,
        recv: ViewMut<'_>,
        counts: &[usize],
        operation: Operation,
        site: CallSite,
    ) -> Result<()> {
        let kind = CollectiveKind::ReduceScatter { counts, operation };
        self.run((Verb::ReduceScatter, site), kind, Some(send), Some(recv))
    }

    fn reduce_scatter_block(
        &self,
        send: View<'_>,
        recv: ViewMut<'_>,
        operation: Operation,
        site: CallSite,
    ) -> Result<()> {
        let kind = CollectiveKind::ReduceScatterBlock { operation };
        self.run((Verb::ReduceScatterBlock, site), kind, Some(send), Some(recv))
    }

    fn scan(&self, send: View<'_>, recv: ViewMut<'_>, operation: Operation, site: CallSite) -> Result<()> {
        self.run((Verb::Scan, site), CollectiveKind::Scan { operation }, Some(send), Some(recv))
    }

    fn exscan(&self, send: View<'_>, recv: ViewMut<'_>, operation: Operation, site: CallSite) -> Result<()> {
        self.run((Verb::Exscan, site), CollectiveKind::Exscan { operation }, Some(send), Some(recv))
    }

    fn alltoall(&self, send: View<'_>, recv: ViewMut<'_>, site: CallSite) -> Result<()> {
        self.run((Verb::Alltoall, site), CollectiveKind::Alltoall, Some(send), Some(recv))
    }

    fn alltoallv(
        &self,
        send: View<'_>,
        send_counts: &[usize],
        recv: ViewMut<'_>,
        recv_counts: &[usize],
        site: CallSite,
    ) -> Result<()> {
        let kind = CollectiveKind::Alltoallv { send_counts, recv_counts };
        self.run((Verb::Alltoallv, site), kind, Some(send), Some(recv))
    }

    fn start(
        &self,
        kind: CollectiveKind<'_>,
        buffers: OwnedBuffers,
        site: CallSite,
    ) -> Result<Box<dyn Pending>> {
        let counts = (buffers.send.view().count(), buffers.recv.view().count());
        self.0.start_schedule(schedule(kind, Member::of(self.0), counts.0, counts.1), buffers, site)
    }
}

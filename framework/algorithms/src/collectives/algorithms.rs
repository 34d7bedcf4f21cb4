//! The collective verbs by our algorithms, over any transport's messages.
use wb_comm::{
    Barrier, Block, BorrowedBuffers, Buffer, CallSite, CollectiveKind, CollectiveSchedule, Collectives,
    Error, InPlaceParts, Layout, LayoutBuffers, Number, Operation, OwnedBuffers, Part, Pending, Rank, Result,
    Transport, View, ViewMut, Wire, text,
};

use crate::{
    barriers::{Pattern, adapters::MessageBarrier, catalogue::pattern::dissemination::Dissemination},
    collectives::{
        BlockLayout::{self, Equal, Ragged},
        CollectiveContext, Member, allgather, allreduce, alltoall, broadcast, gather, neighborhood, reduce,
        reduce_scatter, scan, scatter,
    },
};

/// [`Collectives`] for transports without a library, and beside those with one.
#[derive(Clone, Copy)]
pub struct Algorithms<'t>(pub &'t dyn Transport);

/// The rounds of `member` in an operation with `send` elements in its send buffer and `recv` elements in its receive buffer.
pub fn schedule(kind: CollectiveKind<'_>, member: Member, send: usize, recv: usize) -> CollectiveSchedule {
    use CollectiveKind::{
        Allgather, Allgatherv, Allreduce, Alltoall, Alltoallv, Alltoallw, Barrier, Bcast, Exscan, Gather,
        Gatherv, NeighborAllgather, NeighborAllgatherv, NeighborAlltoall, NeighborAlltoallv, Reduce,
        ReduceScatter, ReduceScatterBlock, Scan, Scatter, Scatterv,
    };
    let is_root = |root: Rank| member.rank == root;
    match kind {
        Barrier => dissemination(member),
        Bcast { root } => broadcast::binomial(member, recv, root),
        Scatter { root } => scatter::linear(member, recv, is_root(root).then_some(Equal(recv)), root),
        Scatterv { blocks, root } => scatter::linear(member, recv, blocks.map(Ragged), root),
        Gather { root } => gather::linear(member, send, is_root(root).then_some(Equal(send)), root),
        Gatherv { blocks, root } => gather::linear(member, send, blocks.map(Ragged), root),
        Allgather => allgather::ring(member, Equal(send)),
        Allgatherv { blocks } => allgather::ring(member, Ragged(blocks)),
        Reduce { operation, root } => reduce::binomial(member, send, operation, root),
        Allreduce { operation } => allreduce::recursive_doubling(member, send, operation),
        ReduceScatter { counts, operation } => {
            reduce_scatter::pairwise(member, Ragged(counts.into()), operation)
        }
        ReduceScatterBlock { operation } => reduce_scatter::pairwise(member, Equal(recv), operation),
        Scan { operation } => scan::inclusive(member, send, operation),
        Exscan { operation } => scan::exclusive(member, send, operation),
        Alltoall => {
            let blocks = Equal(send / member.size);
            alltoall::pairwise(member, blocks, blocks)
        }
        Alltoallv { send_blocks, recv_blocks } => {
            alltoall::pairwise(member, Ragged(send_blocks), Ragged(recv_blocks))
        }
        Alltoallw { send_layouts, recv_layouts } => {
            packed(send_layouts, recv_layouts, |send, recv| alltoall::pairwise(member, send, recv))
        }
        NeighborAllgather { neighbours } => {
            neighborhood::linear(neighbours, |_| Part::send(send), |at| Equal(send).of_recv(at))
        }
        NeighborAllgatherv { neighbours, counts } => {
            neighborhood::linear(neighbours, |_| Part::send(send), |at| Ragged(counts.into()).of_recv(at))
        }
        NeighborAlltoall { neighbours } => {
            let (sources, destinations) = (neighbours.sources.len(), neighbours.destinations.len());
            let outgoing = |at| Equal(send / destinations).of_send(at);
            neighborhood::linear(neighbours, outgoing, |at| Equal(recv / sources).of_recv(at))
        }
        NeighborAlltoallv { neighbours, send_counts, recv_counts } => {
            let outgoing = |at| Ragged(send_counts.into()).of_send(at);
            neighborhood::linear(neighbours, outgoing, |at| Ragged(recv_counts.into()).of_recv(at))
        }
    }
}

/// Calls `run` with the collective operations of a transport: the library's, or our algorithms over messages where there is none.
pub fn with_collectives<R>(transport: &dyn Transport, run: impl FnOnce(&dyn Collectives) -> R) -> R {
    match transport.native_collectives() {
        Some(library) => run(library),
        None => run(&Algorithms(transport)),
    }
}

/// Runs an operation in place on a copy of the contribution.
pub(super) fn with_copied_contribution(
    kind: CollectiveKind<'_>,
    data: ViewMut<'_>,
    member: Member,
    run: impl FnOnce(BorrowedBuffers<'_>) -> Result<()>,
) -> Result<()> {
    let parts = kind.in_place_parts(member.rank, member.size, data.count());
    let InPlaceParts { contribution, result } =
        parts.ok_or_else(|| Error::Setup(text::collective::not_in_place(kind.verb().name())))?;
    let send = Block::copy_of(data.as_view().part(contribution.start, contribution.len()));
    run(BorrowedBuffers { send: send.view(), recv: data.part(result.start, result.len()) })
}

/// The rounds of an operation on the elements that layouts name: they are copied, one after the other, before its rounds and after them.
fn packed(
    send_layouts: &[Layout],
    recv_layouts: &[Layout],
    operation: impl FnOnce(BlockLayout<'_>, BlockLayout<'_>) -> CollectiveSchedule,
) -> CollectiveSchedule {
    let [send, recv] =
        [send_layouts, recv_layouts].map(|layouts| layouts.iter().map(Layout::count).collect::<Vec<_>>());
    let mut operation = operation(Ragged(send[..].into()), Ragged(recv[..].into()));
    let [send, recv] = [send, recv].map(|counts| operation.scratch(counts.iter().sum()));
    let operation = operation.map_parts(|part| match part.buffer {
        Buffer::Send => send.part(part.start, part.count),
        Buffer::Recv => recv.part(part.start, part.count),
        Buffer::Scratch => part,
    });
    let mut schedule = CollectiveSchedule::default();
    for_each_block(send_layouts, send, |block, copy| {
        schedule.copy(Part { buffer: Buffer::Send, ..block }, copy);
    });
    schedule.append(operation);
    for_each_block(recv_layouts, recv, |block, copy| {
        schedule.copy(copy, Part { buffer: Buffer::Recv, ..block });
    });
    schedule
}

/// Calls `each` with every block of layouts and its elements in a copy of all.
fn for_each_block(layouts: &[Layout], copy: Part, mut each: impl FnMut(Part, Part)) {
    let mut start = 0;
    for layout in layouts {
        layout.for_each_block(&mut |block| {
            let count = block.len();
            each(Part { start: block.start, count, ..copy }, copy.part(start, count));
            start += count;
        });
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

/// What the framework itself uses.
#[allow(clippy::missing_errors_doc, reason = "all: the errors of the transport")]
impl Algorithms<'_> {
    /// The barrier: no rank returns before every rank has entered.
    pub fn barrier(&self, site: CallSite) -> Result<()> {
        self.run(CollectiveKind::Barrier, BorrowedBuffers::none(), site)
    }

    /// Copies `root`'s `data` to the `data` of every rank.
    pub fn bcast<T: Wire>(&self, data: &mut [T], root: Rank, site: CallSite) -> Result<()> {
        self.run(CollectiveKind::Bcast { root }, BorrowedBuffers::new(&[], data), site)
    }

    /// Collects equal blocks on every rank.
    pub fn allgather<T: Wire>(&self, send: &[T], recv: &mut [T], site: CallSite) -> Result<()> {
        self.run(CollectiveKind::Allgather, BorrowedBuffers::new(send, recv), site)
    }

    /// Reduces `send` of all ranks element by element into `recv` on every rank.
    pub fn allreduce<T: Number>(
        &self,
        send: &[T],
        recv: &mut [T],
        operation: Operation,
        site: CallSite,
    ) -> Result<()> {
        self.run(CollectiveKind::Allreduce { operation }, BorrowedBuffers::new(send, recv), site)
    }
}

impl Collectives for Algorithms<'_> {
    fn run(&self, kind: CollectiveKind<'_>, buffers: BorrowedBuffers<'_>, site: CallSite) -> Result<()> {
        if kind == CollectiveKind::Barrier {
            let plan = Dissemination.plan(self.0.rank(), self.0.size())?;
            return MessageBarrier::new(&plan, self.0, site).wait();
        }
        let counts = (buffers.send.count(), buffers.recv.count());
        let schedule = schedule(kind, Member::of(self.0), counts.0, counts.1);
        CollectiveContext::new(self.0, kind.verb(), site).run(&schedule, buffers)
    }

    /// Runs the collective on a contiguous copy of the elements.
    fn run_layout(&self, root: Rank, buffers: LayoutBuffers<'_>, site: CallSite) -> Result<()> {
        let run =
            |kind, send: View<'_>, recv: ViewMut<'_>| self.run(kind, BorrowedBuffers { send, recv }, site);
        match buffers {
            LayoutBuffers::Bcast(mut data) => {
                let mut copy = data.as_view().to_block();
                run(CollectiveKind::Bcast { root }, View::empty(data.datatype()), copy.view_mut())?;
                data.copy_from(copy.view().bytes());
            }
            LayoutBuffers::Scatter(send, recv) => {
                run(CollectiveKind::Scatter { root }, send.to_block().view(), recv)?;
            }
            LayoutBuffers::Gather(send, mut recv) => {
                let mut copy = recv.as_view().to_block();
                run(CollectiveKind::Gather { root }, send, copy.view_mut())?;
                recv.copy_from(copy.view().bytes());
            }
        }
        Ok(())
    }

    fn run_in_place(&self, kind: CollectiveKind<'_>, data: ViewMut<'_>, site: CallSite) -> Result<()> {
        let member = Member::of(self.0);
        with_copied_contribution(kind, data, member, |buffers| self.run(kind, buffers, site))
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

//! The arguments of a collective operation: one check for the blocking, the nonblocking and the persistent form.
use wb_comm::{
    CallSite, CollectiveCall, CollectiveCounts, CollectiveKind, Datatype, Error, Layout, Rank, RankBlocks,
    Result, limits,
};
use wb_record::CollectiveShape;

use crate::{World, call_tracer::rank_number};

/// What a rank passes to a collective operation, before it is checked.
pub(crate) struct CollectiveArguments<'a> {
    /// Without the counts that only the root passes, on other ranks.
    pub(crate) kind: CollectiveKind<'a>,
    pub(crate) site: CallSite,
    pub(crate) datatype: Datatype,
    /// The number of elements that are passed; `None` if there is no buffer, or it has no meaning on this rank.
    pub(crate) send: Option<usize>,
    /// The number of elements that are received; `None` as for `send`.
    pub(crate) recv: Option<usize>,
    rank: Rank,
    pub(super) size: usize,
    /// Whether anyone compares the counts of the ranks; otherwise no table of them is made.
    is_observed: bool,
}

impl<'a> CollectiveArguments<'a> {
    /// The arguments of a rank of `world`. MPI ignores what only the root passes, on all other ranks.
    #[inline]
    pub(crate) fn new(
        world: &World,
        (site, datatype): (CallSite, Datatype),
        mut kind: CollectiveKind<'a>,
        (send, recv): (Option<usize>, Option<usize>),
    ) -> Self {
        use CollectiveKind::{Gather, Gatherv, Reduce, Scatter, Scatterv};
        let (rank, size) = (world.rank(), world.size());
        let is_root = kind.root() == Some(rank);
        if let Scatterv { blocks, .. } | Gatherv { blocks, .. } = &mut kind
            && !is_root
        {
            *blocks = None;
        }
        let send = send.filter(|_| is_root || !matches!(kind, Scatter { .. } | Scatterv { .. }));
        let recv =
            recv.filter(|_| is_root || !matches!(kind, Gather { .. } | Gatherv { .. } | Reduce { .. }));
        let is_observed = world.transport().observes_collectives();
        Self { kind, site, datatype, send, recv, rank, size, is_observed }
    }

    /// From where to where data go.
    pub(crate) fn shape(&self) -> CollectiveShape {
        use CollectiveKind::{Bcast, Exscan, Gather, Gatherv, Reduce, Scan, Scatter, Scatterv};
        match self.kind {
            Bcast { root } | Scatter { root } | Scatterv { root, .. } => {
                CollectiveShape::From(rank_number(root))
            }
            Gather { root } | Gatherv { root, .. } | Reduce { root, .. } => {
                CollectiveShape::To(rank_number(root))
            }
            Scan { .. } | Exscan { .. } => CollectiveShape::Prefix,
            kind if kind.neighbours().is_some() => CollectiveShape::Neighbours,
            _ => CollectiveShape::All,
        }
    }

    /// The size of the larger buffer of this rank.
    pub(crate) fn bytes(&self) -> usize {
        self.send.max(self.recv).unwrap_or(0).saturating_mul(self.datatype.size())
    }

    /// Checks root, operation and lengths; the counts that must match on other ranks.
    ///
    /// # Errors
    /// [`Error::Rank`], [`Error::RootBuffer`], [`Error::Operation`], [`Error::Count`], [`Error::Blocks`], [`Error::TooLong`].
    pub(crate) fn check(&self) -> Result<CollectiveCounts> {
        if let Some(operation) = self.kind.operation()
            && !operation.is_defined_for(self.datatype)
        {
            return Err(Error::Operation { operation, datatype: self.datatype });
        }
        limits::check_count(self.send.max(self.recv).unwrap_or(0), self.datatype.size())?;
        if let Some(neighbours) = self.kind.neighbours() {
            return self.counts_of_neighbours(neighbours);
        }
        match self.kind.root() {
            None => self.counts_of_all(),
            Some(root) if root == self.rank => self.counts_of_root(root),
            Some(root) if root < self.size => Ok(self.counts_of_other()),
            Some(root) => Err(Error::invalid_rank("root", root, self.size)),
        }
    }

    /// The call with what must match on other ranks.
    pub(crate) fn call(&self, counts: CollectiveCounts) -> CollectiveCall {
        let (root, operation) = (self.kind.root(), self.kind.operation());
        let datatype = (!matches!(self.kind, CollectiveKind::Barrier)).then_some(self.datatype);
        CollectiveCall { root, datatype, counts, operation, ..CollectiveCall::new(self.site) }
    }

    /// Checks the lengths on the root of a rooted operation.
    fn counts_of_root(&self, root: Rank) -> Result<CollectiveCounts> {
        use CollectiveCounts::Equal;
        let (Some(send), Some(recv)) = (self.send, self.recv) else {
            return Err(Error::RootBuffer { root });
        };
        match self.kind {
            CollectiveKind::Bcast { .. } => Ok(Equal(recv)),
            CollectiveKind::Scatter { .. } => self.equal_blocks("send", send, recv).map(|()| Equal(recv)),
            CollectiveKind::Gather { .. } => self.equal_blocks("recv", recv, send).map(|()| Equal(send)),
            CollectiveKind::Scatterv { blocks, .. } => {
                let blocks = blocks.ok_or(Error::RootBuffer { root })?;
                self.blocks("send", send, blocks)?;
                self.count("recv", recv, blocks.counts()[root])?;
                Ok(self.table(blocks.counts()))
            }
            CollectiveKind::Gatherv { blocks, .. } => {
                let blocks = blocks.ok_or(Error::RootBuffer { root })?;
                self.blocks("recv", recv, blocks)?;
                blocks.check_disjoint()?;
                self.count("send", send, blocks.counts()[root])?;
                Ok(self.table(blocks.counts()))
            }
            _ => self.count("recv", recv, send).map(|()| Equal(send)),
        }
    }

    /// What another rank than the root knows of the lengths.
    fn counts_of_other(&self) -> CollectiveCounts {
        use CollectiveCounts::{Block, Equal};
        let (send, recv) = (self.send.unwrap_or(0), self.recv.unwrap_or(0));
        match self.kind {
            CollectiveKind::Scatterv { .. } => Block(recv),
            CollectiveKind::Gatherv { .. } => Block(send),
            CollectiveKind::Bcast { .. } | CollectiveKind::Scatter { .. } => Equal(recv),
            _ => Equal(send),
        }
    }

    /// Checks the lengths of an operation without a root.
    fn counts_of_all(&self) -> Result<CollectiveCounts> {
        use CollectiveCounts::Equal;
        let (send, recv) = (self.send.unwrap_or(0), self.recv.unwrap_or(0));
        match self.kind {
            CollectiveKind::Barrier => return Ok(CollectiveCounts::None),
            CollectiveKind::Allgather => self.equal_blocks("recv", recv, send)?,
            CollectiveKind::ReduceScatterBlock { .. } => self.equal_blocks("send", send, recv)?,
            CollectiveKind::Alltoall => {
                self.count("recv", recv, send)?;
                self.equal_blocks("send", send, send / self.size)?;
            }
            CollectiveKind::Allgatherv { blocks } => {
                self.blocks("recv", recv, blocks)?;
                blocks.check_disjoint()?;
                self.count("send", send, blocks.counts()[self.rank])?;
                return Ok(self.table(blocks.counts()));
            }
            CollectiveKind::ReduceScatter { counts, .. } => {
                self.blocks("send", send, counts.into())?;
                self.count("recv", recv, counts[self.rank])?;
                return Ok(self.table(counts));
            }
            CollectiveKind::Alltoallv { send_blocks, recv_blocks } => {
                self.blocks("send", send, send_blocks)?;
                self.blocks("recv", recv, recv_blocks)?;
                recv_blocks.check_disjoint()?;
                let counts = || (send_blocks.counts().to_vec(), recv_blocks.counts().to_vec());
                return Ok(self.exchange(counts));
            }
            CollectiveKind::Alltoallw { send_layouts, recv_layouts } => {
                self.layouts(send, send_layouts)?;
                self.layouts(recv, recv_layouts)?;
                check_distinct(recv_layouts)?;
                let counts = |layouts: &[Layout]| layouts.iter().map(Layout::count).collect();
                return Ok(self.exchange(|| (counts(send_layouts), counts(recv_layouts))));
            }
            _ => self.count("recv", recv, send)?,
        }
        Ok(Equal(send))
    }

    /// The lengths of all ranks' blocks, which the observers of calls compare.
    fn table(&self, counts: &[usize]) -> CollectiveCounts {
        match self.is_observed {
            true => CollectiveCounts::Table(counts.to_vec()),
            false => CollectiveCounts::None,
        }
    }

    /// The counts to and from each rank, which the observers of calls compare.
    pub(super) fn exchange(&self, counts: impl FnOnce() -> (Vec<usize>, Vec<usize>)) -> CollectiveCounts {
        if !self.is_observed {
            return CollectiveCounts::None;
        }
        let (sent, received) = counts();
        CollectiveCounts::Exchange(sent, received)
    }

    pub(super) fn count(&self, buffer: &'static str, got: usize, expected: usize) -> Result<()> {
        match got == expected {
            true => Ok(()),
            false => Err(Error::Count { verb: self.site.verb.name(), buffer, got, expected }),
        }
    }

    /// Checks that a buffer consists of a block of `each` elements for every rank.
    fn equal_blocks(&self, buffer: &'static str, got: usize, each: usize) -> Result<()> {
        self.equal_blocks_of(buffer, got, each, self.size)
    }

    /// Checks that a buffer consists of this number of blocks of `each` elements.
    pub(super) fn equal_blocks_of(
        &self,
        buffer: &'static str,
        got: usize,
        each: usize,
        ranks: usize,
    ) -> Result<()> {
        match each.checked_mul(ranks) {
            Some(expected) if expected == got => Ok(()),
            _ => Err(Error::Blocks { verb: self.site.verb.name(), buffer, got, each, ranks }),
        }
    }

    /// Checks that a buffer contains one block for every rank.
    fn blocks(&self, buffer: &'static str, got: usize, blocks: RankBlocks<'_>) -> Result<()> {
        blocks.check((self.site.verb.name(), buffer), got, self.size)
    }

    /// Checks that there is a layout for every rank, and that a buffer of `length` elements has the elements of all.
    fn layouts(&self, length: usize, layouts: &[Layout]) -> Result<()> {
        self.count("layouts", layouts.len(), self.size)?;
        let size = self.datatype.size();
        layouts.iter().try_for_each(|layout| {
            // The library counts the bytes before a block.
            limits::check_count(layout.offset().saturating_mul(size), 1)?;
            layout.check_slice(length, size)
        })
    }
}

/// Checks that no element is in two blocks, or twice in one.
fn check_distinct(layouts: &[Layout]) -> Result<()> {
    let (mut lengths, mut starts) = (vec![], vec![]);
    for layout in layouts {
        layout.for_each_block(&mut |block| {
            lengths.push(block.len());
            starts.push(block.start);
        });
    }
    Layout::indexed(&lengths, &starts)?.check_distinct()
}

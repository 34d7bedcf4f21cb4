//! Operations of ranks on several nodes: a part in the shared memory of each node, and a part between the first ranks of the nodes, by the library or by
//! messages. So one message crosses between two nodes where each rank of a node would send its own.
use std::rc::Rc;

use wb_comm::{
    Block, BorrowedBuffers, CallSite, CollectiveKind, Collectives, Operation, Rank, Result, Transport, View,
    ViewMut,
};

use crate::collectives::{
    algorithms::{Algorithms, with_collectives},
    shared_memory::{SharedAlgorithm, SharedCollectives, find},
};

/// The nodes of a communicator.
pub(super) struct SeveralNodes {
    /// The number of the node of each rank, in the order of their first ranks.
    nodes: Vec<usize>,
    /// The number of the node of this rank.
    own: usize,
    /// The ranks of this node.
    pub(super) node: Rc<dyn Transport>,
    /// The first ranks of all nodes, by the numbers of nodes; `None` on other ranks.
    leaders: Option<Rc<dyn Transport>>,
}

impl SeveralNodes {
    /// Collective: `None` on all ranks if they are on one node.
    ///
    /// # Errors
    /// The errors of the backend.
    pub(super) fn new(transport: &dyn Transport, site: CallSite) -> Result<Option<Self>> {
        let (nodes, rank) = (transport.nodes(site)?, transport.rank());
        let own = nodes[rank];
        if nodes.iter().all(|node| *node == own) {
            return Ok(None);
        }
        let made = |color| transport.split(color, rank as i32, site);
        let node = made(Some(own as u32))?.expect("every rank has a node");
        let leaders = made((node.rank() == 0).then_some(0))?;
        Ok(Some(Self { nodes, own, node, leaders }))
    }

    /// The most ranks of a node.
    pub(super) fn largest(&self) -> usize {
        let count = |node| self.nodes.iter().filter(|of_rank| **of_rank == node).count();
        self.nodes.iter().map(|node| count(*node)).max().unwrap_or(0)
    }

    /// Whether the operation has a form for several nodes; all ranks decide the same. Operands keep their order only where the ranks of a node are
    /// consecutive.
    pub(super) fn can_run(&self, kind: CollectiveKind<'_>) -> bool {
        match kind {
            CollectiveKind::Barrier | CollectiveKind::Bcast { .. } => true,
            CollectiveKind::Reduce { operation, .. } | CollectiveKind::Allreduce { operation } => {
                operation.is_commutative() || self.nodes.is_sorted()
            }
            _ => false,
        }
    }

    /// Runs an operation whose part in a node this algorithm performs.
    ///
    /// # Errors
    /// As of [`SharedCollectives::run`].
    pub(super) fn run(
        &self,
        in_node: (&SharedCollectives, &SharedAlgorithm),
        kind: CollectiveKind<'_>,
        buffers: BorrowedBuffers<'_>,
        site: CallSite,
    ) -> Result<()> {
        let BorrowedBuffers { send, mut recv } = buffers;
        let node = NodePart { in_node, site };
        match kind {
            CollectiveKind::Bcast { root } => {
                let (home, place) = self.place(root);
                if home == self.own {
                    node.run(CollectiveKind::Bcast { root: place }, send, recv.reborrow())?;
                }
                let among = CollectiveKind::Bcast { root: home };
                self.among_leaders(|leaders| {
                    leaders.run(among, BorrowedBuffers { send, recv: recv.reborrow() }, site)
                })?;
                if home != self.own {
                    node.run(CollectiveKind::Bcast { root: 0 }, send, recv)?;
                }
                Ok(())
            }
            CollectiveKind::Reduce { operation, root } => self.reduce(&node, operation, root, send, recv),
            CollectiveKind::Allreduce { .. } => {
                node.run(kind, send, recv.reborrow())?;
                self.among_leaders(|leaders| leaders.run_in_place(kind, recv.reborrow(), site))?;
                node.bcast(recv)
            }
            _ => {
                node.run(kind, send, recv.reborrow())?;
                self.among_leaders(|leaders| leaders.barrier(site))?;
                node.run(kind, send, recv)
            }
        }
    }

    /// The leaders of nodes combine the results of their nodes, and the leader of the root's node gives its result to the root.
    fn reduce(
        &self,
        node: &NodePart<'_>,
        operation: Operation,
        root: Rank,
        send: View<'_>,
        mut recv: ViewMut<'_>,
    ) -> Result<()> {
        let (home, place) = self.place(root);
        let is_leader = self.leaders.is_some();
        let elements =
            |is_needed: bool| Block::zeroed(send.datatype(), if is_needed { send.count() } else { 0 });
        let mut of_node = elements(is_leader);
        node.run(CollectiveKind::Reduce { operation, root: 0 }, send, of_node.view_mut())?;
        let mut all = elements(home == self.own && (is_leader || place > 0));
        let among = CollectiveKind::Reduce { operation, root: home };
        self.among_leaders(|leaders| {
            leaders.run(among, BorrowedBuffers { send: of_node.view(), recv: all.view_mut() }, node.site)
        })?;
        if home == self.own && place > 0 {
            node.bcast(all.view_mut())?;
        }
        if home == self.own && place == self.node.rank() {
            recv.bytes().copy_from_slice(all.view().bytes());
        }
        Ok(())
    }

    /// The node of a rank, and its rank there.
    fn place(&self, rank: Rank) -> (usize, Rank) {
        let node = self.nodes[rank];
        (node, self.nodes[..rank].iter().filter(|of_rank| **of_rank == node).count())
    }

    fn among_leaders(&self, run: impl FnOnce(&dyn Collectives) -> Result<()>) -> Result<()> {
        self.leaders.as_ref().map_or(Ok(()), |leaders| with_collectives(&**leaders, run))
    }

    /// Collective: whether this holds on any rank.
    pub(super) fn any(transport: &dyn Transport, holds: bool, site: CallSite) -> Result<bool> {
        let mut any = [0_u8];
        Algorithms(transport).allreduce(&[u8::from(holds)], &mut any, Operation::Max, site)?;
        Ok(any != [0])
    }
}

/// The part of an operation in a node.
struct NodePart<'a> {
    in_node: (&'a SharedCollectives, &'a SharedAlgorithm),
    site: CallSite,
}

impl NodePart<'_> {
    fn run(&self, kind: CollectiveKind<'_>, send: View<'_>, recv: ViewMut<'_>) -> Result<()> {
        let (shared, algorithm) = self.in_node;
        shared.run(algorithm, kind, BorrowedBuffers { send, recv }, self.site)
    }

    /// Gives the data of the node's leader to the others.
    fn bcast(&self, data: ViewMut<'_>) -> Result<()> {
        let send = View::empty(data.datatype());
        let buffers = BorrowedBuffers { send, recv: data };
        self.in_node.0.run(find("bcast_flat")?, CollectiveKind::Bcast { root: 0 }, buffers, self.site)
    }
}

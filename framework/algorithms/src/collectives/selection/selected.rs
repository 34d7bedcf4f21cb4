//! The collective operations of a communicator by the choice of its ranks.
use std::{cell::Cell, rc::Rc};

use wb_comm::{
    BorrowedBuffers, CallSite, CollectiveKind, Collectives, Datatype, Error, LayoutBuffers, Operation,
    OwnedBuffers, Pending, Rank, Result, SpinPolicy, Transport, View, ViewMut, cores::permitted_parallelism,
    text::collective,
};

use super::{
    CollectiveChoice, GroupRules, RankCores, SelectionTable, block_elements, several_nodes::SeveralNodes,
};
use crate::collectives::{
    Algorithms, Member,
    algorithms::{with_collectives, with_copied_contribution},
    shared_memory::{SegmentLayout, SharedAlgorithm, SharedCollectives},
};

/// The longest block of `auto` on several nodes. On two hosts over TCP with two ranks on each, whose cores they share, the parts in memory took 0.1 to
/// 1.1 of the time of Open MPI 4.1.4 for blocks of 8 B to 8 KiB, and 0.6 to 3 of it for 64 KiB and 1 MiB.
const MOST_BYTES_ON_SEVERAL_NODES: usize = 8 << 10;

/// The text of a table, if there is one, or why it cannot be read.
pub type TableText = std::result::Result<Option<String>, String>;

/// What the ranks of a communicator need to choose between the implementations of an operation: their shared memory, if they have one, and measurements.
pub struct NodeCollectives {
    rules: GroupRules,
    /// `None`: the ranks are on one node.
    several: Option<SeveralNodes>,
    /// The memory of the ranks of this node. `None`: they share none, or every node has one rank.
    shared: Option<SharedCollectives>,
    /// The name of the algorithm in shared memory of the last operation; `None`: without one.
    last: Cell<Option<&'static str>>,
}

impl NodeCollectives {
    /// Collective: for the ranks of a communicator. `table` is called by rank 0 alone, and gives the text of a [`SelectionTable`] or the error that
    /// all ranks return; without a text the table is [`built in`](SelectionTable::built_in).
    ///
    /// # Errors
    /// [`Error::Setup`] for a table that cannot be read; the errors of the backend.
    pub fn new(
        transport: Rc<dyn Transport>,
        table: impl FnOnce() -> TableText,
        site: CallSite,
    ) -> Result<Self> {
        let table = match broadcast_text(&*transport, table, site)? {
            Some(text) => text.parse()?,
            None => SelectionTable::built_in(),
        };
        let several = SeveralNodes::new(&*transport, site)?;
        let of_node = several.as_ref().map_or(&transport, |several| &several.node);
        let (size, cores) = (of_node.size(), permitted_parallelism());
        // All ranks choose by the same values: those of the node with the most ranks.
        let (largest, rank_cores) = match &several {
            None => (size, RankCores::new(size, cores)),
            Some(several) => {
                let is_shared = SeveralNodes::any(&*transport, size > cores, site)?;
                (several.largest(), if is_shared { RankCores::Shared } else { RankCores::Own })
            }
        };
        let (layout, policy) = (SegmentLayout::for_ranks(size), SpinPolicy::for_participants(size, cores));
        let shared = match largest {
            1 => None,
            _ => SharedCollectives::for_node(Rc::clone(of_node), layout, policy, site)?,
        };
        let rules = table.for_group(largest, rank_cores);
        let rules = if several.is_some() { rules.limited_to(MOST_BYTES_ON_SEVERAL_NODES) } else { rules };
        Ok(Self { rules, several, shared, last: Cell::default() })
    }

    /// The operations by this choice, which is the same on all ranks; those without shared memory over `transport`, of the same ranks.
    pub fn by<'a>(
        &'a self,
        choice: &'a CollectiveChoice,
        transport: &'a dyn Transport,
    ) -> SelectedCollectives<'a> {
        SelectedCollectives { node: self, choice, transport }
    }

    /// The name of the algorithm in shared memory that has performed the last operation; `None`: it was performed without one.
    pub fn last_algorithm(&self) -> Option<&'static str> {
        self.last.get()
    }
}

/// [`Collectives`] that are performed in shared memory where the choice says so, and elsewhere by the library, or by our algorithms over messages where
/// there is none.
#[derive(Clone, Copy)]
pub struct SelectedCollectives<'a> {
    node: &'a NodeCollectives,
    choice: &'a CollectiveChoice,
    transport: &'a dyn Transport,
}

impl SelectedCollectives<'_> {
    /// The algorithm in shared memory for a call with these numbers of elements, sent and received; `None`: without one.
    ///
    /// # Errors
    /// [`Error::Setup`] if an algorithm is named and the ranks share no memory, or are on several nodes and the operation has no form for these.
    fn algorithm(
        &self,
        kind: CollectiveKind<'_>,
        elements: (usize, usize),
        datatype: Datatype,
        site: CallSite,
    ) -> Result<Option<InMemory<'_>>> {
        let NodeCollectives { rules, several, shared, last } = self.node;
        last.set(None);
        let (size, several) = (self.transport.size(), several.as_ref());
        let elements = block_elements(kind, elements, size);
        match (self.choice.choose(rules, kind.verb(), elements * datatype.size()), shared) {
            (Some(algorithm), Some(shared)) if several.is_none_or(|several| several.can_run(kind)) => {
                last.set(Some(algorithm.name));
                Ok(Some(InMemory { shared, algorithm, several }))
            }
            (Some(_), _) if size > 1 && self.choice.names_algorithms() => {
                Err(Error::Setup(collective::no_shared_memory()))
            }
            (None, Some(shared)) => shared.record_other(&kind, (datatype, elements), site).map(|()| None),
            _ => Ok(None),
        }
    }

    fn without_choice<R>(&self, run: impl FnOnce(&dyn Collectives) -> R) -> R {
        with_collectives(self.transport, run)
    }
}

/// A chosen algorithm, with the memory that it uses.
struct InMemory<'a> {
    shared: &'a SharedCollectives,
    algorithm: &'static SharedAlgorithm,
    several: Option<&'a SeveralNodes>,
}

impl InMemory<'_> {
    #[inline]
    fn run(&self, kind: CollectiveKind<'_>, buffers: BorrowedBuffers<'_>, site: CallSite) -> Result<()> {
        match self.several {
            None => self.shared.run(self.algorithm, kind, buffers, site),
            Some(several) => several.run((self.shared, self.algorithm), kind, buffers, site),
        }
    }
}

impl Collectives for SelectedCollectives<'_> {
    fn run(&self, kind: CollectiveKind<'_>, buffers: BorrowedBuffers<'_>, site: CallSite) -> Result<()> {
        let elements = (buffers.send.count(), buffers.recv.count());
        match self.algorithm(kind, elements, buffers.recv.datatype(), site)? {
            Some(in_memory) => in_memory.run(kind, buffers, site),
            None => self.without_choice(|collectives| collectives.run(kind, buffers, site)),
        }
    }

    fn start(
        &self,
        kind: CollectiveKind<'_>,
        buffers: OwnedBuffers,
        site: CallSite,
    ) -> Result<Box<dyn Pending>> {
        self.without_choice(|collectives| collectives.start(kind, buffers, site))
    }

    fn run_in_place(&self, kind: CollectiveKind<'_>, data: ViewMut<'_>, site: CallSite) -> Result<()> {
        let member = Member::of(self.transport);
        let parts = kind.in_place_parts(member.rank, member.size, data.count());
        let elements = parts.map_or((0, 0), |parts| (parts.contribution.len(), parts.result.len()));
        match self.algorithm(kind, elements, data.datatype(), site)? {
            Some(in_memory) => {
                with_copied_contribution(kind, data, member, |buffers| in_memory.run(kind, buffers, site))
            }
            None => self.without_choice(|collectives| collectives.run_in_place(kind, data, site)),
        }
    }

    fn run_layout(&self, root: Rank, buffers: LayoutBuffers<'_>, site: CallSite) -> Result<()> {
        self.without_choice(|collectives| collectives.run_layout(root, buffers, site))
    }

    fn reduce_local(&self, left: View<'_>, into: ViewMut<'_>, operation: Operation) -> Result<()> {
        self.without_choice(|collectives| collectives.reduce_local(left, into, operation))
    }

    fn ibarrier_and_wait(&self, site: CallSite) -> Result<()> {
        self.without_choice(|collectives| collectives.ibarrier_and_wait(site))
    }
}

/// Collective: what rank 0 gets from `text`, on all ranks.
fn broadcast_text(
    transport: &dyn Transport,
    text: impl FnOnce() -> TableText,
    site: CallSite,
) -> Result<Option<String>> {
    let read = if transport.rank() == 0 { text() } else { Ok(None) };
    let (status, text) = match read {
        Ok(None) => (0, String::new()),
        Ok(Some(text)) => (1, text),
        Err(error) => (2, error),
    };
    let (mut head, mut bytes) = ([status, text.len()], text.into_bytes());
    Algorithms(transport).bcast(&mut head, 0, site)?;
    let [status, length] = head;
    bytes.resize(length, 0);
    Algorithms(transport).bcast(&mut bytes, 0, site)?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    match status {
        0 => Ok(None),
        1 => Ok(Some(text)),
        _ => Err(Error::Setup(collective::table_unreadable(text))),
    }
}

//! The collective operations of a communicator by the choice of its ranks.
use std::rc::Rc;

use wb_comm::{
    BorrowedBuffers, CallSite, CollectiveKind, Collectives, Datatype, Error, LayoutBuffers, Operation,
    OwnedBuffers, Pending, Rank, Result, SpinPolicy, Transport, View, ViewMut, cores::permitted_parallelism,
    text::collective,
};

use super::{CollectiveChoice, GroupRules, RankCores, SelectionTable, block_elements};
use crate::collectives::{
    Algorithms, Member,
    algorithms::{with_collectives, with_copied_contribution},
    shared_memory::{SegmentLayout, SharedAlgorithm, SharedCollectives},
};

/// The text of a table, if there is one, or why it cannot be read.
pub type TableText = std::result::Result<Option<String>, String>;

/// What the ranks of a communicator need to choose between the implementations of an operation: their shared memory, if they have one, and measurements.
pub struct NodeCollectives {
    transport: Rc<dyn Transport>,
    rules: GroupRules,
    /// `None`: the ranks share no memory, or there is one only.
    shared: Option<SharedCollectives>,
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
        let (size, cores) = (transport.size(), permitted_parallelism());
        let table = match broadcast_text(&*transport, table, site)? {
            Some(text) => text.parse()?,
            None => SelectionTable::built_in(),
        };
        let (layout, policy) = (SegmentLayout::for_ranks(size), SpinPolicy::for_participants(size, cores));
        let shared = match size {
            1 => None,
            _ => SharedCollectives::for_node(Rc::clone(&transport), layout, policy, site)?,
        };
        let rules = table.for_group(size, RankCores::new(size, cores));
        Ok(Self { transport, rules, shared })
    }

    /// The operations by this choice, which is the same on all ranks.
    pub fn by<'a>(&'a self, choice: &'a CollectiveChoice) -> SelectedCollectives<'a> {
        SelectedCollectives { node: self, choice }
    }
}

/// [`Collectives`] that are performed in shared memory where the choice says so, and elsewhere by the library, or by our algorithms over messages where
/// there is none.
#[derive(Clone, Copy)]
pub struct SelectedCollectives<'a> {
    node: &'a NodeCollectives,
    choice: &'a CollectiveChoice,
}

impl SelectedCollectives<'_> {
    /// The algorithm in shared memory for a call with these numbers of elements, sent and received; `None`: without one.
    ///
    /// # Errors
    /// [`Error::Setup`] if an algorithm is named and the ranks share no memory.
    fn algorithm(
        &self,
        kind: CollectiveKind<'_>,
        elements: (usize, usize),
        datatype: Datatype,
        site: CallSite,
    ) -> Result<Option<(&SharedCollectives, &'static SharedAlgorithm)>> {
        let NodeCollectives { transport, rules, shared } = self.node;
        let size = transport.size();
        let bytes = block_elements(kind, elements, size) * datatype.size();
        match (self.choice.choose(rules, kind.verb(), bytes), shared) {
            (Some(algorithm), Some(shared)) => Ok(Some((shared, algorithm))),
            (None, Some(shared)) => {
                let elements = block_elements(kind, elements, size);
                shared.record_other(&kind, (datatype, elements), site).map(|()| None)
            }
            (Some(_), None) if size > 1 && self.choice.names_algorithms() => {
                Err(Error::Setup(collective::no_shared_memory()))
            }
            _ => Ok(None),
        }
    }

    fn without_choice<R>(&self, run: impl FnOnce(&dyn Collectives) -> R) -> R {
        with_collectives(&*self.node.transport, run)
    }
}

impl Collectives for SelectedCollectives<'_> {
    fn run(&self, kind: CollectiveKind<'_>, buffers: BorrowedBuffers<'_>, site: CallSite) -> Result<()> {
        let elements = (buffers.send.count(), buffers.recv.count());
        match self.algorithm(kind, elements, buffers.recv.datatype(), site)? {
            Some((shared, algorithm)) => shared.run(algorithm, kind, buffers, site),
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
        let member = Member::of(&*self.node.transport);
        let parts = kind.in_place_parts(member.rank, member.size, data.count());
        let elements = parts.map_or((0, 0), |parts| (parts.contribution.len(), parts.result.len()));
        match self.algorithm(kind, elements, data.datatype(), site)? {
            Some((shared, algorithm)) => with_copied_contribution(kind, data, member, |buffers| {
                shared.run(algorithm, kind, buffers, site)
            }),
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

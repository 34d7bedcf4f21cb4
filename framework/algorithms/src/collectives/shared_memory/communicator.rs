//! The shared memory of a communicator.
use std::{
    cell::{Cell, RefCell},
    rc::Rc,
};

use wb_comm::{
    BorrowedBuffers, CallSite, CollectiveKind, Datatype, ErasedWindow, Error, Rank, Result, SpinPolicy,
    Transport, WindowKind,
    text::{collective, window},
};

use super::{
    AtomicWords, Segment, SegmentLayout, SegmentState, SegmentWords, SharedAlgorithm, layout::LINE_WORDS,
};
use crate::collectives::Algorithms;

/// The shared memory of a communicator whose ranks are on one node, and its collective operations.
pub struct SharedCollectives {
    transport: Rc<dyn Transport>,
    rank: Rank,
    /// `None` once it is freed.
    window: Option<Box<dyn ErasedWindow>>,
    /// The first word of the segment: it begins a cache line.
    first: usize,
    layout: SegmentLayout,
    spin_policy: SpinPolicy,
    state: RefCell<SegmentState>,
}

impl SharedCollectives {
    /// Collective: makes the segment of the communicator, in memory that all its ranks map.
    ///
    /// # Errors
    /// [`Error::Setup`]: the ranks are on several nodes, or the backend has no memory that they could share; the library's error.
    pub fn new(
        transport: Rc<dyn Transport>,
        layout: SegmentLayout,
        spin_policy: SpinPolicy,
        site: CallSite,
    ) -> Result<Self> {
        Self::for_node(transport, layout, spin_policy, site)?
            .ok_or_else(|| Error::Setup(collective::no_shared_memory()))
    }

    /// As [`new`](Self::new); `None` on all ranks if they are on several nodes, or the backend has no memory that they could share. If it is
    /// dropped on all ranks, its memory is freed at the end of the job.
    ///
    /// # Errors
    /// The library's error.
    pub fn for_node(
        transport: Rc<dyn Transport>,
        layout: SegmentLayout,
        spin_policy: SpinPolicy,
        site: CallSite,
    ) -> Result<Option<Self>> {
        if transport.nodes(site)?.iter().any(|node| *node != 0) {
            return Ok(None);
        }
        let (size, unit) = (transport.size(), 2 * LINE_WORDS);
        let each = (layout.words(size) + unit).div_ceil(size).next_multiple_of(unit);
        let window = transport.window(WindowKind::Shared, Datatype::I64, each, site)?;
        let Some(words) = window.shared_words() else {
            window.free(site)?;
            return Ok(None);
        };
        window.keep_until_end();
        // All ranks use the place of rank 0: it begins a line there, and a mapping begins a page everywhere.
        let mut first = [words.as_ptr().align_offset(unit * size_of::<u64>()).min(unit)];
        Algorithms(&*transport).bcast(&mut first, 0, site)?;
        let state = RefCell::new(SegmentState::new(size));
        let rank = transport.rank();
        Ok(Some(Self { transport, rank, window: Some(window), first: first[0], layout, spin_policy, state }))
    }

    /// Runs an operation by this algorithm, which must be one of its verb and the same on all ranks; the buffers are those of
    /// [`Collectives::run`](wb_comm::Collectives::run).
    ///
    /// # Errors
    /// [`Error::Collective`] if another rank makes another call; [`Error::Peer`] if it takes part in no further call;
    /// [`Error::Setup`] if elements are too large for a slot, or after an error of an earlier call; the errors of the transport, which is asked
    /// while this rank waits.
    pub fn run(
        &self,
        algorithm: &SharedAlgorithm,
        kind: CollectiveKind<'_>,
        buffers: BorrowedBuffers<'_>,
        site: CallSite,
    ) -> Result<()> {
        let mut state = self.state.borrow_mut();
        if state.size() == 1 {
            return copy_of_one_rank(kind, buffers);
        }
        let has_waited = Cell::new(false);
        let on_wait = |awaited: Rank| {
            has_waited.set(true);
            self.transport.wait_in_memory(Some(awaited), site)
        };
        let mut segment = Segment::new(self.words()?, &self.layout, self.rank, &mut state, &on_wait);
        let result = algorithm.run(&mut segment, kind, buffers, site);
        if has_waited.get() {
            self.transport.wait_in_memory(None, site)?;
        }
        result
    }

    /// Records a call with blocks of so many elements that this rank makes by messages: ranks that make it here get an error, and do not wait for
    /// ever.
    ///
    /// # Errors
    /// [`Error::Setup`] if the memory is freed.
    pub(crate) fn record_other(
        &self,
        kind: &CollectiveKind<'_>,
        elements: (Datatype, usize),
        site: CallSite,
    ) -> Result<()> {
        let mut state = self.state.borrow_mut();
        let never = |_| Ok(());
        Segment::new(self.words()?, &self.layout, self.rank, &mut state, &never)
            .record_other(kind, elements, site)
    }

    fn words(&self) -> Result<AtomicWords<'_>> {
        let words = self
            .window
            .as_ref()
            .and_then(|window| window.shared_words())
            .ok_or_else(|| Error::Setup(window::not_shared()))?;
        Ok(AtomicWords::new(&words[self.first..], self.spin_policy))
    }

    /// Collective: frees the memory.
    ///
    /// # Errors
    /// The errors of the backend.
    pub fn free(mut self, site: CallSite) -> Result<()> {
        self.leave();
        self.window.take().map_or(Ok(()), |window| window.free(site))
    }

    /// Ends the waits of the others for calls that this rank has not made.
    fn leave(&self) {
        if let Ok(mut words) = self.words() {
            let _unreported = words.publish(self.layout.has_left(self.rank), 1);
        }
    }
}

/// A rank that ends, or panics, ends the waits of the others.
impl Drop for SharedCollectives {
    fn drop(&mut self) {
        self.leave();
    }
}

/// An operation of a single rank: its result is its contribution; an exclusive scan has none.
fn copy_of_one_rank(kind: CollectiveKind<'_>, mut buffers: BorrowedBuffers<'_>) -> Result<()> {
    if !matches!(kind, CollectiveKind::Bcast { .. } | CollectiveKind::Exscan { .. }) {
        buffers.recv.bytes().copy_from_slice(buffers.send.bytes());
    }
    Ok(())
}

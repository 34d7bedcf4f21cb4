//! The shared memory of a communicator.
use std::{cell::RefCell, rc::Rc};

use wb_comm::{
    BorrowedBuffers, CallSite, CollectiveKind, Datatype, ErasedWindow, Error, MessageTag, Rank, Result,
    Source, SpinPolicy, Transport, WindowKind, limits,
    text::{barrier, window},
};

use super::{
    AtomicWords, Segment, SegmentLayout, SegmentState, SegmentWords, SharedAlgorithm, layout::LINE_WORDS,
    select,
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
        if transport.nodes(site)?.iter().any(|node| *node != 0) {
            return Err(Error::Setup(barrier::several_hosts()));
        }
        let (size, unit) = (transport.size(), 2 * LINE_WORDS);
        let each = (layout.words(size) + unit).div_ceil(size).next_multiple_of(unit);
        let window = transport.window(WindowKind::Shared, Datatype::I64, each, site)?;
        let words = window.shared_words().ok_or_else(|| Error::Setup(window::not_shared()))?;
        // All ranks use the place of rank 0: it begins a line there, and a mapping begins a page everywhere.
        let mut first = [words.as_ptr().align_offset(unit * size_of::<u64>()).min(unit)];
        Algorithms(&*transport).bcast(&mut first, 0, site)?;
        let state = RefCell::new(SegmentState::new(size));
        let rank = transport.rank();
        Ok(Self { transport, rank, window: Some(window), first: first[0], layout, spin_policy, state })
    }

    /// Runs an operation by the selected algorithm; the buffers are those of [`Collectives::run`](wb_comm::Collectives::run).
    ///
    /// # Errors
    /// As of [`run_by`](Self::run_by), and of [`select`](super::select).
    pub fn run(&self, kind: CollectiveKind<'_>, buffers: BorrowedBuffers<'_>, site: CallSite) -> Result<()> {
        let size = self.state.borrow().size();
        self.run_by(select(kind, &buffers, size)?, kind, buffers, site)
    }

    /// Runs an operation by this algorithm, which must be one of its verb and the same on all ranks.
    ///
    /// # Errors
    /// [`Error::Collective`] if another rank makes another call; [`Error::Peer`] if it takes part in no further call;
    /// [`Error::Setup`] if elements are too large for a slot, or after an error of an earlier call; the errors of the transport, which is asked
    /// while this rank waits.
    pub fn run_by(
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
        let on_wait = || self.make_progress(site);
        let mut segment = Segment::new(self.words()?, self.layout, self.rank, &mut state, &on_wait);
        algorithm.run(&mut segment, kind, buffers, site)
    }

    fn words(&self) -> Result<AtomicWords<'_>> {
        let words = self
            .window
            .as_ref()
            .and_then(|window| window.shared_words())
            .ok_or_else(|| Error::Setup(window::not_shared()))?;
        Ok(AtomicWords::new(&words[self.first..], self.spin_policy))
    }

    /// A probe lets the library make progress, and fails if the job has. No message has this tag.
    fn make_progress(&self, site: CallSite) -> Result<()> {
        let tag = MessageTag::internal(limits::TAG_MAX).into();
        self.transport.iprobe(Source::Any, tag, site).map(drop)
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

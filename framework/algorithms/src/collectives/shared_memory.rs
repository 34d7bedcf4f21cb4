//! Collective operations of ranks that share memory: payload and flag in one line for short ones, slots for longer ones, as many rounds as a
//! block needs for long ones.
//!
//! A [`SharedCollectives`] is the segment of a communicator whose ranks are on one node: threads, or processes with a common window. Its
//! operations wait in the segment and send no messages. [`segment`] is the protocol, with the one rule of reuse that all algorithms obey. The
//! folder `shared_memory/catalogue` has the algorithms: a file is an algorithm and contains its rows, with the source and the number of
//! cache lines that a rank writes and reads.
//!
//! ```
//! use wb_algorithms::collectives::shared_memory::{self, SharedExtent, SegmentLayout};
//! let entry = shared_memory::find("allreduce_one_hop")?;
//! let extent = SharedExtent { size: 4, bytes: 8, layout: SegmentLayout::for_ranks(4) };
//! assert_eq!(((entry.lines)(extent).written, (entry.lines)(extent).read), (1, 3));
//! # Ok::<(), wb_comm::Error>(())
//! ```
use std::fmt;

use wb_comm::{BorrowedBuffers, CallSite, CollectiveKind, Result, Text, Verb};

mod calls;
pub mod catalogue;
mod communicator;
mod layout;
mod rounds;
pub mod segment;
pub mod words;

pub use catalogue::{all, find, of_verb};
pub use communicator::SharedCollectives;
pub use layout::SegmentLayout;
pub use segment::{Segment, SegmentState};
pub use words::{AtomicWords, SegmentWords};

use rounds::Pieces;

/// One algorithm.
#[derive(Clone, Copy)]
pub struct SharedAlgorithm {
    /// Its name, which is also its file's.
    pub name: &'static str,
    /// The operations that it performs.
    pub verbs: &'static [Verb],
    /// Paper or library.
    pub source: &'static str,
    /// One line of description.
    pub summary: Text<&'static str>,
    /// The cache lines of flags and payloads that the busiest rank writes and those that the busiest rank reads.
    pub lines: fn(SharedExtent) -> CacheLines,
    pub(crate) bodies: Bodies,
}

impl fmt::Debug for SharedAlgorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// The rounds of an algorithm on a kind of memory.
type Body<W> = fn(&mut Segment<'_, W>, &CollectiveKind<'_>, BorrowedBuffers<'_>) -> Result<()>;

/// The same code for the processor's atomics, without dynamic calls, and for any memory.
#[derive(Clone, Copy)]
pub(crate) struct Bodies {
    pub(crate) on_atomics:
        for<'w> fn(&mut Segment<'_, AtomicWords<'w>>, &CollectiveKind<'_>, BorrowedBuffers<'_>) -> Result<()>,
    pub(crate) on_any: for<'w> fn(
        &mut Segment<'_, &'w mut dyn SegmentWords>,
        &CollectiveKind<'_>,
        BorrowedBuffers<'_>,
    ) -> Result<()>,
}

/// The [`Bodies`] of a function that is generic over the memory.
macro_rules! bodies {
    ($run:ident) => {
        $crate::collectives::shared_memory::Bodies {
            on_atomics: |segment, kind, buffers| $run(segment, kind, buffers),
            on_any: |segment, kind, buffers| $run(segment, kind, buffers),
        }
    };
}
pub(crate) use bodies;

/// The size of an operation.
#[derive(Clone, Copy, Debug)]
pub struct SharedExtent {
    /// Ranks, at least 2.
    pub size: usize,
    /// Bytes of a rank's block.
    pub bytes: usize,
    /// The layout of the segment.
    pub layout: SegmentLayout,
}

/// Cache lines of 64 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CacheLines {
    /// Those that a rank writes and others read.
    pub written: usize,
    /// Those that a rank reads and others write.
    pub read: usize,
}

impl SharedExtent {
    /// The lines of a payload: one if it fits beside the flag.
    fn lines_of(self, bytes: usize) -> usize {
        if bytes <= self.layout.inline_bytes() { 1 } else { 1 + bytes.div_ceil(64) }
    }

    /// The lines of a block that one rank publishes, in as many rounds as it needs.
    pub(crate) fn block(self) -> usize {
        rounds::parts(self.bytes, self.layout.slot_bytes()).map(|part| self.lines_of(part.len())).sum()
    }

    /// The lines of a block for each other rank, and those of one of these blocks.
    pub(crate) fn pieces(self) -> CacheLines {
        let most = Pieces::most(&self.layout, self.size);
        let rounds = rounds::parts(self.bytes, most).map(|part| {
            let pieces = Pieces::new(&self.layout, self.size, part.len());
            if pieces.bytes <= self.layout.inline_bytes() {
                return (1, 1);
            }
            let lines = part.len().div_ceil(64);
            (1 + (self.size - 1) * lines, 1 + lines)
        });
        let (written, read) = rounds.fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
        CacheLines { written, read }
    }
}

impl SharedAlgorithm {
    /// Runs a call on a segment in the processor's memory.
    ///
    /// # Errors
    /// As of [`SharedCollectives::run`].
    pub fn run(
        &self,
        segment: &mut Segment<'_, AtomicWords<'_>>,
        kind: CollectiveKind<'_>,
        buffers: BorrowedBuffers<'_>,
        site: CallSite,
    ) -> Result<()> {
        run(self.bodies.on_atomics, segment, kind, buffers, site)
    }

    /// As [`run`](Self::run), in any memory.
    ///
    /// # Errors
    /// As of [`SharedCollectives::run`].
    pub fn run_on_any(
        &self,
        segment: &mut Segment<'_, &mut dyn SegmentWords>,
        kind: CollectiveKind<'_>,
        buffers: BorrowedBuffers<'_>,
        site: CallSite,
    ) -> Result<()> {
        run(self.bodies.on_any, segment, kind, buffers, site)
    }
}

#[inline]
fn run<W: SegmentWords>(
    body: Body<W>,
    segment: &mut Segment<'_, W>,
    kind: CollectiveKind<'_>,
    buffers: BorrowedBuffers<'_>,
    site: CallSite,
) -> Result<()> {
    segment.call(&kind, buffers, site, body)
}

//! The catalogue of broadcasts: their names, sources, costs and implementations.
//!
//! All are written over point-to-point messages of a [`CollectiveContext`], and none depends on data: the operations of a
//! rank follow from its rank, the size, the root and the lengths, so one run of [`proof`] decides for all
//! interleavings.
//!
//! ```
//! use wb_algorithms::collectives::broadcast::{Extent, self};
//!
//! let pipeline = broadcast::find("pipeline")?;
//! let extent = Extent { size: 8, count: 1000, segment: 100 };
//! assert_eq!((pipeline.messages)(extent), 7 * 10);
//! assert_eq!((pipeline.rounds)(extent), Some(8 + 10 - 2));
//! # Ok::<(), wb_comm::Error>(())
//! ```
use wb_comm::{Rank, Result, Text, ViewMut};

use crate::collectives::CollectiveContext;

pub mod catalogue;
pub(crate) mod pipeline;
pub mod proof;
pub(crate) mod scatter;
pub(crate) mod segments;
pub mod select;

pub use catalogue::{all, binomial::binomial, find};
pub use select::select;

/// One broadcast.
#[derive(Clone, Copy)]
pub struct Broadcast {
    /// Its name, which is also its file's (with a parameter or form appended where a file has several rows).
    pub name: &'static str,
    /// Paper, library or document.
    pub source: &'static str,
    /// Section of the specification, e.g. `"7.3"`.
    pub section: &'static str,
    /// One line of description.
    pub summary: Text<&'static str>,
    /// The number of messages; the proof compares it with the messages that are sent.
    pub messages: fn(Extent) -> usize,
    /// The number of unit times when each rank has one port to send, and each message, however long, takes one; where a
    /// formula is known. The proof compares it with the run.
    pub rounds: fn(Extent) -> Option<usize>,
    /// The operations of every rank; see [`run`](Self::run).
    pub(crate) body: fn(&CollectiveContext<'_>, ViewMut<'_>, Rank, usize) -> Result<()>,
}

/// The size of a broadcast.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// Ranks, at least 1.
    pub size: usize,
    /// Elements.
    pub count: usize,
    /// Elements of a segment, at least 1, for broadcasts that cut the data into segments.
    pub segment: usize,
}

impl Extent {
    /// S: the number of segments; 0 without data.
    pub fn segments(self) -> usize {
        self.count.div_ceil(self.segment)
    }

    /// The number of ranks whose block is not empty, if the data is cut into one block a rank, each of ceil(count /
    /// size) elements but the last ones.
    pub fn blocks(self) -> usize {
        if self.count == 0 { 0 } else { self.count.div_ceil(self.count.div_ceil(self.size)) }
    }
}

/// Bytes of a segment where no other size is requested, as in MPICH's pipelines.
pub const SEGMENT_BYTES: usize = 8192;

/// Elements of such a segment, for elements of this number of bytes.
pub fn default_segment(element_bytes: usize) -> usize {
    (SEGMENT_BYTES / element_bytes.max(1)).max(1)
}

impl Broadcast {
    /// Broadcasts `root`'s `data` into every rank's `data`, which has the same length everywhere. `segment` is in
    /// elements, at least 1, and the same everywhere. A single rank, or a root without data, sends nothing.
    ///
    /// # Errors
    /// The errors of the transport.
    ///
    /// # Panics
    /// For segments of no elements.
    pub fn run(
        &self,
        comm: &CollectiveContext<'_>,
        data: ViewMut<'_>,
        root: Rank,
        segment: usize,
    ) -> Result<()> {
        assert!(segment > 0, "segments of nothing");
        if comm.size() == 1 || data.count() == 0 {
            return Ok(());
        }
        (self.body)(comm, data, root, segment)
    }
}

/// v = (r - root) mod P: ranks counted from the root.
pub(crate) fn virtual_rank(comm: &CollectiveContext<'_>, root: Rank) -> Rank {
    (comm.rank() + comm.size() - root) % comm.size()
}

//! What is known of a message that was received or probed.
use crate::{Datatype, PROC_NULL, Rank};

/// The status of a message that was received or probed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Status {
    /// The sender.
    pub source: Rank,
    /// The tag of the message.
    pub tag: i32,
    /// The size of the message in bytes.
    pub bytes: usize,
    /// The element type of the message, if the backend transmits it (threads do, MPI does not).
    pub datatype: Option<Datatype>,
}

impl Status {
    /// The status of a receive or a probe from [`PROC_NULL`]: no element, and the tag -1, which no message has (`MPI_ANY_TAG`).
    pub const PROC_NULL: Self = Self { source: PROC_NULL, tag: -1, bytes: 0, datatype: None };

    /// The status with the source as its distance from `first`; [`PROC_NULL`] stays what it is.
    #[must_use]
    pub fn with_sources_from(self, first: Rank) -> Self {
        match self.source {
            PROC_NULL => self,
            source => Self { source: source - first, ..self },
        }
    }

    /// The number of elements of `datatype` in the message; `None` if the size is not a multiple (`MPI_UNDEFINED`).
    #[inline]
    pub fn count(&self, datatype: Datatype) -> Option<usize> {
        self.bytes.is_multiple_of(datatype.size()).then(|| self.bytes / datatype.size())
    }
}

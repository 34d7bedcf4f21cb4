//! The modes of a send (MPI 4.0, 3.4 "Communication Modes").
use serde::{Deserialize, Serialize};

/// What a message occupies in an attached buffer beside its elements, bytes. It is at least the `MPI_BSEND_OVERHEAD` of Open MPI (128) and of
/// MPICH (96).
pub const BSEND_OVERHEAD: usize = 128;

/// When a send may start, and when it is complete.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum SendMode {
    /// Complete when the buffer may be used again (`MPI_Send`): the library buffers the message, or waits for the receive.
    #[default]
    Standard,
    /// Complete only when the receive has started (`MPI_Ssend`).
    Synchronous,
    /// The send completes immediately: the message is copied to the attached buffer (`MPI_Bsend`).
    Buffered,
    /// The send may start only when the receive is posted (`MPI_Rsend`).
    Ready,
}

impl SendMode {
    /// Whether the send waits for the receive under every library.
    pub fn is_synchronous(self) -> bool {
        self == Self::Synchronous
    }
}

//! The place of a rank among the ranks of an operation: all that an algorithm needs besides counts.
use wb_comm::{Rank, Transport};

/// One of `size` ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Member {
    /// This rank.
    pub rank: Rank,
    /// The number of ranks.
    pub size: usize,
}

impl Member {
    /// The rank of the calling process.
    pub fn of(transport: &dyn Transport) -> Self {
        Self { rank: transport.rank(), size: transport.size() }
    }

    /// The rank `distance` after this one, in a circle.
    pub fn after(self, distance: usize) -> Rank {
        (self.rank + distance) % self.size
    }

    /// The rank `distance` before this one, in a circle; `distance` is at most the number of ranks.
    pub fn before(self, distance: usize) -> Rank {
        (self.rank + self.size - distance) % self.size
    }
}

//! The storage of a machine, which all its ranks share: the cost of an access to a file.
//!
//! A request takes `latency` before its first byte moves. Requests of one call are made one after the other, those of several ranks overlap.
//! The bytes of all ranks share one bandwidth: transfers take place one after the other, in the order in which their requests arrive.
//! Neighbouring bytes of a call are one request. A call of all ranks joins their bytes first, so it makes fewer requests, and the ranks
//! share them; then they exchange the bytes over the network.
use wb_comm::Rank;

use crate::{
    fabric::{Event, StorageTransfer},
    sim::Port,
};

/// The parameters of the storage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Storage {
    /// From a request to its first byte, nanoseconds.
    pub latency: u64,
    /// Bytes per second of all transfers together, at least 1.
    pub bytes_per_second: u64,
}

impl Storage {
    /// The storage of a machine whose file describes none: a solid-state disk, 0.1 ms and 1 GB/s.
    pub const DEFAULT: Self = Self { latency: 100_000, bytes_per_second: 1_000_000_000 };

    /// The nanoseconds that `bytes` occupy the storage; rounded up.
    pub fn serial(&self, bytes: u64) -> u64 {
        let ns = (u128::from(bytes) * 1_000_000_000).div_ceil(u128::from(self.bytes_per_second));
        u64::try_from(ns).unwrap_or(u64::MAX)
    }
}

/// A transfer that has yet to reach the storage.
#[derive(Debug)]
pub(crate) struct PendingTransfer {
    rank: Rank,
    bytes: u64,
    done: Event,
}

impl PendingTransfer {
    /// A transfer for `rank`.
    pub(crate) fn new(rank: Rank, transfer: StorageTransfer, done: Event) -> Self {
        Self { rank, bytes: transfer.bytes, done }
    }

    /// Starts the transfer `at` the earliest: the rank, the event of its end, and the time of that.
    pub(crate) fn start(self, port: &mut Port, storage: Storage, at: u64) -> (Rank, Event, u64) {
        let serial = storage.serial(self.bytes);
        (self.rank, self.done, port.occupy(at, 0, serial) + serial)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_take_their_time_rounded_up() {
        let storage = Storage { latency: 5, bytes_per_second: 3_000_000_000 };
        assert_eq!([0, 1, 3, 4].map(|bytes| storage.serial(bytes)), [0, 1, 1, 2]);
        assert_eq!(Storage { bytes_per_second: 1, ..storage }.serial(u64::MAX), u64::MAX);
    }

    #[test]
    fn transfers_share_the_storage() {
        let (mut port, storage) = (Port::default(), Storage { latency: 0, bytes_per_second: 1_000_000_000 });
        let mut end = |at| {
            let transfer = StorageTransfer { requests: 1, bytes: 100, exchanged_bytes: 0 };
            PendingTransfer::new(0, transfer, Event::StorageReply(0)).start(&mut port, storage, at).2
        };
        assert_eq!([end(10), end(10), end(500)], [110, 210, 600]);
    }
}

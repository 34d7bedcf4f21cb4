//! The delivery model of threads: everything arrives immediately, and a rank that can continue is woken.
use std::sync::Arc;

use wb_comm::Rank;
use wb_fabric::{DeliveryModel, SendProtocol};

use crate::waker::Waker;

/// See the module.
#[derive(Debug)]
pub(crate) struct ImmediateDelivery {
    pub(crate) wakers: Arc<[Waker]>,
    /// The longest message in bytes that a standard send does not wait for.
    pub(crate) eager_limit: usize,
}

impl DeliveryModel for ImmediateDelivery {
    const TIMED: bool = false;

    fn wake(&mut self, rank: Rank) {
        self.wakers[rank].notify();
    }

    fn send_protocol(&self, _from: Rank, _to: Rank, bytes: usize, synchronous: bool) -> SendProtocol {
        if synchronous || bytes > self.eager_limit { SendProtocol::Synchronous } else { SendProtocol::Eager }
    }
}

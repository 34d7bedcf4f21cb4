//! The delivery model of threads: every delivery is immediate, and a rank that can continue is woken.
use std::sync::Arc;

use wb_comm::Rank;

use crate::{
    fabric::{DeliveryModel, SendProtocol},
    threads::waker::Waker,
};

/// The delivery model of threads.
#[derive(Debug)]
pub(crate) struct ImmediateDelivery {
    pub(crate) wakers: Arc<[Waker]>,
    /// The longest message in bytes for which a standard send does not wait.
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

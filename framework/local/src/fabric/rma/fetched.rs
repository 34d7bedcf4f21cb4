//! The data of a get or a fetching operation: available immediately, or once its reply has arrived.
use wb_comm::{Block, CompletionTicket, PendingFetch, Result};

use crate::fabric::rma::access::FetchSlot;

/// The fetched data, which must not be read before a synchronisation.
pub(crate) struct FetchHandle {
    pub(crate) data: FetchedData,
    pub(crate) ticket: CompletionTicket,
}

/// The fetched data, or the slot for it.
pub(crate) enum FetchedData {
    /// Available.
    Ready(Block),
    /// Available once the reply has arrived.
    Slot(FetchSlot),
}

impl PendingFetch for FetchHandle {
    fn take(self: Box<Self>) -> Result<Block> {
        self.ticket.check()?;
        match self.data {
            FetchedData::Ready(block) => Ok(block),
            FetchedData::Slot(place) => Ok(take_slot(&place)),
        }
    }
}

/// Takes the data that have arrived.
pub(crate) fn take_slot(place: &FetchSlot) -> Block {
    let block = place.lock().expect("nobody panics while it takes a block").take();
    block.expect("a synchronisation has waited for the answer, and a block is taken once")
}

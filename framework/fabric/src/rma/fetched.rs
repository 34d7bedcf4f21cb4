//! What a get or a fetching operation brings: here at once, or once its answer has come.
use wb_comm::{Block, CompletionTicket, PendingFetch, Result};

use crate::rma::access::FetchSlot;

/// What was fetched, not to be looked at before a synchronisation.
pub(crate) struct FetchHandle {
    pub(crate) data: FetchedData,
    pub(crate) ticket: CompletionTicket,
}

/// Where it is.
pub(crate) enum FetchedData {
    /// Here.
    Ready(Block),
    /// Here, once it has come.
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

/// What has come.
pub(crate) fn take_slot(place: &FetchSlot) -> Block {
    let block = place.lock().expect("nobody panics while it takes a block").take();
    block.expect("a synchronisation has waited for the answer, and a block is taken once")
}

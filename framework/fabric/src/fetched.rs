//! What a get or a fetching operation brings: here at once, or once its answer has come.
use wb_comm::{Block, Fetched, Result, Ticket};

use crate::access::Place;

/// What was fetched, not to be looked at before a synchronisation.
pub(crate) struct Landed {
    pub(crate) brought: Brought,
    pub(crate) ticket: Ticket,
}

/// Where it is.
pub(crate) enum Brought {
    /// Here.
    Block(Block),
    /// Here, once it has come.
    Place(Place),
}

impl Fetched for Landed {
    fn take(self: Box<Self>) -> Result<Block> {
        self.ticket.check()?;
        match self.brought {
            Brought::Block(block) => Ok(block),
            Brought::Place(place) => Ok(take(&place)),
        }
    }
}

/// What has come.
pub(crate) fn take(place: &Place) -> Block {
    let block = place.lock().expect("nobody panics while it takes a block").take();
    block.expect("a synchronisation has waited for the answer, and a block is taken once")
}

//! How a rank's own code ended.
use std::{
    any::Any,
    panic::{AssertUnwindSafe, catch_unwind},
    rc::Rc,
};

use wb_comm::{Error, Rank, Transport, job::Ended};

use crate::{Endpoint, Hub};

/// Runs the code of `rank` from beginning to end on its endpoint, and tells the other ranks that it has ended.
pub fn run<H: Hub>(
    hub: &H,
    (rank, size): (Rank, usize),
    job: impl FnOnce(Rc<dyn Transport>) -> Box<dyn Any + Send>,
) -> Ended {
    let transport: Rc<dyn Transport> = Rc::new(Endpoint::world(hub.clone(), rank, size));
    let ended = match catch_unwind(AssertUnwindSafe(|| job(transport))) {
        Ok(value) => Ended::Returned(value),
        Err(payload) => Ended::Panicked(text_of(&*payload)),
    };
    let mut state = hub.hold();
    if let Ended::Panicked(text) = &ended {
        state.fail(Error::Peer { rank, what: wb_comm::text::error::peer_panicked(text) });
    }
    state.end(rank);
    drop(state);
    ended
}

/// What a panic says; payloads other than texts say nothing.
fn text_of(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_else(|| "without a text".to_owned())
}

//! Running a rank's own code, and how it ended.
use std::{
    any::Any,
    panic::{AssertUnwindSafe, catch_unwind},
    rc::Rc,
};

use wb_comm::{Error, Rank, Transport, job::RankTermination, panic_place::RankPanic};

use crate::fabric::{endpoint::Endpoint, runtime::Runtime};

/// Runs the code of `rank` from beginning to end on its endpoint, and reports its end to the other ranks.
pub fn run_rank<H: Runtime>(
    runtime: &H,
    (rank, size): (Rank, usize),
    job: impl FnOnce(Rc<dyn Transport>) -> Box<dyn Any + Send>,
) -> RankTermination {
    let transport: Rc<dyn Transport> = Rc::new(Endpoint::world(runtime.clone(), rank, size));
    let ended = match catch_unwind(AssertUnwindSafe(|| job(transport))) {
        Ok(value) => RankTermination::Returned(value),
        Err(payload) => RankTermination::Panicked(RankPanic::caught(&*payload)),
    };
    let mut state = runtime.lock_state();
    if let RankTermination::Panicked(panic) = &ended {
        state.fail(Error::Peer { rank, what: panic.of_peer() });
    }
    state.rank_ended(rank);
    drop(state);
    ended
}

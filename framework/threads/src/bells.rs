//! The pace of threads: everything is there at once, and who can go on is woken by a bell.
use std::sync::Arc;

use wb_comm::Rank;
use wb_fabric::{Mode, Pace};

use crate::hub::Bell;

/// See the module.
#[derive(Debug)]
pub(crate) struct Bells {
    pub(crate) bells: Arc<[Bell]>,
    /// The longest message in bytes that a standard send does not wait for.
    pub(crate) eager_limit: usize,
}

impl Pace for Bells {
    const TIMED: bool = false;

    fn wake(&mut self, rank: Rank) {
        self.bells[rank].ring();
    }

    fn mode(&self, _from: Rank, _to: Rank, bytes: usize, synchronous: bool) -> Mode {
        if synchronous || bytes > self.eager_limit { Mode::Synchronous } else { Mode::Eager }
    }
}

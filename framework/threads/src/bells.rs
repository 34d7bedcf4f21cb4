//! The pace of threads: everything is there at once, and who can go on is woken by a bell.
use std::sync::Arc;

use wb_comm::Rank;
use wb_fabric::{Happening, Mode, Over, Pace};

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

    fn quiet(&self) -> bool {
        true
    }

    fn time(&self) -> u64 {
        0
    }

    fn clock(&self, _rank: Rank) -> u64 {
        0
    }

    fn mode(&self, _from: Rank, _to: Rank, bytes: usize, synchronous: bool) -> Mode {
        if synchronous || bytes > self.eager_limit { Mode::Synchronous } else { Mode::Eager }
    }

    fn send(&mut self, _: Rank, _: Rank, _: usize, _: Mode, what: Happening) -> Option<Happening> {
        Some(what)
    }

    fn acknowledge(&mut self, _: Rank, _: Rank, _: u64, what: Happening) -> Option<Happening> {
        Some(what)
    }

    fn transfer(
        &mut self,
        _between: (Rank, Rank),
        _bytes: usize,
        _met: u64,
        sent: Happening,
        landed: Happening,
    ) -> Option<[Happening; 2]> {
        Some([sent, landed])
    }

    fn access(&mut self, _: Rank, _: Rank, _: usize, _: bool, what: Happening) -> Option<Happening> {
        Some(what)
    }

    fn answer(&mut self, _: Rank, _: Rank, _: usize, what: Happening) -> Option<Happening> {
        Some(what)
    }

    fn glance(&mut self, _rank: Rank) {}

    fn catch_up(&mut self, _rank: Rank) {}

    fn finish(&mut self, _rank: Rank, _over: &mut [Over]) {}

    fn agree(&mut self, _members: &[Rank]) {}
}

//! How a rank in virtual time reaches what all share, and how it waits: it gives the baton back.
use std::{
    rc::Rc,
    sync::{Arc, Mutex, MutexGuard},
};

use wb_comm::{Rank, Result};
use wb_fabric::{Pace as _, Standing, State};

use crate::{Machine, baton::Baton, clockwork::Clockwork};

/// What the ranks of a job share: one of them runs at a time, but who waits for the job looks from another thread when its
/// limit is over.
pub(crate) type Shared = Arc<Mutex<State<Clockwork>>>;

/// What `size` ranks on a machine share.
pub(crate) fn shared(machine: Arc<Machine>, size: usize) -> Shared {
    Arc::new(Mutex::new(State::new(size, Clockwork::new(machine, size))))
}

/// A handle of what the ranks of a job share.
#[derive(Clone, Debug)]
pub(crate) struct Hub {
    state: Shared,
    baton: Rc<Baton>,
}

impl Hub {
    /// For `size` ranks that share this.
    pub(crate) fn new(state: Shared, size: usize) -> Self {
        Self { state, baton: Rc::new(Baton::new(size)) }
    }

    pub(crate) fn baton(&self) -> &Rc<Baton> {
        &self.baton
    }
}

impl wb_fabric::Hub for Hub {
    type Pace = Clockwork;
    type Held<'h> = MutexGuard<'h, State<Clockwork>>;

    fn name(&self) -> &'static str {
        "sim"
    }

    fn hold(&self) -> MutexGuard<'_, State<Clockwork>> {
        self.state.lock().expect("no rank panics while it holds the hub")
    }

    fn stand<'h>(
        &'h self,
        mut held: MutexGuard<'h, State<Clockwork>>,
        rank: Rank,
        standing: Standing,
    ) -> Result<MutexGuard<'h, State<Clockwork>>> {
        if held.let_stand(rank, standing) {
            drop(held);
            self.baton.give(rank);
            held = self.hold();
        }
        held.failure().cloned().map_or(Ok(held), Err)
    }

    fn look(&self, rank: Rank) {
        if self.hold().pace.is_ahead(rank) {
            self.baton.give(rank);
        }
    }

    fn idle(&self, rank: Rank) {
        self.hold().pace.idle(rank);
        self.baton.give(rank);
    }

    fn now(&self, rank: Rank) -> u64 {
        self.hold().pace.clock(rank)
    }

    fn work(&self, rank: Rank, flops: u64, bytes: u64) -> u64 {
        self.hold().pace.work(rank, flops, bytes)
    }
}

//! How a rank that holds a baton reaches what all share, and how it waits: it gives the baton back.
use std::{
    rc::Rc,
    sync::{Arc, Mutex, MutexGuard},
};

use wb_comm::{Rank, Result};
use wb_fabric::{Standing, State};

use crate::{baton::Baton, turns::Turns};

/// What the ranks of a job share: one of them runs at a time, but who waits for the job looks from another thread when its
/// limit is over.
pub(crate) type Shared<P> = Arc<Mutex<State<P>>>;

/// What `size` ranks share, whose turns are taken at this pace.
pub(crate) fn shared<P: Turns>(pace: P, size: usize) -> Shared<P> {
    Arc::new(Mutex::new(State::new(size, pace)))
}

/// A handle of what the ranks of a job share.
#[derive(Debug)]
pub(crate) struct Hub<P> {
    state: Shared<P>,
    baton: Rc<Baton>,
}

impl<P> Clone for Hub<P> {
    fn clone(&self) -> Self {
        Self { state: Arc::clone(&self.state), baton: Rc::clone(&self.baton) }
    }
}

impl<P: Turns> Hub<P> {
    /// For `size` ranks that share this.
    pub(crate) fn new(state: Shared<P>, size: usize) -> Self {
        Self { state, baton: Rc::new(Baton::new(size)) }
    }

    pub(crate) fn baton(&self) -> &Rc<Baton> {
        &self.baton
    }
}

impl<P: Turns> wb_fabric::Hub for Hub<P> {
    type Pace = P;
    type Held<'h> = MutexGuard<'h, State<P>>;

    fn name(&self) -> &'static str {
        P::NAME
    }

    fn hold(&self) -> MutexGuard<'_, State<P>> {
        self.state.lock().expect("no rank panics while it holds the hub")
    }

    fn stand<'h>(
        &'h self,
        mut held: MutexGuard<'h, State<P>>,
        rank: Rank,
        standing: Standing,
    ) -> Result<MutexGuard<'h, State<P>>> {
        if held.let_stand(rank, standing) {
            drop(held);
            self.baton.give(rank);
            held = self.hold();
        }
        held.failure().cloned().map_or(Ok(held), Err)
    }

    fn look(&self, rank: Rank) {
        if self.hold().pace.looks(rank) {
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

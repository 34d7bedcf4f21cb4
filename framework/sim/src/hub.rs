//! How a rank in virtual time reaches what all share, and how it waits: it gives the baton back.
use std::{
    cell::{RefCell, RefMut},
    rc::Rc,
    sync::Arc,
};

use wb_comm::{Rank, Result};
use wb_fabric::{Pace as _, Standing, State};

use crate::{Machine, baton::Baton, clockwork::Clockwork};

/// A handle of what the ranks of a job share.
#[derive(Clone, Debug)]
pub(crate) struct Hub(Rc<Shared>);

#[derive(Debug)]
struct Shared {
    state: RefCell<State<Clockwork>>,
    baton: Rc<Baton>,
}

impl Hub {
    /// For `size` ranks on a machine.
    pub(crate) fn new(machine: Arc<Machine>, size: usize) -> Self {
        let state = RefCell::new(State::new(size, Clockwork::new(machine, size)));
        Self(Rc::new(Shared { state, baton: Rc::new(Baton::new(size)) }))
    }

    pub(crate) fn baton(&self) -> &Rc<Baton> {
        &self.0.baton
    }
}

impl wb_fabric::Hub for Hub {
    type Pace = Clockwork;
    type Held<'h> = RefMut<'h, State<Clockwork>>;

    fn name(&self) -> &'static str {
        "sim"
    }

    fn hold(&self) -> RefMut<'_, State<Clockwork>> {
        self.0.state.borrow_mut()
    }

    fn stand<'h>(
        &'h self,
        mut held: RefMut<'h, State<Clockwork>>,
        rank: Rank,
        standing: Standing,
    ) -> Result<RefMut<'h, State<Clockwork>>> {
        if held.let_stand(rank, standing) {
            drop(held);
            self.0.baton.give(rank);
            held = self.hold();
        }
        held.failure().cloned().map_or(Ok(held), Err)
    }

    fn look(&self, rank: Rank) {
        if self.hold().pace.is_ahead(rank) {
            self.0.baton.give(rank);
        }
    }

    fn idle(&self, rank: Rank) {
        self.hold().pace.idle(rank);
        self.0.baton.give(rank);
    }

    fn now(&self, rank: Rank) -> u64 {
        self.hold().pace.clock(rank)
    }

    fn work(&self, rank: Rank, flops: u64, bytes: u64) -> u64 {
        self.hold().pace.work(rank, flops, bytes)
    }
}

//! How a rank that holds a baton reaches what all share, and how it waits: it gives the baton back.
use std::{
    ops::{Deref, DerefMut},
    rc::Rc,
    sync::{Arc, Mutex, MutexGuard},
};

use wb_comm::{Rank, current};
use wb_fabric::{Sight, State};

use crate::{baton::Baton, stopwatch::Stopwatch, turns::Turns};

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
    /// Where computing is charged as measured.
    stopwatch: Option<Rc<Stopwatch>>,
}

/// The state, taken by a rank or by who takes turns among them.
#[derive(Debug)]
pub(crate) struct Held<'h, P> {
    state: MutexGuard<'h, State<P>>,
    /// Of a rank whose computing is measured: its own code goes on when this is dropped.
    stopwatch: Option<&'h Stopwatch>,
}

impl<P> Clone for Hub<P> {
    fn clone(&self) -> Self {
        let (state, baton) = (Arc::clone(&self.state), Rc::clone(&self.baton));
        Self { state, baton, stopwatch: self.stopwatch.clone() }
    }
}

impl<P: Turns> Hub<P> {
    /// For `size` ranks that share this.
    pub(crate) fn new(state: Shared<P>, size: usize) -> Self {
        Self { state, baton: Rc::new(Baton::new(size)), stopwatch: None }
    }

    /// The same; what the ranks' own code takes is charged as measured, and what it declares is not.
    pub(crate) fn measuring(self) -> Self {
        Self { stopwatch: Some(Rc::default()), ..self }
    }

    /// A rank's own code is about to begin or to go on.
    pub(crate) fn goes_on(&self) {
        self.stopwatch.iter().for_each(|stopwatch| stopwatch.start());
    }

    pub(crate) fn baton(&self) -> &Rc<Baton> {
        &self.baton
    }
}

impl<P: Turns> wb_fabric::Hub for Hub<P> {
    type Pace = P;
    type Held<'h> = Held<'h, P>;

    fn name(&self) -> &'static str {
        P::NAME
    }

    fn hold(&self) -> Held<'_, P> {
        let state = self.state.lock().expect("no rank panics while it holds the hub");
        match &self.stopwatch {
            None => Held { state, stopwatch: None },
            Some(stopwatch) => charged(state, stopwatch),
        }
    }

    fn aside<R>(&self, part: impl FnOnce() -> R) -> R {
        self.baton.aside(part)
    }

    fn wait(&self, rank: Rank) -> Held<'_, P> {
        self.baton.give(rank);
        self.hold()
    }

    fn look(&self, rank: Rank, sight: Sight) {
        if self.hold().pace.looks(rank, sight) {
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
        match self.stopwatch {
            None => self.hold().pace.work(rank, flops, bytes),
            Some(_) => 0,
        }
    }
}

/// What the running rank's own code has taken is charged, if any runs.
fn charged<'h, P: Turns>(mut state: MutexGuard<'h, State<P>>, stopwatch: &'h Stopwatch) -> Held<'h, P> {
    let rank = current::rank();
    if let Some(rank) = rank {
        state.pace.spends(rank, stopwatch.stop());
    }
    Held { state, stopwatch: rank.map(|_| stopwatch) }
}

impl<P> Deref for Held<'_, P> {
    type Target = State<P>;

    fn deref(&self) -> &State<P> {
        &self.state
    }
}

impl<P> DerefMut for Held<'_, P> {
    fn deref_mut(&mut self) -> &mut State<P> {
        &mut self.state
    }
}

impl<P> Drop for Held<'_, P> {
    fn drop(&mut self) {
        self.stopwatch.iter().for_each(|stopwatch| stopwatch.start());
    }
}

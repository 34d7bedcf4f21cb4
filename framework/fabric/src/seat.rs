//! Where the ranks of a job stand, and what lets them go on.
//!
//! Whatever meets a need takes its rank out of its standing while the state is held. Of the operations that a rank stands for,
//! only how many are open is looked at when one is over, however many there are.
use wb_comm::Rank;

use crate::{
    Pace,
    deadlock::{Ids, Need, Standing},
    sent::SentRuns,
    state::State,
};

/// One rank of the job.
#[derive(Debug, Default)]
pub(crate) struct Seat {
    /// Where it stands; `None` while it can go on.
    pub(crate) standing: Option<Standing>,
    /// Of the operations that it stands for: how many are not over.
    open: usize,
    /// The operations that it has stood for and has yet to take.
    stood_for: Ids,
    /// To whom it has sent.
    pub(crate) sent: SentRuns,
    /// It has returned, panicked or could not be started.
    pub(crate) ended: bool,
}

impl Seat {
    /// What it stood for is met, or will not be: the operations are there to be taken.
    fn met(&mut self, standing: Standing) {
        if let Need::Operations(ids) = standing.need {
            self.stood_for = ids;
        }
    }
}

impl<P: Pace> State<P> {
    /// Lets a rank stand, unless its need is met; tells whether it stands. Everybody is told when that means that nobody
    /// can go on.
    pub fn let_stand(&mut self, rank: Rank, standing: Standing) -> bool {
        if self.meets(&standing.need) {
            self.seats[rank].met(standing);
            return false;
        }
        let open = if let Need::Operations(ids) = &standing.need { self.await_all(ids) } else { 0 };
        let seat = &mut self.seats[rank];
        seat.open = open;
        assert!(seat.standing.replace(standing).is_none(), "rank {rank} stands twice");
        self.active -= 1;
        self.check_deadlock();
        self.stands(rank)
    }

    /// Their owner will be told when they are over; gives how many are not.
    fn await_all(&mut self, ids: &Ids) -> usize {
        let mut open = 0;
        for id in ids.iter().flatten() {
            let operation = &mut self.operations[*id];
            operation.awaited = !operation.done();
            open += usize::from(operation.awaited);
        }
        open
    }

    /// The operations that a rank stood for last: over, unless the job cannot go on. It takes them now.
    pub(crate) fn stood_for(&mut self, rank: Rank) -> Ids {
        std::mem::take(&mut self.seats[rank].stood_for)
    }

    /// Does it wait?
    pub fn stands(&self, rank: Rank) -> bool {
        self.seats[rank].standing.is_some()
    }

    /// One of the operations that a rank stands for is over: it goes on after the last one, or the first that fails.
    pub(crate) fn count(&mut self, rank: Rank, failed: bool) {
        let seat = &mut self.seats[rank];
        seat.open -= 1;
        if seat.standing.is_some() && (failed || seat.open == 0) {
            self.release(rank);
        }
    }

    /// Takes a rank out of its standing once its need is met; operations that are over are [counted](Self::complete).
    pub(crate) fn settle(&mut self, rank: Rank) {
        let met = self.seats[rank].standing.as_ref().is_some_and(|standing| match &standing.need {
            Need::Operations(_) => false,
            need => self.meets(need),
        });
        if met {
            self.release(rank);
        }
    }

    pub(crate) fn release(&mut self, rank: Rank) {
        let seat = &mut self.seats[rank];
        let standing = seat.standing.take().expect("it stands");
        seat.met(standing);
        self.active += 1;
        self.pace.wake(rank);
    }
}

//! The plan of a pattern: the steps of each rank in one episode.
//!
//! A [pattern](crate::barriers::pattern) depends on rank and size only, so one plan describes every episode. The proof, the
//! message counts, the picture and the code of every substrate are made from the plan.
use wb_comm::{Error, Rank, Result, text};

/// The number that distinguishes the signals between two ranks in one episode, e.g. the round.
pub type Slot = u32;

/// One step of one rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PlanStep {
    /// Signal `to` on `slot`.
    Signal {
        /// The peer.
        to: Rank,
        /// The number of the signal between the two.
        slot: Slot,
        /// See [`PlanBuilder::signal_synchronously`].
        synchronous: bool,
    },
    /// Wait for a signal of `from` on `slot`.
    Wait {
        /// The peer.
        from: Rank,
        /// The number of the signal between the two.
        slot: Slot,
    },
}

/// The steps of one rank in one episode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The rank.
    pub rank: Rank,
    /// The number of ranks.
    pub size: usize,
    /// The steps, in the order in which the rank takes them.
    pub steps: Vec<PlanStep>,
}

impl Plan {
    /// Whether it has more steps than any barrier needs. An all-to-all exchange has 2 (P - 1).
    pub fn is_endless(&self) -> bool {
        self.steps.len() > 1000 + 16 * self.size
    }
}

/// Adds steps to the plan of one rank, in the numbering of the whole group or of a [subgroup](Self::subgroup).
pub struct PlanBuilder<'p> {
    plan: &'p mut Plan,
    /// The rank in the numbering of `members`.
    rank: Rank,
    /// The ranks of a subgroup; `None` for the whole group.
    members: Option<Vec<Rank>>,
}

impl<'p> PlanBuilder<'p> {
    pub(crate) fn new(plan: &'p mut Plan) -> Self {
        Self { rank: plan.rank, plan, members: None }
    }

    /// This rank.
    pub fn rank(&self) -> Rank {
        self.rank
    }

    /// The number of ranks.
    pub fn size(&self) -> usize {
        self.members.as_ref().map_or(self.plan.size, Vec::len)
    }

    /// Signals `to` on `slot`, without waiting for it.
    ///
    /// # Errors
    /// [`Error::Setup`] for an endless plan; the same for the other steps.
    pub fn signal(&mut self, to: Rank, slot: Slot) -> Result<()> {
        self.push(PlanStep::Signal { to: self.group_rank(to), slot, synchronous: false })
    }

    /// As [`signal`](Self::signal), but where signals are messages the send completes only when the receive has started
    /// (`MPI_Ssend`), so no rank leaves with an undelivered message. On other substrates there is no difference.
    ///
    /// # Errors
    /// See [`signal`](Self::signal).
    pub fn signal_synchronously(&mut self, to: Rank, slot: Slot) -> Result<()> {
        self.push(PlanStep::Signal { to: self.group_rank(to), slot, synchronous: true })
    }

    /// Waits for one signal of `from` on `slot`; signals of one slot are counted.
    ///
    /// # Errors
    /// See [`signal`](Self::signal).
    pub fn wait_signal(&mut self, from: Rank, slot: Slot) -> Result<()> {
        self.push(PlanStep::Wait { from: self.group_rank(from), slot })
    }

    /// Adds steps among `members` only, which have the numbers 0, 1, ... in the order of the list; `None` for a rank that
    /// is not on the list.
    ///
    /// Slots are those of the whole group: two patterns of one episode must not connect the same two ranks in the same
    /// direction on the same slot. Patterns within the nodes and between the nodes never do.
    pub fn subgroup(&mut self, members: &[Rank]) -> Option<PlanBuilder<'_>> {
        let rank = members.iter().position(|&member| member == self.rank)?;
        let members = members.iter().map(|&member| self.group_rank(member)).collect();
        Some(PlanBuilder { plan: self.plan, rank, members: Some(members) })
    }

    /// The number of `rank` in the whole group.
    fn group_rank(&self, rank: Rank) -> Rank {
        self.members.as_ref().map_or(rank, |members| members[rank])
    }

    fn push(&mut self, step: PlanStep) -> Result<()> {
        self.plan.steps.push(step);
        if self.plan.is_endless() {
            return Err(Error::Setup(text::barrier::endless()));
        }
        Ok(())
    }
}

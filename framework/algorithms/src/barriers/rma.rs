//! Barriers from the synchronisation of windows alone: they access no element of the window, which may be empty.
//!
//! Which of MPI's RMA synchronisations are barriers (MPI 3.1, 11.5):
//!
//! | scheme | barrier? |
//! |---|---|
//! | fence without assertions | yes, and all accesses of the window are complete |
//! | post, start, complete, wait in the rounds of a plan | yes, if the plan is a barrier: [`EpochBarrier`] |
//! | fence with NOPRECEDE | not reliably: such a fence may return before others arrive |
//! | lock, unlock | never: exclusion has no order |
//! | `lock_all`, `fetch_and_op` on a counter | yes: the program `window_counter` on a window |
use std::ops::Deref;

use wb_comm::{Assertion, Barrier, CallSite, ErasedWindow, Rank, Result};

use crate::barriers::{
    Pattern, Plan, PlanStep,
    adapters::group_into_rounds,
    catalogue::pattern::{all_to_all::AllToAll, dissemination::Dissemination},
};

/// The number of windows that the barrier of that name needs for `size` ranks.
pub fn window_count(name: &str, size: usize) -> usize {
    match name {
        "rma_pscw_dissemination" => {
            let plan = Dissemination.plan(0, size).expect("defined for every size");
            group_into_rounds(&plan.steps).len().max(1)
        }
        _ => 1,
    }
}

/// The barrier of that name on windows that nothing else uses, called at `site`; `None` for names that are not natives of
/// this family. There are [`window_count`] windows of the same ranks; they may be borrowed, boxed or counted.
///
/// # Errors
/// Where the algorithm is not defined for the windows' group.
///
/// # Panics
/// When there are fewer windows.
pub fn by_name<'w, W>(name: &str, windows: Vec<W>, site: CallSite) -> Option<Result<Box<dyn Barrier + 'w>>>
where
    W: Deref<Target: ErasedWindow> + 'w,
{
    match name {
        "rma_fence" => {
            let window = windows.into_iter().next().expect("a fence needs a window");
            Some(Ok(Box::new(FenceBarrier::new(window, site))))
        }
        "rma_pscw_all_to_all" => Some(epochs(&AllToAll, windows, site)),
        "rma_pscw_dissemination" => Some(epochs(&Dissemination, windows, site)),
        _ => None,
    }
}

fn epochs<'w, W>(pattern: &impl Pattern, windows: Vec<W>, site: CallSite) -> Result<Box<dyn Barrier + 'w>>
where
    W: Deref<Target: ErasedWindow> + 'w,
{
    let window = windows.first().expect("epochs need a window");
    let plan = pattern.plan(window.rank(), window.size())?;
    Ok(Box::new(EpochBarrier::new(&plan, windows, site)))
}

/// A fence is a barrier by itself, unless an assertion says that no access preceded it.
pub struct FenceBarrier<W> {
    window: W,
    site: CallSite,
}

impl<W> FenceBarrier<W> {
    /// The barrier on a window, for episodes called at `site`.
    pub fn new(window: W, site: CallSite) -> Self {
        Self { window, site }
    }
}

impl<W: Deref<Target: ErasedWindow>> Barrier for FenceBarrier<W> {
    fn wait(&mut self) -> Result<()> {
        if self.window.size() == 1 {
            return Ok(());
        }
        self.window.fence(Assertion::default(), self.site)
    }
}

/// A pattern as epochs: in each round a rank exposes its window to the ranks for which it waits and opens an access
/// epoch to those that it signals, without an access.
///
/// `complete` signals, `wait` waits for the signal. **Post precedes start**: start may block until the matching post,
/// so ranks that all start first wait for each other for ever. Only complete and wait make it a barrier; a start that
/// never blocks is sufficient.
///
/// Each round has a window of its own, on which the partners of a rank never change. MPICH 4.0.2 counts posts and completes
/// without their ranks, so on one window it takes the post of a later round's partner for that of this round's.
pub struct EpochBarrier<W> {
    site: CallSite,
    rounds: Vec<(W, Round)>,
}

/// The groups of one rank in one round, in ascending order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Round {
    targets: Vec<Rank>,
    sources: Vec<Rank>,
}

impl<W: Deref<Target: ErasedWindow>> EpochBarrier<W> {
    /// The barrier on one window for each round of the plan, for episodes called at `site`.
    ///
    /// # Panics
    /// When the plan is not this rank's, or has more rounds than there are windows.
    pub fn new(plan: &Plan, windows: Vec<W>, site: CallSite) -> Self {
        for window in &windows {
            assert_eq!((plan.rank, plan.size), (window.rank(), window.size()), "another rank's plan");
        }
        let ranges = group_into_rounds(&plan.steps);
        assert!(ranges.len() <= windows.len(), "{} windows for {} rounds", windows.len(), ranges.len());
        let rounds = ranges.into_iter().map(|range| Round::from_steps(&plan.steps[range]));
        Self { site, rounds: windows.into_iter().zip(rounds).collect() }
    }
}

impl Round {
    fn from_steps(steps: &[PlanStep]) -> Self {
        let mut round = Self::default();
        for step in steps {
            match *step {
                PlanStep::Signal { to, .. } => round.targets.push(to),
                PlanStep::Wait { from, .. } => round.sources.push(from),
            }
        }
        round.targets.sort_unstable();
        round.sources.sort_unstable();
        round
    }
}

impl<W: Deref<Target: ErasedWindow>> Barrier for EpochBarrier<W> {
    fn wait(&mut self) -> Result<()> {
        let (none, site) = (Assertion::default(), self.site);
        for (window, Round { targets, sources }) in &self.rounds {
            if !sources.is_empty() {
                window.post(sources, none, site)?;
            }
            if !targets.is_empty() {
                window.start(targets, none, site)?;
                window.complete(site)?;
            }
            if !sources.is_empty() {
                window.wait(site)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rounds_of(pattern: &impl Pattern, rank: Rank, size: usize) -> Vec<(Vec<Rank>, Vec<Rank>)> {
        let plan = pattern.plan(rank, size).expect("defined for every size");
        group_into_rounds(&plan.steps)
            .into_iter()
            .map(|r| Round::from_steps(&plan.steps[r]))
            .map(|r| (r.targets, r.sources))
            .collect()
    }

    #[test]
    fn rounds_are_the_groups_of_epochs() {
        assert_eq!(rounds_of(&AllToAll, 1, 3), [(vec![0, 2], vec![0, 2])]);
        assert_eq!(rounds_of(&Dissemination, 0, 4), [(vec![1], vec![3]), (vec![2], vec![2])]);
        assert_eq!(rounds_of(&Dissemination, 0, 1), []);
    }

    #[test]
    fn every_round_of_every_rank_has_a_window() {
        for size in 1..=70 {
            for rank in 0..size {
                let rounds = rounds_of(&Dissemination, rank, size).len().max(1);
                assert_eq!(window_count("rma_pscw_dissemination", size), rounds, "P = {size}, rank {rank}");
                assert!(rounds_of(&AllToAll, rank, size).len() <= window_count("rma_pscw_all_to_all", size));
            }
        }
    }

    /// For each complete of a rank in a round, its partner waits in the same round: the groups match pairwise.
    #[test]
    fn starts_and_posts_match_in_every_round() {
        for size in 1..=70 {
            let all: Vec<_> = (0..size).map(|rank| rounds_of(&Dissemination, rank, size)).collect();
            for (rank, rounds) in all.iter().enumerate() {
                for (number, (targets, _)) in rounds.iter().enumerate() {
                    assert!(
                        targets.iter().all(|to| all[*to][number].1.contains(&rank)),
                        "P = {size}, rank {rank}"
                    );
                }
            }
        }
    }
}

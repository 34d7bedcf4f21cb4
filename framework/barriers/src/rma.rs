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

use crate::{
    Pattern, Plan, PlanStep,
    adapters::group_into_rounds,
    catalogue::pattern::{all_to_all::AllToAll, dissemination::Dissemination},
};

/// The barrier of that name on a window that no other rank uses, called at `site`; `None` for names that are not
/// natives of this family. The window may be borrowed, boxed or counted.
///
/// # Errors
/// Where the algorithm is not defined for the window's group.
pub fn by_name<'w, W>(name: &str, window: W, site: CallSite) -> Option<Result<Box<dyn Barrier + 'w>>>
where
    W: Deref<Target: ErasedWindow> + 'w,
{
    match name {
        "rma_fence" => Some(Ok(Box::new(FenceBarrier::new(window, site)))),
        "rma_pscw_all_to_all" => Some(epochs(&AllToAll, window, site)),
        "rma_pscw_dissemination" => Some(epochs(&Dissemination, window, site)),
        _ => None,
    }
}

fn epochs<'w, W>(pattern: &impl Pattern, window: W, site: CallSite) -> Result<Box<dyn Barrier + 'w>>
where
    W: Deref<Target: ErasedWindow> + 'w,
{
    let plan = pattern.plan(window.rank(), window.size())?;
    Ok(Box::new(EpochBarrier::new(&plan, window, site)))
}

/// A fence is a barrier by itself, unless an assertion says that no access preceded it.
pub struct FenceBarrier<W> {
    window: W,
    site: CallSite,
}

impl<W> FenceBarrier<W> {
    /// On a window, for episodes called at `site`.
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

/// Any pattern as epochs: in each round a rank exposes its window to the ranks for which it waits and opens an access
/// epoch to those that it signals, without an access.
///
/// `complete` signals, `wait` waits for the signal. **Post precedes start**: start may block until the matching post,
/// so ranks that all start first wait for each other for ever. Only complete and wait make it a barrier; a start that
/// never blocks is sufficient.
pub struct EpochBarrier<W> {
    window: W,
    site: CallSite,
    rounds: Vec<Round>,
}

/// The groups of one rank in one round, in ascending order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Round {
    targets: Vec<Rank>,
    sources: Vec<Rank>,
}

impl<W: Deref<Target: ErasedWindow>> EpochBarrier<W> {
    /// On a window, for episodes called at `site`.
    ///
    /// # Panics
    /// When the plan is not this rank's.
    pub fn new(plan: &Plan, window: W, site: CallSite) -> Self {
        assert_eq!((plan.rank, plan.size), (window.rank(), window.size()), "another rank's plan");
        let rounds = group_into_rounds(&plan.steps)
            .into_iter()
            .map(|range| Round::from_steps(&plan.steps[range]))
            .collect();
        Self { window, site, rounds }
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
        for Round { targets, sources } in &self.rounds {
            if !sources.is_empty() {
                self.window.post(sources, none, site)?;
            }
            if !targets.is_empty() {
                self.window.start(targets, none, site)?;
                self.window.complete(site)?;
            }
            if !sources.is_empty() {
                self.window.wait(site)?;
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

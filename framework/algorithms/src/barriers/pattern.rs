//! Barriers made of signals: a pattern builds the [plan](crate::barriers::plan) of each rank.
//!
//! A pattern names no substrate, and its steps depend on rank and size only. The [proof](crate::barriers::proof), the message
//! counts, the [picture](crate::barriers::picture) and the code for [messages](crate::barriers::adapters) and for
//! [memory](crate::barriers::compiled_plan) are made from the plan.
use wb_comm::{Rank, Result};

use crate::barriers::{Plan, PlanBuilder};

/// The signals of one episode of a barrier.
///
/// ```
/// use wb_algorithms::barriers::{Pattern, PlanBuilder};
/// use wb_comm::Result;
///
/// /// Every rank signals rank 0, then rank 0 signals every rank.
/// struct Central;
///
/// impl Pattern for Central {
///     fn build(&self, plan: &mut PlanBuilder<'_>) -> Result<()> {
///         match plan.rank() {
///             0 => {
///                 (1..plan.size()).try_for_each(|peer| plan.wait_signal(peer, 0))?;
///                 (1..plan.size()).try_for_each(|peer| plan.signal(peer, 0))
///             }
///             _ => plan.signal(0, 0).and_then(|()| plan.wait_signal(0, 0)),
///         }
///     }
/// }
///
/// assert_eq!(Central.plan(0, 3)?.steps.len(), 4);
/// # Ok::<(), wb_comm::Error>(())
/// ```
pub trait Pattern: Send + Sync {
    /// Adds the steps of one rank in one episode.
    ///
    /// # Errors
    /// [`Error::Setup`](wb_comm::Error::Setup) where the algorithm is not defined for the size; for an endless plan.
    fn build(&self, plan: &mut PlanBuilder<'_>) -> Result<()>;

    /// The plan of `rank` in a group of `size`.
    ///
    /// The plan of an endless pattern has as many steps as [`is_endless`](Plan::is_endless) needs to detect it.
    ///
    /// # Errors
    /// Where the pattern is not defined for the size.
    fn plan(&self, rank: Rank, size: usize) -> Result<Plan> {
        let mut plan = Plan { rank, size, steps: vec![] };
        match self.build(&mut PlanBuilder::new(&mut plan)) {
            Err(why) if !plan.is_endless() => Err(why),
            _ => Ok(plan),
        }
    }
}

/// A pattern of two halves: a gather to rank 0, then a release from rank 0.
///
/// Two of them can be [combined by levels](crate::barriers::group::TwoLevels): other steps are taken between the halves.
pub trait GatherRelease: Send + Sync {
    /// Adds the steps after which rank 0 knows that every rank has entered.
    ///
    /// # Errors
    /// See [`Pattern::build`].
    fn gather(&self, plan: &mut PlanBuilder<'_>) -> Result<()>;

    /// Adds the steps by which rank 0 releases every rank.
    ///
    /// # Errors
    /// See [`Pattern::build`].
    fn release(&self, plan: &mut PlanBuilder<'_>) -> Result<()>;
}

impl<G: GatherRelease> Pattern for G {
    fn build(&self, plan: &mut PlanBuilder<'_>) -> Result<()> {
        self.gather(plan)?;
        self.release(plan)
    }
}

//! The tools with which a rank measures: the task's communicator, the harness's own communicator, and a common start.
//!
//! All operations here are executed between timed regions. The harness has a separate communicator, so that its
//! messages cannot match those of the task.
use std::{rc::Rc, sync::Arc};

use wb_comm::{CallSite, MessageTag, Op, Rank, Result, Source, Transport, Verb, View, ViewMut};
use wb_worker::clock;
use wb_world::World;

use super::{pass_watchdog::PassWatchdog, usage::CpuScope};

/// The time between the last arrival and the common start, in addition to two barriers.
const MARGIN_NS: u64 = 2_000;

/// The longest time that a rank spins for a common start.
const MAX_SPIN_NS: u64 = 1_000_000;

/// The number of barriers that are timed to determine their cost.
const BARRIER_SAMPLES: usize = 40;

/// One rank's tools.
pub(crate) struct RankBench {
    /// The world of the task.
    pub(crate) world: World,
    control: World,
    spins: bool,
    /// The median cost of one barrier, the same number on all ranks.
    pub(crate) barrier_ns: u64,
    /// The resolution of the worst clock.
    pub(crate) resolution_ns: u64,
    /// The scope of a rank's processor time.
    pub(crate) cpu_scope: CpuScope,
    /// The watchdog that interrupts a pass that takes too long.
    pub(crate) pass_watchdog: Arc<PassWatchdog>,
    /// This rank's slot of the watchdog.
    pub(crate) slot: usize,
}

/// A rank that is ready to start at the common time.
#[must_use]
pub(crate) struct CommonStart(Option<u64>);

impl CommonStart {
    /// Waits for the common start by spinning.
    pub(crate) fn wait(self) {
        if let Some(start) = self.0 {
            clock::spin_until(start);
        }
    }
}

/// A timed region over all ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    /// From the first start to the last end.
    pub(crate) elapsed_ns: u64,
    /// From the first start to the last start.
    pub(crate) entry_skew_ns: u64,
    /// The last end, on the common clock.
    pub(crate) end: u64,
}

impl Span {
    /// The span of all ranks' `(start, end)`.
    pub(crate) fn from_stamps(stamps: impl Iterator<Item = (u64, u64)> + Clone) -> Self {
        let first = stamps.clone().map(|(start, _)| start).min().expect("at least one rank");
        let late = stamps.clone().map(|(start, _)| start).max().expect("at least one rank");
        let end = stamps.map(|(_, end)| end).max().expect("at least one rank");
        Self { elapsed_ns: end - first, entry_skew_ns: late - first, end }
    }
}

impl RankBench {
    /// Collective: creates the tools on `transport`; `spins` when every rank has a core of its own.
    pub(crate) fn new(
        transport: Rc<dyn Transport>,
        spins: bool,
        whose: CpuScope,
        watch: Arc<PassWatchdog>,
    ) -> Result<Self> {
        let control = World::new(transport.dup(CallSite::caller(Verb::Agreement))?);
        let world = World::new(transport);
        // A process has one rank, in slot 0; the threads of a process are its ranks.
        let slot = if whose == CpuScope::Process { 0 } else { world.rank() };
        watch.register_thread(slot);
        let mut bench = Self {
            world,
            control,
            spins,
            barrier_ns: 0,
            resolution_ns: 0,
            cpu_scope: whose,
            pass_watchdog: watch,
            slot,
        };
        bench.resolution_ns = bench.max_barrier(clock::resolution())?;
        bench.barrier_ns = bench.barrier_cost()?;
        Ok(bench)
    }

    /// The number of this rank.
    pub(crate) fn rank(&self) -> Rank {
        self.world.rank()
    }

    /// The number of ranks.
    pub(crate) fn size(&self) -> usize {
        self.world.size()
    }

    /// A dissemination barrier that computes the maximum: in step k a rank sends its current maximum to the rank 2^k
    /// above, and receives from the rank 2^k below. A maximum may be received twice, so it is right at every number of
    /// ranks.
    pub(crate) fn max_barrier(&self, mine: u64) -> Result<u64> {
        let (rank, size) = (self.rank(), self.size());
        let site = CallSite::caller(Verb::Agreement);
        let label = MessageTag::internal(0);
        let mut known = mine;
        let mut step = 1;
        while step < size {
            let (said, mut heard) = ([known], [0]);
            let mut ops = [
                Op::Recv {
                    from: Source::Rank((rank + size - step) % size),
                    tag: label.into(),
                    data: ViewMut::from_slice(&mut heard),
                    status: None,
                },
                Op::Send {
                    to: (rank + step) % size,
                    tag: label,
                    data: View::from_slice(&said),
                    synchronous: false,
                },
            ];
            self.control.transport().post_and_wait(&mut ops, site)?;
            known = known.max(heard[0]);
            step *= 2;
        }
        Ok(known)
    }

    /// Collective: two barriers, the second of which determines a common start.
    pub(crate) fn common_start(&self) -> Result<CommonStart> {
        self.max_barrier(0)?;
        let arrived = self.max_barrier(clock::now())?;
        let margin = (2 * self.barrier_ns + MARGIN_NS).min(MAX_SPIN_NS);
        Ok(CommonStart(self.spins.then_some(arrived + margin)))
    }

    /// Collective: gathers every rank's block on every rank.
    pub(crate) fn allgather(&self, mine: &[u64]) -> Result<Vec<u64>> {
        let mut all = vec![0; mine.len() * self.size()];
        self.control.allgather(mine, &mut all)?;
        Ok(all)
    }

    /// Collective: the span of every rank's stamps.
    pub(crate) fn span(&self, start: u64, end: u64) -> Result<Span> {
        let all = self.allgather(&[start, end])?;
        Ok(Span::from_stamps(all.as_chunks::<2>().0.iter().map(|&[start, end]| (start, end))))
    }

    fn barrier_cost(&self) -> Result<u64> {
        let mut costs = Vec::with_capacity(BARRIER_SAMPLES);
        for _ in 0..BARRIER_SAMPLES {
            let start = clock::now();
            self.max_barrier(0)?;
            costs.push(clock::now() - start);
        }
        costs.sort_unstable();
        self.max_barrier(costs[BARRIER_SAMPLES / 2])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_reaches_from_the_first_start_to_the_last_end() {
        let span = Span::from_stamps([(100, 250), (130, 220)].into_iter());
        assert_eq!(span, Span { elapsed_ns: 150, entry_skew_ns: 30, end: 250 });
    }
}

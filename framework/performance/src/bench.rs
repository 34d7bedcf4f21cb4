//! The tools with which a rank measures: the task's communicator, the harness's own communicator, and a common start.
//!
//! All operations here are executed between timed regions. The harness has a separate communicator, so that its
//! messages cannot match those of the task.
use std::{rc::Rc, sync::Arc};

use wb_comm::{CallSite, MessageTag, Op, Rank, Result, SendMode, Source, Transport, Verb, View, ViewMut};
use wb_record::{ClockInfo, RankTrace};
use wb_runner::{JobClock, RankWatchdog, clock, job_clock};
use wb_world::{FrameworkCalls as _, World};

use super::{sample::RegionStamps, usage::CpuScope};

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
    barrier_ns: u64,
    /// The resolution of the worst clock.
    resolution_ns: u64,
    /// The clocks of the ranks.
    pub(crate) clock: JobClock,
    /// The scope of a rank's processor time.
    pub(crate) cpu_scope: CpuScope,
    /// The watchdog that interrupts a pass that takes too long.
    pub(crate) watchdog: Arc<RankWatchdog<String>>,
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

impl RankBench {
    /// Collective: creates the tools on `transport`; `spins` when every rank has a core of its own.
    pub(crate) fn new(
        transport: Rc<dyn Transport>,
        spins: bool,
        cpu_scope: CpuScope,
        watch: Arc<RankWatchdog<String>>,
    ) -> Result<Self> {
        Self::with_clock_key(transport, spins, cpu_scope, watch, job_clock::clock_key())
    }

    /// As [`new`](Self::new), on a rank whose clock is that of the ranks with the same key.
    fn with_clock_key(
        transport: Rc<dyn Transport>,
        spins: bool,
        cpu_scope: CpuScope,
        watch: Arc<RankWatchdog<String>>,
        clock_key: u64,
    ) -> Result<Self> {
        let control = World::new(transport.dup(CallSite::caller(Verb::Agreement))?);
        let world = World::new(transport);
        // A process has one rank, in slot 0; the threads of a process are its ranks.
        let slot = if cpu_scope == CpuScope::Process { 0 } else { world.rank() };
        let mut bench = Self {
            world,
            control,
            spins,
            barrier_ns: 0,
            resolution_ns: 0,
            clock: JobClock::SHARED,
            cpu_scope,
            watchdog: watch,
            slot,
        };
        bench.resolution_ns = bench.max_barrier(clock::resolution())?;
        let shares_clock;
        (bench.barrier_ns, shares_clock) = bench.barrier_cost(clock_key)?;
        if !shares_clock {
            let keys = bench.allgather(&[clock_key])?;
            bench.clock = JobClock::from_keys(&keys, bench.resolution_ns);
            bench.compare_clocks()?;
        }
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
        let tag = MessageTag::internal(0);
        let mut known = mine;
        let mut step = 1;
        while step < size {
            let (sent, mut received) = ([known], [0]);
            let mut ops = [
                Op::Recv {
                    from: Source::Rank((rank + size - step) % size),
                    tag: tag.into(),
                    data: ViewMut::from_slice(&mut received),
                    status: None,
                },
                Op::Send {
                    to: (rank + step) % size,
                    tag,
                    data: View::from_slice(&sent),
                    mode: SendMode::Standard,
                },
            ];
            self.control.transport().post_and_wait(&mut ops, site)?;
            known = known.max(received[0]);
            step *= 2;
        }
        Ok(known)
    }

    /// Collective: two barriers, the second of which determines a common start.
    pub(crate) fn common_start(&self) -> Result<CommonStart> {
        self.max_barrier(0)?;
        let arrived = self.max_barrier(self.reference_now())?;
        if !self.spins {
            return Ok(CommonStart(None));
        }
        let margin = (2 * self.barrier_ns + MARGIN_NS).min(MAX_SPIN_NS);
        if self.clock.is_shared() {
            return Ok(CommonStart(Some(arrived + margin)));
        }
        let start = self.clock.local_ns(self.rank(), arrived + margin + self.clock.uncertainty_ns());
        // A clock that has stepped must not make a rank wait for the size of the step.
        Ok(CommonStart(Some(start.min(clock::now() + 2 * MAX_SPIN_NS))))
    }

    /// Now, on the reference clock of the job.
    pub(crate) fn reference_now(&self) -> u64 {
        self.clock.reference_ns(self.rank(), clock::now())
    }

    /// Collective: compares the clocks of the ranks, if they read several.
    pub(crate) fn compare_clocks(&self) -> Result<()> {
        self.clock.compare(&self.control)
    }

    /// Collective: the same where the last comparison is too long ago at `now_ns`, a time of the reference that all
    /// ranks know.
    pub(crate) fn compare_clocks_if_due(&self, now_ns: u64) -> Result<()> {
        self.clock.compare_if_due(&self.control, now_ns)
    }

    /// The clocks and the barrier, as recorded.
    pub(crate) fn clock_info(&self) -> ClockInfo {
        let barrier_ns = (self.size() > 1).then_some(self.barrier_ns as f64);
        ClockInfo {
            uncertainty_ns: (!self.clock.is_shared()).then(|| self.clock.uncertainty_ns() as f64),
            compared: self.clock.compared(),
            ..ClockInfo::shared(clock::NAME, self.resolution_ns as f64, barrier_ns)
        }
    }

    /// The trace of this rank with times of the reference clock.
    pub(crate) fn correct_trace(&self, mut trace: RankTrace) -> RankTrace {
        if !self.clock.is_shared() {
            trace.map_times(|stamp_ns| self.clock.reference_ns(self.rank(), stamp_ns));
        }
        trace
    }

    /// Collective: gathers every rank's block on every rank.
    pub(crate) fn allgather(&self, mine: &[u64]) -> Result<Vec<u64>> {
        let mut all = vec![0; mine.len() * self.size()];
        self.control.allgather(mine, &mut all)?;
        Ok(all)
    }

    /// Collective: every rank's stamps of a region.
    pub(crate) fn stamps(&self, start: u64, end: u64) -> Result<RegionStamps> {
        let all = self.allgather(&[start, end])?;
        Ok(all.as_chunks::<2>().0.iter().map(|&[start, end]| (start, end)).collect())
    }

    /// The cost of a barrier, and whether all ranks read one clock. The first two barriers carry the key of the clock and
    /// its complement: the maximum of the keys is also their minimum exactly when all are equal. So no message is sent
    /// for that question.
    fn barrier_cost(&self, clock_key: u64) -> Result<(u64, bool)> {
        let mut costs = Vec::with_capacity(BARRIER_SAMPLES);
        let mut maxima = [0; BARRIER_SAMPLES];
        let values = [clock_key, !clock_key].into_iter().chain(std::iter::repeat(0));
        for (maximum, value) in maxima.iter_mut().zip(values) {
            let start = clock::now();
            *maximum = self.max_barrier(value)?;
            costs.push(clock::now() - start);
        }
        costs.sort_unstable();
        Ok((self.max_barrier(costs[BARRIER_SAMPLES / 2])?, maxima[0] == !maxima[1]))
    }
}

#[cfg(test)]
mod tests;

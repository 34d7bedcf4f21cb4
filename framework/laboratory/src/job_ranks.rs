//! The ranks of a job: which of them share the cores of a kernel, and the clocks that they read.
//!
//! Ranks of several hosts read several clocks. They are compared before the first visit, about once a second between rounds, and
//! after the last visit, as in the benchmarks of tasks; stamps are corrected when all comparisons are made.
use wb_comm::{Operation, Result, Transport};
use wb_record::ComparedClock;
use wb_runner::{JobClock, clock, job_clock};
use wb_world::World;

use crate::{bench::site, job_spec::Visit};

pub(crate) struct JobRanks {
    world: World,
    clock: JobClock,
    /// The kernel of each rank.
    kernels: Vec<u64>,
}

impl JobRanks {
    /// Collective: finds out who shares what, and compares the clocks.
    pub(crate) fn new(transport: &dyn Transport) -> Result<Self> {
        let world = World::new(transport.dup(site())?);
        let mine = [job_clock::kernel_key(), job_clock::clock_key(), clock::resolution()];
        let mut all = vec![0; mine.len() * world.size()];
        world.allgather(&mine, &mut all)?;
        let column = |number: usize| all.iter().skip(number).step_by(mine.len()).copied();
        let (keys, worst_ns): (Vec<u64>, _) = (column(1).collect(), column(2).max().unwrap_or(0));
        let clock = JobClock::from_keys(&keys, worst_ns);
        let ranks = Self { kernels: column(0).collect(), clock, world };
        ranks.clock.compare(&ranks.world)?;
        Ok(ranks)
    }

    /// The number of this rank among those of its kernel, and how many these are.
    pub(crate) fn on_this_kernel(&self) -> (usize, usize) {
        let rank = self.world.rank();
        let shares = |other: &&u64| **other == self.kernels[rank];
        (self.kernels[..rank].iter().filter(shares).count(), self.kernels.iter().filter(shares).count())
    }

    /// Collective, between two rounds: compares the clocks if the last comparison is too long ago.
    pub(crate) fn compare_clocks_if_due(&self) -> Result<()> {
        if self.clock.is_shared() {
            return Ok(());
        }
        let now = self.clock.reference_ns(self.world.rank(), clock::now());
        let mut latest = [0];
        self.world.allreduce(&[now], &mut latest, Operation::Max)?;
        self.clock.compare_if_due(&self.world, latest[0])
    }

    /// Collective: compares the clocks after the last visit.
    pub(crate) fn compare_clocks(&self) -> Result<()> {
        self.clock.compare(&self.world)
    }

    /// Replaces the stamps of a visit by those of the reference clock. A duration stays that of the rank's own clock.
    pub(crate) fn correct(&self, visit: &mut Visit) {
        let correct = |stamp_ns: u64| self.clock.reference_ns(self.world.rank(), stamp_ns);
        visit.start_ns = correct(visit.start_ns);
        visit.stamps.iter_mut().for_each(|(entry, exit)| (*entry, *exit) = (correct(*entry), correct(*exit)));
    }

    /// What the comparisons found about each clock; nothing where all ranks read one.
    pub(crate) fn compared(&self) -> Vec<ComparedClock> {
        self.clock.compared()
    }

    /// The bound of the error of the difference of two corrected stamps; 0 where all ranks read one clock.
    pub(crate) fn uncertainty_ns(&self) -> u64 {
        self.clock.uncertainty_ns()
    }
}

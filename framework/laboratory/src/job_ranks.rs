//! The ranks of a job: their cores, the clocks that they read, and the form that each visits.
//!
//! Ranks of several hosts read several clocks. They are compared before the first visit, about once a second between rounds, and
//! after the last visit, as in the benchmarks of tasks; stamps are corrected when all comparisons are made.
use std::{
    fs::{self, File},
    io,
    os::unix::fs::FileExt,
    path::{Path, PathBuf},
    sync::Arc,
};

#[cfg(target_os = "linux")]
use rustix::thread::{CpuSet, sched_setaffinity};
use wb_comm::{Operation, Result, Text, Transport};
use wb_runner::{JobClock, RankWatchdog, clock, job_clock};
use wb_world::World;

use crate::{bench::site, job::Visit};

pub(crate) struct JobRanks {
    world: World,
    /// The clocks that they read.
    pub(crate) clock: JobClock,
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
}

/// The processors of rank `rank` of the `ranks` that share `cpus`: one processor if each rank can have its own, otherwise all.
fn cpus_of_rank(rank: usize, ranks: usize, cpus: &[usize]) -> &[usize] {
    if ranks <= cpus.len() { &cpus[rank..=rank] } else { cpus }
}

/// Binds this thread, regardless of the binding by a launcher.
#[cfg(target_os = "linux")]
pub(crate) fn bind(cpus: &[usize]) -> io::Result<()> {
    let mut mask = CpuSet::new();
    cpus.iter().for_each(|&cpu| mask.set(cpu));
    Ok(sched_setaffinity(None, &mask)?)
}

/// Binds nothing: this system chooses the processor of a thread.
#[cfg(not(target_os = "linux"))]
pub(crate) fn bind(_cpus: &[usize]) -> io::Result<()> {
    Ok(())
}

/// Binds this thread as the rank of this number among the `count` that share the cores of its kernel: among `cpus`, or among those of
/// its host if there are none. Returns the number of these cores.
pub(crate) fn bind_rank(number: usize, count: usize, cpus: &[usize]) -> io::Result<usize> {
    let of_host = if cpus.is_empty() { wb_process::node_cpus() } else { vec![] };
    let cpus = if cpus.is_empty() { &of_host } else { cpus };
    bind(cpus_of_rank(number, count, cpus))?;
    Ok(cpus.len())
}

/// The error of the system as one of the job.
pub(crate) fn setup_error(error: io::Error) -> wb_comm::Error {
    wb_comm::Error::Setup(Text::verbatim(error.to_string()))
}

/// The form that a rank visits: for the watchdog, and in a file that can be read after the rank has died.
pub(crate) struct CurrentForm {
    watchdog: Arc<RankWatchdog<usize>>,
    slot: usize,
    file: File,
}

impl CurrentForm {
    /// That of rank `rank`, which has this slot of `watchdog`.
    pub(crate) fn new(
        folder: &Path,
        rank: usize,
        (watchdog, slot): (Arc<RankWatchdog<usize>>, usize),
    ) -> io::Result<Self> {
        watchdog.arm(slot);
        Ok(Self { watchdog, slot, file: File::create(current_form_file(folder, rank))? })
    }

    /// Records that the rank enters the form of that number.
    pub(crate) fn enter(&self, form: usize) -> Result<()> {
        self.watchdog.enter(self.slot, form);
        self.watchdog.arm(self.slot);
        self.file.write_all_at(&(form as u64).to_le_bytes(), 0).map_err(setup_error)
    }
}

/// The last form of a rank, from the file that it writes.
pub(crate) fn last_form(folder: &Path, rank: usize) -> Option<usize> {
    let bytes = fs::read(current_form_file(folder, rank)).ok()?;
    Some(u64::from_le_bytes(bytes.try_into().ok()?) as usize)
}

/// The file of a rank's current form.
fn current_form_file(folder: &Path, rank: usize) -> PathBuf {
    folder.join(format!("standing-{rank}"))
}

#[cfg(test)]
mod tests {
    use std::{sync::mpsc, time::Duration};

    use super::*;

    #[test]
    fn every_rank_has_its_own_core_or_all_share_all() {
        assert_eq!(cpus_of_rank(1, 2, &[3, 5]), [5]);
        assert_eq!(cpus_of_rank(1, 3, &[3, 5]), [3, 5]);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_bound_thread_is_where_it_was_put_until_it_is_put_elsewhere() {
        let bound = std::thread::spawn(|| {
            let cpus = wb_process::node_cpus();
            bind(&cpus[..1]).expect("bound");
            (cpus.len(), wb_process::usable_cores(), bind_rank(0, usize::MAX, &[]).expect("bound"))
        });
        let (of_node, bound, lifted) = bound.join().expect("the thread");
        assert_eq!((bound, lifted), (1, of_node));
    }

    #[test]
    fn a_rank_that_stands_still_is_named_with_its_form() {
        let folder = tempfile::tempdir().expect("a folder");
        let (report, reported) = mpsc::channel();
        let hung = move |_, form, _| report.send(form).expect("the test listens");
        let watchdog = RankWatchdog::start(1, Some(Duration::from_millis(300)), hung).expect("a thread");
        let form = CurrentForm::new(folder.path(), 1, (watchdog, 0)).expect("a file");
        form.enter(4).expect("written");
        assert_eq!(reported.recv_timeout(Duration::from_secs(10)), Ok(Some(4)));
        assert_eq!((last_form(folder.path(), 1), last_form(folder.path(), 0)), (Some(4), None));
    }
}

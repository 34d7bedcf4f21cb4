//! The processor time of ranks, read from outside: their own statement of it is worth nothing.
use std::{collections::BTreeMap, fs};

use wb_process::{children, process_cpu_ns};

/// The processes of a job's ranks, and the ranks in each. Ranks that are threads share one.
#[derive(Clone, Debug, Default)]
pub(crate) struct RankProcesses(BTreeMap<u32, Vec<usize>>);

/// The times of a process so far, in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ProcessTimes {
    /// The processor time of all threads.
    cpu: u64,
    /// The time in which the living threads were ready to run, while another program had the processor.
    queued: u64,
}

/// The processor time of the ranks between two readings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct CpuShares {
    /// The processor time of the process that computed least, as a share of the time between the readings.
    pub(crate) least: f64,
    /// The number of processors on which a rank computed: more than one where it has several threads and the machine has room for them. The time
    /// in the queue is no sign of it: the helper threads of an MPI library wait there, too.
    pub(crate) processors: f64,
    /// The time in which all together were ready to run and had no processor.
    pub(crate) queued_ns: u64,
}

impl RankProcesses {
    /// The process of each rank.
    pub(crate) fn new(pids: impl IntoIterator<Item = u32>) -> Self {
        let mut processes = BTreeMap::<u32, Vec<usize>>::new();
        for (rank, pid) in pids.into_iter().enumerate() {
            processes.entry(pid).or_default().push(rank);
        }
        Self(processes)
    }

    /// The only rank of a process.
    pub(crate) fn rank_of(&self, process: u32) -> Option<usize> {
        self.0.get(&process).filter(|ranks| ranks.len() == 1).map(|ranks| ranks[0])
    }

    /// The ranks whose process a signal has stopped.
    pub(crate) fn stopped_ranks(&self) -> impl Iterator<Item = usize> {
        self.0
            .iter()
            .filter(|(pid, _)| children::is_stopped(**pid))
            .flat_map(|(_, ranks)| ranks.iter().copied())
    }

    /// The times of each process so far; `None` where the system does not report them.
    pub(crate) fn times(&self) -> Option<Vec<ProcessTimes>> {
        let of_process =
            |&pid| Some(ProcessTimes { cpu: process_cpu_ns(pid)?, queued: process_queued_ns(pid)? });
        self.0.keys().map(of_process).collect()
    }

    /// The processor time of the processes between two readings, which are `wall_ns` apart.
    pub(crate) fn shares(
        &self,
        before: Option<Vec<ProcessTimes>>,
        after: Option<Vec<ProcessTimes>>,
        wall_ns: u64,
    ) -> Option<CpuShares> {
        // A thread that has ended takes its time in the queue with it.
        let passed = |(before, after): (ProcessTimes, ProcessTimes)| ProcessTimes {
            cpu: after.cpu.saturating_sub(before.cpu),
            queued: after.queued.saturating_sub(before.queued),
        };
        let passed: Vec<_> = before?.into_iter().zip(after?).map(passed).collect();
        let share = |ns: u64| ns as f64 / wall_ns.max(1) as f64;
        let processors =
            passed.iter().zip(self.0.values()).map(|(of, ranks)| share(of.cpu) / ranks.len() as f64);
        Some(CpuShares {
            least: passed.iter().map(|of| share(of.cpu)).reduce(f64::min)?.min(1.0),
            processors: processors.reduce(f64::max)?,
            queued_ns: passed.iter().map(|of| of.queued).sum(),
        })
    }
}

/// The second number of a thread's statistics is the time in the queue.
fn process_queued_ns(pid: u32) -> Option<u64> {
    let threads = fs::read_dir(format!("/proc/{pid}/task")).ok()?;
    let statistics =
        threads.flatten().filter_map(|thread| fs::read_to_string(thread.path().join("schedstat")).ok());
    statistics.map(|line| line.split_whitespace().nth(1)?.parse::<u64>().ok()).sum()
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use std::time::Duration;

    use wb_runner::clock;

    use super::*;

    #[test]
    fn a_process_that_computes_and_one_that_sleeps_are_told_apart() {
        let mut sleeper = std::process::Command::new("sleep").arg("60").spawn().expect("a process");
        let both = RankProcesses::new([std::process::id(), sleeper.id()]);
        wait_until_idle(sleeper.id());
        let own = RankProcesses::new([std::process::id()]);
        let (before, before_own, start) = (both.times(), own.times(), clock::now());
        // Other programs may have the processor for most of the time, so this is processor time.
        let spent = || process_cpu_ns(std::process::id()).expect("it runs");
        let until = spent() + 50_000_000;
        while spent() < until {}
        let wall = clock::now() - start;
        let idle = both.shares(before, both.times(), wall).expect("both run").least;
        let busy = own.shares(before_own, own.times(), wall).expect("it runs").least;
        sleeper.kill().expect("it runs");
        sleeper.wait().expect("its end");
        assert!(idle < 0.01 && busy > 0.02, "{idle} {busy}");
    }

    /// Starting a program takes processor time, too.
    fn wait_until_idle(pid: u32) {
        let mut spent = None;
        loop {
            std::thread::sleep(Duration::from_millis(50));
            match process_cpu_ns(pid) {
                now if now == spent => return,
                now => spent = now,
            }
        }
    }

    #[test]
    fn a_process_that_is_gone_has_no_time() {
        let gone = RankProcesses::new([u32::MAX]);
        assert_eq!(gone.times(), None);
        assert_eq!(gone.shares(None, own_times(), 1), None);
        assert!(own_times().is_some());
    }

    fn own_times() -> Option<Vec<ProcessTimes>> {
        RankProcesses::new([std::process::id()]).times()
    }

    #[test]
    fn what_a_process_computed_is_divided_among_its_ranks() {
        let shares = |pids: &[u32]| {
            let processes = RankProcesses::new(pids.iter().copied());
            let times = |cpu, queued| ProcessTimes { cpu, queued };
            let before = vec![times(0, 100), times(0, 0)];
            processes.shares(Some(before), Some(vec![times(500, 600), times(200, 30)]), 500).expect("times")
        };
        assert_eq!(shares(&[7, 8]), CpuShares { least: 0.4, processors: 1.0, queued_ns: 530 });
        assert_eq!(shares(&[7, 7, 8]), CpuShares { least: 0.4, processors: 0.5, queued_ns: 530 });
        assert_eq!(RankProcesses::new([9, 7, 7]).rank_of(9), Some(0));
        assert_eq!(RankProcesses::new([9, 7, 7]).rank_of(7), None);
    }
}

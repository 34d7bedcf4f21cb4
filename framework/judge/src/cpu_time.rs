//! The processor time of ranks, read from outside: their own statement of it is worth nothing.
use std::{collections::BTreeSet, fs};

/// The processes of a job's ranks. Ranks that are threads share one.
#[derive(Clone, Debug, Default)]
pub(crate) struct RankProcesses(BTreeSet<u32>);

impl RankProcesses {
    pub(crate) fn new(pids: impl IntoIterator<Item = u32>) -> Self {
        Self(pids.into_iter().collect())
    }

    /// The processor time of each process so far, in nanoseconds; `None` where the system does not report it.
    pub(crate) fn cpu_ns(&self) -> Option<Vec<u64>> {
        self.0.iter().map(|&pid| process_cpu_ns(pid)).collect()
    }
}

/// The processor time of all living threads of a process.
fn process_cpu_ns(pid: u32) -> Option<u64> {
    let threads = fs::read_dir(format!("/proc/{pid}/task")).ok()?;
    let statistics =
        threads.flatten().filter_map(|thread| fs::read_to_string(thread.path().join("schedstat")).ok());
    // The first number is the time on a processor.
    statistics.map(|line| line.split_whitespace().next()?.parse::<u64>().ok()).sum()
}

/// The least share of `wall_ns` that a process computed between two readings.
pub(crate) fn least_share(before: Option<&[u64]>, after: Option<&[u64]>, wall_ns: u64) -> Option<f64> {
    let (before, after) = (before?, after?);
    let shares = before.iter().zip(after).map(|(before, after)| {
        // A thread that has ended takes its time with it.
        after.saturating_sub(*before) as f64 / wall_ns.max(1) as f64
    });
    shares.reduce(f64::min).map(|share| share.min(1.0))
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use std::time::Duration;

    use wb_worker::clock;

    use super::*;

    #[test]
    fn a_process_that_computes_and_one_that_sleeps_are_told_apart() {
        let mut sleeper = std::process::Command::new("sleep").arg("60").spawn().expect("a process");
        let both = RankProcesses::new([std::process::id(), sleeper.id()]);
        wait_until_idle(sleeper.id());
        let own = RankProcesses::new([std::process::id()]);
        let (before, before_own, start) = (both.cpu_ns(), own.cpu_ns(), clock::now());
        clock::spin_until(start + 50_000_000);
        let wall = clock::now() - start;
        let idle = least_share(before.as_deref(), both.cpu_ns().as_deref(), wall).expect("both run");
        let busy = least_share(before_own.as_deref(), own.cpu_ns().as_deref(), wall).expect("it runs");
        sleeper.kill().expect("it runs");
        sleeper.wait().expect("its end");
        assert!(idle < 0.01, "{idle}");
        // Other programs may have the processor for a part of the time.
        assert!(busy > 0.1, "{busy}");
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
        assert_eq!(RankProcesses::new([u32::MAX]).cpu_ns(), None);
        assert_eq!(least_share(None, Some(&[1]), 1), None);
    }
}

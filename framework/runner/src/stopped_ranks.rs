//! The ranks of a job on this host that a signal has stopped (SIGSTOP): no limit of theirs is reached, since their watchdogs are stopped,
//! too.
use std::{
    collections::BTreeSet,
    time::{Duration, Instant},
};

use wb_process::{Job, children};

use crate::job_loss::JobLoss;

/// How long a rank must have been stopped: who suspends a job continues its processes one after the other.
const STOPPED_MIN: Duration = Duration::from_secs(1);

/// The watch over the processes of a job.
#[derive(Debug)]
pub(crate) struct StoppedRanks {
    job: u32,
    ranks: BTreeSet<Option<usize>>,
    since: Option<Instant>,
}

impl StoppedRanks {
    /// The watch over this job.
    pub(crate) fn new(job: &Job) -> Self {
        Self { job: job.id(), ranks: BTreeSet::new(), since: None }
    }

    /// Whether ranks have been stopped for so long that the job cannot end by itself.
    pub(crate) fn check(&mut self) -> bool {
        self.ranks = children::stopped_ranks(self.job);
        self.since = self.since.or_else(|| Some(Instant::now())).filter(|_| !self.ranks.is_empty());
        self.since.is_some_and(|since| since.elapsed() > STOPPED_MIN)
    }

    /// The loss of the ranks that were stopped when they were last looked at.
    pub(crate) fn loss(&self) -> Option<JobLoss> {
        let ranks = self.ranks.iter().flatten().copied().collect();
        (!self.ranks.is_empty()).then_some(JobLoss::Stopped(ranks))
    }
}

#[cfg(test)]
mod tests {
    use std::{process::Command, thread};

    use rustix::process::{Pid, Signal, kill_process};
    use wb_messages::Lang;

    use super::*;

    #[test]
    fn a_rank_that_is_stopped_and_does_not_continue_is_named_and_its_job_ends() {
        let mut program = Command::new("sleep");
        program.arg("600").env("PMI_RANK", "3");
        let job = Job::spawn(program).expect("a program");
        let mut stopped = StoppedRanks::new(&job);
        let send = |signal| kill_process(Pid::from_raw(job.id().cast_signed()).expect("a number"), signal);
        for (signal, is_stopped) in [(Signal::STOP, true), (Signal::CONT, false), (Signal::STOP, true)] {
            send(signal).expect("it runs");
            while stopped.since.is_some() != is_stopped {
                assert!(!stopped.check(), "it has only just been stopped");
            }
        }
        let start = Instant::now();
        while !stopped.check() {
            assert!(start.elapsed() < Duration::from_secs(30));
            thread::sleep(Duration::from_millis(20));
        }
        let loss = stopped.loss().expect("a rank is stopped");
        assert_eq!(loss, JobLoss::Stopped(vec![3]));
        assert!(loss.describe("", Lang::En).starts_with("rank 3 was stopped by a signal"));
        assert!(!loss.is_lasting() && !loss.is_hint());
        let exit = job.wait(Duration::ZERO).expect("its end");
        assert_eq!(std::os::unix::process::ExitStatusExt::signal(&exit.status), Some(15), "it has continued");
    }
}

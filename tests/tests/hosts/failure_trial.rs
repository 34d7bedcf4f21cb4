//! Failures of the second host while the tests or the measurements of a task run on both hosts: the command ends in time, names the host
//! and the cause, and leaves no process.
use std::{
    fmt, fs,
    path::PathBuf,
    process::{Child, Output, Stdio},
    thread,
    time::{Duration, Instant},
};

use rustix::process::{Pid, Signal, kill_process};
use wb_runner::channel::SILENCE_MAX;
use wb_tests::hosts::{HostProcess, HostsError, TestHosts};

use crate::{
    commands::{host_file, in_task, target_of, text},
    wait_until,
};

/// The host that fails.
const FAILING: usize = 1;

/// The time limit of a run of a task.
const TASK_LIMIT: Duration = Duration::from_secs(5);

/// The time limit until ranks run on both hosts, which includes the tests on threads.
const START_LIMIT: Duration = Duration::from_secs(120);

/// The time in which a job ends whose ranks give no sign: the silence, the question to all hosts over `ssh`, and the time that a launcher
/// gets to end.
const SILENCE_LIMIT: Duration = Duration::from_secs(15 + 5 + 5);

/// How much later than its limit a command may end.
const MARGIN: Duration = Duration::from_secs(5);

/// What happens to the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    /// All its processes are killed; its connections close.
    HostDies,
    /// A rank is killed as the kernel does it when memory runs out. A control group that limits memory would be a name outside of
    /// the hosts' namespaces, which must not be left.
    RankIsKilled,
    RankIsStopped,
    /// The folder of the runs hangs from the beginning.
    FolderHangs,
    LinkGoesDown,
    /// All packets are lost, and nothing else is seen of it.
    PacketsAreLost,
    /// Its own folders are full from the beginning: `/tmp` and `/dev/shm`.
    FoldersAreFull,
}

/// What runs meanwhile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Work {
    Tests,
    Measurements,
}

/// What starts the ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Starter {
    Library,
    Srun,
}

/// One failure of a host during a command.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FailureTrial {
    pub(crate) failure: Failure,
    pub(crate) work: Work,
    pub(crate) starter: Starter,
    /// The time from the first rank on the host to the failure.
    pub(crate) delay: Duration,
}

/// How a command ended.
struct TrialEnd {
    output: Output,
    /// From the failure on.
    elapsed: Duration,
}

impl fmt::Display for FailureTrial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}, {:?}, {:?}, after {:.1?}", self.failure, self.work, self.starter, self.delay)
    }
}

impl Failure {
    pub(crate) const ALL: [Self; 7] = [
        Self::HostDies,
        Self::RankIsKilled,
        Self::RankIsStopped,
        Self::FolderHangs,
        Self::LinkGoesDown,
        Self::PacketsAreLost,
        Self::FoldersAreFull,
    ];

    /// Whether it is there before the ranks start.
    fn is_from_the_beginning(self) -> bool {
        matches!(self, Self::FolderHangs | Self::FoldersAreFull)
    }

    /// Whether the host loses its network.
    fn is_of_the_network(self) -> bool {
        matches!(self, Self::LinkGoesDown | Self::PacketsAreLost)
    }

    fn inflict(self, hosts: &mut TestHosts) -> Result<(), HostsError> {
        match self {
            Self::HostDies => hosts.kill(FAILING),
            Self::RankIsKilled => signal_a_rank(hosts, Signal::KILL),
            Self::RankIsStopped => signal_a_rank(hosts, Signal::STOP),
            Self::LinkGoesDown => hosts.disconnect(FAILING)?,
            Self::PacketsAreLost => hosts.lose_packets(FAILING, 100)?,
            Self::FolderHangs => hosts.hang_folder(FAILING, &state_folder())?,
            Self::FoldersAreFull => {
                for folder in ["/tmp", "/dev/shm"] {
                    fill(hosts, folder)?;
                }
            }
        }
        Ok(())
    }

    /// The time in which the command ends.
    fn limit(self, trial: &FailureTrial) -> Duration {
        let start = if self.is_from_the_beginning() { START_LIMIT } else { Duration::ZERO };
        // A rank that is stopped, or whose host is lost, before its first sign gets as much time again.
        let has_first = self == Self::RankIsStopped || self.is_of_the_network();
        let first = if has_first { FIRST_SIGN } else { Duration::ZERO };
        // The launcher ends these jobs itself, and the next ones follow; the sequential version runs on in any case.
        let has_others = self == Self::RankIsKilled || trial.work == Work::Measurements;
        let others = if has_others { OTHER_JOBS } else { Duration::ZERO };
        let srun = if trial.starter == Starter::Srun { SRUN_LIMIT } else { Duration::ZERO };
        SILENCE_LIMIT + start + first + others + srun + MARGIN
    }

    /// The parts that a report about it has, of which one suffices.
    fn reasons(self) -> &'static [&'static str] {
        match self {
            Self::HostDies | Self::LinkGoesDown | Self::PacketsAreLost => {
                &["from the host(s) wb2", "on host wb2", "has lost the node(s) wb2"]
            }
            Self::RankIsKilled => &[
                "on host wb2 was killed by signal 9; perhaps its host is out of memory",
                // Where another rank is killed by the launcher before it could be asked to end.
                "one of these was killed by signal 9, perhaps because its host is out of memory: ",
                // Before the ranks have given a first sign only the launcher knows.
                "on node wb2 exited on signal 9",
                "wb2: task 2: Killed",
                "the job ended with exit code 137; signal 9",
                // srun reports another exit code.
                "one of these ended without a result (the job ended with exit code 143)",
                "on host wb2 ended without a result (the job ended with exit code 143)",
            ],
            Self::RankIsStopped => &[
                "on host wb2: it is stopped, or its host",
                "no rank on host wb2 has started",
                // Where it is stopped before its first sign, and others on its host are not.
                "1 of 2 ranks have started on host wb2",
                // Where the limit of the others is over a moment after the rank was stopped.
                "on host wb2 gave no sign for",
            ],
            // No rank needs the folder.
            Self::FolderHangs => &[],
            Self::FoldersAreFull => &["no space left in /tmp on host wb2"],
        }
    }
}

/// The time that a rank has for its first sign, in addition to that for any other one.
const FIRST_SIGN: Duration = Duration::from_secs(15);

/// The time of the jobs that follow.
const OTHER_JOBS: Duration = Duration::from_secs(60);

/// The time in which `srun` ends the ranks of a job whose node is lost.
const SRUN_LIMIT: Duration = Duration::from_secs(30);

/// The folder of the runs: that of the output of jobs and ranks.
fn state_folder() -> PathBuf {
    let program = std::env::current_exe().expect("this program");
    program.ancestors().nth(3).expect("target/<profile>/deps/<program>").join("wb")
}

/// The ranks that run on a host.
fn ranks_on(hosts: &TestHosts, host: usize) -> Vec<HostProcess> {
    let mut found = hosts.processes(host);
    found.retain(|process| ["functional", "performance"].iter().any(|name| process.name.starts_with(name)));
    found
}

/// Sends a signal to a rank on the failing host, at a moment when there is one.
fn signal_a_rank(hosts: &TestHosts, signal: Signal) {
    let mut sent = false;
    wait_until("a rank gets the signal", START_LIMIT, || {
        for rank in ranks_on(hosts, FAILING).iter().take(1) {
            let pid = Pid::from_raw(rank.pid.cast_signed()).expect("a number");
            // It may have ended in this moment.
            sent = kill_process(pid, signal).is_ok();
        }
        sent
    });
}

/// Fills a folder of the failing host.
fn fill(hosts: &TestHosts, folder: &str) -> Result<(), HostsError> {
    hosts.limit_folder(FAILING, folder.as_ref(), 64 << 10)?;
    let mut command = hosts.command(FAILING, "bash");
    command.args(["-c", "head -c 1M /dev/zero > \"$1/file\"", "fill", folder]).stderr(Stdio::null());
    let filled = command.status().expect("it starts");
    assert!(!filled.success(), "{folder} is not full");
    Ok(())
}

impl FailureTrial {
    /// The folder of the task and its program, which is built if it is not yet.
    fn target(&self) -> (PathBuf, PathBuf) {
        match self.work {
            Work::Tests => target_of("example_p_matmul_strips", ["--test", "functional"]),
            Work::Measurements => target_of("example_p_integral", ["--bench", "performance"]),
        }
    }

    /// The command, started on the first host.
    fn start(&self, hosts: &TestHosts, (folder, program): &(PathBuf, PathBuf)) -> Child {
        let mut command = match self.starter {
            Starter::Library => hosts.command_in(0, folder, program),
            Starter::Srun => hosts.command_in(0, folder, "salloc"),
        };
        match self.starter {
            Starter::Library => command.env("WB_HOSTS", host_file(hosts, "wb1:2\nwb2:2\n")),
            Starter::Srun => command
                .args(["--quiet", "--nodes=2", "--ntasks-per-node=2"])
                .arg(program)
                .env("WB_HOSTS", "srun"),
        };
        match self.work {
            // The verdicts of a run without arguments are kept for the next report of the task.
            Work::Tests => command.arg("--include-ignored"),
            Work::Measurements => {
                let records = hosts.shared_folder().join("records.jsonl");
                command.args(["--bench", "--wb-quick", "--wb-ranks", "2,4", "--wb-records"]).arg(records)
            }
        };
        in_task(&mut command, folder);
        command.env("WB_TASK_MAX_TIME", TASK_LIMIT.as_secs().to_string());
        command.env("WB_PERF_MAX_TIME", TASK_LIMIT.as_secs().to_string());
        command.env("OMPI_MCA_hwloc_base_binding_policy", "none");
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts")
    }

    /// What is wrong with what came of the trial.
    pub(crate) fn run(&self) -> Result<Vec<String>, HostsError> {
        let start = match self.starter {
            Starter::Library => TestHosts::start,
            Starter::Srun => TestHosts::start_with_slurm,
        };
        let target = self.target();
        let mut hosts = start(2, 2)?;
        if self.failure.is_from_the_beginning() {
            self.failure.inflict(&mut hosts)?;
        }
        let mut failed = Instant::now();
        let running = self.start(&hosts, &target);
        let mut inflicted = Ok(());
        if !self.failure.is_from_the_beginning() {
            wait_until("ranks run on the second host", START_LIMIT, || !ranks_on(&hosts, FAILING).is_empty());
            thread::sleep(self.delay);
            failed = Instant::now();
            inflicted = self.failure.inflict(&mut hosts);
        }
        let output = running.wait_with_output().expect("its end");
        inflicted?;
        let end = TrialEnd { output, elapsed: failed.elapsed() };
        let mut wrong = self.wrong_end(&end);
        wrong.extend(self.left(&hosts)?);
        if self.work == Work::Measurements {
            wrong.extend(wrong_records(&hosts));
        }
        eprintln!("{self}: ended {:.1?} after the failure; wrong: {wrong:?}", end.elapsed);
        if !wrong.is_empty() || std::env::var_os("WBTEST_SHOW_FAILURES").is_some() {
            eprintln!("{}", text(&end.output));
        }
        Ok(wrong)
    }

    fn wrong_end(&self, end: &TrialEnd) -> Vec<String> {
        let (shown, limit) = (text(&end.output), self.failure.limit(self));
        let mut wrong = vec![];
        // A rank that is stopped or killed after its last result, while it ends, takes no result away.
        let of_a_rank = matches!(self.failure, Failure::RankIsStopped | Failure::RankIsKilled);
        let may_succeed = of_a_rank && self.work == Work::Tests;
        // The daemons of `mpirun` need the folders that are full, and those of Slurm do not.
        let has_all_it_needs = self.failure == Failure::FolderHangs
            || self.failure == Failure::FoldersAreFull && self.starter == Starter::Srun;
        if end.output.status.success() && !may_succeed && !has_all_it_needs {
            wrong.push("it succeeded".to_owned());
        }
        if end.elapsed > limit {
            wrong.push(format!("it ended after {:.1?}, the limit is {limit:?}", end.elapsed));
        }
        // Lines are broken at words.
        let words = shown.split_whitespace().collect::<Vec<_>>().join(" ");
        let named =
            self.failure.reasons().iter().map(|reason| words.matches(reason).count()).max().unwrap_or(0);
        if named == 0 && !end.output.status.success() {
            wrong.push(format!("it failed, and none of {:?} is named", self.failure.reasons()));
        }
        let is_lasting = self.failure != Failure::RankIsKilled;
        if is_lasting && self.work == Work::Tests && named > 1 {
            wrong.push(format!("the reason is named {named} times"));
        }
        wrong
    }

    /// The processes that are left, also on a host that was cut off and is connected again.
    fn left(&self, hosts: &TestHosts) -> Result<Vec<String>, HostsError> {
        let all = if self.failure == Failure::HostDies { 0..FAILING } else { 0..2 };
        let others: Vec<usize> = all.clone().filter(|host| *host != FAILING).collect();
        let mut left = self.left_on(hosts, &others, MARGIN);
        if self.failure.is_of_the_network() {
            // The daemon of the launcher stays until it has noticed; ranks do not wait for it.
            let ranks_end = Instant::now();
            while !ranks_on(hosts, FAILING).is_empty() && ranks_end.elapsed() < SILENCE_MAX + MARGIN {
                thread::sleep(Duration::from_millis(50));
            }
            let ranks = ranks_on(hosts, FAILING).into_iter();
            left.extend(ranks.map(|rank| format!("cut off: {rank:?}")));
            match self.failure {
                Failure::LinkGoesDown => hosts.reconnect(FAILING)?,
                _ => hosts.lose_packets(FAILING, 0)?,
            }
        }
        left.extend(self.left_on(hosts, &all.collect::<Vec<_>>(), RECONNECTED_LIMIT));
        Ok(left)
    }

    fn left_on(&self, hosts: &TestHosts, numbers: &[usize], limit: Duration) -> Vec<String> {
        let processes = || {
            numbers.iter().flat_map(|&host| hosts.processes(host)).filter(|process| !is_of_the_test(process))
        };
        let started = Instant::now();
        while processes().next().is_some() && started.elapsed() < limit {
            thread::sleep(Duration::from_millis(50));
        }
        processes().map(|process| format!("left: {process:?}")).collect()
    }
}

/// The time in which a host that was connected again ends what was cut off.
const RECONNECTED_LIMIT: Duration = Duration::from_secs(30);

/// Whether a process keeps a folder hanging.
fn is_of_the_test(process: &HostProcess) -> bool {
    process.name == "tail"
}

/// What is wrong with the records that are left: each line is one.
fn wrong_records(hosts: &TestHosts) -> Vec<String> {
    let records = fs::read_to_string(hosts.outside().join("records.jsonl")).unwrap_or_default();
    match wb_record::read_all(&records) {
        Ok(records) if records.is_empty() => vec!["no record is left".to_owned()],
        Ok(_) => vec![],
        Err(error) => vec![error.to_string()],
    }
}

//! The jobs that a plain `cargo test` starts: one for each backend.
//!
//! The first test that needs a backend starts its job: this binary with the same selection of tests. The job runs all of
//! them and reports what its ranks do; later tests only read their verdict. A job of processes has as many ranks as the
//! largest test, and tests on fewer run on its first ranks. When a test ends its job, that is its verdict, and another job
//! runs the rest. These reports are the only evidence: neither the exit code of a launcher nor printed output makes a test
//! pass.
use std::{
    collections::{BTreeMap, BTreeSet},
    env, io,
    process::Command,
    sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use wb_messages::{Lang, functional as text, number};
use wb_process::{JobExit, identity};
use wb_record::Backend;
use wb_runner::{Backends, JobEvent, OUTPUT_FILE, RunFolder, RunningJob, channel::ChannelEvent, launch};

use crate::{
    coordinator::{Coordinator, EarlyEnd},
    evaluation::{self, FailureKind, FailureReport, TestVerdict},
    evidence::{Evidence, TestEvidence},
    job_protocol::{
        BackendJobId, CHECKING_TIMEOUT, CompletedTests, Instruction, JobOrder, STEP_TIMEOUT, TestEvent,
    },
    launcher_side::{job_observer::JobObserver, job_termination::JobTermination},
    report::{BackendLabel, summary},
    test::{self, TestRun, settings},
};

/// The number of tests that may end their job before a backend gives up: then the cause is not a single test.
const MAX_ENDED_JOBS: usize = 64;

/// How long a job on several hosts may take to end after rank 0 has ended: a launcher that waits for a host that it does not reach does
/// not end by itself.
const END_MAX: Duration = Duration::from_secs(10);

/// A test that ended its job at this many numbers of ranks is not tried at further ones.
const MAX_CRASHES: usize = 2;

/// The results of a backend's jobs.
#[derive(Clone, Debug, Default)]
pub(crate) struct BackendJob {
    /// The largest number of processes of its jobs.
    processes: usize,
    cases: BTreeMap<(String, usize), TestEvidence>,
    /// The end of the job of each test that was not completed.
    terminations: BTreeMap<(String, usize), JobTermination>,
    /// The reasons why tests are left out, by test.
    skip_reason: BTreeMap<String, String>,
    /// The termination after which there are no more jobs.
    stopped_by: Option<JobTermination>,
}

/// The jobs of all backends, and the results of one that the next ones use.
#[derive(Default)]
struct BackendJobs {
    jobs: BTreeMap<Backend, Arc<BackendJob>>,
    known: KnownTests,
}

/// The data about the tests of this binary.
#[derive(Default)]
struct KnownTests {
    /// For each backend and test, the numbers of ranks at which the test ended its job.
    crashing_tests: BTreeMap<Backend, BTreeMap<String, BTreeSet<usize>>>,
    /// The functional tests and their numbers of ranks, once the job on threads, where all of them run, is complete: a
    /// job need not run others. `None`: any number.
    checks: Option<BTreeSet<(String, Option<usize>)>>,
    /// How a job ended that had lost hosts, or silent ranks: no other job on these hosts can run.
    lost_hosts: Option<JobTermination>,
}

static JOBS: LazyLock<Mutex<BackendJobs>> = LazyLock::new(Mutex::default);

/// The results of the backend, whose job is run if it has not been run yet with as many processes.
pub(crate) fn get_or_run(backends: Backends, id: BackendJobId) -> Arc<BackendJob> {
    let mut all = JOBS.lock().unwrap_or_else(PoisonError::into_inner);
    let found = all.jobs.remove(&id.backend()).unwrap_or_default();
    if found.processes >= id.processes() {
        all.jobs.insert(id.backend(), Arc::clone(&found));
        return found;
    }
    let id = id.with_processes(all.known.most_ranks().max(id.processes()));
    let mut job = Arc::unwrap_or_clone(found);
    job.processes = id.processes();
    job.skip_tests(&all.known.crashing_tests(id));
    if let Err(error) = job.run(backends, id, &mut all.known) {
        let reason = text::cannot_start(Lang::from_environment(), error);
        job.stopped_by = Some(JobTermination::without_job(reason, true));
    }
    let job = Arc::new(job);
    all.jobs.insert(id.backend(), Arc::clone(&job));
    job
}

impl BackendJob {
    /// The verdict on a test at a number of ranks.
    pub(crate) fn verdict(&self, name: &str, ranks: usize, test_runs: &[Arc<dyn TestRun>]) -> TestVerdict {
        let (key, lang) = ((name.to_owned(), ranks), Lang::from_environment());
        if let Some(evidence) = self.cases.get(&key) {
            let judged = evaluation::evaluate(ranks, test_runs, evidence);
            return match self.terminations.get(&key) {
                Some(end) => end.verdict_on_incomplete(judged),
                None => judged,
            };
        }
        match self.skip_reason.get(name) {
            Some(why) => {
                let (headline, hint) = (text::not_run(lang, why), text::hint_not_run(lang));
                TestVerdict::failed(FailureReport::new(FailureKind::NotRun, headline, hint))
            }
            None => self.stopped_by().verdict_on_not_run(),
        }
    }

    /// The reason why no further job can run a test.
    fn stopped_by(&self) -> JobTermination {
        let no_verdict = || text::no_verdict(Lang::from_environment());
        self.stopped_by.clone().unwrap_or_else(|| JobTermination::without_job(no_verdict(), false))
    }

    fn skip_tests(&mut self, crashing: &BTreeMap<String, BTreeSet<usize>>) {
        for (case, crashes) in crashing.iter().filter(|(_, crashes)| crashes.len() >= MAX_CRASHES) {
            let crashes = number::ranges(crashes.iter().copied(), "..");
            self.skip_reason.insert(case.clone(), text::ended_elsewhere(Lang::from_environment(), crashes));
        }
    }

    /// The tests that the next job need not run.
    fn completed_tests(&self) -> CompletedTests {
        let known = self.cases.keys().map(|(name, ranks)| (name.clone(), Some(*ranks)));
        CompletedTests(known.chain(self.skip_reason.keys().map(|name| (name.clone(), None))).collect())
    }

    /// Starts jobs until every test has run, or no further job is possible.
    fn run(&mut self, backends: Backends, id: BackendJobId, known: &mut KnownTests) -> io::Result<()> {
        if let (BackendJobId::Processes(_), Some(termination)) = (id, &known.lost_hosts) {
            self.stopped_by = Some(termination.clone());
            return Ok(());
        }
        for _ in 0..MAX_ENDED_JOBS {
            let Some((id, selection)) = known.next_job(id, self) else { return Ok(()) };
            let (found, end) = run_job(backends, id, self.completed_tests(), &selection)?;
            if let (BackendJobId::Processes(_), Some(mpi), true) =
                (id, backends.processes, launch::places_ranks())
            {
                summary::ran_on(&BackendLabel::processes(&mpi.library()), &found.hosts);
            }
            let (is_complete, is_empty) = (found.is_complete(id.processes()), found.tests.is_empty());
            known.learn_crashing_tests(id, &found);
            self.merge(id, found, &end);
            self.skip_tests(&known.crashing_tests(id));
            if end.is_lasting() {
                known.lost_hosts = Some(end.clone());
            }
            if is_complete {
                known.learn_checks(id, self);
            }
            if !self.continues_after(end, is_complete, is_empty) {
                return Ok(());
            }
        }
        let reason = text::not_run_after(Lang::from_environment(), MAX_ENDED_JOBS);
        self.stopped_by = Some(JobTermination::without_job(reason, false));
        Ok(())
    }

    /// Whether another job follows one that ended so, for the tests that have no verdict.
    fn continues_after(&mut self, mut end: JobTermination, is_complete: bool, is_empty: bool) -> bool {
        // Ranks that miss another one end in an orderly way, too: the tests that they did not come to have this reason.
        let is_last = end.is_lasting() || is_empty && !is_complete;
        end.is_at_start = self.cases.is_empty();
        self.stopped_by = is_last.then_some(end);
        !is_last && !is_complete
    }

    /// Stores the results of a job.
    fn merge(&mut self, id: BackendJobId, found: Evidence, termination: &JobTermination) {
        for (key, case) in found.tests {
            if case.finished < id.processes() {
                self.terminations.insert(key.clone(), termination.clone());
            }
            self.cases.insert(key, case);
        }
    }
}

impl KnownTests {
    /// The largest number of ranks of a test that is known.
    fn most_ranks(&self) -> usize {
        self.checks.iter().flatten().filter_map(|(_, ranks)| *ranks).max().unwrap_or_default()
    }

    /// The backend's next job, and the arguments that select its tests; `None` when all of them have their verdict.
    fn next_job(&self, id: BackendJobId, done: &BackendJob) -> Option<(BackendJobId, Vec<String>)> {
        let Some(checks) = self.checks.as_ref().filter(|_| id != BackendJobId::Threads) else {
            return Some((id, wb_process::test_selection()));
        };
        let judged = done.completed_tests();
        let is_open =
            |name: &str, ranks: Option<usize>| ranks.is_none_or(|ranks| !judged.contains(name, ranks));
        let open = || checks.iter().filter(|(name, ranks)| is_open(name, *ranks));
        let tests: BTreeSet<String> = open().map(|(name, _)| test::test_of(name).to_owned()).collect();
        let most_ranks = open().map(|(_, ranks)| ranks.unwrap_or(id.processes())).max()?;
        let options = ["--exact", "--include-ignored", "--"].map(str::to_owned);
        Some((id.with_processes(most_ranks), options.into_iter().chain(tests).collect()))
    }

    fn crashing_tests(&self, id: BackendJobId) -> BTreeMap<String, BTreeSet<usize>> {
        self.crashing_tests.get(&id.backend()).cloned().unwrap_or_default()
    }

    fn learn_crashing_tests(&mut self, id: BackendJobId, found: &Evidence) {
        let crashing = self.crashing_tests.entry(id.backend()).or_default();
        for ((name, ranks), _) in found.tests.iter().filter(|(_, case)| case.has_ended_job(id.processes())) {
            crashing.entry(name.clone()).or_default().insert(*ranks);
        }
    }

    fn learn_checks(&mut self, id: BackendJobId, done: &BackendJob) {
        if id == BackendJobId::Threads {
            let run = done.cases.keys().map(|(name, ranks)| (name.clone(), Some(*ranks)));
            // Tests that were left out at some numbers of ranks may have any others.
            let left_out = done.skip_reason.keys().map(|name| (name.clone(), None));
            self.checks = Some(run.chain(left_out).collect());
        }
    }
}

/// Runs one job to its end: the tests of `selection` that are not completed. What its processes reported, and how it ended.
pub(crate) fn run_job(
    backends: Backends,
    id: BackendJobId,
    completed: CompletedTests,
    selection: &[String],
) -> io::Result<(Evidence, JobTermination)> {
    let folder = RunFolder::create()?;
    let mut program = Command::new(env::current_exe()?);
    program.args(["--test-threads=1", "--nocapture"]).args(selection);
    let output = folder.path().join(OUTPUT_FILE);
    let order = JobOrder { backend: id.backend(), completed, output: Some(output.clone()) };
    let are_ranks = matches!(id, BackendJobId::Processes(_));
    let is_unlimited = settings::time_limit().is_none();
    let coordinator = Coordinator::new(id.processes(), are_ranks, backends.replay_threads, is_unlimited);
    let coordinator = Mutex::new(coordinator);
    let launch = |mut program: Command| match (id, backends.processes) {
        (BackendJobId::Processes(ranks), Some(processes)) => {
            launch::on_ranks(&processes.library(), ranks, &program).map_err(io::Error::other)
        }
        _ => {
            wb_process::remove_launcher_variables(&mut program);
            Ok(program)
        }
    };
    let label = match (id, backends.processes) {
        (BackendJobId::Processes(_), Some(processes)) => BackendLabel::processes(&processes.library()),
        (BackendJobId::VirtualTime, _) => BackendLabel::virtual_time(),
        (BackendJobId::Threads | BackendJobId::Processes(_), _) => BackendLabel::threads(),
    };
    let mut observer = JobObserver::new(folder.path().to_owned(), label);
    let mut job = RunningJob::start(id.processes(), program, folder, launch)?;
    let mut refusal = None;
    let exit = drive((&mut job, &mut observer), &coordinator, &order, |end, _| {
        if let EarlyEnd::OutOfStep(_, reason) = end {
            refusal = Some(reason);
        }
    })?;
    let evidence = coordinator.into_inner().unwrap_or_else(PoisonError::into_inner).evidence;
    let evidence = evidence.at_end(id.processes());
    // After the results of all ranks a launcher may wait for a host that was lost, or fail.
    let has_succeeded = evidence.is_complete(id.processes()) && exit.is_success();
    let loss = if has_succeeded { None } else { job.loss(&exit, &evidence.reported) };
    let end = JobTermination::from_end(&exit, loss, (&output, !evidence.tests.is_empty()), refusal);
    Ok((evidence, end))
}

/// Coordinates a job up to its end. `on_early_end` is called before the processes leave a job that has ended early.
pub(crate) fn drive(
    (job, observer): (&mut RunningJob<TestEvent>, &mut JobObserver),
    coordinator: &Mutex<Coordinator>,
    order: &JobOrder,
    mut on_early_end: impl FnMut(EarlyEnd, &Coordinator),
) -> io::Result<JobExit> {
    // Without a limit a debugger may be attached, and a run may take a day.
    let time_limit = settings::time_limit().map(|limit| limit + STEP_TIMEOUT + CHECKING_TIMEOUT);
    job.set_deadline(time_limit);
    loop {
        let wait = lock(coordinator).check_interval();
        let event = job.next_event(wait)?;
        let mut coordinator = lock(coordinator);
        let (was_ending, now) = (coordinator.is_ending(), Instant::now());
        match event {
            JobEvent::Member(ChannelEvent::Joined { member: process, host, .. }) => {
                // The output of a process on another host is not in a file that it can read.
                let output = order.output.clone().filter(|_| host == identity::host_name());
                job.send(process, &JobOrder { output, ..order.clone() });
                observer.join(process, &host);
                coordinator.evidence.hosts.insert(host);
            }
            JobEvent::Member(ChannelEvent::Message {
                member: process,
                message: TestEvent::Observed(run, ranks),
                ..
            }) => observer.answer(process, run, ranks),
            JobEvent::Member(ChannelEvent::Message { member: process, message: event, .. }) => {
                coordinator.handle(process, event, now);
                if !was_ending {
                    job.set_deadline(time_limit);
                }
            }
            JobEvent::Member(
                ChannelEvent::Closed { member: process } | ChannelEvent::Unreadable { member: process, .. },
            ) => {
                observer.close(process);
                coordinator.close(process, now);
            }
            JobEvent::Member(ChannelEvent::Alive { .. } | ChannelEvent::Refused(_)) => {}
            JobEvent::Idle => coordinator.check(now),
            JobEvent::Ended(exit) => return Ok(exit),
        }
        if !was_ending && coordinator.is_ending() && launch::places_ranks() && time_limit.is_some() {
            job.set_deadline(Some(END_MAX));
        }
        if let Some(end) = coordinator.take_early_end() {
            on_early_end(end, &coordinator);
        }
        for (process, instruction) in coordinator.take_instructions() {
            job.send(process, &instruction);
        }
        for process in observer.processes_to_ask(now) {
            job.send(process, &Instruction::Observe);
        }
    }
}

fn lock(coordinator: &Mutex<Coordinator>) -> MutexGuard<'_, Coordinator> {
    coordinator.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use wb_runner::JobLoss;

    use super::*;

    #[test]
    fn a_job_has_as_many_ranks_as_the_largest_test_without_verdict() {
        let test = |name: &str, ranks| (name.to_owned(), Some(ranks));
        let checks = [test("a", 2), test("a", 8), test("b", 4), test("b#2", 3)];
        let known = KnownTests { checks: Some(checks.into()), ..KnownTests::default() };
        assert_eq!(known.most_ranks(), 8);
        let mut done = BackendJob::default();
        let next = |done: &BackendJob| known.next_job(BackendJobId::Processes(8), done);
        let (id, selection) = next(&done).expect("no test has a verdict");
        assert_eq!(
            (id, &selection[3..]),
            (BackendJobId::Processes(8), &["a".to_owned(), "b".to_owned()][..])
        );
        done.cases.extend(
            [("a", 2), ("a", 8), ("b", 4)]
                .map(|(name, ranks)| ((name.to_owned(), ranks), TestEvidence::default())),
        );
        let (id, selection) = next(&done).expect("b#2 has no verdict");
        assert_eq!((id, &selection[3..]), (BackendJobId::Processes(3), &["b".to_owned()][..]));
        done.cases.insert(("b#2".to_owned(), 3), TestEvidence::default());
        assert_eq!(next(&done), None);
    }

    #[test]
    fn a_lasting_end_is_the_reason_of_all_that_has_no_verdict_also_after_orderly_exits() {
        let rows = [(true, true, false), (true, false, false), (false, true, true), (false, false, true)];
        let expected = [(true, false), (true, false), (false, false), (true, false)];
        for ((is_lasting, is_complete, is_empty), expected) in rows.into_iter().zip(expected) {
            let end = JobTermination::example("no sign", is_lasting.then(|| JobLoss::Hosts(vec![])));
            let mut job = BackendJob::default();
            let continues = job.continues_after(end, is_complete, is_empty);
            let has_reason = job.stopped_by().reason == "no sign";
            assert_eq!((has_reason, continues), expected, "{is_lasting}, {is_complete}, {is_empty}");
        }
    }
}

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
    path::PathBuf,
    process::Command,
    sync::{Arc, Mutex, PoisonError},
};

use wb_messages::{Lang, functional as text, number};
use wb_process::JobExit;
use wb_record::Backend;
use wb_runner::{Backends, JobLoss, OUTPUT_FILE, RunFolder, RunningJob, launch, output_tail};

use crate::{
    coordinator::{Coordinator, EarlyEnd},
    evidence::{Evidence, TestEvidence},
    job_protocol::{BackendJobId, CompletedTests, JobOrder},
    launcher_side::job_driver,
    report::{backend_outcome::BackendLabel, summary},
    test::{erased_test, limit},
};

/// The number of tests that may end their job before a backend gives up: then the cause is not a single test.
const MAX_ENDED_JOBS: usize = 64;

/// A test that ended its job at this many numbers of ranks is not tried at further ones.
const MAX_CRASHES: usize = 2;

/// The results of a backend's jobs.
#[derive(Clone, Debug, Default)]
pub(crate) struct BackendJob {
    /// The largest number of processes of its jobs.
    processes: usize,
    cases: BTreeMap<(String, usize), TestEvidence>,
    /// How the job of a test ended that was not completed.
    terminations: BTreeMap<(String, usize), JobTermination>,
    /// Why tests are left out.
    skip_reason: BTreeMap<String, String>,
    /// Why there are no more jobs.
    stopped_by: Option<JobTermination>,
}

/// How a job ended early.
#[derive(Clone, Debug)]
pub(crate) struct JobTermination {
    /// In a line.
    pub(crate) reason: String,
    /// Its last output.
    pub(crate) output: String,
    /// Whether hosts or ranks were lost, so that no other job there can be expected to run.
    pub(crate) is_lasting: bool,
    /// Whether the reason names the rank that ended without a result: what the other ranks saw of that is a consequence.
    pub(crate) names_rank: bool,
    /// Whether no test of the backend had begun: the cause is not a test.
    pub(crate) is_at_start: bool,
    /// Whether the reason is a possible cause only of what the ranks noted.
    pub(crate) is_hint: bool,
}

impl JobTermination {
    /// The end of a job with this output, and its cause if that is known.
    fn from_end(ended: &JobExit, loss: Option<&JobLoss>, output: String) -> Self {
        let lang = Lang::from_environment();
        let how = output_tail::describe_exit(ended, lang);
        let Some(loss) = loss else { return Self { output, ..Self::new(how) } };
        Self {
            is_lasting: loss.is_lasting(),
            names_rank: !loss.is_lasting() && !loss.is_hint(),
            is_hint: loss.is_hint(),
            // What the launcher guesses about lost hosts does not help.
            output: if loss.is_lasting() { String::new() } else { output },
            ..Self::new(loss.describe(&how, lang))
        }
    }

    pub(crate) fn new(reason: String) -> Self {
        let (output, is_lasting, names_rank) = (String::new(), false, false);
        Self { reason, output, is_lasting, names_rank, is_at_start: false, is_hint: false }
    }
}

/// The jobs of all backends, and the results of one that the next ones use.
struct BackendJobs {
    jobs: BTreeMap<Backend, Arc<BackendJob>>,
    known: KnownTests,
}

/// The data about the tests of this binary.
#[derive(Default)]
struct KnownTests {
    /// By backend: on how many ranks a test ended its job.
    crashing_tests: BTreeMap<Backend, BTreeMap<String, BTreeSet<usize>>>,
    /// The functional tests and their numbers of ranks, once the job on threads, where all of them run, is complete: a
    /// job need not run others. `None`: any number.
    checks: Option<BTreeSet<(String, Option<usize>)>>,
    /// How a job ended that had lost hosts, or silent ranks: no other job on these hosts can run.
    lost_hosts: Option<JobTermination>,
}

static JOBS: Mutex<BackendJobs> = Mutex::new(BackendJobs {
    jobs: BTreeMap::new(),
    known: KnownTests { crashing_tests: BTreeMap::new(), checks: None, lost_hosts: None },
});

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
        let how = text::cannot_start(Lang::from_environment(), error);
        job.stopped_by = Some(JobTermination { is_at_start: true, ..JobTermination::new(how) });
    }
    let job = Arc::new(job);
    all.jobs.insert(id.backend(), Arc::clone(&job));
    job
}

impl BackendJob {
    /// The evidence about a test at a number of ranks.
    pub(crate) fn evidence(&self, case: &str, ranks: usize) -> Option<&TestEvidence> {
        self.cases.get(&(case.to_owned(), ranks))
    }

    /// How the job ended that a test was in, if the test was not completed.
    pub(crate) fn termination(&self, case: &str, ranks: usize) -> Option<&JobTermination> {
        self.terminations.get(&(case.to_owned(), ranks))
    }

    /// Why a test was intentionally not run.
    pub(crate) fn skip_reason(&self, case: &str) -> Option<&str> {
        self.skip_reason.get(case).map(String::as_str)
    }

    /// Why there are no more jobs that could run a test.
    pub(crate) fn stopped_by(&self) -> JobTermination {
        let no_verdict = || JobTermination::new(text::no_verdict(Lang::from_environment()));
        self.stopped_by.clone().unwrap_or_else(no_verdict)
    }

    fn skip_tests(&mut self, enders: &BTreeMap<String, BTreeSet<usize>>) {
        for (case, deaths) in enders.iter().filter(|(_, deaths)| deaths.len() >= MAX_CRASHES) {
            let deaths = number::ranges(deaths.iter().copied(), "..");
            self.skip_reason.insert(case.clone(), text::ended_elsewhere(Lang::from_environment(), deaths));
        }
    }

    /// The tests that the next job need not run.
    fn completed_tests(&self) -> CompletedTests {
        let known = self.cases.keys().map(|(name, ranks)| (name.clone(), Some(*ranks)));
        CompletedTests(known.chain(self.skip_reason.keys().map(|name| (name.clone(), None))).collect())
    }

    /// Starts jobs until every test has run, or no further job is possible.
    fn run(&mut self, backends: Backends, id: BackendJobId, known: &mut KnownTests) -> io::Result<()> {
        if let (BackendJobId::Processes(_), Some(death)) = (id, &known.lost_hosts) {
            self.stopped_by = Some(death.clone());
            return Ok(());
        }
        for _ in 0..MAX_ENDED_JOBS {
            let Some((id, selection)) = known.next_job(id, self) else { return Ok(()) };
            let job = run_job(backends, id, self.completed_tests(), &selection)?;
            let found = job.evidence;
            if let (BackendJobId::Processes(_), Some(mpi), true) =
                (id, backends.processes, launch::places_ranks())
            {
                summary::ran_on(&BackendLabel::processes(&mpi.library()), &found.hosts);
            }
            let complete = found.orderly_exits.len() == id.processes();
            let nothing = found.tests.is_empty();
            let output = match nothing {
                true => output_tail::first_lines(&job.output),
                false => output_tail::last_lines(&job.output, 0),
            };
            let output = [job.refusal.unwrap_or_default(), output].join("\n").trim_matches('\n').to_owned();
            // After the results of all ranks a launcher may wait for a host that was lost, or fail.
            let loss = job.loss.filter(|_| !complete || !job.exit.is_success());
            let ended = job.exit;
            let death = JobTermination::from_end(&ended, loss.as_ref(), output);
            known.learn_crashing_tests(id, &found);
            self.merge(id, found, &death);
            self.skip_tests(&known.crashing_tests(id));
            if death.is_lasting {
                known.lost_hosts = Some(death.clone());
            }
            if complete {
                known.learn_checks(id, self);
            }
            if !self.continues_after(death, complete, nothing) {
                return Ok(());
            }
        }
        let how = text::not_run_after(Lang::from_environment(), MAX_ENDED_JOBS);
        self.stopped_by = Some(JobTermination::new(how));
        Ok(())
    }

    /// Whether another job follows one that ended so, for the tests that have no verdict.
    fn continues_after(&mut self, end: JobTermination, is_complete: bool, is_empty: bool) -> bool {
        // Ranks that miss another one end in an orderly way, too: the tests that they did not come to have this reason.
        let is_last = end.is_lasting || is_empty && !is_complete;
        let is_at_start = self.cases.is_empty();
        self.stopped_by = is_last.then_some(JobTermination { is_at_start, ..end });
        !is_last && !is_complete
    }

    /// Stores the results of a job.
    fn merge(&mut self, id: BackendJobId, found: Evidence, death: &JobTermination) {
        for (key, case) in found.tests {
            if case.finished < id.processes() {
                self.terminations.insert(key.clone(), death.clone());
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
        let tests: BTreeSet<String> = open().map(|(name, _)| erased_test::test_of(name).to_owned()).collect();
        let most_ranks = open().map(|(_, ranks)| ranks.unwrap_or(id.processes())).max()?;
        let options = ["--exact", "--include-ignored", "--"].map(str::to_owned);
        Some((id.with_processes(most_ranks), options.into_iter().chain(tests).collect()))
    }

    fn crashing_tests(&self, id: BackendJobId) -> BTreeMap<String, BTreeSet<usize>> {
        self.crashing_tests.get(&id.backend()).cloned().unwrap_or_default()
    }

    fn learn_crashing_tests(&mut self, id: BackendJobId, found: &Evidence) {
        let enders = self.crashing_tests.entry(id.backend()).or_default();
        for ((name, ranks), _) in found.tests.iter().filter(|(_, case)| case.has_ended_job(id.processes())) {
            enders.entry(name.clone()).or_default().insert(*ranks);
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

/// The command that starts a job of `id`, whose processes run `program`.
fn command(id: BackendJobId, backends: Backends, mut program: Command) -> io::Result<Command> {
    match (id, backends.processes) {
        (BackendJobId::Processes(ranks), Some(processes)) => {
            launch::on_ranks(&processes.library(), ranks, &program).map_err(io::Error::other)
        }
        _ => {
            wb_process::remove_launcher_variables(&mut program);
            Ok(program)
        }
    }
}

/// A job that has ended.
pub(crate) struct FinishedBackendJob {
    pub(crate) evidence: Evidence,
    exit: JobExit,
    /// Why it ended without the results of all ranks, where that is known.
    loss: Option<JobLoss>,
    /// Why its processes did not come to a step of a test.
    refusal: Option<String>,
    /// The file of its output, which exists as long as this value.
    pub(crate) output: PathBuf,
    _folder: Option<RunFolder>,
}

/// Runs one job to its end: the tests of `selection` that are not completed.
pub(crate) fn run_job(
    backends: Backends,
    id: BackendJobId,
    completed: CompletedTests,
    selection: &[String],
) -> io::Result<FinishedBackendJob> {
    let folder = RunFolder::create()?;
    let mut program = Command::new(env::current_exe()?);
    program.args(["--test-threads=1", "--nocapture"]).args(selection);
    let output = folder.path().join(OUTPUT_FILE);
    let order = JobOrder { backend: id.backend(), completed, output: Some(output.clone()) };
    let are_ranks = matches!(id, BackendJobId::Processes(_));
    let is_unlimited = limit::time_limit().is_none();
    let coordinator = Coordinator::new(id.processes(), are_ranks, backends.retelling, is_unlimited);
    let coordinator = Mutex::new(coordinator);
    let mut job =
        RunningJob::start(id.processes(), program, folder, |program| command(id, backends, program))?;
    let mut refusal = None;
    let exit = job_driver::drive(&mut job, &coordinator, &order, |end, _| {
        if let EarlyEnd::OutOfStep(_, reason) = end {
            refusal = Some(reason);
        }
    })?;
    let evidence = coordinator.into_inner().unwrap_or_else(PoisonError::into_inner).into_evidence();
    let evidence = evidence.at_end(id.processes());
    let loss = job.loss(&exit, &evidence.reported);
    Ok(FinishedBackendJob { evidence, exit, loss, refusal, output, _folder: job.into_folder() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_has_as_many_ranks_as_the_largest_test_without_verdict() {
        let test = |name: &str, ranks| (name.to_owned(), Some(ranks));
        let checks = [test("a", 2), test("a", 8), test("b", 4), test("b#2", 3)];
        let known =
            KnownTests { crashing_tests: BTreeMap::new(), checks: Some(checks.into()), lost_hosts: None };
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
            let end = JobTermination { is_lasting, ..JobTermination::new("no sign".into()) };
            let mut job = BackendJob::default();
            let continues = job.continues_after(end, is_complete, is_empty);
            let has_reason = job.stopped_by().reason == "no sign";
            assert_eq!((has_reason, continues), expected, "{is_lasting}, {is_complete}, {is_empty}");
        }
    }
}

//! The jobs that a plain `cargo test` starts: one for each backend.
//!
//! The first test that needs a backend starts its job: this binary with the same selection of tests. The job runs all of
//! them and writes their journals; later tests only read their verdict. A job of processes has as many ranks as the
//! largest test, and tests on fewer run on its first ranks. When a test ends its job, that is its verdict, and another job
//! runs the rest. Journals are the only evidence: neither the exit code of a launcher nor printed output makes a test
//! pass.
use std::{
    collections::{BTreeMap, BTreeSet},
    env, fs, io,
    path::{Path, PathBuf},
    process::Command,
    sync::{Arc, Mutex, PoisonError},
};

use wb_messages::{Lang, functional as text, number};
use wb_process::{Job, JobExit, JobProgress};
use wb_record::Backend;
use wb_runner::{Backends, JobLoss, JobWatch, StoppedRanks, launch, output_tail, run_folder};

use crate::{
    evidence::{Evidence, TestEvidence, journal::JOURNAL},
    job_protocol::{
        BackendJobId, CHECKING_TIMEOUT, FOLDER_VARIABLE, JOB_VARIABLE, OUTPUT_FILE, STEP_TIMEOUT,
        completed_tests::CompletedTests,
    },
    launcher_side::end_watch::EndWatch,
    report::{backend_outcome::BackendLabel, summary},
    test::{erased_test, limit},
};

/// The number of tests that may end their job before a backend gives up: then the cause is not a single test.
const MAX_ENDED_JOBS: usize = 64;

/// A test that ended its job at this many numbers of ranks is not tried at further ones.
const MAX_CRASHES: usize = 2;

/// The number of printed bytes of each process that count as progress.
const MAX_PROGRESS_BYTES: u64 = 1 << 20;

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
            let folder = run_folder::create()?;
            self.completed_tests().write(&folder)?;
            let FinishedBackendJob { exit: ended, mut watch, stopped } =
                run_job(backends, id, &folder, &selection)?;
            let found = Evidence::read(&folder, id.processes())?;
            if let (BackendJobId::Processes(_), Some(mpi), true) =
                (id, backends.processes, launch::places_ranks())
            {
                summary::ran_on(&BackendLabel::processes(&mpi.library()), &found.hosts);
            }
            let complete = found.orderly_exits.len() == id.processes();
            let nothing = found.tests.is_empty();
            let output = match nothing {
                true => output_tail::first_lines(&folder.join(OUTPUT_FILE)),
                false => output_tail::last_lines(&folder.join(OUTPUT_FILE), 0),
            };
            // After the results of all ranks a launcher may wait for a host that was lost, or fail.
            let loss = watch.as_mut().filter(|_| !complete || !ended.is_success());
            let loss = loss.and_then(|watch| watch.loss(&ended, &folder.join(OUTPUT_FILE), &found.reported));
            let loss = loss.or_else(|| stopped.loss().filter(|_| !complete));
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
    pub(crate) exit: JobExit,
    /// The watch over its ranks, if they were on several hosts.
    pub(crate) watch: Option<JobWatch>,
    /// Its ranks on this host that were stopped.
    stopped: StoppedRanks,
}

/// Runs one job to its end.
pub(crate) fn run_job(
    backends: Backends,
    id: BackendJobId,
    folder: &Path,
    selection: &[String],
) -> io::Result<FinishedBackendJob> {
    let mut program = Command::new(env::current_exe()?);
    program.args(["--test-threads=1", "--nocapture"]).args(selection);
    program.env(JOB_VARIABLE, id.backend().name());
    program.env(FOLDER_VARIABLE, folder).env(wb_process::before_main::RANK_DIR, folder);
    let mut watch = match id {
        BackendJobId::Processes(ranks) => JobWatch::start(folder, ranks, &mut program)?,
        BackendJobId::Threads | BackendJobId::VirtualTime => None,
    };
    let command = command(id, backends, program)?;
    let output = folder.join(OUTPUT_FILE);
    // Without a limit a debugger may be attached, and a run may take a day.
    let limit = limit::time_limit();
    let patience = limit.unwrap_or(limit::UNLIMITED) + STEP_TIMEOUT + CHECKING_TIMEOUT;
    let mut end = EndWatch::new(folder);
    let job = Job::spawn_to_files(command, &output, &output)?;
    let mut stopped = StoppedRanks::new(&job);
    let progress = || JobProgress {
        steps: bytes_written(folder),
        is_hopeless: limit.is_some()
            && (stopped.look()
                || watch
                    .as_mut()
                    .is_some_and(|watch| watch.has_silent_rank(|| has_journal(folder)) || end.is_overdue())),
    };
    let exit = job.wait_while_progressing(patience, progress)?;
    Ok(FinishedBackendJob { exit, watch, stopped })
}

/// Whether a rank has written into its journal.
fn has_journal(folder: &Path) -> bool {
    let files = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut journals = files.filter(|file| file.path().extension().is_some_and(|kind| kind == JOURNAL));
    journals.any(|journal| journal.metadata().is_ok_and(|data| data.len() > 0))
}

/// The amount of data that the job has written. Its output counts up to a limit only: endless printing is not progress.
fn bytes_written(folder: &Path) -> u64 {
    let size = |path: PathBuf| {
        let length = fs::metadata(&path).map_or(0, |data| data.len());
        if path.extension().is_some_and(|kind| kind == JOURNAL) {
            length
        } else {
            length.min(MAX_PROGRESS_BYTES)
        }
    };
    fs::read_dir(folder).map_or(0, |entries| entries.flatten().map(|entry| size(entry.path())).sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printing_for_ever_is_no_progress_and_a_journal_always_is() {
        let folder = tempfile::tempdir().expect("a folder");
        let write = |name: &str, length: u64| {
            fs::write(folder.path().join(name), vec![b'.'; length as usize]).expect("written");
            bytes_written(folder.path())
        };
        assert_eq!(write(OUTPUT_FILE, 10), 10);
        assert_eq!(write(OUTPUT_FILE, MAX_PROGRESS_BYTES + 10), MAX_PROGRESS_BYTES);
        assert_eq!(write("rank-0.journal", MAX_PROGRESS_BYTES + 10), 2 * MAX_PROGRESS_BYTES + 10);
    }

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

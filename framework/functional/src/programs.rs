//! Bare programs on real ranks, under the same watchdog as tests, and the findings about each.
//!
//! A test decides whether a task is right and reports its mistakes; a test of the diagnosis itself needs the findings
//! as data. So a program here is a function of a [`World`] without input, output and oracle, and the findings about its
//! ranks are returned as [`ProgramFindings`]. As many programs as possible share a job; after a program that ends its
//! job, another job runs the rest.
use std::{
    collections::BTreeMap,
    io,
    rc::Rc,
    sync::Arc,
    time::{Duration, Instant},
};

use wb_comm::{BlockedCall, Finding, Result, Transport};
use wb_runner::{Backends, RunnerLink};
use wb_task::Progress;
use wb_world::World;

use crate::{
    evaluation::diagnosis,
    evidence::{RankOutcome, RankReport, TestEvidence},
    job_protocol::{BackendJobId, CompletedTests},
    launcher_side::backend_job,
    rank_side::member::JobMember,
    replay::replay_input::{self, ReplayThreads},
    test::{
        self, RunId, TestCase, TestRun, panics,
        test_run::{self, StageResult},
    },
};

/// The program of a job's ranks.
#[derive(Clone, Debug)]
pub struct BareProgram {
    /// A unique name.
    pub name: String,
    /// The number of ranks.
    pub ranks: usize,
    /// The function that each of them runs.
    pub body: fn(&World) -> Result<()>,
}

/// The findings about a program that ran.
#[derive(Clone, Debug, Default)]
pub struct ProgramFindings {
    /// The mistakes that were found.
    pub findings: Vec<Finding>,
    /// Sends that wait for each other if no message is buffered; the library may have buffered them in this run.
    pub buffering: Vec<Finding>,
    /// The calls in which ranks were blocked that did not return.
    pub blocked: Vec<BlockedCall>,
    /// The time, from the beginning of the run, at which the cause was known for which ranks did not return.
    pub diagnosed_after: Option<Duration>,
    /// Panics, and errors without a known kind of mistake: a rank and its text.
    pub unexpected: Vec<String>,
}

/// Runs `programs` on real processes, each under `limit`; `None` in a process that is a rank of such a job.
///
/// For a test without other content: its jobs are this binary, with this test.
///
/// # Errors
/// No processes are linked, a job cannot be started, or one ends without any evidence.
pub fn run_programs(
    backends: Backends,
    programs: &[BareProgram],
    limit: Duration,
) -> io::Result<Option<BTreeMap<String, ProgramFindings>>> {
    match RunnerLink::from_environment()? {
        Some(link) => run_as_rank(backends, link, programs, limit).map(|()| None),
        None => run_job(backends, programs).map(Some),
    }
}

fn run_as_rank(
    backends: Backends,
    link: Arc<RunnerLink>,
    programs: &[BareProgram],
    limit: Duration,
) -> io::Result<()> {
    let (member, completed) = JobMember::from_order(backends, link).map_err(io::Error::other)?;
    let here = |program: &&BareProgram| {
        program.ranks <= member.max_ranks() && !completed.contains(&program.name, program.ranks)
    };
    for program in programs.iter().filter(here) {
        let id = RunId::first(&program.name, program.ranks);
        let test_case = TestCase::without_rules(id, Some(limit));
        let run = Arc::new(BareProgramRun { body: program.body, test_case });
        member.run(&program.name, program.ranks, &[run])?;
    }
    Ok(())
}

fn run_job(backends: Backends, programs: &[BareProgram]) -> io::Result<BTreeMap<String, ProgramFindings>> {
    let mut witnessed = BTreeMap::new();
    let selection = ["--exact".to_owned(), test::next_check_name()];
    let open = |witnessed: &BTreeMap<String, _>| {
        programs.iter().filter(|p| !witnessed.contains_key(&p.name)).map(|p| p.ranks).max()
    };
    while let Some(processes) = open(&witnessed) {
        let completed = CompletedTests::from_names(witnessed.keys().cloned());
        let id = BackendJobId::Processes(processes);
        let (found, end) = backend_job::run_job(backends, id, completed, &selection)?;
        if found.tests.is_empty() {
            return Err(io::Error::other(end.describe()));
        }
        let of = |ranks, case| ProgramFindings::from_evidence(ranks, case, backends.replay_threads);
        witnessed.extend(found.tests.into_iter().map(|((name, ranks), case)| (name, of(ranks, case))));
    }
    Ok(witnessed)
}

impl ProgramFindings {
    fn from_evidence(ranks: usize, mut case: TestEvidence, replay_threads: ReplayThreads) -> Self {
        let run = case.runs.remove(&0).unwrap_or_default();
        let missing = (0..ranks).filter(|rank| !run.reports.contains_key(rank));
        let missing_entries = missing.map(|rank| format!("rank {rank} left no entry"));
        let unexpected = missing_entries.chain(run.reports.values().filter_map(unexpected_text)).collect();
        let blocked = run.reports.values().filter_map(|entry| entry.blocked_in.clone()).collect();
        let buffering = replay_input::unbuffered(ranks, &run.reports, replay_threads);
        Self {
            findings: diagnosis::all_causes(&run),
            buffering,
            blocked,
            diagnosed_after: run.diagnosed_after,
            unexpected,
        }
    }
}

/// The text of a rank that is neither a finding nor a consequence of another rank's failure.
fn unexpected_text(entry: &RankReport) -> Option<String> {
    let is_unexpected = matches!(
        entry.outcome,
        RankOutcome::Panicked | RankOutcome::Failed | RankOutcome::Exited | RankOutcome::TimedOut
    );
    (is_unexpected && entry.finding.is_none())
        .then(|| format!("rank {} {:?}: {}", entry.rank, entry.outcome, entry.text))
}

/// A program as the harness runs it.
struct BareProgramRun {
    body: fn(&World) -> Result<()>,
    test_case: TestCase,
}

impl TestRun for BareProgramRun {
    fn test_case(&self) -> &TestCase {
        &self.test_case
    }

    fn run_stages(&self, transport: Rc<dyn Transport>, progress: &Progress) -> StageResult {
        let world = World::new(transport);
        let began = Instant::now();
        let ended = panics::catch(|| (self.body)(&world));
        let ended = ended.map(|result| result.map_err(|error| (error, world.last_error_site())));
        StageResult::new(&world, began.elapsed(), progress, ended)
    }

    fn evaluate(&self, result: StageResult) -> RankReport {
        result.into_report::<std::result::Result<(), test_run::CallError>>(|rank, ended| match ended {
            Ok(()) => RankReport::new(rank, RankOutcome::Returned),
            Err((error, at)) => test_run::call_error_report(rank, None, at, &error),
        })
    }
}

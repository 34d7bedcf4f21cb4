//! The judge and its ranks: this program starts itself again as the ranks that it judges.
#[path = "judged/lost_jobs.rs"]
mod lost_jobs;
#[path = "judged/own_main.rs"]
mod own_main;
#[path = "judged/places.rs"]
mod places;
#[path = "judged/sum.rs"]
mod sum;
#[path = "judged/verbs.rs"]
mod verbs;

use std::{
    cell::Cell,
    io,
    path::Path,
    process::{Command, ExitCode},
    sync::{Arc, OnceLock},
    time::{Duration, Instant},
};

use libtest_mimic::{Arguments, Failed, Trial};
use sum::{Student, Sum};
use wb_messages::Lang;
use wb_performance::judge::{
    AskEndCause, EndCause, Examiner, GradedRuns, GradedVerdict, PassEnd, PassInput, PassRegion,
    RankArguments, RankJob, RankJobRequest, RankProgram, random_seed,
};
use wb_process::children::current_children;
use wb_record::{Backend, TestOutcome, Version};
use wb_runner::channel::RunnerAddress;
use wb_task::GradedInput;

const LIMIT: Duration = Duration::from_secs(1);

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().collect();
    match RankArguments::from_arguments(&words) {
        Ok(Some(arguments)) => {
            let kind = std::env::var("JUDGED_KIND").unwrap_or_default();
            return if kind.starts_with(own_main::PREFIX) {
                own_main::main(&arguments, &kind)
            } else {
                serve(&arguments)
            };
        }
        Ok(None) => {}
        Err(error) => panic!("{error}"),
    }
    let mut arguments = Arguments::from_args();
    // A job ends every process that it does not know: one job at a time.
    arguments.test_threads = Some(1);
    libtest_mimic::run(&arguments, tests()).exit_code()
}

fn serve(arguments: &RankArguments) -> ExitCode {
    let student = || Arc::new(Student::from_environment());
    let ends_badly = student().is("ends badly");
    let served = RankProgram::new(student(), student()).main(arguments, workbench::backends());
    if ends_badly { ExitCode::from(3) } else { served }
}

/// Starts this program as ranks of this kind.
fn start(kind: &str, backend: Backend, ranks: usize) -> Result<RankJob, String> {
    start_watched(kind, backend, ranks, None)
}

/// The same with something that may end the job.
fn start_watched(
    kind: &str,
    backend: Backend,
    ranks: usize,
    end_cause: Option<AskEndCause>,
) -> Result<RankJob, String> {
    let command = |arguments: &[String], folder: &Path| -> io::Result<Command> {
        let mut rank = Command::new(std::env::current_exe()?);
        rank.args(arguments).env("JUDGED_KIND", kind);
        RunnerAddress::Folder(folder.to_owned()).add_to(&mut rank);
        match workbench::backends().processes.filter(|_| backend == Backend::Mpi) {
            Some(mpi) => wb_runner::launch::on_ranks(&mpi.library(), ranks, &rank).map_err(io::Error::other),
            None => Ok(rank),
        }
    };
    RankJob::start(&RankJobRequest {
        backend,
        ranks,
        command: &command,
        files: wb_comm::InputFiles::default(),
        end_cause,
        lang: Lang::En,
    })
}

fn examiner() -> Examiner<Sum> {
    Examiner::new(workbench::backends().threads, &[], Lang::En)
}

/// The verdicts on this kind of version.
fn verdicts(kind: &str, backend: Backend, ranks: usize) -> Vec<GradedVerdict> {
    graded(&|_, ranks| start(kind, backend, ranks), (backend, ranks), &[])
}

/// The verdicts on the jobs that `start` starts, with these inputs of a private folder.
fn graded(
    start: StartRanks<'_>,
    (backend, ranks): (Backend, usize),
    private: &[GradedInput<Vec<i64>>],
) -> Vec<GradedVerdict> {
    let (examiner, limit, lang) = (examiner(), Some(LIMIT), Lang::En);
    let seed = random_seed().expect("random numbers");
    let additional: Vec<_> = private.iter().map(|input| (input.clone(), limit)).collect();
    GradedRuns { examiner, start, backend, limit, additional: &additional, seed, lang }
        .run(Version::Mpi, ranks)
}

type Outcome = Result<(), Failed>;

type TestOfBackend = fn(Backend) -> Outcome;

type StartRanks<'a> = &'a dyn Fn(Version, usize) -> Result<RankJob, String>;

fn tests() -> Vec<Trial> {
    let has_mpi = workbench::backends().processes.is_some();
    if !has_mpi {
        println!(
            "SKIP: this program is not linked with MPI; `cargo test --workspace --test judged` links it"
        );
    }
    let mut tests: Vec<Trial> = vec![];
    for backend in [Backend::Mpi, Backend::Threads] {
        let name = backend.name();
        let is_skipped = backend == Backend::Mpi && !has_mpi;
        let mut add = |test: &str, run: TestOfBackend| {
            let trial = Trial::test(format!("{name}::{test}"), move || run(backend));
            tests.push(trial.with_ignored_flag(is_skipped));
        };
        add("a_right_version_passes_every_graded_input", right_version_passes);
        add("what_is_wrong_gets_its_verdict", wrong_versions);
        add("calls_that_a_version_may_not_make_fail_it", verbs::forbidden_calls);
        add("a_lost_job_is_replaced_and_named", lost_jobs::one_after_the_other);
        add("times_are_taken_from_outside", times_from_outside);
        add("a_rank_that_computes_on_several_processors_is_seen", more_threads);
        add("the_reason_of_an_end_from_outside_is_the_reason_of_the_verdict", ended_from_outside);
        add("a_program_of_its_own_gains_nothing", own_programs);
    }
    // What the judge reads from the connection of a rank does not depend on who has started the rank.
    let of_connections: [(&str, TestOfBackend); 5] = [
        ("an_answer_after_the_limit_is_late", late_answer),
        ("the_transfer_of_the_input_is_in_the_timed_region", timed_transfer),
        ("an_end_before_the_start_is_named", end_before_start),
        ("a_rank_that_reads_nothing_does_not_hang_the_judge", never_reading_rank),
        ("a_rank_that_floods_the_judge_does_not_fill_its_memory", flooding_rank),
    ];
    tests.extend(
        of_connections
            .map(|(name, run)| Trial::test(format!("threads::{name}"), move || run(Backend::Threads))),
    );
    tests.push(Trial::test(
        "threads::the_cause_of_an_end_is_told_before_what_ranks_report",
        cause_before_reports,
    ));
    tests.push(Trial::test("threads::after_three_lost_jobs_no_input_is_run", lost_jobs::many));
    tests.push(Trial::test("an_output_belongs_where_the_reference_has_it", places::outputs));
    tests.push(Trial::test("threads::the_rank_that_used_most_memory_is_named", largest_rank_is_named));
    let leaks = Trial::test("mpi::leaks_daemons_and_false_ranks_are_found", lost_jobs::leaks_and_daemons);
    tests.push(leaks.with_ignored_flag(!has_mpi));
    tests
}

fn right_version_passes(backend: Backend) -> Outcome {
    for ranks in [1, 3] {
        let verdicts = verdicts("", backend, ranks);
        let names: Vec<_> = verdicts.iter().map(|verdict| verdict.record.test.as_str()).collect();
        let communicates = (ranks > 1).then_some("judge: communicates");
        let expected = ["judge: empty", "judge: some", "judge: a number that marks an error"];
        assert_eq!(names, expected.into_iter().chain(communicates).collect::<Vec<_>>());
        let failed = verdicts.iter().find(|verdict| verdict.record.verdict != TestOutcome::Pass);
        assert!(failed.is_none(), "{failed:?}");
    }
    Ok(())
}

/// The first verdict that is not a pass. The inputs after a lost job are not run: no other job starts.
fn first_failure(kind: &str, backend: Backend, ranks: usize) -> (TestOutcome, String) {
    let has_started = Cell::new(false);
    let start_once = |_: Version, ranks| match has_started.replace(true) {
        false => start(kind, backend, ranks),
        true => Err("one job is enough".to_owned()),
    };
    let verdicts = graded(&start_once, (backend, ranks), &[]);
    let failed = verdicts.into_iter().find(|verdict| verdict.record.verdict != TestOutcome::Pass);
    let record = failed.unwrap_or_else(|| panic!("`{kind}` must fail")).record;
    (record.verdict, record.reason.expect("a failure has a reason"))
}

fn wrong_versions(backend: Backend) -> Outcome {
    for (kind, outcome, reason) in [
        ("wrong", TestOutcome::Fail, "the output of rank 0 is wrong: expected 0, got 1"),
        ("no output", TestOutcome::Fail, "rank 0 has no output and should have one"),
        ("accepts all", TestOutcome::Fail, "the input was accepted, and must be refused"),
        ("silent", TestOutcome::Fail, "the parallel version communicated nothing"),
        ("panics", TestOutcome::Fail, "no more numbers"),
        ("ends badly", TestOutcome::Crash, "after all passes the job ended with"),
    ] {
        let (found, why) = first_failure(kind, backend, 2);
        assert_eq!(found, outcome, "{kind}: {why}");
        assert!(why.contains(reason), "{kind}: {why}");
    }
    Ok(())
}

/// One pass over a fresh input, whose outputs are right.
fn pass(job: &mut RankJob, region: PassRegion) -> wb_performance::judge::PassTimes {
    let examiner = examiner();
    let (input, encoded) =
        examiner.fresh_input("numbers", 1000, job.size()).expect("random").expect("a workload");
    let home = examiner.home(&input, job.size());
    let end = job.run_pass(&PassInput { home, ..pass_input(region, &encoded) });
    let PassEnd::Finished { times, outputs, statements, .. } = end else { panic!("{end:?}") };
    assert_eq!(examiner.objection(Version::Mpi, &input, (&outputs, &statements), true), None);
    assert!(
        examiner.objection(Version::Mpi, &input, (&vec![None; outputs.len()], &statements), true).is_some()
    );
    *times
}

fn times_from_outside(backend: Backend) -> Outcome {
    let mut job = start("sleeps", backend, 2)?;
    let cost = Duration::from_nanos(job.signal_cost_ns(20)?);
    assert!(cost < Duration::from_millis(20), "signals take {cost:?}");
    for region in [PassRegion::Run, PassRegion::Pipeline] {
        let times = pass(&mut job, region);
        let elapsed = Duration::from_nanos(times.elapsed_ns);
        assert!(elapsed >= Duration::from_millis(30) && elapsed < LIMIT, "{region:?}: {elapsed:?}");
        let share = times.least_cpu_share.expect("Linux reports it");
        assert!(share < 0.5, "a version that sleeps computes {share} of the time");
    }
    job.end()?;
    Ok(())
}

fn more_threads(backend: Backend) -> Outcome {
    const PASSES: usize = 9;
    // A busy machine has no second processor for most of the time, and a launcher may bind a rank to one core.
    const PATIENCE: Duration = Duration::from_secs(30);
    let needed = if backend == Backend::Threads { 1.2 } else { 0.5 };
    let [mut one, mut two] = [start("one thread", backend, 1)?, start("two threads", backend, 1)?];
    let [mut of_one, mut of_two] = [vec![], vec![]];
    let since = Instant::now();
    while of_one.len() < PASSES || of_two[of_two.len() - 1] <= needed && since.elapsed() < PATIENCE {
        for (job, found) in [(&mut one, &mut of_one), (&mut two, &mut of_two)] {
            found.push(pass(job, PassRegion::Run).processors.expect("Linux reports it"));
            found.sort_unstable_by(f64::total_cmp);
        }
    }
    // The later job ends first: a job takes the processes that it does not know for its own.
    two.end()?;
    one.end()?;
    let middle = of_one.len() / 2;
    assert!(of_one[middle] < 1.3, "one thread: {of_one:?}");
    assert!(of_two[middle] < 2.3 && of_two[of_two.len() - 1] > needed, "two threads: {of_two:?}");
    Ok(())
}

/// Something that has ended the job because of this process.
fn ended_by(process: u32) -> AskEndCause {
    let cause = EndCause { reason: "the sandbox was ended".into(), process, used: 1 << 30 };
    Arc::new(move || Some(cause.clone()))
}

/// One pass over this input, which rank 0 has.
fn pass_input(region: PassRegion, input: &[u8]) -> PassInput<'_> {
    PassInput { version: Version::Mpi, region, home: 0, input, limit: Some(LIMIT), is_isolated: false }
}

fn run_pass(job: &mut RankJob, region: PassRegion, input: &[u8]) -> PassEnd {
    job.run_pass(&pass_input(region, input))
}

fn ended_from_outside(backend: Backend) -> Outcome {
    let mut job = start_watched("exits", backend, 2, Some(ended_by(std::process::id())))?;
    let end = run_pass(&mut job, PassRegion::Run, &examiner().encode(&vec![1, 2])?);
    // This process is no rank, so no rank is named.
    assert_eq!(end, PassEnd::Lost { reason: "the sandbox was ended".into() });
    let unconnected = start_watched("own: never connects", backend, 2, Some(ended_by(std::process::id())));
    assert_eq!(unconnected.err().as_deref(), Some("the sandbox was ended"));
    Ok(())
}

fn largest_rank_is_named() -> Outcome {
    let known = current_children();
    let rank = Arc::new(OnceLock::new());
    let found = Arc::clone(&rank);
    let ask: AskEndCause = Arc::new(move || ended_by(*found.get()?)());
    let mut job = start_watched("exits", Backend::Threads, 1, Some(ask))?;
    let new: Vec<u32> = current_children().difference(&known).copied().collect();
    let [process] = new[..] else { panic!("one process has all ranks: {new:?}") };
    rank.set(process).expect("it is set once");
    let end = run_pass(&mut job, PassRegion::Run, &examiner().encode(&vec![1, 2])?);
    let reason = "the sandbox was ended; most of it, 1024 MB, is that of rank 0";
    assert_eq!(end, PassEnd::Lost { reason: reason.into() });
    Ok(())
}

fn cause_before_reports() -> Outcome {
    let end = |cause: Option<AskEndCause>| -> Result<PassEnd, String> {
        let mut job = start_watched(own_main::LOSES_ONE, Backend::Threads, 2, cause)?;
        Ok(run_pass(&mut job, PassRegion::Run, &examiner().encode(&vec![1, 2]).expect("numbers")))
    };
    let failed = end(None)?;
    assert!(matches!(&failed, PassEnd::Failed { reason } if reason.contains("no partner")), "{failed:?}");
    let ended = end(Some(ended_by(std::process::id())))?;
    assert_eq!(ended, PassEnd::Lost { reason: "the sandbox was ended".into() });
    Ok(())
}

/// All kinds in one process; of MPI those whose mistake is in what a launcher gives a rank.
fn own_programs(backend: Backend) -> Outcome {
    let is_run = |kind: &str| backend == Backend::Threads || own_main::OF_LAUNCHERS.contains(&kind);
    for (kind, _) in own_main::KINDS.into_iter().filter(|(kind, _)| is_run(kind)) {
        let (outcome, why) = first_failure(kind, backend, 2);
        assert_ne!(outcome, TestOutcome::Pass);
        assert!(own_main::is_noticed(kind, &why), "{kind}: {why}");
    }
    Ok(())
}

/// How much later than its limit a pass may end on a busy machine: the judge waits half a second for messages.
const LATE_MAX: Duration = Duration::from_secs(3);

/// A pass that exceeds its limit is late, whether the rank notices it or never answers.
fn late_answer(backend: Backend) -> Outcome {
    let (input, short) = (examiner().encode(&vec![1, 2])?, Duration::from_millis(10));
    for (kind, limit) in [(own_main::ANSWERS_LATE, LIMIT), ("sleeps", short), ("hangs", short)] {
        let mut job = start(kind, backend, 2)?;
        let pass = PassInput { limit: Some(limit), ..pass_input(PassRegion::Pipeline, &input) };
        let begun = Instant::now();
        let end = job.run_pass(&pass);
        assert!(begun.elapsed() < limit + LATE_MAX, "`{kind}`: {:?}", begun.elapsed());
        assert!(matches!(end, PassEnd::Late { .. }), "`{kind}` under a limit of {limit:?}: {end:?}");
    }
    Ok(())
}

/// The rank that gets the input starts last: its transfer is between the last start signal and the last answer.
fn timed_transfer(backend: Backend) -> Outcome {
    let (kind, wait) = own_main::STARTS_LATE;
    let mut job = start(kind, backend, 2)?;
    let end = pass_with_large_input(&mut job, PassRegion::Pipeline);
    let PassEnd::Finished { times, .. } = end else { panic!("{end:?}") };
    let [elapsed, spread] = [times.elapsed_ns, times.start_spread_ns].map(Duration::from_nanos);
    let is_timed = elapsed > spread;
    assert!(is_timed, "the transfer takes {wait:?}: {spread:?} before the last start, {elapsed:?} after it");
    Ok(())
}

fn end_before_start(backend: Backend) -> Outcome {
    let mut job = start(own_main::ENDS_AT_ONCE, backend, 1)?;
    let why = job.signal_cost_ns(100).expect_err("no rank knows of its start before it");
    assert!(why.contains("rank 0 reported the end of the timed region before its start"), "{why}");
    Ok(())
}

/// One pass over an input that is larger than the buffers of a connection.
fn pass_with_large_input(job: &mut RankJob, region: PassRegion) -> PassEnd {
    let fresh = examiner().fresh_input("numbers", 2_000_000, job.size());
    let (_, input) = fresh.expect("random").expect("a workload");
    assert!(input.len() > 1 << 21, "{} bytes fit into a buffer", input.len());
    run_pass(job, region, &input)
}

fn never_reading_rank(backend: Backend) -> Outcome {
    let mut job = start(own_main::NEVER_READS, backend, 2)?;
    let begin = Instant::now();
    let end = pass_with_large_input(&mut job, PassRegion::Run);
    let PassEnd::Late { reason } = &end else { panic!("{end:?}") };
    assert!(reason.contains("rank 0 has not read a message"), "{reason}");
    assert!(begin.elapsed() < 10 * LIMIT, "{:?}", begin.elapsed());
    Ok(())
}

fn flooding_rank(backend: Backend) -> Outcome {
    let before = resident_bytes();
    let mut job = start(own_main::FLOODS, backend, 2)?;
    // The rank sends while the judge is busy with something else.
    std::thread::sleep(Duration::from_secs(1));
    let grown = resident_bytes().saturating_sub(before);
    assert!(grown < own_main::FLOOD_BYTES / 8, "the judge has {grown} bytes more");
    let end = pass_with_large_input(&mut job, PassRegion::Run);
    assert!(matches!(end, PassEnd::Failed { .. } | PassEnd::Late { .. }), "{end:?}");
    Ok(())
}

/// The memory of this process that is in use.
fn resident_bytes() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux reports it");
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<usize>().ok());
    kilobytes.expect("a number") * 1024
}

//! End-to-end tests of the orchestrator and its workers, on ranks that are threads: this program measures tasks that
//! are right, wrong, endless or terminated, and checks the records and the output.
use std::{
    collections::BTreeSet,
    fs,
    path::Path,
    process::{Command, ExitCode, Output},
    time::Duration,
};

use libtest_mimic::Trial;
use wb_performance::{BenchmarkProgram, Package};
use wb_record::{Measurement, Record, SeriesFailure, Sweep, TimedRegion, Timing, Version, read_all};

#[path = "performance/endings.rs"]
mod endings;
#[path = "performance/tasks.rs"]
pub(crate) mod tasks;

use endings::*;
use tasks::{Adder, Behaviour, LinearBcast, LinearScatter, Nothing};

use crate::{checked, several_clocks};

/// Names the program to measure, for orchestrator and worker.
const CASE: &str = "WBTEST_CASE";

/// Names the folder with the settings, for the orchestrator.
const FOLDER: &str = "WBTEST_FOLDER";

/// The end of this process, if it is an orchestrator or a worker of a test.
pub(crate) fn run_part() -> Option<ExitCode> {
    let case = std::env::var(CASE).ok()?;
    let (program, backends) = match case.split_once(": ") {
        Some(("check", case)) => (checked::program(case), workbench::in_one_process()),
        Some(("clocks", case)) => (several_clocks::program(case), workbench::backends()),
        _ => (program(&case), workbench::in_one_process()),
    };
    let folder = std::env::var(FOLDER).expect("the test names the folder").leak();
    Some(wb_performance::main(Package { folder, name: "example_p_sum" }, backends, &program))
}

fn program(case: &str) -> BenchmarkProgram {
    let right = || Adder(Behaviour::Right);
    let of = |behaviour| BenchmarkProgram::new(right(), Adder(behaviour));
    match case {
        "right" => of(Behaviour::Right),
        "wrong" => of(Behaviour::Wrong),
        "reference" => BenchmarkProgram::with_reference(right(), right(), right()),
        "endless" => of(Behaviour::Endless),
        "unended" => of(Behaviour::Unterminated),
        "parent" => of(Behaviour::Parent),
        "greedy" => of(Behaviour::OutOfMemory),
        "orphans" => of(Behaviour::Orphans),
        "killed" => of(Behaviour::Killed),
        "gone" => of(Behaviour::Exits),
        "nothing" => BenchmarkProgram::new(Nothing, Nothing),
        "linear" => of(Behaviour::Right).with_communication(LinearBcast),
        "dealt" | "skewed" => {
            of(Behaviour::Right).with_communication(LinearScatter { is_skewed: case == "skewed" })
        }
        unknown => panic!("no case {unknown}"),
    }
}

pub(crate) fn trials() -> impl IntoIterator<Item = Trial> {
    trials![
        a_right_task_is_measured_in_every_version,
        a_part_measures_its_launches_only,
        the_instructors_version_is_measured_beside_the_students,
        progress_in_a_pipe_is_numbered_lines,
        a_wrong_output_is_found_and_quoted,
        a_limit_interrupts_and_names_the_job,
        memory_that_runs_out_is_the_reason,
        processes_left_behind_are_ended_and_named,
        a_rank_that_does_not_end_after_its_result_fails_its_launch,
        a_missing_result_is_missed,
        a_worker_names_the_rank_and_the_line_of_an_endless_loop,
        a_worker_names_the_rank_and_the_line_that_ran_out_of_memory,
        a_worker_leaves_no_process_behind,
        a_worker_that_dies_is_told_with_what_may_have_killed_it,
        a_pass_that_has_no_room_is_refused_before_it_is_made,
        the_harness_adds_less_than_a_microsecond,
        a_sweep_counts_messages_and_rounds,
        a_sweep_is_right_where_the_library_is_the_same,
        a_size_at_which_nothing_moves_is_marked_and_not_sampled,
        bad_arguments_and_settings_are_refused,
    ]
}

/// A run of the orchestrator: its records and its output.
struct OrchestratorRun {
    output: Output,
    records: Vec<Record>,
}

impl OrchestratorRun {
    fn stderr_text(&self) -> String {
        String::from_utf8_lossy(&self.output.stderr).into_owned()
    }

    fn measurements(&self) -> impl Iterator<Item = &Measurement> {
        self.records.iter().map(|record| &record.measurement)
    }

    fn timings(&self) -> impl Iterator<Item = &Timing> {
        self.measurements()
            .filter_map(|m| if let Measurement::Timing(timing) = m { Some(timing) } else { None })
    }

    /// The sizes of the only sweep.
    fn sweeps(&self) -> Vec<&Sweep> {
        let sweeps = self.measurements().filter_map(|m| match m {
            Measurement::Sweep(sweep) => Some(sweep),
            _ => None,
        });
        let sweeps: Vec<_> = sweeps.collect();
        assert!(!sweeps.is_empty(), "{}", self.stderr_text());
        sweeps
    }

    /// The failures of `version` at `ranks`, for each of its series.
    fn failures(&self, version: Version, ranks: u32) -> Vec<Option<SeriesFailure>> {
        let outcomes = self.measurements().filter_map(|m| match m {
            Measurement::Outcome(o) if o.series.version == version && o.series.ranks == ranks => Some(o),
            _ => None,
        });
        let failures: Vec<_> = outcomes.map(|outcome| outcome.failure.clone()).collect();
        assert_eq!(failures.len(), 2, "one outcome in each mode: {}", self.stderr_text());
        failures
    }
}

/// Measures `case`, whose parallel version crashes at two ranks: the reason in each mode.
fn crash_reasons(case: &str) -> (OrchestratorRun, Vec<String>) {
    let run = measure(case, "1,2", None);
    assert_eq!(run.output.status.code(), Some(1));
    let reason = |failure| match failure {
        Some(SeriesFailure::Crashed { reason }) => reason,
        other => panic!("{other:?}"),
    };
    let reasons = run.failures(Version::Mpi, 2).into_iter().map(reason).collect();
    (run, reasons)
}

/// Measures `case` at these ranks.
fn measure(case: &str, ranks: &str, limit: Option<&str>) -> OrchestratorRun {
    measure_with(case, &["--wb-ranks", ranks], limit)
}

fn measure_with(case: &str, arguments: &[&str], limit: Option<&str>) -> OrchestratorRun {
    let mut benchmark = Benchmark::new(case, 2000);
    let records = benchmark.folder.path().join("records.jsonl");
    let command = benchmark.command.arg("--wb-quick").args(arguments).arg("--wb-records").arg(&records);
    command.envs(limit.map(|limit| ("WB_PERF_MAX_TIME", limit)));
    let output = command.output().expect("this program starts");
    let text = fs::read_to_string(&records).unwrap_or_default();
    OrchestratorRun { output, records: read_all(&text).expect("records are readable") }
}

fn start(case: &str, folder: &Path) -> Command {
    let mut command = Command::new(std::env::current_exe().expect("this program has a name"));
    command.env(CASE, case).env(FOLDER, folder).env_remove("WB_PERF_MAX_TIME");
    command
}

/// A benchmark with a folder of its own.
pub(crate) struct Benchmark {
    pub(crate) folder: tempfile::TempDir,
    pub(crate) command: Command,
}

impl Benchmark {
    /// The benchmark of `case` with an input of this size.
    pub(crate) fn new(case: &str, size: usize) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path();
        let course = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tasks/course.yaml");
        fs::create_dir(path.join("tasks")).expect("a folder");
        fs::copy(course, path.join("tasks/course.yaml")).expect("the course's settings");
        fs::write(path.join("Cargo.toml"), "[workspace]\n").expect("written");
        let task = "student: A B\ngroup: G\ntask_number: 1\nvariant: 1\nkind: computation\n\
                    status: {seq: enabled, mpi: enabled}\n";
        let workloads =
            format!("performance: {{workloads: [{{name: count, size: {size}}}], ranks: [1, 2]}}\n");
        fs::write(path.join("task.yaml"), format!("{task}{workloads}")).expect("written");
        let mut command = start(case, path);
        command.args(["--bench", "--wb-lang", "en"]);
        Self { folder, command }
    }
}

fn a_right_task_is_measured_in_every_version() {
    let run = measure("right", "1,2", None);
    assert!(run.output.status.success(), "{}", run.stderr_text());
    assert!(matches!(run.records[0].measurement, Measurement::Plan(_)), "the plan comes first");
    // Ranks that share a core are launched only once.
    let launches = if wb_process::usable_cores() >= 2 { 2 } else { 1 };
    let timings = |version, ranks, mode| -> Vec<_> {
        let is_wanted =
            |t: &&Timing| t.series.version == version && t.series.ranks == ranks && t.series.mode == mode;
        run.timings().filter(is_wanted).collect()
    };
    for (version, ranks, launches) in
        [(Version::Seq, 1, 2), (Version::Mpi, 1, 2), (Version::Mpi, 2, launches)]
    {
        for mode in [TimedRegion::TaskRun, TimedRegion::Pipeline] {
            let timings = timings(version, ranks, mode);
            assert_eq!(timings.len(), launches, "{version:?} {ranks} {mode:?}");
            assert!(timings.iter().all(|t| t.warmup_dropped >= 1 && !t.repetitions.is_empty()));
            let repetitions = || timings.iter().flat_map(|t| &t.repetitions);
            assert!(repetitions().all(|r| r.correct == Some(true) && r.elapsed_ns > 0));
            assert!(timings.iter().all(|t| !t.stages.is_empty() && t.sentinel.is_some()));
        }
        for failure in run.failures(version, ranks) {
            assert!(matches!(failure, Some(SeriesFailure::TooShort { .. })), "{failure:?}");
        }
    }
    // On one rank a pass through the pipeline contains that of `run`.
    let [of_run, whole] =
        [TimedRegion::TaskRun, TimedRegion::Pipeline].map(|mode| timings(Version::Seq, 1, mode));
    for (of_run, whole) in of_run.iter().zip(&whole) {
        let passes = |t: &Timing| t.warmup_dropped as usize + t.repetitions.len();
        assert_eq!(passes(of_run), passes(whole));
        let mut pairs = of_run.repetitions.iter().rev().zip(whole.repetitions.iter().rev());
        assert!(pairs.all(|(of_run, whole)| of_run.elapsed_ns < whole.elapsed_ns));
    }
    let ceilings = run.measurements().filter(|m| matches!(m, Measurement::Ceiling(c) if c.ranks == 2));
    assert_eq!(ceilings.count(), launches);
    let environment = &run.records[1].environment;
    assert!(environment.clock.resolution_ns > 0.0 && environment.build.rustc.starts_with("rustc "));
}

fn a_part_measures_its_launches_only() {
    let run = measure_with("right", &["--wb-ranks", "1", "--wb-part", "1/2"], None);
    assert!(run.output.status.success(), "{}", run.stderr_text());
    let launches: BTreeSet<u32> = run.timings().map(|timing| timing.launch).collect();
    assert_eq!(launches, BTreeSet::from([1]), "the second of two launches");
}

fn the_instructors_version_is_measured_beside_the_students() {
    let run = measure("reference", "1", None);
    assert!(run.output.status.success(), "{}", run.stderr_text());
    assert_eq!(run.failures(Version::Reference, 1).len(), 2);
}

fn progress_in_a_pipe_is_numbered_lines() {
    let run = measure("nothing", "1", None);
    let text = run.stderr_text();
    let numbered: Vec<&str> = text.lines().filter(|line| line.starts_with('[')).collect();
    assert_eq!(numbered.len(), 4, "{text}");
    assert!(numbered[0].starts_with("[1/4] launch 1: "), "{text}");
    assert!(numbered[3].starts_with("[4/4] launch 2: "), "{text}");
    assert!(!text.contains('\u{1b}'), "no control characters in a pipe: {text:?}");
}

fn a_wrong_output_is_found_and_quoted() {
    let run = measure("wrong", "1,2", None);
    assert_eq!(run.output.status.code(), Some(1));
    for failure in run.failures(Version::Mpi, 2) {
        let reason = "the sum is 2001001, expected 2001000".to_owned();
        assert_eq!(failure, Some(SeriesFailure::Incorrect { reason }));
    }
    assert!(run.failures(Version::Mpi, 1).iter().all(|f| matches!(f, Some(SeriesFailure::TooShort { .. }))));
}

fn a_limit_interrupts_and_names_the_job() {
    let start = std::time::Instant::now();
    let run = measure("endless", "1,2", Some("1.5"));
    assert!(start.elapsed() < Duration::from_secs(60), "the hour was not interrupted");
    assert_eq!(run.output.status.code(), Some(1));
    for failure in run.failures(Version::Mpi, 2) {
        assert_eq!(failure, Some(SeriesFailure::Limit { limit_s: 1.5 }));
    }
    let named = "FAILED launch 1: mpi, P = 2: interrupted, workload `count`: the limit of 1.5 s";
    assert!(run.stderr_text().contains(named), "{}", run.stderr_text());
    let place = "computes and does not communicate, at framework/performance/tests/performance/tasks.rs:";
    assert!(run.stderr_text().contains(place), "{}", run.stderr_text());
    let jobs = run.stderr_text().lines().filter(|line| line.ends_with("mpi, P = 2")).count();
    assert_eq!(jobs, 1, "what is endless is not launched again");
}

fn a_missing_result_is_missed() {
    for reason in crash_reasons("gone").1 {
        assert!(reason.starts_with("no result from rank(s) 0, 1 of 2"), "{reason}");
    }
}

fn the_harness_adds_less_than_a_microsecond() {
    let run = measure("nothing", "1", None);
    let of_run = run.timings().filter(|t| t.series.mode == TimedRegion::TaskRun);
    let samples: Vec<f64> = of_run.flat_map(Timing::samples_ns).collect();
    let median = wb_record::statistics::median(&samples).expect("samples");
    println!("an empty task takes {median} ns");
    // The bound holds for optimised code, as in a measurement.
    let allowed = if cfg!(debug_assertions) { 10_000.0 } else { 1_000.0 };
    assert!(median < allowed, "an empty task takes {median} ns");
}

fn a_sweep_counts_messages_and_rounds() {
    let run = measure("linear", "3", None);
    assert!(run.output.status.success(), "{}", run.stderr_text());
    for sweep in run.sweeps() {
        assert!(sweep.correct, "{sweep:?}");
        assert_eq!(sweep.student_ns.len(), sweep.library_ns.len());
        let formula = sweep.formula.as_ref().expect("an assignment has a formula");
        assert_eq!((sweep.messages, sweep.rounds), (formula.messages, Some(formula.rounds)), "{sweep:?}");
        assert_eq!(formula.algorithm, "linear");
    }
}

/// A verb other than broadcast: each rank of a scatter has a different result.
fn a_sweep_is_right_where_the_library_is_the_same() {
    assert!(measure("dealt", "3", None).sweeps().iter().all(|sweep| sweep.correct));
    for sweep in measure("skewed", "3", None).sweeps() {
        assert_eq!(
            sweep.correct,
            sweep.count < 3,
            "wrong elements are noticed where there are any: {sweep:?}"
        );
    }
}

/// A scatter of fewer elements than ranks; a broadcast always moves something.
fn a_size_at_which_nothing_moves_is_marked_and_not_sampled() {
    let scatter = measure("dealt", "3", None);
    assert!(scatter.sweeps().iter().any(|sweep| sweep.moves_nothing));
    for sweep in scatter.sweeps() {
        assert_eq!(sweep.moves_nothing, sweep.count < 3, "{sweep:?}");
        assert!(!sweep.moves_nothing || sweep.student_ns.len() == 1, "{sweep:?}");
    }
    assert!(measure("linear", "3", None).sweeps().iter().all(|sweep| !sweep.moves_nothing));
}

fn bad_arguments_and_settings_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let refused = |arguments: &[&str]| {
        let output = start("right", folder.path()).args(arguments).output().expect("it starts");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    assert!(refused(&["--bench", "--wb-lang", "en", "--wb-ranks", "1,none"]).contains("`none`"));
    assert!(refused(&["--bench"]).contains("task.yaml"), "there are no settings");
}

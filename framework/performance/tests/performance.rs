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
use wb_record::{Measurement, Record, SeriesFailure, TimedRegion, Timing, Version, read_all};

#[path = "performance/adder.rs"]
pub(crate) mod adder;
#[path = "performance/endings.rs"]
mod endings;
#[path = "performance/nothing.rs"]
mod nothing;
#[path = "performance/verbs.rs"]
mod verbs;
#[path = "performance/workers.rs"]
mod workers;

use adder::{Adder, Behaviour};
use endings::{
    a_rank_that_does_not_end_after_its_result_fails_its_launch, memory_that_runs_out_is_the_reason,
    processes_left_behind_are_ended_and_named, running_daemons,
};
use nothing::Nothing;
use verbs::{LinearBcast, LinearScatter, a_size_at_which_nothing_moves_is_marked_and_not_sampled};
use workers::*;

/// Names the program to measure, for orchestrator and worker.
const CASE: &str = "WB_TEST_CASE";

/// Names the folder with the settings, for the orchestrator.
const FOLDER: &str = "WB_TEST_FOLDER";

/// The end of this process, if it is an orchestrator or a worker of these tests.
pub(crate) fn run_part() -> Option<ExitCode> {
    let case = std::env::var(CASE).ok()?;
    let program = match case.as_str() {
        "right" => BenchmarkProgram::new(Adder(Behaviour::Right), Adder(Behaviour::Right)),
        "wrong" => BenchmarkProgram::new(Adder(Behaviour::Right), Adder(Behaviour::Wrong)),
        "reference" => {
            let right = || Adder(Behaviour::Right);
            BenchmarkProgram::with_reference(right(), right(), right())
        }
        "endless" => BenchmarkProgram::new(Adder(Behaviour::Right), Adder(Behaviour::Endless)),
        "unended" => BenchmarkProgram::new(Adder(Behaviour::Right), Adder(Behaviour::Unterminated)),
        "parent" => BenchmarkProgram::new(Adder(Behaviour::Right), Adder(Behaviour::Parent)),
        "greedy" => BenchmarkProgram::new(Adder(Behaviour::Right), Adder(Behaviour::OutOfMemory)),
        "orphans" => BenchmarkProgram::new(Adder(Behaviour::Right), Adder(Behaviour::Orphans)),
        "killed" => BenchmarkProgram::new(Adder(Behaviour::Right), Adder(Behaviour::Killed)),
        "gone" => BenchmarkProgram::new(Adder(Behaviour::Right), Adder(Behaviour::Exits)),
        "nothing" => BenchmarkProgram::new(Nothing, Nothing),
        "linear" => BenchmarkProgram::new(Adder(Behaviour::Right), Adder(Behaviour::Right))
            .with_communication(LinearBcast),
        "dealt" | "skewed" => BenchmarkProgram::new(Adder(Behaviour::Right), Adder(Behaviour::Right))
            .with_communication(LinearScatter { is_skewed: case == "skewed" }),
        unknown => panic!("no case {unknown}"),
    };
    let folder = std::env::var(FOLDER).expect("the test names the folder").leak();
    let package = Package { folder, name: "example_p_sum" };
    Some(wb_performance::main(package, workbench::in_one_process(), &program))
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

/// Measures `case` at these ranks.
fn measure(case: &str, ranks: &str, limit: Option<&str>) -> OrchestratorRun {
    measure_with(case, &["--wb-ranks", ranks], limit)
}

fn measure_with(case: &str, arguments: &[&str], limit: Option<&str>) -> OrchestratorRun {
    let folder = tempfile::tempdir().expect("a folder");
    settings(folder.path());
    let records = folder.path().join("records.jsonl");
    let mut command = start(case, folder.path());
    command.args(["--bench", "--wb-quick", "--wb-lang", "en"]).args(arguments);
    command.arg("--wb-records").arg(&records);
    if let Some(limit) = limit {
        command.env("WB_PERF_MAX_TIME", limit);
    }
    let output = command.output().expect("this program starts");
    let text = fs::read_to_string(&records).unwrap_or_default();
    OrchestratorRun { output, records: read_all(&text).expect("records are readable") }
}

fn start(case: &str, folder: &Path) -> Command {
    let mut command = Command::new(std::env::current_exe().expect("this program has a name"));
    command.env(CASE, case).env(FOLDER, folder).env_remove("WB_PERF_MAX_TIME");
    command
}

fn settings(folder: &Path) {
    let course = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tasks/course.yaml");
    fs::create_dir(folder.join("tasks")).expect("a folder");
    fs::copy(course, folder.join("tasks/course.yaml")).expect("the course's settings");
    fs::write(folder.join("Cargo.toml"), "[workspace]\n").expect("written");
    let task = "student: A B\ngroup: G\ntask_number: 1\nvariant: 1\nkind: computation\n\
                status: {seq: enabled, mpi: enabled}\n\
                performance: {workloads: [{name: count, size: 2000}], ranks: [1, 2]}\n";
    fs::write(folder.join("task.yaml"), task).expect("written");
}

fn a_right_task_is_measured_in_every_version() {
    let run = measure("right", "1,2", None);
    assert!(run.output.status.success(), "{}", run.stderr_text());
    assert!(matches!(run.records[0].measurement, Measurement::Plan(_)), "the plan comes first");
    // Ranks that share a core are launched only once.
    let launches = if wb_process::usable_cores() >= 2 { 2 } else { 1 };
    let timings = |version, ranks, mode| -> Vec<_> {
        let timings = run.measurements().filter_map(|m| match m {
            Measurement::Timing(t) => Some(t),
            _ => None,
        });
        timings
            .filter(|t| t.series.version == version && t.series.ranks == ranks && t.series.mode == mode)
            .collect()
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
    let launches: BTreeSet<u32> = run
        .measurements()
        .filter_map(|measurement| match measurement {
            Measurement::Timing(timing) => Some(timing.launch),
            _ => None,
        })
        .collect();
    assert_eq!(launches, BTreeSet::from([1]), "the second of two launches");
}

fn the_instructors_version_is_measured_beside_the_students() {
    let run = measure("reference", "1", None);
    assert!(run.output.status.success(), "{}", run.stderr_text());
    assert_eq!(run.failures(Version::Reference, 1).len(), 2);
}

fn progress_in_a_pipe_is_numbered_lines() {
    let run = measure("nothing", "1", None);
    let said = run.stderr_text();
    let numbered: Vec<&str> = said.lines().filter(|line| line.starts_with('[')).collect();
    assert_eq!(numbered.len(), 4, "{said}");
    assert!(numbered[0].starts_with("[1/4] launch 1: "), "{said}");
    assert!(numbered[3].starts_with("[4/4] launch 2: "), "{said}");
    assert!(!said.contains('\u{1b}'), "no control characters in a pipe: {said:?}");
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
    let place = "computes and does not communicate, at framework/performance/tests/performance/adder.rs:";
    assert!(run.stderr_text().contains(place), "{}", run.stderr_text());
    let jobs = run.stderr_text().lines().filter(|line| line.ends_with("mpi, P = 2")).count();
    assert_eq!(jobs, 1, "what is endless is not launched again");
}

fn a_missing_result_is_missed() {
    let run = measure("gone", "1,2", None);
    assert_eq!(run.output.status.code(), Some(1));
    for failure in run.failures(Version::Mpi, 2) {
        let Some(SeriesFailure::Crashed { reason }) = failure else { panic!("{failure:?}") };
        assert!(reason.starts_with("no result from rank(s) 0, 1 of 2"), "{reason}");
    }
}

fn the_harness_adds_less_than_a_microsecond() {
    let run = measure("nothing", "1", None);
    let timings = run.measurements().filter_map(|m| match m {
        Measurement::Timing(t) if t.series.mode == TimedRegion::TaskRun => Some(t.samples_ns()),
        _ => None,
    });
    let samples: Vec<f64> = timings.flatten().collect();
    let median = wb_statistics::median(&samples).expect("samples");
    println!("an empty task takes {median} ns");
    // The bound holds for optimised code, as in a measurement.
    let allowed = if cfg!(debug_assertions) { 10_000.0 } else { 1_000.0 };
    assert!(median < allowed, "an empty task takes {median} ns");
}

fn a_sweep_counts_messages_and_rounds() {
    let run = measure("linear", "3", None);
    assert!(run.output.status.success(), "{}", run.stderr_text());
    let sweeps = run.measurements().filter_map(|m| match m {
        Measurement::Sweep(sweep) => Some(sweep),
        _ => None,
    });
    let sweeps: Vec<_> = sweeps.collect();
    assert!(!sweeps.is_empty());
    for sweep in sweeps {
        assert!(sweep.correct, "{sweep:?}");
        assert_eq!(sweep.student_ns.len(), sweep.library_ns.len());
        let formula = sweep.formula.as_ref().expect("an assignment has a formula");
        assert_eq!((sweep.messages, sweep.rounds), (formula.messages, Some(formula.rounds)), "{sweep:?}");
        assert_eq!(formula.algorithm, "linear");
    }
}

/// A verb other than broadcast: each rank of a scatter has a different result.
fn a_sweep_is_right_where_the_library_is_the_same() {
    let sweeps = |case| {
        let sweeps = measure(case, "3", None)
            .measurements()
            .filter_map(|measurement| match measurement {
                Measurement::Sweep(sweep) => Some((sweep.count, sweep.correct)),
                _ => None,
            })
            .collect::<Vec<_>>();
        assert!(!sweeps.is_empty());
        sweeps
    };
    assert!(sweeps("dealt").iter().all(|&(_, correct)| correct));
    for (count, correct) in sweeps("skewed") {
        let is_empty = count < 3;
        assert_eq!(correct, is_empty, "{count} elements: wrong ones are noticed where there are any");
    }
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

//! A benchmark whose ranks read two clocks: rank 1 of a real job is in a time namespace, so its clock is 5 s ahead.
//!
//! This program is the orchestrator and the worker, too. Without MPI, or where time namespaces are not allowed, the tests are
//! skipped and counted as skipped.
#[path = "performance/adder.rs"]
#[allow(dead_code, reason = "one behaviour of several")]
mod adder;
#[path = "../../clocks/tests/namespaces/time_namespace.rs"]
mod time_namespace;

use std::{
    fs,
    path::Path,
    process::{Command, ExitCode},
};

use adder::{Adder, Behaviour};
use libtest_mimic::{Arguments, Trial};
use time_namespace::{AHEAD_S, enter_as_rank_1, why_missing};
use wb_performance::{BenchmarkProgram, Package};
use wb_record::{ElapsedFrom, Measurement, Record, SeriesFailure, Version, read_all};

/// Names the folder with the settings, for orchestrator and worker.
const FOLDER: &str = "WB_TEST_FOLDER";

/// Set where rank 1 is to be in a time namespace.
const SEVERAL: &str = "WB_TEST_SEVERAL_CLOCKS";

fn main() -> ExitCode {
    let Some(folder) = std::env::var_os(FOLDER) else { return run_tests() };
    if std::env::var_os(SEVERAL).is_some() {
        enter_as_rank_1();
    }
    let folder = folder.into_string().expect("a path").leak();
    let program = BenchmarkProgram::new(Adder(Behaviour::Right), Adder(Behaviour::Right));
    wb_performance::main(Package { folder, name: "example_p_sum" }, workbench::backends(), &program)
}

fn run_tests() -> ExitCode {
    let has_mpi = workbench::backends().processes.is_some();
    let missing =
        if has_mpi { why_missing() } else { Some("this program is not linked with MPI".to_owned()) };
    if let Some(reason) = &missing {
        println!("skipped: {reason}");
    }
    let test = |name, check: fn(), is_skipped| {
        let run = move || {
            check();
            Ok(())
        };
        Trial::test(name, run).with_ignored_flag(is_skipped)
    };
    let tests = vec![
        test("times_of_two_clocks_are_those_of_one", times_of_two_clocks_are_those_of_one, missing.is_some()),
        test(
            "a_launch_on_one_clock_has_records_without_a_comparison",
            a_launch_on_one_clock_has_records_without_a_comparison,
            !has_mpi,
        ),
    ];
    let arguments = Arguments { test_threads: Some(1), ..Arguments::from_args() };
    libtest_mimic::run(&arguments, tests).exit_code()
}

/// The records of a quick benchmark on two ranks.
fn measure(several: bool) -> Vec<Record> {
    let folder = tempfile::tempdir().expect("a folder");
    settings(folder.path());
    let records = folder.path().join("records.jsonl");
    let mut command = Command::new(std::env::current_exe().expect("this program"));
    command.env(FOLDER, folder.path()).env_remove("WB_PERF_MAX_TIME");
    if several {
        command.env(SEVERAL, "1");
    }
    command
        .args(["--bench", "--wb-quick", "--wb-lang", "en", "--wb-ranks", "2", "--wb-records"])
        .arg(&records);
    let output = command.output().expect("this program starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    read_all(&fs::read_to_string(&records).expect("records")).expect("records are readable")
}

fn settings(folder: &Path) {
    let course = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tasks/course.yaml");
    fs::create_dir(folder.join("tasks")).expect("a folder");
    fs::copy(course, folder.join("tasks/course.yaml")).expect("the course's settings");
    fs::write(folder.join("Cargo.toml"), "[workspace]\n").expect("written");
    let task = "student: A B\ngroup: G\ntask_number: 1\nvariant: 1\nkind: computation\n\
                status: {seq: enabled, mpi: enabled}\n\
                performance: {workloads: [{name: count, size: 2000000}], ranks: [2]}\n";
    fs::write(folder.join("task.yaml"), task).expect("written");
}

/// The records of jobs on two ranks.
fn parallel(records: &[Record]) -> impl Iterator<Item = &Record> {
    let is_parallel = |record: &&Record| match &record.measurement {
        Measurement::Timing(timing) => timing.series.version == Version::Mpi,
        Measurement::Ceiling(ceiling) => ceiling.ranks == 2,
        _ => false,
    };
    records.iter().filter(is_parallel)
}

/// Every time that a record states.
fn times_ns(record: &Record) -> Vec<u64> {
    match &record.measurement {
        Measurement::Timing(timing) => {
            timing.repetitions.iter().flat_map(|one| [one.elapsed_ns, one.entry_skew_ns]).collect()
        }
        Measurement::Ceiling(ceiling) => ceiling.samples_ns.clone(),
        _ => vec![],
    }
}

fn times_of_two_clocks_are_those_of_one() {
    let records = measure(true);
    let ahead_ns = AHEAD_S as f64 * 1e9;
    assert!(parallel(&records).count() >= 3, "{} records", records.len());
    for record in parallel(&records) {
        let clock = &record.environment.clock;
        let [reference, other] = &clock.compared[..] else { panic!("{clock:?}") };
        assert_eq!((reference.first_rank, reference.offset_ns), (0, 0.0));
        assert_eq!((other.first_rank, other.ranks), (1, 1));
        assert!((other.offset_ns - ahead_ns).abs() <= other.uncertainty_ns, "{other:?}");
        let uncertainty_ns = clock.uncertainty_ns.expect("two clocks");
        assert!(
            uncertainty_ns >= 2.0 * other.uncertainty_ns && uncertainty_ns < ahead_ns / 10.0,
            "{clock:?}"
        );
        assert!(!other.host.is_empty() && other.host == record.environment.placement[0].host);
        let longest = times_ns(record).into_iter().max().expect("times");
        assert!(longest < 2_000_000_000, "an offset that is not removed is 5 s: {longest} ns");
    }
    let timings = parallel(&records).filter_map(|record| match &record.measurement {
        Measurement::Timing(timing) => Some((timing, record.environment.clock.uncertainty_ns.unwrap_or(0.0))),
        _ => None,
    });
    for (timing, uncertainty_ns) in timings {
        let mut samples = timing.samples_ns();
        samples.sort_by(f64::total_cmp);
        let median = samples[samples.len() / 2];
        // The record's uncertainty is that of the whole launch, so a series can be more certain.
        let is_certain = uncertainty_ns <= 0.1 * median;
        assert!(!is_certain || timing.elapsed_from == ElapsedFrom::CommonClock, "{timing:?}");
    }
    let crashed = records.iter().any(|record| {
        matches!(&record.measurement, Measurement::Outcome(outcome) if matches!(outcome.failure, Some(SeriesFailure::Crashed { .. })))
    });
    assert!(!crashed, "no launch was refused");
}

fn a_launch_on_one_clock_has_records_without_a_comparison() {
    let records = measure(false);
    assert!(parallel(&records).count() >= 3);
    for line in parallel(&records).map(Record::to_line) {
        for word in ["uncertainty_ns", "compared", "elapsed_from"] {
            assert!(!line.contains(word), "{line}");
        }
    }
}

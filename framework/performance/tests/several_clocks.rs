//! A benchmark whose ranks read two clocks: rank 1 of a real job is in a time namespace, so its clock is 5 s ahead.
//!
//! Without MPI, or where time namespaces are not allowed, the tests are
//! skipped and counted as skipped.
use std::{fs, sync::OnceLock};

use libtest_mimic::Trial;
use wb_performance::BenchmarkProgram;
use wb_record::{ElapsedFrom, Measurement, Record, SeriesFailure, Trace, Version, read_all};

use crate::{
    performance::{
        Benchmark,
        tasks::{Adder, Behaviour, LinearBcast},
    },
    time_namespace::{AHEAD_S, enter_as_rank_1, why_missing},
};

/// Set where rank 1 is to be in a time namespace.
const SEVERAL: &str = "WBTEST_SEVERAL_CLOCKS";

/// The program of a benchmark whose ranks may read several clocks: a communication assignment, or another one.
pub(crate) fn program(case: &str) -> BenchmarkProgram {
    if std::env::var_os(SEVERAL).is_some() {
        enter_as_rank_1();
    }
    let program = BenchmarkProgram::new(Adder(Behaviour::Right), Adder(Behaviour::Right));
    if case == SWEEP { program.with_communication(LinearBcast) } else { program }
}

/// The case of a communication assignment.
const SWEEP: &str = "sweep";

pub(crate) fn trials() -> Vec<Trial> {
    let has_mpi = workbench::backends().processes.is_some();
    let not_linked =
        "this program is not linked with MPI; `cargo test --workspace --test measurements` links it";
    let missing = if has_mpi { why_missing() } else { Some(not_linked.to_owned()) };
    if let Some(reason) = &missing {
        println!("skipped: {reason}");
    }
    let of_several =
        trials![times_of_two_clocks_are_those_of_one, so_are_those_of_a_sweep, so_are_those_of_a_trace];
    let of_one = trials![a_launch_on_one_clock_has_records_without_a_comparison];
    let of_several = of_several.map(|test| test.with_ignored_flag(missing.is_some()));
    of_several.into_iter().chain(of_one.map(|test| test.with_ignored_flag(!has_mpi))).collect()
}

/// The records of one launch of a quick benchmark on two ranks.
fn measure(case: &str, variables: &[&str]) -> Vec<Record> {
    let written = run(case, variables, &["--wb-quick", "--wb-part", "1/2", "--wb-records"]);
    read_all(&written).expect("records are readable")
}

/// What this program writes into the file that the last argument names, as a benchmark on two ranks with these variables.
fn run(case: &str, variables: &[&str], arguments: &[&str]) -> String {
    let mut benchmark = Benchmark::new(&format!("clocks: {case}"), 2_000_000);
    let written = benchmark.folder.path().join("written.jsonl");
    let command = benchmark.command.envs(variables.iter().map(|variable| (variable, "1")));
    let output = command.args(["--wb-ranks", "2"]).args(arguments).arg(&written).output();
    let output = output.expect("this program starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    fs::read_to_string(&written).expect("the file")
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

/// The records of a communication assignment: they have the times of the stages, too.
fn several_clocks() -> &'static [Record] {
    static RECORDS: OnceLock<Vec<Record>> = OnceLock::new();
    RECORDS.get_or_init(|| measure(SWEEP, &[SEVERAL]))
}

fn times_of_two_clocks_are_those_of_one() {
    let records = several_clocks();
    let ahead_ns = AHEAD_S as f64 * 1e9;
    assert!(parallel(records).count() >= 3, "{} records", records.len());
    for record in parallel(records) {
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
        assert!(longest < 4_000_000_000, "an offset that is not removed is 5 s: {longest} ns");
        if let Measurement::Timing(timing) = &record.measurement {
            let median = wb_record::statistics::median(&timing.samples_ns()).expect("samples");
            // The record's uncertainty is that of the whole launch, so a series can be more certain.
            let is_certain = uncertainty_ns <= 0.1 * median;
            assert!(!is_certain || timing.elapsed_from == ElapsedFrom::CommonClock, "{timing:?}");
        }
    }
    let crashed = records.iter().any(|record| {
        matches!(&record.measurement, Measurement::Outcome(outcome) if matches!(outcome.failure, Some(SeriesFailure::Crashed { .. })))
    });
    assert!(!crashed, "no launch was refused");
}

fn so_are_those_of_a_sweep() {
    let sweeps = several_clocks().iter().filter_map(|record| match &record.measurement {
        Measurement::Sweep(sweep) => Some((sweep, &record.environment.clock)),
        _ => None,
    });
    let sweeps: Vec<_> = sweeps.collect();
    assert!(!sweeps.is_empty());
    for (sweep, clock) in sweeps {
        assert_eq!(clock.compared.len(), 2);
        let longest = sweep.student_ns.iter().chain(&sweep.library_ns).max().expect("times");
        assert!(sweep.correct && *longest < 4_000_000_000, "an offset that is not removed is 5 s: {sweep:?}");
        assert_eq!(sweep.student_ns.len(), sweep.library_ns.len());
    }
}

fn so_are_those_of_a_trace() {
    let written = run("right", &[SEVERAL], &["--wb-trace"]);
    let trace = Trace::parse_line(written.trim()).expect("a trace");
    let [first, second] = &trace.ranks[..] else { panic!("two ranks") };
    assert_eq!(trace.environment.clock.compared.len(), 2);
    assert!(first.begin_ns.abs_diff(second.begin_ns) < 4_000_000_000, "an offset that is not removed is 5 s");
    for trace in [first, second] {
        let events = trace.events.iter().flat_map(|event| [event.begin_ns, event.end_ns]);
        assert!(trace.events.len() > 1 && events.is_sorted() && trace.begin_ns <= trace.events[0].begin_ns);
        assert!(trace.stages.iter().all(|stage| (trace.begin_ns..=trace.end_ns).contains(&stage.begin_ns)));
    }
}

fn a_launch_on_one_clock_has_records_without_a_comparison() {
    let records = measure("right", &[]);
    assert!(parallel(&records).count() >= 3);
    for line in parallel(&records).map(Record::to_line) {
        for word in ["uncertainty_ns", "compared", "elapsed_from"] {
            assert!(!line.contains(word), "{line}");
        }
    }
}

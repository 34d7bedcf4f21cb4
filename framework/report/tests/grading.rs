//! Runs that must not earn points: a speed-up that is not of the program, and numbers without evidence. Each rule is
//! tested beside a run that differs in that one point and is graded.

use super::synthetic::{SyntheticRun, all_say, none_says};
use wb_messages::Lang;
use wb_record::{
    Backend, Measurement, MeasurementPlan, Record, Repetition, SourceCall, TestOutcome, TimedRegion, Trace,
    TraceEvent, Version, example_trace,
};

const MS: u64 = 1_000_000;

fn is_red(records: &[Record]) -> bool {
    wb_report::html(records, Lang::En).contains(r#"<span class="light bad""#)
}

/// No points, and the status shows it.
fn refused(records: &[Record], why: &str) {
    all_say(records, why);
    all_say(records, "Not gradable as measured");
    none_says(records, "Performance points");
    assert!(is_red(records));
}

fn graded(records: &[Record], points: &str) {
    all_say(records, points);
    none_says(records, "Not gradable as measured");
    assert!(!is_red(records));
}

/// T(1) = 400 ms, and `ms` on two ranks.
fn measured(ms: f64) -> SyntheticRun {
    SyntheticRun::new().plan(&[1, 2]).timing(Version::Seq, 1, 400.0).timing(Version::Mpi, 1, 402.0).timing(
        Version::Mpi,
        2,
        ms,
    )
}

/// The same, and one more run in which rank 0 computes for `first` ms of 100 and rank 1 for `second`.
fn traced(mut run: SyntheticRun, first: u64, second: u64) -> Vec<Record> {
    let mut ranks = example_trace().ranks;
    ranks.truncate(2);
    for (rank, ms) in ranks.iter_mut().zip([first, second]) {
        (rank.begin_ns, rank.end_ns) = (0, 100 * MS);
        rank.communicators[0].size = 2;
        rank.stages.clear();
        rank.calls = vec![SourceCall { verb: "barrier".into(), file: "src/mpi.rs".into(), line: 7 }];
        let act = wb_record::EventKind::Collective {
            sequence: 0,
            shape: wb_record::CollectiveShape::All,
            bytes: 0,
        };
        rank.events = vec![TraceEvent { call: 0, communicator: 0, begin_ns: ms * MS, end_ns: 100 * MS, act }];
    }
    let workload = run.series(Version::Mpi, 2).workload;
    run.push(Trace { subject: run.subject.clone(), workload, ranks, ..example_trace() });
    run.records
}

/// A machine on which two ranks are `factor` times as slow as one.
fn ceiling(run: SyntheticRun, factor: f64) -> SyntheticRun {
    let mut run = run.ceiling(&[1, 2]);
    for record in &mut run.records {
        if let Measurement::Ceiling(ceiling) = &mut record.measurement
            && ceiling.ranks == 2
        {
            ceiling.samples_ns.iter_mut().for_each(|ns| *ns = (*ns as f64 * factor) as u64);
        }
    }
    run
}

fn repetitions(records: &mut [Record], version: Version) -> impl Iterator<Item = &mut Repetition> {
    records.iter_mut().flat_map(move |record| match &mut record.measurement {
        Measurement::Timing(timing) if timing.series.version == version => timing.repetitions.iter_mut(),
        _ => [].iter_mut(),
    })
}

fn plan(records: &mut [Record]) -> &mut MeasurementPlan {
    let plans = records.iter_mut().find_map(|record| match &mut record.measurement {
        Measurement::Plan(plan) => Some(plan),
        _ => None,
    });
    plans.expect("a plan")
}

#[test]
fn a_disguised_sequential_version_is_named_and_earns_nothing() {
    // The ceiling is lower than the speed-up, as on a busy machine: the rest is not the machine's.
    let disguised = traced(ceiling(measured(399.0), 1.44), 99, 1);
    refused(&disguised, "one rank does the work: of the computing of 2 ranks rank 0 does 99.0 %");
    all_say(&disguised, "Each rank's share of the computing, waiting excluded: 0: 99.0 %, 1: 1.0 %.");
    all_say(&disguised, "One rank does the work: divide the computing");
    none_says(&disguised, "of what this machine allows");
}

#[test]
fn an_uneven_program_is_not_accused() {
    let uneven = traced(ceiling(measured(280.0), 1.0), 70, 30);
    graded(&uneven, "Performance points: E ≥ 50 % → 100 % × 5 = 5");
    all_say(&uneven, "waiting excluded: 0: 70.0 %, 1: 30.0 %.");
    none_says(&uneven, "one rank does the work");
}

#[test]
fn a_simulated_trace_is_compared_with_no_timed_run() {
    let run = measured(280.0).mode(TimedRegion::Pipeline);
    let mut records = traced(run.timing(Version::Seq, 1, 400.0).timing(Version::Mpi, 2, 280.0), 99, 1);
    let sentences = ["the timed median of", "one rank does the work"];
    sentences.iter().for_each(|sentence| all_say(&records, sentence));
    for record in &mut records {
        if let Measurement::Trace(trace) = &mut record.measurement {
            trace.simulated = Some("cluster".into());
        }
    }
    sentences.iter().for_each(|sentence| none_says(&records, sentence));
}

#[test]
fn a_series_is_disturbed_where_more_than_a_tenth_of_its_repetitions_is() {
    let run = SyntheticRun { repetitions: 10, ..SyntheticRun::new() }.plan(&[1, 2]);
    let mut records = run.timing(Version::Seq, 1, 400.0).timing(Version::Mpi, 2, 380.0).records;
    for (every, is_named) in [(10, false), (9, true)] {
        let every = repetitions(&mut records, Version::Mpi).step_by(every);
        every.for_each(|repetition| repetition.cpu_share = Some(0.5));
        (if is_named { all_say } else { none_says })(&records, "disturbed by other programs");
    }
}

#[test]
fn points_need_a_speed_up_beyond_doubt() {
    for (ms, points) in [(399.9, "→ 0 % × 5 = 0"), (380.0, "E ≥ 50 % → 100 % × 5 = 5")] {
        all_say(&measured(ms).records, points);
    }
    all_say(&measured(399.9).records, "points need S above 1 with its whole interval");
    none_says(&measured(380.0).records, "points need");
}

#[test]
fn the_machine_is_blamed_only_for_what_is_its_own() {
    let limited = ceiling(measured(260.0), 1.27).records;
    all_say(&limited, "of what this machine allows at this rank count");
    let impossible = ceiling(measured(260.0), 1.6).records;
    none_says(&impossible, "of what this machine allows at this rank count");
    // One launch of the ceiling's kernel was quiet: the interval reaches beyond the speed-up, and the median does not.
    let mut uncertain = ceiling(measured(260.0), 1.6).records;
    for record in &mut uncertain {
        if let Measurement::Ceiling(ceiling) = &mut record.measurement
            && (ceiling.ranks, ceiling.launch) == (2, 0)
        {
            ceiling.samples_ns.iter_mut().for_each(|ns| *ns = *ns * 10 / 16);
        }
    }
    none_says(&uncertain, "a speed-up lies above 110 %");
    none_says(&uncertain, "of what this machine allows at this rank count");
}

#[test]
fn nothing_above_the_machines_ceiling_is_graded() {
    refused(
        &ceiling(measured(260.0), 1.6).records,
        "a speed-up lies above 110 % of what this machine allows",
    );
    graded(&ceiling(measured(260.0), 1.3).records, "Performance points: E ≥ 50 % → 100 % × 5 = 5");
}

#[test]
fn a_base_that_sleeps_is_no_base_and_one_that_is_disturbed_is() {
    let mut asleep = measured(210.0).records;
    repetitions(&mut asleep, Version::Seq).for_each(|repetition| repetition.cpu_share = Some(0.5));
    refused(&asleep, "the sequential version on one rank waits instead of computing");
    repetitions(&mut asleep, Version::Seq).for_each(|repetition| repetition.involuntary_switches = 20);
    none_says(&asleep, "waits instead of computing");
    all_say(&asleep, "Performance points");
    // Where the system says how long another program had the processor, switches explain nothing: 200 ms are missing.
    repetitions(&mut asleep, Version::Seq).for_each(|repetition| repetition.queued_ns = Some(20_000_000));
    refused(&asleep, "the sequential version on one rank waits instead of computing");
    repetitions(&mut asleep, Version::Seq).for_each(|repetition| repetition.queued_ns = Some(190_000_000));
    none_says(&asleep, "waits instead of computing");
}

#[test]
fn the_pipeline_decides_where_run_alone_flatters() {
    let run = measured(210.0).mode(TimedRegion::Pipeline).timing(Version::Seq, 1, 410.0);
    let moved = run.clone().timing(Version::Mpi, 2, 500.0).records;
    all_say(&moved, "→ 0 % × 5 = 0");
    all_say(&moved, "and the efficiency of the pipeline is below 50 % of that.");
    graded(&run.timing(Version::Mpi, 2, 350.0).records, "Performance points: E ≥ 50 % → 100 % × 5 = 5");
    let mut former = moved;
    plan(&mut former).pipeline_decides_below = None;
    all_say(&former, "→ 0 % × 5 = 0");
}

#[test]
fn without_a_functional_record_a_final_run_is_not_graded() {
    let is_test = |record: &Record| matches!(record.measurement, Measurement::Functional(_));
    let mut untested = measured(210.0).records;
    graded(&untested, "Performance points: E ≥ 50 % → 100 % × 5 = 5");
    untested.retain(|record| !is_test(record));
    refused(&untested, "no functional record of the parallel version on two ranks or more");
    // A quick run does not test, and is not for grades.
    plan(&mut untested).quick = true;
    all_say(&untested, "no functional record of the parallel version");
    all_say(&untested, "Performance points");
    // Tests that are not evidence: a skipped one, and one on a single rank.
    plan(&mut untested).quick = false;
    for (ranks, verdict) in [(2, TestOutcome::Skip), (1, TestOutcome::Pass)] {
        let run = SyntheticRun { records: untested.clone(), ..SyntheticRun::new() };
        refused(
            &run.functional("alone", ranks, verdict, None).records,
            "no functional record of the parallel version",
        );
    }
}

#[test]
fn section_7_1_tells_the_evidence() {
    let mut run = measured(210.0);
    run = run.functional("more_ranks_than_rows", 4, TestOutcome::Fail, Some("rank 3: 7, expected 8"));
    run.environment.message_passing.backend = Backend::Threads;
    let mut records = run.functional("more_ranks_than_rows", 4, TestOutcome::Pass, None).records;
    let section = |records: &[Record]| {
        let text = wb_report::markdown(records, Lang::En);
        let (_, rest) = text.split_once("### 7.1").expect("the section");
        rest.split("### 7.2").next().expect("it ends").to_owned()
    };
    let text = section(&records);
    for expected in [
        "2 of 3 functional tests passed. 1 failed.",
        "Run at 2026-03-01T10:15:00Z, commit `",
        "| `more_ranks_than_rows` | mpi | — | fail |",
        "| `more_ranks_than_rows` | threads | — | pass |",
        "- more_ranks_than_rows, p = 4, mpi: fail: rank 3: 7, expected 8",
    ] {
        assert!(text.contains(expected), "{expected} in {text}");
    }
    assert!(!text.contains("another commit"), "{text}");
    for record in &mut records {
        if matches!(record.measurement, Measurement::Functional(_)) {
            record.environment.build.commit = Some("0123abc".into());
        }
    }
    assert!(section(&records).contains("The measurements are of another commit than these tests."));
    records.retain(|record| !matches!(record.measurement, Measurement::Functional(_)));
    assert!(section(&records).contains("There is no functional record"));
}

#[test]
fn a_speedup_whose_interval_holds_1_is_neither_faster_nor_slower() {
    let run = |ms| {
        SyntheticRun::new().plan(&[2]).timing(Version::Seq, 1, 400.0).timing(Version::Mpi, 2, ms).records
    };
    all_say(&run(401.0), "neither faster nor slower than the best sequential one beyond doubt, S = 1.00");
    all_say(&run(800.0), "slower than the best sequential one, S = 0.50");
    none_says(&run(800.0), "beyond doubt");
}

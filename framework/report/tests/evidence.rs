//! Evidence for grades from records: the same numbers as in the report, and each reason for which there is no number.

use super::synthetic::SyntheticRun;
use wb_course::{
    CommunicationEvidence, Evidence, PerformanceDoubt, PerformanceEvidence, PerformanceGap, ScalingEvidence,
};
use wb_messages::Lang;
use wb_record::{Backend, Measurement, Record, SeriesFailure, TestOutcome, TimedRegion, Version};
use wb_report::{performance_evidence, version_evidence};

/// T(1) = 400 ms, and `ms` on two ranks.
fn measured(run: SyntheticRun, ms: f64) -> SyntheticRun {
    run.plan(&[1, 2]).timing(Version::Seq, 1, 400.0).timing(Version::Mpi, 1, 402.0).timing(
        Version::Mpi,
        2,
        ms,
    )
}

fn scaling(records: &[Record]) -> ScalingEvidence {
    match performance_evidence(records) {
        PerformanceEvidence::Scaling(scaling) => scaling,
        other => panic!("{other:?}"),
    }
}

fn communication(records: &[Record]) -> CommunicationEvidence {
    match performance_evidence(records) {
        PerformanceEvidence::Communication(communication) => communication,
        other => panic!("{other:?}"),
    }
}

fn gap(records: &[Record]) -> PerformanceGap {
    match performance_evidence(records) {
        PerformanceEvidence::Missing { gap, .. } => gap,
        other => panic!("{other:?}"),
    }
}

#[test]
fn numbers_are_those_of_the_report() {
    let run = measured(SyntheticRun::new(), 250.0);
    let found = scaling(&run.records);
    assert!((found.speedup.value - 1.6).abs() < 0.02 && found.speedup.ranks == 2, "{found:?}");
    assert!((found.efficiency.value - 50.0 * found.speedup.value).abs() < 1e-9, "{found:?}");
    assert!(found.efficiency.low < found.efficiency.value && found.efficiency.value < found.efficiency.high);
    assert_eq!((found.region.as_str(), found.base.as_str(), found.has_interval), ("task_run", "seq", true));
    assert_eq!(found.workload, "matrix 4096 rows");
    assert_eq!(found.doubts, []);
    let shown = wb_report::terminal(&run.records, Lang::En, 240);
    assert!(shown.contains(&format!("{:.2}", found.speedup.value)), "{shown}");
}

#[test]
fn the_pipeline_is_graded_where_it_decides() {
    let pipeline = measured(SyntheticRun::new(), 250.0).mode(TimedRegion::Pipeline);
    let slow = pipeline.timing(Version::Seq, 1, 400.0).timing(Version::Mpi, 2, 900.0);
    assert_eq!(scaling(&slow.records).region, "pipeline");
}

#[test]
fn each_gap_is_named() {
    assert_eq!(gap(&[]), PerformanceGap::NotMeasured);
    let tested = SyntheticRun::new().functional("sums", 2, TestOutcome::Pass, None);
    assert_eq!(gap(&tested.records), PerformanceGap::NotMeasured);
    assert_eq!(gap(&measured(SyntheticRun::new().cores(1), 250.0).records), PerformanceGap::TooFewCores);
    assert_eq!(gap(&measured(SyntheticRun::new(), 2.0).records), PerformanceGap::TooShort);
    let alone = SyntheticRun::new().plan(&[1, 2]).timing(Version::Mpi, 2, 250.0);
    assert_eq!(gap(&alone.records), PerformanceGap::NoBase);
    let mut wrong = measured(SyntheticRun::new(), 250.0);
    for record in &mut wrong.records {
        if let Measurement::Timing(timing) = &mut record.measurement {
            timing.repetitions[0].correct = Some(false);
        }
    }
    assert_eq!(gap(&wrong.records), PerformanceGap::Incorrect);
}

/// The records of a run in which this series failed.
fn failing(mut run: SyntheticRun, version: Version, ranks: u32, failure: &SeriesFailure) -> Vec<Record> {
    let failed = run.series(version, ranks);
    for record in &mut run.records {
        if let Measurement::Outcome(outcome) = &mut record.measurement
            && outcome.series == failed
        {
            outcome.failure = Some(failure.clone());
        }
    }
    run.records
}

#[test]
fn a_series_on_more_ranks_than_cores_that_failed_is_not_the_reason_why_there_is_no_number() {
    let crashed = SeriesFailure::Crashed { reason: "rank 3 ended by signal 11".into() };
    let found = |cores| {
        let run = SyntheticRun::new().cores(cores).plan(&[1, 2, 4]);
        let run = run.timing(Version::Mpi, 2, 250.0).timing(Version::Mpi, 4, 250.0);
        gap(&failing(run, Version::Mpi, 4, &crashed))
    };
    assert_eq!([found(2), found(4)], [PerformanceGap::NoBase, PerformanceGap::Failed]);
}

#[test]
fn a_series_that_failed_in_one_launch_has_no_number_and_says_why() {
    let failing =
        |version, ranks, failure| failing(measured(SyntheticRun::new(), 250.0), version, ranks, &failure);
    let crashed = SeriesFailure::Crashed { reason: "rank 1 ended by signal 11\nat main".into() };
    let limit = SeriesFailure::Limit { limit_s: 10.0 };
    for (version, ranks, failure, expected) in [
        (Version::Mpi, 2, crashed, "rank 1 ended by signal 11"),
        (Version::Mpi, 2, limit, "interrupted at the limit of 10.0 s"),
    ] {
        match performance_evidence(&failing(version, ranks, failure)) {
            PerformanceEvidence::Missing { gap: PerformanceGap::Failed, reason: Some(reason) } => {
                assert_eq!(reason.en, expected);
            }
            other => panic!("{other:?}"),
        }
    }
    let disabled = performance_evidence(&failing(Version::Mpi, 2, SeriesFailure::Disabled));
    assert_eq!(disabled, PerformanceEvidence::missing(PerformanceGap::NoTime));
}

#[test]
fn each_doubt_is_named() {
    let mut quick = measured(SyntheticRun::new(), 250.0);
    for record in &mut quick.records {
        if let Measurement::Plan(plan) = &mut record.measurement {
            plan.quick = true;
        }
    }
    assert_eq!(scaling(&quick.records).doubts, [PerformanceDoubt::Quick]);
    let threads = measured(SyntheticRun::new().backend(Backend::Threads), 250.0);
    assert!(scaling(&threads.records).doubts.contains(&PerformanceDoubt::NotMpi));
    let mut untested = measured(SyntheticRun::new(), 250.0);
    untested.records.retain(|record| !matches!(record.measurement, Measurement::Functional(_)));
    assert_eq!(scaling(&untested.records).doubts, [PerformanceDoubt::Untested]);
    let superlinear = measured(SyntheticRun::new(), 120.0);
    assert!(scaling(&superlinear.records).doubts.contains(&PerformanceDoubt::Superlinear));
}

#[test]
fn a_communication_assignment_has_counts_and_ratios() {
    let run = SyntheticRun::new().sweep(4, 1.2);
    let found = communication(&run.records);
    assert!(found.counted > 0 && found.counts_right == found.counted, "{found:?}");
    assert!(found.ratios.len() as u32 >= found.counted, "{found:?}");
    assert!(
        found.ratios.iter().all(|ratio| (ratio.value - 1.2).abs() < 0.05 && ratio.ranks == 4),
        "{found:?}"
    );
    let mut other = run.clone();
    for record in &mut other.records {
        if let Measurement::Sweep(sweep) = &mut record.measurement {
            sweep.messages += 1;
        }
    }
    assert_eq!(communication(&other.records).counts_right, 0);
    let long_page = SyntheticRun::new().cores(2).sweep(4, 1.2);
    let long_page = communication(&long_page.records);
    assert!(long_page.ratios.is_empty() && long_page.counts_right == long_page.counted, "{long_page:?}");
}

#[test]
fn runs_of_tests_are_counted_by_version_and_failures_listed() {
    let mut run = SyntheticRun::new().functional("sums", 1, TestOutcome::Pass, None);
    for ranks in 2..7 {
        run = run.functional("sums", ranks, TestOutcome::Fail, Some("\n  the output is wrong\nmore"));
    }
    run = run.functional("sums", 8, TestOutcome::Skip, Some("few cores")).functional(
        "edge",
        4,
        TestOutcome::Pass,
        None,
    );
    let found = version_evidence(&run.records, Version::Mpi, true);
    assert_eq!((found.passed, found.passed_on_mpi, found.failed, found.skipped), (2, 1, 5, 1));
    assert_eq!((found.failures.len(), found.failures[0].reason.as_str()), (3, "the output is wrong"));
    assert_eq!(version_evidence(&run.records, Version::Seq, true).passed, 0);
    let evidence = Evidence { mpi: found, ..Evidence::example() };
    assert_eq!(Evidence::parse(&evidence.to_json()), Ok(evidence));
}

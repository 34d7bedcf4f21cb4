//! Parts of a run as one run.

use wb_record::{MeasuredWorkload, Repetition, TimedRegion, Timing, Version, example};

use super::*;

fn series(ranks: u32) -> Series {
    let workload = MeasuredWorkload { name: "large".into(), size: 9, unit: String::new() };
    Series { workload, version: Version::Mpi, mode: TimedRegion::TaskRun, ranks }
}

fn record(measurement: impl Into<Measurement>) -> Record {
    Record { measurement: measurement.into(), ..example() }
}

fn plan(launches: u32) -> Record {
    record(MeasurementPlan {
        quick: false,
        ranks: vec![2],
        ranks_chosen_by: "task.yaml".into(),
        launches,
        target_half_width: 0.03,
        budget_s: 1.0,
        least_repetition_ns: 0,
        bands: vec![],
        performance_points: None,
        graded_ranks: None,
        pipeline_decides_below: None,
    })
}

fn timing(launch: u32, times: &[u64]) -> Record {
    let repetition = |&elapsed_ns| Repetition {
        elapsed_ns,
        entry_skew_ns: 0,
        correct: Some(true),
        involuntary_switches: 0,
        cpu_share: None,
        queued_ns: None,
    };
    record(Timing {
        series: series(2),
        launch,
        fresh_inputs: None,
        warmup_dropped: 0,
        inner_iterations: 1,
        elapsed_from: wb_record::ElapsedFrom::CommonClock,
        repetitions: times.iter().map(repetition).collect(),
        stages: vec![],
        traffic: None,
        sentinel: None,
    })
}

fn outcome(spent_s: f64, converged: bool) -> Record {
    record(SeriesOutcome {
        series: series(2),
        converged,
        half_width: None,
        budget_s: 1.0,
        spent_s,
        repeated_launches: 1,
        failure: None,
    })
}

fn merged_outcomes(parts: &BTreeMap<u32, Vec<Record>>, of: u32) -> Vec<SeriesOutcome> {
    let merged = merge(parts, of).expect("one plan");
    let outcomes = merged.into_iter().filter_map(|record| match record.measurement {
        Measurement::Outcome(outcome) => Some(outcome),
        _ => None,
    });
    outcomes.collect()
}

#[test]
fn parts_are_one_run_whose_series_converge_together() {
    let part = |launch, times: &[u64]| vec![plan(2), timing(launch, times), outcome(0.25, false)];
    let steady = [100, 101, 100, 101, 100, 101, 100, 101];
    let parts = BTreeMap::from([(0, part(0, &steady)), (1, part(1, &steady))]);
    let merged = merge(&parts, 2).expect("one plan");
    let lines: String = merged.iter().map(|record| record.to_line() + "\n").collect();
    // A plan, two launches, an outcome.
    assert_eq!(wb_record::read_all(&lines).expect("no line is repeated").len(), 4);
    let outcomes = merged_outcomes(&parts, 2);
    let [outcome] = &outcomes[..] else { panic!("{outcomes:?}") };
    assert!(outcome.converged && outcome.spent_s == 0.5 && outcome.repeated_launches == 2, "{outcome:?}");
    // The medians of the parts differ, so all samples together have not converged.
    let parts = BTreeMap::from([(0, part(0, &steady)), (1, part(1, &steady.map(|ns| 2 * ns)))]);
    assert!(!merged_outcomes(&parts, 2)[0].converged);
}

#[test]
fn a_series_of_an_incomplete_run_has_no_outcome() {
    let whole = vec![plan(2), timing(0, &[100]), outcome(0.25, true)];
    let ended_early = vec![plan(2), timing(1, &[100])];
    for (parts, of) in
        [(BTreeMap::from([(0, whole.clone()), (1, ended_early)]), 2), (BTreeMap::from([(0, whole)]), 2)]
    {
        assert_eq!(merged_outcomes(&parts, of), []);
    }
}

#[test]
fn a_part_of_another_plan_is_refused() {
    let parts = BTreeMap::from([(0, vec![plan(2)]), (3, vec![plan(10)])]);
    assert_eq!(merge(&parts, 4), Err(3));
}

#[test]
fn half_a_line_at_the_end_is_left_out() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("0-of-1.jsonl");
    let task = example().subject.task;
    let read = |text: &str| {
        fs::write(&file, text).expect("written");
        read_part(&file, &task, Lang::En).map(|records| records.len())
    };
    let line = timing(0, &[1]).to_line();
    assert_eq!(read(&format!("{line}\n{}", &line[..40])), Ok(1));
    assert_eq!(read(&line[..40]), Ok(0));
    assert!(read("{}\n").is_err());
    assert!(read_part(&file, "another_task", Lang::En).is_err());
}

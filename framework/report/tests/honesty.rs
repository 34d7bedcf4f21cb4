//! The twelve rules of Hoefler and Belli (SC'15), and our own, as checks on the text that a reader gets.
//!
//! Each rule has its canary: a run that breaks it, on which the report must look different.

#[path = "honesty/communication.rs"]
mod communication;
#[path = "honesty/functional_results.rs"]
mod functional_results;
#[path = "honesty/hosts.rs"]
mod hosts;
#[path = "honesty/invalid_runs.rs"]
mod invalid_runs;

use super::synthetic::{SyntheticRun, TASK, all_say, none_says, prose};
use wb_messages::Lang;
use wb_record::{
    Backend, Environment, Measurement, Record, SeriesFailure, SeriesOutcome, TestOutcome, TimedRegion,
    Version,
};

/// Seconds of a row of the Markdown table: the cells after its version and rank count.
fn markdown_row(records: &[Record], start: &str) -> Vec<String> {
    let text = wb_report::markdown(records, Lang::En);
    let line =
        text.lines().find(|line| line.starts_with(start)).unwrap_or_else(|| panic!("{start} in {text}"));
    line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect()
}

fn rule(records: &[Record], number: usize) -> String {
    let text = wb_report::markdown(records, Lang::En);
    let appendix = text.split("## Appendix").nth(1).unwrap();
    appendix.lines().find(|line| line.starts_with(&format!("{number}. "))).unwrap().to_owned()
}

#[test]
fn a_good_run_says_its_numbers_everywhere() {
    let records = SyntheticRun::good().records;
    all_say(&records, "Efficiency E = S/p = 3.49/4 = 87.3 %.");
    all_say(&records, "E ≥ 50 % → 100 % × 5 = 5");
    let row = markdown_row(&records, "| parallel | 2 | 0.21");
    assert_eq!((&*row[0], &*row[1]), ("parallel", "2"));
    assert!(row[4].starts_with("1.94 [") && row[5].starts_with("97.2 % ["), "{row:?}");
}

#[test]
fn a_final_run_is_not_told_to_leave_out_quick() {
    // Four ranks on two cores are launched once, and that is enough for them.
    let mut run = SyntheticRun::good().cores(2);
    for record in &mut run.records {
        record.environment.machine.usable_cores = 2;
    }
    run.records.retain(|record| match &record.measurement {
        Measurement::Timing(timing) => timing.series.ranks < 4 || timing.launch == 0,
        _ => true,
    });
    all_say(&run.records, "oversubscribed");
    none_says(&run.records, "without --quick for a grade");
    none_says(&run.records, "at least 1,");
}

#[test]
fn all_twelve_rules_are_kept_by_a_good_run() {
    for number in 1..=12 {
        let line = rule(&SyntheticRun::good().records, number);
        assert!(line.starts_with(&format!("{number}. kept")), "{line}");
    }
}

#[test]
fn rule_1_the_base_is_named_with_its_absolute_time() {
    all_say(&SyntheticRun::good().records, "Base T* = 412 ms (sequential version)");
    let canary = SyntheticRun::new().plan(&[2]).timing(Version::Mpi, 2, 212.0).records;
    assert!(rule(&canary, 1).starts_with("1. open"));
    all_say(&canary, "There is no sequential time to compare with");
    none_says(&canary, "Efficiency E =");
}

#[test]
fn rule_1_the_base_is_the_fastest_on_one_core_whoever_wrote_it() {
    let slow_seq =
        SyntheticRun::new().plan(&[1, 2]).timing(Version::Seq, 1, 900.0).timing(Version::Reference, 1, 400.0);
    let records = slow_seq.timing(Version::Mpi, 1, 420.0).timing(Version::Mpi, 2, 210.0).records;
    all_say(&records, "Base T* = 400 ms (instructor's sequential version)");
    all_say(&records, "E = S/p = 1.90/2");
}

#[test]
fn rule_2_the_choice_of_ranks_is_explained() {
    assert!(rule(&SyntheticRun::good().records, 2).contains("1, 2, 4, chosen by task.yaml"));
    let canary: Vec<Record> = SyntheticRun::good()
        .records
        .into_iter()
        .filter(|r| !matches!(r.measurement, Measurement::Plan(_)))
        .collect();
    assert!(rule(&canary, 2).starts_with("2. open"));
}

#[test]
fn rules_3_and_4_a_speedup_is_one_ratio_of_medians_and_not_a_mean_of_ratios() {
    // One wild launch would pull a mean of ratios far away from the ratio of medians.
    let mut run =
        SyntheticRun::new().plan(&[2]).timing(Version::Seq, 1, 400.0).timing(Version::Mpi, 2, 200.0);
    let timings = run.records.iter_mut().filter_map(|record| match &mut record.measurement {
        Measurement::Timing(timing) if timing.series.ranks == 2 && timing.launch == 0 => Some(timing),
        _ => None,
    });
    timings
        .flat_map(|timing| &mut timing.repetitions[..4])
        .for_each(|repetition| repetition.elapsed_ns *= 40);
    all_say(&run.records, "S = 2.00");
}

#[test]
fn rule_5_medians_have_intervals_and_five_samples_have_none() {
    assert!(markdown_row(&SyntheticRun::good().records, "| sequential (base) | 1")[3].starts_with("[0.41"));
    let mut few = SyntheticRun::new().plan(&[2]);
    (few.launches, few.repetitions) = (1, 5);
    let canary = few.timing(Version::Seq, 1, 400.0).timing(Version::Mpi, 2, 210.0).records;
    assert_eq!(markdown_row(&canary, "| sequential (base) | 1")[3], "—");
    assert!(rule(&canary, 5).starts_with("5. open"));
    all_say(&canary, "too few samples for an interval");
    none_says(&canary, "±");
}

#[test]
fn rule_7_a_grade_at_the_edge_of_a_band_says_so() {
    let edge =
        SyntheticRun::new().plan(&[4]).timing(Version::Seq, 1, 400.0).timing(Version::Mpi, 4, 222.3).records;
    all_say(&edge, "E ≥ 45 % → 90 % × 5 = 4.5 (±: the interval touches two bands, the better one counts)");
    let inside =
        SyntheticRun::new().plan(&[4]).timing(Version::Seq, 1, 400.0).timing(Version::Mpi, 4, 210.0).records;
    all_say(&inside, "E ≥ 45 % → 90 % × 5 = 4.5");
    none_says(&inside, "±");
}

#[test]
fn rule_8_minimum_tail_and_every_sample_are_on_the_page() {
    let page = wb_report::html(&SyntheticRun::good().records, Lang::En);
    let samples = page.matches("h0M").count() + page.matches("h0\"").count();
    assert_eq!(samples, 6 * 24, "three rank counts in two modes, 3 launches of 8 repetitions");
    assert!(page.contains(">min – p95<"));
}

#[test]
fn rule_9_unknown_factors_are_reported_as_unknown() {
    let mut run = SyntheticRun::new();
    run.environment.build.commit = None;
    let canary = run.timing(Version::Seq, 1, 400.0).timing(Version::Mpi, 2, 210.0).records;
    assert!(rule(&canary, 9).starts_with("9. open"));
}

#[test]
fn rule_11_ideal_and_ceiling_are_drawn_and_a_missing_ceiling_is_said() {
    let page = wb_report::html(&SyntheticRun::good().records, Lang::En);
    assert!(page.contains("machine ceiling S_box") && page.contains(">ideal<"));
    let canary =
        SyntheticRun::new().plan(&[2]).timing(Version::Seq, 1, 400.0).timing(Version::Mpi, 2, 210.0).records;
    assert!(!wb_report::html(&canary, Lang::En).contains("machine ceiling S_box"));
    assert!(rule(&canary, 11).starts_with("11. open"));
}

#[test]
fn rule_11_amdahl_is_drawn_from_four_rank_counts_on() {
    let three = SyntheticRun::good().records;
    assert!(!wb_report::html(&three, Lang::En).contains("Amdahl fit"));
    let four = SyntheticRun::new().cores(8).plan(&[1, 2, 4, 8]).timing(Version::Seq, 1, 800.0);
    let four = [(1, 800.0), (2, 440.0), (4, 260.0), (8, 170.0)]
        .into_iter()
        .fold(four, |run, (p, ms)| run.timing(Version::Mpi, p, ms));
    assert!(wb_report::html(&four.records, Lang::En).contains("Amdahl fit, f = 10."));
}

#[test]
fn a_failure_without_times_is_a_row_with_its_reason() {
    let failed = |failure| {
        let mut run = SyntheticRun::new().plan(&[2]).timing(Version::Seq, 1, 400.0);
        let series = run.series(Version::Mpi, 2);
        run.push(SeriesOutcome {
            series,
            converged: false,
            half_width: None,
            budget_s: 10.0,
            spent_s: 10.0,
            repeated_launches: 0,
            failure: Some(failure),
        });
        run.records
    };
    all_say(&failed(SeriesFailure::Limit { limit_s: 10.0 }), "interrupted at the limit of 10.0 s");
    let short = failed(SeriesFailure::TooShort { measured_ns: 5_000, required_ns: 50_000_000 });
    all_say(&short, "The run is too short to be timed for a grade");
}

#[test]
fn an_earlier_run_is_not_mixed_in() {
    let mut records = SyntheticRun::new()
        .plan(&[2])
        .timing(Version::Seq, 1, 9_000.0)
        .timing(Version::Mpi, 2, 9_000.0)
        .records;
    records.iter_mut().for_each(|record| record.run = "run-0".into());
    let old_len = records.len();
    records.extend(SyntheticRun::good().records);
    assert_eq!(prose(&records), prose(&records[old_len..]));
    assert_eq!(wb_report::csv(&records), wb_report::csv(&records[old_len..]));
}

#[test]
fn modes_are_kept_apart() {
    let run = SyntheticRun::new().plan(&[2]).timing(Version::Seq, 1, 400.0).timing(Version::Mpi, 2, 210.0);
    let records = run.mode(TimedRegion::Pipeline).timing(Version::Mpi, 2, 300.0).records;
    all_say(&records, "no base");
    let summary = wb_report::IndexEntry::from_records(&records).expect("there are records");
    assert!(wb_report::index(&[summary], &[], Lang::En).contains(&format!("{TASK}/report.html")));
}

/// What is missing is not always a failure: the advice follows from why it is missing.
#[test]
fn the_advice_for_a_missing_time_follows_from_why_it_is_missing() {
    let failed = "Some functional tests or launches failed";
    let alone = SyntheticRun::new().plan(&[1]).timing(Version::Seq, 1, 412.0).timing(Version::Mpi, 1, 418.0);
    let outcome = |run: &SyntheticRun, version, ranks, failure| {
        let series = run.series(version, ranks);
        let (half_width, spent_s) = (None, 0.0);
        let failure = Some(failure);
        SeriesOutcome {
            series,
            converged: false,
            half_width,
            budget_s: 1.0,
            spent_s,
            repeated_launches: 0,
            failure,
        }
    };
    let mut switched_off = SyntheticRun::new().plan(&[1, 2]).timing(Version::Seq, 1, 412.0);
    switched_off.push(outcome(&switched_off, Version::Mpi, 2, SeriesFailure::Disabled));
    let mut crashed = SyntheticRun::new().plan(&[1, 2]).timing(Version::Seq, 1, 412.0);
    crashed.push(outcome(&crashed, Version::Mpi, 2, SeriesFailure::Crashed { reason: "signal 11".into() }));
    let no_base = SyntheticRun::new().plan(&[2]).timing(Version::Mpi, 2, 212.0);
    for (run, expected) in [
        (&alone, "Measure on two ranks or more"),
        (&switched_off, "Enable the version that is missing"),
        (&no_base, "Enable the version that is missing"),
    ] {
        all_say(&run.records, expected);
        none_says(&run.records, failed);
    }
    all_say(&crashed.records, failed);
    let lost = alone.functional("t", 2, TestOutcome::Fail, Some("wrong"));
    all_say(&lost.records, failed);
}

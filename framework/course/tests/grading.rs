//! Grades of single pieces of evidence: each way to lose points, its reason and what would earn them.

use super::examples::{Case, at, points};
use wb_config::CourseDate;
use wb_course::{
    BrokenRule, CommunicationEvidence, CommunicationRule, ConfirmedCopy, Evidence, ExtensionRule, FailedTest,
    Letter, MeasuredInterval, OverrideDecision, PerformanceDoubt, PerformanceEvidence, PerformanceGap,
    SectionState, SolutionPart,
};
use wb_text::Text;

#[test]
fn a_task_without_faults_earns_everything() {
    let case = Case::default();
    case.total("23");
    assert_eq!(case.grade().of, points("23"), "the most points");
    let remedies: Vec<_> = Letter::ALL.into_iter().flat_map(|letter| case.remedies(letter)).collect();
    assert_eq!(remedies, [""; 0], "nothing more can be earned");
}

#[test]
fn a_version_that_fails_loses_its_points_and_performance_falls_with_mpi() {
    let mut case = Case::default();
    case.evidence.mpi.failed = 1;
    case.evidence.mpi.failures = vec![FailedTest {
        test: "sums::case_4".into(),
        ranks: 3,
        backend: "mpi".into(),
        outcome: "hang".into(),
        reason: "rank 0 waits for 2".into(),
    }];
    case.lost(Letter::Solution, "12", "MPI: 1 of 49 runs of tests failed");
    case.lost(Letter::Solution, "0", "sums::case_4, P = 3, mpi: hang: rank 0 waits for 2");
    case.lost(
        Letter::Performance,
        "5",
        "the performance of a parallel version that earns no points is not graded",
    );
    case.total("6");
}

#[test]
fn a_disabled_version_earns_nothing_nor_does_its_report() {
    let mut case = Case::default();
    case.evidence.mpi.enabled = false;
    case.lost(Letter::Solution, "12", "MPI is disabled in task.yaml");
    case.lost(Letter::Report, "3", "the report of a task whose parallel version is disabled earns nothing");
    case.total("3");
}

#[test]
fn tests_that_did_not_run_earn_nothing() {
    let mut case = Case::default();
    case.evidence.seq.passed = 0;
    case.lost(Letter::Solution, "3", "SEQ: no functional test ran");
    case.evidence.seq.skipped = 2;
    case.lost(Letter::Solution, "3", "SEQ: all tests were skipped, runs: 2");
    case.evidence.mpi.passed_on_mpi = 0;
    case.lost(Letter::Solution, "12", "MPI: no test passed on two ranks or more of a real MPI library");
}

/// A program that ends early after its passes, or a test that runs no task and fails, leaves no verdict.
#[test]
fn tests_that_fail_without_a_verdict_earn_nothing() {
    let mut case = Case::default();
    case.evidence.incomplete = true;
    for (unended, reason) in
        [(Some("a did not end within 2 s"), "a did not end"), (None, "the tests failed without a verdict")]
    {
        case.evidence.unended = unended.map(wb_text::Text::verbatim);
        case.points(Letter::Solution, "0", reason);
        let reasons = case.grade().letter(Letter::Solution).expect("every letter is there").reasons.clone();
        assert!(reasons.iter().any(|found| found.text.en.starts_with(reason)), "{reason}: {reasons:#?}");
    }
    for (failed_of_mpi, silent) in [(0, 2), (1, 1)] {
        case.evidence.mpi.failed = failed_of_mpi;
        let reasons = case.grade().letter(Letter::Solution).expect("every letter is there").reasons.clone();
        let is_silent = |text: &str| text.starts_with("the tests failed without a verdict");
        let found = reasons.iter().filter(|reason| is_silent(&reason.text.en)).count();
        assert_eq!(found, silent, "parts without a verdict: {reasons:#?}");
    }
}

#[test]
fn a_broken_rule_costs_its_part_and_names_the_line() {
    let rule = |part| BrokenRule {
        rule: "send-and-receive-only".into(),
        part,
        file: "src/mpi.rs".into(),
        line: 17,
        text: Text::new("`bcast` is called", "вызван `bcast`"),
        remedy: None,
    };
    let mut case = Case::default();
    case.evidence.broken_rules = vec![rule(Some(SolutionPart::Mpi)), rule(Some(SolutionPart::Mpi))];
    case.lost(Letter::Solution, "12", "src/mpi.rs:17: rule send-and-receive-only: `bcast` is called");
    case.total("6");
    case.evidence.broken_rules = vec![rule(None)];
    case.points(Letter::Solution, "0", "a rule of both parts is broken");
}

#[test]
fn bands_count_for_the_interval_and_name_the_next_one() {
    for (low, value, high, earned) in [
        (50.0, 52.0, 53.0, "5"),
        (44.0, 44.5, 44.9, "4"),
        (44.0, 44.9, 45.0, "4.5"),
        (25.0, 26.0, 26.9, "0.5"),
        (10.0, 20.0, 24.9, "0"),
    ] {
        let mut case = Case::default();
        case.scaling().efficiency = MeasuredInterval { low, value, high, ranks: 4 };
        case.points(Letter::Performance, earned, &format!("an efficiency from {low} to {high}"));
        let letter = case.grade().letter(Letter::Performance).expect("P").clone();
        let is_marked = letter.reasons.iter().any(|reason| reason.text.en.starts_with('±'));
        assert_eq!(is_marked, low == 44.0 && high == 45.0, "marked as uncertain: {letter:#?}");
    }
    let mut case = Case::default();
    case.scaling().efficiency = MeasuredInterval { low: 44.0, value: 44.5, high: 44.9, ranks: 4 };
    case.lost(
        Letter::Performance,
        "1",
        "efficiency 44.5 % [44.0, 44.9]: the band from 42 % earns 80 % of the points",
    );
    let remedies = case.remedies(Letter::Performance);
    assert_eq!(remedies, ["0.5 more from an efficiency of 45 %"]);
}

#[test]
fn performance_is_graded_where_the_parallel_version_has_no_points() {
    let mut case = Case::default();
    case.rules.points.mpi = points("0");
    case.points(Letter::Performance, "5", "MPI can earn nothing");
}

#[test]
fn points_need_a_speed_up_beyond_doubt_of_run_and_of_the_pipeline() {
    for (low, pipeline_low, has_interval, earned) in [
        (0.99, None, true, "0"),
        (1.0, None, true, "0"),
        (1.01, None, true, "5"),
        (1.01, None, false, "0"),
        (1.01, Some(1.0), true, "0"),
        (1.01, Some(1.01), true, "5"),
    ] {
        let mut case = Case::default();
        case.scaling().speedup = MeasuredInterval { low, value: 1.02, high: 1.05, ranks: 2 };
        case.scaling().pipeline_speedup =
            pipeline_low.map(|low| MeasuredInterval { low, value: 1.02, high: 1.05, ranks: 2 });
        case.scaling().has_interval = has_interval;
        let why = format!("from {low}, the pipeline from {pipeline_low:?}, with an interval: {has_interval}");
        case.points(Letter::Performance, earned, &why);
    }
}

#[test]
fn numbers_that_prove_nothing_earn_nothing() {
    let mut case = Case::default();
    case.scaling().doubts = vec![PerformanceDoubt::Quick, PerformanceDoubt::SingleWorker];
    case.lost(Letter::Performance, "5", "it was measured with --quick");
    case.lost(Letter::Performance, "0", "one rank does the work");
    case.evidence.performance = PerformanceEvidence::missing(PerformanceGap::TooFewCores);
    case.lost(Letter::Performance, "5", "it was measured at more ranks than the machine has cores");
    let reason = Some(Text::new("rank 1 ended by signal 11", "процесс 1 завершён сигналом 11"));
    case.evidence.performance = PerformanceEvidence::Missing { gap: PerformanceGap::Failed, reason };
    case.lost(Letter::Performance, "5", "a measured run failed: rank 1 ended by signal 11");
}

#[test]
fn a_communication_assignment_is_graded_by_counts_and_times() {
    let ratio = |low, value| MeasuredInterval { low, value, high: value * 1.1, ranks: 4 };
    let mut case = Case::default();
    case.rules.communication = Some(CommunicationRule { counts_percent: 60, library_factor: 2.0 });
    case.evidence.performance = PerformanceEvidence::Communication(CommunicationEvidence {
        library_call: "MPI_Bcast".into(),
        ranks: 4,
        counted: 3,
        counts_right: 3,
        ratios: vec![ratio(0.9, 1.0), ratio(2.0, 2.4)],
        doubts: vec![],
    });
    case.total("23");
    case.communication().ratios.push(ratio(2.01, 2.4));
    case.communication().ratios.push(ratio(3.0, 3.3));
    case.lost(Letter::Performance, "1", "at 2 of 4 sizes the time is within 2 times that of MPI_Bcast");
    case.communication().counts_right = 2;
    case.lost(Letter::Performance, "3", "messages or rounds differ from the formula at 1 of 3 sizes");
    case.communication().counted = 0;
    case.communication().counts_right = 0;
    case.lost(Letter::Performance, "2.5", "at 2 of 4 sizes the time is within 2 times that of MPI_Bcast");
    case.communication().ratios.clear();
    case.lost(Letter::Performance, "5", "no size could be compared with the library");
    case.rules.communication = None;
    case.lost(Letter::Performance, "5", "nothing was measured");
}

/// Days begin at midnight of the course, or at the time of a deadline that has one.
#[test]
fn each_day_that_begins_after_the_deadline_costs_its_penalty() {
    let date = jiff::civil::date(2027, 4, 11);
    let (day, moment) = (CourseDate::Day(date), CourseDate::Moment(date.at(18, 0, 0, 0)));
    for (deadline, zone_hours, changed, days) in [
        (day, 3, "2027-04-11T20:59:59Z", 0),
        (day, 3, "2027-04-11T21:00:00Z", 1),
        (day, 3, "2027-04-12T20:59:59Z", 1),
        (day, 3, "2027-04-12T21:00:00Z", 2),
        (day, 3, "2027-05-01T00:00:00Z", 20),
        (moment, 0, "2027-04-11T18:00:00Z", 0),
        (moment, 0, "2027-04-11T18:00:01Z", 1),
        (moment, 0, "2027-04-12T18:00:00Z", 1),
        (moment, 0, "2027-04-12T18:00:01Z", 2),
    ] {
        let mut case = Case::default();
        case.rules.time_zone = jiff::tz::TimeZone::fixed(jiff::tz::offset(zone_hours));
        case.rules.deadline = deadline;
        case.submitted(changed);
        case.points(Letter::Deadline, &format!("-{days}"), &format!("changed {changed}, due {deadline}"));
    }
}

#[test]
fn an_extension_counts_and_is_shown() {
    let mut case = Case::default();
    case.submitted("2027-04-14T10:00:00Z");
    case.lost(Letter::Deadline, "3", "days late: 3; last change 2027-04-14 10:00, deadline 2027-04-11");
    let until = CourseDate::Day(jiff::civil::date(2027, 4, 13));
    case.rules.extension = Some(ExtensionRule { until, reason: "illness".into(), by: "Petrova".into() });
    case.lost(Letter::Deadline, "1", "days late: 1; last change 2027-04-14 10:00, deadline 2027-04-13");
    case.lost(Letter::Deadline, "0", "deadline extended until 2027-04-13 by Petrova: illness");
}

#[test]
fn only_confirmed_copying_costs_and_only_what_was_earned() {
    let copy = |part| ConfirmedCopy {
        part,
        by: "Petrova".into(),
        at: at("2027-04-20T00:00:00Z"),
        reason: "talked".into(),
    };
    let mut case = Case { copies: vec![copy(SolutionPart::Seq), copy(SolutionPart::Seq)], ..Case::default() };
    case.lost(
        Letter::Copying,
        "1.5",
        "SEQ: similarity confirmed by Petrova: talked; it costs 50 % of the points that SEQ earned",
    );
    case.total("21.5");
    case.copies.push(copy(SolutionPart::Mpi));
    case.total("15.5");
    case.evidence.seq.passed = 0;
    case.total("14");
    case.copies.iter_mut().for_each(|copy| copy.at = at("2027-06-02T00:00:00Z"));
    case.total("20");
}

#[test]
fn each_section_of_the_report_is_an_equal_part() {
    let mut case = Case::default();
    case.evidence.report.sections[0].state = SectionState::Template;
    case.lost(Letter::Report, "1", "section 1 (Introduction) is the template's text");
    case.evidence.report.blocks_current = false;
    case.lost(Letter::Report, "1", "the generated blocks are not those of the records");
    case.rules.points.report = points("4");
    case.evidence.report.sections.iter_mut().for_each(|section| section.state = SectionState::Missing);
    case.points(Letter::Report, "0", "three equal parts of 4 are all lost");
    case.rules.points.report = points("3");
    case.evidence.report.file = None;
    case.lost(Letter::Report, "3", "there is no report in reports/ivanov_i_scatter");
}

#[test]
fn an_override_counts_within_the_range_of_its_letter_and_is_shown() {
    let decide = |letter, to: &str| OverrideDecision {
        letter,
        points: points(to),
        by: "Petrova".into(),
        at: at("2027-05-01T00:00:00Z"),
        reason: "oral examination".into(),
    };
    let mut case = Case::default();
    case.evidence.mpi.failed = 1;
    case.overrides = vec![
        decide(Letter::Solution, "13"),
        decide(Letter::Performance, "99"),
        decide(Letter::Deadline, "3"),
    ];
    case.points(Letter::Solution, "13", "set to 13");
    case.points(Letter::Performance, "5", "set to 99 of 5");
    assert_eq!(case.remedies(Letter::Performance), [""; 0], "what an override has given cannot be earned");
    case.points(Letter::Deadline, "0", "a penalty set to 3");
    let applied = case.grade().overrides;
    assert_eq!(applied.len(), 3, "all are applied: {applied:#?}");
    assert_eq!((applied[0].from, applied[0].to), (points("3"), points("13")), "the change of S");
    case.overrides =
        vec![decide(Letter::Report, "0.5"), decide(Letter::Deadline, "-2"), decide(Letter::Efficiency, "90")];
    case.total("1.5");
    let applied = case.grade().overrides;
    assert_eq!(applied.len(), 2, "those of R and D, and E has no points: {applied:#?}");
    case.overrides[0].at = at("2027-06-02T00:00:00Z");
    assert_eq!(case.grade().overrides.len(), 1, "an override of after the moment of the grade");
    let earlier = OverrideDecision { at: at("2027-04-30T00:00:00Z"), ..decide(Letter::Report, "2") };
    case.overrides = vec![decide(Letter::Report, "0.5"), earlier];
    case.points(Letter::Report, "0.5", "the last override counts");
}

#[test]
fn what_is_missing_of_another_variant_or_later_earns_nothing() {
    let mut case = Case::default();
    case.evidence.variant = 5;
    case.lost(Letter::Solution, "15", "the task solves variant 5, and variant 4 was given");
    case.total("0");
    let mut case = Case::default();
    case.submitted("2027-06-01T00:00:00Z");
    assert!(case.grade().submitted, "the moment itself counts");
    case.submitted("2027-06-01T00:00:01Z");
    case.lost(
        Letter::Report,
        "3",
        "the task was merged on 2027-06-01 00:00, after the moment of this grade, 2027-06-01 00:00",
    );
    case.evidence.submission = None;
    case.lost(
        Letter::Performance,
        "5",
        "this state is not merged into the main branch; a task that is not merged earns nothing",
    );
    case.dry_run = true;
    case.points(Letter::Deadline, "-51", "51 days after the deadline");
    case.absent = true;
    case.lost(Letter::Solution, "15", "nothing was merged into the main branch for this assignment");
}

#[test]
fn a_penalty_never_makes_a_total_negative() {
    let mut case = Case::default();
    case.evidence.mpi.failed = 1;
    case.submitted("2027-05-30T00:00:00Z");
    case.total("0");
    case.points(Letter::Deadline, "-49", "49 days after the deadline");
}

#[test]
fn evidence_is_read_as_it_is_written_and_refused_with_its_line() {
    let evidence = Evidence::example();
    let text = evidence.to_json();
    assert_eq!(Evidence::parse(&text), Ok(evidence), "written and read again");
    let refused = |from: &str, to: &str| {
        assert!(text.contains(from), "{from}");
        Evidence::parse(&text.replacen(from, to, 1)).expect_err(to).to_string()
    };
    assert_eq!(
        refused("\"schema\": 1", "\"schema\": 2"),
        "schema 2 is newer than 1, the newest that this program reads"
    );
    assert_eq!(
        refused("\"assignment\": 2", "\"assignment\": 4"),
        "assignment is 4, expected a whole number from 1 to 3"
    );
    assert_eq!(
        refused("\"passed_on_mpi\": 12", "\"passed_on_mpi\": 49"),
        "mpi.passed_on_mpi is 49, expected a whole number from 0 to 48"
    );
    assert_eq!(
        refused("\"low\": 1.78", "\"low\": 1.85"),
        "performance.speedup is 1.85, 1.84, 1.9; expected three numbers from 0 to 1e9 in ascending order"
    );
    assert_eq!(
        refused("\"ranks\": 2", "\"ranks\": 0"),
        "performance.speedup.ranks is 0, expected a whole number from 1 to 1048576"
    );
    assert_eq!(refused("\"login\": \"ivanov.i\"", "\"login\": \" \""), "login is empty");
    assert_eq!(
        refused("\"failed\": 0", "\"failed\": 1"),
        "the number of seq.failures is 0, expected a whole number from 1 to 1"
    );
    assert_eq!(
        refused("\"judged\"", "\"judge\""),
        "line 14: unknown field `judge`, expected one of `schema`, `task`, `login`, `assignment`, `variant`, `submission`, \
         `instructor_owned`, `judged`, `assignment_tree`, `seq`, `mpi`, `incomplete`, `unended`, \
         `broken_rules`, `rule_runs_seed`, `performance`, `report`"
    );
    let kind = refused("\"kind\": \"scaling\"", "\"kind\": \"guess\"");
    assert!(kind.contains("unknown variant `guess`"), "{kind}");
    let empty = Evidence::parse("").expect_err("no JSON");
    let shown = empty.render(wb_text::Lang::Ru);
    assert!(empty.line == 1 && shown.starts_with("строка 1: "), "an error in line 1: {shown}");
    let wrong = text.replacen("\"assignment\": 2", "\"assignment\": 4", 1);
    let wrong = Evidence::parse(&wrong).expect_err("there are three");
    assert_eq!(wrong.render(wb_text::Lang::Ru), "assignment: 4, нужно целое число от 1 до 3");
}

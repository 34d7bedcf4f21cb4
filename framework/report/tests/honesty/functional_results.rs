//! The report of functional tests that failed or were skipped.
use super::*;

#[test]
fn failed_tests_turn_the_light_red_and_skips_are_no_passes() {
    let run = SyntheticRun::good().functional("hangs", 2, TestOutcome::Hang, Some("rank 1 waits for rank 0"));
    let records = run.functional("needs_nine", 9, TestOutcome::Skip, Some("4 ranks available")).records;
    all_say(&records, "10 of 12 functional tests passed. 1 failed. 1 skipped, which is not a pass.");
    all_say(&records, "rank 1 waits for rank 0");
    assert!(wb_report::html(&records, Lang::En).contains(r#"<span class="light bad""#));
    assert!(!wb_report::html(&SyntheticRun::good().records, Lang::En).contains(r#"<span class="light bad""#));
}

#[test]
fn a_skip_is_neither_a_pass_nor_a_failure() {
    let red = r#"<span class="light bad""#;
    let skipped = |run: SyntheticRun| {
        run.functional("needs_nine", 9, TestOutcome::Skip, Some("4 ranks available")).records
    };
    assert!(!wb_report::html(&skipped(SyntheticRun::good()), Lang::En).contains(red));
    let only = skipped(SyntheticRun::new());
    assert!(wb_report::html(&only, Lang::En).contains(red));
    all_say(&only, "0 of 1 functional tests passed");
    let passed = skipped(SyntheticRun::new().functional("sums", 2, TestOutcome::Pass, None));
    assert!(!wb_report::html(&passed, Lang::En).contains(red));
}

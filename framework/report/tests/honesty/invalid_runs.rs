//! Runs with a flaw: the report names it, and derives nothing from what it invalidates.
use super::*;

#[test]
fn an_oversubscribed_row_has_no_efficiency_anywhere() {
    let records = SyntheticRun::oversubscribed().records;
    all_say(&records, "oversubscribed: functional only, E not shown");
    // 413/334 and that over 4: what a careless report would print.
    none_says(&records, "1.24");
    none_says(&records, "30.9");
    let csv = wb_report::csv(&records);
    let line = csv.lines().find(|line| line.contains("mpi,4,")).unwrap();
    assert!(line.ends_with(",,,,,,Oversubscribed"), "{line}");
    all_say(&records, "On 2 ranks");
}

#[test]
fn the_same_row_with_enough_cores_has_one() {
    let mut records = SyntheticRun::oversubscribed().records;
    // Two hardware threads of one core are one core.
    records.iter_mut().for_each(|record| record.environment.machine.usable_cores = 4);
    none_says(&records, "30.9");
    records.iter_mut().for_each(|record| record.environment.machine.physical_cores = 4);
    all_say(&records, "30.9 %");
}

#[test]
fn nothing_but_oversubscribed_rows_is_not_graded() {
    let run =
        SyntheticRun::new().cores(1).plan(&[2]).timing(Version::Seq, 1, 400.0).timing(Version::Mpi, 2, 390.0);
    all_say(&run.records, "no efficiency is stated");
    none_says(&run.records, "Performance points");
}

#[test]
fn a_short_repetition_is_too_short_and_nothing_is_derived_from_it() {
    let run = SyntheticRun::new().plan(&[2]).timing(Version::Seq, 1, 40.0).timing(Version::Mpi, 2, 20.0);
    all_say(&run.records, "too short");
    none_says(&run.records, "2.00");
    none_says(&run.records, "100.0 %");
    none_says(&run.records, "too short; too short");
    let long = SyntheticRun::new().plan(&[2]).timing(Version::Seq, 1, 400.0).timing(Version::Mpi, 2, 200.0);
    none_says(&long.records, "too short: one repetition");
}

#[test]
fn inner_iterations_make_a_short_region_long_enough() {
    let mut run =
        SyntheticRun::new().plan(&[2]).timing(Version::Seq, 1, 400.0).timing(Version::Mpi, 2, 200.0);
    for record in &mut run.records {
        if let Measurement::Timing(timing) = &mut record.measurement {
            timing.inner_iterations = 1_000;
        }
    }
    all_say(&run.records, "Base T* = 400 µs");
    all_say(&run.records, "is 2.00 times as fast");
}

#[test]
fn a_slow_barrier_raises_the_least_time() {
    let mut run = SyntheticRun::new().plan(&[2]);
    run.environment.clock.barrier_ns = Some(10e6);
    let records = run.timing(Version::Seq, 1, 400.0).timing(Version::Mpi, 2, 200.0).records;
    all_say(&records, "too short");
}

#[test]
fn a_coarse_clock_raises_the_least_time() {
    for (resolution_ns, is_short) in [(150e3, false), (250e3, true)] {
        let mut run = SyntheticRun::new().plan(&[2]);
        run.environment.clock.resolution_ns = resolution_ns;
        let records = run.timing(Version::Seq, 1, 400.0).timing(Version::Mpi, 2, 200.0).records;
        let says = wb_report::markdown(&records, Lang::En).contains("too short: one repetition");
        assert_eq!(says, is_short, "{resolution_ns}");
    }
}

#[test]
fn a_machine_that_was_busy_before_the_run_is_doubtful() {
    for (load, is_doubtful) in [(2.0, false), (2.1, true)] {
        let mut run = SyntheticRun::new().cores(4);
        run.environment.machine.load_before = Some(load);
        let run = run.plan(&[2]).timing(Version::Seq, 1, 400.0);
        let records = run.timing(Version::Mpi, 2, 200.0).records;
        let text = wb_report::markdown(&records, Lang::En);
        let line = text.lines().find(|line| line.contains("load average before the run")).expect("a line");
        assert_eq!(line.starts_with("- **"), is_doubtful, "{line}");
    }
}

#[test]
fn one_wrong_repetition_withholds_the_speedup() {
    let mut run = SyntheticRun::new().plan(&[2]).timing(Version::Seq, 1, 400.0);
    run.wrong_repetition = true;
    let records = run.timing(Version::Mpi, 2, 230.0).records;
    all_say(&records, "The output was wrong in at least one repetition");
    none_says(&records, "1.74");
    assert!(wb_report::html(&records, Lang::En).contains("47 right, 1 wrong, 0 not checked"));
}

#[test]
fn a_series_that_did_not_converge_says_so() {
    let mut run = SyntheticRun::new().plan(&[2]).timing(Version::Seq, 1, 400.0);
    run.converged = false;
    let records = run.timing(Version::Mpi, 2, 210.0).records;
    all_say(&records, "not converged");
    none_says(&SyntheticRun::good().records, "not converged");
}

#[test]
fn more_than_linear_is_flagged_and_earns_no_points() {
    let records =
        SyntheticRun::new().plan(&[2]).timing(Version::Seq, 1, 400.0).timing(Version::Mpi, 2, 150.0).records;
    all_say(&records, "superlinear: cache, or weak baseline?");
    none_says(&records, "Performance points");
}

#[test]
fn threads_say_that_they_are_not_mpi() {
    let run = SyntheticRun::new().backend(Backend::Threads).plan(&[2]).timing(Version::Seq, 1, 400.0);
    let records = run.timing(Version::Mpi, 2, 210.0).records;
    all_say(&records, "embedded backend");
    all_say(&records, "ranks are threads, not MPI");
    none_says(&records, "Open MPI");
    assert!(!wb_report::html(&SyntheticRun::good().records, Lang::En).contains("embedded"));
}

#[test]
fn a_mixture_of_conditions_is_not_gradable() {
    let changes: [fn(&mut Environment); 5] = [
        |of| of.machine.cpu = "another".into(),
        |of| of.machine.kernel = "another".into(),
        |of| of.build.rustc = "another".into(),
        |of| of.build.opt_level = "2".into(),
        |of| of.build.commit = Some("another".into()),
    ];
    for change in changes {
        let mut run = SyntheticRun::new().plan(&[2]).timing(Version::Seq, 1, 400.0);
        change(&mut run.environment);
        all_say(&run.timing(Version::Mpi, 2, 210.0).records, "Not gradable as measured");
    }
}

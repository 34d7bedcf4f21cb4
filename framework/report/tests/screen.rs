//! One screen a task and one table for all: 24 lines (two are left for failures), 80 columns, nothing folded inside a cell, in both languages.

use std::{fs, path::Path};

use super::synthetic::{SyntheticRun, TASK};
use wb_messages::Lang;
use wb_record::{
    Backend, MeasuredWorkload, Measurement, MeasurementPlan, Record, SeriesFailure, TestOutcome, TimedRegion,
    Version,
};
use wb_report::{OverviewRow, TaskReport};

const END: &str = "reports/ivanov_i_row_sum/report.html";

/// Compares the texts of both languages with those in `snapshots/screen__NAME.snap`.
fn assert_snapshot(name: &str, texts: &[String]) {
    insta::with_settings!({ prepend_module_to_snapshot => false }, {
        insta::assert_snapshot!(format!("screen__{name}"), texts.join("\n"));
    });
}

fn timed(run: SyntheticRun, ranks: &[(u32, f64)]) -> SyntheticRun {
    let timings = |run: SyntheticRun, extra: f64| {
        let run = run.timing(Version::Seq, 1, 412.0 + extra);
        ranks.iter().fold(run, |run, (ranks, ms)| run.timing(Version::Mpi, *ranks, ms + extra))
    };
    let run = timings(run.mode(TimedRegion::TaskRun), 0.0);
    timings(run.mode(TimedRegion::Pipeline), 40.0)
}

/// The same run after a change of its plan.
fn planned(mut run: SyntheticRun, change: impl Fn(&mut MeasurementPlan)) -> SyntheticRun {
    for record in &mut run.records {
        if let Measurement::Plan(plan) = &mut record.measurement {
            change(plan);
        }
    }
    run
}

fn quick(run: SyntheticRun) -> SyntheticRun {
    planned(run, |plan| plan.quick = true)
}

/// The same times for further workloads.
fn with_workloads(run: &SyntheticRun, names: &[(&str, u64)]) -> Vec<Record> {
    let mut records = run.records.clone();
    for (name, size) in names {
        let workload = MeasuredWorkload { name: (*name).into(), size: *size, unit: "numbers".into() };
        records.extend(run.records.iter().filter_map(|record| {
            let mut record = record.clone();
            match &mut record.measurement {
                Measurement::Timing(timing) => timing.series.workload = workload.clone(),
                Measurement::Outcome(outcome) => outcome.series.workload = workload.clone(),
                _ => return None,
            }
            Some(record)
        }));
    }
    records
}

/// Long names, large numbers, many ranks, the instructor's version, and a reason of a thousand words.
fn extreme() -> Vec<Record> {
    let mut run = SyntheticRun::new().cores(128);
    run.subject.task = "a_very_long_surname_i_with_a_task_whose_name_has_sixty_letters_x".into();
    run.subject.title.en = "A title of many words ".repeat(9);
    run.subject.title.ru = "Название из многих слов ".repeat(9);
    run.mode = TimedRegion::TaskRun;
    let ranks: Vec<u32> = (1..=32).chain([64, 128]).collect();
    let mut run = run.plan(&ranks).timing(Version::Reference, 1, 0.0423);
    for region in [TimedRegion::TaskRun, TimedRegion::Pipeline] {
        run = run.mode(region).timing(Version::Seq, 1, 9_876_543.0);
        run = ranks
            .iter()
            .fold(run, |run, ranks| run.timing(Version::Mpi, *ranks, 9_999_999.0 / f64::from(*ranks)));
    }
    for record in &mut run.records {
        if let Measurement::Outcome(outcome) = &mut record.measurement
            && outcome.series.ranks == 32
        {
            outcome.failure =
                Some(SeriesFailure::Crashed { reason: "a/path/of/a/hundred/letters".repeat(40) });
        }
    }
    run.records
}

fn cases() -> Vec<(&'static str, Vec<Record>)> {
    let times = [(1, 418.0), (2, 212.0), (4, 118.0)];
    let plan = |run: SyntheticRun| run.plan(&[1, 2, 4]);
    let failed = || SyntheticRun::good().traced();
    let noisy = SyntheticRun { converged: false, ..SyntheticRun::new() };
    vec![
        ("good", SyntheticRun::complete().records),
        ("threads", timed(plan(SyntheticRun::new().backend(Backend::Threads)), &times).traced().records),
        (
            "no_points",
            timed(plan(SyntheticRun::new()), &[(1, 418.0), (2, 431.0), (4, 609.0)]).traced().records,
        ),
        ("quick_and_noisy", quick(timed(plan(noisy), &times)).traced().records),
        ("oversubscribed", timed(plan(SyntheticRun::new().cores(1)), &times[1..]).records),
        (
            "oversubscribed_threads",
            quick(timed(plan(SyntheticRun::new().cores(1).backend(Backend::Threads)), &times[1..])).records,
        ),
        ("several_inputs", with_workloads(&failed(), &[("float", 100), ("int", 5000)])),
        (
            "failed_verdict",
            failed()
                .functional("more_ranks_than_rows", 4, TestOutcome::Hang, Some("0 waits for 1 and 1 for 0"))
                .records,
        ),
        ("no_trace", SyntheticRun::good().records),
        ("communication", SyntheticRun::new().plan(&[2, 4]).sweep(2, 1.04).sweep(4, 0.9).records),
        ("extreme", extreme()),
    ]
}

/// Whether a text fits one screen.
fn assert_fits(text: &str, lines: usize) {
    assert!(text.lines().count() <= lines, "{} lines:\n{text}", text.lines().count());
    for line in text.lines() {
        assert!(line.chars().count() <= 80, "{} columns: {line}", line.chars().count());
    }
}

/// Every line of a table has a row of its own: what names it is in the first columns.
fn assert_rows(text: &str) {
    let versions = ["seq ", "mpi ", "reference "];
    let table = text.lines().skip_while(|line| !line.contains("task_run")).skip(2);
    let rows: Vec<&str> =
        table.take_while(|line| versions.iter().any(|name| line.starts_with(name))).collect();
    let times =
        |line: &&str| [" ns", " ms", " s", " нс", " мс", " с", "—"].iter().any(|unit| line.contains(unit));
    assert!(rows.iter().all(times), "{text}");
    let parallel = rows.iter().filter(|row| row.starts_with("mpi ")).count();
    assert!(parallel > 0 || !text.contains("task_run"), "{text}");
}

#[test]
fn every_case_fits_one_screen() {
    for (name, records) in cases() {
        let screens = Lang::ALL.map(|lang| wb_report::screen(&records, END, lang));
        for screen in &screens {
            assert_fits(screen, 22);
            assert_rows(screen);
            assert_eq!(screen.lines().last(), Some(END));
        }
        assert_snapshot(name, &screens);
    }
}

#[test]
fn an_assignment_without_points_for_performance_says_so() {
    let run = planned(SyntheticRun::complete(), |plan| plan.performance_points = Some(0.0));
    let screen = wb_report::screen(&quick(run).records, END, Lang::En);
    assert!(screen.contains("No points: performance is not graded.\n"), "{screen}");
}

#[test]
fn every_example_fits_one_screen() {
    let reports = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../reports");
    let entries = fs::read_dir(&reports).expect("the reports").map(|entry| entry.expect("an entry").path());
    let mut folders: Vec<_> = entries.collect();
    folders.sort();
    let mut rows = Vec::new();
    for folder in folders {
        // The records of the laboratory are no records of tasks.
        if ["barriers", "collectives"].iter().any(|name| folder.ends_with(name)) {
            continue;
        }
        let Ok(lines) = fs::read_to_string(folder.join("records.jsonl")) else { continue };
        let records = wb_record::read_all(&lines).expect("records");
        let report = TaskReport::new(&records);
        for lang in Lang::ALL {
            let screen = report.screen(END, lang);
            assert_fits(&screen, 22);
            assert_rows(&screen);
        }
        rows.extend(report.overview_row(Lang::En));
    }
    assert!(rows.len() >= 18);
    let all: String =
        rows.iter().map(|row| row.line() + "\n").collect::<String>() + &wb_report::overview(&rows, Lang::En);
    assert_fits(&all, 59);
}

#[test]
fn all_tasks_are_one_table() {
    let of = |name: &str| cases().into_iter().find(|case| case.0 == name).expect("a case").1;
    let names = ["good", "quick_and_noisy", "failed_verdict", "communication", "extreme"];
    let tables = Lang::ALL.map(|lang| {
        let mut rows: Vec<OverviewRow> =
            names.iter().filter_map(|name| TaskReport::new(&of(name)).overview_row(lang)).collect();
        rows.push(OverviewRow::not_measured(TASK, lang));
        let lines: String = rows.iter().map(|row| row.line() + "\n").collect();
        let table = wb_report::overview(&rows, lang);
        assert_fits(&(lines.clone() + &table), 14);
        assert_eq!(table.lines().count(), 1 + rows.len());
        format!("{lines}\n{table}")
    });
    assert_snapshot("overview", &tables);
    let quick: Vec<OverviewRow> = ["quick_and_noisy"; 3]
        .iter()
        .filter_map(|name| TaskReport::new(&of(name)).overview_row(Lang::En))
        .collect();
    let table = wb_report::overview(&quick, Lang::En);
    assert_eq!(table.matches("quick run").count(), 1, "what is true of all is said once: {table}");
}

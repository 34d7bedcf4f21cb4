//! `cargo wb report` in small workspaces: whose records it accepts, which pages it writes, and whose text it leaves alone.

use std::fs;

use crate::workspace::{TASK, output_text, wb, workspace, write};

fn example(task: &str) -> wb_record::Record {
    let mut record = wb_record::example();
    record.subject.task = task.into();
    record
}

/// A file of records of this task.
fn records(task: &str) -> String {
    example(task).to_line() + "\n"
}

#[test]
fn the_report_names_the_task_whose_measurement_failed() {
    let root = workspace(TASK);
    let message = output_text(&wb(root.path(), &["report", "--quick", "--backend", "threads"]), 1);
    assert!(message.contains("ivanov_i_scatter: the measurement failed (exit code 7"), "{message}");
    assert!(!message.contains("bench failed"), "cargo reports it, too: {message}");
    assert!(message.contains("failed: ivanov_i_scatter"), "{message}");
    assert!(
        root.path().join("reports/index.html").is_file()
            && root.path().join("reports/index.ru.html").is_file()
    );
}

#[test]
fn a_report_is_rendered_from_the_records_that_are_there() {
    let root = workspace(TASK);
    let folder = root.path().join("reports/ivanov_i_scatter");
    write(&folder.join("records.jsonl"), &records("ivanov_i_scatter"));
    assert_eq!(output_text(&wb(root.path(), &["report", "--render"]), 0), "reports/index.html\n");
    let one = ["report", "--render", "-p", "ivanov_i_scatter"];
    assert_eq!(output_text(&wb(root.path(), &one), 0), "reports/ivanov_i_scatter/report.html\n");
    assert_eq!(output_text(&wb(&folder, &one), 0), "report.html\n", "from the current folder");
    let shown = output_text(&wb(root.path(), &[&one[..], &["--verbose"]].concat()), 0);
    for page in ["report.html", "report.md"] {
        assert!(shown.contains(&format!("written: {}", folder.join(page).display())), "{page} in {shown}");
    }
    for page in ["report.md", "report.ru.md", "report.html", "report.ru.html"] {
        assert!(folder.join(page).is_file(), "{page}");
    }
    write(&folder.join("records.jsonl"), "no record\n");
    let message = output_text(&wb(root.path(), &["report", "--render"]), 1);
    assert!(message.contains("ivanov_i_scatter: no report (its records cannot be read: "), "{message}");
}

#[test]
fn what_a_person_wrote_into_a_report_stays() {
    let root = workspace(TASK);
    let folder = root.path().join("reports/ivanov_i_scatter");
    write(&folder.join("records.jsonl"), &records("ivanov_i_scatter"));
    output_text(&wb(root.path(), &["report", "--render"]), 0);
    let read = |name: &str| fs::read_to_string(folder.join(name)).expect("there");
    let prose = "My scheme: one strip of rows a rank. Моя схема.\n";
    for (page, title) in
        [("report.md", "## 4. Parallelisation scheme\n"), ("report.ru.md", "## 4. Схема распараллеливания\n")]
    {
        let written = read(page).replace(title, &format!("{title}\n{prose}"));
        assert!(written.contains(prose), "{page}");
        write(&folder.join(page), &written);
        output_text(&wb(root.path(), &["report", "--render", "-p", "ivanov_i_scatter"]), 0);
        assert_eq!(read(page), written);
    }
    // Other records: the generated parts change, and the prose does not.
    write(
        &folder.join("records.jsonl"),
        &records("ivanov_i_scatter").replace("Example Person", "Ivan Ivanov"),
    );
    output_text(&wb(root.path(), &["report", "--render"]), 0);
    assert!(read("report.md").contains("Ivan Ivanov") && read("report.md").contains(prose));
    let damaged = read("report.md").replace("<!-- generated: setup -->", "");
    write(&folder.join("report.md"), &damaged);
    let message = output_text(&wb(root.path(), &["report", "--render"]), 1);
    assert!(message.contains("report.md is left as it is: the closing marker in line "), "{message}");
    assert_eq!(read("report.md"), damaged);
    assert!(read("report.new.md").contains("<!-- generated: setup -->"));
}

#[test]
#[cfg(unix)]
fn nothing_is_written_through_a_symbolic_link() {
    let root = workspace(TASK);
    let folder = root.path().join("reports/ivanov_i_scatter");
    let elsewhere = tempfile::tempdir().expect("a folder");
    let victim = elsewhere.path().join("victim");
    for page in ["report.csv", "report.html", "report.ru.html", "report.md", "report.ru.md"] {
        write(&folder.join("records.jsonl"), &records("ivanov_i_scatter"));
        write(&victim, "");
        std::os::unix::fs::symlink(&victim, folder.join(page)).expect("a link");
        let message = output_text(&wb(root.path(), &["report", "--render"]), 1);
        assert!(message.contains(&format!("{page}: it is a symbolic link")), "{message}");
        assert_eq!(fs::read_to_string(&victim).expect("there"), "", "{page}");
        fs::remove_dir_all(&folder).expect("removed");
    }
    // The folder of the report leads elsewhere.
    write(&elsewhere.path().join("records.jsonl"), &records("ivanov_i_scatter"));
    std::os::unix::fs::symlink(elsewhere.path(), &folder).expect("a link");
    let message = output_text(&wb(root.path(), &["report", "--render"]), 1);
    assert!(message.contains("in a linked folder"), "{message}");
    assert!(!elsewhere.path().join("report.md").exists());
}

#[test]
fn one_report_is_rendered_and_the_index_still_has_all() {
    let root = workspace(TASK);
    let other = "[package]\nname = \"petrov_p_ring\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[package.metadata.task]\n";
    write(&root.path().join("tasks/petrov_p_ring/Cargo.toml"), other);
    write(&root.path().join("tasks/petrov_p_ring/src/lib.rs"), "//! Nothing.\n");
    let folder = |task: &str| root.path().join("reports").join(task);
    for task in ["ivanov_i_scatter", "petrov_p_ring"] {
        write(&folder(task).join("records.jsonl"), &records(task));
    }
    let page = folder("petrov_p_ring").join("report.html");
    let index = || fs::read_to_string(root.path().join("reports/index.html")).expect("an index");
    for kept in [false, true] {
        output_text(&wb(root.path(), &["report", "--render", "-p", "ivanov_i_scatter"]), 0);
        assert!(folder("ivanov_i_scatter").join("report.html").is_file() && !page.exists(), "kept: {kept}");
        assert!(
            index().contains("petrov_p_ring/report.html") && index().contains("ivanov_i_scatter/report.html")
        );
    }
    // A summary is not believed when the records have changed.
    let changed = records("petrov_p_ring").replace("Example Person", "Pyotr Petrov");
    write(&folder("petrov_p_ring").join("records.jsonl"), &changed);
    output_text(&wb(root.path(), &["report", "--render", "-p", "ivanov_i_scatter"]), 0);
    assert!(index().contains("Pyotr Petrov"), "{}", index());
}

#[test]
fn records_of_another_task_are_refused() {
    let root = workspace(TASK);
    let file = root.path().join("reports/ivanov_i_scatter/records.jsonl");
    write(&file, &(records("ivanov_i_scatter") + &records("petrov_p_ring")));
    let message = output_text(&wb(root.path(), &["report", "--render"]), 1);
    assert!(message.contains("line 2 is a record of the task `petrov_p_ring`"), "{message}");
}

/// A `main` that measures nothing and writes what the file `stolen.jsonl` has, as records of this moment where it says `NOW`.
const FORGING_MAIN: &str = r#"fn main() {
    let records = std::env::args().skip_while(|word| word != "--wb-records").nth(1);
    let now = std::process::Command::new("date").args(["-u", "+%FT%TZ"]).output().unwrap().stdout;
    let now = String::from_utf8_lossy(&now).into_owned();
    let stolen = std::fs::read_to_string("stolen.jsonl").unwrap().replace("NOW", now.trim());
    if let Some(records) = records {
        std::fs::write(records, stolen).unwrap();
    }
}
"#;

#[test]
fn records_that_this_run_has_not_asked_for_are_not_accepted() {
    let root = workspace(TASK);
    let task = root.path().join("tasks/ivanov_i_scatter");
    write(&task.join("benches/performance.rs"), FORGING_MAIN);
    let signed =
        |record: wb_record::Record| wb_record::Record { at: "NOW".into(), ..record }.to_line() + "\n";
    let of_size = |name: &str, size| {
        let workload = wb_record::MeasuredWorkload { name: name.into(), size, unit: String::new() };
        let (version, mode) = (wb_record::Version::Seq, wb_record::TimedRegion::TaskRun);
        let outcome = wb_record::SeriesOutcome {
            series: wb_record::Series { workload, version, mode, ranks: 1 },
            converged: true,
            half_width: None,
            budget_s: 1.0,
            spent_s: 1.0,
            repeated_launches: 0,
            failure: None,
        };
        wb_record::Record { measurement: outcome.into(), ..example("ivanov_i_scatter") }
    };
    let outcome = |name: &str| of_size(name, 1000);
    let perf = ["perf", "-p", "ivanov_i_scatter", "--backend", "threads"];
    for (stolen, refusal) in [
        (records("ivanov_i_scatter"), "line 1 is not accepted: this run has not asked for it"),
        (
            records("ivanov_i_scatter").replace("2026", "2226"),
            "line 1 is not accepted: this run has not asked for it",
        ),
        (signed(example("petrov_p_ring")), "line 1 is not accepted: it is of the task `petrov_p_ring`"),
        (
            signed(outcome("int")) + &signed(outcome("tiny")),
            "line 2 is not accepted: it is of the workload `tiny`, 1000",
        ),
        (signed(of_size("int", 10)), "line 1 is not accepted: it is of the workload `int`, 10"),
    ] {
        write(&task.join("stolen.jsonl"), &stolen);
        let message = output_text(&wb(root.path(), &perf), 1);
        assert!(message.contains(refusal), "{refusal} in {message}");
    }
    write(&task.join("stolen.jsonl"), &signed(outcome("int")));
    let screen = output_text(&wb(root.path(), &perf), 0);
    let end = "\n`cargo wb report -p ivanov_i_scatter` writes the page.\n";
    assert!(screen.ends_with(end) && screen.lines().count() <= 24, "{screen}");
    let verbose = output_text(&wb(root.path(), &[&perf[..], &["--verbose"]].concat()), 0);
    assert!(verbose.contains("Can these numbers be trusted?"), "{verbose}");
    // Its functional test passes and never calls the harness.
    let report =
        output_text(&wb(root.path(), &["report", "--backend", "threads", "-p", "ivanov_i_scatter"]), 1);
    assert!(report.contains("ivanov_i_scatter: the measurement failed (no functional record: "), "{report}");
}

#[test]
fn all_tasks_are_a_line_each_and_one_table_and_no_list_of_files() {
    let root = workspace(TASK);
    let tasks = ["ivanov_i_scatter", "petrov_p_ring"];
    let first = root.path().join("tasks").join(tasks[0]);
    write(&first.join("benches/performance.rs"), FORGING_MAIN);
    for file in ["Cargo.toml", "task.yaml", "src/lib.rs", "tests/functional.rs", "benches/performance.rs"] {
        let text = fs::read_to_string(first.join(file)).expect("a file of the task");
        write(&root.path().join("tasks").join(tasks[1]).join(file), &text.replace(tasks[0], tasks[1]));
    }
    for task in tasks {
        let record = wb_record::Record { at: "NOW".into(), ..example(task) };
        write(&root.path().join("tasks").join(task).join("stolen.jsonl"), &(record.to_line() + "\n"));
    }
    let shown = output_text(&wb(root.path(), &["report", "--quick", "--backend", "threads"]), 0);
    let lines: Vec<&str> = shown.lines().collect();
    let named = |task: &str| lines.iter().filter(|line| line.starts_with(task)).count();
    assert_eq!(tasks.map(named), [2, 2], "a line when it is done, and a row: {shown}");
    assert_eq!(lines.last(), Some(&"reports/index.html"), "{shown}");
    assert!(lines.len() <= 10 && !shown.contains("written: ") && !shown.contains("measuring"), "{shown}");
    assert!(root.path().join("reports/petrov_p_ring/report.html").is_file());
}

#[test]
fn a_model_of_no_machine_is_refused_before_anything_is_measured() {
    let root = workspace(TASK);
    for (model, reason) in [
        ("cluster-id", "there is no machine `cluster-id`; did you mean `cluster-ib`?"),
        ("this-hots", "did you mean `this-host`"),
        ("this-host", "`this-host` has not been calibrated yet: `cargo wb calibrate`"),
    ] {
        let message = output_text(&wb(root.path(), &["report", "--backend", "threads", "--model", model]), 2);
        assert!(message.contains(reason) && !message.contains("measuring"), "{message}");
    }
    assert!(!root.path().join("reports").exists());
}

#[test]
fn what_stands_beside_the_measurements_is_rendered_from_their_records() {
    let root = workspace(TASK);
    let folder = root.path().join("reports/ivanov_i_scatter");
    let example = example("ivanov_i_scatter");
    let series = wb_record::Series {
        workload: wb_record::MeasuredWorkload { name: "sine".into(), size: 5, unit: String::new() },
        version: wb_record::Version::Mpi,
        mode: wb_record::TimedRegion::TaskRun,
        ranks: 2,
    };
    let outcome = wb_record::SeriesOutcome {
        series,
        converged: false,
        half_width: None,
        budget_s: 1.0,
        spent_s: 0.0,
        repeated_launches: 0,
        failure: Some(wb_record::SeriesFailure::Disabled),
    };
    let trace = wb_record::Trace { subject: example.subject.clone(), ..wb_record::example_trace() };
    let measurements = [wb_record::Measurement::from(outcome), trace.into()];
    let line = |measurement| wb_record::Record { measurement, ..example.clone() }.to_line() + "\n";
    write(&folder.join("records.jsonl"), &measurements.map(line).concat());
    output_text(&wb(root.path(), &["report", "--render"]), 0);
    let page = fs::read_to_string(folder.join("report.md")).expect("a report");
    assert!(page.contains("The run took 16.0 ms on 3 ranks."), "{page}");
    assert!(page.contains("There is no model beside the measurements"), "{page}");
    let table = fs::read_to_string(folder.join("report.csv")).expect("a table");
    assert!(table.starts_with("workload,size,unit,mode,"), "{table}");
}

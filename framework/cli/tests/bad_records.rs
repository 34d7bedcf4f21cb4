//! Files of records with impossible content: each costs its own page only, and is reported.

use std::{
    fs,
    path::Path,
    process::{Command, Output},
};

const MANIFEST: &str = "[workspace]\nresolver = \"3\"\nmembers = [\"tasks/*\"]\n";
const TASK: &str = "student: Ivan Ivanov\ngroup: G\ntask_number: 1\nvariant: 1\nkind: computation\n\
                    status: { seq: enabled, mpi: enabled }\n\
                    performance: { workloads: [{ name: small, size: 3 }], ranks: [1, 2] }\n";

/// A workspace with two tasks; the second has a record.
fn workspace() -> tempfile::TempDir {
    let root = tempfile::tempdir().expect("a folder");
    write(&root.path().join("Cargo.toml"), MANIFEST);
    for name in ["ivanov_i_scatter", "petrov_p_ring"] {
        let task = root.path().join("tasks").join(name);
        let manifest =
            format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\n[package.metadata.task]\n");
        write(&task.join("Cargo.toml"), &manifest);
        write(&task.join("task.yaml"), TASK);
        write(&task.join("src/lib.rs"), "//! Nothing.\n");
    }
    let good = records().replace("ivanov_i_scatter", "petrov_p_ring");
    write(&root.path().join("reports/petrov_p_ring/records.jsonl"), &good);
    root
}

fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().expect("a folder")).expect("making it");
    fs::write(path, text).expect("writing");
}

/// A file of one record.
fn records() -> String {
    let mut record = wb_record::example();
    record.subject.task = "ivanov_i_scatter".into();
    record.to_line() + "\n"
}

fn wb(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wb"));
    command.args(arguments).current_dir(folder).env("WB_LANG", "en").output().expect("this program starts")
}

/// What was said; the other task's page is there whatever happened to this one's.
fn assert_output(folder: &Path, output: &Output, code: i32) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let message = text(&output.stdout) + &text(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{message}");
    let page = folder.join("reports/petrov_p_ring/report.html");
    assert!(page.is_file(), "{message}");
    fs::remove_file(page).expect("removed");
    message
}

#[test]
fn one_bad_file_of_records_loses_its_own_page_and_stands_in_the_index() {
    let root = workspace();
    let folder = root.path().join("reports/ivanov_i_scatter");
    let file = folder.join("records.jsonl");
    let good = records();
    let mut other = records().replace("\"ranks\":2", "\"ranks\":0");
    assert_ne!(other, good);
    let mut bad = vec![("measurement.ranks is 0, expected a whole number from 1", other.clone())];
    other = good.repeat(2);
    bad.push(("the same record as line 1", other));
    for (reason, text) in bad {
        write(&file, &text);
        let message = assert_output(root.path(), &wb(root.path(), &["report", "--render"]), 1);
        assert!(message.contains(reason) && message.contains("failed: ivanov_i_scatter"), "{message}");
        let index = fs::read_to_string(root.path().join("reports/index.html")).expect("the index");
        assert!(index.contains(reason) && index.contains("Without a report"), "{reason}");
    }
    let not_a_file: [fn(&Path); 2] = [
        |file| fs::create_dir(file).expect("created"),
        |file| std::os::unix::fs::symlink("records.jsonl", file).expect("a link"),
    ];
    for make in not_a_file {
        let _gone = fs::remove_file(&file).or_else(|_| fs::remove_dir(&file));
        make(&file);
        let message = assert_output(root.path(), &wb(root.path(), &["report", "--render"]), 1);
        assert!(message.contains("ivanov_i_scatter: no report (its records cannot be read: "), "{message}");
        assert!(message.contains("reports/ivanov_i_scatter/records.jsonl"), "{message}");
    }
    // The report of another task is none the worse.
    let other_report =
        assert_output(root.path(), &wb(root.path(), &["report", "--render", "-p", "petrov_p_ring"]), 0);
    assert!(other_report.contains("ivanov_i_scatter: no report"), "{other_report}");
    let misspelt = wb(root.path(), &["report", "--render", "-p", "petrov_p_rng"]);
    assert_eq!(misspelt.status.code(), Some(2));
    let misspelt = String::from_utf8_lossy(&misspelt.stderr).into_owned();
    assert!(misspelt.contains("did you mean `petrov_p_ring`?"), "{misspelt}");
    fs::remove_file(&file).expect("removed");
    // A page that cannot be written is reported, too.
    write(&file, &good);
    let _no_page_yet = fs::remove_file(folder.join("report.html"));
    fs::create_dir_all(folder.join("report.html/x")).expect("created");
    let message = assert_output(root.path(), &wb(root.path(), &["report", "--render"]), 1);
    assert!(message.contains("ivanov_i_scatter: no report") && message.contains("report.html"), "{message}");
}

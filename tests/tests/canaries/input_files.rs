//! A task opens the files of its assignment only, to be read, on every backend; without an assignment's crate it may open all.
use std::{fs, path::Path};

use wb_record::{Backend, TestOutcome};
use wb_tests::canary_runner::{RunOutput, canaries};

const RANKS: usize = 2;

/// A workspace with a task, and with its assignment's crate if it has settings, in whose folder of files is the number of the canaries.
fn workspace(assignment: Option<&str>) -> tempfile::TempDir {
    let root = tempfile::tempdir().expect("a folder");
    let write = |path: &str, bytes: &[u8]| {
        let path = root.path().join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(path, bytes).expect("written");
    };
    let tasks = wb_tests::sources::root().join("tasks");
    write("Cargo.toml", b"[workspace]\n");
    write("tasks/course.yaml", &fs::read(tasks.join("course.yaml")).expect("the course"));
    let task =
        "student: A B\ngroup: staff\ntask_number: 1\nvariant: 20\nstatus: { seq: enabled, mpi: enabled }\n";
    let measured = "kind: computation\nperformance: { workloads: [{ name: a, size: 1 }], ranks: [1, 2] }\n";
    let Some(files) = assignment else {
        write("tasks/canary_c_files/task.yaml", format!("{task}{measured}").as_bytes());
        return root;
    };
    write("tasks/canary_c_files/task.yaml", task.as_bytes());
    write("tasks/assignment_1_20_integral/Cargo.toml", b"");
    write("tasks/assignment_1_20_integral/files/number.bin", &42_u64.to_ne_bytes());
    write("tasks/assignment_1_20_integral/files/answers.bin", &42_u64.to_ne_bytes());
    write("tasks/assignment_1_20_integral/assignment.yaml", format!("{measured}{files}").as_bytes());
    root
}

fn run(root: &Path, test: &str) -> RunOutput {
    let package = root.join("tasks/canary_c_files");
    let canaries =
        canaries().with_ranks(RANKS).with_variable("CARGO_MANIFEST_DIR", &package.to_string_lossy());
    canaries.run_alone(&["--exact", "--ignored", test])
}

/// The test fails on every backend, with this in its report.
fn assert_refused(root: &Path, test: &str, reason: &str) {
    let test = &format!("input_files::{test}");
    let output = run(root, test);
    assert_eq!(output.code, Some(101), "{test}: {}", output.text);
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let report = output.report(test).0;
    assert!(words(&report).contains(reason), "{test}: {report}");
    for (backend, name) in super::backends(canaries().library().as_ref()) {
        let verdict = output.verdict(test, backend, RANKS as u32);
        assert_eq!(verdict.verdict, TestOutcome::Fail, "{test}, {name}");
    }
}

#[test]
fn a_task_reads_the_files_of_its_assignment_and_no_others() {
    let root = workspace(Some("files: [number.bin]\n"));
    let output = run(root.path(), "input_files::the_file_of_the_assignment");
    assert_eq!(output.code, Some(0), "{}", output.text);
    assert_refused(root.path(), "a_file_in_place_of_messages", "it communicates nothing");
    let refused = "is not a file of the assignment, expected one of number.bin";
    for test in ["a_path_that_leads_out_of_the_folder", "an_absolute_path", "a_file_that_is_not_listed"] {
        assert_refused(root.path(), test, refused);
    }
    let mode = "expected read_only without other modes";
    for test in ["a_file_that_is_left_for_the_next_run", "a_file_that_is_deleted"] {
        assert_refused(root.path(), test, mode);
    }
    let left = fs::read_dir(root.path().join("tasks/assignment_1_20_integral/files")).expect("a folder");
    assert_eq!(left.count(), 2);
}

#[test]
fn a_task_of_an_assignment_without_files_opens_none() {
    let root = workspace(Some(""));
    assert_refused(root.path(), "the_file_of_the_assignment", "the assignment has no files");
}

#[test]
fn the_program_of_a_task_with_its_own_problem_opens_what_it_wants() {
    let output = run(workspace(None).path(), "input_files::an_absolute_path");
    let refused = "is not a file of the assignment";
    assert!(output.code == Some(101) && !output.text.contains(refused), "{}", output.text);
    output.assert_contains(&["the output on rank 0 is wrong"]);
}

/// Both mistakes are found although every rank has the right answer. MPI cannot see the race.
#[test]
fn a_mistake_with_a_shared_file_fails_its_test() {
    let found = [
        ("a_file_stays_open", "WB0014: 2 file(s) never closed", 11, true),
        (
            "ranks_write_the_same_bytes",
            "WB0024: 1 pair(s) of accesses to the same bytes of a file",
            24,
            false,
        ),
    ];
    for (test, headline, line, is_seen_on_mpi) in found {
        let test = &format!("shared_files::{test}");
        let output = run(workspace(None).path(), test);
        for (backend, name) in super::backends(canaries().library().as_ref()) {
            let verdict = output.verdict(test, backend, RANKS as u32).verdict;
            let is_seen = is_seen_on_mpi || backend != Backend::Mpi;
            assert_eq!(verdict == TestOutcome::Fail, is_seen, "{test}, {name}: {}", output.text);
        }
        let lines = [0, 1].map(|rank| format!("shared_files.rs:{line} (rank {rank})"));
        output.report(test).assert_contains(&[headline, &lines[0], &lines[1]]);
    }
}

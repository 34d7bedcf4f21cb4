//! Submissions in real repositories: merges, squashed and rebased branches, wrong clocks, formatting.

use super::*;
use crate::repository::test_clone::{TestClone, day};

const SOURCE: &str = "fn f(x: u8) -> u8 { x }\n";

fn paths() -> TaskPaths {
    TaskPaths { folder: "tasks/a".into(), reports: "reports/a".into(), has_assignment: false }
}

fn at(text: &str) -> Timestamp {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// What the main branch of a clone says.
impl TestClone {
    fn main(&self) -> MainBranch {
        MainBranch::find(self.path(), None).unwrap_or_else(|error| panic!("{error:?}"))
    }

    fn submission_at(&self, moment: &str) -> Option<SubmissionEvidence> {
        self.main().submission(&paths(), at(moment)).expect("git answers")
    }

    fn submission(&self) -> SubmissionEvidence {
        self.submission_at("2027-12-31T00:00:00Z").expect("it is merged")
    }

    /// The dates of the last change and of its merge.
    fn dates(&self) -> (String, String) {
        let found = self.submission();
        (found.changed_at.to_string(), found.merged_at.to_string())
    }
}

#[test]
fn the_students_last_commit_counts_and_not_the_merge() {
    let clone = TestClone::new();
    clone.branch("a");
    clone.commit("tasks/a/src/seq.rs", SOURCE, &day(3));
    clone.commit("tasks/a/src/mpi.rs", SOURCE, &day(4));
    clone.merge("a", &day(9));
    assert_eq!(clone.dates(), (day(4), day(9)));
    assert_eq!(clone.submission().claimed_at, None);
}

#[test]
fn formatting_comments_and_other_folders_are_not_a_change() {
    let clone = TestClone::new();
    clone.branch("a");
    clone.commit("tasks/a/src/seq.rs", SOURCE, &day(3));
    clone.commit("tasks/a/src/seq.rs", "// why\nfn f(\n    x: u8,\n) -> u8 {\n    x\n}\n", &day(5));
    clone.merge("a", &day(6));
    clone.commit("tasks/a/src/seq.rs", "/// F.\nfn f(x: u8) -> u8 {\n    x\n}\n", &day(7));
    clone.commit("tasks/b/src/seq.rs", SOURCE, &day(8));
    assert_eq!(clone.dates(), (day(3), day(6)));
    clone.commit("tasks/a/src/seq.rs", "fn f(x: u8) -> u8 { x + 0 }\n", &day(9));
    assert_eq!(clone.dates(), (day(9), day(9)), "the canary: a token more");
}

#[test]
fn prose_of_the_report_and_settings_count_and_generated_files_do_not() {
    let clone = TestClone::new();
    clone.commit("tasks/a/src/seq.rs", SOURCE, &day(3));
    clone.commit("reports/a/records.jsonl", "{}\n", &day(4));
    clone.commit("reports/a/report.html", "<p>\n", &day(5));
    assert_eq!(clone.dates().0, day(3));
    let block = |text| wb_report::blocks::block("results", text);
    clone.commit("reports/a/report.md", &format!("{}Own words.\n", block("S = 1")), &day(6));
    clone.commit("reports/a/report.md", &format!("{}Own\nwords.\n", block("S = 2")), &day(7));
    assert_eq!(clone.dates().0, day(6));
    clone.commit("tasks/a/task.yaml", "variant: 1\n", &day(8));
    clone.commit("tasks/a/task.yaml", "# a comment\nvariant: 1\n", &day(9));
    assert_eq!(clone.dates().0, day(8));
}

#[test]
fn a_squashed_or_rebased_branch_counts_with_its_commit_on_the_main_branch() {
    let clone = TestClone::new();
    clone.branch("a");
    clone.commit("tasks/a/src/seq.rs", SOURCE, &day(3));
    clone.git(&["checkout", "-q", "main"], &day(5));
    clone.git(&["merge", "-q", "--squash", "a"], &day(5));
    clone.git(&["commit", "-q", "-m", "squashed"], &day(5));
    assert_eq!(clone.dates(), (day(5), day(5)));
    clone.git(&["checkout", "-q", "-b", "b"], &day(5));
    clone.commit("tasks/a/src/mpi.rs", SOURCE, &day(6));
    clone.git(&["checkout", "-q", "main"], &day(7));
    clone.commit("tasks/other/src/seq.rs", SOURCE, &day(7));
    clone.git(&["checkout", "-q", "b"], &day(8));
    clone.git(&["rebase", "-q", "main"], &day(8));
    clone.git(&["checkout", "-q", "main"], &day(8));
    clone.git(&["merge", "-q", "--ff-only", "b"], &day(8));
    assert_eq!(clone.dates(), (day(8), day(8)));
}

#[test]
fn a_date_after_the_merge_or_before_its_base_does_not_count() {
    let clone = TestClone::new();
    clone.commit("tasks/course.yaml", "title: b\n", &day(5));
    clone.branch("future");
    clone.commit("tasks/a/src/seq.rs", SOURCE, "2030-01-01T00:00:00Z");
    clone.merge("future", &day(6));
    assert_eq!(clone.dates(), (day(6), day(6)));
    assert_eq!(clone.submission().claimed_at, Some(at("2030-01-01T00:00:00Z")));
    clone.branch("past");
    clone.commit("tasks/a/src/mpi.rs", SOURCE, "2020-01-01T00:00:00Z");
    clone.merge("past", &day(9));
    assert_eq!(clone.dates(), (day(6), day(9)));
    assert_eq!(clone.submission().claimed_at, Some(at("2020-01-01T00:00:00Z")));
}

#[test]
fn a_wrong_clock_of_one_merge_moves_no_other() {
    for wrong in ["2020-01-01T00:00:00Z", "2030-01-01T00:00:00Z"] {
        let clone = TestClone::new();
        clone.branch("a");
        clone.commit("tasks/a/src/seq.rs", SOURCE, &day(3));
        clone.merge("a", &day(4));
        clone.commit("tasks/other/src/seq.rs", SOURCE, wrong);
        clone.commit("tasks/third/src/seq.rs", SOURCE, &day(8));
        assert_eq!(clone.dates(), (day(3), day(4)), "{wrong}");
    }
}

#[test]
fn a_main_branch_that_was_merged_into_the_students_is_not_the_students_change() {
    let clone = TestClone::new();
    clone.branch("a");
    clone.commit("tasks/a/src/seq.rs", SOURCE, &day(3));
    clone.git(&["checkout", "-q", "main"], &day(4));
    clone.commit("tasks/other/src/seq.rs", SOURCE, &day(4));
    clone.git(&["checkout", "-q", "a"], &day(5));
    clone.git(&["merge", "-q", "--no-ff", "-m", "up to date", "main"], &day(5));
    clone.merge("a", &day(6));
    assert_eq!(clone.dates(), (day(3), day(6)));
}

#[test]
fn what_is_not_on_the_main_branch_at_that_moment_is_not_submitted() {
    let clone = TestClone::new();
    assert_eq!(clone.submission_at("2027-12-31T00:00:00Z"), None);
    clone.branch("a");
    clone.commit("tasks/a/src/seq.rs", SOURCE, &day(3));
    assert_eq!(clone.submission_at("2027-12-31T00:00:00Z"), None, "only on a branch");
    clone.merge("a", &day(4));
    assert_eq!(clone.submission_at("2027-03-03T13:00:00Z"), None, "before the merge");
    assert!(clone.submission_at(&day(4)).is_some());
    clone.write("tasks/a/src/seq.rs", "fn f(x: u8) -> u8 { x }  // only a comment\n");
    assert!(clone.submission_at(&day(5)).is_some());
    clone.write("tasks/a/src/new.rs", "fn g() {}\n");
    assert_eq!(clone.submission_at(&day(5)), None, "the work tree has other sources");
}

#[test]
fn own_tests_count_only_where_they_are_graded() {
    let clone = TestClone::new();
    clone.commit("tasks/a/src/seq.rs", SOURCE, &day(3));
    clone.commit("tasks/a/tests/functional.rs", SOURCE, &day(5));
    assert_eq!(clone.dates().0, day(5));
    let owned = TaskPaths { has_assignment: true, ..paths() };
    let found = clone.main().submission(&owned, at(&day(9))).expect("git answers").expect("it is merged");
    assert_eq!(found.changed_at.to_string(), day(3));
}

#[test]
fn names_with_spaces_and_other_alphabets_and_large_files_are_read() {
    let clone = TestClone::new();
    let large = format!("fn f() {{ let _ = \"{}\"; }}\n", "x".repeat(300_000));
    clone.commit("tasks/a/src/файл с пробелом.rs", &large, &day(3));
    clone.commit("tasks/a/src/файл с пробелом.rs", &large.replace("xx\"", "xy\""), &day(4));
    assert_eq!(clone.dates().0, day(4));
}

#[test]
fn a_branch_that_does_not_exist_and_a_shallow_clone_are_errors() {
    let clone = TestClone::new();
    clone.commit("tasks/a/src/seq.rs", SOURCE, &day(3));
    let mistyped = MainBranch::find(clone.path(), Some("mian")).map(|_| ());
    assert!(matches!(mistyped, Err(GitError::NoCommit { .. })), "{mistyped:?}");
    let tip = clone.try_git(&["rev-parse", "main"], &day(3)).stdout;
    clone.write(".git/shallow", &String::from_utf8(tip).expect("hexadecimal"));
    let shallow = MainBranch::find(clone.path(), None).map(|_| ());
    assert!(matches!(&shallow, Err(GitError::Shallow { tried }) if tried.is_empty()), "{shallow:?}");
}

#[test]
fn a_failure_of_git_is_not_taken_for_a_task_that_is_not_merged() {
    let clone = TestClone::new();
    clone.commit("tasks/a/src/seq.rs", SOURCE, &day(3));
    let main = clone.main();
    std::fs::remove_dir_all(clone.path().join(".git/objects")).expect("removed");
    let failed = main.submission(&paths(), at(&day(9)));
    assert!(matches!(failed, Err(GitError::Failed { .. })), "{failed:?}");
}

#[test]
fn work_that_is_done_inside_a_merge_counts_with_the_merge() {
    let clone = TestClone::new();
    clone.branch("a");
    clone.commit("tasks/a/src/seq.rs", SOURCE, &day(3));
    clone.checkout("main");
    clone.commit("tasks/other/src/seq.rs", SOURCE, &day(4));
    clone.checkout("a");
    clone.git(&["merge", "-q", "--no-ff", "--no-commit", "main"], &day(8));
    clone.commit("tasks/a/src/mpi.rs", SOURCE, &day(8));
    clone.merge("a", &day(9));
    assert_eq!(clone.dates(), (day(8), day(9)), "a merge of the student's branch");
    clone.branch("b");
    clone.commit("tasks/other/src/mpi.rs", SOURCE, &day(10));
    clone.checkout("main");
    clone.git(&["merge", "-q", "--no-ff", "--no-commit", "b"], &day(11));
    clone.commit("tasks/a/src/mpi.rs", "fn g() {}\n", &day(11));
    assert_eq!(clone.dates(), (day(11), day(11)), "the merge into the main branch");
}

#[test]
fn a_conflict_that_is_resolved_in_a_merge_counts_and_a_side_that_is_taken_does_not() {
    for (resolved, expected) in [("fn both() {}\n", day(9)), ("fn student() {}\n", day(6))] {
        let clone = TestClone::new();
        clone.commit("tasks/a/src/seq.rs", SOURCE, &day(2));
        clone.branch("a");
        clone.commit("tasks/a/src/seq.rs", "fn student() {}\n", &day(6));
        clone.checkout("main");
        clone.commit("tasks/a/src/seq.rs", "fn instructor() {}\n", &day(5));
        clone.checkout("a");
        assert!(!clone.try_git(&["merge", "-q", "main"], &day(9)).status.success(), "a conflict");
        clone.commit("tasks/a/src/seq.rs", resolved, &day(9));
        clone.merge("a", &day(10));
        assert_eq!(clone.dates(), (expected, day(10)), "{resolved}");
    }
}

#[test]
fn of_branches_that_were_joined_the_latest_change_counts_and_a_dropped_one_does_not() {
    for options in [&["--no-ff"][..], &["--no-ff", "-s", "ours"]] {
        let clone = TestClone::new();
        clone.branch("a");
        clone.commit("tasks/a/src/seq.rs", SOURCE, &day(3));
        clone.branch("side");
        clone.commit("tasks/a/src/mpi.rs", SOURCE, &day(8));
        clone.checkout("a");
        clone.commit("tasks/a/src/lib.rs", SOURCE, &day(5));
        clone.git(&[&["merge", "-q", "-m", "joined"], options, &["side"]].concat(), &day(9));
        clone.merge("a", &day(10));
        let expected = if options.len() == 1 { day(8) } else { day(5) };
        assert_eq!(clone.dates(), (expected, day(10)), "{options:?}");
    }
}

#[test]
fn files_from_two_sides_of_a_merge_are_no_change_of_the_merge() {
    let clone = TestClone::new();
    clone.commit("tasks/a/src/seq.rs", SOURCE, &day(2));
    clone.branch("a");
    clone.commit("tasks/a/src/mpi.rs", SOURCE, &day(4));
    clone.checkout("main");
    clone.commit("tasks/a/task.yaml", "variant: 1\n", &day(3));
    clone.merge("a", &day(9));
    assert_eq!(clone.dates(), (day(4), day(9)));
}

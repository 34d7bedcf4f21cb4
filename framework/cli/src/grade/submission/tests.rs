//! Submissions in real repositories: merges, squashed and rebased branches, wrong clocks, formatting.

use std::{fs, path::Path, process::Command};

use tempfile::TempDir;

use super::*;

/// A repository whose commits bear the dates that the test gives them.
struct Clone {
    folder: TempDir,
}

const SOURCE: &str = "fn f(x: u8) -> u8 { x }\n";

fn paths() -> TaskPaths {
    TaskPaths { folder: "tasks/a".into(), reports: "reports/a".into(), own_tests: true }
}

fn at(text: &str) -> Timestamp {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Noon of a day of March 2027.
fn day(day: u8) -> String {
    format!("2027-03-{day:02}T12:00:00Z")
}

impl Clone {
    fn new() -> Self {
        let clone = Self { folder: tempfile::tempdir().expect("a folder") };
        clone.git(&["init", "-q", "-b", "main"], "2027-03-01T00:00:00Z");
        clone.commit("tasks/course.yaml", "title: a\n", &day(1));
        clone
    }

    fn git(&self, arguments: &[&str], date: &str) {
        let mut command = Command::new("git");
        command.args(["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgSign=false"]);
        command.args(arguments).current_dir(self.folder.path());
        command.env("GIT_COMMITTER_DATE", date).env("GIT_AUTHOR_DATE", date);
        command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_SYSTEM", "/dev/null");
        let output = command.output().expect("git runs");
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    }

    fn write(&self, path: &str, text: &str) {
        let file = self.folder.path().join(path);
        fs::create_dir_all(file.parent().expect("a folder")).expect("made");
        fs::write(file, text).expect("written");
    }

    fn commit(&self, path: &str, text: &str, date: &str) {
        self.write(path, text);
        self.git(&["add", "-A"], date);
        self.git(&["commit", "-q", "-m", "a change"], date);
    }

    fn branch(&self, name: &str) {
        self.git(&["checkout", "-q", "-b", name], &day(1));
    }

    fn merge(&self, name: &str, date: &str) {
        self.git(&["checkout", "-q", "main"], date);
        self.git(&["merge", "-q", "--no-ff", "-m", "merge", name], date);
    }

    fn submission_at(&self, moment: &str) -> Option<SubmissionEvidence> {
        let main = MainBranch::find(Path::new(self.folder.path()), None).expect("a branch");
        main.submission(&paths(), at(moment))
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
    let clone = Clone::new();
    clone.branch("a");
    clone.commit("tasks/a/src/seq.rs", SOURCE, &day(3));
    clone.commit("tasks/a/src/mpi.rs", SOURCE, &day(4));
    clone.merge("a", &day(9));
    assert_eq!(clone.dates(), (day(4), day(9)));
    assert_eq!(clone.submission().claimed_at, None);
}

#[test]
fn formatting_comments_and_other_folders_are_not_a_change() {
    let clone = Clone::new();
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
    let clone = Clone::new();
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
    let clone = Clone::new();
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
    let clone = Clone::new();
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
        let clone = Clone::new();
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
    let clone = Clone::new();
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
    let clone = Clone::new();
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
    let clone = Clone::new();
    clone.commit("tasks/a/src/seq.rs", SOURCE, &day(3));
    clone.commit("tasks/a/tests/functional.rs", SOURCE, &day(5));
    assert_eq!(clone.dates().0, day(5));
    let main = MainBranch::find(clone.folder.path(), Some("main")).expect("a branch");
    let owned = TaskPaths { own_tests: false, ..paths() };
    let found = main.submission(&owned, at(&day(9))).expect("it is merged");
    assert_eq!(found.changed_at.to_string(), day(3));
    assert!(MainBranch::find(clone.folder.path(), Some("nowhere")).is_none());
}

#[test]
fn names_with_spaces_and_other_alphabets_and_large_files_are_read() {
    let clone = Clone::new();
    let large = format!("fn f() {{ let _ = \"{}\"; }}\n", "x".repeat(300_000));
    clone.commit("tasks/a/src/файл с пробелом.rs", &large, &day(3));
    clone.commit("tasks/a/src/файл с пробелом.rs", &large.replace("xx\"", "xy\""), &day(4));
    assert_eq!(clone.dates().0, day(4));
}

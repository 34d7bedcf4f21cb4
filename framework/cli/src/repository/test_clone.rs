//! A repository for tests, whose commits bear the dates that the test gives them.

use std::{
    fs,
    path::Path,
    process::{Command, Output},
};

use tempfile::TempDir;

/// A clone in a folder of its own.
pub(crate) struct TestClone {
    folder: TempDir,
}

/// Noon of a day of March 2027.
pub(crate) fn day(day: u8) -> String {
    format!("2027-03-{day:02}T12:00:00Z")
}

impl TestClone {
    /// A branch `main` with one commit.
    pub(crate) fn new() -> Self {
        let clone = Self { folder: tempfile::tempdir().expect("a folder") };
        clone.git(&["init", "-q", "-b", "main"], "2027-03-01T00:00:00Z");
        clone.commit("tasks/course.yaml", "title: a\n", &day(1));
        clone
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Runs git, which must succeed.
    pub(crate) fn git(&self, arguments: &[&str], date: &str) {
        let output = self.try_git(arguments, date);
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    }

    /// Runs git, which may fail, as a merge with a conflict does.
    pub(crate) fn try_git(&self, arguments: &[&str], date: &str) -> Output {
        let mut command = Command::new("git");
        command.args(["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgSign=false"]);
        command.args(arguments).current_dir(self.path());
        command.env("GIT_COMMITTER_DATE", date).env("GIT_AUTHOR_DATE", date);
        command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_SYSTEM", "/dev/null");
        command.output().expect("git runs")
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        let file = self.path().join(path);
        fs::create_dir_all(file.parent().expect("a folder")).expect("made");
        fs::write(file, text).expect("written");
    }

    pub(crate) fn commit(&self, path: &str, text: &str, date: &str) {
        self.write(path, text);
        self.commit_all(date);
    }

    pub(crate) fn commit_all(&self, date: &str) {
        self.git(&["add", "-A"], date);
        self.git(&["commit", "-q", "-m", "a change"], date);
    }

    pub(crate) fn branch(&self, name: &str) {
        self.git(&["checkout", "-q", "-b", name], &day(1));
    }

    pub(crate) fn checkout(&self, name: &str) {
        self.git(&["checkout", "-q", name], &day(1));
    }

    /// Merges a branch into `main`.
    pub(crate) fn merge(&self, name: &str, date: &str) {
        self.checkout("main");
        self.git(&["merge", "-q", "--no-ff", "-m", "merge", name], date);
    }
}

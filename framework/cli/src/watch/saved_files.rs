//! What a saved file means: which task it belongs to, and whether the tests of a task have to run.

use std::path::{Path, PathBuf};

use crate::change::Member;

/// The tasks and packages of the workspace, and the task that is watched.
pub(super) struct Watched<'a> {
    pub(super) members: &'a [Member],
    /// The names of the tasks, which are members.
    pub(super) tasks: &'a [String],
    /// The task of the command line.
    pub(super) asked: Option<&'a str>,
    /// The task whose tests ran last.
    pub(super) current: Option<&'a str>,
}

/// The reaction to saved files.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Reaction {
    /// No file matters.
    Nothing,
    /// The tests of this task run.
    Run(String),
    /// The file belongs to another task than the one of the command line.
    OtherTask { file: PathBuf, other: String, task: String },
    /// The file belongs to no task.
    NoTask(PathBuf),
}

impl Watched<'_> {
    /// The reaction to a burst of saved files, which are relative to the root of the workspace.
    pub(super) fn reaction(&self, files: &[PathBuf]) -> Reaction {
        let files: Vec<&PathBuf> = files.iter().filter(|file| !is_ignored(file)).collect();
        let Some(first) = files.first() else { return Reaction::Nothing };
        let followed = self.asked.or(self.current).filter(|task| self.tasks.iter().any(|name| name == task));
        if let Some(task) = followed
            && files.iter().any(|file| self.owner(file).is_some_and(|owner| self.depends(task, &owner.name)))
        {
            return Reaction::Run(task.to_owned());
        }
        let mut owned = files.iter().filter_map(|file| Some((file, &self.owner(file)?.name)));
        match (owned.find(|(_, name)| self.tasks.contains(name)), self.asked) {
            (Some((_, name)), None) => Reaction::Run(name.clone()),
            (Some((file, other)), Some(task)) => {
                Reaction::OtherTask { file: file.to_path_buf(), other: other.clone(), task: task.to_owned() }
            }
            (None, _) => Reaction::NoTask(first.to_path_buf()),
        }
    }

    /// The package whose folder has the file.
    fn owner(&self, file: &Path) -> Option<&Member> {
        let around = self.members.iter().filter(|member| file.starts_with(&member.folder));
        around.max_by_key(|member| member.folder.components().count())
    }

    /// Whether the package `name` is `other` or depends on it.
    fn depends(&self, name: &str, other: &str) -> bool {
        let mut reached = vec![name];
        let mut next = 0;
        while let Some(&package) = reached.get(next) {
            let member = self.members.iter().find(|member| member.name == package);
            let dependencies = member.iter().flat_map(|member| &member.dependencies).map(String::as_str);
            let new: Vec<_> = dependencies.filter(|name| !reached.contains(name)).collect();
            reached.extend(new);
            next += 1;
        }
        reached.contains(&other)
    }
}

/// Whether a file affects no test: hidden, a copy or a temporary file of an editor, written by cargo, or a page that this program writes.
pub(super) fn is_ignored(file: &Path) -> bool {
    let is_hidden = file.iter().any(|part| part.to_string_lossy().starts_with('.'));
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let endings = ["~", ".swp", ".swx", ".tmp", ".bak", ".orig", ".html"];
    let is_copy = endings.iter().any(|ending| name.ends_with(ending)) || name.starts_with('#');
    // Vim makes the file `4913` to learn whether it may write into the folder.
    is_hidden || is_copy || name == "Cargo.lock" || name == "4913"
}

/// Whether the files can change which tasks there are: a manifest, or a folder of `tasks`.
pub(super) fn change_tasks(files: &[PathBuf]) -> bool {
    let is_folder_of_tasks = |file: &PathBuf| file.parent() == Some(Path::new("tasks"));
    files.iter().any(|file| file.ends_with("Cargo.toml") || is_folder_of_tasks(file))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reaction(asked: Option<&str>, current: Option<&str>, files: &[&str]) -> Reaction {
        let member = |folder: &str, dependencies: &[&str]| Member {
            name: folder.rsplit('/').next().expect("a name").to_owned(),
            folder: folder.into(),
            dependencies: dependencies.iter().map(ToString::to_string).collect(),
        };
        let members = [
            member("tasks", &[]),
            member("framework/comm", &[]),
            member("framework/workbench", &["comm"]),
            member("tasks/ring", &["workbench", "assignment_2_7_ring"]),
            member("tasks/ring_two", &["workbench"]),
            member("tasks/assignment_2_7_ring", &["workbench"]),
        ];
        let tasks = ["ring", "ring_two"].map(String::from);
        let files: Vec<PathBuf> = files.iter().map(PathBuf::from).collect();
        Watched { members: &members, tasks: &tasks, asked, current }.reaction(&files)
    }

    fn run(task: &str) -> Reaction {
        Reaction::Run(task.to_owned())
    }

    #[test]
    fn the_task_of_the_saved_file_is_followed_when_none_is_named() {
        assert_eq!(reaction(None, None, &["tasks/ring_two/src/mpi.rs"]), run("ring_two"));
        assert_eq!(reaction(None, Some("ring"), &["tasks/ring_two/src/mpi.rs"]), run("ring_two"));
        let both = ["tasks/ring_two/src/mpi.rs", "tasks/ring/src/mpi.rs"];
        assert_eq!(reaction(None, Some("ring"), &both), run("ring"), "the current task comes first");
        assert_eq!(reaction(None, Some("deleted"), &["tasks/ring/task.yaml"]), run("ring"));
    }

    #[test]
    fn a_named_task_is_kept_and_the_other_one_is_named() {
        assert_eq!(reaction(Some("ring"), None, &["tasks/ring/tests/functional.rs"]), run("ring"));
        let (other, task) = ("ring_two".to_owned(), "ring".to_owned());
        let file = PathBuf::from("tasks/ring_two/src/mpi.rs");
        let expected = Reaction::OtherTask { file, other, task };
        assert_eq!(reaction(Some("ring"), Some("ring"), &["tasks/ring_two/src/mpi.rs"]), expected);
    }

    #[test]
    fn what_a_task_depends_on_runs_it_again_and_other_files_belong_to_no_task() {
        for file in ["tasks/assignment_2_7_ring/src/lib.rs", "framework/comm/src/lib.rs"] {
            assert_eq!(reaction(None, Some("ring"), &[file]), run("ring"));
            assert_eq!(reaction(None, None, &[file]), Reaction::NoTask(file.into()));
        }
        let assignment = "tasks/assignment_2_7_ring/src/lib.rs";
        assert_eq!(reaction(None, Some("ring_two"), &[assignment]), Reaction::NoTask(assignment.into()));
        assert_eq!(reaction(None, Some("ring"), &["docs/a.md"]), Reaction::NoTask("docs/a.md".into()));
    }

    #[test]
    fn files_of_editors_and_written_files_are_not_saves() {
        let ignored =
            ["src/.mpi.rs.swp", "src/mpi.rs~", "src/4913", "trace.html", "src/#mpi.rs#", ".git/HEAD"];
        let ignored = ignored.map(|file| format!("tasks/ring/{file}"));
        let ignored: Vec<&str> = ignored.iter().map(String::as_str).chain(["Cargo.lock"]).collect();
        assert_eq!(reaction(Some("ring"), None, &ignored), Reaction::Nothing);
        assert_eq!(reaction(Some("ring"), None, &["tasks/ring/src/mpi.rs~", "tasks/ring/a.rs"]), run("ring"));
    }

    #[test]
    fn tasks_come_and_go_with_manifests_and_folders() {
        let changes = |file: &str| change_tasks(&[PathBuf::from("docs/a.md"), PathBuf::from(file)]);
        assert!(changes("tasks/ring/Cargo.toml") && changes("Cargo.toml") && changes("tasks/ring"));
        assert!(!changes("tasks/ring/src/mpi.rs") && !changes("tasks/ring/src"));
    }
}

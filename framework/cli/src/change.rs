//! What a change can affect: from the files that differ to the packages and documents whose checks can have another result.
//!
//! The invariant: *a file whose effect is unknown affects everything.* Only the folder of a task, the documents and the
//! reports of a task are known to affect less. The classification is a pure function of paths and of cargo's metadata.

use std::{
    collections::BTreeSet,
    path::{Component, Path, PathBuf},
};

/// A package of the workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Member {
    pub(crate) name: String,
    /// Relative to the root of the workspace.
    pub(crate) folder: PathBuf,
    /// The names of the packages that it depends on.
    pub(crate) dependencies: Vec<String>,
}

/// What has to be checked.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct ChangeScope {
    /// The first file that can affect everything.
    pub(crate) everything: Option<PathBuf>,
    /// The packages below `tasks/` that have changed, or depend on one that has.
    pub(crate) packages: BTreeSet<String>,
    /// Folders below `tasks/` that are packages no more.
    pub(crate) removed: BTreeSet<String>,
    /// The tasks with changed reports.
    pub(crate) reports: BTreeSet<String>,
    /// Whether files that only the tests of documents read have changed.
    pub(crate) documents: bool,
    /// Whether the students, variants or decisions of the course have changed.
    pub(crate) course: bool,
}

/// Folders at the root that only tests of documents and workflows read.
const DOCUMENT_FOLDERS: [&str; 4] = ["docs", ".github", ".devcontainer", ".vscode"];

/// Files of the course that decide whether the settings of a task are right, and nothing else of it.
const COURSE_FILES: [&str; 4] = ["roster.csv", "variants.csv", "overrides.yaml", "similarity.yaml"];

impl ChangeScope {
    /// The scope of a change of these files, relative to the root of the workspace with these members.
    pub(crate) fn of_files(files: &[PathBuf], members: &[Member]) -> Self {
        let mut scope = Self::default();
        for file in files {
            scope.add(file, members);
        }
        scope
    }

    /// Whether nothing has to be checked.
    pub(crate) fn is_empty(&self) -> bool {
        let Self { everything, packages, removed: _, reports, documents, course } = self;
        everything.is_none() && packages.is_empty() && reports.is_empty() && !documents && !course
    }

    fn add(&mut self, file: &Path, members: &[Member]) {
        let names: Vec<&str> = file.components().filter_map(name).collect();
        match names[..] {
            ["tasks", of_course] if COURSE_FILES.contains(&of_course) => self.course = true,
            ["tasks", folder, _, ..] => match member_of(&Path::new("tasks").join(folder), members) {
                Some(member) => self.add_with_dependents(&member.name, members),
                None => drop(self.removed.insert(folder.to_owned())),
            },
            ["reports", task, _, ..] if is_task(task, members) => drop(self.reports.insert(task.to_owned())),
            ["reports", ..] => self.documents = true,
            ["grades", ..] => self.course = true,
            [folder, _, ..] if DOCUMENT_FOLDERS.contains(&folder) => self.documents = true,
            [document] if document.ends_with(".md") || document == "LICENSE" => self.documents = true,
            _ => drop(self.everything.get_or_insert_with(|| file.to_owned())),
        }
    }

    /// A package and all below `tasks/` that depend on it: a task depends on the crate of its assignment. Tests of the framework use
    /// some tasks as examples.
    fn add_with_dependents(&mut self, name: &str, members: &[Member]) {
        if self.packages.insert(name.to_owned()) {
            let depends = |member: &&Member| member.dependencies.iter().any(|of| of == name);
            for member in members.iter().filter(|member| member.folder.starts_with("tasks")).filter(depends) {
                self.add_with_dependents(&member.name, members);
            }
        }
    }
}

fn name(component: Component<'_>) -> Option<&str> {
    component.as_os_str().to_str()
}

fn member_of<'a>(folder: &Path, members: &'a [Member]) -> Option<&'a Member> {
    members.iter().find(|member| member.folder == folder)
}

fn is_task(name: &str, members: &[Member]) -> bool {
    members.iter().any(|member| member.name == name && member.folder.starts_with("tasks"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn members() -> Vec<Member> {
        let member = |folder: &str, dependencies: &[&str]| Member {
            name: folder.rsplit('/').next().expect("a name").to_owned(),
            folder: folder.into(),
            dependencies: dependencies.iter().map(ToString::to_string).collect(),
        };
        vec![
            member("framework/workbench", &["ivanov_i_sum"]),
            member("tasks/assignment_2_1_broadcast", &["workbench"]),
            member("tasks/ivanov_i_broadcast", &["workbench", "assignment_2_1_broadcast"]),
            member("tasks/petrov_p_broadcast", &["workbench", "assignment_2_1_broadcast"]),
            member("tasks/ivanov_i_sum", &["workbench"]),
        ]
    }

    fn scope(files: &[&str]) -> ChangeScope {
        ChangeScope::of_files(&files.iter().map(PathBuf::from).collect::<Vec<_>>(), &members())
    }

    fn set(names: &[&str]) -> BTreeSet<String> {
        names.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_task_affects_itself_only() {
        let found = scope(&["tasks/ivanov_i_sum/src/mpi.rs", "tasks/ivanov_i_sum/task.yaml"]);
        assert_eq!(found, ChangeScope { packages: set(&["ivanov_i_sum"]), ..ChangeScope::default() });
    }

    #[test]
    fn an_assignment_affects_the_tasks_that_solve_it() {
        let found = scope(&["tasks/assignment_2_1_broadcast/statement.en.md"]).packages;
        assert_eq!(found, set(&["assignment_2_1_broadcast", "ivanov_i_broadcast", "petrov_p_broadcast"]));
    }

    #[test]
    fn a_file_of_unknown_effect_affects_everything() {
        for file in [
            "framework/workbench/src/lib.rs",
            "tests/tests/prose.rs",
            "Cargo.toml",
            "Cargo.lock",
            ".cargo/config.toml",
            "rust-toolchain.toml",
            ".ci/run",
            "tasks/course.yaml",
            "tasks/clippy.toml",
            "new.txt",
        ] {
            assert_eq!(
                scope(&["docs/student.md", file]).everything.as_deref(),
                Some(Path::new(file)),
                "{file}"
            );
        }
    }

    #[test]
    fn documents_reports_and_the_course_have_checks_of_their_own() {
        for file in
            ["docs/adr/0001-one-waist.md", "README.md", ".github/workflows/pr.yml", "reports/barriers/x.svg"]
        {
            assert_eq!(scope(&[file]), ChangeScope { documents: true, ..ChangeScope::default() }, "{file}");
        }
        for file in ["tasks/roster.csv", "tasks/overrides.yaml", "grades/grades.json"] {
            assert_eq!(scope(&[file]), ChangeScope { course: true, ..ChangeScope::default() }, "{file}");
        }
        let of_report = scope(&["reports/ivanov_i_sum/records.jsonl"]);
        assert_eq!(of_report, ChangeScope { reports: set(&["ivanov_i_sum"]), ..ChangeScope::default() });
    }

    #[test]
    fn a_removed_task_is_named_and_has_nothing_to_check() {
        let found = scope(&["tasks/sidorov_s_sum/src/lib.rs"]);
        assert_eq!(found.removed, set(&["sidorov_s_sum"]));
        assert!(found.is_empty() && scope(&[]).is_empty());
        assert!(!scope(&["tasks/ivanov_i_sum/src/lib.rs"]).is_empty());
    }
}

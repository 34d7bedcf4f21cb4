//! When a task was submitted: the last change of what is graded that is merged into the main branch.
//!
//! Only the first-parent line of the main branch shows what was merged, and when. The commits that a merge brought show when the student
//! wrote it. A squashed or rebased branch has no such commits, so the commit on the main branch counts. `wb_course::trusted_dates` says
//! which dates are believed.

use std::{cell::RefCell, collections::HashMap, path::Path};

use jiff::Timestamp;
use wb_course::{GradedContent, SubmissionEvidence, counted_date, trusted_dates};

use super::git::{Commit, Repository};

/// The names that are tried for the main branch.
const BRANCHES: [&str; 3] = ["main", "origin/main", "master"];

/// How many ancestors of a student's commit are searched for a commit of the main branch.
const MAX_ANCESTORS: &str = "--max-count=5000";

/// The first-parent line of the main branch.
pub(super) struct MainBranch {
    repository: Repository,
    /// Oldest first.
    commits: Vec<Commit>,
    dates: Vec<Timestamp>,
    positions: HashMap<String, usize>,
    contents: RefCell<HashMap<(String, String), GradedContent>>,
}

/// The graded files of one task, relative to the root of the workspace.
pub(super) struct TaskPaths {
    pub(super) folder: String,
    pub(super) reports: String,
    /// Whether the student's own tests and benchmarks decide the grade.
    pub(super) own_tests: bool,
}

impl TaskPaths {
    fn all(&self) -> [&str; 2] {
        [&self.folder, &self.reports]
    }

    /// The graded part of these files.
    fn content(&self, files: Vec<(String, String)>) -> GradedContent {
        let tests = ["tests/", "benches/"].map(|folder| format!("{}/{folder}", self.folder));
        let is_graded = |path: &str| match path.strip_prefix(&self.reports) {
            Some(report) => {
                report.ends_with(".md") && !report.ends_with(".new.md") && !report.contains(".edited.")
            }
            None => self.own_tests || !tests.iter().any(|folder| path.starts_with(folder)),
        };
        let graded = files.into_iter().filter(|(path, _)| is_graded(path)).map(|(path, text)| {
            let is_report = path.starts_with(&self.reports);
            let prose = is_report.then(|| wb_report::blocks::prose(&text).ok()).flatten();
            (path, prose.unwrap_or(text))
        });
        GradedContent::from_files(graded)
    }
}

impl MainBranch {
    /// The branch `name`, or the first of the usual names, in the clone around `root`.
    pub(super) fn find(root: &Path, name: Option<&str>) -> Option<Self> {
        let repository = Repository::find(root)?;
        let tip = match name {
            Some(name) => repository.resolve(name)?,
            None => BRANCHES.iter().find_map(|name| repository.resolve(name))?,
        };
        let mut commits = repository.log(&["--first-parent", &tip]);
        commits.reverse();
        let dates = trusted_dates(&commits.iter().map(|commit| commit.at).collect::<Vec<_>>());
        let positions = commits.iter().enumerate().map(|(at, commit)| (commit.id.clone(), at)).collect();
        Some(Self { repository, commits, dates, positions, contents: RefCell::default() })
    }

    /// The submission of the task whose files in the work tree are those of the main branch at `at`; `None` where they differ in what
    /// is graded.
    pub(super) fn submission(&self, paths: &TaskPaths, at: Timestamp) -> Option<SubmissionEvidence> {
        let last = self.dates.partition_point(|date| *date <= at).checked_sub(1)?;
        let tip = &self.commits[last].id;
        let current = self.content(tip, paths);
        let in_work_tree = paths.content(self.repository.work_tree(&paths.all()));
        if current.is_empty() || in_work_tree != current {
            return None;
        }
        let [folder, reports] = paths.all();
        let touched = self.repository.log(&["--first-parent", tip, "--", folder, reports]);
        let merge = touched.iter().find(|commit| self.changes(commit, paths))?;
        let merged_at = self.dates[*self.positions.get(&merge.id)?];
        let change = self.branch_change(merge, paths).unwrap_or_else(|| merge.clone());
        let changed_at = counted_date(change.at, self.base_date(&change, merge), merged_at);
        Some(SubmissionEvidence {
            commit: touched.first()?.id.clone(),
            changed_in: change.id.clone(),
            changed_at,
            claimed_at: (changed_at != change.at).then_some(change.at),
            merged_at,
        })
    }

    /// The last commit of the merged branch that changed what is graded; `None` for a commit without a branch.
    fn branch_change(&self, merge: &Commit, paths: &TaskPaths) -> Option<Commit> {
        let (main, _) = (merge.parents.first()?, merge.parents.get(1)?);
        let range = format!("{main}..{}", merge.id);
        let [folder, reports] = paths.all();
        let brought = self.repository.log(&["--topo-order", "--no-merges", &range, "--", folder, reports]);
        brought.into_iter().find(|commit| self.changes(commit, paths))
    }

    /// The date of the newest commit of the main branch that `change` builds on.
    fn base_date(&self, change: &Commit, merge: &Commit) -> Option<Timestamp> {
        let merged_in = *self.positions.get(&merge.id)?;
        if change.id == merge.id {
            return merged_in.checked_sub(1).map(|before| self.dates[before]);
        }
        let ancestors = self.repository.log(&[MAX_ANCESTORS, &change.id]);
        let on_main = ancestors.iter().filter_map(|commit| self.positions.get(&commit.id));
        on_main.max().map(|position| self.dates[*position])
    }

    /// Whether a commit changes what is graded, compared with its first parent.
    fn changes(&self, commit: &Commit, paths: &TaskPaths) -> bool {
        let before = commit.parents.first().map(|parent| self.content(parent, paths)).unwrap_or_default();
        self.content(&commit.id, paths) != before
    }

    fn content(&self, commit: &str, paths: &TaskPaths) -> GradedContent {
        let key = (commit.to_owned(), paths.folder.clone());
        if let Some(known) = self.contents.borrow().get(&key) {
            return known.clone();
        }
        let content = paths.content(self.repository.files(commit, &paths.all()));
        self.contents.borrow_mut().insert(key, content.clone());
        content
    }
}

#[cfg(test)]
mod tests;

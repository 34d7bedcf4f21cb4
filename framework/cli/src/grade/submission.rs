//! When a task was submitted: the last change of what is graded that is merged into the main branch.
//!
//! Only the first-parent line of the main branch shows what was merged, and when. The commits that a merge brought show when the student
//! wrote it, merges included: a merge changes a file that differs from that of each of its parents, as after a conflict. Where a branch
//! was itself joined from several, its last changes are those on which no other change builds, and the latest of them counts. A squashed
//! or rebased branch has no such commits, so the commit on the main branch counts. `wb_course::trusted_dates` says which dates are
//! believed.

use std::{
    cell::RefCell,
    collections::{HashMap, HashSet},
    path::Path,
};

use jiff::Timestamp;
use wb_course::{GradedContent, SubmissionEvidence, counted_date, trusted_dates};

use crate::repository::{Commit, GitError, Repository, Result, TextFile};

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
    /// Whether the tests are ours; benchmark and manifest always are.
    pub(super) has_assignment: bool,
}

impl TaskPaths {
    fn all(&self) -> [&str; 2] {
        [&self.folder, &self.reports]
    }

    /// The graded part of these files.
    fn content(&self, files: Vec<TextFile>) -> GradedContent {
        let [library, tests, settings] =
            ["src/", "tests/", "task.yaml"].map(|part| format!("{}/{part}", self.folder));
        let is_graded = |path: &str| match path.strip_prefix(&self.reports) {
            Some(report) => {
                report.ends_with(".md") && !report.ends_with(".new.md") && !report.contains(".edited.")
            }
            None => {
                path == settings
                    || path.starts_with(&library)
                    || !self.has_assignment && path.starts_with(&tests)
            }
        };
        let graded = files.into_iter().filter(|(path, _)| is_graded(path)).map(|(path, text)| {
            let is_report = path.starts_with(&self.reports);
            let prose = is_report.then(|| wb_report::blocks::prose(&text).ok()).flatten();
            (path, prose.unwrap_or(text))
        });
        GradedContent::from_files(graded)
    }
}

/// A commit that changed what is graded, and the date that counts for it.
struct Change {
    commit: Commit,
    at: Timestamp,
}

impl MainBranch {
    /// The branch `name`, or the first of the usual names, in the clone around `root`.
    ///
    /// # Errors
    /// There is no clone or no such branch, the clone is shallow, or git fails.
    pub(super) fn find(root: &Path, name: Option<&str>) -> Result<Self> {
        let repository = Repository::find(root)?;
        let tip = repository.resolve_branch(name, &BRANCHES)?;
        if repository.is_shallow()? {
            return Err(GitError::Shallow { tried: vec![] });
        }
        let mut commits = repository.log(&["--first-parent", &tip])?;
        commits.reverse();
        let dates = trusted_dates(&commits.iter().map(|commit| commit.at).collect::<Vec<_>>());
        let positions = commits.iter().enumerate().map(|(at, commit)| (commit.id.clone(), at)).collect();
        Ok(Self { repository, commits, dates, positions, contents: RefCell::default() })
    }

    /// The newest commit at that moment.
    fn tip(&self, at: Timestamp) -> Option<&str> {
        let last = self.dates.partition_point(|date| *date <= at).checked_sub(1)?;
        Some(&self.commits[last].id)
    }

    /// The name that git gives to the files of a folder together, as they are at that moment.
    pub(super) fn tree(&self, folder: &str, at: Timestamp) -> Result<Option<String>> {
        self.tip(at).map_or(Ok(None), |tip| self.repository.tree(tip, folder))
    }

    /// The submission of the task whose files in the work tree are those of the main branch at `at`; `None` where they differ in what
    /// is graded.
    pub(super) fn submission(&self, paths: &TaskPaths, at: Timestamp) -> Result<Option<SubmissionEvidence>> {
        let Some(tip) = self.tip(at) else { return Ok(None) };
        let current = self.content(tip, paths)?;
        let in_work_tree = paths.content(self.repository.work_tree(&paths.all())?);
        if current.is_empty() || in_work_tree != current {
            return Ok(None);
        }
        let [folder, reports] = paths.all();
        let commits = self.repository.log(&["--first-parent", tip, "--", folder, reports])?;
        let Some(merge) = self.last_merge(&commits, paths)? else { return Ok(None) };
        let change = self.last_change(merge, paths)?;
        Ok(commits.first().map(|newest| SubmissionEvidence {
            commit: newest.id.clone(),
            changed_in: change.commit.id.clone(),
            changed_at: change.at,
            claimed_at: (change.at != change.commit.at).then_some(change.commit.at),
            merged_at: self.date_of(merge),
        }))
    }

    /// Of the last changes of the merged branch that with the latest date; the commit itself where it brought no branch.
    fn last_change(&self, merge: &Commit, paths: &TaskPaths) -> Result<Change> {
        let mut latest: Option<Change> = None;
        for commit in self.last_changes(merge, paths)? {
            let at = counted_date(commit.at, self.base_date(&commit, merge)?, self.date_of(merge));
            if latest.as_ref().is_none_or(|known| known.at < at) {
                latest = Some(Change { commit, at });
            }
        }
        match latest {
            Some(change) => Ok(change),
            None => {
                let at = counted_date(merge.at, self.base_date(merge, merge)?, self.date_of(merge));
                Ok(Change { commit: merge.clone(), at })
            }
        }
    }

    /// The changes of what is graded on which no other one of the merged branch builds. Git leaves out the side of a merge whose files
    /// the merge did not take.
    fn last_changes(&self, merge: &Commit, paths: &TaskPaths) -> Result<Vec<Commit>> {
        let Some(main) = merge.parents.first().filter(|_| merge.parents.len() > 1) else {
            return Ok(vec![]);
        };
        let range = format!("{main}..{}", merge.id);
        let [folder, reports] = paths.all();
        let touching = self.repository.log(&[&range, "--", folder, reports])?;
        let touching: HashSet<String> = touching.into_iter().map(|commit| commit.id).collect();
        let (mut built_on, mut last) = (HashSet::new(), vec![]);
        for commit in self.repository.log(&["--topo-order", &range])? {
            let is_built_on = built_on.contains(&commit.id);
            let is_last = !is_built_on && touching.contains(&commit.id) && self.changes(&commit, paths)?;
            if is_built_on || is_last {
                built_on.extend(commit.parents.iter().cloned());
            }
            if is_last {
                last.push(commit);
            }
        }
        Ok(last)
    }

    /// The date of the newest commit of the main branch that `change` builds on.
    fn base_date(&self, change: &Commit, merge: &Commit) -> Result<Option<Timestamp>> {
        if change.id == merge.id {
            let before = self.positions[&merge.id].checked_sub(1);
            return Ok(before.map(|before| self.dates[before]));
        }
        let ancestors = self.repository.log(&[MAX_ANCESTORS, &change.id])?;
        let on_main = ancestors.iter().filter_map(|commit| self.positions.get(&commit.id));
        Ok(on_main.max().map(|position| self.dates[*position]))
    }

    /// The date of a commit of the main branch.
    fn date_of(&self, commit: &Commit) -> Timestamp {
        self.dates[self.positions[&commit.id]]
    }

    /// The newest of these commits of the main branch that changes what is graded there.
    fn last_merge<'c>(&self, newest_first: &'c [Commit], paths: &TaskPaths) -> Result<Option<&'c Commit>> {
        for commit in newest_first {
            if self.differs(commit, &commit.parents[..commit.parents.len().min(1)], paths)? {
                return Ok(Some(commit));
            }
        }
        Ok(None)
    }

    /// Whether a commit has a graded file that none of its parents has so.
    fn changes(&self, commit: &Commit, paths: &TaskPaths) -> Result<bool> {
        self.differs(commit, &commit.parents, paths)
    }

    fn differs(&self, commit: &Commit, parents: &[String], paths: &TaskPaths) -> Result<bool> {
        let before = parents.iter().map(|parent| self.content(parent, paths)).collect::<Result<Vec<_>>>()?;
        Ok(self.content(&commit.id, paths)?.differs_from_each(&before))
    }

    fn content(&self, commit: &str, paths: &TaskPaths) -> Result<GradedContent> {
        let key = (commit.to_owned(), paths.folder.clone());
        if let Some(known) = self.contents.borrow().get(&key) {
            return Ok(known.clone());
        }
        let content = paths.content(self.repository.files(commit, &paths.all())?);
        self.contents.borrow_mut().insert(key, content.clone());
        Ok(content)
    }
}

#[cfg(test)]
mod tests;

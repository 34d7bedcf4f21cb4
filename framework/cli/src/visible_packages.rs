//! The packages of a workspace that the sandbox of one task shows.
use std::{collections::BTreeSet, path::PathBuf};

/// What the sandbox of a task shows of the workspace.
pub(crate) struct VisiblePackages {
    /// The folders of visible packages.
    pub(crate) folders: Vec<PathBuf>,
    /// The names and folders of packages without which cargo refuses the workspace, though their content is hidden.
    pub(crate) stubs: Vec<(String, PathBuf)>,
    /// The names, as those of libraries, of all tasks and assignments and of what depends on them: builds of other commands, even of
    /// the same task, are not seen.
    pub(crate) of_course: BTreeSet<String>,
}

//! The files of a task that are checked and compared: every `.rs` file of its folder.

use std::{
    fs,
    path::{Path, PathBuf},
};

use wb_course::source::SourceFile;

use crate::error::{CliError, Result};

/// The files of a task.
pub(crate) struct TaskSources {
    /// Sources, sorted by path.
    pub(crate) files: Vec<SourceFile>,
    /// Symbolic links, which are not followed.
    pub(crate) links: Vec<String>,
}

impl TaskSources {
    /// Reads the folder, hidden folders included: a module may lie in any of them.
    pub(crate) fn read(folder: &Path) -> Result<Self> {
        let mut sources = Self { files: vec![], links: vec![] };
        let mut open = vec![folder.to_owned()];
        while let Some(current) = open.pop() {
            for entry in fs::read_dir(&current).map_err(CliError::system("read", &current))? {
                let entry = entry.map_err(CliError::system("read", &current))?;
                let kind = entry.file_type().map_err(CliError::system("read", entry.path()))?;
                match () {
                    () if kind.is_symlink() => sources.links.push(name(folder, &entry.path())),
                    () if kind.is_dir() => open.push(entry.path()),
                    () => sources.add(folder, entry.path())?,
                }
            }
        }
        sources.files.sort_by(|a, b| a.path.cmp(&b.path));
        sources.links.sort();
        Ok(sources)
    }

    fn add(&mut self, folder: &Path, path: PathBuf) -> Result<()> {
        if path.extension().is_some_and(|ending| ending == "rs") {
            let bytes = fs::read(&path).map_err(CliError::system("read", &path))?;
            let text = String::from_utf8_lossy(&bytes).into_owned();
            self.files.push(SourceFile::new(name(folder, &path), text));
        }
        Ok(())
    }
}

/// The path below the folder, with `/`.
fn name(folder: &Path, path: &Path) -> String {
    let below = path.strip_prefix(folder).unwrap_or(path);
    let parts: Vec<_> = below.iter().map(|part| part.to_string_lossy()).collect();
    parts.join("/")
}

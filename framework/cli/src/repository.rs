//! The git repository around the workspace: git's own answers, read from its machine-readable output.
//!
//! A question that git cannot answer is a [`GitError`]. A missing answer and an empty one are different values, so that no failure of git
//! counts as "not merged".

mod blob;
mod commit;
mod git_error;
#[cfg(test)]
pub(crate) mod test_clone;

use std::{
    collections::HashMap,
    fs, io,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

pub(crate) use commit::Commit;
pub(crate) use git_error::{GitError, Result};

/// Makes git take paths as names and not as patterns.
const LITERAL_PATHS: &str = "GIT_LITERAL_PATHSPECS";

/// A file of a commit or of the work tree: its path, relative to the folder of the repository's handle, and its text.
pub(crate) type TextFile = (String, String);

/// The clone around a folder; paths are relative to that folder.
pub(crate) struct Repository {
    folder: PathBuf,
}

impl Repository {
    /// The clone around `folder`.
    ///
    /// # Errors
    /// There is none, git is not installed, or it refuses the clone.
    pub(crate) fn find(folder: &Path) -> Result<Self> {
        let repository = Self { folder: folder.to_owned() };
        match repository.output(&["rev-parse", "--git-dir"]) {
            Err(GitError::Failed { .. }) if !is_in_clone(folder) => {
                Err(GitError::NoRepository { folder: folder.to_owned() })
            }
            Err(error) => Err(error),
            Ok(_) => Ok(repository),
        }
    }

    /// Whether commits before some commit are missing in this clone.
    pub(crate) fn is_shallow(&self) -> Result<bool> {
        Ok(self.line(&["rev-parse", "--is-shallow-repository"])? == "true")
    }

    /// The commit that a name stands for, if there is one.
    pub(crate) fn resolve(&self, name: &str) -> Result<Option<String>> {
        let revision = format!("{name}^{{commit}}");
        self.optional_line(&["rev-parse", "--verify", "--quiet", "--end-of-options", &revision])
    }

    /// The name that git gives to the files of a folder together, as they are in a commit; `None` where the commit has no such folder.
    pub(crate) fn tree(&self, commit: &str, folder: &str) -> Result<Option<String>> {
        let revision = format!("{commit}:{folder}");
        self.optional_line(&["rev-parse", "--verify", "--quiet", "--end-of-options", &revision])
    }

    /// The commit of `name`, or without a name that of the first branch of `usual` that exists.
    ///
    /// # Errors
    /// There is no such commit.
    pub(crate) fn resolve_branch(
        &self,
        name: Option<&str>,
        usual: &'static [&'static str],
    ) -> Result<String> {
        let names = name.as_ref().map_or(usual, std::slice::from_ref);
        for name in names {
            if let Some(commit) = self.resolve(name)? {
                return Ok(commit);
            }
        }
        Err(match (name, self.is_shallow()?) {
            (_, true) => GitError::Shallow { tried: names.iter().map(|&name| name.to_owned()).collect() },
            (Some(name), false) => GitError::NoCommit { name: name.to_owned() },
            (None, false) => GitError::NoMainBranch { tried: usual },
        })
    }

    /// The commit with which the work of this clone is compared: where it left `base`, or the commit `base` itself in a clone without
    /// that part of the history. Without `base`: `origin/main`, or `main`.
    pub(crate) fn merge_base(&self, base: Option<&str>) -> Result<String> {
        let commit = self.resolve_branch(base, &["origin/main", "main"])?;
        Ok(self.optional_line(&["merge-base", &commit, "HEAD"])?.unwrap_or(commit))
    }

    /// The files that differ from `commit` in the work tree, and those that git does not know: without repetitions, in the order of
    /// their names.
    pub(crate) fn changed_files(&self, commit: &str) -> Result<Vec<PathBuf>> {
        let diff = ["diff", "--name-only", "--no-renames", "--relative", "-z", commit, "--"];
        let untracked = ["ls-files", "--others", "--exclude-standard", "-z"];
        let mut files: Vec<PathBuf> = vec![];
        for arguments in [&diff[..], &untracked[..]] {
            files.extend(names(&self.output(arguments)?).map(PathBuf::from));
        }
        files.sort();
        files.dedup();
        Ok(files)
    }

    /// `git log` with these arguments, the newest commit first.
    pub(crate) fn log(&self, arguments: &[&str]) -> Result<Vec<Commit>> {
        let all = [&["log", Commit::FORMAT][..], arguments].concat();
        let output = self.output(&all)?;
        let commits = String::from_utf8_lossy(&output).lines().map(Commit::parse).collect::<Option<_>>();
        commits.ok_or_else(|| unreadable(&all))
    }

    /// All files below `paths` in a commit; a text that is not UTF-8 has replacement characters.
    pub(crate) fn files(&self, commit: &str, paths: &[&str]) -> Result<Vec<TextFile>> {
        let arguments = [&["ls-tree", "-r", "-z", commit, "--"][..], paths].concat();
        let listing = self.output(&arguments)?;
        let entries: Vec<(String, String)> = names(&listing).filter_map(|line| blob::entry(&line)).collect();
        let texts = self.blobs(entries.iter().map(|(id, _)| id.as_str()))?;
        let file = |(id, path): (String, String)| Some((path, texts.get(&id)?.clone()));
        entries.into_iter().map(file).collect::<Option<_>>().ok_or_else(|| unreadable(&arguments))
    }

    /// All files below `paths` in the work tree that git does not ignore.
    ///
    /// # Errors
    /// git fails, or a file cannot be read.
    pub(crate) fn work_tree(&self, paths: &[&str]) -> Result<Vec<TextFile>> {
        let list = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--"];
        let listing = self.output(&[&list[..], paths].concat())?;
        let mut files = vec![];
        for path in names(&listing) {
            let file = self.folder.join(&path);
            match read(&file) {
                Ok(Some(bytes)) => files.push((path, String::from_utf8_lossy(&bytes).into_owned())),
                Ok(None) => {}
                Err(source) => return Err(GitError::File { file, source }),
            }
        }
        Ok(files)
    }

    /// Whether git neither has nor would add the file.
    pub(crate) fn is_ignored(&self, path: &str) -> Result<bool> {
        let arguments = ["check-ignore", "--quiet", "--", path];
        let mut command = self.command(&arguments);
        // This question of git takes no other patterns, and refuses the variable.
        command.env_remove(LITERAL_PATHS);
        Ok(ended(command, &arguments, &[0, 1])?.status.success())
    }

    /// Texts by the names of their blobs, from one process.
    fn blobs<'i>(&self, ids: impl Iterator<Item = &'i str>) -> Result<HashMap<String, String>> {
        let arguments = ["cat-file", "--batch"];
        let request: String = ids.map(|id| format!("{id}\n")).collect();
        let output = blob::exchange(self.command(&arguments), request)?;
        if !output.status.success() {
            return Err(failed(&arguments, &output));
        }
        blob::parse_batch(&output.stdout).ok_or_else(|| unreadable(&arguments))
    }

    /// The first line that git prints.
    fn line(&self, arguments: &[&str]) -> Result<String> {
        Ok(first_line(&self.output(arguments)?))
    }

    /// The same; `None` if git says that what is asked for does not exist.
    fn optional_line(&self, arguments: &[&str]) -> Result<Option<String>> {
        let output = self.run(arguments, &[0, 1])?;
        Ok(output.status.success().then(|| first_line(&output.stdout)))
    }

    fn output(&self, arguments: &[&str]) -> Result<Vec<u8>> {
        Ok(self.run(arguments, &[0])?.stdout)
    }

    /// Runs git, which must end with one of these codes.
    fn run(&self, arguments: &[&str], codes: &[i32]) -> Result<Output> {
        ended(self.command(arguments), arguments, codes)
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new("git");
        // Names as they are, and no settings of the user that change the output.
        command.args(["-c", "core.quotePath=false", "-c", "log.showSignature=false"]);
        command.args(arguments).env(LITERAL_PATHS, "1").current_dir(&self.folder).stdin(Stdio::null());
        command
    }
}

/// The output of a command that must end with one of these codes.
fn ended(mut command: Command, arguments: &[&str], codes: &[i32]) -> Result<Output> {
    let output = command.output().map_err(GitError::NotStarted)?;
    match output.status.code().filter(|code| codes.contains(code)) {
        Some(_) => Ok(output),
        None => Err(failed(arguments, &output)),
    }
}

/// Whether a folder around `folder` has what git looks for, also where git refuses it.
fn is_in_clone(folder: &Path) -> bool {
    let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    std::env::var_os("GIT_DIR").is_some() || folder.ancestors().any(|folder| folder.join(".git").exists())
}

/// What git stores of a file: its bytes, or where a link points to. `None` for what does not exist or is a folder.
fn read(file: &Path) -> io::Result<Option<Vec<u8>>> {
    let found = match fs::symlink_metadata(file) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        found => found?.file_type(),
    };
    match () {
        () if found.is_symlink() => Ok(Some(fs::read_link(file)?.into_os_string().into_encoded_bytes())),
        () if found.is_dir() => Ok(None),
        () => fs::read(file).map(Some),
    }
}

/// The names in a list that is separated by zero bytes.
fn names(listing: &[u8]) -> impl Iterator<Item = String> {
    let names = listing.split(|byte| *byte == 0).filter(|name| !name.is_empty());
    names.map(|name| String::from_utf8_lossy(name).into_owned())
}

fn first_line(output: &[u8]) -> String {
    String::from_utf8_lossy(output).lines().next().unwrap_or_default().trim().to_owned()
}

fn failed(arguments: &[&str], output: &Output) -> GitError {
    let message = String::from_utf8_lossy(&output.stderr).trim().to_owned();
    GitError::Failed { command: shown(arguments), message }
}

fn unreadable(arguments: &[&str]) -> GitError {
    GitError::Unreadable { command: shown(arguments) }
}

fn shown(arguments: &[&str]) -> String {
    format!("git {}", arguments.join(" "))
}

#[cfg(test)]
mod tests;

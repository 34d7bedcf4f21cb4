//! Questions to git about the clone around the workspace.

use std::{
    io,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

use wb_messages::{Lang, change as text};

use crate::error::{CliError, Result};

/// Runs git in `root`; `None` if it ends with an error.
///
/// # Errors
/// There is no git.
pub(crate) fn output(root: &Path, arguments: &[&str]) -> Result<Option<Vec<u8>>> {
    let output = run(root, arguments).map_err(CliError::system("run", "git"))?;
    Ok(output.status.success().then_some(output.stdout))
}

fn run(root: &Path, arguments: &[&str]) -> io::Result<Output> {
    let mut command = Command::new("git");
    // Paths are read as bytes, and are relative to the folder in which git runs.
    command.args(["-c", "core.quotePath=false"]).args(arguments).current_dir(root).stdin(Stdio::null());
    command.output()
}

/// The commit with which the work of this clone is compared: where it left `base`, or the commit `base` itself in a clone
/// without that part of the history. Without `base`: `origin/main`, or `main`.
///
/// # Errors
/// There is no such commit.
pub(crate) fn merge_base(root: &Path, base: Option<&str>, lang: Lang) -> Result<String> {
    let candidates = base.map_or(vec!["origin/main", "main"], |base| vec![base]);
    for candidate in candidates {
        let commit = format!("{candidate}^{{commit}}");
        let Some(commit) = line(root, &["rev-parse", "--verify", "--quiet", "--end-of-options", &commit])?
        else {
            continue;
        };
        return Ok(line(root, &["merge-base", &commit, "HEAD"])?.unwrap_or(commit));
    }
    Err(CliError::Usage(match base {
        Some(base) => text::no_commit(lang, base),
        None => text::no_main(lang),
    }))
}

/// The files that differ from `commit` in the work tree, and those that git does not know: relative to `root`, without
/// repetitions, in the order of their names.
pub(crate) fn changed_files(root: &Path, commit: &str, lang: Lang) -> Result<Vec<PathBuf>> {
    let diff = ["diff", "--name-only", "--no-renames", "--relative", "-z", commit, "--"];
    let untracked = ["ls-files", "--others", "--exclude-standard", "-z"];
    let mut files = vec![];
    for arguments in [&diff[..], &untracked[..]] {
        let names =
            output(root, arguments)?.ok_or_else(|| CliError::Usage(text::no_difference(lang, commit)))?;
        let names = names.split(|byte| *byte == 0).filter(|name| !name.is_empty());
        files.extend(names.map(|name| PathBuf::from(String::from_utf8_lossy(name).into_owned())));
    }
    files.sort();
    files.dedup();
    Ok(files)
}

/// The first line that git prints.
fn line(root: &Path, arguments: &[&str]) -> Result<Option<String>> {
    let printed = output(root, arguments)?;
    let printed = printed.map(|printed| String::from_utf8_lossy(&printed).trim().to_owned());
    Ok(printed.filter(|line| !line.is_empty()))
}

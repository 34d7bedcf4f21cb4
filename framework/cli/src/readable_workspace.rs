//! The workspace of a command that reads tasks without their manifests: a manifest that cargo refuses must not hurt another task.
use std::{
    fs, io,
    path::{Path, PathBuf},
};

use cargo_metadata::{Metadata, MetadataCommand};

use wb_messages::{Lang, cli as text};

use crate::{
    error::{CliError, Result},
    task_workspace::{link, write_root},
    workspace::{Workspace, cargo_path, without_package},
};

/// As [`Workspace::find`]. Where cargo refuses it, its packages are the framework and the crates of assignments, and the tasks are the
/// folders with a `task.yaml`: for a grade, a task is built from a manifest of ours.
pub(crate) fn find() -> Result<Workspace> {
    let refused = match Workspace::find() {
        Err(CliError::Workspace(refused)) => refused,
        found => return found,
    };
    let Some(root) = workspace_root() else { return Err(CliError::Workspace(refused)) };
    let Ok((metadata, tasks)) = read(&root) else { return Err(CliError::Workspace(refused)) };
    eprintln!("{}", text::manifests_refused(Lang::from_environment(), refused));
    Ok(Workspace::without_manifests(metadata, tasks))
}

/// The root of the workspace around the current folder, which cargo finds though members are broken.
fn workspace_root() -> Option<PathBuf> {
    let mut locate = without_package(&cargo_path());
    locate.args(["locate-project", "--workspace", "--message-format", "plain"]);
    let output = locate.output().ok().filter(|output| output.status.success())?;
    Path::new(String::from_utf8(output.stdout).ok()?.trim()).parent().map(Path::to_owned)
}

/// The metadata of the workspace in `root` without its tasks, with the paths of the whole one, and the names and folders of the tasks.
///
/// # Errors
/// A file cannot be read or written, or cargo refuses the framework or the crate of an assignment.
fn read(root: &Path) -> io::Result<(Metadata, Vec<(String, PathBuf)>)> {
    let tasks = root.join("tasks");
    let folders: Vec<String> =
        fs::read_dir(&tasks)?.filter_map(|entry| entry.ok()?.file_name().into_string().ok()).collect();
    let with = |file: &str| {
        let folders = folders.iter().filter(|name| tasks.join(name).join(file).is_file());
        folders.map(String::as_str).collect::<Vec<_>>()
    };
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    let (assignments, scratch) = (with("assignment.yaml"), target.join("wb/readable"));
    write_root(root, &scratch, &assignments)?;
    for name in &assignments {
        link(&tasks.join(name), &scratch.join("tasks").join(name))?;
    }
    let mut command = MetadataCommand::new();
    command.current_dir(&scratch).no_deps().env("CARGO_TARGET_DIR", &target);
    let output = command.cargo_command().output()?;
    if !output.status.success() {
        return Err(io::Error::other(String::from_utf8_lossy(&output.stderr).into_owned()));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    let text = text.replace(&*scratch.to_string_lossy(), &root.to_string_lossy());
    let metadata = MetadataCommand::parse(text).map_err(io::Error::other)?;
    Ok((metadata, with("task.yaml").into_iter().map(|name| (name.to_owned(), tasks.join(name))).collect()))
}

//! The packages that cargo can read, where one of them makes it refuse the whole workspace: a broken task must not hurt another one.
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

/// As [`Workspace::find`]; of packages in `tasks` that cargo cannot read only the folders are known, so that a broken task does not end the
/// grading of the others.
pub(crate) fn find() -> Result<Workspace> {
    let refused = match Workspace::find() {
        Err(CliError::Workspace(refused)) => refused,
        found => return found,
    };
    let Some(root) = workspace_root() else { return Err(CliError::Workspace(refused)) };
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    let found = read(&root, &target).map_err(|_| CliError::Workspace(refused))?;
    eprintln!("{}", text::unreadable_manifests(Lang::from_environment(), found.unreadable.join(", ")));
    let named = |name: String| (name.clone(), root.join("tasks").join(name));
    Ok(Workspace::with_unreadable(found.metadata, found.unreadable.into_iter().map(named).collect()))
}

/// The metadata of a workspace without the packages of `tasks` that cargo cannot read, and the names of their folders.
struct ReadablePackages {
    metadata: Metadata,
    unreadable: Vec<String>,
}

/// The root of the workspace around the current folder, which cargo finds though members are broken.
fn workspace_root() -> Option<PathBuf> {
    let mut locate = without_package(&cargo_path());
    locate.args(["locate-project", "--workspace", "--message-format", "plain"]);
    let output = locate.output().ok().filter(|output| output.status.success())?;
    Path::new(String::from_utf8(output.stdout).ok()?.trim()).parent().map(Path::to_owned)
}

/// Reads the workspace in `root`, which builds in `target`.
///
/// # Errors
/// A file cannot be read or written, or cargo refuses the framework itself.
fn read(root: &Path, target: &Path) -> io::Result<ReadablePackages> {
    let mut folders: Vec<String> = fs::read_dir(root.join("tasks"))?
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| root.join("tasks").join(name).join("Cargo.toml").is_file())
        .collect();
    folders.sort_unstable();
    let attempt = Attempt { root, target, scratch: target.join("wb/readable") };
    // A package of another name than its folder could take the name of another task.
    let (named, mut unreadable): (Vec<_>, Vec<_>) =
        folders.into_iter().partition(|name| attempt.package_name(name).as_ref() == Some(name));
    let mut readable = vec![];
    attempt.extend(&mut readable, &named);
    unreadable.extend(named.iter().filter(|name| !readable.contains(name)).cloned());
    unreadable.retain(|name| root.join("tasks").join(name).join("task.yaml").is_file());
    let metadata = attempt.metadata(&readable)?;
    Ok(ReadablePackages { metadata, unreadable })
}

struct Attempt<'a> {
    root: &'a Path,
    target: &'a Path,
    /// The folder of a workspace with some of the packages.
    scratch: PathBuf,
}

impl Attempt<'_> {
    fn package_name(&self, folder: &str) -> Option<String> {
        let manifest = fs::read_to_string(self.root.join("tasks").join(folder).join("Cargo.toml")).ok()?;
        Some(manifest.parse::<toml::Table>().ok()?.get("package")?.get("name")?.as_str()?.to_owned())
    }

    /// Adds the packages of `more` with which cargo reads the workspace, by halves: a few are broken.
    fn extend(&self, readable: &mut Vec<String>, more: &[String]) {
        let together = [readable.as_slice(), more].concat();
        if self.metadata(&together).is_ok() {
            *readable = together;
        } else if more.len() > 1 {
            let (left, right) = more.split_at(more.len() / 2);
            self.extend(readable, left);
            self.extend(readable, right);
        }
    }

    /// The metadata with these packages, with the paths of the whole workspace.
    fn metadata(&self, packages: &[String]) -> io::Result<Metadata> {
        let packages: Vec<&str> = packages.iter().map(String::as_str).collect();
        write_root(self.root, &self.scratch, &packages)?;
        for package in &packages {
            link(&self.root.join("tasks").join(package), &self.scratch.join("tasks").join(package))?;
        }
        let mut command = MetadataCommand::new();
        command.current_dir(&self.scratch).no_deps().env("CARGO_TARGET_DIR", self.target);
        let output = command.cargo_command().output()?;
        if !output.status.success() {
            return Err(io::Error::other(String::from_utf8_lossy(&output.stderr).into_owned()));
        }
        let text = String::from_utf8_lossy(&output.stdout);
        let text = text.replace(&*self.scratch.to_string_lossy(), &self.root.to_string_lossy());
        MetadataCommand::parse(text).map_err(io::Error::other)
    }
}

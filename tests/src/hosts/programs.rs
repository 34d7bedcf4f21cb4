//! The programs that hosts are made of.
use std::{
    env,
    path::{Path, PathBuf},
};

use wb_process::test_host_programs::SYSTEM_FOLDERS;

use super::HostsError;

/// The value of `PATH` on hosts: that of this process, with the folders of administrators' programs.
pub(super) fn search_path() -> String {
    let path = env::var_os("PATH").unwrap_or_default();
    let folders = env::split_paths(&path).chain(SYSTEM_FOLDERS.map(PathBuf::from));
    let unique: Vec<PathBuf> = folders.fold(vec![], |mut unique, folder| {
        if !unique.contains(&folder) {
            unique.push(folder);
        }
        unique
    });
    env::join_paths(unique).unwrap_or(path).to_string_lossy().into_owned()
}

/// Whether the programs are in one of these folders, as in `PATH`.
///
/// # Errors
/// [`HostsError::Unavailable`] with the first program that is missing, and its package.
pub fn check_programs(programs: &[(&str, &str)], path: &str) -> Result<(), HostsError> {
    let is_there = |name: &str| env::split_paths(path).any(|folder| is_executable(&folder.join(name)));
    match programs.iter().find(|(program, _)| !is_there(program)) {
        None => Ok(()),
        Some((program, package)) => {
            Err(HostsError::Unavailable(format!("{program} is not installed (Debian package {package})")))
        }
    }
}

fn is_executable(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    file.metadata().is_ok_and(|about| about.is_file() && about.permissions().mode() & 0o111 != 0)
}

//! The programs that make a sandbox.
use std::{env, path::PathBuf};

use crate::sandbox::SandboxError;

/// The user and the group of the sandbox where this process is root's: the system's user without rights.
pub(crate) const NOBODY: u32 = 65_534;

/// The programs that make a sandbox on this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SandboxPrograms {
    pub(crate) bubblewrap: PathBuf,
    pub(crate) prlimit: PathBuf,
    /// Changes the user; only where this process is root's.
    pub(crate) setpriv: Option<PathBuf>,
}

impl SandboxPrograms {
    /// The programs in these folders, as in `PATH`.
    pub(crate) fn find_in(path: &str) -> Result<Self, SandboxError> {
        if !cfg!(target_os = "linux") {
            return Err(SandboxError::NotLinux);
        }
        let program = |program: &'static str, package: &'static str| {
            let found = env::split_paths(path).map(|folder| folder.join(program)).find(|file| file.is_file());
            found.ok_or(SandboxError::Missing { program, package })
        };
        let setpriv = if crate::is_root() { Some(program("setpriv", "util-linux")?) } else { None };
        Ok(Self {
            bubblewrap: program("bwrap", "bubblewrap")?,
            prlimit: program("prlimit", "util-linux")?,
            setpriv,
        })
    }
}

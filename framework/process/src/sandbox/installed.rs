//! The sandbox of this machine, and the proof that it works.
use std::{
    env, io,
    os::unix::fs::lchown,
    path::Path,
    process::{Command, Output},
};

use crate::sandbox::{
    SandboxError, SandboxLimits,
    command::SandboxedCommand,
    programs::{NOBODY, SandboxPrograms},
};

/// The sandbox of this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sandbox {
    programs: SandboxPrograms,
}

impl Sandbox {
    /// The sandbox of this machine, which has just run a program.
    ///
    /// # Errors
    /// [`SandboxError`]: there is none, and why.
    pub fn find() -> Result<Self, SandboxError> {
        Self::find_in(&env::var_os("PATH").unwrap_or_default().to_string_lossy())
    }

    /// The sandbox made of the programs in these folders, as in `PATH`.
    fn find_in(path: &str) -> Result<Self, SandboxError> {
        let sandbox = Self { programs: SandboxPrograms::find_in(path)? };
        let inside = SandboxedCommand::new(SandboxLimits::RUN);
        let probed = sandbox.command(&inside, &Command::new("true")).and_then(|mut probe| probe.output());
        match probed {
            Ok(Output { status, .. }) if status.success() => Ok(sandbox),
            Ok(Output { stderr, .. }) => {
                Err(SandboxError::Refused { reason: String::from_utf8_lossy(&stderr).trim().to_owned() })
            }
            Err(error) => Err(SandboxError::Refused { reason: error.to_string() }),
        }
    }

    /// The command that runs `program` with what `inside` describes.
    ///
    /// # Errors
    /// When the system refuses a file, a pipe or a thread.
    pub fn command(&self, inside: &SandboxedCommand, program: &Command) -> io::Result<Command> {
        inside.command(&self.programs, program)
    }

    /// Makes a folder of ours writable for the user of the sandbox.
    ///
    /// # Errors
    /// When the owner of a file in it cannot be changed.
    pub fn hand_over(&self, folder: &Path) -> io::Result<()> {
        match self.programs.setpriv {
            Some(_) => change_owner(folder),
            None => Ok(()),
        }
    }
}

/// Gives a folder and everything in it to the user of the sandbox. Links are not followed.
fn change_owner(path: &Path) -> io::Result<()> {
    lchown(path, Some(NOBODY), Some(NOBODY))?;
    if path.symlink_metadata()?.is_dir() {
        for entry in std::fs::read_dir(path)? {
            change_owner(&entry?.path())?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_is_missing_is_named_with_its_package() {
        let empty = tempfile::tempdir().expect("a folder");
        let error = Sandbox::find_in(&empty.path().to_string_lossy()).expect_err("nothing is there");
        assert!(matches!(error, SandboxError::Missing { .. } | SandboxError::NotLinux), "{error}");
        assert!(error.to_string().contains("is not installed (Debian package"), "{error}");
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_bubblewrap_that_does_not_work_is_refused_with_its_reason() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().expect("a folder");
        for (program, script) in
            [("bwrap", "#!/bin/sh\necho no namespaces >&2; exit 1\n"), ("prlimit", ""), ("setpriv", "")]
        {
            let path = folder.path().join(program);
            std::fs::write(&path, script).expect("written");
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("a program");
        }
        let error = Sandbox::find_in(&folder.path().to_string_lossy()).expect_err("it fails");
        assert!(error.to_string().starts_with("bubblewrap does not work here: no namespaces; "), "{error}");
    }
}

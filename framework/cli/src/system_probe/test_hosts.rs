//! What the hosts of the workbench's own tests need: programs, root, and namespaces.

use std::{
    env,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use wb_process::test_host_programs::{HOST_PROGRAMS, SLURM_PROGRAMS, SYSTEM_FOLDERS, UNSHARE};

use super::tool::is_executable;

/// Whether the tests on several hosts can run here.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum TestHostsProbe {
    Works,
    NotLinux,
    Missing { program: &'static str, package: &'static str },
    NotRoot,
    Refused { reason: String },
}

impl TestHostsProbe {
    pub(crate) fn new() -> Self {
        Self::in_folders(&env::var_os("PATH").unwrap_or_default().to_string_lossy(), &SYSTEM_FOLDERS)
    }

    /// With the programs in these folders, as in `PATH`, and in the further ones.
    fn in_folders(path: &str, further: &[&str]) -> Self {
        let folders: Vec<PathBuf> = env::split_paths(path).chain(further.iter().map(PathBuf::from)).collect();
        let find =
            |name: &str| folders.iter().map(|folder| folder.join(name)).find(|file| is_executable(file));
        if !cfg!(target_os = "linux") {
            return Self::NotLinux;
        }
        let mut programs = HOST_PROGRAMS.iter().chain(&SLURM_PROGRAMS);
        if let Some(&(program, package)) = programs.find(|(program, _)| find(program).is_none()) {
            return Self::Missing { program, package };
        }
        match find("unshare") {
            _ if !wb_process::is_root() => Self::NotRoot,
            None => Self::Missing { program: "unshare", package: "util-linux" },
            Some(unshare) => probe_namespaces(&unshare),
        }
    }

    /// Whether packages are all that is missing.
    pub(crate) fn is_installable(&self) -> bool {
        matches!(self, Self::Missing { .. })
    }
}

fn probe_namespaces(unshare: &Path) -> TestHostsProbe {
    let mut command = Command::new(unshare);
    match command.args(UNSHARE).arg("true").stdin(Stdio::null()).output() {
        Ok(output) if output.status.success() => TestHostsProbe::Works,
        Ok(output) => {
            TestHostsProbe::Refused { reason: String::from_utf8_lossy(&output.stderr).trim().to_owned() }
        }
        Err(error) => TestHostsProbe::Refused { reason: error.to_string() },
    }
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use std::{fs, os::unix::fs::PermissionsExt};

    use super::*;

    #[test]
    fn a_missing_program_is_named_with_its_package_and_a_refusal_with_its_reason() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().to_string_lossy().into_owned();
        let probe = || TestHostsProbe::in_folders(&path, &[]);
        assert_eq!(probe(), TestHostsProbe::Missing { program: "bash", package: "bash" });
        for (program, _) in HOST_PROGRAMS.iter().chain(&SLURM_PROGRAMS) {
            let file = folder.path().join(program);
            fs::write(&file, "#!/bin/sh\necho no namespaces >&2; exit 1\n").expect("written");
            fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).expect("a program");
        }
        let refused = TestHostsProbe::Refused { reason: "no namespaces".into() };
        assert_eq!(probe(), if wb_process::is_root() { refused } else { TestHostsProbe::NotRoot });
        fs::write(folder.path().join("unshare"), "#!/bin/sh\n").expect("written");
        assert!(!wb_process::is_root() || probe() == TestHostsProbe::Works);
    }
}

//! A command inside a sandbox: what it sees, what it may write, its environment.
use std::{
    ffi::{OsStr, OsString},
    io,
    path::{Path, PathBuf},
    process::Command,
};

use crate::{
    OWNER_VARIABLE,
    sandbox::{
        ExcessReport, SandboxLimits, guards,
        programs::{NOBODY, SandboxPrograms},
    },
};

/// The system's folders that every program sees. Those that do not exist are left out.
const SYSTEM_FOLDERS: [&str; 8] = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/sys"];

/// What programs read in `/etc`. Keys, passwords and the names of other machines are not among them.
const SYSTEM_FILES: [&str; 10] = [
    "/etc/alternatives",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/localtime",
    "/etc/openmpi",
    "/etc/mpich",
    "/etc/libibverbs.d",
    "/etc/passwd",
    "/etc/group",
];

/// The variables of this process that a program in a sandbox keeps.
const KEPT_VARIABLES: [&str; 5] = ["PATH", "LANG", "LC_ALL", "WB_LANG", "TERM"];

/// A program in a sandbox, and what it may use.
#[derive(Clone, Debug)]
pub struct SandboxedCommand {
    limits: SandboxLimits,
    mounts: Vec<Mount>,
    variables: Vec<OsString>,
    excess: ExcessReport,
}

/// A folder or a file from outside.
#[derive(Clone, Debug)]
struct Mount {
    outside: PathBuf,
    inside: PathBuf,
    is_writable: bool,
}

impl SandboxedCommand {
    /// A program that sees the system's folders only.
    pub fn new(limits: SandboxLimits) -> Self {
        Self {
            limits,
            mounts: vec![],
            variables: KEPT_VARIABLES.map(OsString::from).into(),
            excess: ExcessReport::default(),
        }
    }

    /// Lets the program also see this folder or file, at the same path.
    #[must_use]
    pub fn readable(self, path: impl Into<PathBuf>) -> Self {
        let path = path.into();
        self.mounted(path.clone(), path, false)
    }

    /// Lets the program write in this folder, at the same path; see [`Sandbox::hand_over`](crate::sandbox::Sandbox::hand_over).
    #[must_use]
    pub fn writable(self, path: impl Into<PathBuf>) -> Self {
        let path = path.into();
        self.mounted(path.clone(), path, true)
    }

    /// Lets the program see the folder or file `outside` at the path `inside`.
    #[must_use]
    pub fn mounted(
        mut self,
        outside: impl Into<PathBuf>,
        inside: impl Into<PathBuf>,
        is_writable: bool,
    ) -> Self {
        self.mounts.push(Mount { outside: outside.into(), inside: inside.into(), is_writable });
        self
    }

    /// Lets the program keep this variable of this process.
    #[must_use]
    pub fn variable(mut self, name: impl Into<OsString>) -> Self {
        self.variables.push(name.into());
        self
    }

    /// What its processes used is left there when it is ended for its memory.
    #[must_use]
    pub fn reporting_to(self, excess: ExcessReport) -> Self {
        Self { excess, ..self }
    }

    /// The command that runs `inner`: its arguments, its folder, and the variables that it sets.
    pub(crate) fn command(&self, sandbox: &SandboxPrograms, inner: &Command) -> io::Result<Command> {
        let mut command = Command::new(&sandbox.bubblewrap);
        guards::add(&mut command, &self.limits, &self.excess)?;
        command.args([
            "--unshare-net",
            "--unshare-pid",
            "--unshare-ipc",
            "--unshare-uts",
            "--unshare-cgroup-try",
        ]);
        command.args(["--die-with-parent", "--new-session", "--hostname", "localhost", "--clearenv"]);
        self.add_mounts(&mut command);
        for (name, value) in self.environment(inner) {
            command.arg("--setenv").arg(name).arg(value);
        }
        command.arg("--chdir").arg(inner.get_current_dir().unwrap_or(Path::new("/tmp")));
        match &sandbox.setpriv {
            None => {
                command.args(["--unshare-user", "--cap-drop", "ALL", "--"]);
            }
            Some(setpriv) => {
                command.args(["--cap-drop", "ALL"]);
                let needed = ["CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP"];
                command.args(needed.iter().flat_map(|capability| ["--cap-add", capability]));
                command.arg("--").arg(setpriv);
                command.args([format!("--reuid={NOBODY}"), format!("--regid={NOBODY}")]);
                command.args([
                    "--clear-groups",
                    "--inh-caps=-all",
                    "--bounding-set=-all",
                    "--no-new-privs",
                    "--",
                ]);
            }
        }
        command.arg(&sandbox.prlimit).args(self.limits.to_arguments());
        command.arg("--").arg(inner.get_program()).args(inner.get_args());
        Ok(command)
    }

    fn add_mounts(&self, command: &mut Command) {
        command.args(["--perms", "0755", "--dir", "/etc"]);
        for folder in SYSTEM_FOLDERS.iter().chain(&SYSTEM_FILES).map(Path::new) {
            match folder.read_link() {
                // Where /bin is a link to usr/bin it is one inside, too.
                Ok(target) if !folder.starts_with("/etc") => command.arg("--symlink").arg(target).arg(folder),
                _ => command.arg("--ro-bind-try").arg(folder).arg(folder),
            };
        }
        let size = self.limits.file_memory.to_string();
        // What is mapped from /dev/zero is memory that no limit counts. /dev/full reads as zeros, too.
        command.args(["--proc", "/proc", "--dev", "/dev", "--dev-bind", "/dev/null", "/dev/zero"]);
        for folder in ["/tmp", "/dev/shm"] {
            command.args(["--perms", "1777", "--size", &size, "--tmpfs", folder]);
        }
        for folder in self.parents() {
            command.args(["--perms", "0755", "--dir"]).arg(folder);
        }
        for Mount { outside, inside, is_writable } in &self.mounts {
            command.arg(if *is_writable { "--bind" } else { "--ro-bind" }).arg(outside).arg(inside);
        }
        // The folder of devices is a file system without a size.
        command.args(["--remount-ro", "/dev", "--remount-ro", "/"]);
    }

    /// The folders above the mounts. Without a mode of their own bubblewrap may make them private to root.
    fn parents(&self) -> Vec<&Path> {
        let is_mounted = |folder: &Path| self.mounts.iter().any(|mount| folder.starts_with(&mount.inside));
        let above = self.mounts.iter().flat_map(|mount| mount.inside.ancestors().skip(1));
        let mut parents: Vec<&Path> = above
            .filter(|folder| folder.parent().is_some() && !is_mounted(folder))
            .filter(|folder| !["/tmp", "/dev", "/usr"].map(Path::new).contains(folder))
            .collect();
        parents.sort_unstable();
        parents.dedup();
        parents
    }

    /// The variables inside: those that are kept, and those that `inner` sets.
    fn environment(&self, inner: &Command) -> Vec<(OsString, OsString)> {
        let kept = self.variables.iter().filter_map(|name| Some((name.clone(), std::env::var_os(name)?)));
        let set = inner.get_envs().filter_map(|(name, value)| Some((name.to_owned(), value?.to_owned())));
        let pair = |(name, value)| (OsString::from(name), OsString::from(value));
        let fixed = [("HOME", "/tmp"), ("USER", "sandbox"), ("TMPDIR", "/tmp")].map(pair);
        // System V's shared memory is refused: UCX, which MPICH uses, takes files in /dev/shm.
        let defaults = [("UCX_TLS", "^sysv")].map(pair);
        defaults
            .into_iter()
            .chain(kept)
            .chain(fixed)
            .chain(set.filter(|(name, _)| !is_of_the_owner(name)))
            .collect()
    }
}

/// Whether a variable names a process outside, which the sandbox does not show.
fn is_of_the_owner(name: &OsStr) -> bool {
    name == OWNER_VARIABLE
}

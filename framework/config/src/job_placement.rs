//! Where the ranks of a job run, and which program starts them: the variables that `cargo wb` sets for the programs it runs.
//!
//! Without them the ranks run on this host, started by the launcher of the MPI library.

use std::{ffi::OsString, path::PathBuf};

use wb_text::hosts as text;

use crate::{
    HostFile, RankMap,
    error::{ConfigError, Result},
};

/// The environment variable with the path of a host file.
pub const HOSTS: &str = "WB_HOSTS";
/// The environment variable with the program that starts ranks.
pub const LAUNCHER: &str = "WB_LAUNCHER";

/// The environment variable with the order of ranks on hosts: see [`RankMap`].
pub const MAP: &str = "WB_MAP";

/// The program that starts the ranks of a job.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum JobLauncher {
    /// `mpirun` or `mpiexec` of the library that the program is linked with.
    #[default]
    Library,
    /// `srun` of Slurm.
    Srun,
}

/// Where the ranks of a job run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct JobPlacement {
    /// The program that starts them.
    pub launcher: JobLauncher,
    /// The hosts; `None` for this host, or those that Slurm selects.
    pub hosts: Option<HostFile>,
    /// The order of the ranks on processors; `None` for the launcher's own.
    pub map: Option<RankMap>,
}

impl JobLauncher {
    /// The launcher of this name: `mpirun`, `mpiexec` or `srun`.
    pub fn parse(name: &str) -> Option<Self> {
        match name {
            "mpirun" | "mpiexec" => Some(Self::Library),
            "srun" => Some(Self::Srun),
            _ => None,
        }
    }
}

impl JobPlacement {
    /// The placement that the variables which `environment` returns ask for.
    ///
    /// # Errors
    /// When a variable or the host file is invalid, or both variables contradict each other.
    pub fn from_environment(environment: impl Fn(&str) -> Option<OsString>) -> Result<Self> {
        let invalid = |name, value: &OsString, allowed| ConfigError::Environment {
            name,
            value: value.to_string_lossy().into_owned(),
            allowed,
        };
        let launcher = match environment(LAUNCHER) {
            None => JobLauncher::default(),
            Some(name) => JobLauncher::parse(&name.to_string_lossy())
                .ok_or_else(|| invalid(LAUNCHER, &name, text::launcher_allowed()))?,
        };
        let hosts = match environment(HOSTS) {
            None => None,
            Some(path) if launcher == JobLauncher::Srun => {
                return Err(invalid(HOSTS, &path, text::no_hosts_with_srun()));
            }
            Some(path) if !PathBuf::from(&path).is_absolute() => {
                return Err(invalid(HOSTS, &path, text::absolute_path_allowed()));
            }
            Some(path) => Some(HostFile::load(&PathBuf::from(path))?),
        };
        let map = match environment(MAP) {
            None => None,
            Some(name) => Some(
                RankMap::parse(&name.to_string_lossy())
                    .ok_or_else(|| invalid(MAP, &name, text::map_allowed()))?,
            ),
        };
        Ok(Self { launcher, hosts, map })
    }

    /// Whether the ranks are placed on hosts of a file, or by Slurm.
    pub fn is_on_hosts(&self) -> bool {
        self.hosts.is_some() || self.launcher == JobLauncher::Srun
    }

    /// The placement of a job that has the first host for itself.
    #[must_use]
    pub fn first_host(&self) -> Self {
        let first = |file: &HostFile| HostFile { hosts: file.hosts[..1].to_vec() };
        Self { launcher: self.launcher, hosts: self.hosts.as_ref().map(first), map: self.map }
    }

    /// [`JobPlacement::from_environment`] under the environment of this process.
    ///
    /// # Errors
    /// As [`JobPlacement::from_environment`].
    pub fn from_process_environment() -> Result<Self> {
        Self::from_environment(|name| std::env::var_os(name))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn placement(variables: &[(&str, &str)]) -> std::result::Result<JobPlacement, String> {
        let get =
            |name: &str| variables.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).into());
        JobPlacement::from_environment(get).map_err(|error| error.to_string())
    }

    #[test]
    fn without_variables_the_library_starts_ranks_on_this_host() {
        assert_eq!(placement(&[]), Ok(JobPlacement::default()));
        assert_eq!(placement(&[(LAUNCHER, "mpiexec")]), Ok(JobPlacement::default()));
    }

    #[test]
    fn hosts_are_read_from_the_file_and_srun_has_none() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("hosts");
        fs::write(&file, "a:1\nb:2\n").expect("written");
        let path = file.to_str().expect("a text");
        let found = placement(&[(HOSTS, path), (MAP, "node")]).expect("valid");
        assert_eq!([found.map, found.first_host().map], [Some(RankMap::Node); 2]);
        let list = |placement: JobPlacement| placement.hosts.map(|hosts| hosts.list());
        assert_eq!(list(found.first_host()), Some("a:1".to_owned()));
        assert_eq!(list(found), Some("a:1,b:2".to_owned()));
        assert_eq!(placement(&[(LAUNCHER, "srun")]).map(|found| found.launcher), Ok(JobLauncher::Srun));
        let both = placement(&[(HOSTS, path), (LAUNCHER, "srun")]).expect_err("contradiction");
        assert!(both.contains("srun runs on the hosts that Slurm selects"), "{both}");
    }

    #[test]
    fn a_misspelt_launcher_and_a_relative_path_are_refused() {
        let launcher = placement(&[(LAUNCHER, "mpirum")]).expect_err("misspelt");
        assert_eq!(
            launcher,
            "the environment variable WB_LAUNCHER is `mpirum`, but it must be mpirun or mpiexec (the launcher of the MPI library), or srun (Slurm's)"
        );
        let path = placement(&[(HOSTS, "hosts")]).expect_err("relative");
        assert!(path.contains("path of a host file from the root"), "{path}");
        let map = placement(&[(MAP, "ring")]).expect_err("no such map");
        assert_eq!(map, "the environment variable WB_MAP is `ring`, but it must be core, socket or node");
        let missing = placement(&[(HOSTS, "/no/such/file")]).expect_err("missing");
        assert_eq!(missing, "cannot read /no/such/file: there is no such file");
    }
}

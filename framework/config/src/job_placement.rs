//! Where the ranks of a job run, and in which order: the variables that `cargo wb` sets for the programs it runs.
//!
//! Without them the ranks run on this host, started by the launcher of the MPI library.

use std::{ffi::OsString, path::PathBuf};

use wb_text::hosts as text;

use crate::{
    HostFile, RankMap,
    error::{ConfigError, Result},
};

/// The environment variable that says where ranks run: see [`JobHosts`].
pub const HOSTS: &str = "WB_HOSTS";

/// The environment variable with the order of ranks on hosts: see [`RankMap`].
pub const MAP: &str = "WB_MAP";

/// The hosts of a job, and the program that starts its ranks there.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum JobHosts {
    /// This host, with the launcher of the library that the program is linked with: `mpirun` or `mpiexec`.
    #[default]
    ThisHost,
    /// The hosts of a file, with the launcher of the library: a path from the root.
    Listed(HostFile),
    /// The hosts that Slurm selects, with its launcher: `srun`.
    Slurm,
}

/// The placement of the ranks of a job.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct JobPlacement {
    /// The hosts.
    pub hosts: JobHosts,
    /// The order of the ranks on processors; `None` for the launcher's own.
    pub map: Option<RankMap>,
}

impl JobHosts {
    /// The hosts that a value of [`HOSTS`] means; `None` for another value.
    ///
    /// # Errors
    /// When the host file is invalid.
    fn parse(value: &OsString) -> Result<Option<Self>> {
        match (value.to_str(), PathBuf::from(value)) {
            (Some("mpirun" | "mpiexec"), _) => Ok(Some(Self::ThisHost)),
            (Some("srun"), _) => Ok(Some(Self::Slurm)),
            (_, path) if path.is_absolute() => HostFile::load(&path).map(|file| Some(Self::Listed(file))),
            _ => Ok(None),
        }
    }

    /// The host file.
    pub fn file(&self) -> Option<&HostFile> {
        match self {
            Self::Listed(file) => Some(file),
            Self::ThisHost | Self::Slurm => None,
        }
    }
}

impl JobPlacement {
    /// The placement that the variables which `environment` returns ask for.
    ///
    /// # Errors
    /// When a variable or the host file is invalid.
    pub fn from_environment(environment: impl Fn(&str) -> Option<OsString>) -> Result<Self> {
        let invalid = |name, value: &OsString, allowed| ConfigError::Environment {
            name,
            value: value.to_string_lossy().into_owned(),
            allowed,
        };
        let hosts = match environment(HOSTS) {
            None => JobHosts::default(),
            Some(value) => {
                JobHosts::parse(&value)?.ok_or_else(|| invalid(HOSTS, &value, text::hosts_allowed()))?
            }
        };
        let map = match environment(MAP) {
            None => None,
            Some(name) => Some(
                RankMap::parse(&name.to_string_lossy())
                    .ok_or_else(|| invalid(MAP, &name, text::map_allowed()))?,
            ),
        };
        Ok(Self { hosts, map })
    }

    /// Whether the ranks are placed on hosts of a file, or by Slurm.
    pub fn is_on_hosts(&self) -> bool {
        self.hosts != JobHosts::ThisHost
    }

    /// The placement of a job that has the first host for itself.
    #[must_use]
    pub fn first_host(&self) -> Self {
        let hosts = match &self.hosts {
            JobHosts::Listed(file) => JobHosts::Listed(HostFile { hosts: file.hosts[..1].to_vec() }),
            other => other.clone(),
        };
        Self { hosts, map: self.map }
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
        assert_eq!(placement(&[(HOSTS, "mpiexec")]), Ok(JobPlacement::default()));
    }

    #[test]
    fn hosts_are_read_from_the_file_or_are_those_of_slurm() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("hosts");
        fs::write(&file, "a:1\nb:2\n").expect("written");
        let path = file.to_str().expect("a text");
        let found = placement(&[(HOSTS, path), (MAP, "node")]).expect("valid");
        assert_eq!([found.map, found.first_host().map], [Some(RankMap::Node); 2]);
        let list = |placement: &JobPlacement| placement.hosts.file().map(HostFile::list);
        assert_eq!(list(&found.first_host()), Some("a:1".to_owned()));
        assert_eq!(list(&found), Some("a:1,b:2".to_owned()));
        let slurm = placement(&[(HOSTS, "srun")]).expect("valid");
        assert_eq!((&slurm.hosts, slurm.is_on_hosts()), (&JobHosts::Slurm, true));
        assert_eq!(slurm.first_host(), slurm);
    }

    #[test]
    fn a_misspelt_launcher_and_a_relative_path_are_refused() {
        for value in ["mpirum", "hosts", ""] {
            let refused = placement(&[(HOSTS, value)]).expect_err("neither a path nor a launcher");
            let expected = format!(
                "the environment variable WB_HOSTS is `{value}`, but it must be the path of a host file from the root, srun (the hosts that Slurm selects), or mpirun (this host)"
            );
            assert_eq!(refused, expected);
        }
        let map = placement(&[(MAP, "ring")]).expect_err("no such map");
        assert_eq!(map, "the environment variable WB_MAP is `ring`, but it must be core, socket or node");
        let missing = placement(&[(HOSTS, "/no/such/file")]).expect_err("missing");
        assert_eq!(missing, "cannot read /no/such/file: there is no such file");
    }
}

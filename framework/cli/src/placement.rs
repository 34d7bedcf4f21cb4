//! Where the ranks of a command run: checked here, before anything is built, and passed on as variables to the programs that
//! start jobs.

use std::{
    ffi::{OsStr, OsString},
    fs,
    path::Path,
};

use wb_config::{ClusterSettings, CourseSettings, HOSTS, HostFile, JobPlacement, MAP, RankMap};
use wb_messages::{Lang, cli as text};

use crate::{
    arguments::{LauncherArgument, PlacementArgs},
    error::{CliError, Result},
};

/// The variables of the programs that start jobs.
#[derive(Clone, Debug, Default)]
pub(crate) struct Placement {
    variables: Vec<(&'static str, OsString)>,
    is_on_hosts: bool,
}

impl Placement {
    /// The wanted placement of ranks, which are processes or not, in the workspace `root`.
    ///
    /// # Errors
    /// When the host file or the settings of the cluster are invalid, when the hosts are Slurm's, and for ranks that are not processes.
    pub(crate) fn new(root: &Path, wanted: &PlacementArgs, are_processes: bool, lang: Lang) -> Result<Self> {
        let mut variables = Vec::new();
        // A command on this host does not depend on the settings of a cluster.
        let is_placed = wanted.hosts.is_some() || wanted.launcher.is_some();
        let defaults =
            if is_placed { CourseSettings::cluster_defaults(root)? } else { ClusterSettings::default() };
        let hosts = match (&wanted.hosts, wanted.launcher) {
            (Some(_), Some(LauncherArgument::Srun)) => {
                return Err(CliError::Usage(text::no_hosts_with_srun(lang)));
            }
            (Some(file), _) => Some(host_file(file, &defaults, lang)?),
            (None, Some(LauncherArgument::Srun)) => Some("srun".into()),
            (None, Some(LauncherArgument::Mpirun | LauncherArgument::Mpiexec)) => Some("mpirun".into()),
            (None, None) => None,
        };
        variables.extend(hosts.map(|hosts| (HOSTS, hosts)));
        if let Some(map) = wanted.map.map(RankMap::from).or(defaults.map) {
            variables.push((MAP, map.name().into()));
        }
        let found =
            |name: &str| variables.iter().find(|(key, _)| *key == name).map(|(_, value)| value.clone());
        let placement =
            JobPlacement::from_environment(|name| found(name).or_else(|| std::env::var_os(name)))?;
        let is_on_hosts = placement.is_on_hosts();
        match are_processes || variables.is_empty() {
            true => Ok(Self { variables, is_on_hosts }),
            false => Err(CliError::Usage(text::hosts_need_mpi(lang))),
        }
    }

    /// Whether the ranks are on hosts of a file or of Slurm.
    pub(crate) fn is_on_hosts(&self) -> bool {
        self.is_on_hosts
    }

    /// The variables with their values.
    pub(crate) fn variables(&self) -> impl Iterator<Item = (&'static str, &OsString)> {
        self.variables.iter().map(|(name, value)| (*name, value))
    }
}

/// The path of a wanted host file from the root; an empty name is that of the settings.
fn host_file(file: &OsStr, defaults: &ClusterSettings, lang: Lang) -> Result<OsString> {
    let default = || defaults.hosts.as_deref().ok_or_else(|| CliError::Usage(text::no_host_file(lang)));
    let file = if file.is_empty() { default()? } else { Path::new(file) };
    // The error shows the path as the user wrote it.
    HostFile::load(file)?;
    Ok(fs::canonicalize(file).map_err(CliError::system("read", file))?.into_os_string())
}

//! Where the ranks of a command run: checked here, before anything is built, and passed on as variables to the programs that
//! start jobs.

use std::{ffi::OsString, fs};

use wb_config::{HOSTS, HostFile, JobPlacement, LAUNCHER};
use wb_messages::{Lang, cli as text};

use crate::{
    arguments::{LauncherArgument, PlacementArgs},
    error::{CliError, Result},
};

/// The variables of the programs that start jobs.
#[derive(Debug, Default)]
pub(crate) struct Placement(Vec<(&'static str, OsString)>);

impl Placement {
    /// The wanted placement of ranks, which are processes or not.
    ///
    /// # Errors
    /// When the host file is invalid, when the hosts are Slurm's, and for ranks that are not processes.
    pub(crate) fn new(wanted: &PlacementArgs, are_processes: bool, lang: Lang) -> Result<Self> {
        let mut variables = Vec::new();
        if let Some(file) = &wanted.hosts {
            // The error shows the path as the user wrote it.
            HostFile::load(file)?;
            let file = fs::canonicalize(file).map_err(CliError::system("read", file))?;
            variables.push((HOSTS, file.into_os_string()));
        }
        if let Some(launcher) = wanted.launcher {
            let name = match launcher {
                LauncherArgument::Mpirun | LauncherArgument::Mpiexec => "mpirun",
                LauncherArgument::Srun => "srun",
            };
            variables.push((LAUNCHER, name.into()));
        }
        let found =
            |name: &str| variables.iter().find(|(key, _)| *key == name).map(|(_, value)| value.clone());
        JobPlacement::from_environment(|name| found(name).or_else(|| std::env::var_os(name)))?;
        match are_processes || variables.is_empty() {
            true => Ok(Self(variables)),
            false => Err(CliError::Usage(text::hosts_need_mpi(lang))),
        }
    }

    /// The variables with their values.
    pub(crate) fn variables(&self) -> impl Iterator<Item = (&'static str, &OsString)> {
        self.0.iter().map(|(name, value)| (*name, value))
    }
}

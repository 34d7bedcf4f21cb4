//! The arguments that say where the ranks of a command run.

use std::ffi::OsString;

use clap::{Args, ValueEnum};
use wb_config::RankMap;
use wb_messages::cli as text;

use super::help::localized;

#[derive(Debug, Clone, Default, Args)]
pub(crate) struct PlacementArgs {
    /// The empty path, which a `PathBuf` may not be, means the file of the settings.
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = "", help = localized(text::help_hosts))]
    pub(crate) hosts: Option<OsString>,
    #[arg(long, value_enum, help = localized(text::help_launcher))]
    pub(crate) launcher: Option<LauncherArgument>,
    #[arg(long, value_enum, help = localized(text::help_map))]
    pub(crate) map: Option<MapArgument>,
}

/// The order of ranks on processors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum MapArgument {
    Core,
    Socket,
    Node,
}

impl From<MapArgument> for RankMap {
    fn from(argument: MapArgument) -> Self {
        match argument {
            MapArgument::Core => Self::Core,
            MapArgument::Socket => Self::Socket,
            MapArgument::Node => Self::Node,
        }
    }
}

/// The program that starts ranks. `mpirun` and `mpiexec` are the same one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum LauncherArgument {
    Mpirun,
    Mpiexec,
    Srun,
}

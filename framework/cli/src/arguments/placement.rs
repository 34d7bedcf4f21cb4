//! The arguments that say where the ranks of a command run.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use wb_messages::cli as text;

use super::help::localized;

#[derive(Debug, Clone, Default, Args)]
pub(crate) struct PlacementArgs {
    #[arg(long, value_name = "FILE", help = localized(text::help_hosts))]
    pub(crate) hosts: Option<PathBuf>,
    #[arg(long, value_enum, help = localized(text::help_launcher))]
    pub(crate) launcher: Option<LauncherArgument>,
}

/// The program that starts ranks. `mpirun` and `mpiexec` are the same one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum LauncherArgument {
    Mpirun,
    Mpiexec,
    Srun,
}

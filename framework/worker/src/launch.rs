//! The command line of the launcher that belongs to the linked library.
//!
//! The library determines the launcher, not the order in `PATH`: the launcher of another library starts N worlds of one
//! rank and reports success.
use std::{path::Path, process::Command};

use wb_comm::LibraryInfo;

/// The reason why no job can be started.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LaunchError {
    /// `PATH` contains no program that starts jobs for the library.
    #[error("this program is linked with {flavour}, and no launcher of it is on the PATH")]
    NoLauncher {
        /// The library.
        flavour: String,
    },
}

/// The command that runs `program` on `ranks` ranks. The caller adds the program's arguments and variables, and starts
/// it as a [`wb_process::Job`].
///
/// The variables of an outer launcher are removed, so that a rank may start its own job. The command permits to run as
/// root and to use more ranks than cores, and makes idle ranks yield, as this machine requires.
///
/// # Errors
/// [`LaunchError::NoLauncher`].
pub fn command(library: &LibraryInfo, ranks: usize, program: &Path) -> Result<Command, LaunchError> {
    let no_launcher = || LaunchError::NoLauncher { flavour: library.implementation.clone() };
    let launcher = library.launchers.first().ok_or_else(no_launcher)?;
    let mut command = Command::new(launcher);
    wb_process::remove_launcher_variables(&mut command);
    wb_process::launcher_environment(&mut command, ranks);
    command.args(["-n", &ranks.to_string()]).arg(program);
    Ok(command)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn library(launchers: &[&str]) -> LibraryInfo {
        let launchers = launchers.iter().map(|&name| name.to_owned()).collect();
        LibraryInfo { implementation: "Open MPI".into(), version: "4.1.4".into(), launchers }
    }

    #[test]
    fn the_best_launcher_starts_the_program_on_so_many_ranks() {
        let command = command(&library(&["mpirun.openmpi", "mpirun"]), 3, Path::new("/t/tests"));
        let command = command.expect("a launcher");
        assert_eq!(command.get_program(), "mpirun.openmpi");
        assert_eq!(command.get_args().collect::<Vec<_>>(), ["-n", "3", "/t/tests"]);
    }

    #[test]
    fn without_a_launcher_the_library_is_named() {
        let error = command(&library(&[]), 2, Path::new("/t/tests")).expect_err("none");
        assert_eq!(
            error.to_string(),
            "this program is linked with Open MPI, and no launcher of it is on the PATH"
        );
    }
}

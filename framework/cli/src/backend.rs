//! The backend of the programs that cargo builds: one choice for testing and for measuring.

use std::process::Command;

use wb_messages::{Lang, cli as text};

use crate::{
    arguments::BackendArgument,
    error::{CliError, Result},
    setup,
    system_probe::{MpiInstallation, SystemProbe},
    workspace::Workspace,
};

/// Real MPI, or threads.
#[derive(Clone)]
pub(crate) enum SelectedBackend {
    Mpi(MpiInstallation),
    Threads,
}

impl SelectedBackend {
    /// The requested backend; by default real MPI if it is usable, else threads, with a message.
    pub(crate) fn select(asked: Option<BackendArgument>, lang: Lang) -> Result<Self> {
        if asked == Some(BackendArgument::Threads) {
            return Ok(Self::Threads);
        }
        let probe = SystemProbe::new(None);
        let missing = setup::describe_missing(&probe, None, lang);
        match probe.usable_mpi() {
            Some(mpi) => Ok(Self::Mpi(mpi)),
            None if asked.is_some() => Err(CliError::Missing(text::mpi_needed(lang, missing))),
            None => {
                eprintln!("{}", text::embedded_backend(lang));
                Ok(Self::Threads)
            }
        }
    }

    /// `cargo` with these arguments, building with this MPI.
    pub(crate) fn cargo(&self, workspace: &Workspace, arguments: &[&str]) -> Command {
        let mut command = workspace.cargo(arguments);
        if let Self::Mpi(mpi) = self {
            build_with(&mut command, mpi, workspace);
        }
        command
    }

    /// Leaves the feature `mpi` out if there is no MPI.
    pub(crate) fn select_features(&self, command: &mut Command) {
        if let Self::Threads = self {
            command.arg("--no-default-features");
        }
    }
}

/// Makes `cargo` build with `mpi`: an MPI that is not the default one has a target folder of its own, since cargo does
/// not notice that another `MPICC` means other libraries.
fn build_with(cargo: &mut Command, mpi: &MpiInstallation, workspace: &Workspace) {
    if !mpi.is_default {
        cargo.env("MPICC", &mpi.wrapper);
        cargo.env("CARGO_TARGET_DIR", workspace.target().join(mpi.flavour.id()));
    }
}

//! The backend of the programs that cargo builds: one choice for testing and for measuring.

use std::{path::Path, process::Command};

use wb_messages::{Lang, cli as text};

use crate::{
    arguments::BackendArgument,
    error::{CliError, Result},
    setup,
    system_probe::{Flavour, MpiInstallation, SystemProbe},
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

    /// Whether ranks are processes of real MPI.
    pub(crate) fn is_mpi(&self) -> bool {
        matches!(self, Self::Mpi(_))
    }

    /// The MPI library; `None` for threads.
    pub(crate) fn flavour(&self) -> Option<Flavour> {
        match self {
            Self::Mpi(mpi) => Some(mpi.flavour),
            Self::Threads => None,
        }
    }

    /// `cargo` with these arguments, building with this MPI.
    pub(crate) fn cargo(&self, workspace: &Workspace, arguments: &[&str]) -> Command {
        let mut command = workspace.cargo(arguments);
        self.set_build_variables(&mut command, workspace.target());
        command
    }

    /// Makes cargo, or a program that starts cargo, build with this MPI in a folder of `target`: an MPI that is not the default one has
    /// a target folder of its own, since cargo does not notice that another `MPICC` means other libraries.
    pub(crate) fn set_build_variables(&self, command: &mut Command, target: &Path) {
        if let Self::Mpi(mpi) = self
            && !mpi.is_default
        {
            command.env("MPICC", &mpi.wrapper).env("CARGO_TARGET_DIR", target.join(mpi.flavour.id()));
        }
    }

    /// Leaves the feature `mpi` out if there is no MPI.
    pub(crate) fn select_features(&self, command: &mut Command) {
        if let Self::Threads = self {
            command.arg("--no-default-features");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_mpi_that_is_not_the_default_one_is_named_to_what_builds() {
        let set = |is_default| {
            let (version, wrapper) = ("4.0.2".into(), "mpicc.mpich".into());
            let launcher = "mpiexec.mpich".into();
            let mpi = MpiInstallation { flavour: Flavour::Mpich, version, wrapper, launcher, is_default };
            let mut command = Command::new("true");
            SelectedBackend::Mpi(mpi).set_build_variables(&mut command, Path::new("/w/target"));
            let text = |value: Option<&std::ffi::OsStr>| value.expect("set").to_string_lossy().into_owned();
            command.get_envs().map(|(_, value)| text(value)).collect::<Vec<_>>()
        };
        assert_eq!(set(false), ["/w/target/mpich", "mpicc.mpich"]);
        assert_eq!(set(true), [""; 0]);
    }
}

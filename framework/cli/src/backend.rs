//! The backend of the programs that cargo builds: one choice for testing and for measuring.

use std::{path::Path, process::Command};

use wb_messages::{Lang, cli as text};

use crate::{
    arguments::BackendArgument,
    error::{CliError, Result},
    requirements::describe_missing_mpi,
    setup,
    system_probe::{Flavour, MpiInstallation, MpiProbeError, SystemProbe},
    workspace::Workspace,
};

/// Real MPI, or threads.
#[derive(Clone)]
pub(crate) enum SelectedBackend {
    Mpi(MpiInstallation),
    Threads,
}

impl SelectedBackend {
    /// The requested backend of a measurement or a grade; by default real MPI, or threads where no MPI is installed, with a message. An
    /// MPI that is installed and does not work is an error: results of another library are other results.
    pub(crate) fn select(asked: Option<BackendArgument>, lang: Lang) -> Result<Self> {
        Self::select_library(asked, None, lang)
    }

    /// As [`select`](Self::select), with this MPI library if there is a choice.
    pub(crate) fn select_library(
        asked: Option<BackendArgument>,
        flavour: Option<Flavour>,
        lang: Lang,
    ) -> Result<Self> {
        if asked == Some(BackendArgument::Threads) {
            return Ok(Self::Threads);
        }
        Self::from_probe(SystemProbe::new(flavour), asked.is_some() || flavour.is_some(), lang)
    }

    fn from_probe(probe: SystemProbe, is_asked: bool, lang: Lang) -> Result<Self> {
        let missing = setup::describe_missing(&probe, None, lang);
        if let Ok(MpiInstallation { instead_of: Some(reason), .. }) = &probe.mpi {
            return Err(CliError::Missing(text::mpi_fails(lang, describe_missing_mpi(reason, lang))));
        }
        let is_installed = !matches!(probe.mpi, Err(MpiProbeError::NoWrapper { .. }));
        match probe.usable_mpi() {
            Some(mpi) => Ok(Self::Mpi(mpi)),
            None if is_asked => Err(CliError::Missing(text::mpi_needed(lang, missing))),
            None if is_installed => Err(CliError::Missing(text::mpi_fails(lang, missing))),
            None => {
                eprintln!("{}", text::embedded_backend(lang));
                Ok(Self::Threads)
            }
        }
    }

    /// The backend of tests with this MPI, which may be another one than the default: then the reason is printed.
    pub(crate) fn for_tests(mpi: MpiInstallation, lang: Lang) -> Self {
        if let Some(reason) = &mpi.instead_of {
            let used = format!("{} {}", mpi.flavour.name(), mpi.version);
            println!("{}", text::mpi_fallback(lang, used, describe_missing_mpi(reason, lang)));
        }
        Self::Mpi(mpi)
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
    use crate::system_probe::Libclang;

    fn mpich(is_default: bool, instead_of: Option<Box<MpiProbeError>>) -> MpiInstallation {
        let [version, wrapper, launcher] = ["4.0.2", "mpicc.mpich", "mpiexec.mpich"].map(String::from);
        MpiInstallation { flavour: Flavour::Mpich, version, wrapper, launcher, is_default, instead_of }
    }

    #[test]
    fn a_measurement_takes_no_other_mpi_and_no_threads_where_the_default_one_fails() {
        let fails = || MpiProbeError::DoesNotCompile { wrapper: "mpicc".into() };
        let mpi = |instead_of: Option<MpiProbeError>| mpich(false, instead_of.map(Box::new));
        let select = |mpi, is_asked| {
            let (compiler, libclang) = (Some("cc".to_owned()), Libclang::Usable("/lib".into()));
            let probe = SystemProbe { compiler, pkg_config: None, libclang, mpi };
            SelectedBackend::from_probe(probe, is_asked, Lang::En).map_err(|error| error.render(Lang::En))
        };
        assert!(select(Ok(mpi(None)), false).is_ok_and(|backend| backend.is_mpi()));
        for refused in [select(Ok(mpi(Some(fails()))), false), select(Err(fails()), false)] {
            let reason = refused.err().expect("the default one fails");
            assert!(reason.contains("mpicc cannot compile"), "{reason}");
        }
        let absent = || Err(MpiProbeError::NoWrapper { names: "mpicc".into() });
        assert!(select(absent(), false).is_ok_and(|backend| !backend.is_mpi()));
        assert!(select(absent(), true).is_err());
    }

    #[test]
    fn only_an_mpi_that_is_not_the_default_one_is_named_to_what_builds() {
        let set = |is_default| {
            let mpi = mpich(is_default, None);
            let mut command = Command::new("true");
            SelectedBackend::Mpi(mpi).set_build_variables(&mut command, Path::new("/w/target"));
            let text = |value: Option<&std::ffi::OsStr>| value.expect("set").to_string_lossy().into_owned();
            command.get_envs().map(|(_, value)| text(value)).collect::<Vec<_>>()
        };
        assert_eq!(set(false), ["/w/target/mpich", "mpicc.mpich"]);
        assert_eq!(set(true), [""; 0]);
    }
}

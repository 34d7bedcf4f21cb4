//! The tools of this machine: compilers, a working MPI, libclang.
//!
//! A file of the right name is not sufficient. An MPI is usable when a program compiles with it, links, and runs on two
//! ranks of one world.

mod libclang;
mod mpi;
mod test_hosts;
mod tool;

pub(crate) use libclang::Libclang;
pub(crate) use mpi::{Flavour, MpiInstallation, MpiProbeError, compile};
pub(crate) use test_hosts::TestHostsProbe;
pub(crate) use tool::find;
use wb_process::sandbox::{Sandbox, SandboxError};

/// The requirements of building and running MPI programs; the sandbox, which is needed by `--sandbox` only; and the hosts of the
/// workbench's own tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Requirement {
    Compiler,
    PkgConfig,
    Libclang,
    Mpi,
    Sandbox,
    TestHosts,
}

/// The findings about all requirements.
pub(crate) struct SystemProbe {
    pub(crate) compiler: Option<String>,
    pub(crate) pkg_config: Option<String>,
    pub(crate) libclang: Libclang,
    pub(crate) mpi: Result<MpiInstallation, MpiProbeError>,
}

impl SystemProbe {
    /// Probes all requirements; for the MPI of `flavour` if one is requested, else for the one that cargo would find.
    pub(crate) fn new(flavour: Option<Flavour>) -> Self {
        let program =
            |names: &[&str]| names.iter().find_map(|name| find(name)).map(|path| path.display().to_string());
        Self {
            compiler: program(&["cc", "gcc", "clang"]),
            pkg_config: program(&["pkg-config", "pkgconf"]),
            libclang: Libclang::find(),
            mpi: MpiInstallation::find(flavour),
        }
    }

    /// The missing requirements of MPI programs.
    pub(crate) fn missing(&self) -> Vec<Requirement> {
        let needs = [
            (Requirement::Compiler, self.compiler.is_some()),
            (Requirement::PkgConfig, self.pkg_config.is_some()),
            (Requirement::Libclang, matches!(self.libclang, Libclang::Usable(_))),
            (Requirement::Mpi, self.mpi.is_ok()),
        ];
        needs.into_iter().filter(|(_, there)| !there).map(|(need, _)| need).collect()
    }

    /// All that a package manager can install: the missing requirements, the programs of the sandbox, and those of test hosts where
    /// they are wanted.
    pub(crate) fn installable(&self, wants_test_hosts: bool) -> Vec<Requirement> {
        let sandbox = matches!(Sandbox::find(), Err(SandboxError::Missing { .. }));
        let hosts = wants_test_hosts && matches!(TestHostsProbe::new(), TestHostsProbe::Missing { .. });
        let optional = [(Requirement::Sandbox, sandbox), (Requirement::TestHosts, hosts)];
        let optional = optional.into_iter().filter(|(_, is_missing)| *is_missing).map(|(need, _)| need);
        self.missing().into_iter().chain(optional).collect()
    }

    /// The MPI, if all that it needs to build and run is available.
    pub(crate) fn usable_mpi(self) -> Option<MpiInstallation> {
        let complete = self.missing().iter().all(|need| *need == Requirement::PkgConfig);
        self.mpi.ok().filter(|_| complete)
    }
}

//! What this machine has: compilers, an MPI that works, libclang.
//!
//! Nothing counts as there because a file has the right name. An MPI is usable when a program compiles with it, links,
//! and runs on two ranks of one world.

mod libclang;
mod mpi;
mod tool;

pub(crate) use libclang::Libclang;
pub(crate) use mpi::{Flavour, Mpi, NoMpi};
pub(crate) use tool::{answer, find};

/// What building and running MPI programs needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Need {
    Compiler,
    PkgConfig,
    Libclang,
    Mpi,
}

/// What was found of all that is needed.
pub(crate) struct Survey {
    pub(crate) compiler: Option<String>,
    pub(crate) pkg_config: Option<String>,
    pub(crate) libclang: Libclang,
    pub(crate) mpi: Result<Mpi, NoMpi>,
}

impl Survey {
    /// Looks for everything; for the MPI of `flavour` if there is a wish, else for the one that cargo would find.
    pub(crate) fn of(flavour: Option<Flavour>) -> Self {
        let program =
            |names: &[&str]| names.iter().find_map(|name| find(name)).map(|path| path.display().to_string());
        Self {
            compiler: program(&["cc", "gcc", "clang"]),
            pkg_config: program(&["pkg-config", "pkgconf"]),
            libclang: Libclang::find(),
            mpi: Mpi::find(flavour),
        }
    }

    /// What is missing.
    pub(crate) fn missing(&self) -> Vec<Need> {
        let needs = [
            (Need::Compiler, self.compiler.is_some()),
            (Need::PkgConfig, self.pkg_config.is_some()),
            (Need::Libclang, matches!(self.libclang, Libclang::Usable(_))),
            (Need::Mpi, self.mpi.is_ok()),
        ];
        needs.into_iter().filter(|(_, there)| !there).map(|(need, _)| need).collect()
    }

    /// The MPI, if all that it needs to build and run is there too.
    pub(crate) fn usable_mpi(self) -> Option<Mpi> {
        let complete = self.missing().iter().all(|need| *need == Need::PkgConfig);
        self.mpi.ok().filter(|_| complete)
    }
}

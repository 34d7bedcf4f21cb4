//! The MPI of this machine, proved by a program that is compiled, linked and run on two ranks.

use std::{
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use clap::ValueEnum;

use wb_messages::Lang;
use wb_process::{output_of, output_or_reason, preconditions::missing_for_job};

use super::find;

/// An implementation of MPI that the workbench is tested on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Flavour {
    #[value(name = "openmpi")]
    OpenMpi,
    Mpich,
}

impl Flavour {
    pub(crate) const ALL: [Self; 2] = [Self::OpenMpi, Self::Mpich];

    /// Its name as it is written on the command line and in folders.
    pub(crate) fn id(self) -> &'static str {
        match self {
            Self::OpenMpi => "openmpi",
            Self::Mpich => "mpich",
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::OpenMpi => "Open MPI",
            Self::Mpich => "MPICH",
        }
    }

    /// The compiler wrappers it may have, the surest first.
    fn wrappers(self) -> &'static [&'static str] {
        match self {
            Self::OpenMpi => &["mpicc.openmpi", "mpicc"],
            Self::Mpich => &["mpicc.mpich", "mpicc"],
        }
    }

    /// The launchers it may have, the surest first.
    fn launchers(self) -> &'static [&'static str] {
        match self {
            Self::OpenMpi => &["mpirun.openmpi", "mpiexec.openmpi", "mpirun", "mpiexec"],
            Self::Mpich => &["mpirun.mpich", "mpiexec.mpich", "mpiexec.hydra", "mpirun", "mpiexec"],
        }
    }
}

/// An MPI that works.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct MpiInstallation {
    pub(crate) flavour: Flavour,
    pub(crate) version: String,
    /// The compiler wrapper, as it was found or as `MPICC` names it.
    pub(crate) wrapper: String,
    pub(crate) launcher: String,
    /// Whether cargo finds this one by default: no `MPICC`, and `mpicc` is of this flavour.
    pub(crate) is_default: bool,
    /// The reason why the MPI before it does not work, if there is one.
    pub(crate) instead_of: Option<Box<MpiProbeError>>,
}

/// The reason why no MPI works.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum MpiProbeError {
    NoWrapper {
        names: String,
    },
    DoesNotCompile {
        wrapper: String,
    },
    UnknownFlavour {
        wrapper: String,
    },
    OtherFlavour {
        wrapper: String,
        flavour: Flavour,
    },
    /// With the names of launchers, or what the first one prints.
    NoLauncher {
        flavour: Flavour,
        version: String,
        names: String,
    },
    /// What this host lacks.
    Host(String),
}

/// Each rank prints one line: flavour;version;rank;size.
const PROGRAM: &str = r#"#include <mpi.h>
#include <stdio.h>
#if defined(OPEN_MPI)
#define TEXT(x) #x
#define NUMBER(x) TEXT(x)
#define WHICH "openmpi;" NUMBER(OMPI_MAJOR_VERSION) "." NUMBER(OMPI_MINOR_VERSION) "." NUMBER(OMPI_RELEASE_VERSION)
#elif defined(MPICH_VERSION)
#define WHICH "mpich;" MPICH_VERSION
#else
#define WHICH "other;?"
#endif
int main(int argc, char **argv) {
    int rank = -1, size = -1;
    if (argc > 1) { printf("%s\n", WHICH); return 0; }
    if (MPI_Init(&argc, &argv) || MPI_Comm_rank(MPI_COMM_WORLD, &rank) || MPI_Comm_size(MPI_COMM_WORLD, &size)) return 1;
    printf("%s;%d;%d\n", WHICH, rank, size);
    return MPI_Finalize();
}
"#;

const LIMIT: Duration = Duration::from_secs(60);

impl MpiInstallation {
    /// The MPI of `flavour`, or without a wish the one that cargo would build with, or any that works.
    pub(crate) fn find(flavour: Option<Flavour>) -> Result<Self, MpiProbeError> {
        match flavour {
            Some(flavour) => first_usable(flavour.wrappers(), Some(flavour)),
            None => match std::env::var("MPICC") {
                Ok(wrapper) if !wrapper.is_empty() => Self::verify(&wrapper, None),
                _ => first_usable(&["mpicc", "mpicc.openmpi", "mpicc.mpich"], None),
            },
        }
    }

    /// Compiles and runs the program with `wrapper`.
    fn verify(wrapper: &str, wanted: Option<Flavour>) -> Result<Self, MpiProbeError> {
        // A compiler needs the folder of temporary files, too.
        let does_not_compile = || match missing_for_job(2, true) {
            Some(missing) => MpiProbeError::Host(missing),
            None => MpiProbeError::DoesNotCompile { wrapper: wrapper.into() },
        };
        let folder = tempfile::tempdir().map_err(|_| does_not_compile())?;
        let program = compile(wrapper, PROGRAM, folder.path()).ok_or_else(does_not_compile)?;
        let mut which = Command::new(&program);
        which.arg("which");
        let output = output_of(which, LIMIT).ok_or_else(does_not_compile)?;
        let (name, version) = output.trim().split_once(';').ok_or_else(does_not_compile)?;
        let flavour = Flavour::ALL.into_iter().find(|flavour| flavour.id() == name);
        let flavour = flavour.ok_or_else(|| MpiProbeError::UnknownFlavour { wrapper: wrapper.into() })?;
        if wanted.is_some_and(|wanted| wanted != flavour) {
            return Err(MpiProbeError::OtherFlavour { wrapper: wrapper.into(), flavour });
        }
        // Without it a launcher may not end.
        let missing = missing_for_job(2, flavour == Flavour::OpenMpi);
        missing.map_or(Ok(()), |missing| Err(MpiProbeError::Host(missing)))?;
        let launcher = working_launcher(flavour, &program).map_err(|names| MpiProbeError::NoLauncher {
            flavour,
            version: version.into(),
            names,
        })?;
        let is_default = is_default(wrapper);
        Ok(Self {
            flavour,
            version: version.into(),
            wrapper: wrapper.into(),
            launcher: launcher.into(),
            is_default,
            instead_of: None,
        })
    }
}

/// The first of the wrappers on the `PATH` that works; if none does, why the first one that is there does not.
fn first_usable(names: &[&str], wanted: Option<Flavour>) -> Result<MpiInstallation, MpiProbeError> {
    let mut refused = None;
    for wrapper in names.iter().filter(|name| find(name).is_some()) {
        match MpiInstallation::verify(wrapper, wanted) {
            Ok(mpi) => return Ok(MpiInstallation { instead_of: refused.map(Box::new), ..mpi }),
            Err(why) => refused = refused.or(Some(why)),
        }
    }
    Err(refused.unwrap_or_else(|| MpiProbeError::NoWrapper { names: names.join(", ") }))
}

/// Whether cargo, left alone, builds with `wrapper`.
fn is_default(wrapper: &str) -> bool {
    let real = |name: &str| find(name).and_then(|path| path.canonicalize().ok());
    std::env::var_os("MPICC").is_none() && (wrapper == "mpicc" || real("mpicc") == real(wrapper))
}

/// Compiles the C program `text` in `folder` with `wrapper`.
pub(crate) fn compile(wrapper: &str, text: &str, folder: &Path) -> Option<PathBuf> {
    let (source, program) = (folder.join("program.c"), folder.join("program"));
    std::fs::write(&source, text).ok()?;
    let mut command = Command::new(wrapper);
    command.arg(&source).arg("-o").arg(&program);
    output_of(command, LIMIT).map(|_| program)
}

/// The first launcher that runs `program` on two ranks; otherwise what the first one prints, or the names if there is none.
fn working_launcher(flavour: Flavour, program: &Path) -> Result<&'static str, String> {
    let mut refused = None;
    for launcher in flavour.launchers().iter().filter(|name| find(name).is_some()) {
        match run_two_ranks(launcher, program) {
            Ok(()) => return Ok(launcher),
            Err(printed) => refused = refused.or(Some(format!("{launcher}: {printed}"))),
        }
    }
    // The variables of an allocation were removed.
    let settings = wb_process::without_settings(true, Lang::from_environment());
    let explained = |printed| [Some(printed), settings].into_iter().flatten().collect::<Vec<_>>().join("; ");
    Err(refused.map_or_else(|| flavour.launchers().join(", "), explained))
}

/// Runs `program` as two ranks of one world. The launcher of another MPI starts two worlds of one rank each and reports success, so both
/// ranks must print their rank and size.
///
/// # Errors
/// What is printed otherwise.
fn run_two_ranks(launcher: &str, program: &Path) -> Result<(), String> {
    let mut command = Command::new(launcher);
    wb_process::remove_launcher_variables(&mut command);
    // The program is in a folder of this host.
    wb_process::remove_allocation_variables(&mut command);
    wb_process::launcher_environment(&mut command, 2);
    command.args(["-n", "2"]).arg(program);
    let output = output_or_reason(command, LIMIT)?;
    let has_rank = |rank: &&str| output.lines().any(|line| line.ends_with(&format!(";{rank}")));
    if ["0;2", "1;2"].iter().all(has_rank) { Ok(()) } else { Err(output.trim().replace('\n', "; ")) }
}

//! The MPI library that this program is linked with, and the programs that start jobs for it.
//!
//! A launcher of another MPI starts N processes that are each a job of one rank, and reports success. So a launcher is
//! listed only if its file or its own output says that it belongs to the library's family.
use std::{
    env,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::OnceLock,
};

use wb_comm::LibraryInfo;

/// The families of launchers; MPICH and everything derived from it use Hydra's wire protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Family {
    OpenMpi,
    Mpich,
    Other,
}

impl Family {
    fn from_implementation(flavour: &str) -> Self {
        match flavour {
            "Open MPI" => Self::OpenMpi,
            "MPICH" => Self::Mpich,
            _ => Self::Other,
        }
    }

    /// Names to look for, best first: those that are specific to this MPI precede the generic ones.
    fn candidates(self) -> &'static [&'static str] {
        match self {
            Self::OpenMpi => &["mpirun.openmpi", "mpiexec.openmpi", "mpirun", "mpiexec"],
            Self::Mpich => &["mpirun.mpich", "mpiexec.mpich", "mpiexec.hydra", "mpirun", "mpiexec"],
            Self::Other => &["mpirun", "mpiexec"],
        }
    }

    /// The family of a launcher by the name of the real file behind all links.
    fn from_file(name: &str) -> Option<Self> {
        let is_open = ["orterun", "prterun"].contains(&name) || name.ends_with(".openmpi");
        let is_mpich = name == "mpiexec.hydra" || name.ends_with(".mpich");
        match (is_open, is_mpich) {
            (true, _) => Some(Self::OpenMpi),
            (_, true) => Some(Self::Mpich),
            _ => None,
        }
    }

    /// The family of a launcher by its output for `--version`.
    fn from_version_output(words: &str) -> Self {
        if ["Open MPI", "OpenRTE", "PRRTE", "prterun"].iter().any(|word| words.contains(word)) {
            Self::OpenMpi
        } else if words.contains("HYDRA") {
            Self::Mpich
        } else {
            Self::Other
        }
    }
}

/// The library, queried once per process.
pub(crate) fn library() -> LibraryInfo {
    static LIBRARY: OnceLock<LibraryInfo> = OnceLock::new();
    LIBRARY.get_or_init(detect).clone()
}

fn detect() -> LibraryInfo {
    let text = mpi::environment::library_version().unwrap_or_else(|error| error.to_string());
    let version = one_line(&text);
    let flavour = implementation(&version);
    let path = env::var_os("PATH").unwrap_or_default();
    let launchers =
        launchers(Family::from_implementation(&flavour), &env::split_paths(&path).collect::<Vec<_>>());
    LibraryInfo { implementation: flavour, version, launchers }
}

/// The first line that is not blank, with single spaces.
fn one_line(text: &str) -> String {
    let text = text.trim_matches(|c: char| c.is_whitespace() || c == '\0');
    text.lines().next().unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The product's name: the words before its version.
fn implementation(version: &str) -> String {
    let words = version.split([' ', ',']).take_while(|word| {
        let number = word.trim_start_matches(['v', 'V']);
        !number.starts_with(|c: char| c.is_ascii_digit()) && !["Version:", "version"].contains(word)
    });
    match words.collect::<Vec<_>>().join(" ") {
        name if name.is_empty() => version.to_owned(),
        name => name,
    }
}

fn launchers(family: Family, folders: &[PathBuf]) -> Vec<String> {
    let belongs = |name: &&str| find(name, folders).is_some_and(|file| launcher_family(&file) == family);
    family.candidates().iter().copied().filter(belongs).map(str::to_owned).collect()
}

/// The file that a shell would execute.
fn find(name: &str, folders: &[PathBuf]) -> Option<PathBuf> {
    folders.iter().map(|folder| folder.join(name)).find(|file| file.is_file())
}

fn launcher_family(launcher: &Path) -> Family {
    let real = launcher.canonicalize().unwrap_or_else(|_| launcher.to_owned());
    let name = real.file_name().unwrap_or_default().to_string_lossy();
    Family::from_file(&name).unwrap_or_else(|| query_version(&real))
}

fn query_version(launcher: &Path) -> Family {
    let answer = Command::new(launcher).arg("--version").stdin(Stdio::null()).output();
    // A launcher that cannot print its version belongs to no known family.
    answer.map_or(Family::Other, |answer| {
        Family::from_version_output(
            &(String::from_utf8_lossy(&answer.stdout) + String::from_utf8_lossy(&answer.stderr)),
        )
    })
}

#[cfg(test)]
mod tests {
    use std::{fs, os::unix::fs::PermissionsExt, process};

    use super::*;

    #[test]
    fn versions_are_one_line_that_starts_with_the_flavour() {
        let open = one_line("Open MPI v4.1.4, package: Debian OpenMPI, ident: 4.1.4\0\0");
        assert_eq!(implementation(&open), "Open MPI");
        let mpich = one_line("MPICH Version:\t4.0.2\nMPICH Release date:\tThu Apr  7 2022\n");
        assert_eq!((mpich.as_str(), implementation(&mpich).as_str()), ("MPICH Version: 4.0.2", "MPICH"));
        assert_eq!(implementation("Intel(R) MPI Library 2021.11 for Linux* OS"), "Intel(R) MPI Library");
        assert_eq!(implementation("2.0 something"), "2.0 something");
    }

    #[test]
    fn the_linked_library_has_a_launcher_of_its_own() {
        let library = library();
        assert!(library.version.starts_with(&library.implementation), "{library:?}");
        assert_eq!(library.version.lines().count(), 1);
        assert!(!library.launchers.is_empty(), "no launcher on PATH for {library:?}");
    }

    #[test]
    fn a_launcher_of_the_other_family_is_not_listed() {
        let folder = env::temp_dir().join(format!("wb-mpi-launchers-{}", process::id()));
        fs::create_dir_all(&folder).expect("a folder of our own");
        let says = |name: &str, words: &str| {
            let file = folder.join(name);
            fs::write(&file, format!("#!/bin/sh\necho '{words}'\n")).expect("written");
            fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).expect("executable");
        };
        says("mpirun", "mpirun (Open MPI) 5.0.11");
        says("mpiexec", "HYDRA build details:");
        says("mpiexec.hydra", "");
        let here = std::slice::from_ref(&folder);
        assert_eq!(launchers(Family::OpenMpi, here), ["mpirun"]);
        assert_eq!(launchers(Family::Mpich, here), ["mpiexec.hydra", "mpiexec"]);
        assert_eq!(launchers(Family::Other, here), [""; 0]);
        fs::remove_dir_all(&folder).expect("removed");
    }

    #[test]
    fn files_tell_their_family_by_name() {
        assert_eq!(Family::from_file("orterun"), Some(Family::OpenMpi));
        assert_eq!(Family::from_file("mpirun.openmpi"), Some(Family::OpenMpi));
        assert_eq!(Family::from_file("mpiexec.hydra"), Some(Family::Mpich));
        assert_eq!(Family::from_file("mpirun"), None);
    }
}

//! The output of ranks above 0: each has a file of its own, so that N ranks print one report.

use std::{
    fs::File,
    io::{self, Write},
    os::fd::{AsFd, AsRawFd, OwnedFd},
    path::{Path, PathBuf},
    sync::OnceLock,
};

/// The environment variable that names its runner to a process of a job of ours.
pub const RUNNER_VARIABLE: &str = "WB_RUNNER";

/// Where this process's output goes, once it has been redirected.
static REDIRECTED: OnceLock<RedirectedOutput> = OnceLock::new();

struct RedirectedOutput {
    path: PathBuf,
    _log: File,
    /// The real standard error.
    real: OwnedFd,
}

/// Sends standard output and error of a rank above 0 to its own file; does nothing in rank 0, outside a launcher, and the second time.
///
/// In a job of ours the file has no name, and is on this host: the rank itself reports what it needs of it. In a user's job it is
/// `wb/<binary>/rank-N.log` next to `deps`.
///
/// # Errors
/// When the file or its folder cannot be created; the output then stays where it was.
pub fn redirect_rank_output() -> io::Result<()> {
    let Some(rank) = crate::launcher_rank().map(|launched| launched.rank).filter(|&rank| rank > 0) else {
        return Ok(());
    };
    if REDIRECTED.get().is_some() {
        return Ok(());
    }
    let (path, log) = match std::env::var_os(RUNNER_VARIABLE) {
        Some(_) => nameless_log()?,
        None => named_log(rank)?,
    };
    let real = rustix::io::fcntl_dupfd_cloexec(io::stderr().as_fd(), 3)?;
    rustix::stdio::dup2_stdout(&log)?;
    rustix::stdio::dup2_stderr(&log)?;
    // Two threads cannot race here: this runs before `main` or at its beginning.
    let _first = REDIRECTED.set(RedirectedOutput { path, _log: log, real });
    Ok(())
}

/// A file in memory without a name, and the path at which this process can open it again. A full `/tmp` does not silence a rank.
fn nameless_log() -> io::Result<(PathBuf, File)> {
    let log = File::from(rustix::fs::memfd_create("rank output", rustix::fs::MemfdFlags::CLOEXEC)?);
    Ok((format!("/proc/self/fd/{}", log.as_raw_fd()).into(), log))
}

fn named_log(rank: usize) -> io::Result<(PathBuf, File)> {
    let binary = std::env::current_exe()?;
    let folder = state_folder()?.join(target_name(&binary).unwrap_or("unnamed"));
    std::fs::create_dir_all(&folder)?;
    let path = folder.join(format!("rank-{rank}.log"));
    let log = File::create(&path)?;
    Ok((path, log))
}

/// The file that has this rank's output, if it was redirected.
pub fn rank_log() -> Option<&'static Path> {
    REDIRECTED.get().map(|redirected| redirected.path.as_path())
}

/// The standard error that this process was started with, redirected or not: for lines that the user must see.
pub fn real_stderr() -> RealStderr {
    RealStderr(())
}

/// See [`real_stderr`].
#[derive(Debug)]
pub struct RealStderr(());

impl Write for RealStderr {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match REDIRECTED.get() {
            Some(redirected) => Ok(rustix::io::write(&redirected.real, bytes)?),
            None => io::stderr().write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(()) // Nothing is buffered.
    }
}

/// The folder `wb` of cargo's target directory, where the processes of one run exchange data and leave their logs. (Not
/// the folder of the build profile below it: there cargo puts the command-line tool of the same name.)
///
/// # Errors
/// When the system does not report the path of this program.
pub fn state_folder() -> io::Result<PathBuf> {
    Ok(state_folder_of(&std::env::current_exe()?))
}

/// The folder of the target directory of `target/<profile>/<binary>` or `target/<profile>/deps/<binary>`.
fn state_folder_of(binary: &Path) -> PathBuf {
    let is_in_deps = binary.parent().is_some_and(|folder| folder.ends_with("deps"));
    let target = binary.ancestors().nth(if is_in_deps { 3 } else { 2 });
    target.unwrap_or(Path::new(".")).join("wb")
}

/// The name of the cargo target that `binary` was built from: its file name without the hash.
pub(crate) fn target_name(binary: &Path) -> Option<&str> {
    let name = binary.file_stem()?.to_str()?;
    match name.rsplit_once('-') {
        Some((target, hash)) if hash.len() == 16 && hash.bytes().all(|b| b.is_ascii_hexdigit()) => {
            Some(target)
        }
        _ => Some(name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_and_tests_of_a_target_directory_share_its_state_folder() {
        for binary in ["/w/target/release/laboratory", "/w/target/debug/deps/functional-0123456789abcdef"] {
            assert_eq!(state_folder_of(Path::new(binary)), Path::new("/w/target/wb"), "{binary}");
        }
    }

    #[test]
    fn a_target_name_is_the_file_name_without_cargos_hash() {
        let name = |path: &'static str| target_name(Path::new(path));
        assert_eq!(name("/t/debug/deps/functional-0123456789abcdef"), Some("functional"));
        assert_eq!(name("/t/debug/deps/functional-tests"), Some("functional-tests"));
        assert_eq!(name("/t/debug/wb"), Some("wb"));
    }
}

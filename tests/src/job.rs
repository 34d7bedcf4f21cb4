//! A real MPI job whose ranks are one test of this very binary, run again by a launcher.
//!
//! The evidence is what each rank leaves in the job's folder, a file by its number; launchers' exit codes are none.
use std::{fs, path::Path, process::Command, time::Duration};

use wb_comm::Processes;
use wb_process::{Job, launcher_environment, scrub};

/// What a job left.
pub struct Left {
    /// By rank, what it wrote; empty when it wrote nothing.
    pub by_rank: Vec<String>,
    /// What the job printed.
    pub said: String,
}

/// Runs `test` of this binary on `size` ranks, with `variable` naming the folder that they write to, and with `variables`.
///
/// # Panics
/// When there is no launcher, or the job is not done within `limit`.
pub fn run_with(
    size: usize,
    test: &str,
    variable: &str,
    limit: Duration,
    variables: &[(&str, String)],
) -> Left {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let library = wb_mpi::MPI.library();
    let launcher = library.launchers.first().unwrap_or_else(|| panic!("no launcher of {}", library.flavour));
    let mut command = Command::new(launcher);
    command.args(["-n", &size.to_string()]).arg(std::env::current_exe().expect("this binary"));
    command.args([test, "--exact", "--nocapture"]).env(variable, folder.path());
    command.envs(variables.iter().map(|(name, value)| (*name, value)));
    scrub(&mut command);
    launcher_environment(&mut command, size);
    let output = folder.path().join("output");
    let job = Job::spawn_to_files(command, &output, &output).expect("the launcher starts");
    let ended = job.wait(limit).expect("the launcher can be waited for");
    let said = fs::read_to_string(&output).unwrap_or_default();
    assert!(!ended.timed_out, "P = {size}: not done after {limit:?}\n{said}");
    Left { by_rank: (0..size).map(|rank| of(folder.path(), rank)).collect(), said }
}

/// As [`run_with`], without variables.
///
/// # Panics
/// As there.
pub fn run(size: usize, test: &str, variable: &str, limit: Duration) -> Left {
    run_with(size, test, variable, limit, &[])
}

fn of(folder: &Path, rank: usize) -> String {
    fs::read_to_string(folder.join(rank.to_string())).unwrap_or_default()
}

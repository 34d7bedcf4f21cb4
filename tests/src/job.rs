//! Real jobs whose processes are this very binary, run again by a launcher.
//!
//! The evidence is what each process leaves in the job's folder, a file by its number; launchers' exit codes are none.
use std::{fs, path::Path, process::Command, time::Duration};

use wb_comm::ProcessRanks;
use wb_process::{Job, launcher_environment, remove_launcher_variables};

/// The result of a job.
pub struct JobOutput {
    /// By rank, what it wrote; empty when it wrote nothing.
    pub by_rank: Vec<String>,
    /// The output of the job.
    pub output: String,
    /// Whether the job succeeded.
    pub success: bool,
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
) -> JobOutput {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut command = launcher_command(size, variable, folder.path());
    command.args([test, "--exact", "--nocapture"]);
    command.envs(variables.iter().map(|(name, value)| (*name, value)));
    run_to_end(command, size, folder.path(), limit).unwrap_or_else(|why| panic!("P = {size}: {why}"))
}

/// As [`run_with`], without variables.
///
/// # Panics
/// As there.
pub fn run(size: usize, test: &str, variable: &str, limit: Duration) -> JobOutput {
    run_with(size, test, variable, limit, &[])
}

/// This binary on `size` ranks, by the launcher of the library that is linked.
///
/// # Panics
/// When that library has no launcher.
pub fn launcher_command(size: usize, variable: &str, folder: &Path) -> Command {
    let library = wb_mpi::MPI.library();
    let launcher =
        library.launchers.first().unwrap_or_else(|| panic!("no launcher of {}", library.implementation));
    let mut command = Command::new(launcher);
    command.args(["-n", &size.to_string()]).arg(std::env::current_exe().expect("this binary"));
    remove_launcher_variables(&mut command);
    launcher_environment(&mut command, size);
    command.env(variable, folder);
    command
}

/// This binary as a process of its own, which no launcher has started.
///
/// # Panics
/// When this binary is not known.
pub fn plain_command(variable: &str, folder: &Path) -> Command {
    let mut command = Command::new(std::env::current_exe().expect("this binary"));
    remove_launcher_variables(&mut command);
    command.env(variable, folder);
    command
}

/// Starts the command and waits for it; what its `size` processes left in `folder`.
///
/// # Errors
/// When it does not start, or is not done within `limit`: then with what it has printed.
pub fn run_to_end(
    command: Command,
    size: usize,
    folder: &Path,
    limit: Duration,
) -> Result<JobOutput, String> {
    let output = folder.join("output");
    let job = Job::spawn_to_files(command, &output, &output).map_err(|error| error.to_string())?;
    let ended = job.wait(limit).map_err(|error| error.to_string())?;
    let text = |name: String| fs::read_to_string(folder.join(name)).unwrap_or_default();
    let printed = text("output".into());
    if ended.has_timed_out {
        return Err(format!("not done after {limit:?}\n{printed}"));
    }
    let by_rank = (0..size).map(|rank| text(rank.to_string())).collect();
    Ok(JobOutput { by_rank, output: printed, success: ended.is_success() })
}

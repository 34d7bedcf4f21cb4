//! What Slurm's programs are asked: to submit a job, for its state, and to cancel it. Their answers are in formats for programs.

use std::{path::Path, process::Command, time::Duration};

use wb_messages::{Lang, slurm as text};
use wb_process::Job;

use crate::{
    error::{CliError, Result},
    system_probe::find,
};

/// The time limit of an answer.
pub(super) const LIMIT: Duration = Duration::from_secs(30);

/// The state of a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct JobStatus {
    pub(crate) state: JobState,
    /// The reason why the job waits, in Slurm's word.
    pub(crate) reason: String,
    /// Its nodes, in Slurm's notation.
    pub(crate) nodes: String,
    /// Its time limit.
    pub(crate) limit: String,
}

/// The states that differ in what a user does next; others are shown by their name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum JobState {
    Pending,
    Running,
    /// The script has ended, with any status.
    Ended,
    TimedOut,
    Preempted,
    NodeFailed,
    OutOfMemory,
    Cancelled,
    /// Slurm has forgotten the job.
    Unknown,
    /// A state in which a job stays for a moment only.
    Other(String),
}

impl JobState {
    fn parse(name: &str) -> Self {
        match name {
            "PENDING" => Self::Pending,
            "RUNNING" => Self::Running,
            "COMPLETED" | "FAILED" => Self::Ended,
            "TIMEOUT" | "DEADLINE" => Self::TimedOut,
            "PREEMPTED" => Self::Preempted,
            "NODE_FAIL" | "BOOT_FAIL" => Self::NodeFailed,
            "OUT_OF_MEMORY" => Self::OutOfMemory,
            "CANCELLED" => Self::Cancelled,
            "" => Self::Unknown,
            other => Self::Other(other.to_owned()),
        }
    }

    /// Whether the job does not change any more.
    pub(crate) fn is_final(&self) -> bool {
        !matches!(self, Self::Pending | Self::Running | Self::Other(_))
    }
}

impl JobStatus {
    /// A line of `squeue` in the format of [`status`]; an empty one is that of a forgotten job.
    fn parse(line: &str) -> Self {
        let mut fields = line.trim().split('|').map(str::to_owned);
        let mut next = || fields.next().unwrap_or_default();
        Self { state: JobState::parse(&next()), reason: next(), nodes: next(), limit: next() }
    }
}

/// Submits a script; the number of the job.
pub(crate) fn submit(script: &Path, lang: Lang) -> Result<String> {
    let mut command = program("sbatch", lang)?;
    command.arg("--parsable").arg(script);
    let answer = answer(command, "sbatch", lang)?;
    // With several clusters: `job;cluster`.
    let job = answer.trim().split(';').next().unwrap_or_default().to_owned();
    match !job.is_empty() && job.bytes().all(|byte| byte.is_ascii_digit()) {
        true => Ok(job),
        false => Err(CliError::Missing(text::refused(lang, "sbatch", answer.trim()))),
    }
}

/// The state of a job.
///
/// # Errors
/// When Slurm does not answer, which may be temporary. A job that Slurm has forgotten is not an error.
pub(crate) fn status(job: &str, lang: Lang) -> Result<JobStatus> {
    let mut command = program("squeue", lang)?;
    command.args(["--noheader", "--states=all", "--format=%T|%r|%N|%l"]).arg(format!("--jobs={job}"));
    match answer(command, "squeue", lang) {
        Ok(lines) => Ok(JobStatus::parse(lines.lines().next().unwrap_or_default())),
        Err(CliError::Missing(reason)) if reason.contains("Invalid job id") => Ok(JobStatus::parse("")),
        Err(error) => Err(error),
    }
}

/// Whether `srun` starts ranks through this interface between an MPI library and Slurm.
///
/// # Errors
/// When Slurm does not answer.
pub(crate) fn has_interface(interface: &str, lang: Lang) -> Result<bool> {
    let mut command = program("srun", lang)?;
    command.arg("--mpi=list");
    // Some versions list on standard error.
    let (listed, also) = output(command, "srun", lang)?;
    Ok(lists_interface(&(listed + &also), interface))
}

/// Whether the answer to `--mpi=list` has the interface. Slurm lists each in a line of its own, its versions behind one of them.
fn lists_interface(answer: &str, interface: &str) -> bool {
    answer.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').any(|word| word == interface)
}

pub(crate) fn cancel(job: &str) -> Command {
    let mut command = Command::new("scancel");
    command.arg(job);
    command
}

fn program(name: &'static str, lang: Lang) -> Result<Command> {
    match find(name) {
        Some(path) => Ok(Command::new(path)),
        None => Err(CliError::Missing(text::no_program(lang, name))),
    }
}

/// The standard output of a program that succeeds within the limit.
fn answer(command: Command, name: &'static str, lang: Lang) -> Result<String> {
    output(command, name, lang).map(|(out, _)| out)
}

/// Standard output and standard error of a program that succeeds within the limit.
fn output(command: Command, name: &'static str, lang: Lang) -> Result<(String, String)> {
    let folder = tempfile::tempdir().map_err(CliError::system("create", std::env::temp_dir()))?;
    let (out, err) = (folder.path().join("out"), folder.path().join("err"));
    let ended = Job::spawn_to_files(command, &out, &err).and_then(|job| job.wait(LIMIT));
    let ended = ended.map_err(CliError::system("run", name))?;
    let read = |file: &Path| std::fs::read(file).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    if ended.has_timed_out {
        return Err(CliError::Missing(text::no_answer(lang, name, LIMIT.as_secs())));
    }
    let printed = read(&err).unwrap_or_default();
    match ended.is_success() {
        true => Ok((read(&out).map_err(CliError::system("read", out))?, printed)),
        false => Err(CliError::Missing(text::refused(lang, name, printed.trim()))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_squeue_is_read_and_a_forgotten_job_is_unknown() {
        let status = JobStatus::parse("PENDING|Resources||10:00\n");
        assert_eq!((status.state, status.reason.as_str()), (JobState::Pending, "Resources"));
        let status = JobStatus::parse("RUNNING|None|wb[1-2]|10:00");
        assert_eq!((status.state, status.nodes.as_str()), (JobState::Running, "wb[1-2]"));
        assert_eq!(JobStatus::parse("").state, JobState::Unknown);
    }

    #[test]
    fn an_interface_is_found_among_those_that_are_listed() {
        let listed = "MPI plugin types are...\n\tnone\n\tcray_shasta\n\tpmi2\n\tpmix\nspecific pmix plugin versions available: pmix_v4\n";
        assert!(lists_interface(listed, "pmix") && lists_interface(listed, "pmi2"));
        assert!(!lists_interface("MPI plugin types are...\n\tnone\n\tpmi2\n\tpmix_v4x\n", "pmix"));
    }

    #[test]
    fn every_state_that_does_not_change_is_final() {
        let is_final = |name| JobState::parse(name).is_final();
        for name in
            ["COMPLETED", "FAILED", "TIMEOUT", "PREEMPTED", "NODE_FAIL", "OUT_OF_MEMORY", "CANCELLED", ""]
        {
            assert!(is_final(name), "{name}");
        }
        for name in ["PENDING", "CONFIGURING", "RUNNING", "COMPLETING", "SUSPENDED", "REQUEUED"] {
            assert!(!is_final(name), "{name}");
        }
    }
}

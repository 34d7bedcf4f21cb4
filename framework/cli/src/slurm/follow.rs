//! A submitted job to its end: its state when that changes, its output as it grows, its exit status as on one machine.
//!
//! Ctrl-C and SIGTERM cancel the job and wait for its end.

use std::{
    fs::File,
    io::{self, Read, Seek, SeekFrom, Write},
    path::Path,
    sync::{Mutex, PoisonError},
    thread,
    time::{Duration, Instant},
};

use wb_messages::{Lang, slurm as text};

use super::scheduler::{self, JobState, JobStatus};
use crate::{CommandStatus, error::Result};

/// The interval between two questions: a controller of a site serves all its users.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// How long Slurm may give no answer before the job counts as lost.
const SILENCE_MAX: Duration = Duration::from_secs(120);

/// How long a job may take to end after it was cancelled: Slurm kills after 30 s by default.
const CANCEL_TIMEOUT: Duration = Duration::from_secs(45);

/// The job that a signal cancels.
static ACTIVE: Mutex<Option<(String, Lang)>> = Mutex::new(None);

fn active() -> std::sync::MutexGuard<'static, Option<(String, Lang)>> {
    ACTIVE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Follows `job`, and all elements if it is an array of `parts`. Output and status of each are in `folder`.
pub(super) fn follow(job: &str, parts: Option<u32>, folder: &Path, lang: Lang) -> Result<CommandStatus> {
    *active() = Some((job.to_owned(), lang));
    wb_process::at_exit(cancel_active);
    let all: Vec<String> = match parts {
        None => vec![job.to_owned()],
        // One runs at a time, in this order.
        Some(parts) => (0..parts).map(|part| format!("{job}_{part}")).collect(),
    };
    let has_succeeded = follow_each(&all, |job| follow_one(job, folder, lang))?;
    *active() = None;
    Ok(CommandStatus::from_success(has_succeeded))
}

/// Follows each of these to its end, also after one that failed. Returns whether all succeeded.
fn follow_each(jobs: &[String], mut follow: impl FnMut(&str) -> Result<bool>) -> Result<bool> {
    jobs.iter().try_fold(true, |have_succeeded, job| Ok(follow(job)? && have_succeeded))
}

/// Follows one job or one element of an array. Returns whether its command succeeded.
fn follow_one(job: &str, folder: &Path, lang: Lang) -> Result<bool> {
    let output = folder.join(format!("{job}.out"));
    println!("{}", text::submitted(lang, job, output.display()));
    let mut shown = ShownOutput::new(&output);
    let mut last: Option<JobStatus> = None;
    let mut answered = Instant::now();
    let end = loop {
        match scheduler::status(job, lang) {
            Ok(status) => {
                answered = Instant::now();
                if last.as_ref() != Some(&status) && !status.state.is_final() {
                    println!("{}", describe_change(job, &status, lang));
                }
                shown.show()?;
                if status.state.is_final() {
                    break status;
                }
                last = Some(status);
            }
            Err(error) if answered.elapsed() > SILENCE_MAX => {
                // The job may well run: it is not cancelled.
                *active() = None;
                return Err(error);
            }
            Err(_) => {}
        }
        thread::sleep(POLL_INTERVAL);
    };
    shown.show()?;
    let status = exit_status(&folder.join(format!("{job}.status")));
    let end = with_lost_nodes(end);
    if let Some(reason) = describe_end(job, &end, status, lang) {
        eprintln!("{reason}");
    }
    // Slurm forgets a job soon after its end, which an element waits for while the one before it is followed.
    let has_ended = matches!(end.state, JobState::Ended | JobState::Unknown);
    Ok(has_ended && status == Some(0))
}

/// The end of a job with those of its nodes only that it lost, where Slurm says which.
fn with_lost_nodes(end: JobStatus) -> JobStatus {
    if end.state != JobState::NodeFailed {
        return end;
    }
    let lost = wb_process::lost_slurm_nodes(&end.nodes, scheduler::LIMIT);
    // Where Slurm does not say it, all nodes of the job are named.
    if lost.is_empty() { end } else { JobStatus { nodes: lost.join(","), ..end } }
}

/// The exit status of the command, which the script writes when the command has ended.
fn exit_status(file: &Path) -> Option<i32> {
    std::fs::read_to_string(file).ok()?.trim().parse().ok()
}

fn describe_change(job: &str, status: &JobStatus, lang: Lang) -> String {
    match &status.state {
        // Slurm has not considered the job yet.
        JobState::Pending if status.reason == "None" => text::queued(lang, job),
        JobState::Pending => text::pending(lang, job, &status.reason),
        JobState::Running => text::running(lang, job, &status.nodes),
        other => {
            let name = if let JobState::Other(name) = other { name.as_str() } else { "" };
            text::other_state(lang, job, name)
        }
    }
}

/// The reason why a job ended without the end of its command; empty where the command reported it.
fn describe_end(job: &str, end: &JobStatus, status: Option<i32>, lang: Lang) -> Option<String> {
    match end.state {
        JobState::TimedOut => Some(text::timed_out(lang, job, &end.limit)),
        JobState::Preempted => Some(text::preempted(lang, job)),
        JobState::NodeFailed => Some(text::node_failed(lang, job, &end.nodes)),
        JobState::OutOfMemory => Some(text::out_of_memory(lang, job)),
        JobState::Cancelled => Some(text::cancelled(lang, job)),
        _ if status.is_some() => None,
        _ => Some(text::lost(lang, job)),
    }
}

/// The part of a job's output that was shown.
struct ShownOutput<'a> {
    file: &'a Path,
    bytes: u64,
}

impl<'a> ShownOutput<'a> {
    fn new(file: &'a Path) -> Self {
        Self { file, bytes: 0 }
    }

    /// Shows what was added. The file appears when the job starts.
    fn show(&mut self) -> Result<()> {
        let Ok(mut file) = File::open(self.file) else { return Ok(()) };
        let mut added = Vec::new();
        let read = file.seek(SeekFrom::Start(self.bytes)).and_then(|_| file.read_to_end(&mut added));
        // A shared folder may not answer for a moment: the next look continues here.
        if read.is_ok() {
            self.bytes += added.len() as u64;
            let _closed = io::stdout().write_all(&added).and_then(|()| io::stdout().flush());
        }
        Ok(())
    }
}

/// Cancels the job that is followed, and waits until it has ended. Runs when this process is ended by a signal; jobs of
/// processes can no longer be started then.
fn cancel_active() {
    let Some((job, lang)) = active().take() else { return };
    eprintln!("\n{}", text::cancelling(lang, &job));
    let _refused = scheduler::cancel(&job).status();
    let start = Instant::now();
    while start.elapsed() < CANCEL_TIMEOUT && is_known_and_open(&job) {
        thread::sleep(Duration::from_millis(200));
    }
}

/// Whether Slurm lists the job among those that have not ended.
fn is_known_and_open(job: &str) -> bool {
    let mut command = std::process::Command::new("squeue");
    command.args(["--noheader", "--format=%T"]).arg(format!("--jobs={job}"));
    command.output().is_ok_and(|answer| answer.status.success() && !answer.stdout.trim_ascii().is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ended(state: JobState) -> JobStatus {
        JobStatus { state, reason: "None".into(), nodes: "wb[1-2]".into(), limit: "10:00".into() }
    }

    #[test]
    fn an_end_that_the_command_did_not_report_has_a_reason_and_a_next_step() {
        let reason = |state, status| describe_end("7", &ended(state), status, Lang::En);
        let text = reason(JobState::TimedOut, None).expect("a reason");
        assert!(text.contains("10:00") && text.contains("--minutes"), "{text}");
        assert!(reason(JobState::NodeFailed, None).expect("a reason").contains("wb[1-2]"));
        assert!(reason(JobState::Ended, None).expect("a reason").contains("unknown"));
        assert_eq!(reason(JobState::Ended, Some(1)), None);
    }

    #[test]
    fn an_array_fails_with_any_of_its_elements_and_is_followed_to_the_end() {
        let all = ["7_0", "7_1", "7_2"].map(str::to_owned);
        for failing in ["none", "7_0", "7_1", "7_2"] {
            let mut followed = 0;
            let follow = |job: &str| Ok((job != failing, followed += 1).0);
            let have_succeeded = follow_each(&all, follow).expect("Slurm answers");
            assert_eq!(have_succeeded, failing == "none", "whether all succeed where `{failing}` fails");
            assert_eq!(followed, 3, "the elements that are followed where `{failing}` fails");
        }
    }

    #[test]
    fn output_is_shown_once() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("7.out");
        let mut shown = ShownOutput::new(&file);
        shown.show().expect("no file yet");
        for (text, bytes) in [("one\n", 4), ("one\ntwo\n", 8), ("one\ntwo\n", 8)] {
            std::fs::write(&file, text).expect("written");
            shown.show().expect("read");
            assert_eq!(shown.bytes, bytes);
        }
    }

    #[test]
    fn the_status_is_that_of_the_command() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("7.status");
        assert_eq!(exit_status(&file), None);
        std::fs::write(&file, "101\n").expect("written");
        assert_eq!(exit_status(&file), Some(101));
    }
}

//! What the ranks of running jobs do, for an observer of them: one small file in the folder of each run.
//!
//! The runner of a job writes its [`JobStatus`]. It asks the ranks only while a job is observed: an observer renews the file `look` beside it, at least
//! every 3 s. So a job without an observer costs its ranks nothing, and a measured one is never asked.
use std::{
    fs, io,
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

use serde::{Deserialize, Serialize};
use wb_comm::{BlockedCall, CallLocation, Rank};

use crate::{ProcessIdentity, write_secret_atomically};

/// The file of a job, in the folder of its run.
const STATUS: &str = "ranks.json";

/// The file that asks for the next status.
const REQUEST: &str = "look";

/// An older request is that of an observer that has ended.
const REQUEST_MAX_AGE: Duration = Duration::from_secs(3);

/// A running job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JobStatus {
    /// The process that runs it.
    pub runner: ProcessIdentity,
    /// The package of the program, or the program.
    pub program: String,
    /// The test that runs, with its backend and number of ranks, or the backend; empty for a measurement.
    pub work: String,
    /// The ranks that have answered; `None` for a measurement, whose ranks are not asked.
    pub ranks: Option<Vec<RankStatus>>,
}

/// What a rank does.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RankStatus {
    /// The number of the rank.
    pub rank: Rank,
    /// Its host.
    pub host: String,
    /// The name of its stage; `None` outside of stages.
    pub stage: Option<String>,
    /// The call that it is in, if it is in one.
    pub call: Option<BlockedCall>,
    /// The last call that it has begun, if that is known.
    pub last_call: Option<CallLocation>,
    /// How long it has been in its call, or outside of any; `None` before the first call.
    pub since: Option<Duration>,
    /// The bytes that it has passed to sends; `None` where they are not counted.
    pub sent_bytes: Option<u64>,
}

impl JobStatus {
    /// A job of this process.
    pub fn new(work: String, ranks: Option<Vec<RankStatus>>) -> Self {
        let program = || std::env::current_exe().ok()?.file_name().map(|name| name.to_string_lossy().into());
        let program = std::env::var("CARGO_PKG_NAME").ok().or_else(program).unwrap_or_default();
        Self { runner: ProcessIdentity::current(), program, work, ranks }
    }

    /// Publishes it in the folder of its run, for its user alone.
    ///
    /// # Errors
    /// When the folder cannot be written.
    pub fn publish(&self, folder: &Path) -> io::Result<()> {
        write_secret_atomically(&folder.join(STATUS), serde_json::to_vec(self)?)
    }
}

/// Whether the job in this folder is observed.
pub fn is_requested(folder: &Path) -> bool {
    age(&folder.join(REQUEST)).is_some_and(|age| age < REQUEST_MAX_AGE)
}

/// The jobs whose runs have folders in one of these state folders, with the age of their status; their runners are asked for the next one. Jobs
/// whose runner has ended are left out.
pub fn observe(states: &[PathBuf]) -> Vec<(JobStatus, Duration)> {
    let folders = states.iter().filter_map(|state| fs::read_dir(state).ok()).flatten().flatten();
    let mut folders: Vec<PathBuf> = folders.map(|entry| entry.path()).collect();
    folders.sort_unstable();
    folders.iter().filter_map(|folder| observe_folder(folder)).collect()
}

fn observe_folder(folder: &Path) -> Option<(JobStatus, Duration)> {
    let status: JobStatus = serde_json::from_slice(&fs::read(folder.join(STATUS)).ok()?).ok()?;
    if status.runner.has_ended() {
        return None;
    }
    if status.ranks.is_some() {
        // The job may have ended meanwhile.
        let _gone = write_secret_atomically(&folder.join(REQUEST), []);
    }
    Some((status, age(&folder.join(STATUS))?))
}

/// The time since the file was written; `None` if there is none.
fn age(file: &Path) -> Option<Duration> {
    let written = fs::metadata(file).and_then(|about| about.modified()).ok()?;
    Some(SystemTime::now().duration_since(written).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn a_job_is_asked_while_it_is_observed_and_a_measured_one_never() {
        let state = tempfile::tempdir().expect("a folder");
        let folders = ["run-measured", "run-tests"].map(|name| state.path().join(name));
        for (folder, ranks) in folders.iter().zip([None, Some(vec![])]) {
            fs::create_dir(folder).expect("made");
            JobStatus::new(String::new(), ranks).publish(folder).expect("written");
        }
        let requests = || folders.each_ref().map(|folder| is_requested(folder));
        assert_eq!(requests(), [false; 2], "no observer yet");
        let found = observe(&[state.path().join("none"), state.path().to_owned()]);
        assert_eq!(found.into_iter().map(|(job, _)| job.ranks).collect::<Vec<_>>(), [None, Some(vec![])]);
        assert_eq!(requests(), [false, true]);
        let mode = fs::metadata(folders[1].join(STATUS)).expect("a file").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        let request = fs::File::open(folders[1].join(REQUEST)).expect("a file");
        request.set_modified(SystemTime::now() - 2 * REQUEST_MAX_AGE).expect("set");
        assert_eq!(requests(), [false; 2], "the observer has ended");
    }
}

//! What the ranks of running jobs do, for somebody who looks at them: one small file in the folder of each run.
//!
//! The runner of a job writes its [`JobStatus`]. It asks the ranks only while somebody looks: whoever looks renews the file [`REQUEST`] beside
//! it, at least every [`REQUEST_MAX_AGE`]. So a job that nobody looks at costs its ranks nothing, and a measured one is never asked.
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

/// The file that says that somebody looks.
const REQUEST: &str = "look";

/// Nobody looks any more when the request is older than this.
const REQUEST_MAX_AGE: Duration = Duration::from_secs(3);

/// A runner that was asked for this long, and has not answered, is named as silent.
const ANSWER_MAX_AGE: Duration = Duration::from_secs(5);

/// A running job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JobStatus {
    /// The process that runs it.
    pub runner: ProcessIdentity,
    /// The package of the program, or the program.
    pub program: String,
    /// What the ranks are.
    pub work: JobWork,
}

/// The work of a job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum JobWork {
    /// It is measured: its ranks are not asked.
    Measured,
    /// It runs tests on a backend of this name.
    Tests {
        /// The name of the backend.
        backend: String,
        /// The run of a test, once a rank has named it.
        run: Option<TestedRun>,
        /// The ranks that have answered.
        ranks: Vec<RankStatus>,
    },
}

/// A run of a test.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TestedRun {
    /// The name of the test.
    pub test: String,
    /// The number of ranks.
    pub ranks: usize,
    /// The number of the input, counted from 1.
    pub input: usize,
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
    pub fn new(work: JobWork) -> Self {
        let program = || std::env::current_exe().ok()?.file_name().map(|name| name.to_string_lossy().into());
        let program = std::env::var("CARGO_PKG_NAME").ok().or_else(program).unwrap_or_default();
        Self { runner: ProcessIdentity::current(), program, work }
    }

    /// Publishes it in the folder of its run, for its user alone.
    ///
    /// # Errors
    /// When the folder cannot be written.
    pub fn publish(&self, folder: &Path) -> io::Result<()> {
        write_secret_atomically(&folder.join(STATUS), serde_json::to_vec(self)?)
    }
}

/// Whether somebody looks at the job in this folder.
pub fn is_requested(folder: &Path) -> bool {
    age(&folder.join(REQUEST)).is_some_and(|age| age < REQUEST_MAX_AGE)
}

/// A job that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct ObservedJob {
    /// Its last status.
    pub status: JobStatus,
    /// The time since that was written.
    pub age: Duration,
    /// Whether its runner does not answer, though it was asked.
    pub is_silent: bool,
}

/// Looks at the jobs whose runs have folders in one of these state folders, and asks their runners for the next status. Jobs whose runner has
/// ended are left out.
pub fn observe(states: &[PathBuf]) -> Vec<ObservedJob> {
    let folders = states.iter().filter_map(|state| fs::read_dir(state).ok()).flatten().flatten();
    let mut found: Vec<(PathBuf, ObservedJob)> =
        folders.filter_map(|entry| Some((entry.path(), observe_folder(&entry.path())?))).collect();
    found.sort_by(|(one, _), (other, _)| one.cmp(other));
    found.into_iter().map(|(_, job)| job).collect()
}

fn observe_folder(folder: &Path) -> Option<ObservedJob> {
    let status: JobStatus = serde_json::from_slice(&fs::read(folder.join(STATUS)).ok()?).ok()?;
    if status.runner.has_ended() {
        return None;
    }
    let was_requested = is_requested(folder);
    let is_asked = matches!(status.work, JobWork::Tests { .. });
    if is_asked {
        // The job may have ended meanwhile.
        let _gone = write_secret_atomically(&folder.join(REQUEST), []);
    }
    let age = age(&folder.join(STATUS)).unwrap_or_default();
    Some(ObservedJob { status, age, is_silent: is_asked && was_requested && age > ANSWER_MAX_AGE })
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

    fn tests() -> JobWork {
        JobWork::Tests { backend: "Open MPI".into(), run: None, ranks: vec![] }
    }

    #[test]
    fn a_job_is_asked_while_somebody_looks_and_a_measured_one_never() {
        let state = tempfile::tempdir().expect("a folder");
        let folders = ["run-tests", "run-measured"].map(|name| state.path().join(name));
        for (folder, work) in folders.iter().zip([tests(), JobWork::Measured]) {
            fs::create_dir(folder).expect("made");
            JobStatus::new(work).publish(folder).expect("written");
        }
        assert!(!folders.iter().any(|folder| is_requested(folder)), "nobody looks");
        let found = observe(&[state.path().join("none"), state.path().to_owned()]);
        let works: Vec<_> = found.into_iter().map(|job| job.status.work).collect();
        assert_eq!(works, [JobWork::Measured, tests()]);
        assert_eq!(folders.each_ref().map(|folder| is_requested(folder)), [true, false]);
        let mode = fs::metadata(folders[0].join(STATUS)).expect("a file").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        let old = SystemTime::now() - 2 * REQUEST_MAX_AGE;
        let request = fs::File::open(folders[0].join(REQUEST)).expect("a file");
        request.set_modified(old).expect("set");
        assert!(!is_requested(&folders[0]), "nobody looks any more");
    }

    #[test]
    fn runners_that_have_ended_are_left_out_and_silent_ones_are_named() {
        let state = tempfile::tempdir().expect("a folder");
        let folder = state.path().join("run-1");
        fs::create_dir(&folder).expect("made");
        JobStatus::new(tests()).publish(&folder).expect("written");
        let file = fs::File::open(folder.join(STATUS)).expect("a file");
        file.set_modified(SystemTime::now() - 2 * ANSWER_MAX_AGE).expect("set");
        let silent = || observe(&[state.path().to_owned()])[0].is_silent;
        assert_eq!([silent(), silent()], [false, true], "it is silent only when it was asked");
        let mut child = std::process::Command::new("true").spawn().expect("started");
        let runner = ProcessIdentity::of(child.id()).expect("not collected yet");
        child.wait().expect("it ends");
        JobStatus { runner, ..JobStatus::new(tests()) }.publish(&folder).expect("written");
        assert_eq!(observe(&[state.path().to_owned()]), []);
    }
}

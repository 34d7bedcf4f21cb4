//! The jobs that a plain `cargo test` starts: one lane for threads and one for each number of real ranks.
//!
//! The first test that needs a lane starts its job: this very binary with the same selection of tests, in which all of
//! them run on this lane and write their journals; the tests after it only look their verdict up. When a test ends its
//! job, that is its verdict, and another job takes up the rest. Journals are the only evidence: neither the exit code of
//! a launcher nor anything printed makes a test pass.
use std::{
    collections::{BTreeMap, BTreeSet},
    env, fs, io,
    path::{Path, PathBuf},
    process::Command,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use wb_messages::{Lang, functional as text};
use wb_process::{Ended, Job};

use super::{
    evidence::{CaseEvidence, Evidence},
    folder, limit,
    member::TOGETHER,
    spoken::{self, OUTPUT},
    watch::CHECKING,
};
use crate::{Backends, launch};

/// Tells a job of ours which lane it is: `threads` or `processes`.
pub(super) const LANE: &str = "WB_FUNCTIONAL_LANE";

/// Tells a job of ours the folder of its journals.
pub(super) const FOLDER: &str = "WB_FUNCTIONAL_FOLDER";

/// The file in that folder with the tests that have their verdict already.
const JUDGED: &str = "judged";

/// After so many tests that ended their job a lane gives up: something is wrong with all of them.
const MAX_ENDED: usize = 10;

/// A test that ended its job in so many lanes is not tried in further ones.
const MAX_LANES: usize = 2;

/// Which lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum LaneId {
    /// Ranks as threads, any number of them.
    Threads,
    /// So many ranks as processes.
    Processes(usize),
}

/// What a lane's jobs left.
#[derive(Debug, Default)]
pub(super) struct Lane {
    cases: BTreeMap<(String, usize), CaseEvidence>,
    /// Why tests without evidence have none.
    why_not: BTreeMap<String, String>,
    /// The same for those not named there, and what the last job printed.
    ended: Option<(String, String)>,
}

/// All lanes of this process, and in how many of them a test ended its job.
#[derive(Default)]
struct Lanes {
    lanes: BTreeMap<LaneId, Arc<Lane>>,
    enders: BTreeMap<String, Vec<usize>>,
}

static LANES: Mutex<Lanes> =
    Mutex::new(Lanes { lanes: BTreeMap::new(), enders: BTreeMap::new() });

/// The lane, run through if it was not yet.
pub(super) fn of(backends: Backends, id: LaneId) -> Arc<Lane> {
    let mut lanes = LANES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(lane) = lanes.lanes.get(&id) {
        return Arc::clone(lane);
    }
    let mut lane = Lane::default();
    if let LaneId::Processes(_) = id {
        lane.leave_out(&lanes.enders);
    }
    if let Err(error) = lane.run(backends, id, &mut lanes.enders) {
        lane.ended = Some((text::cannot_start(Lang::of_environment(), error), String::new()));
    }
    let lane = Arc::new(lane);
    lanes.lanes.insert(id, Arc::clone(&lane));
    lane
}

/// The tests that a job of ours need not run.
pub(super) fn judged(folder: &Path) -> io::Result<BTreeSet<String>> {
    Ok(fs::read_to_string(folder.join(JUDGED))?.lines().map(str::to_owned).collect())
}

impl Lane {
    /// What is known of a test at a number of ranks.
    pub(super) fn evidence(&self, case: &str, ranks: usize) -> Option<&CaseEvidence> {
        self.cases.get(&(case.to_owned(), ranks))
    }

    /// Why a test has no evidence, and what the job printed last.
    pub(super) fn why_not(&self, case: &str) -> (String, String) {
        let lang = Lang::of_environment();
        let why = self.why_not.get(case).map(|why| (why.clone(), String::new()));
        why.or_else(|| self.ended.clone()).unwrap_or_else(|| (text::no_verdict(lang), String::new()))
    }

    fn leave_out(&mut self, enders: &BTreeMap<String, Vec<usize>>) {
        for (case, lanes) in enders.iter().filter(|(_, lanes)| lanes.len() >= MAX_LANES) {
            let lanes: Vec<_> = lanes.iter().map(ToString::to_string).collect();
            self.why_not.insert(case.clone(), text::ended_elsewhere(Lang::of_environment(), lanes.join(", ")));
        }
    }

    /// Starts jobs until every test has run, or nothing more can be had.
    fn run(
        &mut self,
        backends: Backends,
        id: LaneId,
        enders: &mut BTreeMap<String, Vec<usize>>,
    ) -> io::Result<()> {
        let lang = Lang::of_environment();
        let mut judged: BTreeSet<String> = self.why_not.keys().cloned().collect();
        for _ in 0..MAX_ENDED {
            let folder = folder::create()?;
            fs::write(folder.join(JUDGED), judged.iter().map(|name| format!("{name}\n")).collect::<String>())?;
            let ended = start(backends, id, &folder)?;
            let found = Evidence::read(&folder, id.processes())?;
            let complete = found.goodbyes.len() == id.processes();
            let tests: BTreeSet<_> = found.cases.keys().map(|(name, _)| name.clone()).collect();
            let none_new = tests.is_empty();
            for ((name, ranks), case) in &found.cases {
                if let (LaneId::Processes(_), true) = (id, case.done < id.processes()) {
                    enders.entry(name.clone()).or_default().push(*ranks);
                }
            }
            judged.extend(tests);
            self.cases.extend(found.cases);
            self.ended = Some((describe(&ended), spoken::last_lines(&folder.join(OUTPUT), 0)));
            if complete {
                self.ended = None;
            }
            if complete || none_new {
                return Ok(());
            }
        }
        self.ended = Some((text::not_run_after(lang, MAX_ENDED), String::new()));
        Ok(())
    }
}

impl LaneId {
    /// How many processes its job has.
    fn processes(self) -> usize {
        match self {
            Self::Threads => 1,
            Self::Processes(ranks) => ranks,
        }
    }

    fn command(self, backends: Backends, binary: &Path) -> io::Result<Command> {
        let (mut command, lane) = match (self, backends.processes) {
            (Self::Processes(ranks), Some(processes)) => {
                let command = launch::command(&processes.library(), ranks, binary);
                (command.map_err(io::Error::other)?, "processes")
            }
            _ => {
                let mut command = Command::new(binary);
                wb_process::scrub(&mut command);
                (command, "threads")
            }
        };
        command.env(LANE, lane);
        Ok(command)
    }
}

/// Runs one job to its end.
fn start(backends: Backends, id: LaneId, folder: &Path) -> io::Result<Ended> {
    let mut command = id.command(backends, &env::current_exe()?)?;
    command.args(["--test-threads=1", "--nocapture"]).args(wb_process::test_selection());
    command.env(FOLDER, folder).env(wb_process::early::RANK_DIR, folder);
    let output = folder.join(OUTPUT);
    // Without a limit somebody is looking with a debugger, and may take a day.
    let limit = limit::functional().unwrap_or(Duration::from_secs(24 * 60 * 60));
    let patience = limit + TOGETHER + CHECKING;
    Job::spawn_to_files(command, &output, &output)?.wait_while_progressing(patience, || written(folder))
}

/// How much the job has written.
fn written(folder: &Path) -> u64 {
    let size = |path: PathBuf| fs::metadata(path).map_or(0, |data| data.len());
    fs::read_dir(folder).map_or(0, |entries| entries.flatten().map(|entry| size(entry.path())).sum())
}

fn describe(ended: &Ended) -> String {
    let lang = Lang::of_environment();
    if ended.timed_out { text::got_nowhere(lang) } else { text::ended_with(lang, ended.status) }
}

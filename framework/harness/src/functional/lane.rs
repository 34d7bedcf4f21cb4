//! The jobs that a plain `cargo test` starts: one lane for threads, one for virtual time, and one for each number of real
//! ranks.
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
use wb_record::Backend;

use super::{
    case,
    evidence::{CaseEvidence, Evidence},
    journal::JOURNAL,
    limit,
    member::TOGETHER,
    spoken::OUTPUT,
    watch::CHECKING,
};
use crate::{Backends, folder, launch, said};

/// Tells a job of ours which lane it is: `threads`, `virtual-time` or `mpi`.
pub(super) const LANE: &str = "WB_FUNCTIONAL_LANE";

/// Tells a job of ours the folder of its journals.
pub(super) const FOLDER: &str = "WB_FUNCTIONAL_FOLDER";

/// The file in that folder with the tests that have their verdict already.
const JUDGED: &str = "judged";

/// After so many tests that ended their job a lane gives up: something is wrong with all of them.
const MAX_ENDED: usize = 16;

/// A test that ended its job at so many numbers of ranks is not tried at further ones.
const MAX_DEATHS: usize = 2;

/// How many printed bytes of each process count as progress.
const PRINTED: u64 = 1 << 20;

/// Which lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum LaneId {
    /// Ranks as threads, any number of them.
    Threads,
    /// Ranks in virtual time, any number of them.
    VirtualTime,
    /// So many ranks as processes.
    Processes(usize),
}

/// What a lane's jobs left.
#[derive(Debug, Default)]
pub(super) struct Lane {
    cases: BTreeMap<(String, usize), CaseEvidence>,
    /// How the job of a test ended that did not come to its end.
    deaths: BTreeMap<(String, usize), Death>,
    /// Why tests are left out.
    left_out: BTreeMap<String, String>,
    /// Why there are no more jobs.
    over: Option<Death>,
}

/// How a job ended before its time.
#[derive(Clone, Debug)]
pub(super) struct Death {
    /// In a line.
    pub(super) how: String,
    /// What it printed last.
    pub(super) output: String,
}

/// All lanes of this process, and what one of them teaches for the next.
struct Lanes {
    lanes: BTreeMap<LaneId, Arc<Lane>>,
    known: Known,
}

/// What is known of the tests of this binary.
#[derive(Default)]
struct Known {
    /// By backend: on how many ranks a test ended its job.
    enders: BTreeMap<Backend, BTreeMap<String, BTreeSet<usize>>>,
    /// The functional tests and their numbers of ranks, once the lane of the threads, where all of them run, has been
    /// through: a job need not run more than those that concern it. `None`: any number.
    checks: Option<BTreeSet<(String, Option<usize>)>>,
}

static LANES: Mutex<Lanes> =
    Mutex::new(Lanes { lanes: BTreeMap::new(), known: Known { enders: BTreeMap::new(), checks: None } });

/// The lane, run through if it was not yet.
pub(super) fn of(backends: Backends, id: LaneId) -> Arc<Lane> {
    let mut lanes = LANES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(lane) = lanes.lanes.get(&id) {
        return Arc::clone(lane);
    }
    let mut lane = Lane::default();
    lane.leave_out(&lanes.known.enders(id));
    if let Err(error) = lane.run(backends, id, &mut lanes.known) {
        let how = text::cannot_start(Lang::of_environment(), error);
        lane.over = Some(Death { how, output: String::new() });
    }
    let lane = Arc::new(lane);
    lanes.lanes.insert(id, Arc::clone(&lane));
    lane
}

/// The tests that have their verdict already, at a number of ranks or at all of them.
#[derive(Clone, Debug, Default)]
pub(super) struct Judged(BTreeSet<(String, Option<usize>)>);

impl Judged {
    /// What the parent of this job wrote into its folder.
    pub(super) fn read(folder: &Path) -> io::Result<Self> {
        let line = |line: &str| {
            let (ranks, name) = line.split_once(' ')?;
            Some((name.to_owned(), ranks.parse().ok()))
        };
        Ok(Self(fs::read_to_string(folder.join(JUDGED))?.lines().filter_map(line).collect()))
    }

    /// These tests, at whatever number of ranks.
    pub(super) fn of(names: impl Iterator<Item = String>) -> Self {
        Self(names.map(|name| (name, None)).collect())
    }

    /// For a job that is started in `folder`.
    pub(super) fn write(&self, folder: &Path) -> io::Result<()> {
        let line = |(name, ranks): &(String, Option<usize>)| match ranks {
            Some(ranks) => format!("{ranks} {name}\n"),
            None => format!("all {name}\n"),
        };
        fs::write(folder.join(JUDGED), self.0.iter().map(line).collect::<String>())
    }

    /// Need the test not be run on `ranks` ranks?
    pub(super) fn has(&self, name: &str, ranks: usize) -> bool {
        [Some(ranks), None].into_iter().any(|ranks| self.0.contains(&(name.to_owned(), ranks)))
    }
}

impl Lane {
    /// What is known of a test at a number of ranks.
    pub(super) fn evidence(&self, case: &str, ranks: usize) -> Option<&CaseEvidence> {
        self.cases.get(&(case.to_owned(), ranks))
    }

    /// How the job ended that a test was in, if it did not come through.
    pub(super) fn death(&self, case: &str, ranks: usize) -> Option<&Death> {
        self.deaths.get(&(case.to_owned(), ranks))
    }

    /// Why a test was not tried at all, on purpose.
    pub(super) fn left_out(&self, case: &str) -> Option<&str> {
        self.left_out.get(case).map(String::as_str)
    }

    /// Why there are no more jobs that could run a test.
    pub(super) fn over(&self) -> Death {
        let no_verdict = || Death { how: text::no_verdict(Lang::of_environment()), output: String::new() };
        self.over.clone().unwrap_or_else(no_verdict)
    }

    fn leave_out(&mut self, enders: &BTreeMap<String, BTreeSet<usize>>) {
        for (case, deaths) in enders.iter().filter(|(_, deaths)| deaths.len() >= MAX_DEATHS) {
            let deaths: Vec<_> = deaths.iter().map(ToString::to_string).collect();
            self.left_out
                .insert(case.clone(), text::ended_elsewhere(Lang::of_environment(), deaths.join(", ")));
        }
    }

    /// What the next job need not run.
    fn judged(&self) -> Judged {
        let known = self.cases.keys().map(|(name, ranks)| (name.clone(), Some(*ranks)));
        Judged(known.chain(self.left_out.keys().map(|name| (name.clone(), None))).collect())
    }

    /// Starts jobs until every test has run, or nothing more can be had.
    fn run(&mut self, backends: Backends, id: LaneId, known: &mut Known) -> io::Result<()> {
        for _ in 0..MAX_ENDED {
            let Some(selection) = known.selection(id, self) else { return Ok(()) };
            let folder = folder::create()?;
            self.judged().write(&folder)?;
            let ended = start(backends, id, &folder, &selection)?;
            let found = Evidence::read(&folder, id.processes())?;
            let complete = found.goodbyes.len() == id.processes();
            let nothing = found.cases.is_empty();
            let output = said::last_lines(&folder.join(OUTPUT), 0);
            let death = Death { how: describe(&ended), output };
            known.learn_enders(id, &found);
            self.take(id, found, &death);
            self.leave_out(&known.enders(id));
            if complete {
                known.learn_checks(id, self);
                return Ok(());
            }
            if nothing {
                self.over = Some(death);
                return Ok(());
            }
        }
        let how = text::not_run_after(Lang::of_environment(), MAX_ENDED);
        self.over = Some(Death { how, output: String::new() });
        Ok(())
    }

    /// Keeps what a job found out.
    fn take(&mut self, id: LaneId, found: Evidence, death: &Death) {
        for (key, case) in found.cases {
            if case.done < id.processes() {
                self.deaths.insert(key.clone(), death.clone());
            }
            self.cases.insert(key, case);
        }
    }
}

impl Known {
    /// The arguments that select the tests of the lane's next job; `None` when all of them have their verdict.
    fn selection(&self, id: LaneId, lane: &Lane) -> Option<Vec<String>> {
        let Some(checks) = self.checks.as_ref().filter(|_| id != LaneId::Threads) else {
            return Some(wb_process::test_selection());
        };
        let judged = lane.judged();
        let is_open = |name: &str, ranks: Option<usize>| match (id, ranks) {
            (LaneId::Processes(here), _) => {
                ranks.is_none_or(|ranks| ranks == here) && !judged.has(name, here)
            }
            (_, Some(ranks)) => !judged.has(name, ranks),
            (_, None) => true,
        };
        let open = checks.iter().filter(|(name, ranks)| is_open(name, *ranks));
        let tests: BTreeSet<String> = open.map(|(name, _)| case::test_of(name).to_owned()).collect();
        let options = ["--exact", "--include-ignored", "--"].map(str::to_owned);
        (!tests.is_empty()).then(|| options.into_iter().chain(tests).collect())
    }

    fn enders(&self, id: LaneId) -> BTreeMap<String, BTreeSet<usize>> {
        self.enders.get(&id.backend()).cloned().unwrap_or_default()
    }

    fn learn_enders(&mut self, id: LaneId, found: &Evidence) {
        let enders = self.enders.entry(id.backend()).or_default();
        for ((name, ranks), _) in found.cases.iter().filter(|(_, case)| case.has_ended_job(id.processes())) {
            enders.entry(name.clone()).or_default().insert(*ranks);
        }
    }

    fn learn_checks(&mut self, id: LaneId, lane: &Lane) {
        if id == LaneId::Threads {
            let run = lane.cases.keys().map(|(name, ranks)| (name.clone(), Some(*ranks)));
            // What was left out at some numbers of ranks may have any others.
            let left_out = lane.left_out.keys().map(|name| (name.clone(), None));
            self.checks = Some(run.chain(left_out).collect());
        }
    }
}

impl LaneId {
    /// How many processes its job has.
    fn processes(self) -> usize {
        match self {
            Self::Threads | Self::VirtualTime => 1,
            Self::Processes(ranks) => ranks,
        }
    }

    fn command(self, backends: Backends, binary: &Path) -> io::Result<Command> {
        let mut command = match (self, backends.processes) {
            (Self::Processes(ranks), Some(processes)) => {
                launch::command(&processes.library(), ranks, binary).map_err(io::Error::other)?
            }
            _ => {
                let mut command = Command::new(binary);
                wb_process::scrub(&mut command);
                command
            }
        };
        command.env(LANE, self.backend().name());
        Ok(command)
    }

    /// What its ranks are, as records have it.
    pub(super) fn backend(self) -> Backend {
        match self {
            Self::Threads => Backend::Threads,
            Self::VirtualTime => Backend::VirtualTime,
            Self::Processes(_) => Backend::Mpi,
        }
    }

    /// The lane of that name all of whose ranks are in one process.
    pub(super) fn in_one_process(name: &str) -> Option<Self> {
        [Self::Threads, Self::VirtualTime].into_iter().find(|lane| lane.backend().name() == name)
    }
}

/// Runs one job to its end.
pub(super) fn start(
    backends: Backends,
    id: LaneId,
    folder: &Path,
    selection: &[String],
) -> io::Result<Ended> {
    let mut command = id.command(backends, &env::current_exe()?)?;
    command.args(["--test-threads=1", "--nocapture"]).args(selection);
    command.env(FOLDER, folder).env(wb_process::early::RANK_DIR, folder);
    let output = folder.join(OUTPUT);
    // Without a limit somebody is looking with a debugger, and may take a day.
    let limit = limit::functional().unwrap_or(Duration::from_secs(24 * 60 * 60));
    let patience = limit + TOGETHER + CHECKING;
    Job::spawn_to_files(command, &output, &output)?.wait_while_progressing(patience, || written(folder))
}

/// How much the job has written. What it printed counts up to a point only: printing for ever is no progress.
fn written(folder: &Path) -> u64 {
    let size = |path: PathBuf| {
        let length = fs::metadata(&path).map_or(0, |data| data.len());
        if path.extension().is_some_and(|kind| kind == JOURNAL) { length } else { length.min(PRINTED) }
    };
    fs::read_dir(folder).map_or(0, |entries| entries.flatten().map(|entry| size(entry.path())).sum())
}

fn describe(ended: &Ended) -> String {
    let lang = Lang::of_environment();
    if ended.timed_out {
        text::got_nowhere(lang)
    } else {
        text::ended_with(lang, said::by_status(ended.status, lang))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printing_for_ever_is_no_progress_and_a_journal_always_is() {
        let folder = tempfile::tempdir().expect("a folder");
        let write = |name: &str, length: u64| {
            fs::write(folder.path().join(name), vec![b'.'; length as usize]).expect("written");
            written(folder.path())
        };
        assert_eq!(write(OUTPUT, 10), 10);
        assert_eq!(write(OUTPUT, PRINTED + 10), PRINTED);
        assert_eq!(write("rank-0.journal", PRINTED + 10), 2 * PRINTED + 10);
    }

    #[test]
    fn what_is_judged_is_told_to_the_next_job() {
        let folder = tempfile::tempdir().expect("a folder");
        let judged = Judged([("a::b#2".to_owned(), Some(3)), ("c".to_owned(), None)].into());
        judged.write(folder.path()).expect("written");
        let read = Judged::read(folder.path()).expect("read");
        assert!(read.has("a::b#2", 3) && !read.has("a::b#2", 4) && !read.has("a::b", 3));
        assert!(read.has("c", 1) && read.has("c", 8));
    }
}

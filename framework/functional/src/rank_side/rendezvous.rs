//! The synchronisation of a job's processes: every process writes the same steps into its own journal and reads the
//! others'.
//!
//! No step of it needs a message-passing library. So it distinguishes a slow process from one that has ended, and the
//! remaining processes can report when the library itself is stuck.
use std::{
    io,
    path::Path,
    sync::{Mutex, MutexGuard, PoisonError},
    thread,
    time::{Duration, Instant},
};

use wb_process::ProcessIdentity;

use crate::{
    evidence::{
        Evidence,
        journal::{Journal, JournalEvent, JournalReader},
    },
    test::{limit, test_case::RunId},
};

/// The interval at which a waiting process checks whether the others still run.
const LIVENESS_INTERVAL: Duration = Duration::from_millis(50);

/// The longest sleep between two readings of the journals.
const MAX_SLEEP: Duration = Duration::from_millis(1);

/// Why the processes do not agree.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SyncError {
    /// These have ended.
    #[error("rank {0:?} is gone")]
    Exited(Vec<usize>),
    /// These have not arrived in time.
    #[error("rank {0:?} did not come within {1:?}")]
    TimedOut(Vec<usize>, Duration),
    /// Another process is at another step.
    #[error("rank {rank} is at {theirs}, this one at {mine}")]
    StepMismatch {
        /// The other process.
        rank: usize,
        /// Its step.
        theirs: String,
        /// Ours.
        mine: String,
    },
    /// A journal cannot be written or read.
    #[error(transparent)]
    Journal(#[from] io::Error),
}

#[derive(Debug)]
pub(crate) struct Rendezvous {
    journal: Journal,
    peers: Mutex<PeerJournals>,
}

#[derive(Debug)]
struct PeerJournals {
    readers: Vec<JournalReader>,
    /// The steps this process has written.
    steps: usize,
    checked_at: Instant,
}

impl Rendezvous {
    /// Opens this process's journal in the folder of a job of `size` processes.
    pub(crate) fn open(folder: &Path, rank: usize, size: usize) -> io::Result<Self> {
        let journal = Journal::create(folder, rank)?;
        journal.write(&JournalEvent::started(ProcessIdentity::current()))?;
        let readers = (0..size).map(|rank| JournalReader::new(folder, rank)).collect();
        let others = PeerJournals { readers, steps: 0, checked_at: Instant::now() };
        Ok(Self { journal, peers: Mutex::new(others) })
    }

    fn peers(&self) -> MutexGuard<'_, PeerJournals> {
        self.peers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes an event that no process waits for.
    pub(crate) fn append(&self, event: &JournalEvent) -> io::Result<()> {
        if event.step().is_some() {
            self.peers().steps += 1;
        }
        self.journal.write(event)
    }

    /// Notes a step and waits until all have noted theirs; returns them by rank. Calls `progress` between two readings.
    pub(crate) fn sync_step(
        &self,
        event: &JournalEvent,
        patience: Duration,
        progress: impl Fn(),
    ) -> Result<Vec<JournalEvent>, SyncError> {
        self.append(event)?;
        let patience = limit::step_timeout(patience);
        let start = Instant::now();
        let mut nap = MAX_SLEEP / 20;
        loop {
            if let Some(all) = self.peers().all(event)? {
                return Ok(all);
            }
            if let Some(gone) = self.peers().find_gone(LIVENESS_INTERVAL)? {
                return Err(SyncError::Exited(gone));
            }
            if start.elapsed() > patience {
                let silent = self.peers().missing();
                return Err(SyncError::TimedOut(silent, patience));
            }
            progress();
            thread::sleep(nap);
            nap = (nap * 2).min(MAX_SLEEP);
        }
    }

    /// Has a rank failed in run `id`, or ended since it began? Its partners may wait for it without success.
    pub(crate) fn has_failure(&self, id: &RunId) -> io::Result<bool> {
        let mut others = self.peers();
        others.refresh()?;
        let lost = |reader: &JournalReader| match reader.last_step() {
            Some(JournalEvent::RankEnded(run, entry)) if run == id => entry.is_failure(),
            // A rank at a later step has ended the run well.
            Some(event) if event.step().is_some_and(|(what, run, _)| (what, run) == ("swept", id)) => false,
            _ => is_gone(&reader.events),
        };
        Ok(others.readers.iter().any(lost))
    }

    /// Has every process written the end of run `id`, or ended?
    pub(crate) fn have_all_ended(&self, id: &RunId) -> io::Result<bool> {
        let mut others = self.peers();
        others.refresh()?;
        let ended = |reader: &JournalReader| match reader.last_step() {
            Some(JournalEvent::RankEnded(run, _)) if run == id => true,
            _ => is_gone(&reader.events),
        };
        Ok(others.readers.iter().all(ended))
    }

    /// Has every process that was late in run `id` and in no call written its activity, or ended?
    pub(crate) fn are_all_located(&self, id: &RunId) -> io::Result<bool> {
        let mut others = self.peers();
        others.refresh()?;
        let located = |reader: &JournalReader| match reader.last_step() {
            Some(JournalEvent::RankEnded(run, entry)) if run == id && entry.is_located_later() => {
                let is_it =
                    |event: &JournalEvent| matches!(event, JournalEvent::Activity(run, ..) if run == id);
                reader.events.iter().any(is_it) || is_gone(&reader.events)
            }
            _ => true,
        };
        Ok(others.readers.iter().all(located))
    }

    /// Has rank 0 shown its report, or ended?
    pub(crate) fn is_report_shown(&self) -> io::Result<bool> {
        let mut others = self.peers();
        others.refresh()?;
        let events = &others.readers[0].events;
        Ok(events.contains(&JournalEvent::Aborting) || is_gone(events))
    }

    /// All events that all have noted so far.
    pub(crate) fn evidence(&self) -> io::Result<Evidence> {
        let mut others = self.peers();
        others.refresh()?;
        let mut evidence = Evidence::default();
        others.readers.iter().enumerate().for_each(|(rank, reader)| evidence.add(rank, &reader.events));
        Ok(evidence)
    }
}

impl PeerJournals {
    fn refresh(&mut self) -> io::Result<()> {
        self.readers.iter_mut().try_for_each(JournalReader::refresh)
    }

    /// The events of all ranks at our step, once all have arrived.
    fn all(&mut self, mine: &JournalEvent) -> Result<Option<Vec<JournalEvent>>, SyncError> {
        let mut all = Vec::with_capacity(self.readers.len());
        for (rank, reader) in self.readers.iter_mut().enumerate() {
            // A rank that has not arrived is read alone: idle ranks leave the cores to others.
            if reader.step(self.steps).is_none() {
                reader.refresh()?;
            }
            let Some(theirs) = reader.step(self.steps) else { return Ok(None) };
            if theirs.step() != mine.step() {
                let (theirs, mine) = (describe(theirs), describe(mine));
                return Err(SyncError::StepMismatch { rank, theirs, mine });
            }
            all.push(theirs.clone());
        }
        Ok(Some(all))
    }

    fn missing(&self) -> Vec<usize> {
        let came = |reader: &JournalReader| reader.step(self.steps).is_some();
        self.readers.iter().enumerate().filter(|(_, reader)| !came(reader)).map(|(rank, _)| rank).collect()
    }

    /// The processes that have not arrived and have ended; checked at intervals.
    fn find_gone(&mut self, every: Duration) -> io::Result<Option<Vec<usize>>> {
        if self.checked_at.elapsed() < every {
            return Ok(None);
        }
        self.checked_at = Instant::now();
        let mut missing = self.missing();
        missing.retain(|&rank| is_gone(&self.readers[rank].events));
        if missing.is_empty() {
            return Ok(None);
        }
        // A process may have arrived and then ended since its journal was read; now it writes no more.
        self.refresh()?;
        missing.retain(|&rank| self.readers[rank].step(self.steps).is_none());
        Ok(Some(missing).filter(|gone| !gone.is_empty()))
    }
}

fn describe(event: &JournalEvent) -> String {
    event.step().map_or_else(String::new, |(what, id, _)| {
        format!("{} (P = {}, {what} {})", id.test, id.ranks, id.input + 1)
    })
}

/// Has the process that wrote these events ended? Unknown, and therefore not, of a process on another host: its launcher ends
/// the job when it ends, and waiting ends by its deadline.
fn is_gone(events: &[JournalEvent]) -> bool {
    let has_ended =
        |event: &JournalEvent| matches!(event, JournalEvent::Started { process, .. } if process.has_ended());
    events.iter().any(has_ended)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::rank_report::{RankOutcome, RankReport};

    const SOON: Duration = Duration::from_millis(300);

    fn run(case: &str) -> RunId {
        RunId { test: case.into(), ranks: 2, input: 0 }
    }

    fn two() -> (tempfile::TempDir, Rendezvous, Rendezvous) {
        let folder = tempfile::tempdir().expect("a folder");
        let board = |rank| Rendezvous::open(folder.path(), rank, 2).expect("a journal");
        let (zero, one) = (board(0), board(1));
        (folder, zero, one)
    }

    #[test]
    fn who_comes_last_sees_all() {
        let (_folder, zero, one) = two();
        let event =
            |rank| JournalEvent::RankEnded(run("t"), Box::new(RankReport::new(rank, RankOutcome::Returned)));
        thread::scope(|scope| {
            let waits = scope.spawn(|| zero.sync_step(&event(0), SOON * 20, || {}).expect("both come"));
            thread::sleep(Duration::from_millis(20));
            assert_eq!(one.sync_step(&event(1), SOON, || {}).expect("both are there"), [event(0), event(1)]);
            assert_eq!(waits.join().expect("no panic"), [event(0), event(1)]);
        });
    }

    #[test]
    fn whoever_does_not_come_is_named() {
        let (_folder, zero, _one) = two();
        let lost = zero.sync_step(&JournalEvent::Ready(run("t")), SOON, || {}).expect_err("nobody comes");
        assert!(matches!(lost, SyncError::TimedOut(ranks, _) if ranks == [1]));
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn whoever_came_and_then_ended_is_not_missed() {
        let folder = tempfile::tempdir().expect("a folder");
        let zero = Rendezvous::open(folder.path(), 0, 2).expect("a journal");
        let journal = Journal::create(folder.path(), 1).expect("a journal");
        let mut child = std::process::Command::new("true").spawn().expect("a process");
        journal
            .write(&JournalEvent::started(ProcessIdentity::of(child.id()).expect("not collected")))
            .expect("written");
        child.wait().expect("its end");
        let mut others = zero.peers();
        others.steps = 1;
        others.refresh().expect("readable");
        assert_eq!(others.find_gone(Duration::ZERO).expect("readable"), Some(vec![1]));
        // Written after the last reading: the process alone looks lost.
        journal.write(&JournalEvent::Ready(run("t"))).expect("written");
        assert_eq!(others.find_gone(Duration::ZERO).expect("readable"), None);
    }

    #[test]
    fn different_tests_are_out_of_step() {
        let (_folder, zero, one) = two();
        one.append(&JournalEvent::Ready(run("b"))).expect("written");
        let lost = zero.sync_step(&JournalEvent::Ready(run("a")), SOON, || {}).expect_err("they differ");
        assert!(matches!(lost, SyncError::StepMismatch { rank: 1, .. }), "{lost}");
    }

    #[test]
    fn a_failed_rank_is_seen_by_the_others() {
        let (_folder, zero, one) = two();
        assert!(!zero.has_failure(&run("t")).expect("readable"));
        one.append(&JournalEvent::RankEnded(run("t"), Box::new(RankReport::new(1, RankOutcome::Panicked))))
            .expect("written");
        assert!(zero.has_failure(&run("t")).expect("readable"));
        assert!(!zero.has_failure(&run("u")).expect("readable"));
    }
}

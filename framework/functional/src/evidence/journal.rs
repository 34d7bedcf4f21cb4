//! The journal of one process: a file of lines that it alone writes and every process may read while it grows.
//!
//! A line is appended with one write, and a reader takes whole lines only. So the processes of a job can synchronise
//! through these files without any call to a message-passing library: it works while that library is stuck, and the
//! lines of a process remain after its end.
use std::{
    fs::{File, OpenOptions},
    io::{self, Read, Write},
    path::{Path, PathBuf},
    time::Duration,
};

use serde::{Deserialize, Serialize};
use wb_comm::{Finding, Rank};
use wb_process::{ProcessIdentity, identity, stack::ThreadActivity};

use crate::{evidence::rank_report::RankReport, test::test_case::RunId};

/// The suffix of a journal's name.
pub(crate) const JOURNAL: &str = "journal";

/// An event of a process.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum JournalEvent {
    Started {
        process: ProcessIdentity,
        /// The name of its host.
        host: String,
    },
    /// It begins a test, at this number of ranks, with this number of inputs.
    Test {
        /// Test, ranks, and 0.
        id: RunId,
        /// The number of inputs.
        inputs: usize,
    },
    /// It is about to begin a run.
    Ready(RunId),
    /// How a rank ended the run.
    RankEnded(RunId, Box<RankReport>),
    /// The activity of a rank that did not return, after its end was noted: finding the line takes a moment.
    Activity(RunId, Rank, ThreadActivity),
    /// These ranks have noted their end, and their thread or process does not end.
    Unterminated(RunId, Vec<Rank>, Option<ThreadActivity>),
    /// Later findings.
    Leaks(RunId, LeakReport),
    /// It has done all runs of a test at a number of ranks, up to the first that fails.
    Done(RunId),
    /// The findings of the replay of a run that ends its job, and their time after its beginning.
    Diagnosed(RunId, Duration, Vec<Finding>),
    /// It leaves a job that cannot continue. Rank 0 has shown the report by then, so the others may end.
    Aborting,
    /// It exits in an orderly way.
    Exiting,
}

/// The leaks of a run after all ranks have ended it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct LeakReport {
    /// Messages that no rank received, requests that no rank waited for, windows that no rank freed; on threads also
    /// the reason why no rank could continue.
    pub(crate) findings: Vec<Finding>,
    /// Of processes: the findings of the replay of all their transcripts.
    pub(crate) replayed: Vec<Finding>,
    /// Processes that it had started and left running; they have been ended.
    pub(crate) processes: Vec<String>,
}

impl LeakReport {
    /// Adds the findings of another process.
    pub(crate) fn merge(&mut self, other: &Self) {
        self.findings.extend_from_slice(&other.findings);
        self.replayed.extend_from_slice(&other.replayed);
        self.processes.extend_from_slice(&other.processes);
    }

    /// All findings, without repetition: the findings of the replay have the lines of both sides.
    pub(crate) fn all(&self) -> Vec<Finding> {
        let is_replayed =
            |finding: &&Finding| self.replayed.iter().any(|replayed| replayed.code == finding.code);
        let seen = self.findings.iter().filter(|finding| !is_replayed(finding));
        self.replayed.iter().chain(seen).cloned().collect()
    }
}

impl JournalEvent {
    /// A process on this host has started.
    pub(crate) fn started(process: ProcessIdentity) -> Self {
        Self::Started { process, host: identity::host_name() }
    }

    /// The step that all processes of a job have in common; `None` for events of a single process.
    pub(crate) fn step(&self) -> Option<(&'static str, &RunId, usize)> {
        match self {
            Self::Test { id, inputs } => Some(("case", id, *inputs)),
            Self::Ready(id) => Some(("ready", id, 0)),
            Self::RankEnded(id, _) => Some(("end", id, 0)),
            Self::Leaks(id, _) => Some(("swept", id, 0)),
            Self::Done(id) => Some(("done", id, 0)),
            Self::Started { .. } | Self::Activity(..) | Self::Diagnosed(..) => None,
            Self::Unterminated(..) | Self::Aborting | Self::Exiting => None,
        }
    }
}

/// The writing end.
#[derive(Debug)]
pub(crate) struct Journal(File);

impl Journal {
    /// The journal of `rank` in the folder of a job, empty.
    pub(crate) fn create(folder: &Path, rank: usize) -> io::Result<Self> {
        OpenOptions::new().append(true).create_new(true).open(path(folder, rank)).map(Self)
    }

    /// Appends one line.
    pub(crate) fn write(&self, event: &JournalEvent) -> io::Result<()> {
        let mut line = serde_json::to_string(event)?;
        line.push('\n');
        (&self.0).write_all(line.as_bytes())
    }
}

/// The reading end: all events so far, and later ones.
#[derive(Debug)]
pub(crate) struct JournalReader {
    path: PathBuf,
    file: Option<File>,
    /// The beginning of an incomplete line.
    partial: Vec<u8>,
    /// The events that were read so far.
    pub(crate) events: Vec<JournalEvent>,
    /// Which of the events are steps.
    steps: Vec<usize>,
}

impl JournalReader {
    /// The journal of `rank` in the folder of a job, which need not exist yet.
    pub(crate) fn new(folder: &Path, rank: usize) -> Self {
        Self { path: path(folder, rank), file: None, partial: Vec::new(), events: vec![], steps: vec![] }
    }

    /// Reads the new events; a journal that does not exist has none.
    pub(crate) fn refresh(&mut self) -> io::Result<()> {
        if self.file.is_none() {
            match File::open(&self.path) {
                Ok(file) => self.file = Some(file),
                Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
                Err(error) => return Err(error),
            }
        }
        if let Some(file) = &mut self.file {
            file.read_to_end(&mut self.partial)?;
        }
        let Some(end) = self.partial.iter().rposition(|byte| *byte == b'\n') else { return Ok(()) };
        let rest = self.partial.split_off(end + 1);
        let lines = std::mem::replace(&mut self.partial, rest);
        for line in lines.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
            let event = parse(line)?;
            if event.step().is_some() {
                self.steps.push(self.events.len());
            }
            self.events.push(event);
        }
        Ok(())
    }

    /// Whether the process has written by now that it exits, or that it leaves a job that cannot continue.
    pub(crate) fn has_ending(&mut self) -> bool {
        let is_ending = |event| matches!(event, &JournalEvent::Aborting | &JournalEvent::Exiting);
        // A journal that cannot be read says nothing.
        self.refresh().is_ok() && self.events.iter().any(is_ending)
    }

    pub(crate) fn step(&self, number: usize) -> Option<&JournalEvent> {
        self.steps.get(number.checked_sub(1)?).map(|&index| &self.events[index])
    }

    pub(crate) fn last_step(&self) -> Option<&JournalEvent> {
        self.step(self.steps.len())
    }
}

fn parse(line: &[u8]) -> io::Result<JournalEvent> {
    let text = || String::from_utf8_lossy(line).into_owned();
    serde_json::from_slice(line).map_err(|_| io::Error::new(io::ErrorKind::InvalidData, text()))
}

/// The path of the journal of `rank`.
fn path(folder: &Path, rank: usize) -> PathBuf {
    folder.join(format!("rank-{rank}.{JOURNAL}"))
}

#[cfg(test)]
mod tests {
    use wb_comm::Code;

    use super::*;
    use crate::evidence::rank_report::RankOutcome;

    #[test]
    fn what_is_written_is_read_also_while_it_grows() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut reader = JournalReader::new(folder.path(), 1);
        reader.refresh().expect("nothing to read");
        assert!(reader.events.is_empty());

        let journal = Journal::create(folder.path(), 1).expect("a journal");
        let id = RunId { test: "a::b".into(), ranks: 2, input: 3 };
        let left = Finding {
            code: Code::UnreceivedMessage,
            rank: 0,
            locations: vec![],
            details: vec![wb_comm::Text::verbatim("to rank 1")],
        };
        let swept =
            LeakReport { findings: vec![left.clone()], replayed: vec![], processes: vec!["sleep".into()] };
        let events = [
            JournalEvent::Started {
                process: "7-4711-boot.1".parse().expect("a process"),
                host: "node1".into(),
            },
            JournalEvent::Test { id: id.clone(), inputs: 4 },
            JournalEvent::Ready(id.clone()),
            JournalEvent::RankEnded(id.clone(), Box::new(RankReport::new(1, RankOutcome::Exited))),
            JournalEvent::Unterminated(id.clone(), vec![0, 1], None),
            JournalEvent::Leaks(id.clone(), swept),
            JournalEvent::Diagnosed(id.clone(), Duration::from_nanos(17), vec![left.clone()]),
            JournalEvent::Done(id),
            JournalEvent::Aborting,
            JournalEvent::Exiting,
        ];
        for (already, event) in events.iter().enumerate() {
            journal.write(event).expect("written");
            reader.refresh().expect("readable");
            assert_eq!(reader.events, events[..=already]);
        }
    }

    #[test]
    fn a_process_ends_when_it_has_written_that_it_exits_or_leaves_the_job() {
        for ending in [JournalEvent::Exiting, JournalEvent::Aborting] {
            let folder = tempfile::tempdir().expect("a folder");
            let mut reader = JournalReader::new(folder.path(), 0);
            assert!(!reader.has_ending());
            let journal = Journal::create(folder.path(), 0).expect("a journal");
            journal.write(&JournalEvent::started(ProcessIdentity::current())).expect("written");
            assert!(!reader.has_ending());
            journal.write(&ending).expect("written");
            assert!(reader.has_ending());
        }
    }

    #[test]
    fn half_a_line_is_not_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut reader = JournalReader::new(folder.path(), 0);
        let file = folder.path().join("rank-0.journal");
        std::fs::write(&file, "\"Exiting\"\n\"Abort").expect("written");
        reader.refresh().expect("readable");
        assert_eq!(reader.events, [JournalEvent::Exiting]);
        let mut file = OpenOptions::new().append(true).open(file).expect("there");
        file.write_all(b"ing\"\n").expect("written");
        reader.refresh().expect("readable");
        assert_eq!(reader.events, [JournalEvent::Exiting, JournalEvent::Aborting]);
    }
}

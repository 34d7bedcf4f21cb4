//! The journal of one process: a file of lines that it alone writes and everybody may read while it grows.
//!
//! A line is appended with one write, and a reader takes whole lines only. That makes the files of a job's processes a
//! place to agree on without any call to a message-passing library: it works while that library is stuck, and what a
//! process wrote stays when the process is gone.
use std::{
    fs::{File, OpenOptions},
    io::{self, Read, Write},
    path::{Path, PathBuf},
    time::Duration,
};

use serde_json::{Value, json};
use wb_comm::{Finding, Rank};
use wb_process::stack::Doing;

use super::{
    entry::{self, Entry, number},
    question::RunId,
    told,
};

/// How the name of a journal ends.
pub(super) const JOURNAL: &str = "journal";

/// What a process notes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Event {
    /// It is here.
    Hello {
        /// Its process identifier.
        pid: u32,
    },
    /// It comes to a test, at this number of ranks, with so many inputs.
    Case {
        /// Test, ranks, and 0.
        id: RunId,
        /// How many inputs.
        inputs: usize,
    },
    /// It is about to begin a run.
    Ready(RunId),
    /// How a rank came out of the run.
    End(RunId, Box<Entry>),
    /// What a rank was doing that had to be left, after its end was noted: to find the line takes a moment.
    Doing(RunId, Rank, Doing),
    /// These ranks have noted their end, and their thread or process does not end.
    Unended(RunId, Vec<Rank>, Option<Doing>),
    /// What was found afterwards.
    Swept(RunId, Swept),
    /// It has done all runs of a test at a number of ranks, as far as there is any sense in it.
    Done(RunId),
    /// What all transcripts of a run that ends its job say, known so long after its beginning.
    Named(RunId, Duration, Vec<Finding>),
    /// It has shown the report of a job that ends early: the others may go.
    Told,
    /// It exits in an orderly way.
    Bye,
}

/// What is left of a run when all ranks are out of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Swept {
    /// Messages that nobody received, requests that nobody waited for, windows that nobody freed; on threads also why
    /// nobody could go on.
    pub(super) findings: Vec<Finding>,
    /// Of processes: what all their transcripts together say.
    pub(super) retold: Vec<Finding>,
    /// Processes that it had started and left running; they have been ended.
    pub(super) processes: Vec<String>,
}

impl Swept {
    /// Takes in what another process has found.
    pub(super) fn add(&mut self, other: &Self) {
        self.findings.extend_from_slice(&other.findings);
        self.retold.extend_from_slice(&other.retold);
        self.processes.extend_from_slice(&other.processes);
    }

    /// Everything, once: what was retold has the lines of both sides.
    pub(super) fn all(&self) -> Vec<Finding> {
        let retold = |finding: &&Finding| self.retold.iter().any(|told| told.code == finding.code);
        let seen = self.findings.iter().filter(|finding| !retold(finding));
        self.retold.iter().chain(seen).cloned().collect()
    }
}

impl Event {
    /// What all processes of a job have to do alike; `None` for events that are a process's own.
    pub(super) fn step(&self) -> Option<(&'static str, &RunId, usize)> {
        match self {
            Self::Case { id, inputs } => Some(("case", id, *inputs)),
            Self::Ready(id) => Some(("ready", id, 0)),
            Self::End(id, _) => Some(("end", id, 0)),
            Self::Swept(id, _) => Some(("swept", id, 0)),
            Self::Done(id) => Some(("done", id, 0)),
            Self::Hello { .. } | Self::Doing(..) | Self::Named(..) => None,
            Self::Unended(..) | Self::Told | Self::Bye => None,
        }
    }

    fn to_json(&self) -> Value {
        match self {
            Self::Hello { pid } => json!({ "event": "hello", "pid": pid }),
            Self::Case { id, inputs } => json!({ "event": "case", "run": run(id), "inputs": inputs }),
            Self::Ready(id) => json!({ "event": "ready", "run": run(id) }),
            Self::End(id, entry) => json!({ "event": "end", "run": run(id), "entry": entry.to_json() }),
            Self::Doing(id, rank, doing) => {
                json!({ "event": "doing", "run": run(id), "rank": rank, "doing": entry::doing(doing) })
            }
            Self::Unended(id, ranks, doing) => {
                let doing = doing.as_ref().map(entry::doing);
                json!({ "event": "unended", "run": run(id), "ranks": ranks, "doing": doing })
            }
            Self::Swept(id, Swept { findings, retold, processes }) => {
                let (id, findings, retold) = (run(id), list(findings), list(retold));
                json!({
                    "event": "swept", "run": id, "findings": findings, "retold": retold, "processes": processes
                })
            }
            Self::Done(id) => json!({ "event": "done", "run": run(id) }),
            Self::Named(id, after, retold) => {
                let after_ns = u64::try_from(after.as_nanos()).unwrap_or(u64::MAX);
                json!({ "event": "named", "run": run(id), "after_ns": after_ns, "retold": list(retold) })
            }
            Self::Told => json!({ "event": "told" }),
            Self::Bye => json!({ "event": "bye" }),
        }
    }

    fn from_json(value: &Value) -> Option<Self> {
        let id = || run_id(&value["run"]);
        Some(match value["event"].as_str()? {
            "hello" => Self::Hello { pid: u32::try_from(value["pid"].as_u64()?).ok()? },
            "case" => Self::Case { id: id()?, inputs: number(&value["inputs"])? },
            "ready" => Self::Ready(id()?),
            "end" => Self::End(id()?, Box::new(Entry::from_json(&value["entry"])?)),
            "doing" => Self::Doing(id()?, number(&value["rank"])?, entry::doing_of(&value["doing"])?),
            "unended" => {
                let ranks = value["ranks"].as_array()?.iter().map(number).collect::<Option<_>>()?;
                Self::Unended(id()?, ranks, entry::doing_of(&value["doing"]))
            }
            "swept" => Self::Swept(id()?, swept(value)?),
            "done" => Self::Done(id()?),
            "named" => {
                let after = Duration::from_nanos(value["after_ns"].as_u64()?);
                Self::Named(id()?, after, list_of(&value["retold"])?)
            }
            "told" => Self::Told,
            "bye" => Self::Bye,
            _ => return None,
        })
    }
}

fn run(id: &RunId) -> Value {
    json!([id.case, id.ranks, id.input])
}

fn run_id(value: &Value) -> Option<RunId> {
    let case = value[0].as_str()?.to_owned();
    Some(RunId { case, ranks: number(&value[1])?, input: number(&value[2])? })
}

fn swept(value: &Value) -> Option<Swept> {
    let names = value["processes"].as_array()?.iter().filter_map(|name| name.as_str().map(str::to_owned));
    let (findings, retold) = (list_of(&value["findings"])?, list_of(&value["retold"])?);
    Some(Swept { findings, retold, processes: names.collect() })
}

fn list(findings: &[Finding]) -> Value {
    Value::from_iter(findings.iter().map(told::finding))
}

fn list_of(value: &Value) -> Option<Vec<Finding>> {
    value.as_array()?.iter().map(told::finding_of).collect()
}

/// The writing end.
#[derive(Debug)]
pub(super) struct Journal(File);

impl Journal {
    /// The journal of `rank` in the folder of a job, empty.
    pub(super) fn create(folder: &Path, rank: usize) -> io::Result<Self> {
        OpenOptions::new().append(true).create_new(true).open(path(folder, rank)).map(Self)
    }

    /// Appends one line.
    pub(super) fn write(&self, event: &Event) -> io::Result<()> {
        let mut line = event.to_json().to_string();
        line.push('\n');
        (&self.0).write_all(line.as_bytes())
    }
}

/// The reading end: all events so far, and those that come.
#[derive(Debug)]
pub(super) struct Reader {
    path: PathBuf,
    file: Option<File>,
    /// The beginning of a line whose end has not come yet.
    partial: Vec<u8>,
    /// What was read so far.
    pub(super) events: Vec<Event>,
    /// Which of the events are steps.
    steps: Vec<usize>,
}

impl Reader {
    /// Of the journal of `rank` in the folder of a job, which need not be there yet.
    pub(super) fn of(folder: &Path, rank: usize) -> Self {
        Self { path: path(folder, rank), file: None, partial: Vec::new(), events: vec![], steps: vec![] }
    }

    /// Reads what has come since; a journal that is not there has nothing.
    pub(super) fn refresh(&mut self) -> io::Result<()> {
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

    /// The step of this number, from 1.
    pub(super) fn step(&self, number: usize) -> Option<&Event> {
        self.steps.get(number.checked_sub(1)?).map(|&index| &self.events[index])
    }

    /// The last step.
    pub(super) fn last_step(&self) -> Option<&Event> {
        self.step(self.steps.len())
    }
}

fn parse(line: &[u8]) -> io::Result<Event> {
    let unreadable =
        || io::Error::new(io::ErrorKind::InvalidData, String::from_utf8_lossy(line).into_owned());
    serde_json::from_slice(line).ok().as_ref().and_then(Event::from_json).ok_or_else(unreadable)
}

/// Where the journal of `rank` lies.
fn path(folder: &Path, rank: usize) -> PathBuf {
    folder.join(format!("rank-{rank}.{JOURNAL}"))
}

#[cfg(test)]
mod tests {
    use wb_comm::Code;

    use super::*;
    use crate::functional::entry::How;

    #[test]
    fn what_is_written_is_read_also_while_it_grows() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut reader = Reader::of(folder.path(), 1);
        reader.refresh().expect("nothing to read");
        assert!(reader.events.is_empty());

        let journal = Journal::create(folder.path(), 1).expect("a journal");
        let id = RunId { case: "a::b".into(), ranks: 2, input: 3 };
        let left = Finding {
            code: Code::Unread,
            rank: 0,
            places: vec![],
            details: vec![wb_comm::Text::verbatim("to rank 1")],
        };
        let swept = Swept { findings: vec![left.clone()], retold: vec![], processes: vec!["sleep".into()] };
        let events = [
            Event::Hello { pid: 7 },
            Event::Case { id: id.clone(), inputs: 4 },
            Event::Ready(id.clone()),
            Event::End(id.clone(), Box::new(Entry::of(1, How::Left))),
            Event::Unended(id.clone(), vec![0, 1], None),
            Event::Swept(id.clone(), swept),
            Event::Named(id.clone(), Duration::from_nanos(17), vec![left.clone()]),
            Event::Done(id),
            Event::Told,
            Event::Bye,
        ];
        for (already, event) in events.iter().enumerate() {
            journal.write(event).expect("written");
            reader.refresh().expect("readable");
            assert_eq!(reader.events, events[..=already]);
        }
    }

    #[test]
    fn half_a_line_is_not_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut reader = Reader::of(folder.path(), 0);
        let file = folder.path().join("rank-0.journal");
        std::fs::write(&file, "{\"event\":\"bye\"}\n{\"event\":").expect("written");
        reader.refresh().expect("readable");
        assert_eq!(reader.events, [Event::Bye]);
        let mut file = OpenOptions::new().append(true).open(file).expect("there");
        file.write_all(b"\"told\"}\n").expect("written");
        reader.refresh().expect("readable");
        assert_eq!(reader.events, [Event::Bye, Event::Told]);
    }
}

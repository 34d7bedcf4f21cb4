//! The log of a rank of a program that is not a task: what a library that is preloaded into the program writes, call by call, and a reader
//! makes a [`RankTrace`] from.
//!
//! The file is mapped into the memory of the rank, so it holds all finished calls even if the rank is killed. It begins with
//! [`LOG_HEADER_BYTES`] bytes: the length of the entries, the calls that were left out, and their time in nanoseconds, each as 8 bytes in the order
//! of the machine. The entries follow, in MessagePack. A communicator and a call have the number of their place among their kind.

use std::io;

use serde::{Deserialize, Serialize};

use crate::{RankTrace, SourceCall, TraceCommunicator, TraceEvent, UnrecordedCalls};

/// The bytes of a log before its first entry.
pub const LOG_HEADER_BYTES: usize = 24;

/// An entry of a log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum LogEntry {
    /// The rank is initialised: the first entry.
    Start(LogStart),
    /// The next communicator.
    Communicator(TraceCommunicator),
    /// The next place that calls a function.
    Call(LoggedCall),
    /// A call has returned.
    Event(TraceEvent),
    /// The rank enters `MPI_Finalize`: the last entry.
    End(LogEnd),
}

/// The rank at its start.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogStart {
    /// The rank.
    pub rank: u32,
    /// The number of ranks.
    pub ranks: u32,
    /// When `MPI_Init` returned.
    pub begin_ns: u64,
    /// The identity of the clock: times of ranks with the same one can be compared.
    pub clock: String,
    /// The program's file.
    pub program: String,
    /// The granted thread level, for example `MPI_THREAD_SINGLE`.
    pub thread_level: String,
}

/// The end of a rank that called `MPI_Finalize`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogEnd {
    /// When `MPI_Finalize` was called.
    pub end_ns: u64,
    /// The calls of functions that are not recorded.
    pub unrecorded: Vec<UnrecordedCalls>,
}

/// A function that is called at a place of the program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoggedCall {
    /// The function, for example `MPI_Recv`.
    pub function: String,
    /// The place.
    pub site: LoggedSite,
}

/// A place of a program.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum LoggedSite {
    /// A line of an interpreted program.
    Line {
        /// The file.
        file: String,
        /// The line, from 1.
        line: u32,
    },
    /// An instruction of a program or a library: its distance from the first byte that was loaded.
    Address {
        /// The file.
        module: String,
        /// The distance, in bytes.
        offset: u64,
    },
}

impl LogEntry {
    /// Writes the entry to the begin of `memory` and returns its length; `None` if it does not fit.
    // Compiled with its caller, which is optimised: records are not.
    #[inline]
    pub fn write(&self, memory: &mut [u8]) -> Option<usize> {
        let mut rest = io::Cursor::new(memory);
        rmp_serde::encode::write(&mut rest, self).ok()?;
        usize::try_from(rest.position()).ok()
    }
}

/// A log that was read.
#[derive(Clone, Debug, PartialEq)]
pub struct RankLog {
    /// The start of the rank.
    pub start: LogStart,
    /// Its trace. A call that is known by its address has the module as its file, and line 0.
    pub trace: RankTrace,
    /// The places of [`RankTrace::calls`].
    pub sites: Vec<LoggedSite>,
}

/// The error of a file that is not a log.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LogError {
    /// The file is shorter than it says, or has no start.
    #[error("the log is incomplete")]
    Incomplete,
    /// An entry cannot be decoded.
    #[error("not an entry of a log: {0}")]
    Entry(#[from] rmp_serde::decode::Error),
}

impl RankLog {
    /// Reads the log in `bytes`.
    ///
    /// # Errors
    /// [`LogError`].
    pub fn parse(bytes: &[u8]) -> Result<Self, LogError> {
        let (header, bytes) = bytes.split_at_checked(LOG_HEADER_BYTES).ok_or(LogError::Incomplete)?;
        let word = |at: usize| u64::from_ne_bytes(std::array::from_fn(|byte| header[8 * at + byte]));
        let length = usize::try_from(word(0)).map_err(|_| LogError::Incomplete)?;
        let mut entries = bytes.get(..length).ok_or(LogError::Incomplete)?;
        let (mut start, mut end, mut sites) = (None, None, vec![]);
        let mut trace = RankTrace { left_out: word(1), left_out_ns: word(2), ..RankTrace::default() };
        while !entries.is_empty() {
            match rmp_serde::from_read(&mut entries)? {
                LogEntry::Start(entry) => start = Some(entry),
                LogEntry::Communicator(communicator) => trace.communicators.push(communicator),
                LogEntry::Call(LoggedCall { function, site }) => {
                    let (file, line) = match &site {
                        LoggedSite::Line { file, line } => (file.clone(), *line),
                        LoggedSite::Address { module, .. } => (module.clone(), 0),
                    };
                    trace.calls.push(SourceCall { verb: function, file, line });
                    sites.push(site);
                }
                LogEntry::Event(event) => trace.events.push(event),
                LogEntry::End(entry) => end = Some(entry),
            }
        }
        let start: LogStart = start.ok_or(LogError::Incomplete)?;
        trace.begin_ns = start.begin_ns;
        trace.is_unfinished = end.is_none();
        let last_ns = trace.events.last().map_or(start.begin_ns, |event| event.end_ns);
        let LogEnd { end_ns, unrecorded } = end.unwrap_or(LogEnd { end_ns: last_ns, unrecorded: vec![] });
        (trace.end_ns, trace.unrecorded) = (end_ns, unrecorded);
        Ok(Self { start, trace, sites })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Envelope, EventKind};

    fn entries() -> Vec<LogEntry> {
        let (clock, program) = ("7f3a".to_owned(), "/bin/program".to_owned());
        let thread_level = "MPI_THREAD_SINGLE".to_owned();
        let event = |begin_ns, act| {
            LogEntry::Event(TraceEvent { call: 0, communicator: 0, begin_ns, end_ns: begin_ns + 5, act })
        };
        let to = Envelope { peer: 1, tag: -7, bytes: 1 << 40 };
        vec![
            LogEntry::Start(LogStart { rank: 1, ranks: 2, begin_ns: 7, clock, program, thread_level }),
            LogEntry::Communicator(TraceCommunicator {
                name: "world".into(),
                rank: 1,
                size: 2,
                sources: vec![],
            }),
            LogEntry::Call(LoggedCall {
                function: "MPI_Send".into(),
                site: LoggedSite::Address { module: "/bin/program".into(), offset: 0x1234 },
            }),
            event(10, EventKind::Send { to, synchronous: true }),
            event(20, EventKind::Exchange { to, from: to }),
            event(30, EventKind::Local),
            LogEntry::End(LogEnd {
                end_ns: 99,
                unrecorded: vec![UnrecordedCalls { function: "MPI_Put".into(), count: 3 }],
            }),
        ]
    }

    fn bytes(entries: &[LogEntry]) -> Vec<u8> {
        let mut memory = vec![0; 4096];
        let mut end = LOG_HEADER_BYTES;
        for entry in entries {
            end += entry.write(&mut memory[end..]).expect("it fits");
        }
        for (word, value) in memory.chunks_mut(8).zip([end - LOG_HEADER_BYTES, 4, 5]) {
            word.copy_from_slice(&(value as u64).to_ne_bytes());
        }
        memory
    }

    #[test]
    fn a_log_is_read_as_it_was_written() {
        let log = RankLog::parse(&bytes(&entries())).expect("readable");
        assert_eq!((log.trace.begin_ns, log.trace.end_ns), (7, 99));
        assert_eq!((log.trace.left_out, log.trace.left_out_ns), (4, 5));
        assert_eq!(log.trace.calls[0].file, "/bin/program");
        let written = entries();
        let events = written.iter().filter_map(|entry| match entry {
            LogEntry::Event(event) => Some(event.clone()),
            _ => None,
        });
        assert_eq!(log.trace.events, events.collect::<Vec<_>>());
        assert_eq!((log.trace.unrecorded[0].count, log.trace.is_unfinished), (3, false));
    }

    #[test]
    fn the_log_of_a_killed_rank_ends_with_its_last_call() {
        let mut entries = entries();
        entries.pop();
        let log = RankLog::parse(&bytes(&entries)).expect("readable");
        assert_eq!((log.trace.end_ns, log.trace.is_unfinished), (35, true));
    }

    #[test]
    fn a_file_that_is_not_a_log_is_refused() {
        let mut cut = bytes(&entries());
        cut.truncate(LOG_HEADER_BYTES + 20);
        for wrong in [&cut[..], &[], &[0; 100], &[1; 100]] {
            assert!(RankLog::parse(wrong).is_err());
        }
    }

    #[test]
    fn an_entry_that_does_not_fit_is_refused() {
        assert_eq!(entries()[0].write(&mut [0; 8]), None);
    }
}

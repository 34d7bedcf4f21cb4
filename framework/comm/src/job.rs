//! How ranks are started, and how they are observed from outside while they run.
//!
//! A harness runs a job on ranks that are processes ([`ProcessRanks`]: a launcher starts them, each takes its
//! [`JobHandle`]) or threads ([`ThreadRanks`]: one call starts them all). Both report the call that every rank is in
//! ([`BlockedCall`]) and the leaks ([`Finding`]).
use std::{any::Any, fmt, rc::Rc, sync::Arc, time::Duration};

use serde::{Deserialize, Serialize};

use crate::{
    CallLocation, CallSite, Code, Finding, Rank, Result, Source, Text, Transport, Verb,
    panic_place::RankPanic,
    text::{leaks, waiting},
};

/// A rank that is inside a call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlockedCall {
    /// The rank, in the job's numbering.
    pub rank: Rank,
    /// The call.
    pub verb: Verb,
    /// The rank it waits for, in the communicator's numbering; `None` for verbs without a single peer.
    pub peer: Option<Source>,
    /// The tag, if the verb has one; `None` also means any.
    pub tag: Option<i32>,
    /// The size in bytes of the payload or the receive buffer, if the verb has one.
    pub bytes: Option<usize>,
    /// The ranks that could end the wait, in the job's numbering: one of them is enough if the peer is any, all are
    /// needed otherwise. Empty if unknown.
    pub waits_for: Vec<Rank>,
    /// Whether the wait would end if the library buffered the message (`MPI_Send` in standard mode).
    pub is_bufferable: bool,
    /// The communicator or window of the call, if the backend knows it: its name, and the call that made it.
    pub communicator: Option<String>,
    /// For a wait: the call that started the operation, which [`peer`](Self::peer), [`tag`](Self::tag) and
    /// [`bytes`](Self::bytes) describe.
    pub started_at: Option<CallLocation>,
    /// Source file of the call.
    pub file: String,
    /// Line of the call.
    pub line: u32,
}

impl BlockedCall {
    /// The collective operation that the call is part of or waits for.
    pub fn collective(&self) -> Option<&str> {
        if self.verb.is_collective() {
            return Some(self.verb.name());
        }
        let started = &self.started_at.as_ref()?.call;
        let starts = |verb: &&Verb| verb.name() == started && verb.starts_collective();
        Verb::ALL.iter().find(starts).map(|verb| verb.name())
    }

    /// A rank inside a call without further details.
    pub fn new(rank: Rank, site: CallSite) -> Self {
        let (file, line) = (site.location.file().to_owned(), site.location.line());
        let bufferable = site.verb == Verb::Send;
        Self {
            rank,
            verb: site.verb,
            peer: None,
            tag: None,
            bytes: None,
            waits_for: Vec::new(),
            is_bufferable: bufferable,
            communicator: None,
            started_at: None,
            file,
            line,
        }
    }

    /// The line of the call.
    pub fn location(&self) -> CallLocation {
        let (call, file) = (self.verb.name().to_owned(), self.file.clone());
        CallLocation { rank: self.rank, call, file, line: self.line, made: None }
    }

    /// The lines of the call and, for a wait, of the call that started the operation.
    pub fn locations(&self) -> impl Iterator<Item = CallLocation> {
        std::iter::once(self.location()).chain(self.started_at.clone())
    }
}

impl BlockedCall {
    /// The call with its peer, tag and size: "recv from 1, tag 7, 24 bytes"; for a wait also the awaited operation:
    /// "wait for irecv from 1, tag 7, 24 bytes, started at a.rs:3".
    pub fn call(&self) -> Text {
        let verb = match &self.started_at {
            Some(started) => waiting::wait_for(self.verb.name(), &started.call),
            None => Text::verbatim(self.verb.name()),
        };
        let call = self.with_peer(verb);
        let tagged = match self.tag {
            Some(tag) => waiting::with_tag(call, tag),
            None => call,
        };
        let sized = match self.bytes {
            Some(bytes) => waiting::with_bytes(tagged, bytes),
            None => tagged,
        };
        match &self.started_at {
            Some(start) => start.with_made(waiting::started_at(sized, &start.file, start.line)),
            None => sized,
        }
    }

    /// The verb with the receiver or the source.
    fn with_peer(&self, verb: Text) -> Text {
        let started = self.started_at.as_ref().and_then(|place| Verb::from_name(&place.call));
        let sends = self.verb.sends() || started.is_some_and(Verb::sends);
        let receives = self.verb.receives() || started.is_some_and(Verb::receives);
        match self.peer {
            None => verb,
            Some(Source::Rank(peer)) if sends => waiting::call_to(verb, peer),
            Some(Source::Rank(peer)) if receives => waiting::call_from(verb, peer),
            Some(Source::Any) if receives => waiting::from_any(verb),
            // These send and receive: the peer may be either side.
            Some(Source::Rank(peer)) => waiting::call_awaiting(verb, peer),
            Some(Source::Any) => waiting::awaiting_any(verb),
        }
    }

    /// The description with rank and line.
    pub fn text(&self) -> Text {
        waiting::rank_in(self.rank, self.call(), &self.file, self.line)
    }
}

impl fmt::Display for BlockedCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text().fmt(f)
    }
}

/// A message that was sent and not received.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnreceivedMessage {
    /// The sender, in its communicator's numbering.
    pub source: Rank,
    /// The receiver, in its communicator's numbering.
    pub dest: Rank,
    /// The tag of the message.
    pub tag: i32,
    /// The size of the message in bytes.
    pub bytes: usize,
    /// The communicator: `"world"`, `"split 1 of world"`, ...
    pub communicator: String,
    /// The sender's call with its rank in the job, if the backend's messages carry it.
    pub sent_at: Option<CallLocation>,
}

impl From<UnreceivedMessage> for Finding {
    fn from(leftover: UnreceivedMessage) -> Self {
        let details = vec![leftover.text()];
        let rank = leftover.sent_at.as_ref().map_or(leftover.source, |place| place.rank);
        Self {
            code: Code::UnreceivedMessage,
            rank,
            locations: leftover.sent_at.into_iter().collect(),
            details,
        }
    }
}

impl UnreceivedMessage {
    /// The message with its sender, receiver, tag, size and communicator.
    pub fn text(&self) -> Text {
        let Self { source, dest: to, tag, bytes, communicator, .. } = self;
        leaks::leftover(*source, *to, *tag, *bytes, communicator)
    }
}

impl fmt::Display for UnreceivedMessage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text().fmt(f)
    }
}

/// The message-passing library a program is linked with, known before it is initialised.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LibraryInfo {
    /// `"Open MPI"`, `"MPICH"`, ...
    pub implementation: String,
    /// The library's own version text, one line.
    pub version: String,
    /// Launchers for it on this machine's `PATH`, best first.
    pub launchers: Vec<String>,
}

/// Ranks that are processes of one job, started by a launcher.
pub trait ProcessRanks: Sync {
    /// The library that this program is linked with; callable before [`init`](Self::init).
    fn library(&self) -> LibraryInfo;

    /// Joins the job, once per process; the thread that calls may differ from the one that uses the handle.
    ///
    /// # Errors
    /// [`Error::Setup`](crate::Error::Setup): already initialised, or the thread level is not provided.
    fn init(&self) -> Result<Rc<dyn JobHandle>>;

    /// The call that this process's rank is in; callable from any thread, at any time, without the library.
    fn blocked_call(&self) -> Option<BlockedCall>;

    /// Lets the library continue what other ranks wait for, such as acknowledgements; the thread of the rank calls it when it waits
    /// outside of the library. Open MPI's windows between hosts flush the connections to all ranks of the job, also to those that
    /// have no part in the window.
    fn progress(&self) {}

    /// The thread level that the library granted, e.g. `"multiple"`; `None` before [`init`](Self::init).
    fn thread_level(&self) -> Option<&'static str> {
        None
    }

    /// Makes the process end without `MPI_Finalize`, which is collective: another rank is lost.
    fn skip_finalize(&self);

    /// Calls `MPI_Finalize` now instead of at the exit of the process; does nothing if the exit would not call it
    /// either. It is for processes that end without exit handlers, because another library has exit handlers that
    /// crash.
    fn finalize(&self) {}
}

/// The handle of this process in a running job.
pub trait JobHandle {
    /// Rank in the whole job.
    fn rank(&self) -> Rank;

    /// Ranks in the whole job.
    fn size(&self) -> usize;

    /// Collective over the job: a new communicator of its first `size` ranks; `None` for the others.
    ///
    /// # Errors
    /// The library's error.
    fn open_communicator(&self, size: usize) -> Result<Option<Rc<dyn Transport>>>;

    /// The leaks since the last [`open_communicator`](Self::open_communicator). They are user messages that were not
    /// received, on every communicator made since, if they arrive within `timeout`; requests that were dropped without
    /// a wait; windows that were dropped without being freed. The messages are received now; if `timeout` is zero and
    /// no message is there, this returns immediately. Call it when all ranks have left the test case.
    ///
    /// # Errors
    /// The library's error.
    fn find_leaks(&self, timeout: Duration) -> Result<Vec<Finding>>;

    /// Collective over each communicator's members: frees the communicators made since the last
    /// [`open_communicator`](Self::open_communicator).
    ///
    /// # Errors
    /// The library's error.
    fn free_communicators(&self) -> Result<()>;

    /// As [`free_communicators`](Self::free_communicators), after a case with mismatched calls. The library keeps the
    /// contexts of its communicators: a message of a collective that some ranks did not call may still be in flight in
    /// one of them, and a later communicator with the same context would receive it.
    ///
    /// # Errors
    /// The library's error.
    fn close_after_failure(&self) -> Result<()>;
}

/// The function that every rank of a threads job runs: it gets its transport and returns any value.
pub type RankFunction = Arc<dyn Fn(Rc<dyn Transport>) -> Box<dyn Any + Send> + Send + Sync>;

/// How one rank of a threads job ended.
#[derive(Debug)]
pub enum RankTermination {
    /// The rank returned.
    Returned(Box<dyn Any + Send>),
    /// The rank panicked.
    Panicked(RankPanic),
    /// The rank had not returned when the job was given up (its thread is left behind).
    Unfinished,
    /// The rank was runnable when the job was given up, but this other rank did not yield: in virtual time one rank runs at a
    /// time.
    Starved(Rank),
}

/// The outcome of a threads job.
#[derive(Debug)]
pub struct JobOutcome {
    /// One per rank.
    pub ranks: Vec<RankTermination>,
    /// The calls of the ranks when the limit expired or when no rank could continue; empty otherwise.
    pub blocked: Vec<BlockedCall>,
    /// By rank, where calls went on when the job was stopped: the number of its calls, without polls that found nothing;
    /// empty otherwise. Such a job is slow, or a loop in it does not end. Its ranks do not wait for each other.
    pub calls: Vec<u64>,
    /// True when the limit ended the job.
    pub timed_out: bool,
    /// The backend's findings: why no rank could continue, or the leaks (messages only when every rank returned).
    pub findings: Vec<Finding>,
}

/// The conditions under which ranks run in virtual time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SimulationOptions {
    /// The machine: a name, or the path of a description.
    pub machine: String,
    /// Injected faults, in the backend's syntax: `slow:3:2.0`.
    pub faults: Vec<String>,
    /// Whether computing is charged as it is measured here, instead of as declared. Times then differ between runs.
    pub measure_computing: bool,
}

/// Ranks in virtual time, on machines that are known by name.
pub trait VirtualRanks: Sync {
    /// As [`ThreadRanks::run`], under these conditions; also returns the final clock of each rank in nanoseconds. Ranks
    /// that were given up have no clocks.
    ///
    /// # Errors
    /// [`Error::Setup`](crate::Error::Setup) if the machine or the fault does not exist, or not for this number of
    /// ranks; the text lists the valid ones.
    fn run(
        &self,
        conditions: &SimulationOptions,
        size: usize,
        limit: Option<Duration>,
        job: RankFunction,
    ) -> Result<(JobOutcome, Vec<u64>)>;
}

/// Ranks that are threads of this process.
pub trait ThreadRanks: Sync {
    /// Runs `job` on `size` ranks and returns when all have ended; with a `limit`, at the latest shortly after it:
    /// ranks that compute are lost, and while there are any, so are those that are blocked in a verb; else these get
    /// [`Error::Interrupted`](crate::Error::Interrupted).
    fn run(&self, size: usize, limit: Option<Duration>, job: RankFunction) -> JobOutcome;
}

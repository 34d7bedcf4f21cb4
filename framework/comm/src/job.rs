//! How ranks come to be, and what can be asked of them from outside while they run.
//!
//! A harness runs a job on ranks that are processes ([`Processes`]: a launcher starts them, each takes its [`Seat`]) or
//! threads ([`Threads`]: one call starts them all). Both can say where every rank stands ([`Blocked`]) and which
//! messages nobody received ([`Leftover`]).
use std::{any::Any, fmt, rc::Rc, sync::Arc, time::Duration};

use crate::{Rank, Result, Source, Transport, Verb};

/// A rank found inside a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blocked {
    /// The rank, in the job's numbering.
    pub rank: Rank,
    /// The call.
    pub verb: Verb,
    /// Whom it waits for, in the communicator's numbering; `None` for verbs without a single peer.
    pub peer: Option<Source>,
    /// The tag, where the verb has one; `None` also stands for any.
    pub tag: Option<i32>,
    /// The payload or the room for it in bytes, where the verb has one.
    pub bytes: Option<usize>,
    /// Source file of the call.
    pub file: String,
    /// Line of the call.
    pub line: u32,
}

impl fmt::Display for Blocked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "rank {} in {}", self.rank, self.verb)?;
        if let Some(peer) = self.peer {
            let word = match self.verb {
                Verb::Send | Verb::Ssend | Verb::Isend => "to",
                Verb::Recv | Verb::Irecv | Verb::Probe | Verb::Iprobe => "from",
                // These send and receive: the peer may be either side.
                _ => "waiting for",
            };
            write!(f, " {word} {peer}")?;
        }
        if let Some(tag) = self.tag {
            write!(f, ", tag {tag}")?;
        }
        if let Some(bytes) = self.bytes {
            write!(f, ", {bytes} bytes")?;
        }
        write!(f, "  at {}:{}", self.file, self.line)
    }
}

/// A message that was sent and that nobody received.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leftover {
    /// Who sent it, in its communicator's numbering.
    pub source: Rank,
    /// Whom it was for, in its communicator's numbering.
    pub to: Rank,
    /// Its tag.
    pub tag: i32,
    /// Its size.
    pub bytes: usize,
    /// Which communicator: `"world"`, `"split 1 of world"`, ...
    pub communicator: String,
}

impl fmt::Display for Leftover {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { source, to, tag, bytes, communicator } = self;
        write!(f, "from rank {source} to rank {to}, tag {tag}, {bytes} bytes, communicator {communicator}")
    }
}

/// The message-passing library a program is linked with, known before it is initialised.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Library {
    /// `"Open MPI"`, `"MPICH"`, ...
    pub flavour: String,
    /// Its own version text, one line.
    pub version: String,
    /// Programs that start jobs for it, best first, as found on this machine's `PATH`.
    pub launchers: Vec<String>,
}

/// Ranks that are processes of one job, started by a launcher.
pub trait Processes: Sync {
    /// What this program is linked with; callable before [`take_seat`](Self::take_seat).
    fn library(&self) -> Library;

    /// Joins the job, once per process; the thread that calls may differ from the one that uses the seat.
    ///
    /// # Errors
    /// [`Error::Setup`](crate::Error::Setup): already initialised, or the thread level is not provided.
    fn take_seat(&self) -> Result<Rc<dyn Seat>>;

    /// Where this process's rank stands; callable from any thread, at any time, without the library.
    fn current_call(&self) -> Option<Blocked>;

    /// The thread level that the library granted, e.g. `"multiple"`; `None` before the seat is taken.
    fn thread_level(&self) -> Option<&'static str> {
        None
    }

    /// From now on the process ends without the library's collective farewell (`MPI_Finalize`): somebody is lost.
    fn abandon(&self);

    /// The farewell (`MPI_Finalize`) now, which otherwise happens when the process exits; nothing where it would not
    /// happen then either. For processes that end without exit handlers, since a library beside this one has some that
    /// crash.
    fn leave(&self) {}
}

/// This process's place in a running job.
pub trait Seat {
    /// Rank in the whole job.
    fn rank(&self) -> Rank;

    /// Ranks in the whole job.
    fn size(&self) -> usize;

    /// Collective over the job: a fresh communicator of its first `size` ranks; `None` for the others.
    ///
    /// # Errors
    /// What the library says.
    fn open(&self, size: usize) -> Result<Option<Rc<dyn Transport>>>;

    /// Looks on every communicator made since the last [`open`](Self::open) for user messages that nobody received,
    /// receives them and returns all that were found within `patience` (returns at once when `patience` is zero and
    /// nothing is there). Call when all ranks are out of the case.
    ///
    /// # Errors
    /// What the library says.
    fn sweep(&self, patience: Duration) -> Result<Vec<Leftover>>;

    /// Requests that were dropped without being waited for, and windows dropped without being freed, since the last
    /// `open`.
    fn abandoned_requests(&self) -> usize;

    /// Collective over each communicator's members: frees what was made since the last `open`.
    ///
    /// # Errors
    /// What the library says.
    fn close(&self) -> Result<()>;
}

/// What every rank of a threads job runs: gets its transport, gives anything back.
pub type ThreadsJob = Arc<dyn Fn(Rc<dyn Transport>) -> Box<dyn Any + Send> + Send + Sync>;

/// How one rank of a threads job ended.
#[derive(Debug)]
pub enum Ended {
    /// It returned.
    Returned(Box<dyn Any + Send>),
    /// It panicked with this text.
    Panicked(String),
    /// It had not come back when the job was given up (its thread is left behind).
    Lost,
}

/// What a threads job leaves.
#[derive(Debug)]
pub struct Outcome {
    /// One per rank.
    pub ranks: Vec<Ended>,
    /// Where the ranks stood when the limit struck or when nobody could go on; empty otherwise.
    pub blocked: Vec<Blocked>,
    /// True when the limit ended the job.
    pub timed_out: bool,
    /// User messages that nobody received (only when every rank returned).
    pub leftovers: Vec<Leftover>,
    /// Requests that were dropped without being waited for, and windows that were dropped without being freed.
    pub abandoned_requests: usize,
}

/// Ranks in virtual time, on machines that are known by name.
pub trait Virtual: Sync {
    /// As [`Threads::run`], on the machine of this name or of the description in this file; gives also what the clock of each
    /// rank shows at the end, nanoseconds. Ranks that were given up have no clocks.
    ///
    /// # Errors
    /// [`Error::Setup`](crate::Error::Setup): there is no such machine, or not for so many ranks; the text says what there is.
    fn run(
        &self,
        machine: &str,
        size: usize,
        limit: Option<Duration>,
        job: ThreadsJob,
    ) -> Result<(Outcome, Vec<u64>)>;
}

/// Ranks that are threads of this process.
pub trait Threads: Sync {
    /// Runs `job` on `size` ranks and returns when all have ended; with a `limit`, at the latest shortly after it:
    /// ranks that stand in a verb get [`Error::Interrupted`](crate::Error::Interrupted), ranks that compute are lost.
    fn run(&self, size: usize, limit: Option<Duration>, job: ThreadsJob) -> Outcome;
}

//! From which call: the verb and the line of the user's source that a blocked rank stands in.
use std::{
    collections::BTreeSet,
    fmt,
    panic::Location,
    sync::{Mutex, PoisonError},
};

use crate::caller::{self, Stack};

/// The calls in which a rank can be found waiting, under MPI's names; those of windows come last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
#[allow(missing_docs, reason = "each is MPI's own verb")]
pub enum Verb {
    Send,
    Ssend,
    Recv,
    Sendrecv,
    Isend,
    Irecv,
    Wait,
    Probe,
    Iprobe,
    Barrier,
    Bcast,
    Scatter,
    Scatterv,
    Gather,
    Gatherv,
    Allgather,
    Allgatherv,
    Reduce,
    Allreduce,
    Scan,
    Exscan,
    Alltoall,
    Alltoallv,
    Split,
    Dup,
    /// The framework's own agreement between stages.
    Agreement,
    WindowCreate,
    WindowFree,
    Put,
    Get,
    Accumulate,
    GetAccumulate,
    FetchAndOp,
    CompareAndSwap,
    Fence,
    Post,
    Start,
    Complete,
    WindowWait,
    WindowTest,
    Lock,
    Unlock,
    LockAll,
    UnlockAll,
    Flush,
    FlushLocal,
    WindowSync,
    WindowRead,
    WindowWrite,
    /// A wait for a value in a window (`shmem_wait_until`).
    WaitUntil,
    /// Which ranks share a node (`MPI_Comm_split_type`).
    Nodes,
}

impl Verb {
    /// Every verb, in declaration order: `ALL[v as usize] == v`.
    pub const ALL: [Self; 51] = {
        use Verb::*;
        [
            Send,
            Ssend,
            Recv,
            Sendrecv,
            Isend,
            Irecv,
            Wait,
            Probe,
            Iprobe,
            Barrier,
            Bcast,
            Scatter,
            Scatterv,
            Gather,
            Gatherv,
            Allgather,
            Allgatherv,
            Reduce,
            Allreduce,
            Scan,
            Exscan,
            Alltoall,
            Alltoallv,
            Split,
            Dup,
            Agreement,
            WindowCreate,
            WindowFree,
            Put,
            Get,
            Accumulate,
            GetAccumulate,
            FetchAndOp,
            CompareAndSwap,
            Fence,
            Post,
            Start,
            Complete,
            WindowWait,
            WindowTest,
            Lock,
            Unlock,
            LockAll,
            UnlockAll,
            Flush,
            FlushLocal,
            WindowSync,
            WindowRead,
            WindowWrite,
            WaitUntil,
            Nodes,
        ]
    };

    /// Must all ranks of the communicator or window make the call?
    pub fn is_collective(self) -> bool {
        let of_communicator = (Self::Barrier as u8..=Self::Agreement as u8).contains(&(self as u8));
        of_communicator || matches!(self, Self::WindowCreate | Self::WindowFree | Self::Fence | Self::Nodes)
    }

    /// The name a student writes, e.g. `"recv"`.
    pub fn name(self) -> &'static str {
        use Verb::*;
        match self {
            Send => "send",
            Ssend => "ssend",
            Recv => "recv",
            Sendrecv => "sendrecv",
            Isend => "isend",
            Irecv => "irecv",
            Wait => "wait",
            Probe => "probe",
            Iprobe => "iprobe",
            Barrier => "barrier",
            Bcast => "bcast",
            Scatter => "scatter",
            Scatterv => "scatterv",
            Gather => "gather",
            Gatherv => "gatherv",
            Allgather => "allgather",
            Allgatherv => "allgatherv",
            Reduce => "reduce",
            Allreduce => "allreduce",
            Scan => "scan",
            Exscan => "exscan",
            Alltoall => "alltoall",
            Alltoallv => "alltoallv",
            Split => "split",
            Dup => "dup",
            Agreement => "agreement",
            WindowCreate => "window",
            WindowFree => "free",
            Put => "put",
            Get => "get",
            Accumulate => "accumulate",
            GetAccumulate => "get_accumulate",
            FetchAndOp => "fetch_and_op",
            CompareAndSwap => "compare_and_swap",
            Fence => "fence",
            Post => "post",
            Start => "start",
            Complete => "complete",
            WindowWait => "wait",
            WindowTest => "test",
            Lock => "lock",
            Unlock => "unlock",
            LockAll => "lock_all",
            UnlockAll => "unlock_all",
            Flush => "flush",
            FlushLocal => "flush_local",
            WindowSync => "sync",
            WindowRead => "read",
            WindowWrite => "write",
            WaitUntil => "wait_until",
            Nodes => "nodes",
        }
    }
}

impl fmt::Display for Verb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A line of the user's source: as the compiler gives it, or as another process has told it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spot {
    /// Of this program, as `#[track_caller]` gives it.
    Here(&'static Location<'static>),
    /// Of this program, where the verb was passed as a value: the line of the stack that is the user's, or else the first.
    Behind(&'static Location<'static>, &'static Stack),
    /// Of a program whose calls were written down: file and line.
    Told(&'static (String, u32)),
}

impl Spot {
    /// A line that was told; each is kept once for the life of the process, as those of the program itself are.
    pub fn told(file: &str, line: u32) -> Self {
        static KNOWN: Mutex<BTreeSet<&'static (String, u32)>> = Mutex::new(BTreeSet::new());
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        let told = (file.to_owned(), line);
        let kept = known.get(&told).copied();
        Self::Told(kept.unwrap_or_else(|| {
            let kept: &'static _ = Box::leak(Box::new(told));
            known.insert(kept);
            kept
        }))
    }

    /// The file.
    pub fn file(self) -> &'static str {
        match self {
            Self::Here(location) => location.file(),
            Self::Behind(location, stack) => stack.user().map_or(location.file(), |user| &user.file),
            Self::Told((file, _)) => file,
        }
    }

    /// The line, from 1.
    pub fn line(self) -> u32 {
        match self {
            Self::Here(location) => location.line(),
            Self::Behind(location, stack) => stack.user().map_or(location.line(), |user| user.line),
            Self::Told((_, line)) => *line,
        }
    }
}

/// A call in the user's source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Site {
    /// What was called.
    pub verb: Verb,
    /// Where.
    pub at: Spot,
}

impl Site {
    /// The caller's own place. Mark every function between the user and this one `#[track_caller]`. Where the verb was passed as
    /// a value its caller is none of the user's; then the stack says who is.
    #[track_caller]
    #[inline]
    pub fn here(verb: Verb) -> Self {
        let location = Location::caller();
        let at = if caller::is_foreign(location.file()) { behind(location) } else { Spot::Here(location) };
        Self { verb, at }
    }
}

/// The user's line that led to a line that is not the user's.
#[cold]
fn behind(location: &'static Location<'static>) -> Spot {
    Stack::here().map_or(Spot::Here(location), |stack| Spot::Behind(location, stack))
}

impl fmt::Display for Site {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at {}:{}", self.verb, self.at.file(), self.at.line())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_told_line_is_kept_once() {
        let (Spot::Told(one), Spot::Told(other)) = (Spot::told("a.rs", 3), Spot::told("a.rs", 3)) else {
            panic!("both are told")
        };
        assert!(std::ptr::eq(one, other));
        let site = Site { verb: Verb::Recv, at: Spot::told("a.rs", 4) };
        assert_eq!(site.to_string(), "recv at a.rs:4");
    }
}

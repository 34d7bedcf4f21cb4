//! From which call: the verb and the line of the user's source that a blocked rank stands in.
use std::{
    collections::BTreeSet,
    fmt,
    panic::Location,
    sync::{Mutex, PoisonError},
};

use crate::call_stack::{self, CallStack};

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
pub enum SourceLocation {
    /// Of this program, as `#[track_caller]` gives it.
    Native(&'static Location<'static>),
    /// Of this program, where the verb was passed as a value: the line of the stack that is the user's, or else the first.
    WithStack(&'static Location<'static>, &'static CallStack),
    /// Of a program whose calls were written down: file and line.
    Recorded(&'static (String, u32)),
}

impl SourceLocation {
    /// A line that was told; each is kept once for the life of the process, as those of the program itself are.
    pub fn from_record(file: &str, line: u32) -> Self {
        static KNOWN: Mutex<BTreeSet<&'static (String, u32)>> = Mutex::new(BTreeSet::new());
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        let told = (file.to_owned(), line);
        let kept = known.get(&told).copied();
        Self::Recorded(kept.unwrap_or_else(|| {
            let kept: &'static _ = Box::leak(Box::new(told));
            known.insert(kept);
            kept
        }))
    }

    /// The file.
    pub fn file(self) -> &'static str {
        match self {
            Self::Native(location) => location.file(),
            Self::WithStack(location, stack) => stack.user_line().map_or(location.file(), |user| &user.file),
            Self::Recorded((file, _)) => file,
        }
    }

    /// The line, from 1.
    pub fn line(self) -> u32 {
        match self {
            Self::Native(location) => location.line(),
            Self::WithStack(location, stack) => stack.user_line().map_or(location.line(), |user| user.line),
            Self::Recorded((_, line)) => *line,
        }
    }
}

/// A call in the user's source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallSite {
    /// What was called.
    pub verb: Verb,
    /// Where.
    pub location: SourceLocation,
}

impl CallSite {
    /// The caller's own place. Mark every function between the user and this one `#[track_caller]`. Where the verb was passed as
    /// a value its caller is none of the user's; then the stack says who is.
    #[track_caller]
    #[inline]
    pub fn caller(verb: Verb) -> Self {
        let location = Location::caller();
        let at = if call_stack::is_library_file(location.file()) {
            user_location(location)
        } else {
            SourceLocation::Native(location)
        };
        Self { verb, location: at }
    }
}

/// The user's line that led to a line that is not the user's.
#[cold]
fn user_location(location: &'static Location<'static>) -> SourceLocation {
    CallStack::capture()
        .map_or(SourceLocation::Native(location), |stack| SourceLocation::WithStack(location, stack))
}

impl fmt::Display for CallSite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at {}:{}", self.verb, self.location.file(), self.location.line())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_told_line_is_kept_once() {
        let (SourceLocation::Recorded(one), SourceLocation::Recorded(other)) =
            (SourceLocation::from_record("a.rs", 3), SourceLocation::from_record("a.rs", 3))
        else {
            panic!("both are told")
        };
        assert!(std::ptr::eq(one, other));
        let site = CallSite { verb: Verb::Recv, location: SourceLocation::from_record("a.rs", 4) };
        assert_eq!(site.to_string(), "recv at a.rs:4");
    }
}

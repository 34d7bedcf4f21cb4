//! The call that a rank is in: the verb and the line of the user's source.
use std::{fmt, panic::Location};

use serde::{Deserialize, Serialize};
use strum::{IntoStaticStr, VariantArray};

use crate::{
    SourceLocation,
    call_stack::{self, CallStack},
};

/// The calls in which a rank can wait, under MPI's names. Those of windows and files are last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, IntoStaticStr, VariantArray, Serialize, Deserialize)]
#[repr(u8)]
#[strum(serialize_all = "snake_case")]
#[allow(missing_docs, reason = "each is MPI's own verb")]
pub enum Verb {
    Send,
    Ssend,
    Bsend,
    Rsend,
    Recv,
    Sendrecv,
    SendrecvReplace,
    Isend,
    Issend,
    Ibsend,
    Irsend,
    Irecv,
    SendInit,
    SsendInit,
    BsendInit,
    RsendInit,
    RecvInit,
    /// The start of a persistent request (`MPI_Start`); a window's start is [`Start`](Self::Start).
    #[strum(serialize = "start")]
    StartPersistent,
    StartAll,
    /// Reads or changes the buffer of a persistent request.
    #[strum(serialize = "data")]
    PersistentData,
    BufferAttach,
    BufferDetach,
    Mprobe,
    Improbe,
    Mrecv,
    SendLayout,
    RecvLayout,
    SendrecvLayout,
    IsendLayout,
    IrecvLayout,
    /// The withdrawal of a receive, or its completion.
    Cancel,
    Wait,
    WaitAll,
    WaitAny,
    WaitSome,
    Test,
    TestAll,
    TestAny,
    TestSome,
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
    ReduceScatter,
    ReduceScatterBlock,
    NeighborAllgather,
    NeighborAllgatherv,
    NeighborAlltoall,
    NeighborAlltoallv,
    Ibarrier,
    Ibcast,
    Iscatter,
    Iscatterv,
    Igather,
    Igatherv,
    Iallgather,
    Iallgatherv,
    Ireduce,
    Iallreduce,
    IreduceScatter,
    IreduceScatterBlock,
    Iscan,
    Iexscan,
    Ialltoall,
    Ialltoallv,
    IneighborAllgather,
    IneighborAllgatherv,
    IneighborAlltoall,
    IneighborAlltoallv,
    BarrierInit,
    BcastInit,
    ScatterInit,
    ScattervInit,
    GatherInit,
    GathervInit,
    AllgatherInit,
    AllgathervInit,
    ReduceInit,
    AllreduceInit,
    ReduceScatterInit,
    ReduceScatterBlockInit,
    ScanInit,
    ExscanInit,
    AlltoallInit,
    AlltoallvInit,
    NeighborAllgatherInit,
    NeighborAllgathervInit,
    NeighborAlltoallInit,
    NeighborAlltoallvInit,
    Split,
    Dup,
    CartCreate,
    CartSub,
    DistGraphCreateAdjacent,
    GraphCreate,
    IntercommCreate,
    IntercommMerge,
    CommCreate,
    CommCreateGroup,
    SplitTypeShared,
    FileOpen,
    /// The framework's own agreement between stages.
    Agreement,
    #[strum(serialize = "window")]
    WindowCreate,
    #[strum(serialize = "free")]
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
    #[strum(serialize = "wait")]
    WindowWait,
    #[strum(serialize = "test")]
    WindowTest,
    Lock,
    Unlock,
    LockAll,
    UnlockAll,
    Flush,
    FlushLocal,
    #[strum(serialize = "sync")]
    WindowSync,
    #[strum(serialize = "read")]
    WindowRead,
    #[strum(serialize = "write")]
    WindowWrite,
    ReduceLocal,
    /// A wait for a value in a window (`shmem_wait_until`).
    WaitUntil,
    /// The query of the ranks that share a node (`MPI_Comm_split_type`).
    Nodes,
    ReadAt,
    WriteAt,
    /// The size of a file.
    #[strum(serialize = "size")]
    FileSize,
    ReadAtAll,
    WriteAtAll,
    SetView,
    SetSize,
    #[strum(serialize = "sync")]
    FileSync,
    #[strum(serialize = "close")]
    FileClose,
}

impl Verb {
    /// Every verb, in declaration order: `ALL[v as usize] == v`.
    pub const ALL: &[Self] = <Self as VariantArray>::VARIANTS;

    /// Whether all ranks of the communicator or window must make the call.
    pub fn is_collective(self) -> bool {
        let of_communicator = (Self::Barrier as u8..=Self::Agreement as u8).contains(&(self as u8));
        let of_file = self as u8 >= Self::ReadAtAll as u8;
        of_communicator
            || of_file
            || matches!(self, Self::WindowCreate | Self::WindowFree | Self::Fence | Self::Nodes)
    }

    /// Whether the call sends, and does not receive.
    pub fn sends(self) -> bool {
        use Verb::{
            Bsend, BsendInit, Ibsend, Irsend, Isend, IsendLayout, Issend, Rsend, RsendInit, Send, SendInit,
            SendLayout, Ssend, SsendInit,
        };
        let starts = matches!(self, Isend | IsendLayout | Issend | Ibsend | Irsend);
        starts
            || matches!(
                self,
                Send | SendLayout | Ssend | Bsend | Rsend | SendInit | SsendInit | BsendInit | RsendInit
            )
    }

    /// Whether the call receives or looks for a message, and does not send.
    pub fn receives(self) -> bool {
        use Verb::{Improbe, Iprobe, Irecv, IrecvLayout, Mprobe, Mrecv, Probe, Recv, RecvInit, RecvLayout};
        matches!(
            self,
            Recv | RecvLayout | IrecvLayout | Irecv | Probe | Iprobe | Mprobe | Improbe | Mrecv | RecvInit
        )
    }

    /// The verb of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|verb| verb.name() == name)
    }

    /// Whether the call completes operations that other calls have started.
    pub fn is_completion(self) -> bool {
        (Self::Wait as u8..=Self::TestSome as u8).contains(&(self as u8))
    }

    /// Whether one of several operations is enough for the call to return.
    pub fn needs_one(self) -> bool {
        matches!(self, Self::WaitAny | Self::WaitSome)
    }

    /// Whether the call starts a collective operation and returns a request.
    pub fn starts_collective(self) -> bool {
        (Self::Ibarrier as u8..=Self::IneighborAlltoallv as u8).contains(&(self as u8))
    }

    /// The name as written in a program, e.g. `"recv"`.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

impl fmt::Display for Verb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A call in the user's source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallSite {
    /// The verb.
    pub verb: Verb,
    /// The line.
    pub location: SourceLocation,
}

impl CallSite {
    /// The caller's location. Mark every function between the user and this one `#[track_caller]`. If the verb was
    /// passed as a value, its caller is not the user's code; then the line is taken from the stack.
    #[track_caller]
    #[inline]
    pub fn caller(verb: Verb) -> Self {
        let location = Location::caller();
        let location = if call_stack::is_library_file(location.file()) {
            user_location(location)
        } else {
            SourceLocation::native(location)
        };
        Self { verb, location }
    }
}

/// The user's line that called a line outside the user's code.
#[cold]
fn user_location(location: &'static Location<'static>) -> SourceLocation {
    match CallStack::capture() {
        Some(stack) => SourceLocation::in_library(location, stack),
        None => SourceLocation::native(location),
    }
}

impl fmt::Display for CallSite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at {}", self.verb, self.location)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_verb_has_the_name_of_its_method() {
        let names = [
            (Verb::Allgatherv, "allgatherv"),
            (Verb::FetchAndOp, "fetch_and_op"),
            (Verb::WindowCreate, "window"),
            (Verb::WindowWait, "wait"),
            (Verb::LockAll, "lock_all"),
        ];
        assert_eq!(names.map(|(verb, _)| verb.name()), names.map(|(_, name)| name));
        assert!(Verb::ALL.iter().enumerate().all(|(at, verb)| at == *verb as usize));
    }
}

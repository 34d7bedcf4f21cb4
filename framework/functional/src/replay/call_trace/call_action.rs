//! The recorded actions: every call that may concern another rank, without payload.
use serde::{Deserialize, Serialize};
use wb_comm::{
    Block, CallSite, CollectiveCall, CollectiveCounts, Context, Datatype, FileArgs, MessageTag, NewTopology,
    Op, Operation, Rank, SendMode, Source, SourceLocation, TagPattern, UserOperation,
};

/// A send or a receive.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct TracedOp {
    /// Whether it sends; else it receives.
    pub(crate) is_send: bool,
    /// The peer; `None` is any.
    pub(crate) peer: Option<Rank>,
    /// Whether it belongs to an algorithm of the framework.
    is_internal: bool,
    /// `None` is any.
    tag: Option<i32>,
    datatype: Datatype,
    /// The number of elements, or of the buffer's elements.
    count: usize,
    pub(crate) mode: SendMode,
    /// The source and the tag of a received message.
    pub(crate) matched: Option<(Rank, i32)>,
}

impl TracedOp {
    pub(crate) fn send(
        to: Rank,
        tag: MessageTag,
        (datatype, count): (Datatype, usize),
        mode: SendMode,
    ) -> Self {
        let received = Self::receive(Source::Rank(to), tag.into(), (datatype, count));
        Self { is_send: true, mode, ..received }
    }

    pub(crate) fn receive(from: Source, tag: TagPattern, (datatype, count): (Datatype, usize)) -> Self {
        let peer = match from {
            Source::Rank(rank) => Some(rank),
            Source::Any => None,
        };
        let TagPattern { context: channel, tag } = tag;
        let internal = channel == Context::Internal;
        Self {
            is_send: false,
            peer,
            is_internal: internal,
            tag,
            datatype,
            count,
            mode: SendMode::Standard,
            matched: None,
        }
    }

    pub(crate) fn from_op(op: &Op<'_>) -> Self {
        match op {
            Op::Send { to, tag, data, mode } => Self::send(*to, *tag, (data.datatype(), data.count()), *mode),
            Op::Recv { from, tag, data, .. } => Self::receive(*from, *tag, (data.datatype(), data.count())),
            // The replay needs no payload, so it sends as many neighbouring elements.
            Op::SendLayout { to, tag, data } => {
                Self::send(*to, *tag, (data.datatype(), data.layout().count()), SendMode::Standard)
            }
            Op::RecvLayout { from, tag, data, .. } => {
                Self::receive(*from, *tag, (data.datatype(), data.layout().count()))
            }
        }
    }

    /// The same, with the source and the tag of its message.
    pub(crate) fn with_match(self, matched: Option<(Rank, i32)>) -> Self {
        Self { matched, ..self }
    }

    /// Whether it is a wildcard receive, for any source or any tag.
    pub(crate) fn is_wildcard(&self) -> bool {
        !self.is_send && (self.peer.is_none() || self.tag.is_none())
    }

    /// The type and the number of its elements.
    pub(crate) fn elements(&self) -> (Datatype, usize) {
        (self.datatype, self.count)
    }

    /// The size of its payload, or of its buffer.
    pub(crate) fn bytes(&self) -> usize {
        self.datatype.size() * self.count
    }

    /// The source that a receive accepts; the actual source, once that is known.
    pub(crate) fn source(&self) -> Source {
        self.matched.map(|(rank, _)| rank).or(self.peer).map_or(Source::Any, Source::Rank)
    }

    /// The tag that a receive accepts; the actual tag, once that is known.
    pub(crate) fn accepts(&self) -> TagPattern {
        TagPattern { context: self.channel(), tag: self.matched.map(|(_, tag)| tag).or(self.tag) }
    }

    /// The type name of its elements.
    pub(crate) fn tag(&self) -> MessageTag {
        MessageTag { context: self.channel(), tag: self.tag.unwrap_or_default() }
    }

    fn channel(&self) -> Context {
        if self.is_internal { Context::Internal } else { Context::User }
    }

    /// The operation on elements, without owning them.
    pub(crate) fn to_op<'a>(&self, block: &'a mut Block) -> Op<'a> {
        match (self.is_send, self.peer) {
            (true, Some(to)) => {
                let (data, mode) = (block.view(), self.mode);
                Op::Send { to, tag: self.tag(), data, mode }
            }
            _ => {
                let data = block.view_mut();
                Op::Recv { from: self.source(), tag: self.accepts(), data, status: None }
            }
        }
    }
}

/// A communicator or a window that was made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct CreatedHandle {
    /// Its number, in the order of this rank's making.
    pub(crate) number: usize,
    /// This rank's number in it.
    pub(crate) rank: Rank,
}

/// The action of a call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum CallAction {
    /// Operations that complete together.
    Round(Vec<TracedOp>),
    /// A started operation.
    Start {
        /// The request's number.
        request: usize,
        operation: TracedOp,
    },
    /// The start of the collective that was called last.
    StartCollective {
        /// The request's number.
        request: usize,
    },
    /// The completion of one.
    Wait {
        request: usize,
        matched: Option<(Rank, i32)>,
    },
    /// A call that waits for all of these requests, or for one of them. What it completes is recorded as [`Wait`](Self::Wait).
    WaitForSeveral {
        requests: Vec<usize>,
        all: bool,
    },
    /// Memory for buffered sends of this size is attached; `None`: it is detached.
    Buffer(Option<usize>),
    /// A request that is dropped.
    Drop {
        request: usize,
    },
    /// A receive that was withdrawn: no message has matched it.
    Cancel {
        request: usize,
    },
    /// A blocking probe.
    Probe(TracedOp),
    Collective(CollectiveArgs),
    /// A split of the communicator.
    Split {
        color: Option<u32>,
        key: i32,
        created: Option<CreatedHandle>,
    },
    /// A communicator with a topology, as this rank of the communicator describes it.
    Topology {
        topology: NewTopology,
        rank: Rank,
        created: Option<CreatedHandle>,
    },
    /// A communicator that only its members make.
    Group {
        members: Vec<Rank>,
        tag: i32,
        created: Option<CreatedHandle>,
    },
    /// Another communicator of the same ranks.
    Dup {
        created: Option<CreatedHandle>,
    },
    /// A file; its collective calls are those of a communicator of its own.
    File {
        file: FileArgs,
        created: Option<CreatedHandle>,
    },
    Window {
        kind: u8,
        datatype: Datatype,
        count: usize,
        created: Option<CreatedHandle>,
    },
    OnWindow(TracedWindowCall),
}

impl CallAction {
    /// The bytes of the messages that it sends for the task; a collective operation has none.
    pub(crate) fn sent_bytes(&self) -> u64 {
        let operations = match self {
            Self::Round(operations) => operations.as_slice(),
            Self::Start { operation, .. } => std::slice::from_ref(operation),
            _ => &[],
        };
        let sends = operations.iter().filter(|operation| operation.is_send && !operation.is_internal);
        sends.map(|operation| operation.bytes() as u64).sum()
    }

    /// The receive at `at` of this call, or the one that it waits for, has got this message.
    pub(crate) fn set_match(&mut self, at: usize, message: (Rank, i32)) {
        match self {
            Self::Round(operations) => operations[at].matched = Some(message),
            Self::Wait { matched, .. } => *matched = Some(message),
            _ => {}
        }
    }

    /// The color of this rank in a call that makes communicators; `None` if it joins none, and for other calls.
    pub(crate) fn color(&self) -> Option<u32> {
        match self {
            Self::Split { color, .. } => *color,
            Self::Topology { topology, rank, .. } => topology.place(*rank, &[]).0,
            _ => None,
        }
    }

    /// The call has created a communicator or window.
    pub(crate) fn set_created(&mut self, what: CreatedHandle) {
        if let Self::Split { created: made, .. }
        | Self::Topology { created: made, .. }
        | Self::Group { created: made, .. }
        | Self::Dup { created: made }
        | Self::File { created: made, .. }
        | Self::Window { created: made, .. } = self
        {
            *made = Some(what);
        }
    }
}

/// A call of a window that may wait for other ranks, or for which they may wait.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum TracedWindowCall {
    Fence,
    Post(Vec<Rank>),
    Start(Vec<Rank>),
    Complete,
    Wait,
    Lock {
        exclusive: bool,
        target: Rank,
    },
    Unlock(Rank),
    LockAll,
    UnlockAll,
    Free,
    /// The request is dropped.
    Dropped,
}

/// A rank's arguments of a collective, as in [`CollectiveCall`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct CollectiveArgs {
    root: Option<Rank>,
    datatype: Option<Datatype>,
    counts: CollectiveCounts,
    operation: Option<OperationArgs>,
}

impl CollectiveArgs {
    pub(crate) fn from_call(call: &CollectiveCall) -> Self {
        let CollectiveCall { root, datatype, counts, operation, .. } = call.clone();
        Self { root, datatype, counts, operation: operation.map(OperationArgs::new) }
    }

    /// As the arguments of the call at `site`.
    pub(crate) fn to_call(&self, site: CallSite) -> CollectiveCall {
        let Self { root, datatype, counts, operation } = self.clone();
        let operation = operation.map(|operation| operation.operation());
        CollectiveCall { root, datatype, counts, operation, ..CollectiveCall::new(site) }
    }
}

/// A reduction: one of MPI's by its number, or the line that made it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum OperationArgs {
    Predefined(usize),
    User { datatype: Datatype, is_commutative: bool, file: String, line: u32 },
}

impl OperationArgs {
    fn new(operation: Operation) -> Self {
        match operation {
            Operation::User(operation) => Self::User {
                datatype: operation.datatype(),
                is_commutative: operation.is_commutative(),
                file: operation.made().file().to_owned(),
                line: operation.made().line(),
            },
            other => {
                Self::Predefined(Operation::ALL.iter().position(|one| *one == other).unwrap_or_default())
            }
        }
    }

    fn operation(&self) -> Operation {
        match self {
            Self::Predefined(number) => Operation::ALL[*number],
            Self::User { datatype, is_commutative, file, line } => {
                let made = SourceLocation::from_record(file, *line);
                Operation::User(UserOperation::recorded(*datatype, *is_commutative, made))
            }
        }
    }
}

//! The errors of verbs, as values that describe what to check.
use std::fmt;

use description::{
    block_count_text, buffer_text, not_associative_text, rank_text, role_text, too_long_text, with_sender,
};

use crate::{
    BlockedCall, Code, CollectiveMismatch, Datatype, FileError, LayoutError, Operation, Rank, RankCall, Text,
    UserOperation, Verb, Violation, text::error as text,
};

mod description;

/// The result of every verb.
pub type Result<T> = std::result::Result<T, Error>;

/// The error of a verb.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// A peer or root outside `0..size` (`MPI_ERR_RANK`, `MPI_ERR_ROOT`).
    Rank {
        /// The role of the number: "root", "destination", "source".
        role: &'static str,
        /// The number; one that wrapped below 0 is negative: [`Error::invalid_rank`].
        rank: i64,
        /// The communicator's size.
        size: usize,
    },
    /// As [`Rank`](Self::Rank), of the other group of an inter-communicator.
    RemoteRank {
        /// The same as for [`Rank`](Self::Rank).
        role: &'static str,
        /// The same as for [`Rank`](Self::Rank).
        rank: i64,
        /// The number of ranks of the other group.
        size: usize,
    },
    /// A tag that the backend does not allow (`MPI_ERR_TAG`).
    Tag {
        /// The tag.
        tag: i32,
        /// The largest one.
        max: i32,
    },
    /// A buffer whose length does not fit the verb (`MPI_ERR_COUNT`).
    Count {
        /// The verb.
        verb: &'static str,
        /// The buffer.
        buffer: &'static str,
        /// The length of the buffer in elements.
        got: usize,
        /// The length that the verb requires.
        expected: usize,
    },
    /// A buffer of equal blocks, one for each rank or neighbour, whose length does not match (`MPI_ERR_COUNT`).
    Blocks {
        /// The verb.
        verb: &'static str,
        /// The buffer.
        buffer: &'static str,
        /// The length of the buffer in elements.
        got: usize,
        /// The length of each block, according to this rank's other buffer.
        each: usize,
        /// The number of blocks.
        ranks: usize,
    },
    /// A message longer than the receive's buffer (`MPI_ERR_TRUNCATE`).
    Truncated {
        /// The sender.
        source_rank: Rank,
        /// The tag.
        tag: i32,
        /// The message's bytes.
        sent: usize,
        /// The buffer's bytes.
        capacity: usize,
        /// The call that sent it, if the backend's messages carry it.
        sent_by: Option<Box<RankCall>>,
    },
    /// Sender and receiver disagree on the element type (`MPI_ERR_TYPE`).
    Type {
        /// The sender.
        source_rank: Rank,
        /// The tag.
        tag: i32,
        /// The type that was sent.
        sent: Datatype,
        /// The type that the receiver expected.
        expected: Datatype,
        /// The call that sent it, if the backend's messages carry it.
        sent_by: Option<Box<RankCall>>,
    },
    /// A message whose size is not a multiple of the element size.
    PartialElement {
        /// The sender.
        source_rank: Rank,
        /// The tag.
        tag: i32,
        /// The size of the message in bytes.
        bytes: usize,
        /// The type that the receiver expected.
        expected: Datatype,
    },
    /// A count above the maximum of a call, [`COUNT_MAX`](crate::limits::COUNT_MAX).
    TooLong {
        /// The number of elements.
        count: usize,
        /// The size of each, bytes.
        size: usize,
        /// The most elements allowed.
        max: usize,
    },
    /// A reduction that is not defined for the type (`MPI_ERR_OP`).
    Operation {
        /// The operation.
        operation: Operation,
        /// The type.
        datatype: Datatype,
    },
    /// Elements outside the part of a window that its owner exposes (`MPI_ERR_RMA_RANGE`).
    Range {
        /// The verb.
        verb: Verb,
        /// The rank that owns the part.
        target: Rank,
        /// The first element.
        at: usize,
        /// The number of elements.
        count: usize,
        /// The number of elements that the target exposes.
        opened: usize,
    },
    /// Elements of another type than the window's (`MPI_ERR_TYPE`).
    WindowType {
        /// The verb.
        verb: Verb,
        /// The type of the call's data.
        given: Datatype,
        /// The type of the window.
        window: Datatype,
    },
    /// A layout that contradicts itself, or does not fit the slice that it is used on.
    Layout(Box<LayoutError>),
    /// A file that cannot be opened, or a call on it that is not allowed.
    File(Box<FileError>),
    /// A call on a window that the rules of epochs do not allow (`MPI_ERR_RMA_SYNC`, `_CONFLICT`, `_ASSERT`).
    Epoch(Box<Violation>),
    /// Ranks make different calls of one collective.
    Collective(Box<CollectiveMismatch>),
    /// Every rank waits, and none can continue.
    Deadlock {
        /// The calls in which the ranks are blocked.
        blocked: Vec<BlockedCall>,
    },
    /// Another rank failed or ended, so the wait would never end.
    Peer {
        /// The other rank.
        rank: Rank,
        /// The end of that rank: "panicked: ...".
        what: Text,
    },
    /// The harness stopped the run (limit, Ctrl-C).
    Interrupted {
        /// The reason.
        reason: Text,
    },
    /// The library returned an error code.
    Library {
        /// The C function.
        call: &'static str,
        /// The return code of the call.
        code: i32,
        /// The library's own text.
        text: String,
    },
    /// A root without the buffer that the collective requires at the root.
    RootBuffer {
        /// The root.
        root: Rank,
    },
    /// A buffered send that does not fit the attached buffer (`MPI_ERR_BUFFER`).
    AttachedBuffer {
        /// The bytes that the message needs.
        needed: usize,
        /// The size of the buffer, bytes; 0 if none is attached.
        attached: usize,
        /// The bytes that other messages occupy; `None` if the library does not state them.
        occupied: Option<usize>,
    },
    /// A user's reduction that is not associative, so that the result depends on how the library combines the ranks.
    NotAssociative {
        /// The operation.
        operation: UserOperation,
    },
    /// A ready send whose receive is not known to be posted.
    NotReady {
        /// The receiver.
        dest: Rank,
        /// The tag.
        tag: i32,
    },
    /// A persistent request that is started while it is active, or waited for while it is not.
    PersistentState {
        /// Whether it is active.
        active: bool,
        /// The call that made it.
        made: Box<RankCall>,
    },
    /// Arguments that make no communicator, for this reason (`MPI_ERR_ARG`, `MPI_ERR_DIMS`, `MPI_ERR_GROUP`).
    CommunicatorArgument(Text),
    /// The job could not be set up, for this reason.
    Setup(Text),
}

impl Error {
    /// Whether a call failed since another rank did, or since the job ends.
    pub fn is_consequence(&self) -> bool {
        matches!(self, Self::Deadlock { .. } | Self::Peer { .. } | Self::Interrupted { .. })
    }

    /// The description of the error, one text for each line.
    pub fn texts(&self) -> Vec<Text> {
        match self {
            Self::Epoch(violation) => violation.texts(),
            Self::Collective(mismatch) => mismatch.texts(),
            Self::Deadlock { blocked } => {
                let calls = blocked.iter().map(|call| text::indented(call.text()));
                std::iter::once(text::deadlock()).chain(calls).collect()
            }
            other => vec![other.to_text()],
        }
    }

    /// All lines as one text.
    pub fn text(&self) -> Text {
        let lines = self.texts().into_iter().rev();
        lines.reduce(|rest, line| text::lines(line, rest)).expect("every error has a line")
    }

    /// The description of an error that needs one line.
    fn to_text(&self) -> Text {
        match self {
            Self::Rank { role, rank, size: 1 } => text::rank_one(role_text(role), rank_text(*rank)),
            Self::Rank { role, rank, size } => {
                text::rank(role_text(role), rank_text(*rank), *size, size.saturating_sub(1))
            }
            Self::RemoteRank { role, rank, size } => {
                text::remote_rank(role_text(role), rank_text(*rank), *size, size.saturating_sub(1))
            }
            Self::Blocks { verb, buffer, got, each, ranks } => {
                block_count_text(verb, buffer, *got, *each, *ranks)
            }
            Self::Tag { tag, max } => text::tag(*tag, *max),
            Self::Count { verb, buffer, got, expected } => text::count(*verb, *buffer, *got, *expected),
            Self::Truncated { source_rank, tag, sent, capacity, sent_by: by } => {
                with_sender(text::truncated(*sent, *source_rank, *tag, *capacity), by.as_deref())
            }
            Self::Type { source_rank, tag, sent, expected, sent_by: by } => {
                with_sender(sent.mismatch_text(*expected, (*source_rank, *tag)), by.as_deref())
            }
            Self::PartialElement { source_rank, tag, bytes, expected } => {
                text::ragged(*bytes, *source_rank, *tag, expected.to_string())
            }
            Self::TooLong { count, size, max } => too_long_text(*count, *size, *max),
            Self::Operation { operation, datatype: layout } => {
                text::operation(operation.to_string(), layout.to_string())
            }
            Self::Range { verb, target, at, count, opened } => {
                text::range(verb.name(), *at, at.wrapping_add(*count), *target, *opened)
            }
            Self::WindowType { verb, given, window } => {
                text::window_type(verb.name(), given.to_string(), window.to_string())
            }
            Self::Layout(error) => error.text(),
            Self::File(error) => error.text(),
            Self::Peer { rank, what } => text::peer(*rank, what),
            Self::Interrupted { reason } => text::interrupted(reason),
            Self::Library { call, code, text } => text::library(*call, *code, text),
            Self::RootBuffer { root } => text::root_buffer(*root),
            Self::AttachedBuffer { needed, attached, occupied } => buffer_text(*needed, *attached, *occupied),
            Self::NotAssociative { operation } => not_associative_text(*operation),
            Self::NotReady { dest, tag } => text::not_ready(*dest, *tag),
            Self::PersistentState { active: true, made } => text::started_twice(made.text()),
            Self::PersistentState { active: false, made } => text::never_started(made.text()),
            Self::CommunicatorArgument(why) | Self::Setup(why) => why.clone(),
            Self::Epoch(_) | Self::Collective(_) | Self::Deadlock { .. } => {
                unreachable!("they need several lines")
            }
        }
    }

    /// [`Error::Rank`] for a peer or root outside `0..size`. A rank is unsigned, so an unchecked `0 - 1` gives the
    /// largest `usize`: it is displayed as -1.
    ///
    /// ```
    /// let error = wb_comm::Error::invalid_rank("root", 0_usize.wrapping_sub(1), 4);
    /// assert!(error.to_string().starts_with("root -1 (0 - 1 wraps: a rank is unsigned) does not exist"));
    /// ```
    pub fn invalid_rank(role: &'static str, rank: Rank, size: usize) -> Self {
        Self::Rank { role, rank: displayed(rank), size }
    }

    /// [`Error::RemoteRank`] for a peer outside the other group, which has `size` ranks.
    pub fn invalid_remote_rank(role: &'static str, rank: Rank, size: usize) -> Self {
        Self::RemoteRank { role, rank: displayed(rank), size }
    }

    /// Checks that there is such a rank.
    ///
    /// # Errors
    /// As [`invalid_rank`](Self::invalid_rank).
    pub fn check_rank(role: &'static str, rank: Rank, size: usize) -> Result<()> {
        if rank < size { Ok(()) } else { Err(Self::invalid_rank(role, rank, size)) }
    }

    /// The call of another rank that is part of the error.
    pub(crate) fn peer_call(&self) -> Option<RankCall> {
        match self {
            Self::Truncated { sent_by: by, .. } | Self::Type { sent_by: by, .. } => by.as_deref().copied(),
            Self::PersistentState { made, .. } => Some(**made),
            _ => None,
        }
    }

    /// The code of the mistake, if the caller made one.
    pub fn code(&self) -> Option<Code> {
        Some(match self {
            Self::Rank { .. } | Self::RemoteRank { .. } => Code::Rank,
            Self::Tag { .. } => Code::Tag,
            Self::Count { .. } | Self::Blocks { .. } | Self::TooLong { .. } => Code::Count,
            Self::Truncated { .. } => Code::Truncated,
            Self::Type { .. } | Self::PartialElement { .. } | Self::WindowType { .. } => Code::Type,
            Self::Operation { .. } => Code::Operation,
            Self::Range { .. } => Code::Range,
            Self::RootBuffer { .. } => Code::RootBuffer,
            Self::AttachedBuffer { .. } => Code::AttachedBuffer,
            Self::NotReady { .. } => Code::NotReady,
            Self::NotAssociative { .. } => Code::NotAssociative,
            Self::PersistentState { .. } => Code::PersistentState,
            Self::Layout(_) => Code::Layout,
            Self::File(error) => return error.code(),
            Self::CommunicatorArgument(_) => Code::CommunicatorArgument,
            Self::Epoch(violation) => Code::from_rule(violation.rule),
            Self::Collective(mismatch) => mismatch.code,
            Self::Deadlock { .. }
            | Self::Peer { .. }
            | Self::Interrupted { .. }
            | Self::Library { .. }
            | Self::Setup(_) => return None,
        })
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Self::Collective(mismatch) = self {
            return mismatch.fmt(f);
        }
        write_lines(&self.texts(), f)
    }
}

impl std::error::Error for Error {}

/// The number of a rank; one that wrapped below 0 is negative.
fn displayed(rank: Rank) -> i64 {
    rank as isize as i64
}

/// Texts in English, a line each.
pub(crate) fn write_lines(texts: &[Text], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let lines: Vec<_> = texts.iter().map(ToString::to_string).collect();
    f.write_str(&lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Pending;

    /// Every verb returns such results through several layers.
    #[test]
    fn results_are_as_small_as_an_error() {
        assert_eq!(
            [size_of::<Error>(), size_of::<Result<()>>(), size_of::<Result<Box<dyn Pending>>>()],
            [64; 3]
        );
    }
}

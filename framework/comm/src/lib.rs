//! The interfaces and the vocabulary that algorithms and backends share.
//!
//! This crate contains no algorithm and no backend. A *backend* (threads, MPI) implements [`Transport`]; an *algorithm*
//! is written over `&dyn Transport`. Neither can name the other, because neither crate depends on the other. Data are
//! passed as a [`View`] of a slice of some [`Wire`] type. A [`MessageTag`] separates users' messages from those of the
//! framework. Every call carries its [`CallSite`], the line of the student's source, so that a hang can be explained.
//!
//! | module | content |
//! |---|---|
//! | [`rank`] | [`Rank`], [`Source`], [`PROC_NULL`] |
//! | [`wire`] | the types of elements: [`Wire`], [`Datatype`], [`View`], [`LayoutView`] |
//! | [`block`] | owned buffers: [`Block`] |
//! | [`layout`], [`layout_error`], [`layout_view`] | which elements of a slice a message consists of: [`Layout`] |
//! | [`message_tag`] | tags and contexts: [`MessageTag`], [`TagPattern`], [`Context`] |
//! | [`verb`] | all verbs, and the collective operations with their arguments: [`Verb`], [`CollectiveKind`] |
//! | [`call_site`], [`source_location`] | the call and its line: [`CallSite`], [`SourceLocation`] |
//! | [`transport`] | the interface of backends, object-safe: [`Transport`], [`Op`] |
//! | [`status`] | what is known of a received message: [`Status`] |
//! | [`panic_place`] | where a thread has panicked |
//! | [`pending`] | what is posted and not complete: [`Pending`], [`Persistent`] |
//! | [`send_mode`] | the modes of a send: [`SendMode`] |
//! | [`collectives`] | MPI's collective operations, type-erased: [`Collectives`] |
//! | [`limits`] | the limits of tags, counts and colors |
//! | [`located`] | a value with an index: [`Located`] |
//! | [`operation`] | the reductions: [`Operation`] |
//! | [`collective_call`] | the arguments of a collective call that must match: [`CollectiveCall`], [`CollectiveMismatch`] |
//! | [`collective_schedule`] | the rounds of a collective operation as data: [`CollectiveSchedule`], [`Round`] |
//! | [`topology`] | virtual topologies: [`CartesianGrid`], [`Neighbours`], [`NewTopology`] |
//! | [`multiple_completion`] | the completion of several operations in one call: [`MultipleCompletion`] |
//! | [`barrier`] | the interface of barriers: [`Barrier`], [`SplitBarrier`] |
//! | [`memory`] | OpenSHMEM's operations, for barriers that count: [`Memory`], [`Until`] |
//! | [`cells`] | shared memory as `Memory`: [`Cells`], [`Spacing`], [`SpinPolicy`] |
//! | [`recording_transport`] | records the operations of a program without running them: [`RecordingTransport`], [`OpSink`] |
//! | [`window`] | MPI's windows, type-erased: [`ErasedWindow`] |
//! | [`mod@file`] | files that ranks open together, type-erased: [`ErasedFile`], [`FileMode`], [`FileView`] |
//! | [`mod@input_files`] | the files that the task of this process may open: [`InputFiles`] |
//! | [`access`] | the kinds of accesses to windows, and which of them conflict: [`AccessKind`], [`Access`] |
//! | [`decorator`] | a transport, a window or collectives around another one: [`TransportDecorator`], [`WindowDecorator`], [`CollectivesDecorator`] |
//! | [`remote_memory`] | a window as `Memory`: [`RemoteMemory`] |
//! | [`completion`] | which operations on a window are complete: [`CompletionTracker`] |
//! | [`nodes`] | which ranks share a node |
//! | [`rule`] | the rules of epochs: [`Rule`], [`Violation`] |
//! | [`call_stack`] | the user's line behind a call, where the compiler does not give it |
//! | [`current_rank`] | the rank whose code runs on this thread |
//! | [`job`] | how ranks are started and observed: [`ProcessRanks`], [`ThreadRanks`], [`UnreceivedMessage`], [`BlockedCall`] |
//! | [`backends`] | the backends that a program is linked with: [`Backends`] |
//! | [`exploration`] | the interface of the model checker: [`ModelChecker`], [`Schedule`] |
//! | [`error`] | the errors of calls: [`Error`] |
//! | [`code`] | the stable names of mistakes: [`Code`] |
//! | [`finding`] | a mistake that was found: [`Finding`], [`CallLocation`] |
//! | [`diagnosis`] | explanations of failed runs, as pure functions |
//! | [`text`] | texts in both languages: [`Text`] |
#![deny(missing_docs)]

pub mod access;
pub mod backends;
pub mod barrier;
pub mod block;
pub mod call_site;
pub mod call_stack;
pub mod cells;
pub mod code;
pub mod collective_call;
pub mod collective_schedule;
pub mod collectives;
pub mod completion;
pub mod cores;
pub mod current_rank;
pub mod decorator;
pub mod diagnosis;
pub mod error;
pub mod exploration;
pub mod file;
pub mod file_error;
pub mod finding;
pub mod input_files;
pub mod job;
mod kept_values;
pub mod layout;
pub mod layout_error;
pub mod layout_view;
pub mod limits;
pub mod located;
pub mod memory;
pub mod message_tag;
pub mod multiple_completion;
pub mod nodes;
pub mod operation;
pub mod panic_place;
pub mod pending;
pub mod rank;
pub mod rank_blocks;
pub mod recording_transport;
pub mod remote_memory;
pub mod rule;
pub mod send_mode;
pub mod source_location;
pub mod status;
pub mod struct_type;
pub mod topology;
pub mod transport;
pub mod verb;
pub mod window;
pub mod wire;
mod word_copy;

pub use access::{Access, AccessKind, MAX_RACE_CHECKED_RANKS};
pub use backends::Backends;
pub use barrier::{Barrier, SplitBarrier};
pub use block::Block;
pub use call_site::CallSite;
pub use cells::{Cells, Spacing, SpinPolicy};
pub use code::Code;
pub use collective_call::{CollectiveCall, CollectiveCounts, CollectiveMismatch};
pub use collective_schedule::{
    BorrowedBuffers, Buffer, CollectiveSchedule, LocalStep, OwnedBuffers, Part, Round, RoundMessage,
    ScheduleBuffers,
};
pub use collectives::{Collectives, LayoutBuffers};
pub use completion::{CompletionTicket, CompletionTracker};
pub use decorator::{CollectivesDecorator, TransportDecorator, WindowDecorator};
pub use error::{Error, Result};
pub use exploration::{ModelChecker, Schedule};
pub use file::{ErasedFile, FileArgs, FileMode, FilePlace, FileView};
pub use file_error::FileError;
pub use finding::{CallLocation, Finding};
pub use input_files::InputFiles;
pub use job::{
    BlockedCall, JobHandle, LibraryInfo, ProcessRanks, RankFunction, ThreadRanks, UnreceivedMessage,
    VirtualRanks,
};
pub use layout::{Blocks, Layout, LayoutShape};
pub use layout_error::LayoutError;
pub use layout_view::{LayoutView, LayoutViewMut};
pub use located::{Located, LocatedValue};
pub use memory::{CellIndex, Memory, Until};
pub use message_tag::{Context, MessageTag, TagPattern};
pub use multiple_completion::MultipleCompletion;
pub use operation::{NativeFold, Operation, Reduces, UserOperation};
pub use pending::{Completed, Pending, PendingMessage, Persistent, PersistentArgs};
pub use rank::{PROC_NULL, Rank, Source};
pub use rank_blocks::RankBlocks;
pub use recording_transport::{OpSink, RecordingTransport};
pub use remote_memory::RemoteMemory;
pub use rule::{RankCall, Rule, Violation};
pub use send_mode::{BSEND_OVERHEAD, SendMode};
pub use source_location::SourceLocation;
pub use status::Status;
pub use struct_type::{FieldType, StructField, StructType, TypeDifference, TypedNumber};
pub use topology::{CartesianGrid, Neighbours, NewTopology};
pub use transport::{MAX_COMMUNICATORS, Op, Transport};
pub use verb::{CollectiveKind, InPlaceParts, OwnedCollectiveKind, Verb};
/// Texts in both languages; see [`wb_text`].
pub use wb_text as text;
pub use wb_text::Text;
pub use window::{Accumulation, Assertion, ErasedWindow, LockKind, PendingFetch, WindowKind, WordUpdate};
pub use wire::{Datatype, Number, View, ViewMut, Wire};

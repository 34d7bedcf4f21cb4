//! The languages that ranks speak.
//!
//! This crate holds no algorithm and no backend: only the vocabulary that both sides share. A *backend* (threads, MPI)
//! implements [`Transport`]; an *algorithm* is written over `&dyn Transport`; neither can name the other, because
//! neither crate depends on the other. What a rank says travels as a [`View`] of a slice of some [`Wire`] type, with a
//! [`MessageTag`] that keeps users' messages apart from ours, and every call carries the [`CallSite`] in the student's source
//! that made it, so that a hang can be explained.
//!
//! | module | noun |
//! |---|---|
//! | [`rank`] | who: [`Rank`], [`Source`] |
//! | [`wire`] | what may travel: [`Wire`], [`Datatype`], [`View`], [`Block`] |
//! | [`message_tag`] | under which name: [`MessageTag`], [`TagPattern`], [`Context`] |
//! | [`call_site`] | from which call: [`CallSite`], [`Verb`] |
//! | [`transport`] | the object-safe waist: [`Transport`], [`Op`], [`Pending`] |
//! | [`collectives`] | MPI's collective verbs, erased: [`Collectives`], [`Operation`] |
//! | [`barrier`] | what every barrier can do: [`Barrier`], [`SplitBarrier`] |
//! | [`signal`] | two verbs for barriers that tell: [`Signal`] |
//! | [`memory`] | OpenSHMEM's verbs for barriers that count: [`Memory`], [`Until`] |
//! | [`cells`] | shared memory as `Memory`: [`Cells`], [`Spacing`], [`SpinPolicy`] |
//! | [`recording_transport`] | programs that are written down without running: [`RecordingTransport`], [`OpSink`] |
//! | [`window`] | MPI's windows, erased: [`ErasedWindow`] |
//! | [`access`] | how its elements are touched, and which touches need an order: [`AccessKind`], [`Access`] |
//! | [`decorator`] | a transport, a window or collectives around another one: [`TransportDecorator`], [`WindowDecorator`], [`CollectivesDecorator`] |
//! | [`remote_memory`] | a window as `Memory`: [`RemoteMemory`] |
//! | [`completion`] | which of its operations are complete: [`CompletionTracker`] |
//! | [`nodes`] | which ranks share a node |
//! | [`rule`] | which calls on a window are legal: [`Rule`], [`Violation`] |
//! | [`call_stack`] | the user's line behind a call, where the compiler does not give it |
//! | [`current_rank`] | whose code runs on this thread |
//! | [`job`] | how ranks come to be: [`ProcessRanks`], [`ThreadRanks`], [`UnreceivedMessage`], [`BlockedCall`] |
//! | [`backends`] | what a program is linked with: [`Backends`] |
//! | [`exploration`] | the orders in which a job may go: [`ModelChecker`], [`Schedule`] |
//! | [`error`] | what goes wrong: [`Error`] |
//! | [`code`] | the stable names of mistakes: [`Code`] |
//! | [`diagnosis`] | why nobody can go on: [`diagnose`] |
//! | [`collective_matcher`] | who brings what to a collective: [`CollectiveMatcher`], [`CollectiveMismatch`] |
//! | [`text`] | what is told, as values in both languages: [`Text`] |
//! | [`incomplete_collective`] | a collective that some ranks have called and others have not: [`IncompleteCollective`] |
//! | [`finding`] | a mistake that was found: [`Finding`], [`CallLocation`] |
#![deny(missing_docs)]

pub mod access;
pub mod backends;
pub mod barrier;
pub mod call_site;
pub mod call_stack;
pub mod cells;
pub mod code;
pub mod collective_matcher;
pub mod collectives;
pub mod completion;
pub mod current_rank;
pub mod decorator;
pub mod diagnosis;
pub mod error;
pub mod exploration;
pub mod finding;
pub mod incomplete_collective;
pub mod job;
pub mod memory;
pub mod message_tag;
pub mod nodes;
pub mod rank;
pub mod recording_transport;
pub mod remote_memory;
pub mod rule;
pub mod signal;
pub mod transport;
pub mod window;
pub mod wire;

pub use access::{Access, AccessKind, MAX_RACE_CHECKED_RANKS};
pub use backends::Backends;
pub use barrier::{Barrier, SplitBarrier};
pub use call_site::{CallSite, SourceLocation, Verb};
pub use cells::{Cells, Spacing, SpinPolicy};
pub use code::Code;
pub use collective_matcher::{CollectiveCall, CollectiveCounts, CollectiveMatcher, CollectiveMismatch};
pub use collectives::{Collectives, Operation};
pub use completion::{CompletionTicket, CompletionTracker};
pub use decorator::{CollectivesDecorator, TransportDecorator, WindowDecorator};
pub use diagnosis::diagnose;
pub use error::{Error, Result};
pub use exploration::{ModelChecker, Schedule};
pub use finding::{CallLocation, Finding};
pub use incomplete_collective::IncompleteCollective;
pub use job::{
    BlockedCall, JobHandle, LibraryInfo, ProcessRanks, RankFunction, ThreadRanks, UnreceivedMessage,
    VirtualRanks,
};
pub use memory::{CellIndex, Memory, Until};
pub use message_tag::{Context, MessageTag, TagPattern};
pub use rank::{Rank, Source};
pub use recording_transport::{OpSink, RecordingTransport};
pub use remote_memory::RemoteMemory;
pub use rule::{RankCall, Rule, Violation};
pub use signal::{Signal, Slot};
pub use transport::{Completed, Op, Pending, Status, Transport};
/// Texts as values; see [`wb_text`].
pub use wb_text as text;
pub use wb_text::Text;
pub use window::{Accumulation, Assertion, ErasedWindow, LockKind, PendingFetch, WindowKind, WordUpdate};
pub use wire::{Block, Datatype, Number, View, ViewMut, Wire};

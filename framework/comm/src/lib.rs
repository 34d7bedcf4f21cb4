//! The languages that ranks speak.
//!
//! This crate holds no algorithm and no backend: only the vocabulary that both sides share. A *backend* (threads, MPI)
//! implements [`Transport`]; an *algorithm* is written over `&dyn Transport`; neither can name the other, because
//! neither crate depends on the other. What a rank says travels as a [`View`] of a slice of some [`Wire`] type, with a
//! [`Label`] that keeps users' messages apart from ours, and every call carries the [`Site`] in the student's source
//! that made it, so that a hang can be explained.
//!
//! | module | noun |
//! |---|---|
//! | [`rank`] | who: [`Rank`], [`Source`] |
//! | [`wire`] | what may travel: [`Wire`], [`Layout`], [`View`], [`Block`] |
//! | [`label`] | under which name: [`Label`], [`Match`], [`Channel`] |
//! | [`site`] | from which call: [`Site`], [`Verb`] |
//! | [`transport`] | the object-safe waist: [`Transport`], [`Op`], [`Pending`] |
//! | [`collectives`] | MPI's collective verbs, erased: [`Collectives`], [`Operation`] |
//! | [`barrier`] | what every barrier can do: [`Barrier`], [`SplitBarrier`] |
//! | [`signal`] | two verbs for barriers that tell: [`Signal`] |
//! | [`memory`] | OpenSHMEM's verbs for barriers that count: [`Memory`], [`Until`] |
//! | [`cells`] | shared memory as `Memory`: [`Cells`], [`Spacing`], [`Patience`] |
//! | [`dictation`] | programs that are written down without running: [`Dictation`], [`Scribe`] |
//! | [`window`] | MPI's windows, erased: [`Window`] |
//! | [`touch`] | how its elements are touched, and which touches need an order: [`Touch`], [`Touched`] |
//! | [`remote`] | a window as `Memory`: [`Remote`] |
//! | [`completion`] | which of its operations are complete: [`Completion`] |
//! | [`nodes`] | which ranks share a node |
//! | [`rule`] | which calls on a window are legal: [`Rule`], [`Violation`] |
//! | [`caller`] | the user's line behind a call, where the compiler does not give it |
//! | [`current`] | whose code runs on this thread |
//! | [`job`] | how ranks come to be: [`Processes`], [`Threads`], [`Leftover`], [`Blocked`] |
//! | [`backends`] | what a program is linked with: [`Backends`] |
//! | [`orders`] | the orders in which a job may go: [`Orders`], [`Schedule`] |
//! | [`error`] | what goes wrong: [`Error`] |
//! | [`code`] | the stable names of mistakes: [`Code`] |
//! | [`diagnosis`] | why nobody can go on: [`diagnose`] |
//! | [`roll`] | who brings what to a collective: [`Roll`], [`Mismatch`] |
//! | [`text`] | what is told, as values in both languages: [`Text`] |
//! | [`unjoined`] | a collective that some ranks have called and others have not: [`Unjoined`] |
//! | [`finding`] | a mistake that was found: [`Finding`], [`Place`] |
#![deny(missing_docs)]

pub mod backends;
pub mod barrier;
pub mod caller;
pub mod cells;
pub mod code;
pub mod collectives;
pub mod completion;
pub mod current;
pub mod diagnosis;
pub mod dictation;
pub mod error;
pub mod finding;
pub mod job;
pub mod label;
pub mod memory;
pub mod nodes;
pub mod orders;
pub mod rank;
pub mod remote;
pub mod roll;
pub mod rule;
pub mod signal;
pub mod site;
pub mod touch;
pub mod transport;
pub mod unjoined;
pub mod window;
pub mod wire;

pub use backends::Backends;
pub use barrier::{Barrier, SplitBarrier};
pub use cells::{Cells, Patience, Spacing};
pub use code::Code;
pub use collectives::{Collectives, Operation};
pub use completion::{Completion, Ticket};
pub use diagnosis::diagnose;
pub use dictation::{Dictation, Scribe};
pub use error::{Error, Result};
pub use finding::{Finding, Place};
pub use job::{Blocked, Leftover, Library, Processes, Seat, Threads, ThreadsJob, Virtual};
pub use label::{Channel, Label, Match};
pub use memory::{Cell, Memory, Until};
pub use orders::{Orders, Schedule};
pub use rank::{Rank, Source};
pub use remote::Remote;
pub use roll::{Contribution, Lengths, Mismatch, Roll};
pub use rule::{Call, Rule, Violation};
pub use signal::{Signal, Slot};
pub use site::{Site, Spot, Verb};
pub use touch::{MOST_WATCHED_RANKS, Touch, Touched};
pub use transport::{Completed, Op, Pending, Status, Transport};
pub use unjoined::Unjoined;
/// Texts as values; see [`wb_text`].
pub use wb_text as text;
pub use wb_text::Text;
pub use window::{Accumulation, Assertion, Fetched, LockKind, Window, WindowKind, Word};
pub use wire::{Block, Layout, Number, View, ViewMut, Wire};

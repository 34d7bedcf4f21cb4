//! The object-safe interface for two-sided communication: post several operations, complete them together.
//!
//! Running the same task on threads and on MPI costs one virtual call per message. A transport represents one
//! communicator as one rank sees it; [`split`](Transport::split) and [`dup`](Transport::dup) make others.
use std::rc::Rc;

use crate::{
    Block, CallSite, CollectiveCall, CollectiveSchedule, Collectives, Context, Datatype, ErasedWindow, Error,
    Layout, LayoutView, LayoutViewMut, MessageTag, OwnedBuffers, Rank, Result, Source, TagPattern, View,
    ViewMut, WindowKind, text,
};

/// The status of a message that was received or probed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Status {
    /// The sender.
    pub source: Rank,
    /// Its tag.
    pub tag: i32,
    /// Its size in bytes.
    pub bytes: usize,
    /// Its element type, if the backend transmits it (threads do, MPI does not).
    pub datatype: Option<Datatype>,
}

impl Status {
    /// The number of elements of `layout` in the message; `None` if the size is not a multiple (`MPI_UNDEFINED`).
    pub fn count(&self, layout: Datatype) -> Option<usize> {
        self.bytes.is_multiple_of(layout.size()).then(|| self.bytes / layout.size())
    }
}

/// One operation of a call.
#[derive(Debug)]
pub enum Op<'a> {
    /// Sends `data`; complete when `data` may be used again (MPI's standard mode).
    Send {
        /// The receiver.
        to: Rank,
        /// The message's context and tag.
        tag: MessageTag,
        /// The payload.
        data: View<'a>,
        /// Whether it completes only when the receiver has started to receive (`MPI_Ssend`).
        synchronous: bool,
    },
    /// Receives at most `data.count()` elements; a longer message is [`Error::Truncated`].
    Recv {
        /// The source.
        from: Source,
        /// The accepted context and tags.
        tag: TagPattern,
        /// The receive buffer.
        data: ViewMut<'a>,
        /// Filled on completion.
        status: Option<Status>,
    },
    /// As [`Send`](Self::Send), of the elements that a layout names.
    SendLayout {
        /// The receiver.
        to: Rank,
        /// The message's context and tag.
        tag: MessageTag,
        /// The payload.
        data: LayoutView<'a>,
    },
    /// As [`Recv`](Self::Recv), into the elements that a layout names.
    RecvLayout {
        /// The source.
        from: Source,
        /// The accepted context and tags.
        tag: TagPattern,
        /// The receive buffer.
        data: LayoutViewMut<'a>,
        /// Filled on completion.
        status: Option<Status>,
    },
}

/// A posted operation that has not been waited for, with the buffer that it owns.
///
/// Dropping an incomplete one is a programming error that a backend counts; it must stay sound (the buffer is leaked).
pub trait Pending {
    /// True once [`wait`](Self::wait) would not block.
    ///
    /// # Errors
    /// The errors of the operation itself.
    fn test(&mut self, site: CallSite) -> Result<bool>;

    /// Completes the operation and returns its buffer.
    ///
    /// # Errors
    /// The errors of the operation itself.
    fn wait(self: Box<Self>, site: CallSite) -> Result<Completed>;
}

/// The result of [`Pending::wait`].
#[derive(Debug)]
pub struct Completed {
    /// The buffer that was lent to the operation.
    pub block: Block,
    /// For a receive: the status of the message.
    pub status: Option<Status>,
}

/// A communicator as one rank sees it.
///
/// Messages between the same two ranks that match the same receive do not overtake each other, as in MPI. All methods
/// return an error rather than hang if the backend knows that a wait cannot end (a peer failed, every rank waits).
pub trait Transport {
    /// This process's rank in the communicator.
    fn rank(&self) -> Rank;

    /// The number of ranks of the communicator.
    fn size(&self) -> usize;

    /// The backend's name for display and records: `"mpi"`, `"threads"`.
    fn backend(&self) -> &'static str;

    /// Posts all operations, returns when all are complete. Receives get their `status` filled.
    ///
    /// # Errors
    /// See [`Error`]; the other operations of a failed call are completed or cancelled, never left incomplete.
    fn post_and_wait(&self, ops: &mut [Op<'_>], site: CallSite) -> Result<()>;

    /// Posts one send whose buffer it owns until it is waited for. A `synchronous` one is complete only when the
    /// receiver has started to receive (`MPI_Issend`).
    ///
    /// # Errors
    /// An invalid peer or tag, a message that is too long.
    fn post_send(
        &self,
        to: Rank,
        label: MessageTag,
        data: Block,
        synchronous: bool,
        site: CallSite,
    ) -> Result<Box<dyn Pending>>;

    /// Posts one receive into a buffer that it owns until it is waited for.
    ///
    /// # Errors
    /// An invalid peer or tag, a message that is too long.
    fn post_recv(
        &self,
        from: Source,
        label: TagPattern,
        into: Block,
        site: CallSite,
    ) -> Result<Box<dyn Pending>>;

    /// As [`post_send`](Self::post_send) in the standard mode, of the elements that a layout names.
    ///
    /// # Errors
    /// As [`post_send`](Self::post_send), and those of [`Layout::check_slice`].
    fn post_send_layout(
        &self,
        to: Rank,
        label: MessageTag,
        data: Block,
        layout: &Layout,
        site: CallSite,
    ) -> Result<Box<dyn Pending>>;

    /// As [`post_recv`](Self::post_recv), into the elements that a layout names.
    ///
    /// # Errors
    /// As [`post_recv`](Self::post_recv), and those of [`Layout::check_slice`] and [`Layout::check_distinct`].
    fn post_recv_layout(
        &self,
        from: Source,
        label: TagPattern,
        into: Block,
        layout: &Layout,
        site: CallSite,
    ) -> Result<Box<dyn Pending>>;

    /// Starts the rounds of `schedule`, which is this rank's part of a collective operation. All ranks start their operations on this
    /// communicator in the same order. The operation owns its buffers until it is waited for; the wait returns the receive buffer.
    ///
    /// # Errors
    /// [`Error::Setup`] if the backend cannot execute rounds outside of a call.
    fn start_schedule(
        &self,
        schedule: CollectiveSchedule,
        buffers: OwnedBuffers,
        site: CallSite,
    ) -> Result<Box<dyn Pending>> {
        let _ = (schedule, buffers, site);
        Err(Error::Setup(text::setup::no_schedules(self.backend())))
    }

    /// Waits for a message without receiving it (`MPI_Probe`).
    ///
    /// # Errors
    /// See [`Error`].
    fn probe(&self, from: Source, label: TagPattern, site: CallSite) -> Result<Status>;

    /// Checks for a message without waiting (`MPI_Iprobe`).
    ///
    /// # Errors
    /// See [`Error`].
    fn iprobe(&self, from: Source, label: TagPattern, site: CallSite) -> Result<Option<Status>>;

    /// Reports that this rank enters a collective, before any of the collective's messages. A backend that observes all
    /// ranks compares their calls; others ignore it.
    ///
    /// # Errors
    /// [`Error::Collective`] if another rank's call does not match; then all ranks get it.
    fn enter_collective(&self, contribution: CollectiveCall) -> Result<()> {
        let _ = contribution;
        Ok(())
    }

    /// Collective: ranks with the same `color` form a new communicator, ordered by `key`, then by rank here; a rank
    /// with `None` joins no communicator (`MPI_Comm_split`, `MPI_UNDEFINED`).
    ///
    /// # Errors
    /// See [`Error`].
    fn split(&self, color: Option<u32>, key: i32, site: CallSite) -> Result<Option<Rc<dyn Transport>>>;

    /// Collective: the same ranks, separate messages (`MPI_Comm_dup`).
    ///
    /// # Errors
    /// See [`Error`].
    fn dup(&self, site: CallSite) -> Result<Rc<dyn Transport>>;

    /// Collective: memory of `count` elements of `layout` on this rank (others may give another count) that all ranks
    /// expose to each other (`MPI_Win_create`, `MPI_Win_allocate`, `MPI_Win_allocate_shared`).
    ///
    /// # Errors
    /// [`Error::Setup`] if the backend has no windows or not of this kind; the library's error.
    fn window(
        &self,
        kind: WindowKind,
        layout: Datatype,
        count: usize,
        site: CallSite,
    ) -> Result<Box<dyn ErasedWindow>> {
        let _ = (layout, count, site);
        Err(Error::Setup(text::window::kind(self.backend(), format!("{kind:?}"))))
    }

    /// Collective: the node of every rank, by rank; nodes are numbered from 0 in the order of their lowest rank. Ranks
    /// of one node can share memory (`MPI_Comm_split_type`).
    ///
    /// # Errors
    /// The library's error.
    fn nodes(&self, site: CallSite) -> Result<Vec<usize>> {
        let _ = site;
        Ok(vec![0; self.size()])
    }

    /// Whether all ranks are threads of this process. Then they share statics.
    fn shares_address_space(&self) -> bool {
        false
    }

    /// The library's own collectives, if the backend has a library.
    fn native_collectives(&self) -> Option<&dyn Collectives> {
        None
    }

    /// Nanoseconds of a monotonic clock that all ranks of one machine share.
    fn now(&self) -> u64;

    /// This rank computes: this number of floating-point operations on this number of bytes of memory. Returns the
    /// nanoseconds that it takes in virtual time. On other backends the work itself takes real time, and this does
    /// nothing and returns 0.
    fn work(&self, flops: u64, bytes: u64) -> u64 {
        let _ = (flops, bytes);
        0
    }

    /// The number of one-port rounds that this rank's user messages have taken so far: a logical clock that a send
    /// advances by one and a receive sets to at least the sender's. `None` if messages cannot carry it.
    fn rounds(&self) -> Option<u64> {
        None
    }
}

/// The context of an operation.
impl Op<'_> {
    /// The context that the operation uses.
    pub fn context(&self) -> Context {
        match self {
            Self::Send { tag: label, .. } | Self::SendLayout { tag: label, .. } => label.context,
            Self::Recv { tag: label, .. } | Self::RecvLayout { tag: label, .. } => label.context,
        }
    }
}

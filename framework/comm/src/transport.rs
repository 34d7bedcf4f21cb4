//! The object-safe interface for two-sided communication: post several operations, complete them together.
//!
//! Running the same task on threads and on MPI costs one virtual call per message. A transport represents one
//! communicator as one rank sees it; [`split`](Transport::split) and [`dup`](Transport::dup) make others.
use std::rc::Rc;

use crate::{
    Block, CallSite, CollectiveCall, CollectiveSchedule, Collectives, Context, Datatype, ErasedFile,
    ErasedWindow, Error, FileArgs, Layout, LayoutView, LayoutViewMut, MessageTag, MultipleCompletion,
    NewTopology, OwnedBuffers, Pending, PendingMessage, Persistent, PersistentArgs, Rank, Result, SendMode,
    Source, Status, TagPattern, View, ViewMut, WindowKind, limits, text,
};

/// One operation of a call.
#[derive(Debug)]
pub enum Op<'a> {
    /// Sends `data`; complete when `data` may be used again.
    Send {
        /// The receiver.
        to: Rank,
        /// The message's context and tag.
        tag: MessageTag,
        /// The payload.
        data: View<'a>,
        /// When it may start, and when it is complete.
        mode: SendMode,
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

/// The number of communicators that a rank may hold at a time, besides the world. MPICH 4.0 has 2,048 contexts for a process; a communicator
/// of the MPI backend takes two of them, a window or an open file one more.
pub const MAX_COMMUNICATORS: usize = 500;

/// A communicator as one rank sees it.
///
/// Messages between the same two ranks that match the same receive do not overtake each other, as in MPI. All methods
/// return an error rather than hang if the backend knows that a wait cannot end (a peer failed, every rank waits).
pub trait Transport {
    /// This process's rank in the communicator.
    fn rank(&self) -> Rank;

    /// The number of ranks of the communicator.
    fn size(&self) -> usize;

    /// The ranks of the communicator as ranks in the world of the job (`MPI_Comm_group`).
    ///
    /// # Errors
    /// The library's error.
    fn members(&self) -> Result<Vec<Rank>> {
        Ok((0..self.size()).collect())
    }

    /// The name of the communicator in messages (`MPI_Comm_set_name`).
    ///
    /// # Errors
    /// The library's error.
    fn set_name(&self, name: &str) -> Result<()> {
        let _ = name;
        Ok(())
    }

    /// The backend's name for display and records: `"mpi"`, `"threads"`.
    fn backend(&self) -> &'static str;

    /// Posts all operations, returns when all are complete. Receives get their `status` filled.
    ///
    /// # Errors
    /// See [`Error`]; the other operations of a failed call are completed or cancelled, never left incomplete.
    fn post_and_wait(&self, ops: &mut [Op<'_>], site: CallSite) -> Result<()>;

    /// Posts one send whose buffer it owns until it is waited for (`MPI_Isend`, `MPI_Issend` and so on).
    ///
    /// # Errors
    /// An invalid peer or tag, a message that is too long.
    fn post_send(
        &self,
        to: Rank,
        tag: MessageTag,
        data: Block,
        mode: SendMode,
        site: CallSite,
    ) -> Result<Box<dyn Pending>>;

    /// Posts one receive into a buffer that it owns until it is waited for.
    ///
    /// # Errors
    /// An invalid peer or tag, a message that is too long.
    fn post_recv(
        &self,
        from: Source,
        tag: TagPattern,
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
        tag: MessageTag,
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
        tag: TagPattern,
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

    /// Completes several operations of this backend, posted on any of its communicators; returns the indices of those that are complete now,
    /// in rising order. The [`wait`](Pending::wait) of each of them then returns immediately, with its error if it has failed.
    ///
    /// A call for all of several completes all or none. A call for one chooses any that is complete.
    ///
    /// # Errors
    /// See [`Error`]; the operations stay posted.
    fn complete(
        &self,
        requests: &mut [&mut dyn Pending],
        mode: MultipleCompletion,
        site: CallSite,
    ) -> Result<Vec<usize>>;

    /// The library's persistent request for a buffer, which is started with this buffer only (`MPI_Send_init`, `MPI_Recv_init`); `None` if
    /// the backend has none: then an operation is posted at each start.
    ///
    /// # Errors
    /// An invalid peer or tag, a message that is too long.
    fn persistent(&self, args: PersistentArgs, buffer: &mut Block) -> Result<Option<Box<dyn Persistent>>> {
        let _ = (args, buffer);
        Ok(None)
    }

    /// Sends `data` and replaces it by a received message (`MPI_Sendrecv_replace`).
    ///
    /// # Errors
    /// As of a send and a receive.
    fn sendrecv_replace(
        &self,
        data: ViewMut<'_>,
        (to, out): (Rank, MessageTag),
        (from, into): (Source, TagPattern),
        site: CallSite,
    ) -> Result<Status> {
        let sent = Block::copy_of(data.as_view());
        let mut ops = [
            Op::Recv { from, tag: into, data, status: None },
            Op::Send { to, tag: out, data: sent.view(), mode: SendMode::Standard },
        ];
        self.post_and_wait(&mut ops, site)?;
        let [Op::Recv { status: Some(status), .. }, _] = ops else {
            unreachable!("a completed receive has a status")
        };
        Ok(status)
    }

    /// Provides memory of this size for buffered sends of this process (`MPI_Buffer_attach`).
    ///
    /// # Errors
    /// If there is one already.
    fn attach_buffer(&self, bytes: usize, site: CallSite) -> Result<()>;

    /// Waits until all buffered messages have left the buffer, and removes it; returns its size (`MPI_Buffer_detach`).
    ///
    /// # Errors
    /// If there is none; see [`Error`].
    fn detach_buffer(&self, site: CallSite) -> Result<usize>;

    /// Removes that memory without waiting; the messages in it arrive nevertheless. It is for replays of a call that has returned.
    ///
    /// # Errors
    /// See [`Error`].
    fn drop_buffer(&self) -> Result<()> {
        Ok(())
    }

    /// Takes a message out of its queue, so that no other receive gets it (`MPI_Mprobe`; `MPI_Improbe` if it does not wait).
    ///
    /// # Errors
    /// See [`Error`].
    fn matched_probe(
        &self,
        from: Source,
        tag: TagPattern,
        waits: bool,
        site: CallSite,
    ) -> Result<Option<Box<dyn PendingMessage>>>;

    /// Waits for a message without receiving it (`MPI_Probe`).
    ///
    /// # Errors
    /// See [`Error`].
    fn probe(&self, from: Source, tag: TagPattern, site: CallSite) -> Result<Status>;

    /// Checks for a message without waiting (`MPI_Iprobe`).
    ///
    /// # Errors
    /// See [`Error`].
    fn iprobe(&self, from: Source, tag: TagPattern, site: CallSite) -> Result<Option<Status>>;

    /// Lets the library make progress with messages of others (`MPI_Iprobe` for one that never comes).
    ///
    /// # Errors
    /// See [`Error`].
    fn make_progress(&self, site: CallSite) -> Result<()> {
        // No message has this tag.
        self.iprobe(Source::Any, MessageTag::internal(limits::TAG_MAX).into(), site).map(drop)
    }

    /// For a rank that waits in shared memory, from time to time: lets the library make progress, without which a rank may be blocked in a message to
    /// this one, and returns an error if the job has failed. Until the next call, who asks where this rank is sees that it waits for `peer` at `site`;
    /// `None` ends the wait.
    ///
    /// # Errors
    /// See [`Error`].
    fn wait_in_memory(&self, peer: Option<Rank>, site: CallSite) -> Result<()> {
        match peer {
            Some(_) => self.make_progress(site),
            None => Ok(()),
        }
    }

    /// Whether [`enter_collective`](Self::enter_collective) compares or records the calls. If not, it need not be called.
    fn observes_collectives(&self) -> bool {
        true
    }

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

    /// Collective: a communicator with a topology (`MPI_Cart_create`, `MPI_Cart_sub`, `MPI_Dist_graph_create_adjacent`); a rank that the
    /// topology has no place for joins none. Ranks that may be reordered are [placed](NewTopology::place) by their nodes.
    ///
    /// # Errors
    /// See [`Error`].
    fn create_topology(&self, topology: &NewTopology, site: CallSite) -> Result<Option<Rc<dyn Transport>>> {
        self.enter_collective(CollectiveCall::new(site).with_topology(topology.clone()))?;
        let nodes = if topology.depends_on_nodes() { self.nodes(site)? } else { vec![] };
        let (color, key) = topology.place(self.rank(), &nodes);
        self.split(color, key, site)
    }

    /// Collective among `members` only, which are ranks of this communicator and contain this one: a communicator of them, in this order
    /// (`MPI_Comm_create_group`). Calls with other tags are separate.
    ///
    /// # Errors
    /// See [`Error`].
    fn create_group(&self, members: &[Rank], tag: i32, site: CallSite) -> Result<Rc<dyn Transport>>;

    /// Collective: memory of `count` elements of `datatype` on this rank (others may give another count) that all ranks
    /// expose to each other (`MPI_Win_create`, `MPI_Win_allocate`, `MPI_Win_allocate_shared`).
    ///
    /// # Errors
    /// [`Error::Setup`] if the backend has no windows or not of this kind; the library's error.
    fn window(
        &self,
        kind: WindowKind,
        datatype: Datatype,
        count: usize,
        site: CallSite,
    ) -> Result<Box<dyn ErasedWindow>> {
        let _ = (datatype, count, site);
        Err(Error::Setup(text::window::kind(self.backend(), format!("{kind:?}"))))
    }

    /// Collective: opens a file, which all ranks name in the same way (`MPI_File_open`).
    ///
    /// # Errors
    /// [`Error::File`] if it cannot be opened; [`Error::Setup`] if the backend has no files.
    fn file_open(&self, file: &FileArgs, site: CallSite) -> Result<Box<dyn ErasedFile>> {
        let _ = (file, site);
        Err(Error::Setup(text::setup::no_files(self.backend())))
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

    /// As [`now`](Self::now), for the task: where time is virtual, a reading takes time, so a task that waits by the clock does not wait for
    /// ever; `None` if the rank has only read the clock for too long.
    fn read_clock(&self) -> Option<u64> {
        Some(self.now())
    }

    /// This rank computes: this number of operations, as in `World::work`, on this number of bytes of memory. Returns the
    /// nanoseconds that it takes in virtual time; where virtual time takes the work itself, those since the last call. On other backends
    /// the work itself takes real time, and this does nothing and returns 0.
    fn work(&self, flops: u64, bytes: u64) -> u64 {
        let _ = (flops, bytes);
        0
    }

    /// The number of one-port rounds that this rank's user messages have taken so far: in a round a rank sends at most one
    /// message and receives at most one, none before it was sent, and a send follows all calls before it. `None` if
    /// messages cannot carry it.
    fn rounds(&self) -> Option<u64> {
        None
    }
}

impl dyn Transport + '_ {
    /// [`enter_collective`](Transport::enter_collective), where that [has an effect](Transport::observes_collectives): the call is described
    /// only there.
    ///
    /// # Errors
    /// [`Error::Collective`] if another rank's call does not match.
    #[inline]
    pub fn enter_collective_with(&self, call: impl FnOnce() -> CollectiveCall) -> Result<()> {
        if self.observes_collectives() { self.enter_collective(call()) } else { Ok(()) }
    }
}

/// The context of an operation.
impl Op<'_> {
    /// The context that the operation uses.
    pub fn context(&self) -> Context {
        match self {
            Self::Send { tag, .. } | Self::SendLayout { tag, .. } => tag.context,
            Self::Recv { tag, .. } | Self::RecvLayout { tag, .. } => tag.context,
        }
    }
}

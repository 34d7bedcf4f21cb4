//! Records the operations of a rank without running them: every call returns immediately and transmits nothing.
//!
//! It is for programs that depend neither on time nor on data: receive buffers do not change and statuses stay empty. A
//! call whose result depends on them is an error.
use std::rc::Rc;

use crate::{
    Block, CallSite, CollectiveSchedule, Error, Layout, MessageTag, MultipleCompletion, Op, OwnedBuffers,
    Pending, PendingMessage, Rank, Result, SendMode, Source, Status, TagPattern, Text, Transport,
    text::setup,
};

/// The receiver of the recorded operations of a rank.
pub trait OpSink {
    /// The recorded rank.
    fn rank(&self) -> Rank;

    /// The number of ranks.
    fn size(&self) -> usize;

    /// As [`Transport::backend`].
    fn name(&self) -> &'static str;

    /// Records the operations of one call.
    ///
    /// # Errors
    /// If an operation cannot be recorded ([`not_recordable`]).
    fn record(&self, ops: &[Op<'_>]) -> Result<()>;
}

/// A transport that records operations.
pub struct RecordingTransport<S>(pub S);

/// The error of a call whose result depends on time or on data.
pub fn not_recordable(what: Text) -> Error {
    Error::Setup(setup::not_recordable(what))
}

impl<S: OpSink> Transport for RecordingTransport<S> {
    fn rank(&self) -> Rank {
        self.0.rank()
    }

    fn size(&self) -> usize {
        self.0.size()
    }

    fn backend(&self) -> &'static str {
        self.0.name()
    }

    fn post_and_wait(&self, ops: &mut [Op<'_>], _: CallSite) -> Result<()> {
        self.0.record(ops)
    }

    fn post_send(
        &self,
        _: Rank,
        _: MessageTag,
        _: Block,
        _: SendMode,
        _: CallSite,
    ) -> Result<Box<dyn Pending>> {
        Err(not_recordable(setup::late_send()))
    }

    fn post_recv(&self, _: Source, _: TagPattern, _: Block, _: CallSite) -> Result<Box<dyn Pending>> {
        Err(not_recordable(setup::late_receive()))
    }

    fn post_send_layout(
        &self,
        _: Rank,
        _: MessageTag,
        _: Block,
        _: &Layout,
        _: CallSite,
    ) -> Result<Box<dyn Pending>> {
        Err(not_recordable(setup::late_send()))
    }

    fn post_recv_layout(
        &self,
        _: Source,
        _: TagPattern,
        _: Block,
        _: &Layout,
        _: CallSite,
    ) -> Result<Box<dyn Pending>> {
        Err(not_recordable(setup::late_receive()))
    }

    fn start_schedule(
        &self,
        _: CollectiveSchedule,
        _: OwnedBuffers,
        _: CallSite,
    ) -> Result<Box<dyn Pending>> {
        Err(not_recordable(setup::late_collective()))
    }

    fn complete(&self, _: &mut [&mut dyn Pending], _: MultipleCompletion, _: CallSite) -> Result<Vec<usize>> {
        Err(not_recordable(setup::late_completion()))
    }

    fn attach_buffer(&self, _: usize, _: CallSite) -> Result<()> {
        Err(not_recordable(setup::late_send()))
    }

    fn detach_buffer(&self, _: CallSite) -> Result<usize> {
        Err(not_recordable(setup::late_send()))
    }

    fn matched_probe(
        &self,
        _: Source,
        _: TagPattern,
        _: bool,
        _: CallSite,
    ) -> Result<Option<Box<dyn PendingMessage>>> {
        Err(not_recordable(setup::probe()))
    }

    fn probe(&self, _: Source, _: TagPattern, _: CallSite) -> Result<Status> {
        Err(not_recordable(setup::probe()))
    }

    fn iprobe(&self, _: Source, _: TagPattern, _: CallSite) -> Result<Option<Status>> {
        Err(not_recordable(setup::probe()))
    }

    fn split(&self, _: Option<u32>, _: i32, _: CallSite) -> Result<Option<Rc<dyn Transport>>> {
        Err(not_recordable(setup::split()))
    }

    fn create_group(&self, _: &[Rank], _: i32, _: CallSite) -> Result<Rc<dyn Transport>> {
        Err(not_recordable(setup::split()))
    }

    fn dup(&self, _: CallSite) -> Result<Rc<dyn Transport>> {
        Err(not_recordable(setup::duplicate()))
    }

    fn now(&self) -> u64 {
        0
    }
}

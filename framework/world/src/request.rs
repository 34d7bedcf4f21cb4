//! Requests: sends, receives and collective operations that are started and not yet completed.
//!
//! A request owns its buffer until the wait, so no borrow can outlive the operation, and even a forgotten request is
//! sound. Dropping a request without a wait is an error that the harness reports.
use std::{marker::PhantomData, rc::Rc};

use wb_comm::{Block, CallSite, Completed, Pending, Result, Status, Verb, Wire};
use wb_record::EventKind;

use crate::{
    CommStats,
    call_tracer::{self, CallTracer, OptionalTracer},
    message_status::{element_count, source_envelope},
};

/// The parts common to both kinds of request.
pub(crate) struct StartedRequest {
    pub(crate) pending: Box<dyn Pending>,
    pub(crate) stats: Rc<CommStats>,
    pub(crate) tracer: OptionalTracer,
    /// The request's number in the log.
    pub(crate) request: u32,
}

impl StartedRequest {
    pub(crate) fn test(&mut self, site: CallSite) -> Result<bool> {
        call_tracer::trace_call(&self.tracer, site, || self.pending.test(site), |_, _| EventKind::Local)
    }

    pub(crate) fn wait(
        self,
        site: CallSite,
        act: impl FnOnce(&CallTracer, &Completed) -> EventKind,
    ) -> Result<Completed> {
        let Self { pending, stats: ledger, tracer: recording, .. } = self;
        call_tracer::trace_call(
            &recording,
            site,
            || pending.wait(site).inspect_err(|_| ledger.note_error(site)),
            act,
        )
    }
}

/// A started send (`MPI_Isend`).
#[must_use = "a request must be waited for"]
pub struct SendRequest<T> {
    pub(crate) started: StartedRequest,
    pub(crate) element: PhantomData<T>,
}

impl<T: Wire> SendRequest<T> {
    /// True once [`wait`](Self::wait) would not block (`MPI_Test`, but the request must still be waited for).
    ///
    /// # Errors
    /// The errors of the send.
    #[track_caller]
    pub fn test(&mut self) -> Result<bool> {
        self.started.test(CallSite::caller(Verb::Wait))
    }

    /// Completes the send and returns the buffer (`MPI_Wait`).
    ///
    /// # Errors
    /// The errors of the send.
    #[track_caller]
    pub fn wait(self) -> Result<Vec<T>> {
        let site = CallSite::caller(Verb::Wait);
        let request = self.started.request;
        let done = self.started.wait(site, |_, _| EventKind::FinishSend { request })?;
        Ok(done.block.into_vec().expect("a send gives back the buffer it was given"))
    }
}

/// A started receive (`MPI_Irecv`).
#[must_use = "a request must be waited for"]
pub struct RecvRequest<T> {
    pub(crate) started: StartedRequest,
    pub(crate) element: PhantomData<T>,
}

impl<T: Wire> RecvRequest<T> {
    /// True once [`wait`](Self::wait) would not block (`MPI_Test`, but the request must still be waited for).
    ///
    /// # Errors
    /// The errors of the receive.
    #[track_caller]
    pub fn test(&mut self) -> Result<bool> {
        self.started.test(CallSite::caller(Verb::Wait))
    }

    /// Completes the receive: the received elements and their status (`MPI_Wait`).
    ///
    /// # Errors
    /// The errors of the receive.
    #[track_caller]
    pub fn wait(self) -> Result<(Vec<T>, Status)> {
        let site = CallSite::caller(Verb::Wait);
        let (request, ledger) = (self.started.request, Rc::clone(&self.started.stats));
        let came =
            |done: &Completed| source_envelope(&done.status.expect("a completed receive has a status"));
        let done =
            self.started.wait(site, |_, done| EventKind::FinishReceive { request, from: came(done) })?;
        let status = done.status.expect("a completed receive has a status");
        ledger.note_message_received(status.bytes);
        let mut data: Vec<T> = done.block.into_vec().expect("a receive gives back the buffer it was given");
        data.truncate(element_count::<T>(&status).inspect_err(|_| ledger.note_error(site))?);
        Ok((data, status))
    }
}

/// A started collective operation (`MPI_Ibcast` and so on); its wait returns `O`.
#[must_use = "a request must be waited for"]
pub struct CollectiveRequest<O> {
    pub(crate) started: StartedRequest,
    /// Whether this rank gets a result.
    pub(crate) gets: bool,
    pub(crate) output: PhantomData<O>,
}

/// What a rank gets from a collective operation: `Vec` of elements, `None` on ranks that get nothing, or `()`.
pub trait CollectiveOutput: sealed::Sealed {
    /// Takes it from the receive buffer.
    #[doc(hidden)]
    fn from_block(received: Block, gets: bool) -> Self;
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for () {}
    impl<T: wb_comm::Wire> Sealed for Vec<T> {}
    impl<T: wb_comm::Wire> Sealed for Option<Vec<T>> {}
}

impl CollectiveOutput for () {
    fn from_block(_: Block, _: bool) -> Self {}
}

impl<T: Wire> CollectiveOutput for Vec<T> {
    fn from_block(received: Block, _: bool) -> Self {
        received.into_vec().expect("an operation gives back the buffer it was given")
    }
}

impl<T: Wire> CollectiveOutput for Option<Vec<T>> {
    fn from_block(received: Block, gets: bool) -> Self {
        gets.then(|| Vec::from_block(received, gets))
    }
}

impl<O: CollectiveOutput> CollectiveRequest<O> {
    /// True once [`wait`](Self::wait) would not block (`MPI_Test`, but the request must still be waited for).
    ///
    /// # Errors
    /// The errors of the operation.
    #[track_caller]
    pub fn test(&mut self) -> Result<bool> {
        self.started.test(CallSite::caller(Verb::Wait))
    }

    /// Completes the operation and returns what this rank gets (`MPI_Wait`).
    ///
    /// # Errors
    /// The errors of the operation.
    #[track_caller]
    pub fn wait(self) -> Result<O> {
        let site = CallSite::caller(Verb::Wait);
        let request = self.started.request;
        let done = self.started.wait(site, |_, _| EventKind::FinishCollective { request })?;
        Ok(O::from_block(done.block, self.gets))
    }
}

//! Operations that outlive the call that posts them: each request owns its buffer.
//!
//! A request that is dropped unfinished cannot be withdrawn from MPI, so its buffer is leaked (MPI may write into it at
//! any time) and recorded as a leak. It is the student's mistake, and it does not harm memory safety.
use std::{any::Any, ffi::c_int, mem, rc::Rc};

pub(crate) mod multiple_completion;
pub(crate) mod persistent;

use mpi::ffi::{MPI_Cancel, MPI_Request, MPI_Status, MPI_Test, MPI_Test_cancelled, MPI_Wait};
use wb_comm::{
    Block, CallSite, Code, Completed, Layout, LayoutView, LayoutViewMut, MessageTag, OwnedBuffers, Pending,
    Rank, Result, SendMode, Source, Status, TagPattern,
};

use persistent::PersistentHandle;

use crate::{
    blocked_call::{self, WaitTarget},
    buffers::CountsAndDispls,
    check::{self, check},
    communicator::MpiCommunicator,
    handles,
    message_args::empty_status,
};

/// A posted send or receive, or a started collective operation.
pub(crate) struct MpiRequest {
    /// `MPI_REQUEST_NULL` once MPI no longer uses the block.
    request: MPI_Request,
    /// `None` once returned or leaked.
    block: Option<Block>,
    kind: RequestKind,
    /// The call that posted it.
    site: CallSite,
    wait_target: WaitTarget,
    /// The outcome, once a call other than its wait has completed the request; for a receive with its status.
    outcome: Option<Result<Option<Status>>>,
    communicator: Rc<MpiCommunicator>,
}

/// The operation of a request.
pub(crate) enum RequestKind {
    Send,
    Receive,
    /// A started persistent request, whose handle does not become null.
    Persistent(#[expect(dead_code, reason = "its drop frees the handle")] Rc<PersistentHandle>, Direction),
    /// A collective operation, with what the library reads until it is complete: the send buffer, and counts.
    Collective(Option<Block>, #[expect(dead_code, reason = "the library reads them")] Vec<CountsAndDispls>),
}

/// Where the message of a request goes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direction {
    Send,
    Receive,
}

impl MpiRequest {
    /// A posted send of the block, or of the elements that a layout names in it.
    pub(crate) fn send(
        communicator: &Rc<MpiCommunicator>,
        (to, tag): (Rank, MessageTag),
        (block, layout): (Block, Option<&Layout>),
        mode: SendMode,
        site: CallSite,
    ) -> Result<Self> {
        let elements = match layout {
            None => communicator.elements(block.view())?,
            Some(layout) => communicator.layout_elements(LayoutView::new(block.view(), layout)?)?,
        };
        let args = communicator.send_args(to, tag, elements, mode)?;
        // SAFETY: the elements do not move while the block lives, which is until the request is complete or for ever;
        // no other code can reach the block.
        let request = unsafe { args.post(communicator)? };
        let wait_target = args.wait_target;
        Ok(Self::new(communicator, request, block, (RequestKind::Send, site), wait_target))
    }

    /// A posted receive into the block, or into the elements that a layout names in it.
    pub(crate) fn recv(
        communicator: &Rc<MpiCommunicator>,
        (from, tag): (Source, TagPattern),
        (mut block, layout): (Block, Option<&Layout>),
        site: CallSite,
    ) -> Result<Self> {
        let post = |elements| {
            let args = communicator.recv_args(from, tag, elements)?;
            // SAFETY: as in `send`.
            let request = unsafe { args.post(communicator)? };
            Ok((request, args.wait_target))
        };
        let (request, wait_target) = match layout {
            None => post(communicator.elements_mut(&mut block.view_mut())?),
            Some(layout) => {
                let mut data = LayoutViewMut::new(block.view_mut(), layout)?;
                post(communicator.layout_elements_mut(&mut data)?)
            }
        }?;
        Ok(Self::new(communicator, request, block, (RequestKind::Receive, site), wait_target))
    }

    /// The request of a collective operation that uses these buffers and counts.
    #[inline]
    pub(crate) fn collective(
        communicator: &Rc<MpiCommunicator>,
        request: MPI_Request,
        OwnedBuffers { send, recv }: OwnedBuffers,
        counts: Vec<CountsAndDispls>,
        site: CallSite,
    ) -> Self {
        let bytes = send.view().bytes().len().max(recv.view().bytes().len());
        let kind = RequestKind::Collective(Some(send), counts);
        Self::new(communicator, request, recv, (kind, site), WaitTarget::collective(bytes))
    }

    #[inline]
    fn new(
        communicator: &Rc<MpiCommunicator>,
        request: MPI_Request,
        block: Block,
        (kind, site): (RequestKind, CallSite),
        wait_target: WaitTarget,
    ) -> Self {
        let communicator = Rc::clone(communicator);
        Self { request, block: Some(block), kind, site, wait_target, outcome: None, communicator }
    }

    /// Stores the outcome of a call that completed the request, for its wait.
    fn record_outcome(
        &mut self,
        call: &'static str,
        code: c_int,
        raw: &MPI_Status,
    ) -> Result<Option<Status>> {
        let outcome = self.outcome_of(call, code, raw);
        self.outcome.insert(outcome).clone()
    }

    /// The outcome of a call that completed the request.
    #[inline]
    fn outcome_of(&self, call: &'static str, code: c_int, raw: &MPI_Status) -> Result<Option<Status>> {
        let outcome = match self.kind {
            RequestKind::Receive | RequestKind::Persistent(_, Direction::Receive) => {
                check::check_receive(call, code, raw, self.wait_target.bytes()).map(Some)
            }
            _ => check(call, code).map(|()| None),
        };
        outcome.inspect_err(|_| self.communicator.registry.note_failure())
    }

    /// Waits for the completion of the active request, whose status it writes: the return code.
    #[inline]
    fn wait_for_library(&mut self, raw: &mut MPI_Status, site: CallSite) -> c_int {
        let _inside = blocked_call::enter_wait(site, self.wait_target, self.site);
        // SAFETY: an active request of ours, and one status for the answer.
        unsafe { MPI_Wait(&mut self.request, raw) }
    }

    /// Gives the buffers of the complete request back.
    #[inline]
    fn into_completed(mut self: Box<Self>, status: Option<Status>) -> Completed {
        let block =
            self.block.take().expect("only waiting gives the block away, and it consumes the request");
        let read = match &mut self.kind {
            RequestKind::Collective(send, _) => send.take(),
            _ => None,
        };
        Completed { block, read, status }
    }

    /// Whether the library may still use the buffers.
    fn is_active(&self) -> bool {
        match self.kind {
            RequestKind::Persistent(..) => self.outcome.is_none() && self.block.is_some(),
            _ => self.request != handles::REQUEST_NULL,
        }
    }
}

impl Pending for MpiRequest {
    fn test(&mut self, _site: CallSite) -> Result<bool> {
        if let Some(outcome) = &self.outcome {
            return outcome.clone().map(|_| true);
        }
        let mut done = 0;
        let mut raw = empty_status();
        // SAFETY: an active request of ours, one int and one status for the answer.
        let code = unsafe { MPI_Test(&mut self.request, &mut done, &mut raw) };
        if code == handles::SUCCESS && done == 0 {
            return Ok(false);
        }
        self.record_outcome("MPI_Test", code, &raw).map(|_| true)
    }

    fn wait(mut self: Box<Self>, site: CallSite) -> Result<Completed> {
        if let Some(outcome) = self.outcome.take() {
            return outcome.map(|status| self.into_completed(status));
        }
        let mut raw = empty_status();
        let code = self.wait_for_library(&mut raw, site);
        match self.outcome_of("MPI_Wait", code, &raw) {
            Ok(status) => Ok(self.into_completed(status)),
            Err(error) => {
                self.outcome = Some(Err(error.clone()));
                Err(error)
            }
        }
    }

    fn cancel(mut self: Box<Self>, site: CallSite) -> Result<Option<Completed>> {
        if self.outcome.is_none() {
            // SAFETY: an active request of ours.
            check("MPI_Cancel", unsafe { MPI_Cancel(&mut self.request) })?;
            let mut raw = empty_status();
            let code = self.wait_for_library(&mut raw, site);
            let mut is_cancelled = 0;
            // SAFETY: the status of a completed request, one int for the answer.
            check("MPI_Test_cancelled", unsafe { MPI_Test_cancelled(&raw, &mut is_cancelled) })?;
            if code == handles::SUCCESS && is_cancelled != 0 {
                self.communicator.count_messages(1);
                return Ok(None);
            }
            self.record_outcome("MPI_Wait", code, &raw)?;
        }
        self.wait(site).map(Some)
    }

    fn undecorated(&mut self) -> &mut dyn Any {
        self
    }
}

impl Drop for MpiRequest {
    fn drop(&mut self) {
        // A failed wait that left the request active is not a completion: MPI may still write.
        if self.is_active() {
            mem::forget((self.block.take(), mem::replace(&mut self.kind, RequestKind::Send)));
            // It may still be received on the communicator, which therefore ends with the case.
            mem::forget(Rc::clone(&self.communicator));
            let call = blocked_call::describe(self.site, self.wait_target);
            let what = wb_comm::text::leaks::request(call, &*self.communicator.name.borrow());
            self.communicator.registry.note_leak(Code::RequestLeak, self.site, vec![what]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_small_because_it_is_moved_into_its_box() {
        assert_eq!((size_of::<WaitTarget>(), size_of::<RequestKind>()), (24, 64));
        assert!(size_of::<MpiRequest>() <= 248, "{} bytes", size_of::<MpiRequest>());
    }
}

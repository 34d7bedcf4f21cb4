//! The request of a posted operation.
use std::{any::Any, rc::Rc};

use smallvec::smallvec;
use wb_comm::{
    Block, CallSite, Completed, Error, Layout, LayoutViewMut, OwnedBuffers, Pending, Result, Status,
};

use crate::fabric::{
    endpoint::{payload::ReceiveTarget, rank_context::RankContext},
    job_state::rank_state::{WaitCondition, WaitState},
    matching::{message::OperationId, operation::OperationStatus},
    observed_state::ObservedState,
    runtime::Runtime,
};

/// Owns the buffer, unless it is of a collective operation. The message itself is in the state, so dropping a request is sound at any time.
#[derive(Debug)]
pub(crate) struct Request<H: Runtime> {
    context: Rc<RankContext<H>>,
    buffer: Option<Block>,
    /// The buffer that a complete collective operation has read.
    read: Option<Block>,
    /// The elements of the buffer that a receive fills, which fit it; `None` is all.
    layout: Option<Layout>,
    pub(super) state: RequestState,
}

/// The state of a request.
#[derive(Debug)]
pub(super) enum RequestState {
    /// An operation in the shared state.
    Posted(OperationId),
    /// Complete; a receive's data are in the buffer.
    Complete(Option<Status>),
    Failed(Error),
}

impl<H: Runtime> Request<H> {
    /// The request of an operation that has just been posted; the buffers of a collective operation are in the state.
    pub(crate) fn new(
        context: &Rc<RankContext<H>>,
        id: OperationId,
        buffer: Option<Block>,
        layout: Option<Layout>,
    ) -> Self {
        let (context, state) = (Rc::clone(context), RequestState::Posted(id));
        Self { context, buffer, read: None, layout, state }
    }

    /// Stores the result of the operation.
    pub(super) fn finish(&mut self, progress: OperationStatus) -> Result<Option<Status>> {
        let status = match progress {
            OperationStatus::Received(Ok(message)) => {
                let buffer = self.buffer.as_mut().expect("only wait takes the buffer");
                let mut buffer = buffer.view_mut();
                Some(match &self.layout {
                    None => self.context.finish_receive(message, ReceiveTarget::Contiguous(buffer.bytes())),
                    Some(layout) => {
                        let mut buffer =
                            LayoutViewMut::new(buffer, layout).expect("checked when it was posted");
                        self.context.finish_receive(message, ReceiveTarget::Layout(&mut buffer))
                    }
                })
            }
            OperationStatus::Collected(Ok(OwnedBuffers { send, recv })) => {
                (self.buffer, self.read) = (Some(recv), Some(send));
                None
            }
            OperationStatus::Received(Err(error)) | OperationStatus::Collected(Err(error)) => {
                return Err(self.fail(*error));
            }
            OperationStatus::Sent | OperationStatus::Open => None,
        };
        self.state = RequestState::Complete(status);
        Ok(status)
    }

    /// Keeps the error for later calls.
    fn fail(&mut self, error: Error) -> Error {
        self.state = RequestState::Failed(error.clone());
        error
    }

    /// Waits for the operation and takes it from the state, whether it succeeds or fails.
    fn complete(&mut self, id: OperationId, site: CallSite) -> Result<Option<Status>> {
        let context = Rc::clone(&self.context);
        let wait_state = WaitState { site, condition: WaitCondition::Operations(smallvec![Some(id)]) };
        let waited = context.enter_call(site);
        let waited = waited.and_then(|state| context.runtime.block(state, context.rank, wait_state));
        match waited {
            Ok(mut state) => {
                let progress = context.take_completed(&mut state, &[Some(id)]).remove(0);
                drop(state);
                self.finish(progress)
            }
            Err(error) => {
                context.runtime.lock_state().take_operation(id);
                Err(self.fail(error))
            }
        }
    }
}

impl<H: Runtime> Pending for Request<H> {
    fn test(&mut self, site: CallSite) -> Result<bool> {
        let RequestState::Posted(id) = self.state else { return Ok(true) };
        let context = Rc::clone(&self.context);
        context.runtime.before_poll(context.rank, ObservedState::Mailbox);
        let mut state = context.enter_call(site)?;
        if state.operations[id].is_done() {
            let progress = context.take_completed(&mut state, &[Some(id)]).remove(0);
            drop(state);
            return self.finish(progress).map(|_| true);
        }
        context.poll_failed(state, WaitCondition::Operations(smallvec![Some(id)]), site);
        Ok(false)
    }

    fn wait(mut self: Box<Self>, site: CallSite) -> Result<Completed> {
        let status = match &self.state {
            RequestState::Posted(id) => self.complete(*id, site)?,
            RequestState::Complete(status) => *status,
            RequestState::Failed(error) => return Err(error.clone()),
        };
        let block = self.buffer.take().expect("a request is waited for once");
        Ok(Completed { block, read: self.read.take(), status })
    }

    fn cancel(mut self: Box<Self>, site: CallSite) -> Result<Option<Completed>> {
        if let RequestState::Posted(id) = self.state {
            let context = Rc::clone(&self.context);
            context.runtime.before_poll(context.rank, ObservedState::Mailbox);
            let mut state = context.enter_call(site)?;
            if !state.operations[id].is_done() && state.cancel_receive(id) {
                self.state = RequestState::Complete(None);
                drop(state);
                context.runtime.after_failed_poll(context.rank);
                return Ok(None);
            }
        }
        self.wait(site).map(Some)
    }

    fn undecorated(&mut self) -> &mut dyn Any {
        self
    }
}

impl<H: Runtime> Drop for Request<H> {
    fn drop(&mut self) {
        if let RequestState::Posted(id) = self.state {
            self.context.runtime.lock_state().drop_request(id);
        }
    }
}

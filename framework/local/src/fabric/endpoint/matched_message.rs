//! A message that a matched probe has taken.
use std::rc::Rc;

use smallvec::smallvec;
use wb_comm::{CallSite, PendingMessage, Rank, Result, Status, ViewMut};

use crate::fabric::{
    endpoint::{payload::ReceiveTarget, rank_context::RankContext},
    job_state::rank_state::{WaitCondition, WaitState},
    matching::{
        message::{Message, RecvBuffer},
        operation::OperationStatus,
    },
    runtime::Runtime,
};

pub(super) struct TakenMessage<H: Runtime> {
    context: Rc<RankContext<H>>,
    /// The communicator, and this rank there.
    place: (usize, Rank),
    /// The message; `None` once it is received.
    message: Option<Box<Message>>,
}

impl<H: Runtime> TakenMessage<H> {
    pub(super) fn new(context: Rc<RankContext<H>>, place: (usize, Rank), message: Box<Message>) -> Self {
        Self { context, place, message: Some(message) }
    }
}

impl<H: Runtime> PendingMessage for TakenMessage<H> {
    fn status(&self) -> Status {
        self.message.as_ref().expect("only receiving takes it").status()
    }

    fn receive(mut self: Box<Self>, mut into: ViewMut<'_>, site: CallSite) -> Result<Status> {
        let context = Rc::clone(&self.context);
        let mut state = context.enter_call(site)?;
        let message = self.message.take().expect("only receiving takes it");
        let buffer = RecvBuffer::from_view(into.as_view());
        let id = state.receive_matched(self.place, message, buffer, site);
        let wait_state = WaitState { site, condition: WaitCondition::Operations(smallvec![Some(id)]) };
        let mut state = context.runtime.block(state, context.rank, wait_state)?;
        let result = context.take_completed(&mut state, &[Some(id)]).remove(0);
        drop(state);
        let OperationStatus::Received(message) = result else { unreachable!("it is a receive") };
        let buffer = ReceiveTarget::Contiguous(into.bytes());
        Ok(context.finish_receive(message.map_err(|error| *error)?, buffer))
    }
}

impl<H: Runtime> Drop for TakenMessage<H> {
    fn drop(&mut self) {
        if let Some(message) = self.message.take() {
            let (communicator, rank) = self.place;
            let mut state = self.context.runtime.lock_state();
            state.communicators[communicator].mailboxes[rank].push_dropped(*message);
        }
    }
}
